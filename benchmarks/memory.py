"""Memory after many playouts against memory after few: a game must not keep anything of the matches that were played with it.

Runs in a process of its own, so that nothing else has part in it.
"""

from __future__ import annotations

import gc
import random
import subprocess
import sys
from pathlib import Path

import gdl
from benchmarks.games import HUGO, ROOT, playout
from benchmarks.measure import Row

TARGET = 1.0
"""Growth in MB that is allowed."""
CLASSICS = ("connect_four", "kuhn_poker", "leduc_poker", "liars_dice", "tic_tac_toe")
"""Those that are played quickly: with a board, hidden cards and dice, a log."""
SPECS = (HUGO, *(ROOT / "specs" / "classics" / f"{name}.yaml" for name in CLASSICS))
PAGE = 4096


def resident() -> float:
    """Memory that this process has, in MB."""
    gc.collect()
    pages = int(Path("/proc/self/statm").read_text("ascii").split()[1])
    return pages * PAGE / 1e6


def measure(playouts: int) -> None:
    """Play a tenth of the playouts, then the rest, the games in turn; print what memory there was after each."""
    games = [gdl.load(path).game() for path in SPECS]
    source = random.Random(1)
    for number in range(1, playouts + 1):
        playout(games[number % len(games)], source)
        if number in (playouts // 10, playouts):
            print(f"{resident():.3f}")


def row(*, playouts: int) -> Row:
    """Measure in another process."""
    code = f"from benchmarks.memory import measure; measure({playouts})"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True, capture_output=True, text=True)
    few, many = map(float, done.stdout.split())
    target = f"{TARGET:g} MB more at most"
    name = f"memory after {playouts:,} playouts"
    return Row(name, f"{many:.1f} MB", f"{few:.1f} MB after {playouts // 10:,}", many / few, target, many - few <= TARGET)
