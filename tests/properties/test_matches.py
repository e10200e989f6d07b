"""What must be true of whole matches: playing them again, taking moves back, chance that is drawn and chance that is given."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise

import pytest

import gdl
from gdl.interpreter import cells as c
from gdl.interpreter.chance import index_below
from gdl.interpreter.moves import Outcome
from gdl.interpreter.trial import TrialMove, read_trial, record_trial, replay, write_trial
from tests.properties.shipped import LENGTH, SEEDS, Setting, bots, each_setting, load, texts, walk

# --- playing again ----------------------------------------------------------------------------------------------------


@each_setting
def test_a_trail_leads_to_the_same_cells(setting: Setting) -> None:
    for seed in SEEDS:
        state = last(setting, seed)
        again, written = setting.game.new_state(seed), setting.game.new_state(seed)
        for entry in state.trail():
            assert isinstance(entry, gdl.Move)
            again.apply(entry)
            written.apply(f"{entry.seat}: {entry}")
        assert again.cells == state.cells
        assert written.cells == state.cells
        assert written.trail() == state.trail()


@each_setting
def test_a_trail_of_moves_and_outcomes_leads_to_the_same_cells(setting: Setting) -> None:
    for seed in SEEDS:
        state = last(setting, seed, explicit=True)
        again = state.restarted()
        for entry in state.trail():
            if isinstance(entry, Outcome):
                again.apply_chance(str(entry))
            else:
                again.apply(entry)
        assert again.cells == state.cells


@each_setting
def test_a_saved_match_goes_on_as_it_would_have(setting: Setting) -> None:
    for seed in SEEDS:
        state = last(setting, seed, LENGTH // 2)
        loaded = setting.game.state_from_json(json.loads(json.dumps(state.to_json())))
        table, other = bots(setting, seed), bots(setting, seed)
        for _ in range(LENGTH // 2):
            if state.is_terminal():
                break
            move, same = table.choose(state), other.choose(loaded)
            assert move == same
            state.apply(move)
            loaded.apply(same)
            assert loaded.cells == state.cells


@each_setting
def test_a_record_plays_again(setting: Setting) -> None:
    for seed in SEEDS:
        state = last(setting, seed)
        moves = [TrialMove(entry.seat, str(entry)) for entry in state.trail() if isinstance(entry, gdl.Move)]
        trial = read_trial(json.loads(json.dumps(write_trial(record_trial(state, seed, moves)))))
        assert replay(setting.game, trial).cells == state.cells


def last(setting: Setting, seed: int, length: int = LENGTH, *, explicit: bool = False) -> gdl.State:
    """The last state of a random match."""
    *_, state = walk(setting.game, seed, length, explicit=explicit)
    return state


# --- chance -----------------------------------------------------------------------------------------------------------


@each_setting
def test_drawn_and_given_chance_agree(setting: Setting) -> None:
    for seed in SEEDS:
        choice = random.Random(seed)
        drawn, given = setting.game.new_state(seed), setting.game.new_state(seed, explicit_chance=True)
        generator = settle(given, given.cells[c.RANDOM])
        for _ in range(LENGTH):
            assert generator == drawn.cells[c.RANDOM], "one has drawn more often than the other"
            assert without_generator(given) == without_generator(drawn)
            assert texts(given) == texts(drawn)
            assert given.hash() == drawn.hash()
            if drawn.is_terminal():
                break
            move = choice.choice(drawn.legal_moves())
            drawn.apply(move)
            given.apply(move)
            generator = settle(given, generator)


def settle(state: gdl.State, generator: int) -> int:
    """Settle all chance events that wait as the state's own generator would, and give the generator after that."""
    while state.is_chance():
        assert state.deciders() == (), "seats decide while a chance event waits"
        assert state.legal_moves() == ()
        outcomes = state.chance_outcomes()
        assert len({str(outcome) for outcome in outcomes}) == len(outcomes), "two outcomes are written alike"
        generator, index = index_below(generator, sum(outcome.weight for outcome in outcomes))
        state.apply_chance(next(o for number, o in enumerate(outcomes) if index < sum(x.weight for x in outcomes[: number + 1])))
    assert state.chance_outcomes() == ()
    return generator


def without_generator(state: gdl.State) -> list[int]:
    """The cells, less that of the generator."""
    return [*state.cells[: c.RANDOM], *state.cells[c.RANDOM + 1 :]]


# --- taking back ------------------------------------------------------------------------------------------------------


