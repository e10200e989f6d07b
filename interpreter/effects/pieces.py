"""Effects on pieces."""

from __future__ import annotations

from typing import Protocol

from gdl.interpreter.contents import Contents
from gdl.registry import Topic

topic = Topic("pieces")

State = list[int]


class Game(Protocol):
    """What effects on pieces need of a game."""

    mover: Contents


@topic.effect("move(ps: list[K], to: space, end: end = top)")
def move(game: Game, state: State, ps: tuple[int, ...], to: int, end: int | None) -> list[tuple[int, int]]:
    """Put pieces into a space, one after the other in the order given; on a stack they go on top, with `bottom` under it.

    A space instead of pieces stands for what lies in it; nothing to move does nothing. All pieces move first, then triggers run,
    piece by piece. A fault if the
    space can't hold them.
    Example: move(p, to)
    """
    mover = game.mover
    bottom = bool(end)
    moved = []
    for piece in ps:
        source = mover.move(state, piece, to, bottom)
        if source != to:
            moved.append((piece, source))
    return moved


@topic.effect("swap(a: K, b: K)")
def swap(game: Game, state: State, a: int, b: int) -> list[tuple[int, int]]:
    """Two pieces change places: both leave before either enters.

    Example: swap(a, b)
    """
    mover = game.mover
    first, second = state[mover.at + a], state[mover.at + b]
    if first == second:
        return []
    mover.take(state, a, first)
    mover.take(state, b, second)
    mover.put(state, a, second)
    mover.put(state, b, first)
    return [(a, first), (b, second)]
