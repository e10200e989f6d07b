"""The shipped specs as games for benchmarks, and random playouts of them through the public API."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Final

import gdl

ROOT: Final = Path(__file__).resolve().parent.parent
HUGO: Final = ROOT / "specs" / "hugo.yaml"
MOST_DECISIONS: Final = 2000
"""Longer matches are left there."""


def specs() -> list[Path]:
    """All shipped specs."""
    found = [*(ROOT / "specs").glob("*.yaml"), *(ROOT / "specs" / "classics").glob("*.yaml")]
    return sorted(path for path in found if not path.name.endswith(".test.yaml"))


def playout(game: gdl.Game, source: random.Random) -> int:
    """One random match; gives the number of its decisions."""
    state = game.new_state(seed=source.getrandbits(32))
    decisions = 0
    while not state.is_terminal() and decisions < MOST_DECISIONS:
        state.apply(state.random_move(source.randrange))
        decisions += 1
    return decisions
