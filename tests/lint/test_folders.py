"""Which files of a folder are looked at, and standard input."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import pytest

from gdl.cli.finding_specs import find_specs
from tests.cli.conftest import Command
from tests.lint.test_formats import BAD, GOOD


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    for name in ("a.yaml", "b.yml", "deep/c.yaml", "build/d.yaml", "deep/kept.yaml", "deep/lost.yaml", "e.test.yaml", ".git/f.yaml"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(GOOD if not name.endswith(".test.yaml") else "spec: a.yaml\nplayers: 2\ntests: []\n", "utf-8")
    (tmp_path / "table.yaml").write_text("- {name: one}\n", "utf-8")
    (tmp_path / ".gitignore").write_text("build/\n", "utf-8")
    (tmp_path / "deep" / ".gitignore").write_text("*.yaml\n!kept.yaml\n!/c.yaml\n", "utf-8")
    return tmp_path


def names(tree: Path, *paths: Path, exclude: tuple[str, ...] = ()) -> list[str]:
    return [path.relative_to(tree).as_posix() for path in find_specs(paths, exclude)]


def test_a_folder_holds_specs_and_scenarios(tree: Path) -> None:
    assert names(tree, tree) == ["a.yaml", "b.yml", "deep/c.yaml", "deep/kept.yaml", "e.test.yaml"]


def test_files_are_taken_as_they_are_and_once(tree: Path) -> None:
    lost = tree / "deep" / "lost.yaml"
    assert names(tree, lost, tree / "table.yaml", lost) == ["deep/lost.yaml", "table.yaml"]


def test_what_is_above_counts_in_a_repository(tree: Path) -> None:
    assert names(tree, tree / "build") == []


def test_the_configuration_excludes(tree: Path) -> None:
    assert names(tree, tree, exclude=("deep/", "*.test.yaml")) == ["a.yaml", "b.yml"]


def test_standard_input(command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(BAD.encode()), "utf-8"))
    shown = command("lint", "-", "--stdin-filename", tmp_path / "x.yaml")
    assert shown.code == 1
    assert f"{tmp_path}/x.yaml:6:22" in shown.out


def test_a_mistake_is_told_once_however_many_files_lead_to_it(command: Command, tmp_path: Path) -> None:
    (tmp_path / "x.yaml").write_text(BAD, "utf-8")
    (tmp_path / "x.test.yaml").write_text("spec: x.yaml\ntests: [{name: it begins}]\n", "utf-8")
    shown = command("lint", tmp_path)
    assert shown.code == 1
    assert shown.out.count("x.yaml:6:22") == 1
