"""Whatever is written as a move: it is a legal move, or it is refused and nothing has changed."""

from __future__ import annotations

import random
from functools import cache
from pathlib import Path
from typing import Final

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import gdl
from tests.properties.checks import refuses
from tests.properties.shipped import FEATURES, SHIPPED, THOROUGH, load, walk

settings_of_tests = settings(
    max_examples=2000 if THOROUGH else 40, deadline=None, derandomize=not THOROUGH, suppress_health_check=[HealthCheck.too_slow]
)
each_spec = pytest.mark.parametrize("spec", [*SHIPPED, *FEATURES], ids=lambda path: path.stem)

SIGNS: Final = (*"()[]{},=:.-+*<\"'# \n10", "..", "??", "//", "==", "-1", "9" * 20)
WORDS: Final = (
    *("where", "select", "if", "then", "else", "and", "not", "in", "is", "as"),
    *("none", "true", "it", "player", "players", "pass", "done"),
)
CALLS: Final = ("first(", "count(", "sole(", "step(", "min(", "next(", "possible(", "after(", "seen(", "roll(", "move(")


@cache
def states(spec: Path) -> tuple[gdl.State, ...]:
    """The first state of a match and one of its middle."""
    game = load(spec).game()
    found = [state.clone() for state in walk(game, 1, 12)]
    return found[0], found[len(found) // 2]


@each_spec
@settings_of_tests
@given(data=st.data())
def test_any_text_is_a_legal_move_or_refused(spec: Path, data: st.DataObject) -> None:
    state = data.draw(st.sampled_from(states(spec)))
    refuses(state, data.draw(st.text(max_size=40)))


@each_spec
@settings_of_tests
@given(data=st.data())
def test_any_words_are_a_legal_move_or_refused(spec: Path, data: st.DataObject) -> None:
    state = data.draw(st.sampled_from(states(spec)))
    parts = st.sampled_from([*SIGNS, *WORDS, *CALLS, *parts_of_moves(state)])
    refuses(state, "".join(data.draw(st.lists(parts, max_size=12))))


@each_spec
@settings_of_tests
@given(data=st.data())
def test_a_misspelt_move_is_a_legal_move_or_refused(spec: Path, data: st.DataObject) -> None:
    state = data.draw(st.sampled_from(states(spec)))
    text = str(data.draw(st.sampled_from(state.legal_moves())))
    place = data.draw(st.integers(0, len(text)))
    cut = data.draw(st.integers(0, 6))
    refuses(state, text[:place] + data.draw(st.sampled_from([*SIGNS, *WORDS, *CALLS])) + text[place + cut :])


def parts_of_moves(state: gdl.State) -> list[str]:
    """Stretches of legal moves, cut at their signs."""
    moves = state.legal_moves()
    written = [str(move) for move in random.Random(1).sample(moves, min(4, len(moves)))]
    return [part for text in written for part in text.replace("(", "(\0").replace("=", "=\0").replace(", ", ", \0").split("\0")]


def test_a_seat_with_very_many_digits_is_refused() -> None:
    refuses(states(SHIPPED[0])[0], "9" * 5000 + ": pass")


def test_a_constant_that_fails_is_refused() -> None:
    state = gdl.loads(BETS).game().new_state(1)
    refuses(state, "bet(n=count(1..3 where 1 // 0 == 1))")


def test_a_parameter_is_given_once() -> None:
    state = gdl.loads(BETS).game().new_state(1)
    with pytest.raises(gdl.IllegalMove):
        state.parse_move("bet(n=1, n=2)")


BETS: Final = """\
gdl: 1
game: bets
players: 2
zones: {deck: {stack: true, visible: none}, hand: {per: player, visible: owner}}
pieces: {card: {attributes: {rank: int}, each: {rank: 1..6}, at: deck}}
setup: [shuffle(deck), "deal(1, deck, hand)"]
phases:
  play:
    turns: cycle
    do:
      - choose: n in 1..6
        name: bet
        do: []
"""


def test_a_move_can_not_ask_for_what_its_seat_does_not_see() -> None:
    game = gdl.loads(BETS).game()
    read = set()
    for seed in range(12):
        state = game.new_state(seed)
        try:
            read.add(str(state.parse_move("bet(n=sole(players[1].hand).rank)")))
        except gdl.IllegalMove:
            read.add("refused")
    assert len(read) == 1, "the text tells the seat what the other one holds"
