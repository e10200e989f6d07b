"""`gdl fmt`: what it writes, shows and answers."""

from __future__ import annotations

import io
import os
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import Command, command

__all__ = ["command"]

LOOSE = "gdl:   1\ngame: loose\nplayers: 2\nphases: {play: { turns: cycle,do: [] }}\n"
SET = "gdl: 1\ngame: loose\nplayers: 2\nphases: {play: {turns: cycle, do: []}}\n"


@pytest.fixture
def spec(tmp_path: Path) -> Path:
    path = tmp_path / "loose.yaml"
    path.write_text(LOOSE, "utf-8")
    return path


def test_a_file_is_formatted_once(command: Command, spec: Path) -> None:
    first = command("fmt", spec)
    assert (first.code, first.out) == (0, f"{spec}: formatted\n")
    assert spec.read_text("utf-8") == SET
    assert command("fmt", spec).out == ""


def test_check_changes_nothing(command: Command, spec: Path) -> None:
    shown = command("fmt", spec, "--check")
    assert (shown.code, shown.out) == (1, f"{spec}: not formatted\n")
    assert spec.read_text("utf-8") == LOOSE
    spec.write_text(SET, "utf-8")
    assert command("fmt", spec, "--check") == type(shown)(0, "", "")


def test_diff_shows_what_would_change(command: Command, spec: Path) -> None:
    shown = command("fmt", spec, "--diff")
    assert shown.code == 0
    assert "-gdl:   1\n+gdl: 1\n" in shown.out
    assert spec.read_text("utf-8") == LOOSE
    assert command("fmt", spec, "--diff", "--check").code == 1
    spec.write_text(SET.rstrip("\n"), "utf-8")
    assert command("fmt", spec, "--diff").out == f"{spec}: only ends of lines would change\n"


def test_a_byte_order_mark_and_line_ends_stay(command: Command, spec: Path) -> None:
    mark = b"\xef\xbb\xbf"
    spec.write_bytes(mark + LOOSE.replace("\n", "\r\n").encode())
    assert command("fmt", spec).code == 0
    assert spec.read_bytes() == mark + SET.replace("\n", "\r\n").encode()


def test_of_a_folder_all_that_its_specs_read_is_formatted(command: Command, spec: Path) -> None:
    folder = spec.parent
    spec.write_text(LOOSE + "include: deep/more.yaml\npieces: {card: {at: deck, table: deep/cards.yaml}}\n", "utf-8")
    (folder / "deep").mkdir()
    for name, text in {
        "deep/more.yaml": "zones: { deck: {} }\nsetup: []\ninclude: deep/last.yaml\n",
        "deep/last.yaml": "constants: { a: 1 }\n",
        "deep/cards.yaml": "- { name: a }\n",
        "deep/other.yaml": "a:  1\n",
        "loose.test.yaml": "spec:  loose.yaml\ntests:\n- name: a\n",
        "hidden.yaml": LOOSE,
        ".gitignore": "hidden.yaml\n",
    }.items():
        (folder / name).write_text(text, "utf-8")
    shown = command("fmt", folder)
    assert shown.code == 0
    names = [Path(line.removesuffix(": formatted")).relative_to(folder).as_posix() for line in shown.out.splitlines()]
    assert names == ["loose.test.yaml", "loose.yaml", "deep/more.yaml", "deep/cards.yaml", "deep/last.yaml"]
    assert (folder / "deep/last.yaml").read_text("utf-8") == "constants: {a: 1}\n"
    assert (folder / "loose.test.yaml").read_text("utf-8") == "spec: loose.yaml\ntests:\n  - name: a\n"
    assert command("fmt", folder, "--check").out == ""


def test_what_lies_outside_the_folder_is_left_alone(command: Command, tmp_path: Path) -> None:
    folder = tmp_path / "inner"
    folder.mkdir()
    (tmp_path / "outer.yaml").write_text("a:  1\n", "utf-8")
    (folder / "spec.yaml").write_text(SET + "include: ../outer.yaml\n", "utf-8")
    assert command("fmt", folder).out == ""
    assert (tmp_path / "outer.yaml").read_text("utf-8") == "a:  1\n"


def test_standard_input_is_printed(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    def shown(text: str, *words: str) -> tuple[int, str]:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
        result = command("fmt", "-", *words)
        return result.code, result.out

    assert shown(LOOSE) == (0, SET)
    assert shown(SET) == (0, SET)
    assert shown(LOOSE, "--check") == (1, "<stdin>: not formatted\n")
    assert shown("tests:\n- {expect:  a+b}\n") == (0, "tests:\n  - {expect: a+b}\n")
    scenarios = "spec: x\ntests:\n- {name: a, expect: a+b}\n"
    assert shown(scenarios, "--stdin-filename", "x.test.yaml") == (0, "spec: x\ntests:\n  - {name: a, expect: a + b}\n")


def test_what_is_no_yaml_stays_and_is_told(command: Command, spec: Path) -> None:
    spec.write_text("gdl:  1\n  game: [\n", "utf-8")
    shown = command("fmt", spec)
    assert shown.code == 2
    assert "unreadable-yaml" in shown.err
    assert spec.read_text("utf-8") == "gdl:  1\n  game: [\n"


def test_files_that_can_not_be_had(command: Command, spec: Path) -> None:
    shown = command("fmt", spec.parent / "none.yaml", spec)
    assert shown.code == 2
    assert "file-missing" in shown.err
    assert spec.read_text("utf-8") == SET
    assert command("fmt", spec, "-").code == 2


@pytest.mark.skipif(os.name != "posix", reason="needs permissions of POSIX")
def test_a_file_keeps_its_permissions(command: Command, spec: Path) -> None:
    spec.chmod(0o640)
    command("fmt", spec)
    assert spec.stat().st_mode & 0o777 == 0o640


def test_a_file_that_may_not_be_written_is_left_alone(command: Command, spec: Path) -> None:
    spec.chmod(0o444)
    shown = command("fmt", spec)
    assert (shown.code, shown.out) == (2, "")
    assert f"`{spec}` can't be written: permission denied" in shown.err
    assert (spec.read_text("utf-8"), spec.stat().st_mode & 0o777) == (LOOSE, 0o444)
