"""Builtins on pieces and on what lies in a space."""

from __future__ import annotations

from typing import Protocol

from gdl.interpreter.numbering import ZonePlan
from gdl.registry import Topic
from gdl.values import NONE

topic = Topic("pieces")

State = list[int]


class Game(Protocol):
    """What these builtins need of a game."""

    zone_of_space: list[ZonePlan]
    forward: tuple[int, ...]


@topic.builtin("size(s: list[K]) -> int", emit="len({s})")
def size(s: tuple[int, ...]) -> int:
    """The number of pieces in a space. Everybody may know it, unless the zone is `secret`.

    Example: size(supply) == 0
    """
    return len(s)


@topic.builtin("top(s: S) -> held S or nothing")
def top(game: Game, state: State, s: int) -> int:
    """The piece on top of a stack; none if it is empty.

    Example: top(deck) == none
    """
    zone = game.zone_of_space[s]
    first = zone.contents + (s - zone.base) * zone.stride
    return state[first + 2 + state[first]] if state[first] else NONE


@topic.builtin("bottom(s: S) -> held S or nothing")
def bottom(game: Game, state: State, s: int) -> int:
    """The piece at the bottom of a stack; none if it is empty.

    Example: bottom(deck) == none
    """
    zone = game.zone_of_space[s]
    first = zone.contents + (s - zone.base) * zone.stride
    return state[first + 3] if state[first] else NONE


@topic.builtin("pieces(s: list[K]) -> list[K]", emit="{s}")
def pieces(s: tuple[int, ...]) -> tuple[int, ...]:
    """All pieces in a space, or in the spaces of a list or zone, space by space.

    Example: count(pieces(board)) == 0
    """
    return s


@topic.builtin("forward(p: player) -> direction", table=True)
def forward(game: Game, p: int) -> int:
    """The direction in which a player's pieces go, as the zone's `forward` says.

    Example: forward(players[0]) == north
    """
    return game.forward[p]
