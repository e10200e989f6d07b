"""Tables that fill themselves: values that depend on their arguments only are computed once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import compress
from typing import Any, Final

_FEW: Final = 6
"""So many bits are found one by one as quickly as all at once."""
_TRUTH: Final = str.maketrans("01", "\0\1")
"""Digits as what is true or false of them as bytes."""

MOST_KEPT = 1 << 16
"""Values that a table keeps: more than there are pairs of spaces on any but the largest boards."""
MOST_SETS = 1 << 11
"""Sets that a table keeps. There is no end of different ones where cards are shuffled, and what counts are those of one match."""
MOST_HELD = 1 << 20
"""Elements of all lists that a table keeps, those that it is asked with included."""


class Memo(dict[Any, Any]):
    """`memo[x]` is `function(x)`, or `function(*x)` if `spread`; kept, up to `limit` entries with no more than `MOST_HELD` elements.

    `domain`: the few numbers that it can be asked of, if these are known and all are soon computed.
    """

    def __init__(self, function: Callable[..., Any], *, spread: bool = False, limit: int = MOST_KEPT) -> None:
        super().__init__()
        self.domain: range | None = None
        self.function = function
        self.spread = spread
        self.limit = limit
        self.held = 0

    def __missing__(self, key: Any) -> Any:
        value = self.function(*key) if self.spread else self.function(key)
        self.held += len(value) if isinstance(value, tuple) else 0
        if isinstance(key, tuple):
            for each in key if self.spread else (key,):
                if isinstance(each, tuple):
                    self.held += len(each)
        if len(self) >= self.limit or self.held > MOST_HELD:
            self.clear()
            self.held = 0
        self[key] = value
        return value


def settled(memo: Memo, failures: tuple[type[Exception], ...]) -> Sequence[Any]:
    """A table over its whole domain as a list, which is read faster; nothing if it fails for any of it."""
    assert memo.domain is not None
    values: list[Any] = [None] * memo.domain.stop
    try:
        for number in memo.domain:
            values[number] = memo[number]
    except failures:
        return ()
    return values


class Sets(dict[int, tuple[int, ...]]):
    """From a set of pieces as bits to the pieces, in their order; kept, up to `MOST_SETS`."""

    def __init__(self, holdable: tuple[int, ...]) -> None:
        super().__init__()
        self.holdable = holdable

    def __missing__(self, mask: int) -> tuple[int, ...]:
        rest, holdable = mask, self.holdable
        if mask.bit_count() > _FEW:
            found = tuple(compress(holdable, bin(mask)[:1:-1].translate(_TRUTH).encode()))
        else:
            result = []
            while rest:
                low = rest & -rest
                result.append(holdable[low.bit_length() - 1])
                rest ^= low
            found = tuple(result)
        if len(self) >= MOST_SETS:
            self.clear()
        self[mask] = found
        return found


def bits_of_mask() -> Memo:
    """From a set as bits to its elements, ascending."""

    def listed(mask: int) -> tuple[int, ...]:
        result = []
        while mask:
            low = mask & -mask
            result.append(low.bit_length() - 1)
            mask ^= low
        return tuple(result)

    return Memo(listed, limit=MOST_SETS)
