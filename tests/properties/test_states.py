"""What must be true of every state, in random matches of every spec with every option."""

from __future__ import annotations

import pytest

from tests.properties.checks import CHECKS, Check
from tests.properties.shipped import SHIPPED, Setting, each_setting, settings_of, stops


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
@each_setting
def test_every_state(setting: Setting, check: Check) -> None:
    for state in stops(setting):
        before = state.cells[:]
        check(state)
        assert state.cells == before


def test_saved_numbers_are_kept_by_every_reader() -> None:
    """docs/files.md promises text for numbers that may not fit 53 bits: many JSON readers would round them."""
    rounded = set()
    for path in SHIPPED:
        setting = settings_of(path)[0]
        for state in stops(setting):
            numbers = [number for number in state.to_json()["cells"] if number is not None]
            if any(not isinstance(number, str) and abs(number) >= 2**53 for number in numbers):
                rounded.add(path.stem)
    assert rounded == set()
