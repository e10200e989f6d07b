"""Streams that are closed, full or read by nobody, and names with control characters: no crash, and nothing that reaches the terminal."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.bad_input.conftest import HEAD, Bench

SPEC = HEAD + "phases: {play: {turns: cycle, actions: go}}\nactions: {go: {do: []}}\nlimits: {turns: 3}\n"
SECONDS = 120

CLOSED = {
    "no output to lint": (0, "lint bad.yaml >&-"),
    "no output to run": (0, "run bad.yaml --seed 1 >&-"),
    "no output for help": (0, "--help >&-"),
    "no streams": (0, "run bad.yaml --seed 1 <&- >&- 2>&-"),
    "no input to play": (0, "play bad.yaml --seed 1 <&-"),
    "no input to lint": (1, "lint - <&-"),
    "a full disk": (1, "run bad.yaml --seed 1 >/dev/full"),
    "a full disk for both": (1, "lint nothing.yaml >/dev/full 2>/dev/full"),
    "a reader that has gone": (141, "explain | true; exit ${PIPESTATUS[0]}"),
}


@pytest.mark.parametrize(("code", "line"), CLOSED.values(), ids=CLOSED)
def test_closed_streams(tmp_path: Path, code: int, line: str) -> None:
    (tmp_path / "bad.yaml").write_text(SPEC, "utf-8")
    done = subprocess.run(
        ["bash", "-c", f"'{sys.executable}' -m gdl.cli.main {line}"],
        cwd=tmp_path, capture_output=True, text=True, timeout=SECONDS, check=False,
    )  # fmt: skip
    assert "Traceback" not in done.stderr
    assert "gdl itself" not in done.stderr
    assert "Exception ignored" not in done.stderr
    assert done.returncode == code, done.stderr


@pytest.mark.parametrize("command", [["lint"], ["run"], ["perft", "--depth", "1"], ["test"], ["lint", "no.yaml", "--config"]])
def test_names_that_would_disturb_a_terminal(bench: Bench, command: list[str]) -> None:
    words = bench.refused("", 2, *command, "\x1b[31mred\n.yaml")
    assert all(character.isprintable() for line in words.split("\n") for character in line)
    assert "[31mred" in words


def test_a_text_of_a_spec_that_would_disturb_a_terminal(bench: Bench) -> None:
    words = bench.refused("wrong-word", 1, "lint", bench.spec('phases: {p: {turns: "\\e[31mred\\u202E", do: []}}\n'))
    assert all(character.isprintable() for line in words.split("\n") for character in line)
