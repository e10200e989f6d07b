"""Trials as data, and playing them again; bots and their streams."""

from __future__ import annotations

import json
from collections import Counter
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gdl
from gdl.interpreter.bots import BOTS, RandomBot, Table, seat_stream
from gdl.interpreter.trial import LARGEST_SEED, Trial, TrialMove, read_trial, record_trial, replay, write_trial

ROOT = Path(__file__).resolve().parents[2]
HUGO = gdl.load(ROOT / "specs" / "hugo.yaml")

JOINT = """\
gdl: 1
game: joint
players: 3
variables:
  bid: {type: 0..9, per: player, start: 0}
phases:
  play:
    do:
      - together: players
        do:
          - choose: n in 1..9
            name: bid
            do: player.bid = n
      - end_game
result:
  score: player.bid
  ranking: [highest score]
"""


def play(game: gdl.Game, seed: int, limit: int = 10_000) -> tuple[gdl.State, list[TrialMove]]:
    """A match of random bots."""
    state, table = game.new_state(seed), Table(["random"] * game.players, seed)
    moves: list[TrialMove] = []
    while not state.is_terminal() and len(moves) < limit:
        move = table.choose(state)
        moves.append(TrialMove(move.seat, str(move)))
        state.apply(move)
    return state, moves


# --- records ----------------------------------------------------------------------------------------------------------


@cache
def hugo(players: int, variant: str = "classic") -> gdl.Game:
    """A game of Hugo, made once."""
    return HUGO.game(players, {"variant": variant})


@settings(max_examples=30, deadline=None)
@given(st.integers(0, LARGEST_SEED), st.sampled_from(HUGO.players), st.sampled_from(["classic", "midnight_party"]))
def test_a_trial_leads_to_the_same_state(seed: int, players: int, variant: str) -> None:
    game = hugo(players, variant)
    state, moves = play(game, seed)
    trial = record_trial(state, seed, moves)
    read = read_trial(json.loads(json.dumps(write_trial(trial))))
    assert read == trial
    again = replay(game, read)
    assert again.cells == state.cells
    assert record_trial(again, seed, read.moves) == trial


def test_the_form_of_a_trial() -> None:
    game = hugo(2)
    state, moves = play(game, 1)
    data = write_trial(record_trial(state, 1, moves))
    assert list(data) == ["format", "game", "spec_hash", "players", "options", "seed", "moves", "result"]
    assert data["format"] == "gdl-trial/1"
    assert data["options"] == {"variant": "classic"}
    assert data["moves"][0] == {"seat": 0, "move": moves[0].move}
    assert set(data["result"]) == {"winners", "ranking", "scores", "hash"}
    assert int(data["result"]["hash"], 16) == state.hash()


def test_large_seeds_are_text() -> None:
    trial = Trial("hugo", "", 2, {}, LARGEST_SEED, ())
    data = write_trial(trial)
    assert data["seed"] == str(LARGEST_SEED)
    assert read_trial(data) == trial


def test_a_trial_of_a_match_that_goes_on_has_no_result() -> None:
    state, moves = play(hugo(2), 1, limit=4)
    assert "result" not in write_trial(record_trial(state, 1, moves))


@pytest.mark.parametrize("data", [None, [], {}, {"format": "gdl-state/2"}, {"format": "gdl-trial/1"}, "gdl-trial/1"])
def test_data_that_is_no_trial(data: object) -> None:
    with pytest.raises(gdl.BadSave):
        read_trial(data)


def test_moves_may_be_written_as_people_write_them() -> None:
    game = gdl.load(ROOT / "specs" / "classics" / "connect_four.yaml").game()
    texts = [str(move) for move in game.new_state(0).legal_moves()]
    trial = Trial(game.name, game.spec_hash, 2, game.options, 0, (TrialMove(0, texts[3].replace("=", " = ")),))
    by_text = game.new_state(0)
    by_text.apply(texts[3])
    assert replay(game, trial).hash() == by_text.hash()


def test_replay_tells_of_every_move() -> None:
    game = hugo(3)
    state, moves = play(game, 7)
    seen: list[str] = []
    replay(game, record_trial(state, 7, moves), lambda _, move: seen.append(str(move)))
    assert seen == [entry.move for entry in moves]


def test_a_trial_of_another_game_is_refused() -> None:
    state, moves = play(hugo(2), 1)
    trial = record_trial(state, 1, moves)
    for game, said in (
        (hugo(3), "2 players, not 3"),
        (hugo(2, "midnight_party"), "variant=classic, not variant=midnight_party"),
        (gdl.load(ROOT / "specs" / "classics" / "othello.yaml").game(), "of the game `hugo`"),
    ):
        with pytest.raises(gdl.BadSave, match=said):
            replay(game, trial)


# --- bots -------------------------------------------------------------------------------------------------------------


def test_bots_that_follow_keep_in_step() -> None:
    game = hugo(4)
    _, moves = play(game, 11)
    for cut in (1, 10, len(moves) - 1):
        state, table = game.new_state(11), Table(["random"] * 4, 11)
        for number, entry in enumerate(moves):
            move = state.parse_move(entry.move)
            if number < cut:
                table.follow(state, move)
            else:
                assert table.choose(state) == move
            state.apply(move)


def test_bots_do_not_touch_the_game() -> None:
    state = hugo(2).new_state(3)
    cells = state.cells[:]
    Table(["random"] * 2, 3).choose(state)
    assert state.cells == cells


def test_streams_of_seats_and_seeds_differ() -> None:
    draws = {
        tuple(stream.index(1 << 32) for _ in range(4)) for stream in (seat_stream(seed, seat) for seed in range(20) for seat in range(9))
    }
    assert len(draws) == 180


def test_the_random_bot_is_fair() -> None:
    state = gdl.load(ROOT / "specs" / "classics" / "connect_four.yaml").game().new_state(0)
    bot = RandomBot(seat_stream(1, 0))
    counts = Counter(str(bot.choose(state, 0)) for _ in range(7000))
    assert len(counts) == 7
    assert all(850 < number < 1150 for number in counts.values())


def test_where_several_decide_every_seat_comes_first_at_times() -> None:
    game = gdl.loads(JOINT).game()
    firsts = Counter(Table(["random"] * 3, seed).choose(game.new_state(seed)).seat for seed in range(60))
    assert set(firsts) == {0, 1, 2}
    state, moves = play(game, 5)
    assert replay(game, record_trial(state, 5, moves)).cells == state.cells


def test_bots_have_names() -> None:
    assert "random" in BOTS
