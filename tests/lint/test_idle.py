"""Steps that change nothing and names that nobody asks for: what is found, and what is left alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from gdl.api import examine
from gdl.validators.rules import idle
from gdl.validators.subject import Subject

HEAD = """\
gdl: 1
game: example
players: 2
variables: {n: 0..9 = 0, m: {type: 0..9, per: player, start: 0}}
functions:
  "more(k: int)": k + n
phases: {play: {turns: each, do: [go(player)]}}
procedures:
  "go(p: player)":
"""


def found(steps: str, folder: Path) -> list[tuple[str, str]]:
    path = folder / "example.yaml"
    path.write_text(HEAD + "".join(f"    {line}\n" for line in steps.splitlines()), "utf-8")
    spec, report = examine(path)
    assert spec is not None
    assert not report.has_errors, [d.message for d in report.items]
    return [(rule.name, finding.span.text) for rule in idle.RULES for finding in rule.run(Subject(spec.context))]


@pytest.mark.parametrize(
    ("steps", "name", "text"),
    [
        ("- end_turn\n- n += 1\n- n += 2", "idle-step", "n += 1"),
        ("- for: i in 1..3\n  do: [stop, n += i]", "idle-step", "n += i"),
        ("- if: n > 3\n  then: [return, n += 1]", "idle-step", "n += 1"),
        ("- n = n", "idle-step", "n = n"),
        ("- p.m = p.m", "idle-step", "p.m = p.m"),
        ("- if: n > 3\n  then: []\n  else: []", "idle-step", "n > 3"),
        ("- let: x = more(2)\n- n = 3", "unused-let", "x"),
    ],
)
def test_what_does_nothing_is_found(steps: str, name: str, text: str, tmp_path: Path) -> None:
    assert found(steps, tmp_path) == [(name, text)]


@pytest.mark.parametrize(
    "steps",
    [
        "- if: n > 3\n  then: end_turn\n- n += 1",
        "- n += 1\n- end_turn",
        "- again\n- n += 1",
        "- n += n",
        "- p.m = players[0].m",
        "- if: n > 3\n  then: []\n  else: n = 3",
        "- let: x = more(2)\n- log(\"{x}\")",
        "- let: x = more(2)\n- n = count(1..3, it == x)",
        "- let: x = pick(1..3)",
        "- let: [x = more(2), y = x]\n- choose: k in 0..y\n  do: n = k",
    ],
)
def test_what_does_something_is_left_alone(steps: str, tmp_path: Path) -> None:
    assert found(steps, tmp_path) == []
