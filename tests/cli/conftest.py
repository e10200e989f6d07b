"""Runs the command line, in this process or in one of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import IO

import pytest
from attrs import frozen

from gdl.cli.main import main

ROOT = Path(__file__).resolve().parents[2]

RACE_HEAD = """\
gdl: 1
game: race
title: A short race
source: made up
players: 2..4
options:
  goal: {range: 3..12, default: 5}
  style: {values: [walking, running], default: walking}
  loud: {type: bool, default: true}
pieces: {die: {faces: [1, 2, 3]}}
variables:
  place: {type: 0..99, per: player, start: 0}
phases:
  play:
    turns: cycle
    do:
      - roll(die)
      - actions: [advance, rest]
"""
"""A game with chance and options of each form; its actions `advance` and `rest` are left out."""

RACE = RACE_HEAD + """\
actions:
  advance:
    label: "{player} moves on by {die.value}"
    do:
      - player.place += die.value
      - if: player.place >= goal
        then:
          - if: loud
            then: log("{player} arrives")
          - end_game
  rest:
    do: []
result:
  score: {distance: player.place, bonus: if style == running then 1 else 0}
  ranking: [highest score]
"""
"""A game with chance, a log, options of each form and a score of parts."""

CARD_TABLE = """\
gdl: 1
game: cards
players: 2
seats: [ann, bob]
pieces:
  card: {attributes: {rank: int}, each: {rank: 1..9}, at: deck, label: "card {this.rank}"}
zones:
  deck: {stack: true, visible: none}
  hand: {per: player, visible: owner}
  table: {}
"""
"""Cards in a deck, hidden hands and a table; more zones can follow."""

FAULTY = """\
gdl: 1
game: faulty
players: 2
variables:
  counter: 0..3 = 0
phases:
  play: {turns: cycle, actions: bump}
actions:
  bump:
    do: counter += 1
"""
"""A game whose fourth move fails."""

ENDLESS = """\
gdl: 1
game: endless
players: 2
phases:
  play: {turns: cycle, actions: wait}
actions:
  wait:
    do: []
"""
"""A game without an end."""

SPECS = {"race": RACE, "faulty": FAULTY, "endless": ENDLESS}


@frozen
class Output:
    """What a command did."""

    code: int
    out: str
    err: str


Command = Callable[..., Output]


@pytest.fixture
def command(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Command:
    """Runs a command line in this process, from the root of the checkout."""
    monkeypatch.chdir(ROOT)
    for name in ("NO_COLOR", "FORCE_COLOR", "GDL_DEBUG"):
        monkeypatch.delenv(name, raising=False)

    def run(*arguments: str | Path) -> Output:
        capsys.readouterr()
        code = main([str(argument) for argument in arguments])
        return Output(code, *capsys.readouterr())

    return run


def start_process(*arguments: str | Path, env: Mapping[str, str] | None = None, out: IO[str] | None = None) -> subprocess.Popen[str]:
    """Start a command line in a process of its own, its output unbuffered and in pipes, or in a file that is given."""
    kept = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "FORCE_COLOR", "GDL_DEBUG")}
    return subprocess.Popen(
        [sys.executable, "-u", "-m", "gdl.cli.main", *map(str, arguments)],
        cwd=ROOT,
        env={**kept, **(env or {})},
        stdout=subprocess.PIPE if out is None else out,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
    )


@pytest.fixture
def process() -> Command:
    """Runs a command line in a process of its own, with its output in pipes."""

    def run(*arguments: str | Path, env: Mapping[str, str] | None = None) -> Output:
        with start_process(*arguments, env=env) as started:
            out, err = started.communicate(timeout=60)
        return Output(started.returncode, out, err)

    return run


@pytest.fixture
def spec(tmp_path: Path) -> Callable[[str], Path]:
    """Writes one of the specs above into a folder of the test and gives its path."""

    def write(name: str) -> Path:
        path = tmp_path / f"{name}.yaml"
        path.write_text(SPECS[name], "utf-8")
        return path

    return write
