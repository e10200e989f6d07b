"""What the rules about values, names and amounts find, and what they leave alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from gdl.api import examine
from gdl.validators.rules import RULES
from gdl.validators.subject import Subject
from tests.lint.walks import found

VALUES = ("out-of-range", "never-legal", "empty-choice", "hidden-it", "no-such-place", "too-many")

FOUND = {
    "a sum": ("do: >-\n  points += 11", "out-of-range", "11"),
    "less than nothing": ("do:\n  - if: points == 0\n    then: points -= 1\n", "out-of-range", "1"),
    "more than all": ("do:\n  - if: points > 8\n    then: points += 3\n", "out-of-range", "3"),
    "a long list": ("do: order = [1, 2, 3, 4]", "out-of-range", "[1, 2, 3, 4]"),
    "an argument of a procedure": ("do: gain(4)", "out-of-range", "4"),
    "an argument of a function": ("do: points = double(points + 6)", "out-of-range", "points + 6"),
    "an argument of an action": ("do: [actions: [rest(9)]]", "out-of-range", "9"),
    "an argument that is never legal": ("do: [actions: [rest(0)]]", "never-legal", "rest(0)"),
    "a choice that is never legal": ("do: [actions: [grab(n=1)]]", "never-legal", "grab(n=1)"),
    "only when the game is over": ("do: [actions: [late]]", "never-legal", "late"),
    "a row": ("choose: c in card\ndo: move(c, board[4, 0])", "no-such-place", "4"),
    "a column": ("choose: c in card\ndo: move(c, board[0, 5])", "no-such-place", "5"),
    "a key": ("do: points = slot[4].index", "no-such-place", "4"),
    "a step of a path": ("do: points = path[6].index", "no-such-place", "6"),
    "below nothing": ("do: points = path[points - 11].index", "no-such-place", "points - 11"),
    "a player": ("do: players[3].coins += 1", "no-such-place", "3"),
    "an element": ("do: points = [1, 2][2]", "no-such-place", "2"),
    "a piece": ("choose: c in board\ndo: move(coin[2], path[0])", "no-such-place", "2"),
    "more opponents than there are": ("choose: p in opponents(player)\ncount: 3\ndo: points += 1", "too-many", "3"),
    "more players than there are": ("choose: p in players\ncount: 4\ndo: points += 1", "too-many", "4"),
    "more than a space holds": ("do: move([card[1, 0], card[1, 1], card[1, 2], card[1, 3]], discard)", "too-many",
                                "[card[1, 0], card[1, 1], card[1, 2], card[1, 3]]"),
    "a deal": ("do: deal(20, deck, hand)", "too-many", "20"),
    "an it for another": ("when: any(players, any(board, it.row > 2))", "hidden-it", "it"),
}  # fmt: skip
MORE = """\
  "rest(n: 0..3)": {when: n > 0, do: points += n}
  grab: {choose: n in 0..5, when: n > 2, do: points = n}
  late: {when: points == 10, do: points = 0}
end:
  - {when: points > 9, tie: true}
"""


@pytest.mark.parametrize(("action", "rule", "text"), FOUND.values(), ids=FOUND)
def test_what_can_t_be_right_is_found(action: str, rule: str, text: str, tmp_path: Path) -> None:
    assert found(VALUES, _step(action), tmp_path, MORE) == [(rule, text)]


def _step(action: str) -> str:
    """An action; a choice of so many stands in its steps."""
    if "count:" not in action:
        return action
    return "do:\n  - " + action.replace("\n", "\n    ")


LEFT_ALONE = {
    "a sum that fits": "do: points += 10",
    "a clamped sum": "do: water += 99",
    "a number that may fit": "do:\n  - if: points > 8\n    then: points += 1\n",
    "a list that fits": "do: order = [1, 2, 3]",
    "a list that may fit": "do: order = (1..9 where it > points)",
    "an argument that may fit": "do: gain(points)",
    "an argument that is legal": "do: [actions: [rest(2)]]",
    "the last row": "choose: c in card\ndo: move(c, board[3, 4])",
    "a row that may be": "choose: c in card\ndo: move(c, board[points, 0])",
    "what is not reached": "do:\n  - if: points > 11\n    then: points = path[9].index\n",
    "as many players as there are": "choose: p in players\ncount: 3\ndo: points += 1",
    "a deal of all": "do: deal(52, deck, hand)",
    "a deal that comes out": "do: deal(17, deck, hand)",
    "an it in the inner list": "when: any(players, any(it.hand, it.rank > 2))",
    "an it beside": "when: any(players, it.coins > 2 and any(board, it.row > 2))",
    "a named one": "when: any(players as p, any(board, it.row > p.coins))",
    "an it of a function": "when: any(players, double(2) > 3)",
}


@pytest.mark.parametrize("action", LEFT_ALONE.values(), ids=LEFT_ALONE)
def test_what_may_be_right_is_left_alone(action: str, tmp_path: Path) -> None:
    assert found(VALUES, _step(action), tmp_path, MORE) == []


UNTIL = """\
gdl: 1
game: example
players: 2
variables: {points: 0..10 = 0}
phases:
  play: {turns: cycle, until: points >= 5, actions: [walk, late]}
