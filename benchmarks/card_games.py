"""Card games with hidden hands and chains of decisions: our specs against rlcard's uno, which is written by hand in Python.

The games are different ones, so what is compared is decisions a second. Both sides play at random through the door that they have for it:
ours asks for the legal moves and applies one, rlcard's environment asks its own random agents.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import rlcard
from rlcard.agents import RandomAgent

import gdl
from benchmarks.games import ROOT, playout
from benchmarks.measure import Contender, Row, compare

SPECS: Final = ("schotten_totten", "oasis", "boreal")
"""The shipped games that are compared, with the fewest players and the default options."""
PEER: Final = "uno"
TARGET: Final = 1.0


def spec_paths() -> list[Path]:
    """The specs that there are of those to compare."""
    return [path for name in SPECS if (path := ROOT / "specs" / f"{name}.yaml").exists()]


def ours(path: Path) -> Contender:
    """A spec, loaded and set up once."""
    game = gdl.load(path).game()
    return Contender("gdl", lambda source: playout(game, source))


def peer() -> Contender:
    """The environment of rlcard, made once."""
    environment = rlcard.make(PEER)
    environment.set_agents([RandomAgent(num_actions=environment.num_actions) for _ in range(environment.num_players)])

    def playout_of_peer(source: random.Random) -> int:
        before: int = environment.timestep
        environment.seed(source.getrandbits(32))
        environment.run()
        return int(environment.timestep) - before

    return Contender(f"rlcard {PEER}", playout_of_peer)


def rows(*, rounds: int, seconds: float) -> Iterator[Row]:
    """A line for each spec."""
    for path in spec_paths():
        result = compare(path.stem, ours(path), peer(), rounds=rounds, seconds=seconds)
        yield Row(
            f"{path.stem} decisions",
            f"{result.ours.moves_per_second:,.0f} /s",
            f"{result.peer.moves_per_second:,.0f} /s {result.peer.name}",
            result.ratio_of_moves,
            f"at least {TARGET:.0f}",
            result.ratio_of_moves >= TARGET,
        )
