"""Small functions that emitted text calls: checks that can fail, and what Python has no operator for.

They raise `RuleFault`; the place is found from where they were called.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from gdl.interpreter.faults import RuleFault
from gdl.interpreter.meter import MOST_IN_SET
from gdl.values import NONE

_LIMIT = 1 << 63
EFFECT_SHIFT = 32
"""An effect as a value is the number of its steps, shifted by this, and the piece or space whose it is."""


def need(value: int) -> int:
    """A value that must not be none."""
    if value == NONE:
        raise RuleFault("fault-none", "there is nothing here: `none` is used as a value")
    return value


def either(value: Any, other: Callable[[], Any]) -> Any:
    """`a ?? b`."""
    return other() if value == NONE else value


def either_value(value: Any, other: Any) -> Any:
    """`a ?? b` where b is at hand."""
    return other if value == NONE else value


def divide(left: int, right: int) -> int:
    """`//`, rounding down."""
    if right == 0:
        raise RuleFault("fault-division", "division by zero")
    return left // right


def modulo(left: int, right: int) -> int:
    """`%`, with the sign of its right side."""
    if right == 0:
        raise RuleFault("fault-division", "division by zero")
    return left % right


def wide(value: int) -> int:
    """A number that must fit 64 bits."""
    if not -_LIMIT <= value < _LIMIT:
        raise RuleFault("fault-overflow", "a number grew beyond 64 bits")
    return value


def item(values: Sequence[Any], index: int) -> Any:
    """`xs[i]`."""
    if not 0 <= index < len(values):
        raise RuleFault("fault-index", f"the list has {len(values)} elements, counted from 0: there is no element {index}")
    return values[index]


def within(value: int, low: int, high: int) -> int:
    """A number about to be stored."""
    if not low <= value <= high:
        what = "none" if value == NONE else str(value)
        raise RuleFault("fault-range", f"the value {what} is outside {low}..{high}")
    return value


def offset(value: int, low: int, size: int) -> int:
    """The place of a key in its range."""
    place = value - low
    if not 0 <= place < size:
        what = "none" if value == NONE else str(value)
        raise RuleFault("fault-index", f"there is no {what} among {low}..{low + size - 1}")
    return place


class Found(dict[Any, Any]):
    """Pieces or spaces by their coordinates or numbers; a fault where there is none. `what`: what they are called."""

    __slots__ = ("what",)

    def __init__(self, table: Mapping[Any, Any], what: str) -> None:
        super().__init__(table)
        self.what = what

    def __missing__(self, key: Any) -> Any:
        shown = key if isinstance(key, tuple) else (key,)
        text = ", ".join("none" if k == NONE else str(k) for k in shown)
        raise RuleFault("fault-index", f"there is no {self.what}[{text}]")


def only(values: Sequence[int], what: str) -> int:
    """The one piece or space that a name stands for."""
    if len(values) != 1:
        raise RuleFault("fault-many", f"{what} is used as one, but there are {len(values)}")
    return values[0]


def without(left: Sequence[Any], right: Sequence[Any]) -> tuple[Any, ...]:
    """`xs - ys`."""
    dropped = frozenset(right)
    return tuple(x for x in left if x not in dropped)


def until(condition: Callable[[Any], Any], values: Sequence[Any]) -> tuple[Any, ...]:
    """`xs until c`."""
    for index, value in enumerate(values):
        if condition(value):
            return tuple(values[: index + 1])
    return tuple(values)


def leading(condition: Callable[[Any], Any], values: Sequence[Any]) -> tuple[Any, ...]:
    """`xs while c`."""
    for index, value in enumerate(values):
        if not condition(value):
            return tuple(values[:index])
    return tuple(values)


def mask_of(values: Sequence[int]) -> int:
    """A set from a list."""
    mask = 0
    for value in values:
        if not 0 <= value < MOST_IN_SET:
            what = "none" if value == NONE else str(value)
            raise RuleFault("fault-range", f"{what} can't be in a set: its elements are numbers from 0 to {MOST_IN_SET - 1}")
        mask |= 1 << value
    return mask


def absent(name: str) -> int:
    """A variable, or the piece or space of a row, that `when` leaves out with these players and options."""
    raise RuleFault("fault-none", f"`{name}` does not exist with these players and options")


def effect_of(table: Sequence[int], owner: int) -> int:
    """An effect cell as a value: the number of its steps, and whose it is; 0 in front if it is empty."""
    return table[owner] << EFFECT_SHIFT | owner


def lazily(function: Callable[[], Any]) -> Callable[[], Any]:
    """A `let` of a function: evaluated when first used, then kept."""
    kept: list[Any] = []

    def value() -> Any:
        if not kept:
            kept.append(function())
        return kept[0]

    return value
