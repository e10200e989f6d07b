"""What the rules about the course of a game find, and what they leave alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from gdl.api import examine
from gdl.validators.rules import flow
from gdl.validators.subject import Subject

HEAD = """\
gdl: 1
game: example
players: 2
enums: {mood: [glad, sad]}
zones: {board: {grid: [2, 2], variables: {mark: bool}}}
variables: {points: 0..10 = 0, laps: 0..9 = 0, now: mood = glad, winner: player or none}
actions: {walk: {when: points < 9, do: points += 1}}
"""
PLAY = "phases: {play: {turns: cycle, actions: walk}}\nend:\n  - {when: points > 8, tie: true}\n"


def flaws(sections: str, folder: Path) -> list[tuple[str, str]]:
    path = folder / "example.yaml"
    path.write_text(HEAD + sections, "utf-8")
    spec, report = examine(path)
    assert spec is not None
    assert not report.has_errors, [d.message for d in report.items]
    return [(rule.name, finding.span.text) for rule in flow.RULES for finding in rule.run(Subject(spec.context))]


@pytest.mark.parametrize("condition", ["laps == 3", "laps > points + 5", "now == sad", "laps > 0 and points > 3"])
def test_an_end_that_nothing_leads_to_is_found(condition: str, tmp_path: Path) -> None:
    assert flaws(PLAY + f"  - {{when: {condition}, tie: true}}\n", tmp_path) == [("unreached-end", condition)]


@pytest.mark.parametrize(
    ("condition", "more"),
    [
        ("laps == 3", "triggers: {t: {on: change(points), do: laps += 1}}\n"),
        ("laps == 3", "setup: [laps = 3]\n"),
        ("laps == 3", "setup: ['swap(laps, points)']\n"),
        ("laps == 3", "options: {quick: {type: bool, default: false}}\nprocedures: {lap(): laps += 1}\nsetup: [lap]\n"),
        ("laps == 0 and points > 3", ""),
        ("winner != none", ""),
        ("all(board, it.mark)", ""),
    ],
)
def test_an_end_that_something_may_lead_to_is_left_alone(condition: str, more: str, tmp_path: Path) -> None:
    assert flaws(PLAY + f'  - {{when: "{condition}", tie: true}}\n' + more, tmp_path) == []


PHASES = "phases:\n  first: {turns: each, actions: walk}\n  last: {turns: each, actions: walk}\n"


def test_a_game_that_ends_with_its_phases_says_who_has_won(tmp_path: Path) -> None:
    assert flaws(PHASES, tmp_path) == [("no-result", "last")]
    assert flaws(PHASES + "result: {score: points}\n", tmp_path) == []
    assert flaws(PHASES + "triggers: {t: {on: change(points), when: new > 3, do: 'win(players[0])'}}\n", tmp_path) == []
    assert flaws(PHASES + "triggers: {t: {on: change(points), do: end_game}}\n", tmp_path) == [("no-result", "end_game")]
