"""Effects that only tell."""

from __future__ import annotations

from typing import Protocol

from gdl.interpreter.revealing import Revealing
from gdl.registry import Topic

topic = Topic("messages")


class Game(Protocol):
    """What `reveal` needs of a game."""

    players: int
    revealed: int
    revealing: Revealing


@topic.effect("reveal(ps: list[K], to: list[player] = none)")
def reveal(game: Game, state: list[int], ps: tuple[int, ...], to: tuple[int, ...] | None) -> None:
    """Show pieces to all, or to the players given, where they lie. A seat sees them until its next decision.

    Those who look on see what is shown to all, until anybody decides. A piece that moves, is shuffled or is rolled is no longer seen.

    Example: reveal(player.hand, to=opponent(player))
    """
    seats = range(game.players + 1) if to is None else to  # the last bit is for those who look on
    mask = sum(1 << seat for seat in seats)
    game.revealing.clean = None
    for piece in ps:
        state[game.revealed + piece] |= mask


@topic.effect("log(message: template, to: list[player] = none)", special=True)
def log() -> None:
    """Write a line into the log, for all or for those given. Holes in braces are filled in.

    A hole shows each reader what it may see just then: a hidden piece as its back, what depends on something hidden as `?`.

    Example: log("{player} has {player.points} points")
    """
