"""Walking over a board: what the builtins on spaces share.

Translates between the global numbers of spaces that the language sees and the local ones of a `Topology`. Registers
nothing.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, Protocol

from gdl.interpreter.geometry.topology import Topology
from gdl.values import NONE, ONWARD

Spaces = tuple[int, ...]

LINE_WAYS: Final = (2, 3, 4, 5, ONWARD)
"""Of each pair of opposite directions the one in which the numbers of spaces grow."""


class Boards(Protocol):
    """What these builtins need of a game."""

    def board(self, space: int, /) -> tuple[Topology, int]:
        """The topology of the copy in which a space lies, and the global number of that copy's space 0."""


def opposite_of(d: int) -> int:
    """The direction that leads back."""
    return (d + 4) % 8 if d < ONWARD else 17 - d


def step_from(game: Boards, s: int, d: int, n: int) -> int:
    """The space n steps from s, or NONE if there is none; a negative n goes back."""
    topology, base = game.board(s)
    if n < 0:
        d, n = opposite_of(d), -n
    leads = topology.steps.get(d)
    if leads is None:
        return s if n == 0 else NONE
    at = s - base
    for _ in range(n % topology.count if topology.loop else n):
        at = leads[at]
        if at == NONE:
            return NONE
    return base + at


def walk(game: Boards, s: int, d: int) -> Spaces:
    """The spaces met when walking from s in direction d, without s, up to the border or back to s."""
    topology, base = game.board(s)
    leads = topology.steps.get(d)
    if leads is None:
        return ()
    start = s - base
    found: list[int] = []
    at = leads[start]
    while at not in (NONE, start):
        found.append(base + at)
        at = leads[at]
    return tuple(found)


def run(game: Boards, s: int, d: int, n: int) -> Spaces:
    """The space s and those behind it in direction d, n in all where there are that many."""
    return (s, *walk(game, s, d))[: max(n, 0)]


def line_ways(game: Boards, s: int) -> tuple[int, ...]:
    """The directions in which lines run on the board of s."""
    topology, _ = game.board(s)
    return tuple(d for d in LINE_WAYS if d in topology.steps)


def adjacent(game: Boards, s: int) -> Spaces:
    """The neighbours of s in the order of its topology."""
    topology, base = game.board(s)
    return tuple(base + n for n in topology.neighbours[s - base])


def existing(game: Boards, s: int, dirs: Iterable[int]) -> Spaces:
    """The spaces one step from s in these directions, without those that do not exist."""
    found = (step_from(game, s, d, 1) for d in dirs)
    return tuple(there for there in found if there != NONE)
