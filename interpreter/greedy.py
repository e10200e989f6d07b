"""A player that looks one move ahead, by a rule of thumb: a state → a move.

It tries its moves on situations as its seat may imagine them and values what comes out: a win is best, a loss worst; else by the
spec's `heuristic`, or by the score where there is none. As long as a move that leaves it at the same decision improves its situation,
it makes the best of these; else the best of those after which something else comes.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Final

from attrs import frozen

from gdl.interpreter import cells as c
from gdl.interpreter.chance import Stream
from gdl.interpreter.choices import Decision
from gdl.interpreter.errors import GameFault, IllegalMove
from gdl.interpreter.imagining import World, imagined
from gdl.interpreter.moves import Move
from gdl.interpreter.state import State

WORLDS: Final = 2
"""On so many imagined situations each move is tried."""
MOST_TRIED: Final = 60
"""So many moves are tried of a decision; of more, so many at random."""
MOST_INSIDE: Final = (4, 2)
"""So many moves are tried of the first and second decision inside a move; of later ones, one."""
DEEPEST: Final = 20
"""After so many decisions inside a move it is valued as it stands."""
DECIDED: Final = 1e9
"""What a win is worth; a loss as much less."""


class GreedyBot:
    """Makes the move after which its situation looks best."""

    def __init__(self, stream: Stream) -> None:
        self.stream = stream

    def choose(self, state: State, seat: int) -> Move:
        """One of the best moves."""
        stream = self._stream()
        moves = state.legal_moves(seat)
        if len(moves) == 1:
            return moves[0]
        tried = _some(moves, MOST_TRIED, stream)
        return _best(tried, seat, [imagined(state, seat, stream) for _ in range(WORLDS)], stream)

    def follow(self, state: State, move: Move) -> None:  # noqa: ARG002 - every bot has to be told
        """Draw as for a choice."""
        self._stream()

    def _stream(self) -> Stream:
        """The stream of one choice: one draw makes it, whatever the choice needs."""
        return Stream(self.stream.index(1 << 64))


@frozen
class _Gain:
    """What a move brings. `stays`: its seat then is at the same decision again."""

    value: float
    stays: bool


def _best(moves: Sequence[Move], seat: int, worlds: Sequence[World], stream: Stream) -> Move:
    """The best of a seat's moves. Of equal ones the first, as they come in no order."""
    tried = [_Trial(world, seat, stream) for world in worlds]
    gains = {move: gain for move in moves if (gain := _mean([trial.gain(move) for trial in tried])) is not None}
    staying = [move for move, gain in gains.items() if gain.stays and gain.value > 0]
    leaving = [move for move, gain in gains.items() if not gain.stays]
    return max(staying or leaving or gains or moves, key=lambda move: gains[move].value if move in gains else 0)


def _mean(gains: Sequence[_Gain | None]) -> _Gain | None:
    known = [gain for gain in gains if gain is not None]
    if not known:
        return None
    return _Gain(sum(gain.value for gain in known) / len(known), all(gain.stays for gain in known))


class _Trial:
    """Tries moves of a seat in one imagined situation."""

    def __init__(self, world: World, seat: int, stream: Stream) -> None:
        self.world = world
        self.seat = seat
        self.stream = stream
        self.place, self.depth = _place_of(world.state, seat)

    @cached_property
    def before(self) -> float:
        """How good it looks before any move."""
        return value_of(self.world.state, self.seat)

    def gain(self, move: Move) -> _Gain | None:
        """What a move brings; none if it can't be made here."""
        try:
            value, place = self._after(self.world.state, self.world.move(move), 0)
            return _Gain(value - self.before, place == (self.place, self.depth))
        except (GameFault, IllegalMove):
            return None

    def _after(self, state: State, move: Move, level: int) -> tuple[float, _Place]:
        """How good it looks after a move and all that its seat decides inside it, as well as that goes, and where it then decides."""
        state = state.clone()
        state.apply(move)
        place = _place_of(state, self.seat)
        if place[0] is None or place[1] <= self.depth or level == DEEPEST:
            return value_of(state, self.seat), place
        most = MOST_INSIDE[level] if level < len(MOST_INSIDE) else 1
        tried = [self._after(state, each, level + 1) for each in _some(state.legal_moves(self.seat), most, self.stream)]
        return max(tried, key=lambda found: found[0])


_Place = tuple[Decision | None, int]
"""The decision that waits for a seat, and how deep in rules that called each other."""


def _place_of(state: State, seat: int) -> _Place:
    """Where a seat decides in a situation."""
    for _, decision, frame in state.waiting():
        if seat in decision.seats(state.cells, frame):
            return decision, _depth(state.cells, frame)
    return None, 0


def _depth(s: list[int], frame: int) -> int:
    """How many frames a frame has below it."""
    depth = 0
    while frame:
        frame = s[frame + c.FRAME_CALLER]
        depth += 1
    return depth


def _some(moves: Sequence[Move], most: int, stream: Stream) -> list[Move]:
    """So many of moves at most, in any order."""
    pool = list(moves)
    for place in range(min(most, len(pool))):
        other = place + stream.index(len(pool) - place)
        pool[place], pool[other] = pool[other], pool[place]
    return pool[:most]


def value_of(state: State, seat: int) -> float:
    """How good a situation is for a seat."""
    if state.is_terminal():
        winners = state.winners()
        if seat in winners:
            return DECIDED
        if winners or seat in state.losers():
            return -DECIDED
    found = state.game.heuristic(state.cells, seat)
    return _lead(state, seat) if found is None else found


def _lead(state: State, seat: int) -> float:
    """By how much a seat is ahead of the best of the others in what ranks them first; 0 where nothing does."""
    standings = state.game.standings(state.cells)
    others = [standing for other, standing in enumerate(standings) if other != seat]
    return standings[seat] - max(others, default=0) if standings else 0
