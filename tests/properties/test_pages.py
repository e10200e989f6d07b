"""The properties of states on the many small specs of the conformance pages, which use all that the language has."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

import pytest

import gdl
from gdl.codes import CATALOGUE
from tests.conformance.test_conformance import ALL_CASES, Case, expected
from tests.properties.checks import CHECKS
from tests.properties.shipped import THOROUGH

SEEDS: Final = range(5 if THOROUGH else 1)
LENGTH: Final = 40 if THOROUGH else 6

LACKING: Final[Mapping[str, Mapping[str, str]]] = {
    "boards: Edges": {"moves_can_be_read": "an edge is written without quotes: `build(e=board[0, 0]-board[0, 1])`"},
    "cards: Effects in cells": {"moves_can_be_read": "a decision in a cell has a name of three words: `gain of choice(n=1)`"},
}
"""What is known to be wrong: for a case the checks that fail, and why."""


def is_playable(case: Case) -> bool:
    """Whether a case is a spec without mistakes."""
    return is_known_to_work(case) and all(finding.severity == "warning" for finding in expected(case))


def has_fault(case: Case) -> bool:
    """Whether a case is a spec without mistakes in which a rule fails while it is played."""
    severities = {finding.severity for finding in expected(case)}
    return is_known_to_work(case) and "fault" in severities and "error" not in severities


def is_known_to_work(case: Case) -> bool:
    """Whether a case is none of those that are left for later."""
    return case.block.note("xfail") is None and case.block.note("hangs") is None


@pytest.mark.parametrize("case", [pytest.param(case, id=case.name) for case in ALL_CASES if is_playable(case)])
def test_every_state_of_a_page(case: Case, tmp_path: Path) -> None:
    failed: dict[str, str] = {}
    for game in games(case, tmp_path):
        for seed in SEEDS:
            failed |= check_match(game, seed)
    assert set(failed) == set(LACKING.get(case.name, ())), failed


def games(case: Case, folder: Path) -> Iterator[gdl.Game]:
    """The games of a case, with the fewest and the most players."""
    spec, diagnostics = case.load(folder)
    assert spec is not None
    assert [item for item in diagnostics if item.severity.value == "error"] == []
    for players in dict.fromkeys([spec.players[0], spec.players[-1]]):
        yield spec.game(players, case.options)


def check_match(game: gdl.Game, seed: int) -> dict[str, str]:
    """Play at random; the checks that fail, and how."""
    generator = random.Random(seed)
    state = game.new_state(seed)
    failed = {}
    for _ in range(LENGTH):
        for check in CHECKS:
            try:
                check(state)
            except (AssertionError, gdl.IllegalMove, TypeError) as error:
                failed[check.__name__] = str(error)
        if state.is_terminal():
            break
        state.apply(generator.choice(state.legal_moves()))
    return failed


@pytest.mark.parametrize("case", [pytest.param(case, id=case.name) for case in ALL_CASES if has_fault(case)])
def test_a_failing_rule_changes_nothing(case: Case, tmp_path: Path) -> None:
    faults = 0
    for game in games(case, tmp_path):
        for seed in range(4):
            try:
                state = game.new_state(seed)
            except gdl.GameFault:
                faults += 1
                continue
            faults += play_to_a_fault(state, random.Random(seed))
    assert faults


def play_to_a_fault(state: gdl.State, generator: random.Random) -> int:
    """Play at random until a rule fails, in what is asked or in what is done; whether one did."""
    for _ in range(60):
        before, trail = state.cells[:], state.trail()
        if state.is_terminal():
            return 0
        found = None
        try:
            state.apply(generator.choice(state.legal_moves()))
        except gdl.GameFault as fault:
            found = fault.code
        if found is not None:
            assert found in CATALOGUE
            assert state.cells == before
            assert state.trail() == trail
            return 1
    return 0
