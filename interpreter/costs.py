"""How much work expressions and steps are at most, so that only what could be too much has to be counted while a game runs.

Work is counted in nodes evaluated. A loop whose length is known, and that is little work even so, is not counted: it is part of the work
of what it stands in. Any other is counted when it begins (`metered`), by its real length, and so is a function that is much work in
itself. So every stretch that is not counted is little work, and all of it together is bounded.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache
from itertools import chain
from typing import Any, Final, cast

from gdl import typed, types
from gdl.interpreter.emit_places import Places
from gdl.interpreter.faults import RuleFault
from gdl.interpreter.meter import MOST_IN_SET
from gdl.interpreter.numbering import ZonePlan
from gdl.interpreter.plan import Plan
from gdl.nodes import names_of
from gdl.typed import Local, TBinder, TExpression, Unit
from gdl.values import NONE

FREE: Final = 10_000
"""Work that need not be counted by itself."""
CALL: Final = 5
EFFECT: Final = 10
_SMALL_BOARD: Final = 1_000
"""Spaces of a board whose tables are looked through for their longest list."""
_LINES: Final = 8
"""Lists of spaces that a builtin makes for each space of a board: its lines, rays or groups."""
_SHORT: Final = ("count", "empty", "any", "first", "last", "sole", "size", "pieces")
"""Builtins that take the same time for a list of any length, if nothing is evaluated for its elements."""
_SMALL: Final = 1 << 40
"""Numbers below this can be added a good many times before 64 bits are full."""


class Costs(Places):
    """The part of the emitter that knows how much work things are."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.costs: dict[int, tuple[Any, int]] = {}
        self.lengths: dict[Local, int | None] = {}
        self._units: dict[Unit, int] = {}
        self._lengths_of_tables: dict[Any, tuple[int, int]] = {}

    def iterable(self, node: TExpression) -> str:
        """See the emitter."""
        raise TypeError

    # --- loops --------------------------------------------------------------------------------------------------------

    def looped(self, source: TExpression, work: int) -> str:
        """The text of a list that is gone through, with so much work for each element; counted if need be."""
        text = self.iterable(source)
        return self.at(source, f"metered({text}, {work})") if self.must_count(source, work) else text

    def must_count(self, source: TExpression, work: int) -> bool:
        """Whether a loop over a list could be too much work."""
        size = self.list_size(source)
        return size is None or size * work > FREE

    def loop_cost(self, source: TExpression, work: int) -> int:
        """The work of a loop that is not counted by itself."""
        return self.cost(source) + (CALL if self.must_count(source, work) else (self.list_size(source) or 0) * work)

    def whole(self, node: TExpression, text: str) -> str:
        """The text of a list that a builtin or an operator goes through, counted if need be."""
        inner = types.without_none(node.type)
        if not isinstance(inner, types.ListType):
            return text
        if isinstance(types.without_none(inner.element), types.ListType):
            size, longest = self.list_size(node), self.element_size(node)
            return text if size is not None and longest is not None and size * longest <= FREE else self.at(node, f"counted({text})")
        return self.at(node, f"metered({text}, 1)") if self.must_count(node, 1) else text

    def takes_all(self, node: typed.BuiltinCall) -> bool:
        """Whether a builtin goes through the lists that it is given."""
        return node.entry.name not in _SHORT or any(isinstance(a, typed.EachBody) for a in node.arguments)

    # --- work ---------------------------------------------------------------------------------------------------------

    def cost(self, node: Any) -> int:
        """The work of an expression, step, block or other node that is not counted while it is done."""
        if node is None:
            return 0
        found = self.costs.get(id(node))
        if found is None:
            found = self.costs[id(node)] = (node, self._cost(node))
        return found[1]

    def _cost(self, node: Any) -> int:
        if type(node) in _PLAIN:
            return 1 + self.parts_cost(node)
        match node:
            case typed.ListOperator(source=source, body=body, local=local):
                self.lengths[local] = self.element_size(source)
                return self.loop_cost(source, 1 + self.cost(body))
            case typed.BuiltinCall():
                return self._builtin_cost(node)
            case typed.FunctionCall(unit=unit, arguments=arguments):
                return CALL + sum(self.cost(a) for a in arguments) + self.unit_cost(unit)
            case typed.After(effect=call, condition=condition):
                return self.plan.size // 16 + self.cost(call) + self.cost(condition)
            case typed.Seen():
                return EFFECT + self.plan.size // 4
            case typed.Possible(entries=entries):
                actions = [action for entry in entries for action in typed.members(entry)]
                return sum(self.cost(a.before) + self.rounds_of(a.choices, a.guard)[1] for a in actions)
            case typed.NumberRange(low=low, high=high):
                size = self.list_size(node)
                return 1 + self.cost(low) + self.cost(high) + (size if size is not None and size <= FREE else 0)
        return 1 + self.parts_cost(node)

    def parts_cost(self, node: Any) -> int:
        """The work of what stands directly in a node."""
        known = self.plan.spec.children
        inner = known.get(node)
        if inner is None:
            inner = known[node] = children(node)
        return sum(map(self.cost, inner))

    def _builtin_cost(self, node: typed.BuiltinCall) -> int:
        arguments = [a for a in node.arguments if isinstance(a, TExpression)]
        total = CALL + sum(self.cost(a) for a in arguments)
        for each in node.arguments:
            if isinstance(each, typed.EachBody):
                source = self.each_source(node)
                self.lengths[each.local] = None if source is None else self.element_size(source)
        if any(isinstance(a, typed.EachBody) for a in node.arguments):
            return total + self.each_cost(node)
        if self.takes_all(node):
            total += sum(self.list_size(a) or 0 for a in arguments if self.is_list(a) and not self.must_count(a, 1))
        if node.entry.wants_state:
            total += self.plan.space_count // 8
        return total

    def each_cost(self, node: typed.BuiltinCall) -> int:
        """The work of a builtin that evaluates something for every element of its first list."""
        work = self.each_work(node)
        if self.goes_on(node):
            return 0 if self.walk_work(node) > FREE else self.walk_work(node)
        source = self.each_source(node)
        if source is None or self.must_count(source, work):
            return 0
        return (self.list_size(source) or 0) * work

    def each_source(self, node: typed.BuiltinCall) -> TExpression | None:
        """The list for whose elements a builtin evaluates something, if it does."""
        if not any(isinstance(a, typed.EachBody) for a in node.arguments):
            return None
        return next((a for a in node.arguments if isinstance(a, TExpression) and self.is_list(a)), None)

    def each_work(self, node: typed.BuiltinCall) -> int:
        """The work for one element."""
        return 1 + sum(self.cost(a.body) for a in node.arguments if isinstance(a, typed.EachBody))

    def goes_on(self, node: typed.BuiltinCall) -> bool:
        """Whether a builtin goes on from the lists that its body gives: over all spaces, whatever it begins with."""
        return any(self.is_list(a.body) for a in node.arguments if isinstance(a, typed.EachBody))

    def walk_work(self, node: typed.BuiltinCall) -> int:
        """The work of one that does."""
        return self.each_work(node) * self.plan.space_count

    def rounds_of(self, binders: tuple[TBinder, ...], guard: TExpression | None) -> tuple[dict[Local, int], int]:
        """The parameters of a choice whose loops have to be counted, each with the work of a round, and the work that is left uncounted.

        The work of a round is that of the loops inside as far as these are not counted.
        """
        found: dict[Local, int] = {}
        work = 1 + self.cost(guard)
        for binder in reversed(binders):
            if binder.given is not None:
                continue
            size = self.list_size(binder.domain)
            once = self.cost(binder.domain)
            if size is None or size * (1 + work) > FREE:
                found[binder.local] = 1 + work
                work = 1 + once
            else:
                work = size * (1 + work) + once
        return found, work

    @staticmethod
    def is_list(node: TExpression) -> bool:
        """Whether a value is a list."""
        return isinstance(types.without_none(node.type), types.ListType)

    def unit_cost(self, unit: Unit) -> int:
        """The work of a function's or procedure's body, as far as its calls are not counted."""
        cost = self.body_cost(unit)
        return 0 if cost > FREE else cost

    def body_cost(self, unit: Unit) -> int:
        """The same, counted or not. A unit that is asked about while it is looked at calls itself, and is counted where it does."""
        if unit not in self._units:
            self._units[unit] = 0
            total = 0
            for local, value in unit.bindings:
                total += self.cost(value)
                self.lengths[local] = self.list_size(value)
            self._units[unit] = total + self.cost(unit.value) + self.cost(unit.body)
        return self._units[unit]

    def entry_lines(self, unit: Unit) -> list[str]:
        """What a function begins with if its calls are counted."""
        cost = self.body_cost(unit)
        return [f"{self.module.mark(unit.span)}charge({cost})"] if cost > FREE else []

    # --- lengths ------------------------------------------------------------------------------------------------------

    def list_size(self, node: TExpression) -> int | None:
        """The most elements that a list can have; None if that is not known."""
        match node:
            case typed.Constant(value=tuple() as value):
                return len(value)
            case typed.NamedConstant(name=name):
                known = self.plan.constants.get(name)
                return len(known) if isinstance(known, tuple) else None
            case typed.LocalValue(local=local):
                return self.lengths.get(local)
            case typed.FunctionCall(unit=unit) if unit.value is not None:
                self.body_cost(unit)
                return self.list_size(unit.value)
            case typed.Lookup(table=table):
                return self.element_size(table)
            case typed.AllPlayers():
                return self.plan.players
            case typed.KindPieces(kinds=kinds):
                return sum(self.plan.kinds[k].count for k in kinds)
            case typed.ZoneSpaces(zone=zone, keys=keys):
                plan = self.plan.zones[zone]
                return plan.per_copy if plan.copies and len(keys) == len(plan.copies[0]) else plan.count
            case typed.NumberRange(low=low, high=high):
                lowest, highest = self.bounds(low), self.bounds(high)
                return None if lowest is None or highest is None else max(0, highest[1] - lowest[0] + 1)
            case typed.ListOperator(source=source):
                return self.list_size(source)
            case typed.MakeList(items=items):
                return len(items)
            case typed.ListJoin(operator="-", left=left):
                return self.list_size(left)
            case typed.ListJoin(left=left, right=right):
                return _sum(self.list_size(left), self.list_size(right))
            case typed.Conditional(then=then, otherwise=otherwise):
                return _most(self.list_size(then), self.list_size(otherwise))
            case typed.Coalesce(left=left, right=right):
                return _most(self.list_size(left), self.list_size(right))
            case typed.VariableValue(infos=infos):
                plans = [self.plan.variables[i] for i in infos if i in self.plan.variables]
                return max((p.width for p in plans), default=None)
            case typed.AttributeValue(infos=infos, arguments=None):
                tables = [self.plan.attributes.get(self.plan.attribute_key(i), ()) for i in infos]
                lengths = [len(v) for table in tables for v in list.__iter__(table) if isinstance(v, tuple)]  # type: ignore[arg-type]
                return max(lengths, default=None)
            case typed.Convert(form="pieces", operand=operand):
                return max((self.room(zone) for zone in self.zones_of(operand.type)), default=0)
            case typed.Convert(form="pieces_of_spaces", operand=operand):
                spaces, rooms = self.list_size(operand), [self.room(zone) for zone in self.zones_of(operand.type)]
                return None if spaces is None else spaces * max(rooms, default=0)
            case typed.Convert(form="list", operand=operand):
                return self._set_size(operand.type)
            case typed.Convert(operand=operand):
                return self.list_size(operand)
            case typed.BuiltinCall():
                return self._result_size(node)
        return None

    @staticmethod
    def room(zone: ZonePlan) -> int:
        """The most pieces that a space can hold."""
        return len(zone.holdable) if zone.capacity is None else min(zone.capacity, len(zone.holdable))

    def _set_size(self, type_: types.Type) -> int:
        inner = types.without_none(type_)
        size = self.type_size(inner.element) if isinstance(inner, types.SetType) else None
        return MOST_IN_SET if size is None else size

    def _result_size(self, node: typed.BuiltinCall) -> int | None:
        """Builtins that make lists of pieces or spaces name each once, save for lists of lists; those that choose some give no more."""
        inner = types.without_none(node.type)
        if not isinstance(inner, types.ListType) or node.entry.name == "flat":
            return None
        first = next((a for a in node.arguments if isinstance(a, TExpression) and self.is_list(a)), None)
        given = None if first is None else self.list_size(first)
        exact = self._table_lengths(node)
        if exact is not None:
            return exact[0]
        if node.entry.wants_game:
            return _LINES * self.plan.space_count if isinstance(inner.element, types.ListType) else self.type_size(inner.element)
        return given

    def _table_lengths(self, node: typed.BuiltinCall) -> tuple[int, int] | None:
        """The greatest lengths of what a table of spaces holds, and of the lists in that; None for another thing, or a large one."""
        arguments = [a for a in node.arguments if isinstance(a, TExpression)]
        entry, known = node.entry, [self.known_value(a) for a in arguments]
        open_ = [a for a, value in zip(arguments, known, strict=True) if value is None]
        if not entry.table or not entry.wants_game or len(open_) != 1 or len(arguments) != len(node.arguments):
            return None
        zones = self.zones_of(open_[0].type)
        if not isinstance(types.without_none(open_[0].type), types.SpaceType) or sum(zone.count for zone in zones) > _SMALL_BOARD:
            return None
        key = (id(entry), tuple(known), tuple(zone.info.name for zone in zones))
        if key not in self._lengths_of_tables:
            self._lengths_of_tables[key] = _lengths(entry.function, self.plan, known, [range(zone.base, zone.end) for zone in zones])
        return self._lengths_of_tables[key]

    def element_size(self, node: TExpression) -> int | None:
        """The most elements of the lists that a list or table holds; None if that is not known."""
        match node:
            case typed.NamedConstant(name=name):
                known = self.plan.constants.get(name)
                held = known.values() if isinstance(known, dict) else known if isinstance(known, tuple) else ()
                return max((len(value) for value in held if isinstance(value, tuple)), default=None)
            case typed.MakeTable(entries=entries):
                return _longest(self.list_size(value) for _, value in entries)
            case typed.MakeList(items=items):
                return _longest(self.list_size(item) for item in items)
            case typed.ListOperator(operator="select", body=body):
                return self.list_size(body)
            case typed.ListOperator(source=source):
                return self.element_size(source)
            case typed.FunctionCall(unit=unit) if unit.value is not None:
                return self.element_size(unit.value)
            case typed.BuiltinCall(entry=entry) if entry.wants_game:
                exact = self._table_lengths(node)
                if exact is not None:
                    return exact[1]
                inner = types.without_none(node.type)
                element = inner.element if isinstance(inner, types.ListType) else types.ERROR
                return self.type_size(element.element) if isinstance(element, types.ListType) else None
        return None

    def bounds(self, node: TExpression) -> tuple[int, int] | None:
        """The least and the greatest value that a number can have; None if that is not known."""
        match node:
            case typed.Constant(value=int() as value):
                return (value, value) if value != NONE else None
            case typed.OptionValue(name=name):
                return (self.plan.options[name],) * 2
            case typed.NamedConstant(name=name):
                known = self.plan.constants.get(name)
                return (known, known) if isinstance(known, int) and known != NONE else None
            case typed.VariableValue(infos=infos):
                plans = [self.plan.variables[i] for i in infos if i in self.plan.variables]
                if not plans or any(p.info.domain.form != "range" for p in plans):
                    return None
                return min(p.low for p in plans), max(p.high for p in plans)
            case typed.Arithmetic(operator="+" | "-" as operator, left=left, right=right):
                one, other = self.bounds(left), self.bounds(right)
                if one is None or other is None:
                    return None
                return (one[0] + other[0], one[1] + other[1]) if operator == "+" else (one[0] - other[1], one[1] - other[0])
            case typed.Conditional(then=then, otherwise=otherwise):
                one, other = self.bounds(then), self.bounds(otherwise)
                return None if one is None or other is None else (min(one[0], other[0]), max(one[1], other[1]))
            case typed.BuiltinCall(entry=entry, arguments=(TExpression() as source, *_)) if entry.name in ("count", "distinct", "size"):
                size = self.list_size(source)
                return None if size is None else (0, size)
            case typed.Property(name="row" | "col" | "index" | "number"):
                return 0, self.plan.space_count + self.plan.piece_count
            case typed.Convert(form="value", operand=operand):
                return self.bounds(operand)
        return None

    def is_small(self, node: TExpression) -> bool:
        """Whether a number is certainly so far within 64 bits that a sum of a few such is too."""
        match node:
            case typed.Constant(value=value):
                return isinstance(value, int) and abs(value) < _SMALL
            case typed.VariableValue(infos=infos):
                plans = [self.plan.variables[i] for i in infos]
                return all(max(abs(p.low), abs(p.high)) < _SMALL for p in plans)
            case typed.LocalValue(local=local):
                return not local.assigned
            case typed.Arithmetic(operator=operator, left=left, right=right):
                return operator in ("+", "-", "//", "%") and self.is_small(left) and self.is_small(right)
            case typed.Minus(operand=operand) | typed.Convert(operand=operand):
                return self.is_small(operand)
            case typed.Conditional(then=then, otherwise=otherwise):
                return self.is_small(then) and self.is_small(otherwise)
            case typed.OptionValue() | typed.Property() | typed.BuiltinCall() | typed.AttributeValue():
                return True
        value = self.known_value(node)
        return isinstance(value, int) and abs(value) < _SMALL


