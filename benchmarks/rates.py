"""How many decisions a second random playouts of each shipped spec make, with the fewest players and the default options."""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Iterator
from pathlib import Path

from attrs import frozen

import gdl
from benchmarks.games import playout, specs


@frozen
class Rate:
    """A spec, how long it takes to load and set up in milliseconds, and how quickly it is played."""

    name: str
    ready: float
    decisions_per_second: float
    decisions_per_playout: float


def rates(*, rounds: int, seconds: float) -> Iterator[Rate]:
    """Measure every spec; those with mistakes are left out."""
    for path in specs():
        try:
            yield rate(path, rounds=rounds, seconds=seconds)
        except gdl.SpecError:
            continue


def rate(path: Path, *, rounds: int, seconds: float) -> Rate:
    """Measure one spec."""
    start = time.perf_counter()
    game = gdl.load(path).game()
    ready = (time.perf_counter() - start) * 1000
    source = random.Random(1)
    playout(game, source)
    found: list[float] = []
    decisions = playouts = 0
    for _ in range(rounds):
        begun, made = time.perf_counter(), 0
        while (elapsed := time.perf_counter() - begun) < seconds:
            made += playout(game, source)
            playouts += 1
        found.append(made / elapsed)
        decisions += made
    return Rate(path.stem, ready, statistics.median(found), decisions / playouts)