actions:
  walk: {do: points += 1}
  late: {when: points > 6, do: %s}
"""


def test_an_action_that_comes_when_its_phase_is_over_is_never_legal(tmp_path: Path) -> None:
    assert never_legal(UNTIL % "points = 0", tmp_path) == ["late"]
    assert never_legal(UNTIL % "again", tmp_path) == []
    assert never_legal(UNTIL % "points = 0" + "triggers: {t: {on: turn_start, do: points = 9}}\n", tmp_path) == []


def never_legal(text: str, folder: Path) -> list[str]:
    path = folder / "example.yaml"
    path.write_text(text, "utf-8")
    spec, _ = examine(path)
    assert spec is not None
    return [f.span.text for rule in RULES if rule.name == "never-legal" for f in rule.run(Subject(spec.context))]


def test_a_branch_of_together_may_go_on_behind_the_end(tmp_path: Path) -> None:
    action = "do:\n  - together: players\n    do: {actions: late, else: []}\n"
    assert found(VALUES, action, tmp_path, MORE) == []


DIE = "do:\n  - roll(die)\n  - if: die.face == ghost\n    then: points += 1\n"


@pytest.mark.parametrize(
    ("faces", "texts"), [("ghost, gohst", ["gohst"]), ("ghost, ghosts, 2", ["ghosts"]), ("ghost, cat, 2", []), ("ghost, goat", [])]
)
def test_a_misspelt_face_is_found(faces: str, texts: list[str], tmp_path: Path) -> None:
    die = f"zones: {{box: {{}}}}\npieces:\n  die: {{faces: [{faces}]}}\n"
    path = tmp_path / "example.yaml"
    path.write_text(f"gdl: 1\ngame: dice\nplayers: 2\n{die}variables: {{points: 0..9 = 0}}\nphases:\n  play:\n    turns: each\n"
                    + "".join(f"    {line}\n" for line in DIE.split("\n")), "utf-8")  # fmt: skip
    spec, report = examine(path)
    assert spec is not None
    assert not report.has_errors, [d.message for d in report.items]
    findings = [f for rule in RULES if rule.name == "unused-value" for f in rule.run(Subject(spec.context))]
    assert [(f.span.text, f.suggestion) for f in findings] == [(text, "ghost") for text in texts]


TABLES = """\
gdl: 1
game: example
players: 2..4
options:
  length: {values: [short, long], default: short}
  quick: {type: bool, default: false}
variables: {points: 0..99 = 0}
constants:
  goal: "{2: 5, 3: 9}[count(players)]"
  rounds: "{short: 3}[length]"
phases:
  play: {turns: cycle, actions: walk}
actions:
  walk:
"""
SETTINGS = {
    "players": ("do: >-\n  points += {2: 5, 4: 9}[count(players)]", ["count(players)"]),
    "players by a constant": ("do: >-\n  points += goal", ["count(players)"]),
    "an option": ("do: >-\n  points += rounds", ["length"]),
    "both": ("do: >-\n  points += {2: 5, 3..4: 9}[count(players)] + {true: 1}[quick]", ["quick"]),
    "beside conditions over players that do not keep it away": (
        "do:\n  - if: any(players, seat(it) == points)\n    then: points += goal\n", ["count(players)"],
    ),
    "with a range": ("do: >-\n  points += {2..4: 5}[count(players)]", []),
    "with a value for others": ("do: >-\n  points += goal ?? 7", []),
    "tested": ("do:\n  - if: goal != none\n    then: points += goal\n", []),
    "kept away by a condition": ("do: >-\n  points += if count(players) < 4 then goal else 8", []),
    "kept away from the action": ("when: length == short\ndo: points += rounds", []),
    "of something else": ("do: >-\n  points += {2: 5}[points]", []),
}


@pytest.mark.parametrize(("action", "texts"), SETTINGS.values(), ids=SETTINGS)
def test_tables_are_asked_for_all_players_and_options(action: str, texts: list[str], tmp_path: Path) -> None:
    path = tmp_path / "example.yaml"
    path.write_text(TABLES + "".join(f"    {line}\n" for line in action.split("\n")), "utf-8")
    spec, report = examine(path)
    assert spec is not None
    assert not report.has_errors, [d.message for d in report.items]
    (rule,) = [rule for rule in RULES if rule.name == "missing-entry"]
    assert [finding.span.text for finding in rule.run(Subject(spec.context))] == texts
