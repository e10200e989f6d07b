"""The first piece of each class among those in an unordered space, read off the bits of its cells.

A decision offers one of several pieces that are alike. In a space where only the class tells pieces apart these need not be listed and
compared: the bits are cut into pieces at the borders of classes, and what each stands for is remembered.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import groupby

from gdl.interpreter.memo import Memo

_CHUNK = 12
"""At most so many bits are looked up at once, if a class has no more: a table that is full is still small."""

Chunk = tuple[int, int, Memo]
"""The number of the first bit, a mask over the bits, and what they stand for."""


def first_of_classes(holdable: Sequence[int], classes: Sequence[int]) -> Callable[[int], tuple[int, ...]] | None:
    """From a set of pieces as bits over `holdable` to the first piece of each class; none where a class is scattered.

    `classes` says the class of each piece of the game.
    """
    runs = [tuple(run) for _, run in groupby(holdable, key=lambda piece: classes[piece])]
    if len({classes[run[0]] for run in runs}) < len(runs):
        return None
    chunks = tuple(_chunks(runs))

    def firsts(bits: int) -> tuple[int, ...]:
        found: tuple[int, ...] = ()
        for first, mask, table in chunks:
            part = bits >> first & mask
            if part:
                found += table[part]
        return found

    return firsts


def _chunks(runs: Sequence[tuple[int, ...]]) -> list[Chunk]:
    """The runs of equal class, as many together as there is room for."""
    groups: list[list[tuple[int, ...]]] = []
    for run in runs:
        if groups and sum(map(len, groups[-1])) + len(run) <= _CHUNK:
            groups[-1].append(run)
        else:
            groups.append([run])
    found, first = [], 0
    for group in groups:
        width = sum(map(len, group))
        found.append((first, (1 << width) - 1, Memo(_firsts_of(group), limit=1 << _CHUNK)))
        first += width
    return found


def _firsts_of(group: Sequence[tuple[int, ...]]) -> Callable[[int], tuple[int, ...]]:
    """What the bits of some runs stand for: of each run the piece of its lowest bit."""

    def firsts(bits: int) -> tuple[int, ...]:
        found = []
        for run in group:
            here = bits & (1 << len(run)) - 1
            if here:
                found.append(run[(here & -here).bit_length() - 1])
            bits >>= len(run)
        return tuple(found)

    return firsts
