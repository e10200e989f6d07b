"""What must be true of every state, in random matches of every spec with every option."""

from __future__ import annotations

import pytest

from tests.properties.checks import CHECKS, Check
from tests.properties.shipped import Setting, each_setting, stops


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
@each_setting
def test_every_state(setting: Setting, check: Check) -> None:
    for state in stops(setting):
        before = state.cells[:]
        check(state)
        assert state.cells == before
