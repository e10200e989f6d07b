"""What the linter is asked to look for: configuration files and options."""

from __future__ import annotations

from pathlib import Path

import pytest

from gdl.diagnostics import Report, Severity
from gdl.validators.config import Config, find_config, load_config
from tests.cli.conftest import Command

SPEC = """\
gdl: 1
game: example
title: Example
source: made up
players: 2
constants: {a: 1}
options:
  quick: {type: bool, default: false}
phases:
  play: {turns: cycle, actions: walk}
actions:
  walk: {do: tie}
"""


@pytest.fixture
def spec(tmp_path: Path) -> Path:
    path = tmp_path / "example.yaml"
    path.write_text(SPEC, "utf-8")
    return path


def codes(command: Command, *words: object) -> tuple[int, list[str]]:
    shown = command("lint", *words, "--format", "jsonl")
    assert shown.err == ""
    return shown.code, [line.partition('"name": "')[2].partition('"')[0] for line in shown.out.splitlines()]


def test_all_rules_are_looked_for(command: Command, spec: Path) -> None:
    assert codes(command, spec) == (0, ["unused-constant", "unused-option"])


def test_the_command_line_chooses(command: Command, spec: Path) -> None:
    assert codes(command, spec, "--select", "unused-option") == (0, ["unused-option"])
    assert codes(command, spec, "--ignore", "GDL310") == (0, ["unused-constant"])
    assert codes(command, spec, "--ignore", "GDL31") == (0, [])
    assert codes(command, spec, "--ignore", "all", "--select", "GDL310,GDL311") == (0, ["unused-constant", "unused-option"])
    assert codes(command, spec, "--severity", "error") == (0, [])
    assert codes(command, spec, "--fail-level", "warning") == (1, ["unused-constant", "unused-option"])


def test_gdl_toml_chooses(command: Command, spec: Path) -> None:
    (spec.parent / "gdl.toml").write_text('[lint]\nignore = ["unused-option"]\n[lint.severity]\nunused-constant = "error"\n', "utf-8")
    assert codes(command, spec) == (1, ["unused-constant"])


def test_pyproject_chooses(command: Command, spec: Path) -> None:
    (spec.parent / "pyproject.toml").write_text('[tool.gdl.lint]\nfail-level = "warning"\nselect = ["GDL311"]\n', "utf-8")
    assert codes(command, spec) == (1, ["unused-constant"])


def test_the_nearest_one_counts_and_gdl_toml_first(tmp_path: Path) -> None:
    inner = tmp_path / "a" / "b"
    inner.mkdir(parents=True)
    assert find_config(inner) in (None, find_config(tmp_path))
    (tmp_path / "pyproject.toml").write_text("[tool.gdl.lint]\n", "utf-8")
    assert find_config(inner) == tmp_path / "pyproject.toml"
    (tmp_path / "gdl.toml").write_text("", "utf-8")
    assert find_config(inner) == tmp_path / "gdl.toml"
    (tmp_path / "a" / "pyproject.toml").write_text("[project]\n", "utf-8")
    assert find_config(inner) == tmp_path / "gdl.toml"


@pytest.mark.parametrize(
    ("text", "place", "part"),
    [
        ("[lint\n", (1, 6), "no TOML"),
        ("[lnt]\n", (1, 2), "no setting `lnt`"),
        ("[lint]\nselekt = []\n", (2, 1), "no setting `selekt`"),
        ('[lint]\nselect = ["unused-zoen"]\n', (2, 12), "no rule is called `unused-zoen`"),
        ('[lint]\nignore = ["GDL202"]\n', (2, 12), "`GDL202` can't be chosen or silenced: the spec would not play"),
        ('[lint.severity]\nGDL202 = "note"\n', (2, 1), "the severity of `GDL202` can't be set: the spec would not play"),
        ("[lint]\nselect = 3\n", (2, 1), "a list of texts"),
        ('[lint]\nshow = "bad"\n', (2, 9), "`error`, `warning` or `note`"),
        ('[lint.severity]\nunused-zoen = "note"\n', (2, 1), "no rule `unused-zoen`"),
        ("lint = 3\n", (1, 1), "is a table"),
    ],
)
def test_what_is_wrong_in_a_file_is_told_with_its_place(tmp_path: Path, text: str, place: tuple[int, int], part: str) -> None:
    path = tmp_path / "gdl.toml"
    path.write_text(text, "utf-8")
    report = Report()
    load_config(path, report)
    (error,) = report.items
    assert (error.span.line, error.span.column) == place
    assert part in error.message


def test_a_wrong_configuration_stops_the_command(command: Command, spec: Path) -> None:
    (spec.parent / "gdl.toml").write_text("[lint]\nselekt = []\n", "utf-8")
    shown = command("lint", spec)
    assert shown.code == 2
    assert "bad-config" in shown.err
    assert "did you mean `select`?" in shown.err


@pytest.mark.parametrize("words", [["--format", "jsno"], ["--select", "nothing"], ["--severity", "bad"], ["--fail-level", "bad"]])
def test_wrong_words_on_the_command_line(command: Command, spec: Path, words: list[str]) -> None:
    shown = command("lint", spec, *words)
    assert (shown.code, shown.out) == (2, "")
    assert shown.err.startswith("error: ")


@pytest.mark.parametrize("word", ["unused-var", "unused-vars", "Unused_Varia"])
def test_the_beginning_of_a_name_is_taken_for_it(command: Command, spec: Path, word: str) -> None:
    assert "did you mean `unused-variable`?" in command("lint", spec, "--select", word).err
    (spec.parent / "gdl.toml").write_text(f'[lint]\nignore = ["{word}"]\n', "utf-8")
    assert "did you mean `unused-variable`?" in command("lint", spec).err


def test_a_mistake_that_no_choice_can_silence(command: Command, spec: Path) -> None:
    (spec.parent / "gdl.toml").write_text('[lint]\nignore = ["GDL202"]\n', "utf-8")
    assert "did you mean" not in command("lint", spec).err
    assert "the spec would not play" in command("lint", spec, "--config", "pyproject.toml", "--ignore", "GDL202").err


def test_a_configuration_that_is_not_there_is_not_taken_for_a_spec(command: Command, spec: Path) -> None:
    shown = command("lint", spec, "--config", spec.parent / "none.toml")
    assert shown.code == 2
    assert "there is no file" in shown.err
    assert "spec can't be used" not in shown.err


def test_the_longer_choice_counts() -> None:
    config = Config(select=("GDL31",), ignore=("GDL310",), severity={"unused-zone": Severity.NOTE})
    assert config.wants("unused-constant")
    assert not config.wants("unused-option")
    assert not config.wants("never-none")
    assert config.wants("unknown-name")
