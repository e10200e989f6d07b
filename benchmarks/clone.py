"""Copying a state against copying a list of as many integers.

Of the smallest games the target is out of reach: making any object of a class takes twice as long as copying thirty integers.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

import gdl
from benchmarks.games import specs
from benchmarks.measure import Row, median_seconds

TARGET = 2.0
TIMES = 20_000
MOVES = 10


def rows(*, rounds: int) -> Iterator[Row]:
    """Measure a state of every shipped spec."""
    for path in specs():
        yield row(gdl.load(path).game(), path.stem, rounds=rounds)


def row(game: gdl.Game, name: str, *, rounds: int) -> Row:
    """Measure a state in the middle of a match."""
    state = game.new_state(seed=1)
    source = random.Random(1)
    for _ in range(MOVES):
        later = state.clone()
        later.apply(source.choice(later.legal_moves()))
        if later.is_terminal():
            break
        state = later
    numbers = list(state.cells)
    ours, peer = median_seconds([state.clone, numbers.copy], rounds=rounds, times=TIMES)
    ratio = ours / peer
    words = f"{peer * 1e6:.2f} us list of {len(numbers)} integers"
    return Row(f"clone of {name}", f"{ours * 1e6:.2f} us", words, ratio, f"at most {TARGET:g}", ratio <= TARGET)
