"""`gdl new game`: what it writes can be linted, tested and played; nothing is overwritten."""

from __future__ import annotations

from pathlib import Path

import pytest

import gdl
from tests.cli.conftest import Command


def test_a_new_game_is_in_order(command: Command, tmp_path: Path) -> None:
    shown = command("new", "game", "river_crossing", "--folder", tmp_path)
    assert (shown.code, shown.err) == (0, "")
    assert f"gdl lint {tmp_path / 'river_crossing.yaml'}" in shown.out
    linted = command("lint", tmp_path / "river_crossing.yaml")
    assert (linted.code, linted.out, linted.err) == (0, "", "")
    tested = command("test", tmp_path)
    assert tested.code == 0
    assert tested.out.endswith("4 passed, 0 failed\n")
    assert command("run", tmp_path / "river_crossing.yaml", "--seed", "1").code == 0


def test_it_bears_its_name(command: Command, tmp_path: Path) -> None:
    command("new", "game", "river_crossing", "--folder", tmp_path)
    spec = gdl.load(tmp_path / "river_crossing.yaml")
    assert (spec.name, spec.title) == ("river_crossing", "River crossing")


@pytest.mark.parametrize("name", ["_", "x1", "player", "board", "TWO", "_2"])
def test_any_name_will_do(command: Command, tmp_path: Path, name: str) -> None:
    assert command("new", "game", name, "--folder", tmp_path).code == 0
    assert gdl.load(tmp_path / f"{name}.yaml").name == name


def test_a_folder_is_made(command: Command, tmp_path: Path) -> None:
    assert command("new", "game", "a", "--folder", tmp_path / "more" / "games").code == 0
    assert {path.name for path in (tmp_path / "more" / "games").iterdir()} == {"a.yaml", "a.test.yaml"}


@pytest.mark.parametrize("there", ["a.yaml", "a.test.yaml"])
def test_nothing_is_overwritten(command: Command, tmp_path: Path, there: str) -> None:
    (tmp_path / there).write_text("mine", "utf-8")
    shown = command("new", "game", "a", "--folder", tmp_path)
    assert shown.code == 2
    assert f"`{tmp_path / there}` exists" in shown.err
    assert [(path.name, path.read_text("utf-8")) for path in tmp_path.iterdir()] == [(there, "mine")]


@pytest.mark.parametrize("name", ["1a", "a-b", "a b", "../a", "", "é", "none", "if", "a.yaml", "a:b"])
def test_a_name_that_is_none_is_refused(command: Command, tmp_path: Path, name: str) -> None:
    shown = command("new", "game", name, "--folder", tmp_path)
    assert shown.code == 2
    assert "can't be the name of a game" in shown.err
    assert list(tmp_path.iterdir()) == []


def test_only_games_can_be_begun(command: Command) -> None:
    assert command("new", "gaem", "a").code == 2


def test_a_folder_that_can_not_be_made(command: Command, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", "utf-8")
    shown = command("new", "game", "a", "--folder", tmp_path / "file")
    assert shown.code == 2
    assert "can't be made" in shown.err


def test_what_is_begun_is_formatted(command: Command, tmp_path: Path) -> None:
    assert command("new", "game", "river", "--folder", tmp_path).code == 0
    assert command("fmt", tmp_path, "--check").out == ""
