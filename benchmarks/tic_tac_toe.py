"""Tic-tac-toe: our spec through the public API against OpenSpiel's game written by hand in Python.

Both are driven alike: ask for the legal moves, pick one at random, apply it, until the match is over. OpenSpiel also has
the game in C++; the one in Python is the fair peer for an interpreter written in Python.
"""

from __future__ import annotations

import random
from pathlib import Path

import open_spiel.python.games  # noqa: F401 - importing it is what registers the games written in Python
import pyspiel

import gdl
from benchmarks.measure import Comparison, Contender, compare

SPEC = Path(__file__).resolve().parent.parent / "specs" / "classics" / "tic_tac_toe.yaml"
PEER = "python_tic_tac_toe"


def ours() -> Contender:
    """The spec, loaded and set up once."""
    game = gdl.load(str(SPEC)).game()

    def playout(source: random.Random) -> int:
        state = game.new_state(seed=1)
        moves = 0
        while not state.is_terminal():
            seat = state.deciders()[0]
            state.apply(source.choice(state.legal_moves(seat)))
            moves += 1
        return moves

    return Contender("gdl", playout)


def peer() -> Contender:
    """OpenSpiel's Python implementation, loaded once."""
    game = pyspiel.load_game(PEER)

    def playout(source: random.Random) -> int:
        state = game.new_initial_state()
        moves = 0
        while not state.is_terminal():
            state.apply_action(source.choice(state.legal_actions()))
            moves += 1
        return moves

    return Contender(f"open_spiel {PEER}", playout)


def comparison(*, rounds: int, seconds: float) -> Comparison:
    """Measure both."""
    return compare("tic-tac-toe", ours(), peer(), rounds=rounds, seconds=seconds)
