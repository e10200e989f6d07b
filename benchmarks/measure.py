"""Measuring two ways to do the same against each other, interleaved, by medians.

Knows nothing of GDL or of any peer. The two sides take turns within one run, and the one that begins changes with every round, so that
whatever else the machine does hits both alike; what is reported is the ratio.
"""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Callable, Sequence
from typing import TypeAlias

from attrs import frozen

Playout: TypeAlias = Callable[[random.Random], int]
"""Plays one match at random, with the given source of randomness, and returns the number of moves made."""


@frozen
class Row:
    """A line of the table: what was measured, how we and the peer did, the ratio, and what it should be, in words."""

    name: str
    ours: str
    peer: str
    ratio: float
    target: str
    passed: bool | None = None


# --- playouts ---------------------------------------------------------------------------------------------------------


@frozen
class Contender:
    """One way to play a game."""

    name: str
    playout: Playout


@frozen
class Measurement:
    """What one contender did: the medians of its rates, and the mean length of a match, which shows whether both play alike."""

    name: str
    playouts_per_second: float
    moves_per_second: float
    moves_per_playout: float


@frozen
class Comparison:
    """Two contenders over one game, or over two games whose moves are compared."""

    game: str
    ours: Measurement
    peer: Measurement

    @property
    def ratio(self) -> float:
        """How many playouts we make in the time in which the peer makes one."""
        return self.ours.playouts_per_second / self.peer.playouts_per_second

    @property
    def ratio_of_moves(self) -> float:
        """How many moves we make in the time in which the peer makes one: what can be compared where the games are different ones."""
        return self.ours.moves_per_second / self.peer.moves_per_second


def timed(contender: Contender, seed: int, seconds: float) -> tuple[int, int, float]:
    """Play for about so many seconds; returns playouts, moves and the time that they really took."""
    source = random.Random(seed)
    playouts = moves = 0
    start = time.perf_counter()
    while (elapsed := time.perf_counter() - start) < seconds:
        moves += contender.playout(source)
        playouts += 1
    return playouts, moves, elapsed


def compare(game: str, ours: Contender, peer: Contender, *, rounds: int, seconds: float) -> Comparison:
    """Measure both, in turns: `rounds` times `seconds` each, after one round that warms up and does not count."""
    results: dict[str, list[tuple[int, int, float]]] = {ours.name: [], peer.name: []}
    for number in range(rounds + 1):
        for contender in (ours, peer) if number % 2 else (peer, ours):
            result = timed(contender, number, seconds)
            if number > 0:
                results[contender.name].append(result)
    return Comparison(game, summary(ours.name, results[ours.name]), summary(peer.name, results[peer.name]))


def summary(name: str, results: list[tuple[int, int, float]]) -> Measurement:
    """The median rates of several rounds, and the mean length of all their matches."""
    playout_rate = statistics.median(playouts / elapsed for playouts, _, elapsed in results)
    move_rate = statistics.median(moves / elapsed for _, moves, elapsed in results)
    length = sum(moves for _, moves, _ in results) / sum(playouts for playouts, _, _ in results)
    return Measurement(name, playout_rate, move_rate, length)


# --- single actions ---------------------------------------------------------------------------------------------------


def median_seconds(actions: Sequence[Callable[[], object]], *, rounds: int, times: int = 1) -> tuple[float, ...]:
    """How long each action takes, in seconds: medians of interleaved rounds, in each of which it is done `times` times."""
    results: list[list[float]] = [[] for _ in actions]
    for number in range(rounds + 1):
        order = range(len(actions)) if number % 2 else reversed(range(len(actions)))
        for index in order:
            action = actions[index]
            start = time.perf_counter()
            for _ in range(times):
                action()
            if number > 0:
                results[index].append((time.perf_counter() - start) / times)
    return tuple(statistics.median(each) for each in results)
