"""The first piece of each class, read off bits: compared with going through the pieces one by one."""

from __future__ import annotations

from itertools import accumulate

from hypothesis import given
from hypothesis import strategies as st

from gdl.interpreter.firsts import first_of_classes

SIZES = st.lists(st.integers(1, 20), min_size=1, max_size=12)


def classes_of(sizes: list[int]) -> list[int]:
    """The class of each piece, where each class has so many pieces in a row."""
    return [number for number, size in enumerate(sizes) for _ in range(size)]


def one_by_one(pieces: list[int], classes: list[int]) -> tuple[int, ...]:
    found: dict[int, int] = {}
    for piece in pieces:
        found.setdefault(classes[piece], piece)
    return tuple(found.values())


@given(SIZES, st.integers(0), st.integers(0, 5))
def test_the_first_of_each_class_is_found(sizes: list[int], bits: int, before: int) -> None:
    classes = [-1] * before + classes_of(sizes)
    holdable = list(range(before, len(classes)))
    firsts = first_of_classes(holdable, classes)
    assert firsts is not None
    bits &= (1 << len(holdable)) - 1
    assert firsts(bits) == one_by_one([piece for place, piece in enumerate(holdable) if bits >> place & 1], classes)


def test_all_and_none() -> None:
    sizes = [6, 6, 1, 30, 2]
    firsts = first_of_classes(range(sum(sizes)), classes_of(sizes))
    assert firsts is not None
    assert firsts(0) == ()
    assert firsts((1 << sum(sizes)) - 1) == (0, *accumulate(sizes[:-1]))


def test_scattered_classes_are_left_to_others() -> None:
    assert first_of_classes(range(3), [0, 1, 0]) is None
