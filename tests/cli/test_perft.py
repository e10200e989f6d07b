"""`gdl perft`: tables, JSON, and where counting can begin."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

import gdl
from tests.cli.conftest import RACE, Command

Spec = Callable[[str], Path]
CLASSICS = "specs/classics"


def test_a_table_of_counts(command: Command) -> None:
    shown = command("perft", f"{CLASSICS}/tic_tac_toe.yaml", "--depth", "9")
    assert (shown.code, shown.err) == (0, "")
    rows = [line.split() for line in shown.out.splitlines()]
    assert rows[0] == ["length", "sequences", "ended"]
    assert rows[5] == ["5", "15,120", "1,440"]
    assert rows[9] == ["9", "127,872", "127,872"]
    assert rows[-1] == ["finished", "games:", "255,168"]


def test_json(command: Command) -> None:
    shown = json.loads(command("perft", f"{CLASSICS}/connect_four.yaml", "--depth", "3", "--divide", "--json").out)
    assert [level["sequences"] for level in shown["levels"]] == [7, 49, 343]
    assert [part["sequences"] for part in shown["divide"]] == [49] * 7
    assert shown["per"] == "decision"


def test_turns(command: Command) -> None:
    line = ("perft", f"{CLASSICS}/english_draughts.yaml", "--depth", "3", "--per", "turn", "--json", "--divide")
    shown = json.loads(command(*line).out)
    assert [level["sequences"] for level in shown["levels"]] == [7, 49, 302]
    assert sum(part["sequences"] for part in shown["divide"]) == 302


def test_fast_leaves_the_last_moves_untried(command: Command) -> None:
    full = command("perft", f"{CLASSICS}/othello.yaml", "--depth", "3").out.splitlines()
    fast = command("perft", f"{CLASSICS}/othello.yaml", "--depth", "3", "--fast").out.splitlines()
    assert fast[:-1] == full[:-1]
    assert fast[-1].split() == ["3", "56", "?"]


def test_divide_names_first_moves(command: Command) -> None:
    shown = command("perft", f"{CLASSICS}/tic_tac_toe.yaml", "--depth", "2", "--divide")
    assert "sequences of length 2 by their beginning:" in shown.out
    assert shown.out.count("  8  ") == 9


def test_chance_branches_or_is_drawn(command: Command, spec: Spec) -> None:
    branching = json.loads(command("perft", spec("race"), "--depth", "2", "--json", "--divide").out)
    assert [level["sequences"] for level in branching["levels"]] == [6, 36]
    assert branching["divide"][0] == {"begins": "roll(die) = 1, advance", "sequences": 6}
    drawn = json.loads(command("perft", spec("race"), "--depth", "2", "--json", "--seed", "1").out)
    assert [level["sequences"] for level in drawn["levels"]] == [2, 12]


def test_players_and_options(command: Command, spec: Spec) -> None:
    line = ("perft", spec("race"), "-p", "2", "--depth", "3", "--json", "-o", "goal=3")
    assert json.loads(command(*line).out)["levels"][0] == {"length": 1, "sequences": 6, "ended": 1}


# --- beginning elsewhere ----------------------------------------------------------------------------------------------


def test_a_saved_state(command: Command, spec: Spec, tmp_path: Path) -> None:
    path = spec("race")
    state = gdl.load(path).game(3, {"goal": 6}).new_state(seed=1)
    state.apply("rest")
    saved = tmp_path / "state.json"
    saved.write_text(json.dumps(state.to_json()), "utf-8")
    shown = json.loads(command("perft", path, "--depth", "2", "--state", saved, "--json").out)
    assert (shown["players"], shown["options"]["goal"]) == (3, 6)
    assert [level["sequences"] for level in shown["levels"]] == [2, 12]
    assert command("perft", path, "--depth", "2", "--state", saved, "--players", "2").code == 2
    path.write_text(RACE + "# changed\n", "utf-8")
    changed = command("perft", path, "--depth", "2", "--state", saved)
    assert changed.code == 2
    assert "another version of the spec" in changed.err


@pytest.mark.parametrize("content", ["{}", "[]", "no JSON", '{"format": "gdl-state/2"}'])
def test_a_file_that_is_no_state(command: Command, spec: Spec, tmp_path: Path, content: str) -> None:
    saved = tmp_path / "state.json"
    saved.write_text(content, "utf-8")
    shown = command("perft", spec("race"), "--depth", "2", "--state", saved)
    assert shown.code == 2
    assert "GDL913" in shown.err


def test_the_situation_of_a_scenario(command: Command, spec: Spec, tmp_path: Path) -> None:
    scenarios = tmp_path / "race.test.yaml"
    scenarios.write_text(
        "spec: race.yaml\n"
        "tests:\n"
        "  - name: nobody near\n"
        "  - name: one short of the goal\n"
        '    given: {phase: play, player: 1, set: {"players[1].place": 4}}\n',
        "utf-8",
    )
    line = ("perft", spec("race"), "--depth", "1", "--json", "--state", scenarios)
    assert json.loads(command(*line).out)["levels"] == [{"length": 1, "sequences": 6, "ended": 0}]
    near = json.loads(command(*line, "--scenario", "one short of the goal").out)
    assert near["levels"] == [{"length": 1, "sequences": 6, "ended": 3}]
    missing = command(*line, "--scenario", "one short of a goal")
    assert missing.code == 2
    assert "did you mean `one short of the goal`?" in missing.err


def test_a_scenario_without_its_file_is_refused(command: Command, spec: Spec) -> None:
    shown = command("perft", spec("race"), "--depth", "1", "--scenario", "begins")
    assert (shown.code, shown.out) == (2, "")
    assert "`--state`" in shown.err
