"""Numbers of move sequences that others have published for the same rules.

Tic-tac-toe: 255,168 games, of which the first player wins 131,184, the second 77,904, and 46,080 are drawn. English draughts: the
counts that draughts programs publish, with a multiple jump as one move. Othello: the counts of edax and others, a forced pass being
a move. Connect Four: seven moves each, until a column is full or a game is won. Breakthrough: 22 moves each at first. Chess: the counts
that chess programs are tested with, of the start and of four positions that are rich in special moves.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

import gdl
import gdl.testing
from gdl.interpreter.perft import perft
from gdl.interpreter.state import State

CLASSICS = Path(__file__).resolve().parents[2] / "specs" / "classics"


def first_state(name: str) -> State:
    return gdl.load(CLASSICS / f"{name}.yaml").game().new_state(explicit_chance=True)


def sequences(name: str, depth: int, *, per_turn: bool = False) -> list[int]:
    levels = perft(first_state(name), depth, per_turn=per_turn, last_ended=False)
    return [level.sequences for level in levels]


def test_tic_tac_toe() -> None:
    levels = perft(first_state("tic_tac_toe"), 10)
    assert [level.sequences for level in levels] == [9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872, 0]
    assert [level.ended for level in levels] == [0, 0, 0, 0, 1440, 5328, 47952, 72576, 127872, 0]
    assert sum(level.ended for level in levels) == 255_168


def test_tic_tac_toe_by_results() -> None:
    """Count all games one by one by who has won, with what is known of a situation kept."""
    known: dict[tuple[int, ...], Counter[tuple[int, ...]]] = {}

    def results(state: State) -> Counter[tuple[int, ...]]:
        if state.is_terminal():
            return Counter([state.winners()])
        key = tuple(state.cells)
        if key not in known:
            found: Counter[tuple[int, ...]] = Counter()
            for move in state.legal_moves():
                child = state.clone()
                child.apply(move)
                found += results(child)
            known[key] = found
        return known[key]

    assert results(first_state("tic_tac_toe")) == {(0,): 131_184, (1,): 77_904, (): 46_080}


def test_connect_four() -> None:
    assert sequences("connect_four", 6) == [7, 49, 343, 2401, 16807, 117649]


@pytest.mark.slow
def test_connect_four_with_full_columns_and_wins() -> None:
    assert sequences("connect_four", 8) == [7, 49, 343, 2401, 16807, 117649, 823536, 5673234]


def test_othello() -> None:
    assert sequences("othello", 6) == [4, 12, 56, 244, 1396, 8200]


@pytest.mark.slow
def test_othello_further() -> None:
    assert sequences("othello", 7) == [4, 12, 56, 244, 1396, 8200, 55092]


def test_english_draughts() -> None:
    assert sequences("english_draughts", 5, per_turn=True) == [7, 49, 302, 1469, 7361]


@pytest.mark.slow
def test_english_draughts_further() -> None:
    assert sequences("english_draughts", 7, per_turn=True) == [7, 49, 302, 1469, 7361, 36768, 179740]


def test_breakthrough() -> None:
    assert sequences("breakthrough", 3) == [22, 484, 11132]


def test_chess() -> None:
    assert sequences("chess", 3) == [20, 400, 8902]


@pytest.mark.slow
def test_chess_further() -> None:
    assert sequences("chess", 4) == [20, 400, 8902, 197_281]


CHESS = {
    "Kiwipete": [48, 2039, 97_862],
    "a rook ending with captures in passing": [14, 191, 2812, 43_238],
    "a position rich in checks, promotions and castling": [6, 264, 9467],
    "pawns about to be promoted": [24, 496, 9483],
}
"""By the scenario that sets the position up."""


def from_scenario(name: str, depth: int) -> list[int]:
    state = gdl.testing.given_state(CLASSICS / "chess.test.yaml", name)
    return [level.sequences for level in perft(state, depth, last_ended=False)]


@pytest.mark.parametrize("name", CHESS)
def test_chess_positions(name: str) -> None:
    assert from_scenario(name, 2) == CHESS[name][:2]


@pytest.mark.slow
@pytest.mark.parametrize("name", CHESS)
def test_chess_positions_further(name: str) -> None:
    assert from_scenario(name, len(CHESS[name])) == CHESS[name]