def _lengths(function: Callable[..., Any], plan: Plan, known: list[Any], spaces: list[range]) -> tuple[int, int]:
    """The greatest length of a function's values over spaces, and of the lists that these hold. `known`: the other arguments."""
    longest = inner = 0
    for space in chain(*spaces):
        try:
            value = function(plan, *[space if argument is None else argument for argument in known])
        except RuleFault:
            continue
        if isinstance(value, tuple):
            longest = max(longest, len(value))
            inner = max(inner, max((len(each) for each in value if isinstance(each, tuple)), default=0))
    return longest, inner


def _longest(sizes: Iterable[int | None]) -> int | None:
    found = list(sizes)
    known = [size for size in found if size is not None]
    return max(known, default=0) if len(known) == len(found) else None


def _sum(one: int | None, other: int | None) -> int | None:
    return None if one is None or other is None else one + other


def _most(one: int | None, other: int | None) -> int | None:
    return None if one is None or other is None else max(one, other)


def bare(node: TExpression) -> TExpression:
    """A list of pieces without the `pieces(…)` around it, which says only what it is."""
    while isinstance(node, typed.BuiltinCall) and node.entry.name == "pieces" and len(node.arguments) == 1:
        inner = node.arguments[0]
        assert isinstance(inner, TExpression)
        node = inner
    return node


