"""`gdl lint`, and the linter's part that sets games up."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import gdl
import gdl.cli.linting
from gdl.validators.linter import left_out, lint_setups, settings
from tests.cli.conftest import RACE, ROOT, Command

Spec = Callable[[str], Path]

SIZES = """\
gdl: 1
game: sizes
players: 2..4
options:
  extra: {range: 0..9, default: 1}
  wide: {type: bool, default: false}
zones:
  board: {grid: [3, "{2: 3, 3: 4}[count(players)] + (if wide then 1 else 0)"]}
phases:
  play: {turns: cycle, actions: wait}
actions:
  wait: {do: end_game}
"""
"""A game whose board has no size for four players."""

BEGINS_BADLY = """\
gdl: 1
game: begins_badly
players: [2, 3]
variables: {stock: 0..5 = 0}
setup:
  - stock = 2 * count(players)
phases:
  play: {turns: cycle, actions: wait}
actions:
  wait: {do: end_game}
"""
"""A game whose set-up fails with three players."""


def write(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text, "utf-8")
    return path


def test_a_sound_spec_gets_no_words_but_of_what_was_left_out(command: Command, tmp_path: Path) -> None:
    few = write(tmp_path, "few.yaml", RACE.replace("range: 3..12", "range: 3..9"))
    shown = command("lint", few)
    assert (shown.code, shown.out, shown.err) == (0, "", "")
    many = write(tmp_path, "many.yaml", RACE)
    shown = command("lint", many)
    assert (shown.code, shown.out) == (0, "")
    assert shown.err == f"{many}: set up with 36 of 120 combinations of players and options: of `goal` the ends and the default\n"


def test_every_finding_of_every_file_is_shown(command: Command, tmp_path: Path) -> None:
    first = write(tmp_path, "first.yaml", RACE.replace("die.value", "dye.value"))
    second = write(tmp_path, "second.yaml", RACE.replace("players: 2..4", "players: 2..4\nplayer: 3"))
    shown = command("lint", first, second)
    assert shown.code == 1
    assert shown.out.count("error[") == 3
    assert "first.yaml:21:" in shown.out
    assert "second.yaml:6:1" in shown.out
    assert shown.out.endswith("\n3 errors\n")


def test_json_has_a_record_for_each_finding(command: Command, tmp_path: Path) -> None:
    path = write(tmp_path, "wrong.yaml", RACE.replace("roll(die)", "roll(dy)"))
    shown = command("lint", path, "--format", "json")
    assert shown.code == 1
    (found,) = json.loads(shown.out)
    assert found["code"].startswith("GDL")
    assert (found["severity"], found["file"]) == ("error", str(path))
    assert (found["line"], found["column"], found["end_line"], found["end_column"]) == (17, 14, 17, 16)
    assert "dy" in found["message"]
    assert "suggestion" in found


def test_json_of_sound_specs_is_an_empty_list(command: Command, spec: Spec) -> None:
    shown = command("lint", spec("race"), "--format", "json")
    assert (shown.code, json.loads(shown.out)) == (0, [])


def test_a_file_that_cannot_be_read_gives_two(command: Command, spec: Spec, tmp_path: Path) -> None:
    missing = tmp_path / "missing.yaml"
    shown = command("lint", spec("race"), missing)
    assert shown.code == 2
    assert "GDL001" in shown.err
    (found,) = json.loads(command("lint", missing, "--format", "json").out)
    assert (found["code"], found["file"], found["line"], found["column"]) == ("GDL001", str(missing), 1, 1)


@pytest.mark.parametrize(
    ("content", "code"),
    [(b"", 1), (b"# nothing\n", 1), (b"gdl: [1", 1), (b"\x00\x01", 1), (b"\xff\xfe\x00", 2), (b"- 1\n- 2\n", 1)],
)
def test_files_that_are_no_specs(command: Command, tmp_path: Path, content: bytes, code: int) -> None:
    path = tmp_path / "odd.yaml"
    path.write_bytes(content)
    shown = command("lint", path)
    assert shown.code == code
    assert "error[GDL0" in shown.out + shown.err or "error[GDL1" in shown.out


def test_a_fault_of_ours_hides_no_findings(command: Command, spec: Spec, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_: object) -> list[gdl.Diagnostic]:
        raise LookupError("lost")

    monkeypatch.setattr(gdl.cli.linting, "lint_setups", fail)
    wrong = write(tmp_path, "wrong.yaml", RACE.replace("roll(die)", "roll(dy)"))
    shown = command("lint", spec("race"), wrong)
    assert shown.code == 3
    assert "wrong.yaml:17:14" in shown.out
    assert "gdl itself has failed (LookupError: lost)" in shown.err


DEAR = ("typer", "click", "rich", "pydantic", "importlib.metadata", "gdl.testing")


def test_files_alone_are_linted_without_what_is_dear_to_import() -> None:
    code = f"import sys; from gdl.cli.main import main; main(['lint', 'specs/hugo.yaml']); print(sorted({{*{DEAR}}} & {{*sys.modules}}))"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True, capture_output=True, text=True)
    assert done.stdout == "[]\n"


def test_files_alone_are_linted_like_files_with_options(command: Command, spec: Spec, tmp_path: Path) -> None:
    wrong = write(tmp_path, "wrong.yaml", RACE.replace("roll(die)", "roll(dy)"))
    for files in ([spec("race")], [wrong], [tmp_path / "missing.yaml", wrong, wrong], [tmp_path], [""]):
        assert command("lint", *files) == command("lint", "--format", "text", *files)


# --- setting games up -------------------------------------------------------------------------------------------------


def test_a_set_up_that_fails_for_some_players_is_found(command: Command, tmp_path: Path) -> None:
    path = write(tmp_path, "sizes.yaml", SIZES)
    shown = command("lint", path)
    assert shown.code == 1
    assert shown.out.count("error[") == 1
    assert "sizes.yaml:8:" in shown.out
    assert "found when the game was set up with 4 players, extra=0, wide=false, and in 19 more of 60 settings" in shown.out
    assert command("lint", path, "--no-setup").code == 0


def test_a_rule_that_fails_before_the_first_decision_is_found(command: Command, tmp_path: Path) -> None:
    path = write(tmp_path, "begins_badly.yaml", BEGINS_BADLY)
    shown = command("lint", path)
    assert shown.code == 1
    assert "fault-range" in shown.out
    assert "begins_badly.yaml:6:5" in shown.out
    assert "set up with 3 players" in shown.out


def test_few_settings_are_tried_in_all_combinations() -> None:
    spec = gdl.loads(SIZES)
    tried = list(settings(spec))
    assert len(tried) == 3 * 10 * 2
    assert (4, {"extra": 9, "wide": True}) in tried
    assert left_out(spec) == ""


def test_of_ranges_only_the_ends_are_tried_if_there_are_too_many() -> None:
    spec = gdl.loads(SIZES)
    assert len(list(settings(spec, most=20))) == 3 * 3 * 2
    assert left_out(spec, most=20) == "set up with 18 of 60 combinations of players and options: of `extra` the ends and the default"


def test_many_settings_are_tried_one_by_one() -> None:
    spec = gdl.loads(SIZES)
    tried = list(settings(spec, most=10))
    assert tried[:3] == [(n, {"extra": 1, "wide": False}) for n in (2, 3, 4)]
    assert (4, {"extra": 0, "wide": False}) in tried
    assert (2, {"extra": 1, "wide": True}) in tried
    assert len(tried) == 3 * (1 + 2 + 1)
    assert left_out(spec, most=12) == (
        "set up with 12 of 60 combinations of players and options: of `extra` the ends and the default, "
        "options other than the defaults one at a time"
    )


def test_a_range_may_be_as_large_as_numbers_are() -> None:
    spec = gdl.loads(SIZES.replace("0..9", "0..9223372036854775807"))
    assert "of 55,340,232,221,128,654,848 combinations" in left_out(spec)


def test_what_was_left_out_is_said(command: Command, tmp_path: Path) -> None:
    path = write(tmp_path, "sizes.yaml", SIZES.replace("0..9", "0..99"))
    shown = command("lint", path)
    assert shown.err == f"{path}: set up with 18 of 600 combinations of players and options: of `extra` the ends and the default\n"
    assert command("lint", path, "--no-setup").err == ""


def test_the_number_of_set_ups_is_bounded() -> None:
    spec = gdl.loads(SIZES)
    (found,) = lint_setups(spec, most=3)
    assert "set up with 4 players" in found.help
    assert lint_setups(spec, most=2) == []


def test_scenario_files_are_read_as_such(command: Command, tmp_path: Path) -> None:
    write(tmp_path, "sizes.yaml", SIZES)
    good = write(tmp_path, "sizes.test.yaml", "spec: sizes.yaml\ntests:\n  - name: begins\n    players: 2\n    expect: not over\n")
    assert command("lint", good).code == 0
    bad = write(tmp_path, "bad.test.yaml", "spec: sizes.yaml\ntests:\n  - name: begins\n    expects: not over\n")
    shown = command("lint", bad)
    assert shown.code == 1
    assert "expect" in shown.out


@pytest.mark.parametrize("form", ["json", "jsonl", "sarif"])
def test_programs_get_a_document_where_nothing_can_be_looked_at(command: Command, spec: Spec, tmp_path: Path, form: str) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()
    shown = command("lint", empty, "--format", form)
    assert (shown.code, "there is no spec in" in shown.err) == (2, True)
    assert "file-missing" in json.dumps(json.loads(shown.out))
    path = spec("race")
    write(tmp_path, "gdl.toml", "[lint]\nselct = ['all']\n")
    shown = command("lint", path, "--format", form)
    assert shown.code == 2
    assert "bad-config" in json.dumps(json.loads(shown.out))


def test_a_document_is_empty_if_an_option_is_wrong(command: Command, spec: Spec) -> None:
    shown = command("lint", spec("race"), "--format", "json", "--select", "nothing-such")
    assert (shown.code, json.loads(shown.out)) == (2, [])


def test_a_folder_that_cannot_be_read_hides_no_others(command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    locked = tmp_path / "locked"
    locked.mkdir()
    listed, known = os.scandir, Path.is_file

    def scandir(path: str | Path) -> object:
        if Path(path) == locked:
            raise PermissionError(13, "Permission denied", str(path))
        return listed(path)

    def is_file(path: Path) -> bool:
        if path.parent == locked:
            raise PermissionError(13, "Permission denied", str(path))
        return known(path)

    monkeypatch.setattr(os, "scandir", scandir)
    monkeypatch.setattr(Path, "is_file", is_file)
    faulty = write(tmp_path, "sizes.yaml", SIZES)
    for paths in ((locked, faulty), (faulty, locked), (tmp_path,)):
        shown = command("lint", *paths)
        assert shown.code == 2
        assert f"the folder `{locked}` can't be read" in shown.err
        assert "sizes.yaml:8:" in shown.out


@pytest.mark.parametrize("name", ["lint", "fmt", "test"])
def test_an_empty_path_is_refused(command: Command, name: str) -> None:
    shown = command(name, "")
    assert (shown.code, shown.out) == (2, "")
    assert "a path is empty" in shown.err
