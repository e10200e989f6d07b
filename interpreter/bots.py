"""Players that decide by themselves: a state → a move.

Bots draw from streams of their own, one for each seat, so they neither read nor disturb the generator of the game. A
bot that follows moves made by others keeps its stream in step, so a match that goes on from its record goes on as it
would have without the break.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Final, Protocol

from gdl.interpreter.chance import Stream, mix
from gdl.interpreter.greedy import GreedyBot
from gdl.interpreter.moves import Move
from gdl.interpreter.state import State

_MASK: Final = (1 << 64) - 1
_STRIDE: Final = 0xD1B54A32D192ED03
"""An odd number far from the generator's own step, so that neighbouring seats and seeds have unrelated streams."""


class Bot(Protocol):
    """Decides for one seat."""

    def choose(self, state: State, seat: int) -> Move:
        """One of the seat's legal moves."""

    def follow(self, state: State, move: Move) -> None:
        """A move of its seat was made without asking it; called before the move is carried out."""


class RandomBot:
    """Chooses each legal move equally often."""

    def __init__(self, stream: Stream) -> None:
        self.stream = stream

    def choose(self, state: State, seat: int) -> Move:
        """One of the legal moves, by as many draws as that takes."""
        return state.random_move(self.stream.index, seat)

    def follow(self, state: State, move: Move) -> None:
        """Draw as for a choice."""
        state.random_move(self.stream.index, move.seat)


BOTS: Final[Mapping[str, Callable[[Stream], Bot]]] = MappingProxyType({"random": RandomBot, "greedy": GreedyBot})
"""The bots there are, by the names that the command line knows them by."""


def seat_stream(seed: int, seat: int) -> Stream:
    """The stream of a seat in a match with this seed."""
    return Stream(mix((seed + (seat + 1) * _STRIDE) & _MASK))


class Table:
    """The bots of a match, one for each seat. Where several seats may decide, a further stream says who goes first."""

    def __init__(self, names: Sequence[str], seed: int) -> None:
        self.bots = [BOTS[name](seat_stream(seed, seat)) for seat, name in enumerate(names)]
        self._first = seat_stream(seed, len(names))

    def choose(self, state: State) -> Move:
        """A move of one of the seats that decide."""
        seat = self._seat(state)
        return self.bots[seat].choose(state, seat)

    def follow(self, state: State, move: Move) -> None:
        """Somebody else has chosen this move, which has not been carried out yet."""
        self._seat(state)
        self.bots[move.seat].follow(state, move)

    def _seat(self, state: State) -> int:
        seats = state.deciders()
        return seats[0] if len(seats) == 1 else seats[self._first.index(len(seats))]
