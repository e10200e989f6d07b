"""Run all benchmarks and print a table of ratios: `python -m benchmarks.run`, or `make bench`."""

from __future__ import annotations

import argparse
import importlib.util
import sys
from collections.abc import Sequence

from benchmarks.measure import Comparison

ROW = "{:<14} {:<32} {:>12} {:>12} {:>8} {:>14}"
HEADINGS = ("game", "peer", "ours /s", "peer /s", "ratio", "moves/playout")


def comparisons(*, rounds: int, seconds: float) -> list[Comparison]:
    """Every benchmark there is; imported here, since peers are installed only where benchmarks run."""
    from benchmarks import tic_tac_toe

    return [tic_tac_toe.comparison(rounds=rounds, seconds=seconds)]


def row(result: Comparison) -> str:
    """One line of the table."""
    return ROW.format(
        result.game,
        result.peer.name,
        f"{result.ours.playouts_per_second:,.0f}",
        f"{result.peer.playouts_per_second:,.0f}",
        f"{result.ratio:.2f}",
        f"{result.ours.moves_per_playout:.2f} {result.peer.moves_per_playout:.2f}",
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """Parse the command line, measure, print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.run", description="random playouts against peers")
    parser.add_argument("--rounds", type=int, default=9, help="times that each side is measured (default 9)")
    parser.add_argument("--seconds", type=float, default=1.0, help="length of one measurement (default 1)")
    chosen = parser.parse_args(arguments)
    if importlib.util.find_spec("pyspiel") is None:
        print("the peers are missing: pip install -c constraints.txt -e '.[bench]'", file=sys.stderr)
        return 1
    print(ROW.format(*HEADINGS))
    for result in comparisons(rounds=chosen.rounds, seconds=chosen.seconds):
        print(row(result))
    print("\nRandom playouts a second, medians of interleaved rounds. A ratio above 1 means that ours is faster.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
