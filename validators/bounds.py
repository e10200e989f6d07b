"""What a typed expression can be at most, whatever is played: bounds of numbers, sets of symbols, truth.

Everything here is on the safe side: where nothing is known for certain, the answer is none. Options count as any of their values and
players as any allowed number, so what is certain holds for every game of the spec.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from attrs import Factory, define, frozen

from gdl import typed, types
from gdl.typed import CheckedSpec, TExpression
from gdl.values import NONE

_INFINITE: Final = 1 << 80
_DEEPEST: Final = 40


@frozen
class Interval:
    """The whole numbers from `low` to `high`."""

    low: int
    high: int

    @property
    def single(self) -> int | None:
        """The only number, if there is only one."""
        return self.low if self.low == self.high else None


@frozen
class Choice:
    """One of these: symbols, or 0 and 1 for false and true."""

    values: frozenset[int]

    @property
    def single(self) -> int | None:
        """The only value, if there is only one."""
        return next(iter(self.values)) if len(self.values) == 1 else None


Known = Interval | Choice | None
UNSURE: Final = Choice(frozenset((0, 1)))
TRUE: Final = Choice(frozenset((1,)))
FALSE: Final = Choice(frozenset((0,)))
NATURAL: Final = Interval(0, _INFINITE)


def _truth(value: bool) -> Choice:
    return TRUE if value else FALSE


@define(eq=False)
class Bounds:
    """Answers for one spec. `elements` are what a local that goes through numbers can be."""

    spec: CheckedSpec
    elements: Mapping[typed.Local, Interval] = Factory(dict)
    depth: int = 0

    def truth(self, condition: TExpression) -> bool | None:
        """Whether a condition always or never holds; none if that is not certain."""
        found = self.of(condition)
        if isinstance(found, Choice) and found.single is not None and condition.type == types.BOOL:
            return bool(found.single)
        return None

    def number(self, expression: TExpression) -> Interval:
        """The bounds of a number."""
        found = self.of(expression)
        return found if isinstance(found, Interval) else Interval(-_INFINITE, _INFINITE)

    def of(self, node: TExpression) -> Known:
        """What an expression can be."""
        if self.depth > _DEEPEST:
            return self._by_type(node.type)
        self.depth += 1
        try:
            found = self._of(node)
        finally:
            self.depth -= 1
        return found if found is not None or isinstance(node, typed.Property) else self._by_type(node.type)

    def _by_type(self, type_: types.Type) -> Known:
        if type_ == types.BOOL:
            return UNSURE
        if isinstance(type_, types.EnumType):
            return Choice(frozenset(type_.symbols))
        return None

    def _of(self, node: TExpression) -> Known:
        match node:
            case typed.Constant(value=value):
                return self._constant(value, node.type)
            case typed.OptionValue(name=name):
                option = self.spec.options[name].declaration
                return Interval(option.low, option.high) if option.kind == "range" else None
            case typed.NamedConstant(name=name):
                return self.of(self.spec.constants[name])
            case typed.LocalValue(local=local):
                return self._local(local)
            case typed.VariableValue(infos=infos):
                return self._joined([self.domain(info.domain) for info in infos]) if node.type == types.INT else None
            case typed.Conditional(condition=condition, then=then, otherwise=otherwise):
                certain = self.truth(condition)
                if certain is not None:
                    return self.of(then if certain else otherwise)
                return self._joined([self.of(then), self.of(otherwise)])
            case typed.BuiltinCall():
                return self._call(node)
            case typed.Minus(operand=operand):
                inner = self.number(operand)
                return Interval(-inner.high, -inner.low)
            case typed.Arithmetic(operator=operator, left=left, right=right):
                return _arithmetic(operator, self.number(left), self.number(right))
        return self._condition(node)

    def _constant(self, value: object, type_: types.Type) -> Known:
        if not isinstance(value, int) or value == NONE:
            return None
        if type_ == types.INT:
            return Interval(value, value)
        if type_ == types.BOOL:
            return _truth(bool(value))
        return Choice(frozenset((value,))) if isinstance(type_, types.EnumType) else None

    def _local(self, local: typed.Local) -> Known:
        if local.type != types.INT or local.assigned:
            return None
        if local in self.elements:
            return self.elements[local]
        if local.low is not None and local.high is not None:
            return Interval(self.number(local.low).low, self.number(local.high).high)
        return None

    def domain(self, domain: typed.Domain) -> Known:
        """What a variable can hold."""
        if domain.form != "range" or domain.low is None or domain.high is None:
            return None
        return Interval(self.number(domain.low).low, self.number(domain.high).high)

    def _joined(self, parts: list[Known]) -> Known:
        intervals = [part for part in parts if isinstance(part, Interval)]
        if len(intervals) == len(parts) and parts:
            return Interval(min(i.low for i in intervals), max(i.high for i in intervals))
        choices = [part for part in parts if isinstance(part, Choice)]
        return Choice(frozenset().union(*(c.values for c in choices))) if len(choices) == len(parts) and parts else None

    def _call(self, node: typed.BuiltinCall) -> Known:
        match node.entry.name, [argument for argument in node.arguments if argument is not None]:
            case "count", [typed.AllPlayers()]:
                allowed = self.spec.declarations.players.allowed
                return Interval(allowed[0], allowed[-1])
            case "count", _:
                return NATURAL if node.type == types.INT else None
            case "clamp", [_, TExpression() as low, TExpression() as high]:
                return Interval(self.number(low).low, max(self.number(low).high, self.number(high).high))
        return None

    # --- conditions ---------------------------------------------------------------------------------------------------

    def _condition(self, node: TExpression) -> Known:
        match node:
            case typed.Both(operator=operator, left=left, right=right):
                return _both(operator, self.truth(left), self.truth(right))
            case typed.Negation(operand=operand):
                certain = self.truth(operand)
                return None if certain is None else _truth(not certain)
            case typed.Comparison(operator=operator, left=left, right=right, order=None):
                return self._compared(operator, left, right)
            case typed.Membership(element=element, collection=typed.NumberRange(low=low, high=high), negated=negated):
                return self._in_range(element, self.number(low), self.number(high), negated)
        return None

    def _compared(self, operator: str, left: TExpression, right: TExpression) -> Known:
        first, second = self.of(left), self.of(right)
        if isinstance(left.type, types.OptionalType) or isinstance(right.type, types.OptionalType):
            return None
        if isinstance(first, Choice) and isinstance(second, Choice):
            if operator not in ("==", "!="):
                return None
            if not first.values & second.values:
                return _truth(operator == "!=")
            return _truth(operator == "==") if first.single is not None and first == second else None
        if isinstance(first, Interval) and isinstance(second, Interval):
            return _ordered(operator, first, second)
        return None

    def _in_range(self, element: TExpression, low: Interval, high: Interval, negated: bool) -> Known:
        value = self.of(element)
        if not isinstance(value, Interval) or isinstance(element.type, types.OptionalType):
            return None
        if value.high < low.low or value.low > high.high:
            return _truth(negated)
        return _truth(not negated) if value.low >= low.high and value.high <= high.low else None


def _both(operator: str, left: bool | None, right: bool | None) -> Known:
    deciding = operator == "or"
    if left is deciding or right is deciding:
        return _truth(deciding)
    return _truth(not deciding) if left is right is (not deciding) else None


def _ordered(operator: str, a: Interval, b: Interval) -> Known:
    if operator in (">", ">="):
        return _ordered("<" if operator == ">" else "<=", b, a)
    if operator == "<":
        return TRUE if a.high < b.low else FALSE if a.low >= b.high else None
    if operator == "<=":
        return TRUE if a.high <= b.low else FALSE if a.low > b.high else None
    apart = a.high < b.low or b.high < a.low
    same = a.single is not None and a == b
    return _truth((operator == "==") == same) if apart or same else None


def _arithmetic(operator: str, a: Interval, b: Interval) -> Known:
    match operator:
        case "+":
            return Interval(a.low + b.low, a.high + b.high)
        case "-":
            return Interval(a.low - b.high, a.high - b.low)
        case "*":
            ends = [x * y for x in (a.low, a.high) for y in (b.low, b.high)]
            return Interval(min(ends), max(ends))
        case "%" if b.low > 0:
            return Interval(0, b.high - 1)
        case "//" if b.low > 0:
            ends = [x // y for x in (a.low, a.high) for y in (b.low, b.high)]
            return Interval(min(ends), max(ends))
    return None
