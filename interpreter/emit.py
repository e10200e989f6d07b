"""Typed expressions → Python text. Names become numbers, constants are folded, conditions on options cost nothing.

In emitted text `s` is the state's list of integers and `f` the first cell of the running frame.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Final

from gdl import typed, types
from gdl.dependence import dependence_of
from gdl.interpreter import runtime
from gdl.interpreter.costs import bare, children
from gdl.interpreter.emit_calls import Calls
from gdl.interpreter.emit_contents import listed
from gdl.interpreter.emit_module import Module
from gdl.interpreter.faults import FAILURES, problem
from gdl.interpreter.foregone import foregone
from gdl.interpreter.memo import Memo, bits_of_mask
from gdl.interpreter.meter import EVALUATION, Meter, OutOfWork
from gdl.interpreter.plan import Plan
from gdl.interpreter.secrecy import Secrecy
from gdl.typed import Local, TExpression, Unit
from gdl.types import ListType
from gdl.values import NONE


class Emitter(Calls):
    """Turns typed expressions into text, for one plan and one module."""

    def __init__(self, plan: Plan, module: Module) -> None:
        super().__init__(plan, module)
        self.reads_state = False
        self.evaluating = False
        self._failed: dict[int, TExpression] = {}
        self._values: dict[int, tuple[TExpression, Any]] = {}
        self._next = 0
        self._secrecy: Secrecy | None = None
        self.possible: Any = None
        self.possible_functions: dict[Any, str] = {}
        self.call_text: Any = None
        self.coordinates: dict[Local, dict[str, int]] = {}
        self.meter = Meter()
        module.namespace.update(self.meter.functions())
        module.import_(
            runtime.need, runtime.either, runtime.either_value, runtime.divide, runtime.modulo, runtime.wide,
            runtime.item, runtime.within, runtime.offset, runtime.only, runtime.without, runtime.until,
            runtime.leading, runtime.mask_of, runtime.lazily, runtime.effect_of, runtime.absent,
            NONE=NONE, BITS=bits_of_mask(),
        )  # fmt: skip

    @property
    def secrecy(self) -> Secrecy:
        """Which hidden things expressions depend on; to be asked once the plan is complete."""
        if self._secrecy is None:
            self._secrecy = Secrecy(self.plan)
        return self._secrecy

    # --- values known at set-up ---------------------------------------------------------------------------------------

    def is_static(self, node: Any) -> bool:
        """Whether a value depends on nothing that changes."""
        if id(node) in self._failed:
            return False
        found = dependence_of(node, self.plan.spec.dependences)
        if found.changes or not self.known.keys() >= found.locals:
            return False
        return all(self._is_static_function(unit) for unit in found.functions)

    def _is_static_function(self, unit: Unit) -> bool:
        self.function(unit)
        return unit in self.static_functions

    def evaluate(self, node: TExpression, known: Mapping[Local, Any] | None = None) -> Any:
        """The value of an expression at set-up. Raises RuleFault where the rule fails."""
        if isinstance(node, typed.Constant):
            return node.value
        self.meter.charge(EVALUATION)
        before = self.locals, self.known, self.evaluating
        self.evaluating = True
        bound = known or {}
        self.known = {**self.known, **bound}
        self.locals = {local: f"g{index}" for index, local in enumerate(self.known)}  # no other local has a value now
        extent = self.module.extent()
        try:
            text = self._emit(node)
            return self.module.evaluate(text, {f"g{index}": value for index, value in enumerate(self.known.values())})
        finally:
            self.module.forget(extent)
            self.locals, self.known, self.evaluating = before

    def function_of(self, node: TExpression, locals_: Iterable[Local]) -> Callable[..., Any]:
        """An expression as a function of some locals, to be evaluated with many values while nothing is set up in between."""
        before = self.locals, self.known, self.evaluating
        self.locals = {local: f"g{index}" for index, local in enumerate(locals_)}
        self.known, self.evaluating = {}, True
        names = list(self.locals.values())
        extent = self.module.extent()
        try:
            return self.module.evaluated_with(names, self._emit(node))
        finally:
            self.module.forget(extent)
            self.locals, self.known, self.evaluating = before

    @contextmanager
    def outside(self, known: Iterable[Local] = ()) -> Iterator[list[str]]:
        """Write text for an expression that is no part of the spec, and forget it; gives the names of locals that are known."""
        locals_, lines = dict(self.locals), len(self.module.lines)
        spec = self.plan.spec
        tables: tuple[dict[Any, Any], ...] = (self._failed, self._values, self.costs, self.lengths, spec.dependences, spec.children)
        notes = [(table, len(table)) for table in tables]
        extent = self.module.extent()
        try:
            yield [self.bind(local) for local in known]
        finally:
            self.module.forget(extent)
            self.locals = locals_
            for table, length in notes if len(self.module.lines) == lines else ():
                while len(table) > length:
                    table.popitem()

    def constant_value(self, name: str) -> Any:
        """The value of a constant of the spec."""
        if name not in self.plan.constants:
            self.plan.constants[name] = self.evaluate(self.plan.spec.constants[name])
        return self.plan.constants[name]

    # --- expressions --------------------------------------------------------------------------------------------------

    def expr(self, node: TExpression) -> str:
        """The text of an expression; of its value, if that is known now."""
        if not self.evaluating and not isinstance(node, typed.Constant) and self.is_static(node):
            known, value = self._try(node)
            if known:
                return self.literal(value)
        decided = self._decided(node)
        return self._emit(node) if decided is None else self.literal(decided)

    def _decided(self, node: TExpression) -> bool | int | tuple[()] | None:
        """What players and options have decided of a condition on pieces or of a list; None before these are counted."""
        return foregone(self.plan, node) if self.plan.size and not self.evaluating else None

    def _try(self, node: TExpression) -> tuple[bool, Any]:
        """Evaluate what depends on nothing that changes. What fails is not tried again: it fails where a game comes to it, if any does."""
        found = self._values.get(id(node))
        if found is not None:
            return True, found[1]
        try:
            value = self.evaluate(node)
        except OutOfWork as fault:
            raise problem(fault.code, node.span, fault.message) from None
        except FAILURES:
            self._failed[id(node)] = node
            return False, None
        if not self.known:
            self._values[id(node)] = (node, value)
        return True, value

    def known_value(self, node: TExpression) -> Any:
        """The value of an expression that is known at set-up, else None."""
        return self._try(node)[1] if self.is_static(node) else self._decided(node)

    def literal(self, value: Any) -> str:
        """Text for a known value."""
        if isinstance(value, bool | int):
            return "NONE" if value == NONE else str(int(value))
        if isinstance(value, str):
            return repr(value)
        if isinstance(value, tuple) and not value:
            return "()"
        return self.module.constant(value)

    def at(self, node: Any, text: str) -> str:
        """Text that can fail, marked with its place."""
        return f"({self.module.mark(node.span)}{text})"

    def fresh(self, prefix: str = "v") -> str:
        """A Python name that nothing else has."""
        self._next += 1
        return f"{prefix}{self._next}"

    def bind(self, local: Local) -> str:
        """A Python name for a local."""
        name = self.fresh()
        self.locals[local] = name
        return name

    def _emit(self, node: TExpression) -> str:
        writer = _WRITERS.get(type(node))
        if writer is None:
            raise TypeError(f"no text for {type(node).__name__}")
        return writer(self, node)

    def _seen(self, node: typed.Seen) -> str:
        self.reads_state = True
        who = self.expr(node.player) if node.player is not None else "NONE"
        return f"seen(s, {node.history!r}, {who}, {self.expr(node.last) if node.last is not None else 'None'})"

    def _list_operator(self, node: typed.ListOperator) -> str:
        return f"tuple({self.iterable(node)})" if node.operator in ("where", "select") else self.iterable(node)

    def _coalesce(self, node: typed.Coalesce) -> str:
        if isinstance(node.right, typed.LocalValue | typed.Constant) or self.is_static(node.right):
            return f"either_value({self.expr(node.left)}, {self.expr(node.right)})"
        return f"either({self.expr(node.left)}, lambda: {self.expr(node.right)})"

    def _number_range(self, node: typed.NumberRange) -> str:
        counted = f"span({self.expr(node.low)}, {self.expr(node.high)})"
        return self.at(node, f"tuple({counted})") if self.must_count(node, 1) else f"tuple({self.iterable(node)})"

    def local(self, local: Local) -> str:
        """The text of a local: a Python name, or a cell of the frame."""
        text = self.locals[local]
        if "s[" in text:
            self.reads_state = True
        return text

    def iterable(self, node: TExpression) -> str:
        """The text of a list that is gone through once: cheaper than the list itself."""
        node = bare(node)
        if not self.evaluating and self.is_static(node):
            return self.expr(node)
        match node:
            case typed.NumberRange(low=low, high=high):
                return f"range({self.expr(low)}, {self.expr(high)} + 1)"
            case typed.ListOperator(operator="where"):
                name = self.fresh()
                return listed(name, self._where(node, name))
            case typed.ListOperator(operator="select", source=source, local=local, body=body):
                name = self.fresh()
                loop = self.clauses(source, name, 1 + self.cost(body))
                self.locals[local] = name
                return f"[{self.expr(body)} {loop}]"
            case typed.ListOperator(operator=operator, source=source, local=local, body=body):
                items = self.looped(source, 1 + self.cost(body))
                if operator == "by" and self._has_fixed_value(local, body):
                    return f"tuple(sorted({items}, key={self._table_of(local, body)}.__getitem__))"
                name = self.bind(local)
                inner = self.expr(body)
                match operator:
                    case "by":
                        return f"tuple(sorted({items}, key=lambda {name}: {inner}))"
                    case "while":
                        return f"leading(lambda {name}: {inner}, {self._sequence(items)})"
                    case _:
                        return f"until(lambda {name}: {inner}, {self._sequence(items)})"
            case typed.Convert(form="list", operand=operand) if not isinstance(operand, typed.Faulty):
                return self._convert(node)
            case typed.Convert(form="pieces_of_spaces") if self.list_size(node) is not None:
                return self._pieces_of_spaces(node)
        return self.expr(node)

    def clauses(self, node: TExpression, name: str, work: int) -> str:
        """The clauses of a comprehension over a list, with so much work for each element, which is called `name` in what follows.

        What a list is made of is gone through at once, without a list for each step, unless it has to be counted.
        """
        node = bare(node)
        if not self.must_count(node, work) and (self.evaluating or not self.is_static(node)):
            match node:
                case typed.ListOperator(operator="where"):
                    return self._where(node, name)
                case typed.Convert(form="pieces_of_spaces", operand=spaces) if self.list_size(node) is not None:
                    return self._pieces_clauses(spaces, name)
        return f"for {name} in {self.looped(node, work)}"

    def _has_fixed_value(self, local: Local, body: TExpression) -> bool:
        """Whether something has the same value of a piece or space at all times, so that it can be looked up."""
        found = dependence_of(body, self.plan.spec.dependences)
        is_known = not found.changes and found.locals == {local} and isinstance(local.type, types.PieceType | types.SpaceType)
        return is_known and self.writing and not self.evaluating and all(self._is_static_function(unit) for unit in found.functions)

    def _table_of(self, local: Local, body: TExpression) -> str:
        """The name of a table of such values."""
        saved = dict(self.locals)
        parameter = self.bind(local)
        name = self.module.function(self.fresh("L"), parameter, [f"return {self.expr(body)}"])
        self.locals = saved
        self.module.define(name)
        return self.module.constant(Memo(self.module.namespace[name]), "N")

    def _where(self, node: typed.ListOperator, name: str) -> str:
        pieces = self._with_places(node, name)
        loop = self.clauses(node.source, name, 1 + self.cost(node.body)) if pieces is None else ""
        self.locals[node.local] = name
        condition = self.expr(node.body)
        return f"{loop} if {condition}" if pieces is None else self.by_places(pieces, name, condition)

    def _with_places(self, node: typed.ListOperator, name: str) -> tuple[int, ...] | None:
        """All pieces of kinds, if they are gone through by a condition that asks where each lies."""
        pieces: tuple[int, ...] | None = self.known_value(node.source) if isinstance(node.source, typed.KindPieces) else None
        is_counted = self.must_count(node.source, 1 + self.cost(node.body))
        if not pieces or is_counted or self.evaluating or not _asks_place(node.body, node.local):
            return None
        if pieces != tuple(range(pieces[0], pieces[0] + len(pieces))):
            return None
        self.reads_state = True
        self.placed[name] = self.fresh("a")
        return pieces

    def _pieces_of_spaces(self, node: typed.Convert) -> str:
        name = self.fresh("q")
        return f"[{name} {self._pieces_clauses(node.operand, name)}]"

    def _pieces_clauses(self, spaces: TExpression, name: str) -> str:
        """The clauses of a comprehension over the pieces of spaces; off their cells one after the other, if that is how they stand."""
        self.reads_state = True
        mask = self.fresh("m")
        cells = self.read_off(spaces, mask)
        if cells is not None:
            return f"for {mask} in {cells[0]} if {mask} for {name} in {cells[1]}"
        space = self.fresh()
        return f"{self.clauses(spaces, space, 1)} for {name} in {self.pieces_at(space, spaces.type)}"

    @staticmethod
    def _sequence(items: str) -> str:
        return f"tuple({items})" if "range(" in items else items

    def _conditional(self, node: typed.Conditional) -> str:
        truth = self.known_value(node.condition)
        if truth is not None:
            return self.expr(node.then if truth else node.otherwise)
        return f"({self.expr(node.then)} if {self.expr(node.condition)} else {self.expr(node.otherwise)})"

    def _both(self, node: typed.Both) -> str:
        left = self.known_value(node.left)
        if left is not None:
            decided = bool(left) == (node.operator == "or")
            return str(int(bool(left))) if decided else self.expr(node.right)
        right = self.known_value(node.right)
        if right is not None and bool(right) == (node.operator == "and"):
            return self.expr(node.left)
        return f"({self.expr(node.left)} {node.operator} {self.expr(node.right)})"

    def _comparison(self, node: typed.Comparison) -> str:
        left, right = self.whole(node.left, self.expr(node.left)), self.whole(node.right, self.expr(node.right))
        if node.order is not None:
            table = self.module.constant({symbol: place for place, symbol in enumerate(node.order)})
            left, right = f"{table}[{left}]", f"{table}[{right}]"
        if _is_truth(node.left) and _is_truth(node.right):
            left, right = f"bool({left})", f"bool({right})"
        return f"({left} {node.operator} {right})"

    def _membership(self, node: typed.Membership) -> str:
        word = "not in" if node.negated else "in"
        element = self.expr(node.element)
        match node.collection:
            case typed.NumberRange(low=low, high=high) if not self.is_static(node.collection):
                text = f"({self.expr(low)} <= {element} <= {self.expr(high)})"
                return f"(not {text})" if node.negated else text
            case typed.Convert(form="list", operand=operand):
                text = (
                    f"({self.expr(operand)} >> max({element}, 0) & 1)"
                    if not isinstance(node.element.type, types.OptionalType)
                    else f"({element} != NONE and {self.expr(operand)} >> max({element}, 0) & 1)"
                )
                return f"(not {text})" if node.negated else text
            case typed.Convert(form="pieces", operand=operand) if not isinstance(node.element.type, types.OptionalType):
                text = f"({self.piece_place(element)} == {self.expr(operand)})"
                return f"(not {text})" if node.negated else text
        value = self.known_value(node.collection)
        if isinstance(value, tuple) and len(value) > 6:
            return f"({element} {word} {self.module.constant(frozenset(value), 'Q')})"
        return f"({element} {word} {self.whole(node.collection, self.iterable(node.collection))})"

    def _arithmetic(self, node: typed.Arithmetic) -> str:
        left, right = self.expr(node.left), self.expr(node.right)
        match node.operator:
            case "//":
                return self.at(node, f"divide({left}, {right})")
            case "%":
                return self.at(node, f"modulo({left}, {right})")
            case "*":
                return self.at(node, f"wide({left} * {right})")
        if self.is_small(node.left) and self.is_small(node.right):
            return f"({left} {node.operator} {right})"
        return self.at(node, f"wide({left} {node.operator} {right})")

    def _list_join(self, node: typed.ListJoin) -> str:
        left, right = self.expr(node.left), self.expr(node.right)
        if isinstance(node.type, types.SetType):
            return f"({left} | {right})" if node.operator == "+" else f"({left} & ~{right})"
        if node.operator == "-":
            return f"without({self.whole(node.left, left)}, {self.whole(node.right, right)})"
        return self.at(node, f"joined({left}, {right})") if self.must_count(node, 1) else f"({left} + {right})"

    # --- tables -------------------------------------------------------------------------------------------------------

    def _table(self, node: typed.MakeTable) -> str:
        parts = []
        for key, value in node.entries:
            if isinstance(key.type, ListType):
                parts.append(f"**dict.fromkeys({self.expr(key)}, {self.expr(value)})")
            else:
                parts.append(f"{self.expr(key)}: {self.expr(value)}")
        return "{" + ", ".join(parts) + "}"

    def _lookup(self, node: typed.Lookup) -> str:
        key = self.expr(node.key)
        if isinstance(node.table, typed.MakeTable) and not self.is_static(node.table):
            name = self.fresh("k")
            text = "NONE"
            for entry_key, value in reversed(node.table.entries):
                test = f"{name} in {self.expr(entry_key)}" if isinstance(entry_key.type, ListType) else f"{name} == {self.expr(entry_key)}"
                text = f"({self.expr(value)} if {test} else {text})"
            return f"(lambda {name}: {text})({key})"
        return f"{self.expr(node.table)}.get({key}, NONE)"

    # --- conversions --------------------------------------------------------------------------------------------------

    def _convert(self, node: typed.Convert) -> str:
        match node.form:
            case "value":
                return self.at(node, self.sole_needed(node.operand) or f"need({self.expr(node.operand)})")
            case "pieces":
                return self.pieces_of(node.operand)
            case "pieces_of_spaces":
                pieces = self._pieces_of_spaces(node)
                return self.at(node, f"gathered({pieces[1:-1]})") if self.list_size(node) is None else f"tuple({pieces})"
            case "only_piece":
                value = self.known_value(node.operand)
                if isinstance(value, tuple) and len(value) == 1:
                    return str(value[0])
                return self.at(node, f"only({self.expr(node.operand)}, {node.span.text!r})")
            case "set":
                return self.at(node, f"mask_of({self.whole(node.operand, self.expr(node.operand))})")
            case "list":
                return f"BITS[{self.expr(node.operand)}]"
        return self.expr(node.operand)

    def after(self, node: typed.After) -> str:
        """The condition in a copy of the state in which the effect has been carried out."""
        self.reads_state = True
        call = self.call_text(node.effect)
        placed, self.placed = self.placed, {}
        condition = self.expr(node.condition)
        self.placed = placed
        return self.at(node, f"(lambda s: ({call}, {condition})[1])(s[:])")


def _asks_place(node: Any, local: Local) -> bool:
    """Whether an expression asks where a piece lies."""
    match node:
        case typed.Property(name="at", target=typed.LocalValue(local=asked)):
            return asked is local
    return any(_asks_place(child, local) for child in children(node))


def _is_truth(node: TExpression) -> bool:
    return node.type == types.BOOL


_WRITERS: Final[Mapping[type, Callable[[Emitter, Any], str]]] = {
    typed.Constant: lambda self, node: self.literal(node.value),
    typed.OptionValue: lambda self, node: self.literal(self.plan.options[node.name]),
    typed.NamedConstant: lambda self, node: self.literal(self.constant_value(node.name)),
    typed.AllPlayers: lambda self, _: self.literal(tuple(range(self.plan.players))),
    typed.LocalValue: lambda self, node: self.local(node.local),
    typed.KindPieces: Emitter.kind_pieces,
    typed.ZoneSpaces: Emitter.zone_spaces,
    typed.RowPiece: Emitter.row_piece,
    typed.RowSpace: Emitter.row_space,
    typed.VariableValue: Emitter.read_variable,
    typed.AttributeValue: Emitter.attribute,
    typed.Property: Emitter.property,
    typed.BuiltinCall: Emitter.builtin,
    typed.FunctionCall: lambda self, node: self.function_call(node, node.unit, node.arguments),
    typed.Possible: lambda self, node: str(self.possible(node)),
    typed.After: Emitter.after,
    typed.Seen: Emitter._seen,
    typed.ListOperator: Emitter._list_operator,
    typed.Conditional: Emitter._conditional,
    typed.Both: Emitter._both,
    typed.Negation: lambda self, node: f"(not {self.expr(node.operand)})",
    typed.Comparison: Emitter._comparison,
    typed.Membership: Emitter._membership,
    typed.KindTest: Emitter.kind_test,
    typed.Coalesce: Emitter._coalesce,
    typed.NumberRange: Emitter._number_range,
    typed.Arithmetic: Emitter._arithmetic,
    typed.Minus: lambda self, node: f"(-{self.expr(node.operand)})",
    typed.ListJoin: Emitter._list_join,
    typed.MakeList: lambda self, node: f"({''.join(self.expr(i) + ', ' for i in node.items)})",
    typed.MakeTable: Emitter._table,
    typed.Lookup: Emitter._lookup,
    typed.Element: lambda self, node: self.at(node, f"item({self.expr(node.source)}, {self.expr(node.index)})"),
    typed.Convert: Emitter._convert,
}
"""How each kind of node is written: a table, since a match would ask dozens of classes for every node."""