def children(node: Any) -> list[Any]:
    """The typed nodes directly inside a node."""
    if isinstance(node, tuple | list):
        return [child for each in node for child in ([each] if isinstance(each, _INNER) else children(each))]
    if not isinstance(node, _INNER):
        return []
    found: list[Any] = []
    for name in _parts(cast("Any", type(node))):
        value = getattr(node, name)
        if isinstance(value, _INNER):
            found.append(value)
        elif isinstance(value, tuple):
            found += children(value)
    return found


@cache
def _parts(kind: type) -> tuple[str, ...]:
    """The fields of a kind of node that can hold nodes of the same tree."""
    return tuple(name for name in names_of(kind) if name not in ("span", "type", "unit", "entry", "infos", "local"))


_PLAIN: Final = frozenset((
    typed.Constant, typed.OptionValue, typed.NamedConstant, typed.AllPlayers, typed.LocalValue, typed.KindPieces, typed.ZoneSpaces,
    typed.RowPiece, typed.RowSpace, typed.VariableValue, typed.AttributeValue, typed.Property, typed.Conditional, typed.Both,
    typed.Negation, typed.Comparison, typed.Membership, typed.KindTest, typed.Coalesce, typed.Arithmetic, typed.Minus, typed.MakeList,
    typed.Lookup, typed.Element, typed.Convert,
))  # fmt: skip
"""Nodes that are no more work than their parts; most nodes are of these."""
_INNER: Final = (TExpression, typed.EachBody, typed.TStep, typed.TBlock, typed.TKeys, typed.TTemplate, typed.TBinder)