@each_setting
def test_moves_are_taken_back_exactly_where_they_may_be(setting: Setting) -> None:
    for seed in SEEDS:
        past: list[tuple[list[int], list[Counter[str]], bool, int]] = []
        states = walk(setting.game, seed, LENGTH // 2)
        before = next(states).clone()
        for state in states:
            entry = state.trail()[-1]
            assert isinstance(entry, gdl.Move)
            may_be = before.cells[c.RANDOM] == state.cells[c.RANDOM] and not shows_more(before, state)
            past.append((before.cells[:], seen_pieces(before), may_be, entry.seat))
            before = state.clone()
            check_undo(state.clone(), past)


def check_undo(state: gdl.State, past: list[tuple[list[int], list[Counter[str]], bool, int]]) -> None:
    """All moves of the seat that decided last can be taken back one by one, up to the first that can't; nobody else can take any back.

    What holds inside a sealed `together` is tested in `test_knowledge.py`.
    """
    seat = past[-1][3]
    for cells, _, may_be, mover in reversed(past):
        if is_sealed(state):
            return
        now, length = state.cells[:], len(state.trail())
        for other in range(state.game.players):
            if other != seat:
                assert state.why_not_undo(other) is not None
                assert not state.undo(other)
                assert state.cells == now
        if not (may_be and mover == seat):
            break
        assert state.why_not_undo(seat) is None
        assert state.undo(seat)
        assert state.cells == cells
        assert len(state.trail()) == length - 1
        assert texts(state) == texts(state.clone())
    if is_sealed(state):
        return
    now = state.cells[:]
    assert state.why_not_undo(seat) is not None
    assert not state.undo(seat)
    assert not state.undo()
    assert state.cells == now


def is_sealed(state: gdl.State) -> bool:
    """Whether what others decide is hidden until all have."""
    shadow = state.game.build.shadow
    return bool(shadow and state.cells[shadow])


def shows_more(before: gdl.State, after: gdl.State) -> bool:
    """Whether some seat sees a piece after a move that it did not see before."""
    return any(now - then for then, now in zip(seen_pieces(before), seen_pieces(after), strict=True))


def seen_pieces(state: gdl.State) -> list[Counter[str]]:
    """For each seat the names of the pieces whose faces it sees."""
    return [Counter(names_in(state, seat)) for seat in range(state.game.players)]


def names_in(state: gdl.State, seat: int) -> Iterator[str]:
    """The names of the pieces that a seat sees, as its observation has them."""
    for spaces in state.observation(seat)["zones"].values():
        for space in spaces:
            yield from (piece["piece"] for piece in space.get("pieces", ()) if not piece.get("hidden"))


# --- what was known ---------------------------------------------------------------------------------------------------


@each_setting
def test_an_information_state_ends_with_what_is_seen_now(setting: Setting) -> None:
    for seed in SEEDS:
        state = last(setting, seed, LENGTH // 2)
        for seat in range(setting.players):
            known = state.information_state(seat)
            assert json.loads(json.dumps(known)) == known
            observed = [entry["observed"] for entry in known if "observed" in entry]
            assert observed[0] == state.restarted().observation(seat)
            assert observed[-1] == state.observation(seat)
            assert all(one != other for one, other in pairwise(observed))
            did = [entry["did"] for entry in known if "did" in entry]
            assert did == [str(entry) for entry in state.trail() if isinstance(entry, gdl.Move) and entry.seat == seat]


# --- what is refused --------------------------------------------------------------------------------------------------


@each_setting
def test_wrong_outcomes_are_refused(setting: Setting) -> None:
    for state in walk(setting.game, 1, LENGTH // 4, explicit=True):
        before = state.cells[:]
        possible = [str(outcome) for outcome in state.chance_outcomes()]
        for text in ("", "roll(die) = 99", "draw(deck)", *(outcome + "x" for outcome in possible[:2])):
            with pytest.raises(gdl.IllegalMove):
                state.apply_chance(text)
        if state.is_chance():
            with pytest.raises(gdl.IllegalMove):
                state.apply("pass")
        assert state.cells == before


@each_setting
def test_moves_of_another_game_are_refused(setting: Setting) -> None:
    state = setting.game.new_state(1)
    other = load(setting.spec).game(setting.players, dict(setting.options)).new_state(1)
    before = state.cells[:]
    with pytest.raises(gdl.IllegalMove):
        state.apply(other.legal_moves()[0])
    assert state.cells == before


ALONE = """\
gdl: 1
game: alone
players: 1
variables: {x: 0..9 = 0}
phases:
  play:
    turns: cycle
    do:
      - choose: n in 1..2
        do: x = n
"""


@pytest.mark.parametrize("made", [999, 1001, 2001, 4500])
def test_of_very_many_moves_the_newest_can_be_taken_back(made: int) -> None:
    state = gdl.loads(ALONE).game().new_state(1)
    cells = []
    for number in range(made):
        cells.append(state.cells[:])
        state.apply(state.legal_moves()[number % 2])
    taken = 0
    while state.undo():
        taken += 1
        assert state.cells == cells[-taken]
    assert min(made, 1000) <= taken <= 2001
