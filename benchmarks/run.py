"""Run all benchmarks and print a table of ratios: `python -m benchmarks.run`, or `make bench`."""

from __future__ import annotations

import argparse
import importlib.util
import sys
from collections.abc import Iterator, Sequence

from benchmarks import clone, lint, memory, rates
from benchmarks.measure import Comparison, Row

ROW = "{:<34} {:>14} {:<38} {:>7}  {}"
HEADINGS = ("benchmark", "ours", "peer", "ratio", "target")
RATE = "{:<34} {:>14} {:>14} {:>14}"
RATE_HEADINGS = ("random playouts", "decisions /s", "per playout", "ready in ms")
PEERS = {"pyspiel": "open_spiel", "check_jsonschema": "check-jsonschema", "rlcard": "rlcard"}
"""The modules of peers, and the names of their distributions."""


def comparisons(*, rounds: int, seconds: float) -> Iterator[Comparison]:
    """Playouts against peers; imported here, since peers are installed only where benchmarks run."""
    from benchmarks import tic_tac_toe

    yield tic_tac_toe.comparison(rounds=rounds, seconds=seconds)


def card_games(*, rounds: int, seconds: float) -> Iterator[Row]:
    """Decisions against those of a peer's card game; imported here for the same reason."""
    from benchmarks import card_games

    yield from card_games.rows(rounds=rounds, seconds=seconds)


def rows(chosen: argparse.Namespace) -> Iterator[Row]:
    """Every line of the table, as soon as it is measured."""
    for result in comparisons(rounds=chosen.rounds, seconds=chosen.seconds):
        yield Row(
            f"{result.game} playouts ({result.ours.moves_per_playout:.1f} moves)",
            f"{result.ours.playouts_per_second:,.0f} /s",
            f"{result.peer.playouts_per_second:,.0f} /s {result.peer.name}",
            result.ratio,
            "more is better",
        )
    yield from card_games(rounds=chosen.rounds, seconds=chosen.seconds)
    yield from lint.rows(rounds=chosen.rounds)
    yield from clone.rows(rounds=chosen.rounds)
    yield memory.row(playouts=chosen.playouts)


def shown(row: Row) -> str:
    """A line of the table."""
    verdict = {True: " (met)", False: " (MISSED)", None: ""}[row.passed]
    return ROW.format(row.name, row.ours, row.peer, f"{row.ratio:.2f}", row.target + verdict)


def main(arguments: Sequence[str] | None = None) -> int:
    """Parse the command line, measure, print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.run", description="ratios against peers, and rates of all specs")
    parser.add_argument("--rounds", type=int, default=9, help="times that each side is measured (default 9)")
    parser.add_argument("--seconds", type=float, default=1.0, help="length of one measurement of playouts (default 1)")
    parser.add_argument("--playouts", type=int, default=10_000, help="playouts before memory is measured (default 10000)")
    chosen = parser.parse_args(arguments)
    missing = [name for module, name in PEERS.items() if importlib.util.find_spec(module) is None]
    if missing:
        print(f"{' and '.join(missing)} missing: pip install -c constraints.txt -e '.[bench]'", file=sys.stderr)
        return 1
    print(ROW.format(*HEADINGS).rstrip())
    for row in rows(chosen):
        print(shown(row), flush=True)
    print()
    print(RATE.format(*RATE_HEADINGS))
    for rate in rates.rates(rounds=3, seconds=chosen.seconds / 3):
        figures = (f"{rate.decisions_per_second:,.0f}", f"{rate.decisions_per_playout:.1f}", f"{rate.ready:.0f}")
        print(RATE.format(rate.name, *figures), flush=True)
    print("\nMedians of interleaved rounds. The ratio is ours by the peer's: of rates more is better, of times and memory less.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
