"""Builtins on lists.

These are called for every candidate of every decision, so they are written for speed, and the hottest carry Python
text that does the same in line. That text uses nothing but Python's own `abs`, `all`, `any`, `dict`, `iter`, `len`,
`max`, `min`, `next`, `set`, `sum` and `tuple`, and mentions each hole once.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import chain, combinations
from typing import Final, TypeVar

from gdl.interpreter.faults import RuleFault
from gdl.interpreter.meter import limited
from gdl.registry import Topic
from gdl.values import NONE

topic: Final = Topic("lists")

T = TypeVar("T")
U = TypeVar("U")

MAX_COMBINATIONS: Final = 20_000
"""More combinations than this are refused, as are more candidates of a decision."""


# --- counting and testing ---------------------------------------------------------------------------------------------


@topic.builtin("count(xs: list[T]) -> int", emit="len({xs})")
def count(xs: tuple[object, ...]) -> int:
    """The number of elements.

    Example: count([3, 4, 5]) == 3
    """
    return len(xs)


@topic.builtin("count(xs: list[T], cond: each bool) -> int", emit="len([1 {each} if ({cond})])")
def count_where(xs: tuple[T, ...], cond: Callable[[T], int]) -> int:
    """The number of elements for which the condition holds.

    Example: count([3, 4, 5], it > 3) == 2
    """
    return len([1 for x in xs if cond(x)])


@topic.builtin("empty(xs: list[T]) -> bool", emit="(not ({xs}))")
def empty(xs: tuple[object, ...]) -> bool:
    """Whether there are no elements.

    Example: empty([3, 4] - [4, 3]) == true
    """
    return not xs


@topic.builtin("any(xs: list[T]) -> bool", emit="(not not ({xs}))")
def any_at_all(xs: tuple[object, ...]) -> bool:
    """Whether there is an element.

    Example: any([3, 4] - [4, 3]) == false
    """
    return bool(xs)


@topic.builtin("any(xs: list[T], cond: each bool) -> bool", emit="any(True {each} if ({cond}))")
def any_where(xs: tuple[T, ...], cond: Callable[[T], int]) -> bool:
    """Whether the condition holds for some element. It is tested in order, up to the first for which it holds.

    Example: any([3, 4, 5], it > 5) == false
    """
    for x in xs:
        if cond(x):
            return True
    return False


@topic.builtin("all(xs: list[T], cond: each bool) -> bool", emit="all(False {each} if not ({cond}))")
def all_where(xs: tuple[T, ...], cond: Callable[[T], int]) -> bool:
    """Whether the condition holds for every element, as it does if there are none.

    It is tested in order, up to the first element for which it does not hold.

    Example: all([3, 4, 5], it > 2) == true
    """
    for x in xs:
        if not cond(x):
            return False
    return True


@topic.builtin("distinct(xs: list[T]) -> int", emit="len(set({xs}))")
def distinct(xs: tuple[object, ...]) -> int:
    """The number of different elements.

    Example: distinct([3, 4, 3]) == 2
    """
    return len(set(xs))


@topic.builtin("distinct(xs: list[T], e: each U) -> int", emit="len(set([({e}) {each}]))")
def distinct_values(xs: tuple[T, ...], e: Callable[[T], U]) -> int:
    """The number of different values that e has over the elements.

    Example: distinct([3, -3, 4], abs(it)) == 2
    """
    return len({e(x) for x in xs})


# --- sums and extremes ------------------------------------------------------------------------------------------------


@topic.builtin("sum(xs: list[int]) -> int", emit="sum({xs})")
def total(xs: tuple[int, ...]) -> int:
    """The sum of the numbers, 0 if there are none.

    Example: sum([3, 4, 5]) == 12
    """
    return sum(xs)


@topic.builtin("sum(xs: list[T], e: each int) -> int", emit="sum([({e}) {each}])")
def total_of(xs: tuple[T, ...], e: Callable[[T], int]) -> int:
    """The sum of what e is for each element, 0 if there are none.

    Example: sum([3, 4, 5], 2 * it) == 24
    """
    return sum([e(x) for x in xs])


@topic.builtin("min(a: int, b: int) -> int", emit="min({a}, {b})")
def lesser(a: int, b: int) -> int:
    """The lesser of two numbers.

    Example: min(3, 5) == 3
    """
    return min(a, b)


@topic.builtin("min(xs: list[int]) -> int or nothing", emit=f"min({{xs}}, default={NONE})")
def least(xs: tuple[int, ...]) -> int:
    """The least of the numbers, none if there are none.

    Example: min([4, 3, 5]) == 3
    """
    return min(xs, default=NONE)


@topic.builtin(
    "min(xs: list[T], e: each int) -> int or nothing", emit=f"min([({{e}}) {{each}}], default={NONE})"
)
def least_of(xs: tuple[T, ...], e: Callable[[T], int]) -> int:
    """The least value that e has over the elements, none if there are none.

    For the elements that have it see `worst`.

    Example: min([4, -3, 5], abs(it)) == 3
    """
    return min([e(x) for x in xs], default=NONE)


@topic.builtin("max(a: int, b: int) -> int", emit="max({a}, {b})")
def greater(a: int, b: int) -> int:
    """The greater of two numbers.

    Example: max(3, 5) == 5
    """
    return max(a, b)


@topic.builtin("max(xs: list[int]) -> int or nothing", emit=f"max({{xs}}, default={NONE})")
def greatest(xs: tuple[int, ...]) -> int:
    """The greatest of the numbers, none if there are none.

    Example: max([4, 3, 5]) == 5
    """
    return max(xs, default=NONE)


@topic.builtin(
    "max(xs: list[T], e: each int) -> int or nothing", emit=f"max([({{e}}) {{each}}], default={NONE})"
)
def greatest_of(xs: tuple[T, ...], e: Callable[[T], int]) -> int:
    """The greatest value that e has over the elements, none if there are none.

    For the elements that have it see `best`.

    Example: max([4, -6, 5], abs(it)) == 6
    """
    return max([e(x) for x in xs], default=NONE)


@topic.builtin("best(xs: list[T], e: each int) -> list[T]")
def best(xs: tuple[T, ...], e: Callable[[T], int]) -> tuple[T, ...]:
    """The elements for which e is greatest: all that tie, in the order of xs; empty if there are none.

    Example: best([5, 3, -5], abs(it)) == [5, -5]
    """
    values = [e(x) for x in xs]
    top = max(values, default=NONE)
    return tuple([x for x, value in zip(xs, values, strict=True) if value == top])


@topic.builtin("worst(xs: list[T], e: each int) -> list[T]")
def worst(xs: tuple[T, ...], e: Callable[[T], int]) -> tuple[T, ...]:
    """The elements for which e is least: all that tie, in the order of xs; empty if there are none.

    Example: worst([3, 5, -3], abs(it)) == [3, -3]
    """
    values = [e(x) for x in xs]
    bottom = min(values, default=NONE)
    return tuple([x for x, value in zip(xs, values, strict=True) if value == bottom])


@topic.builtin("rank(x: T, xs: list[T], e: each int) -> int")
def rank(x: T, xs: tuple[T, ...], e: Callable[[T], int]) -> int:
    """The place of x among xs by e: 1 plus the number of elements for which e is greater than for x.

    So equals share a place, and the places after them are left out. e is evaluated for x as well, which need not be
    in xs.

    Example: rank(4, [9, 4, 7, 4], it) == 3
    """
    own = e(x)
    return 1 + len([1 for other in xs if e(other) > own])


# --- elements ---------------------------------------------------------------------------------------------------------


@topic.builtin("first(xs: list[T]) -> T or nothing", emit=f"next(iter({{xs}}), {NONE})")
def first(xs: tuple[T, ...]) -> T | int:
    """The first element, none if there are none.

    Example: first([3, 4, 5]) == 3
    """
    return xs[0] if xs else NONE


@topic.builtin("first(xs: list[T], n: int) -> list[T]")
def first_few(xs: tuple[T, ...], n: int) -> tuple[T, ...]:
    """The first n elements, in order; all if there are fewer.

    Example: first([3, 4, 5], 2) == [3, 4]
    """
    return xs[:n] if n > 0 else ()


@topic.builtin("take(xs: list[T], n: int) -> list[T]")
def take(xs: tuple[T, ...], n: int) -> tuple[T, ...]:
    """The first n elements, in order; all if there are fewer. Another word for `first(xs, n)`.

    Example: take([3, 4, 5], 2) == [3, 4]
    """
    return xs[:n] if n > 0 else ()


@topic.builtin("last(xs: list[T]) -> T or nothing")
def last(xs: tuple[T, ...]) -> T | int:
    """The last element, none if there are none.

    Example: last([3, 4, 5]) == 5
    """
    return xs[-1] if xs else NONE


@topic.builtin("last(xs: list[T], n: int) -> list[T]")
def last_few(xs: tuple[T, ...], n: int) -> tuple[T, ...]:
    """The last n elements, in order; all if there are fewer.

    Example: last([3, 4, 5], 2) == [4, 5]
    """
    return xs[-n:] if n > 0 else ()


@topic.builtin("sole(xs: list[T]) -> T or nothing")
def sole(xs: tuple[T, ...]) -> T | int:
    """The only element, such as the one piece on a square; none if there are none, an error if there are several.

    Example: sole([3, 4] - [4]) == 3
    """
    if len(xs) == 1:
        return xs[0]
    if not xs:
        return NONE
    raise RuleFault("fault-many", f"`sole` expects one element at most, there are {len(xs)}")


@topic.builtin("position(x: T, xs: list[T]) -> int or nothing")
def position(x: T, xs: tuple[T, ...]) -> int:
    """The index of the first element equal to x, counted from 0; none if x is not in the list.

    Example: position(5, [3, 4, 5]) == 2
    """
    return xs.index(x) if x in xs else NONE


# --- lists from lists -------------------------------------------------------------------------------------------------


@topic.builtin("unique(xs: list[T]) -> list[T]", emit="tuple(dict.fromkeys({xs}))")
def unique(xs: tuple[T, ...]) -> tuple[T, ...]:
    """The elements without repetitions: of equal ones the first stays.

    Example: unique([4, 3, 4, 5, 3]) == [4, 3, 5]
    """
    return tuple(dict.fromkeys(xs))


@topic.builtin("unique(xs: list[T], e: each U) -> list[T]")
def unique_by(xs: tuple[T, ...], e: Callable[[T], U]) -> tuple[T, ...]:
    """The elements without those for which e is what it was for an earlier one.

    Example: unique([4, 3, -4], abs(it)) == [4, 3]
    """
    found: dict[U, T] = {}
    for x in xs:
        found.setdefault(e(x), x)
    return tuple(found.values())


@topic.builtin("flat(xss: list[list[T]]) -> list[T]")
def flat(xss: tuple[tuple[T, ...], ...]) -> tuple[T, ...]:
    """The elements of all the lists in one, list after list.

    Example: flat([[3, 4], [5]]) == [3, 4, 5]
    """
    return tuple(chain.from_iterable(limited(xss)))


@topic.builtin("combinations(xs: list[T], n: int) -> list[list[T]]")
def combinations_of(xs: tuple[T, ...], n: int) -> tuple[tuple[T, ...], ...]:
    """All ways to take n of the elements, whatever the order.

    Each is a list in the order of xs; those with earlier elements come first. There is one way to take none. More
    than 20,000 ways are an error.

    Example: combinations([3, 4, 5], 2) == [[3, 4], [3, 5], [4, 5]]
    """
    if n < 0:
        return ()
    number = 1
    for k in range(min(n, len(xs) - n)):
        number = number * (len(xs) - k) // (k + 1)
        if number > MAX_COMBINATIONS:
            raise RuleFault("fault-size", f"more than {MAX_COMBINATIONS:,} combinations are too many")
    return tuple(limited(combinations(xs, n)))
