"""The examples of docs/cli.md are run, and what they print is compared; GDL_UPDATE=1 writes it anew."""

from __future__ import annotations

import io
import json
import os
import re
import shlex
from pathlib import Path

import pytest

import gdl
from gdl.interpreter.trial import read_trial, write_trial
from tests.cli.conftest import ROOT, Command

PAGE = ROOT / "docs" / "cli.md"
FILES = ROOT / "docs" / "files.md"
_FENCE = re.compile(r"^```(?P<info>[^\n`]+)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)


def test_examples_print_what_the_page_says(command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = PAGE.read_text("utf-8")
    (tmp_path / "specs").symlink_to(ROOT / "specs")
    monkeypatch.chdir(tmp_path)

    def renew(match: re.Match[str]) -> str:
        kind, _, name = match["info"].partition(" ")
        if kind == "yaml" and name:
            Path(name).write_text(match["text"], "utf-8")
        if kind != "console":
            return match[0]
        lines = [line for line in match["text"].splitlines() if line.startswith("$ ")]
        return "\n".join(["```console", *(f"{line}\n{answer(command, line[2:], monkeypatch)}".rstrip() for line in lines), "```"])

    renewed = _FENCE.sub(renew, page)
    if os.environ.get("GDL_UPDATE"):
        PAGE.write_text(renewed, "utf-8")
    assert renewed == page


def answer(command: Command, line: str, monkeypatch: pytest.MonkeyPatch) -> str:
    """What a line of a console prints: a command of gdl, maybe with typed lines, or a replacement that makes another file."""
    program, *arguments = shlex.split(line)
    if program == "printf":
        typed, _, program, *arguments = arguments
        monkeypatch.setattr("sys.stdin", io.StringIO(typed.replace("\\n", "\n")))
    if program == "sed":
        edit, source, _, target = arguments
        _, old, new, _ = edit.split("/")
        Path(target).write_text(Path(source).read_text("utf-8").replace(old, new), "utf-8")
        return ""
    assert program == "gdl"
    shown = command(*arguments)
    return shown.out + shown.err


def test_the_example_of_a_record_is_one() -> None:
    (example,) = [m["text"] for m in _FENCE.finditer(FILES.read_text("utf-8")) if m["info"] == "json"]
    data = json.loads(example)
    assert write_trial(read_trial(data)) == data


def test_saved_states_have_the_keys_of_the_page() -> None:
    state = gdl.load(ROOT / "specs" / "hugo.yaml").game().new_state(1)
    page = FILES.read_text("utf-8")
    assert all(f"`{key}`" in page for key in state.to_json())
