"""Counting sequences of moves: chance, turns, ends, and that counts by other ways agree."""

from __future__ import annotations

import pytest

import gdl
from gdl.interpreter.perft import Level, divide, perft
from gdl.interpreter.state import State

HEAD = "gdl: 1\ngame: sample\nplayers: 2\n"

DICE = (
    HEAD
    + """\
pieces:
  die: {faces: [1, 2, 2, hit]}
variables:
  total: 0..99 = 0
phases:
  play:
    turns: cycle
    do:
      - actions: [add, leave]
      - roll(die)
      - if: die.face == hit
        then: end_game
actions:
  add: {do: total += 1}
  leave: {do: end_game}
"""
)
"""After a move comes a roll, and one of three different faces ends the game. `leave` ends it at once."""

LONG_TURNS = (
    HEAD
    + """\
variables:
  left: 0..3 = 3
phases:
  play:
    turns: cycle
    do:
      - left = 3
      - pick_up
actions:
  pick_up:
    choose: n in 1..3 where n <= left
    do:
      - left -= n
      - pick_up
end:
  - when: left == 0
    check: turn_end
    tie: true
"""
)
"""A turn takes 1 to 3 from three until nothing is left: in four ways, by one to three moves."""


def first_state(text: str) -> State:
    return gdl.loads(text).game().new_state(explicit_chance=True)


def slowly(state: State, depth: int) -> tuple[int, int]:
    """The count of one length without anything kept: all sequences, and those that end the game."""
    if state.is_chance():
        parts = []
        for outcome in state.chance_outcomes():
            child = state.clone()
            child.apply_chance(outcome)
            parts.append(slowly(child, depth))
        return sum(part[0] for part in parts), sum(part[1] for part in parts)
    sequences = ended = 0
    for seat in state.deciders():
        for move in state.legal_moves(seat):
            child = state.clone()
            child.apply(move)
            if depth == 1:
                sequences, ended = sequences + 1, ended + child.is_terminal()
            elif not child.is_terminal():
                further = slowly(child, depth - 1)
                sequences, ended = sequences + further[0], ended + further[1]
    return sequences, ended


@pytest.mark.parametrize(("name", "depth"), [("tic_tac_toe", 5), ("othello", 3), ("connect_four", 4)])
def test_counts_agree_with_plain_counting(name: str, depth: int) -> None:
    state = gdl.load(f"specs/classics/{name}.yaml").game().new_state(explicit_chance=True)
    assert [(level.sequences, level.ended) for level in perft(state, depth)] == [slowly(state, n) for n in range(1, depth + 1)]


def test_chance_multiplies_sequences_and_adds_no_length() -> None:
    assert perft(first_state(DICE), 3) == (Level(1, 2, 1), Level(2, 4, 2), Level(3, 8, 4))


def test_a_sequence_has_ended_where_no_outcome_goes_on() -> None:
    assert perft(first_state(DICE.replace("die.face == hit", "true")), 2) == (Level(1, 2, 2), Level(2, 0, 0))


def test_turns_are_counted_as_one() -> None:
    state = first_state(LONG_TURNS)
    assert [level.sequences for level in perft(state, 3)] == [3, 3, 1]
    assert perft(state, 1, per_turn=True) == (Level(1, 4, 4),)


def test_chance_within_a_turn_belongs_to_it() -> None:
    state = first_state(DICE)
    assert perft(state, 1, per_turn=True)[0].sequences == 4
    begun = [text for text, _ in divide(state, 1, per_turn=True)]
    assert begun == ["add, roll(die) = 1", "add, roll(die) = 2", "add, roll(die) = hit", "leave"]


def test_the_parts_make_up_the_whole() -> None:
    for name, depth, per_turn in (("connect_four", 3, False), ("english_draughts", 3, True), ("othello", 1, False)):
        state = gdl.load(f"specs/classics/{name}.yaml").game().new_state(explicit_chance=True)
        parts = divide(state, depth, per_turn=per_turn)
        assert sum(number for _, number in parts) == perft(state, depth, per_turn=per_turn)[-1].sequences
        assert len({text for text, _ in parts}) == len(parts)


def test_the_last_moves_may_stay_untried() -> None:
    state = first_state(DICE)
    assert perft(state, 2, last_ended=False) == (Level(1, 2, 1), Level(2, 4, 0))


def test_counting_leaves_the_state_as_it_is() -> None:
    state = first_state(DICE)
    cells = state.cells[:]
    perft(state, 3)
    divide(state, 2)
    assert state.cells == cells


def test_a_finished_game_has_no_sequences() -> None:
    state = first_state(DICE)
    state.apply("leave")
    assert perft(state, 2) == (Level(1, 0, 0), Level(2, 0, 0))


def test_a_failing_rule_is_a_fault() -> None:
    state = first_state(DICE.replace("total: 0..99 = 0", "total: 0..1 = 0"))
    assert perft(state, 1)[0].sequences == 2
    with pytest.raises(gdl.GameFault):
        perft(state, 2)
