"""`gdl lint --fix` and `--diff`: what is mended, and that nothing else changes."""

from __future__ import annotations

from pathlib import Path

import pytest

from gdl.cli.linting import Fixing, lint

FAULTY = """\
# A game, with a misspelt name and   odd layout.
gdl: 1
game: example
title: Example
source: made up
players: 2
variables: {points:   0..10 = 0}   # kept as it is
phases:
  play: {turns: "cycel", actions: walk}
actions:
  # gdl: ignore[unused-action] it is used
  walk:
    do: [ pionts += 1 ]   # gdl: ignore[unused-zone] nothing to silence
end:
  - {when: points > 9, tie: true}
"""
MENDED = """\
# A game, with a misspelt name and   odd layout.
gdl: 1
game: example
title: Example
source: made up
players: 2
variables: {points:   0..10 = 0}   # kept as it is
phases:
  play: {turns: "cycle", actions: walk}
actions:
  walk:
    do: [ points += 1 ]
end:
  - {when: points > 9, tie: true}
"""


@pytest.mark.parametrize("ends", ["\n", "\r\n"])
@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_only_what_is_wrong_changes(tmp_path: Path, ends: str, mark: bytes) -> None:
    path = tmp_path / "example.yaml"
    path.write_bytes(mark + FAULTY.replace("\n", ends).encode())
    lint([path], setup=False, fixing=Fixing(write=True))
    assert lint([path], setup=False, fixing=Fixing(write=True)) == 0
    assert path.read_bytes() == mark + MENDED.replace("\n", ends).encode()


def test_a_diff_changes_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "example.yaml"
    path.write_text(FAULTY, "utf-8")
    assert lint([path], setup=False, fixing=Fixing(show=True)) == 0
    assert path.read_text("utf-8") == FAULTY
    shown = capsys.readouterr().out.splitlines()
    assert '-  play: {turns: "cycel", actions: walk}' in shown
    assert '+  play: {turns: "cycle", actions: walk}' in shown


def test_of_several_codes_one_goes(tmp_path: Path) -> None:
    path = tmp_path / "example.yaml"
    path.write_text(MENDED.replace("variables:", "# gdl: ignore[unused-zone, unused-variable] a try\nvariables:").replace(
        "0..10 = 0}", "0..10 = 0, more: bool}"), "utf-8")  # fmt: skip
    lint([path], setup=False, fixing=Fixing(write=True))
    assert "# gdl: ignore[unused-variable] a try\n" in path.read_text("utf-8")


def test_what_leaves_a_choice_stays(tmp_path: Path) -> None:
    path = tmp_path / "example.yaml"
    text = MENDED.replace("0..10 = 0}", "0..10 = 0, pointa: 0..9 = 0}").replace("[ points", "[ pointx")
    path.write_text(text, "utf-8")
    lint([path], setup=False, fixing=Fixing(write=True))
    assert path.read_text("utf-8") == text


def test_what_would_be_worse_is_taken_back(tmp_path: Path) -> None:
    path = tmp_path / "example.yaml"
    text = MENDED.replace("points += 1", "walker(3)").replace("actions:\n", 'procedures:\n  "walked(n: player)": points += 1\nactions:\n')
    path.write_text(text, "utf-8")
    before = lint([path], setup=False)
    assert lint([path], setup=False, fixing=Fixing(write=True)) == before == 1
