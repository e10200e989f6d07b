"""Copying a state against copying a list of as many integers, which it can't do without."""

from __future__ import annotations

import random
from collections.abc import Iterator

import gdl
from benchmarks.games import HUGO, ROOT
from benchmarks.measure import Row, median_seconds

TARGET = 2.0
TIMES = 20_000
SPECS = (HUGO, ROOT / "specs" / "classics" / "chess.yaml", ROOT / "specs" / "classics" / "crazy_eights.yaml")


def rows(*, rounds: int) -> Iterator[Row]:
    """Measure states of several sizes."""
    for path in SPECS:
        if path.exists():
            yield row(gdl.load(path).game(), path.stem, rounds=rounds)


def row(game: gdl.Game, name: str, *, rounds: int) -> Row:
    """Measure a state in the middle of a match."""
    state = game.new_state(seed=1)
    source = random.Random(1)
    for _ in range(10):
        state.apply(source.choice(state.legal_moves()))
    numbers = list(state.cells)
    ours, peer = median_seconds([state.clone, numbers.copy], rounds=rounds, times=TIMES)
    ratio = ours / peer
    words = f"{peer * 1e6:.2f} us list of {len(numbers)} integers"
    return Row(f"clone of {name}", f"{ours * 1e6:.2f} us", words, ratio, f"at most {TARGET:g}", ratio <= TARGET)
