"""What a typed expression can be at most, whatever is played: bounds of numbers, sets of symbols, truth.

Everything here is on the safe side: where nothing is known for certain, the answer is none. Options count as any of their values and
players as any allowed number, so what is certain holds for every game of the spec. `assuming` adds what is known where a condition
holds. Of a value that may be none it is said what it is if it is not.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from attrs import Factory, define, field, frozen

from gdl import typed, types
from gdl.typed import CheckedSpec, TExpression
from gdl.validators import sizes
from gdl.validators.intervals import (
    ANY_NUMBER,
    FALSE,
    NATURAL,
    OPPOSITES,
    TRUE,
    UNSURE,
    Choice,
    Interval,
    Known,
    are_apart,
    arithmetic,
    both,
    is_nothing,
    joined,
    left_side,
    met,
    ordered,
    truth_value,
)
from gdl.validators.terms import Key, is_settled, key_of

_DEEPEST: Final = 40
_MOST_WORK: Final = 100_000
"""Questions answered at most for one spec, however its conditions are nested; the largest games ask some thousand."""
_MIRRORED: Final = {"==": "==", "!=": "!=", "<": ">", ">": "<", "<=": ">=", ">=": "<="}


@frozen(eq=False)
class Setting:
    """A number of players, and the values of options, or of some, by name and as they are in the typed tree."""

    players: int
    options: Mapping[str, int]


@frozen
class _Fact:
    """What is known of an expression at some place."""

    about: TExpression
    known: Known


@define(eq=False)
class Bounds:
    """Answers for one spec, for one setting of it or all, and for a place where some facts are known.

    `values`: what locals are that are given their value once. `sources`: the lists that other locals go through. `unwritten`: variables
    that keep their first value. `is_possible`: whether the facts do not contradict each other.
    """

    spec: CheckedSpec
    sources: Mapping[typed.Local, TExpression] = Factory(dict)
    setting: Setting | None = None
    unwritten: frozenset[typed.VariableInfo] = frozenset()
    values: Mapping[typed.Local, Known] = Factory(dict)
    facts: Mapping[Key, _Fact] = Factory(dict)
    is_possible: bool = True
    depth: int = 0
    work: int = 0
    root: Bounds | None = field(default=None, repr=False)
    found: dict[TExpression, Known] = field(factory=dict, repr=False)
    inside: dict[TExpression, Known] = field(factory=dict, repr=False)
    lengths: dict[TExpression, Interval] = field(factory=dict, repr=False)

    # --- questions ----------------------------------------------------------------------------------------------------

    def truth(self, condition: TExpression) -> bool | None:
        """Whether a condition always or never holds; none if that is not certain."""
        known = self.of(condition)
        if self.is_possible and isinstance(known, Choice) and known.single is not None and condition.type == types.BOOL:
            return bool(known.single)
        return None

    def number(self, expression: TExpression) -> Interval:
        """The bounds of a number."""
        known = self.of(expression)
        return known if isinstance(known, Interval) else ANY_NUMBER

    def of(self, node: TExpression) -> Known:
        """What an expression can be."""
        if node in self.found:
            return self.found[node]
        root = self._root()
        root.work += 1
        if self.depth > _DEEPEST or root.work > _MOST_WORK:
            return self._by_type(node.type)
        self.depth += 1
        try:
            known = self._of(node)
        finally:
            self.depth -= 1
        if known is None and not isinstance(node, typed.Property):
            known = self._by_type(node.type)
        fact = self.facts.get(key_of(node)) if self.facts else None
        result = self.found[node] = met(known, fact.known) if fact is not None else known
        return result

    def entry(self, table: TExpression, key: TExpression) -> tuple[bool | None, TExpression | None]:
        """Whether a written table has an entry for a key, none if that is not certain; and the value of the one that it certainly has."""
        while isinstance(table, typed.NamedConstant):
            table = self.spec.constants[table.name]
        wanted = self.of(key)
        if not isinstance(table, typed.MakeTable) or wanted is None or wanted.single is None:
            return None, None
        for held, value in table.entries:
            if isinstance(held, typed.NumberRange):
                low, high = self.number(held.low).single, self.number(held.high).single
            else:
                known = self.of(held)
                low = high = known.single if known is not None else None
            if low is None or high is None:
                return None, None
            if low <= wanted.single <= high:
                return True, value
        return False, None

    def elements(self, source: TExpression) -> Known:
        """What an element of a list can be."""
        if isinstance(source, typed.NamedConstant):
            return self._root().elements(self.spec.constants[source.name])
        if source not in self.inside:
            self.inside[source] = sizes.elements(self, source)
        return self.inside[source]

    def size(self, source: TExpression) -> Interval:
        """How many elements a list has."""
        if isinstance(source, typed.NamedConstant):
            return self._root().size(self.spec.constants[source.name])
        if source not in self.lengths:
            self.lengths[source] = sizes.size(self, source)
        return self.lengths[source]

    # --- what is known at a place -------------------------------------------------------------------------------------

    def assuming(self, condition: TExpression, holds: bool) -> Bounds:
        """The bounds where a condition holds, or where it does not."""
        inner = self._like(self.values, self.facts)
        inner.learn(condition, holds)
        return inner

    def forgetting(self) -> Bounds:
        """The bounds when anything may have happened: what depends on the state of play is forgotten."""
        return self._like(self.values, {key: fact for key, fact in self.facts.items() if is_settled(self.spec, fact.about)})

    def giving(self, local: typed.Local, value: TExpression) -> Bounds:
        """The bounds where a local has got the value of an expression."""
        known = self.of(value)
        return self if known is None or local.assigned else self._like({**self.values, local: known}, self.facts)

    def knowing(self, about: TExpression, known: Known) -> Bounds:
        """The bounds where a value is known."""
        inner = self._like(self.values, self.facts)
        inner.note(about, known)
        return inner

    def _root(self) -> Bounds:
        """What is so at any place: where a local got its value other facts held."""
        if self.root is None:
            self.root = Bounds(self.spec, self.sources, self.setting, self.unwritten)
            self.root.root = self.root
        return self.root

    def _like(self, values: Mapping[typed.Local, Known], facts: Mapping[Key, _Fact]) -> Bounds:
        return Bounds(self.spec, self.sources, self.setting, self.unwritten, values, facts, self.is_possible, self.depth, root=self._root())

    def note(self, about: TExpression, known: Known) -> None:
        """Take in what is known of an expression; only while the bounds are made."""
        key = key_of(about)
        if key is None or known is None or isinstance(about, typed.Constant):
            return
        value = met(self.of(about), known)
        self.is_possible = self.is_possible and not is_nothing(value)
        self.facts = {**self.facts, key: _Fact(about, value)}
        self.found, self.inside, self.lengths = {}, {}, {}

    def learn(self, condition: TExpression, holds: bool) -> None:
        """Take in that a condition holds, or does not; only while the bounds are made."""
        match condition:
            case typed.Negation(operand=operand):
                self.learn(operand, not holds)
            case typed.Both(operator=operator, left=left, right=right):
                if (operator == "and") == holds:
                    self.learn(left, holds)
                    self.learn(right, holds)
            case _:
                certain = self.truth(condition)
                self.is_possible = self.is_possible and certain in (None, holds)
                self._learn_plainly(condition, holds)
                self.note(condition, truth_value(holds))

    def _learn_plainly(self, condition: TExpression, holds: bool) -> None:
        match condition:
            case typed.Comparison(operator=operator, left=left, right=right, order=None):
                actual = operator if holds else OPPOSITES[operator]
                self.note(left, self._beside(actual, left, right))
                self.note(right, self._beside(_MIRRORED[actual], right, left))
            case typed.Membership(element=element, collection=collection, negated=negated) if holds != negated:
                self.note(element, self.elements(collection))

    def _beside(self, operator: str, one: TExpression, other: TExpression) -> Known:
        """What one side of a comparison that holds can be."""
        first, second = self.of(one), self.of(other)
        if isinstance(first, Interval) and isinstance(second, Interval):
            return left_side(operator, first, second)
        if isinstance(first, Choice) and isinstance(second, Choice):
            if operator == "==" and not isinstance(other.type, types.OptionalType):
                return second
            if operator == "!=" and second.single is not None and not isinstance(other.type, types.OptionalType):
                return Choice(first.values - second.values)
        return None

    # --- expressions --------------------------------------------------------------------------------------------------

    def _by_type(self, type_: types.Type) -> Known:
        match types.without_none(type_):
            case types.BOOL:
                return UNSURE
            case types.EnumType(symbols=symbols):
                return Choice(frozenset(symbols))
            case types.PLAYER:
                return Choice(frozenset(range(self.player_count().high)))
        return None

    def player_count(self) -> Interval:
        """How many players there can be."""
        if self.setting is not None:
            return Interval(self.setting.players, self.setting.players)
        allowed = self.spec.declarations.players.allowed
        return Interval(allowed[0], allowed[-1])

    def _of(self, node: TExpression) -> Known:
        match node:
            case typed.Constant(value=value):
                return sizes.constant(value, node.type)
            case typed.OptionValue(name=name):
                return self._option(name, node.type)
            case typed.NamedConstant(name=name):
                return self._root().of(self.spec.constants[name])
            case typed.LocalValue(local=local):
                return self._local(local)
            case typed.VariableValue():
                return self._variable(node)
            case typed.AttributeValue():
                return self._attribute(node)
            case typed.Property(name="row" | "col", target=target):
                return sizes.coordinate(self, target.type, node.name)
            case typed.Convert(form="value", operand=operand):
                return self.of(operand)
            case typed.Conditional(condition=condition, then=then, otherwise=otherwise):
                return self._either(condition, then, otherwise)
            case typed.Coalesce(left=typed.Lookup(table=table, key=key), right=right) if self.entry(table, key)[0] is not None:
                value = self.entry(table, key)[1]
                if value is None or isinstance(value.type, types.OptionalType):
                    return self.of(right) if value is None else joined((self.of(value), self.of(right)))
                return self.of(value)
            case typed.Coalesce(left=left, right=right):
                return joined((self.of(left), self.of(right)))
            case typed.Lookup(table=table, key=key):
                found, value = self.entry(table, key)
                return self.of(value) if value is not None else self._values_of(table) if found is None else None
            case typed.Element(source=source):
                return self.elements(source)
            case typed.BuiltinCall():
                return self._call(node)
            case typed.Minus(operand=operand):
                inner = self.number(operand)
                return Interval(-inner.high, -inner.low)
            case typed.Arithmetic(operator=operator, left=left, right=right):
                return arithmetic(operator, self.number(left), self.number(right))
        return self._condition(node)

    def _either(self, condition: TExpression, then: TExpression, otherwise: TExpression) -> Known:
        certain = self.truth(condition)
        if certain is not None:
            return self.of(then if certain else otherwise)
        return joined((self.assuming(condition, True).of(then), self.assuming(condition, False).of(otherwise)))

    def _option(self, name: str, type_: types.Type) -> Known:
        option = self.spec.options[name].declaration
        if self.setting is not None and name in self.setting.options:
            value = self.setting.options[name]
            return Interval(value, value) if option.kind == "range" else sizes.constant(value, type_)
        return Interval(option.low, option.high) if option.kind == "range" else None

    def _local(self, local: typed.Local) -> Known:
        if local.assigned:
            return None
        if local in self.values:
            return self.values[local]
        if local in self.sources:
            return self._root().elements(self.sources[local])
        if local.type == types.INT and local.low is not None and local.high is not None:
            return Interval(self.number(local.low).low, self.number(local.high).high)
        return None

    def _variable(self, node: typed.VariableValue) -> Known:
        if all(info in self.unwritten for info in node.infos):
            return joined(self.of(info.start) if info.start is not None else None for info in node.infos)
        return joined(self.domain(info.domain) for info in node.infos)

    def domain(self, domain: typed.Domain) -> Known:
        """What a variable can hold."""
        if domain.form != "range" or domain.low is None or domain.high is None:
            return self._by_type(domain.type)
        return Interval(self.number(domain.low).low, self.number(domain.high).high)

    def _attribute(self, node: typed.AttributeValue) -> Known:
        """A number or symbol that stands in every row."""
        if node.keys or node.arguments is not None or types.without_none(node.type) != types.INT:
            return None
        return joined(known for info in node.infos for known in sizes.attribute(self, info))

    def _values_of(self, table: TExpression) -> Known:
        match table:
            case typed.NamedConstant(name=name):
                return self._values_of(self.spec.constants[name])
            case typed.MakeTable(entries=entries):
                return joined(self.of(value) for _, value in entries)
        return None

    def _call(self, node: typed.BuiltinCall) -> Known:
        match node.entry.name, [argument for argument in node.arguments if argument is not None]:
            case "count" | "size", [typed.TExpression() as source]:
                return self.size(source)
            case "count", [typed.TExpression() as source, typed.EachBody()]:
                return Interval(0, self.size(source).high)
            case "empty", [typed.TExpression() as source]:
                return ordered("==", self.size(source), Interval(0, 0))
            case "any", [typed.TExpression() as source]:
                return ordered(">", self.size(source), Interval(0, 0))
            case "any", [typed.TExpression(), typed.EachBody(body=body)]:
                return FALSE if self.truth(body) is False else None
            case "all", [typed.TExpression(), typed.EachBody(body=body)]:
                return TRUE if self.truth(body) is True else None
            case "min" | "max" as name, [typed.TExpression(type=types.INT) as a, typed.TExpression(type=types.INT) as b]:
                one, other, choose = self.number(a), self.number(b), min if name == "min" else max
                return Interval(choose(one.low, other.low), choose(one.high, other.high))
            case "min" | "max", [typed.TExpression() as source]:
                return self.elements(source)
            case "min" | "max", [typed.TExpression(), typed.EachBody(body=body)]:
                return self.of(body)
            case "abs", [typed.TExpression() as operand]:
                inner = self.number(operand)
                low = 0 if inner.low <= 0 <= inner.high else min(abs(inner.low), abs(inner.high))
                return Interval(low, max(abs(inner.low), abs(inner.high)))
            case "seat", _:
                return Interval(0, self.player_count().high - 1)
            case "position" | "distinct", _:
                return NATURAL
            case "first" | "last" | "sole", [typed.TExpression() as source]:
                return self.elements(source)
            case "clamp", [_, TExpression() as low_end, TExpression() as high_end]:
                return Interval(self.number(low_end).low, max(self.number(low_end).high, self.number(high_end).high))
        return None

    # --- conditions ---------------------------------------------------------------------------------------------------

    def _condition(self, node: TExpression) -> Known:
        match node:
            case typed.Both(operator=operator, left=left, right=right):
                return self._both(operator, left, right)
            case typed.Negation(operand=operand):
                certain = self.truth(operand)
                return None if certain is None else truth_value(not certain)
            case typed.Comparison(operator=operator, left=left, right=right, order=None):
                return self._compared(operator, left, right)
            case typed.Membership(element=element, collection=typed.NumberRange(low=low, high=high), negated=negated):
                return self._in_range(element, self.number(low), self.number(high), negated)
            case typed.Membership(element=element, collection=collection, negated=negated):
                apart = are_apart(self.of(element), self.elements(collection))
                return truth_value(negated) if apart and not isinstance(element.type, types.OptionalType) else None
        return None

    def _both(self, operator: str, left: TExpression, right: TExpression) -> Known:
        first = self.truth(left)
        if first is (operator == "or"):
            return truth_value(first)
        return both(operator, first, self.assuming(left, operator == "and").truth(right))

    def _compared(self, operator: str, left: TExpression, right: TExpression) -> Known:
        first, second = self.of(left), self.of(right)
        maybe_none = [isinstance(side.type, types.OptionalType) for side in (left, right)]
        if operator in ("==", "!=") and not all(maybe_none) and are_apart(first, second):
            return truth_value(operator == "!=")
        if any(maybe_none):
            return None
        key = key_of(left)
        if key is not None and key == key_of(right):
            return truth_value(operator in ("==", "<=", ">="))
        if isinstance(first, Choice) and isinstance(second, Choice):
            same = operator in ("==", "!=") and first.single is not None and first == second
            return truth_value(operator == "==") if same else None
        if isinstance(first, Interval) and isinstance(second, Interval):
            return ordered(operator, first, second)
        return None

    def _in_range(self, element: TExpression, low: Interval, high: Interval, negated: bool) -> Known:
        value = self.of(element)
        if not isinstance(value, Interval) or isinstance(element.type, types.OptionalType):
            return None
        if value.high < low.low or value.low > high.high:
            return truth_value(negated)
        return truth_value(not negated) if value.low >= low.high and value.high <= high.low else None
