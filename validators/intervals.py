"""What a value can be at most: numbers in an interval, one of some symbols, players or truth values. And how such knowledge combines.

Knows nothing of specs. Where nothing is known for certain, the answer is none.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from attrs import frozen

INFINITE: Final = 1 << 80


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
    """One of these: symbols, seats, or 0 and 1 for false and true."""

    values: frozenset[int]

    @property
    def single(self) -> int | None:
        """The only value, if there is only one."""
        return next(iter(self.values)) if len(self.values) == 1 else None


Known = Interval | Choice | None
UNSURE: Final = Choice(frozenset((0, 1)))
TRUE: Final = Choice(frozenset((1,)))
FALSE: Final = Choice(frozenset((0,)))
NATURAL: Final = Interval(0, INFINITE)
ANY_NUMBER: Final = Interval(-INFINITE, INFINITE)


def truth_value(value: bool) -> Choice:
    """A truth value that is certain."""
    return TRUE if value else FALSE


def joined(parts: Iterable[Known]) -> Known:
    """What is one of several things."""
    known = list(parts)
    intervals = [part for part in known if isinstance(part, Interval)]
    if intervals and len(intervals) == len(known):
        return Interval(min(i.low for i in intervals), max(i.high for i in intervals))
    choices = [part for part in known if isinstance(part, Choice)]
    return Choice(frozenset().union(*(c.values for c in choices))) if choices and len(choices) == len(known) else None


def met(a: Known, b: Known) -> Known:
    """What is both; of nothing that is both, an interval or choice that `is_nothing`."""
    if isinstance(a, Interval) and isinstance(b, Interval):
        return Interval(max(a.low, b.low), min(a.high, b.high))
    if isinstance(a, Choice) and isinstance(b, Choice):
        return Choice(a.values & b.values)
    return b if a is None else a


def is_nothing(known: Known) -> bool:
    """Whether no value is so."""
    return (isinstance(known, Interval) and known.low > known.high) or (isinstance(known, Choice) and not known.values)


def are_apart(a: Known, b: Known) -> bool:
    """Whether nothing is both."""
    return type(a) is type(b) and is_nothing(met(a, b))


def both(operator: str, left: bool | None, right: bool | None) -> Known:
    """`and` and `or` of what is known of their sides."""
    deciding = operator == "or"
    if left is deciding or right is deciding:
        return truth_value(deciding)
    return truth_value(not deciding) if left is right is (not deciding) else None


OPPOSITES: Final = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
"""The comparison that holds where another does not."""


def ordered(operator: str, a: Interval, b: Interval) -> Known:
    """A comparison of numbers."""
    if operator in (">", ">="):
        return ordered("<" if operator == ">" else "<=", b, a)
    if operator == "<":
        return TRUE if a.high < b.low else FALSE if a.low >= b.high else None
    if operator == "<=":
        return TRUE if a.high <= b.low else FALSE if a.low > b.high else None
    apart = a.high < b.low or b.high < a.low
    same = a.single is not None and a == b
    return truth_value((operator == "==") == same) if apart or same else None


def left_side(operator: str, a: Interval, b: Interval) -> Interval:
    """What is left of `a` where a comparison with `b` holds."""
    match operator:
        case "<":
            return Interval(a.low, min(a.high, b.high - 1))
        case "<=":
            return Interval(a.low, min(a.high, b.high))
        case ">":
            return Interval(max(a.low, b.low + 1), a.high)
        case ">=":
            return Interval(max(a.low, b.low), a.high)
        case "==":
            return Interval(max(a.low, b.low), min(a.high, b.high))
    only = b.single
    return Interval(a.low + (only == a.low), a.high - (only == a.high)) if only is not None else a


def arithmetic(operator: str, a: Interval, b: Interval) -> Known:
    """A sum, difference, product, quotient or rest."""
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
