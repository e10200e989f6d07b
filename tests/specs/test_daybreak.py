"""Daybreak as bots play it: a game that careless play loses and careful play can win."""

from __future__ import annotations

from pathlib import Path

import gdl
from gdl.interpreter.bots import Table

GAME = gdl.load(Path(__file__).resolve().parents[2] / "specs" / "daybreak.yaml").game(1)


def is_won(bot: str, seed: int) -> bool:
    """Whether a bot that plays alone wins."""
    state, table = GAME.new_state(seed), Table([bot], seed)
    while not state.is_terminal():
        state.apply(table.choose(state))
    return bool(state.winners())


def test_bots_reach_victory_and_defeat() -> None:
    assert {is_won("greedy", seed) for seed in (1, 2)} == {True, False}


def test_careless_play_loses() -> None:
    assert not any(is_won("random", seed) for seed in range(1, 31))
