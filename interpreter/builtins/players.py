"""Builtins on players.

`players` and `player` themselves are names, not builtins. A player is the index of a seat. Those who are out of the
game stay in every list here.
"""

from __future__ import annotations

from typing import Final, Protocol

from gdl.interpreter.faults import RuleFault
from gdl.registry import Topic

topic: Final = Topic("players")


class Seats(Protocol):
    """What these builtins need of a game."""

    @property
    def players(self) -> int:
        """The number of players."""


@topic.builtin("next(p: player) -> player", table=True)
def next_player(game: Seats, p: int) -> int:
    """The player after p in the order of seats; after the last comes the first.

    Example: next(players[0]) == players[1]
    """
    return (p + 1) % game.players


@topic.builtin("previous(p: player) -> player", table=True)
def previous_player(game: Seats, p: int) -> int:
    """The player before p in the order of seats; before the first comes the last.

    Example: previous(players[1]) == players[0]
    """
    return (p - 1) % game.players


@topic.builtin("opponents(p: player) -> list[player]", table=True)
def opponents(game: Seats, p: int) -> tuple[int, ...]:
    """All players but p, in the order of seats from the first.

    Example: opponents(players[1]) == players - [players[1]]
    """
    return tuple(q for q in range(game.players) if q != p)


@topic.builtin("opponent(p: player) -> player", table=True)
def opponent(game: Seats, p: int) -> int:
    """The other one of two players. An error in a game of any other number.

    Example: opponent(players[0]) == players[1]
    """
    if game.players != 2:
        raise RuleFault("fault-players", f"the opponent is not one player in a game of {game.players}")
    return 1 - p


@topic.builtin("seats_from(p: player) -> list[player]", table=True)
def seats_from(game: Seats, p: int) -> tuple[int, ...]:
    """All players in the order of seats, beginning with p.

    Example: first(seats_from(players[1])) == players[1]
    """
    return (*range(p, game.players), *range(p))


@topic.builtin("seat(p: player) -> int", emit="({p})")
def seat(p: int) -> int:
    """The index of a player's seat, counted from 0.

    Example: seat(players[1]) == 1
    """
    return p
