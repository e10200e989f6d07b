"""What the rules about conditions and branches find by what is known where they stand, and what they leave alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.lint.walks import found

RULES = ("constant-condition", "shadowed-branch", "unreached-case")


def conditions_in(action: str, folder: Path, sections: str = "") -> list[tuple[str, str]]:
    return found(RULES, action, folder, sections)


NEVER = {
    "two comparisons": ("when: points > 5 and points < 3", "points > 5 and points < 3"),
    "two comparisons apart": ("when: points > 5 and now == glad and points == 2", "points > 5 and now == glad and points == 2"),
    "of another one's number": ("choose: p in players where p.coins > 3 and p.coins < 2", "p.coins > 3 and p.coins < 2"),
    "two symbols": ("when: now == glad and now == sad", "now == glad and now == sad"),
    "two seats": ("when: leader == anna and leader == ben", "leader == anna and leader == ben"),
    "a symbol that was excluded": ("when: not (now == glad) and now == glad", "not (now == glad) and now == glad"),
    "itself": ("when: points < points", "points < points"),
    "a row that there is not": ("choose: c in board where c.row > 4", "c.row > 4"),
    "a rank that there is not": ("choose: c in card where c.rank > 13", "c.rank > 13"),
    "a number in no list": ("when: points in [11, 12]", "points in [11, 12]"),
    "any of none": ("when: any(board, it.row > 7)", "any(board, it.row > 7)"),
    "more than there are": ("when: count(card) > 52", "count(card) > 52"),
    "more players": ("when: count(players where it.coins > 1) > 3", "count(players where it.coins > 1) > 3"),
    "the greater of two": ("when: max(points, 3) < 2", "max(points, 3) < 2"),
    "in a value": ("do: points = if points > 5 then (if points < 4 then 1 else 2) else 3", "points < 4"),
    "behind an if": ("do:\n  - if: points > 5\n    then:\n      - if: points < 4\n        then: points += 1\n", "points < 4"),
    "behind a way out": ("do:\n  - if: points > 5\n    then: end_turn\n  - if: points == 7\n    then: points += 1\n", "points == 7"),
    "behind an assignment": ("do:\n  - points = 3\n  - if: points > 5\n    then: points += 1\n", "points > 5"),
    "of a local": ("do:\n  - let: n = 2 * points + 1\n  - if: n < 1\n    then: points += 1\n", "n < 1"),
    "of what is chosen": ("choose: n in 1..3\nwhen: n > 3\ndo: points = n", "n > 3"),
    "of a filtered list": ("choose: n in 1..9 where n < 4\nwhen: n > 3\ndo: points = n", "n > 3"),
    "in a loop": ("do:\n  - for: n in 1..3\n    do:\n      - if: n == 4\n        then: points += 1\n", "n == 4"),
    "after the guard": ("when: points > 5\ndo:\n  - if: points < 3\n    then: points += 1\n", "points < 3"),
}


@pytest.mark.parametrize(("action", "text"), NEVER.values(), ids=NEVER)
def test_what_never_holds_is_found(action: str, text: str, tmp_path: Path) -> None:
    assert conditions_in(action, tmp_path) == [("constant-condition", text)]


LEFT_ALONE = {
    "an option": "when: quick and points < 3",
    "both ways": "when: points > 5 or points < 3",
    "none and a value": "when: later != glad and later != sad",
    "the other way in else": "do: points = if points > 5 then 1 else if points <= 5 then 2 else 3",
    "a change between": "do:\n  - if: points > 5\n    then:\n      - points = 1\n      - points += 2\n"
                        "      - if: points < 4\n        then: stop_here\n",
    "a call between": "do:\n  - if: points > 5\n    then:\n      - stop_here\n      - if: points < 4\n        then: stop_here\n",
    "a loop that counts": "do:\n  - points = 0\n  - while: points < 3\n    do: points += 1\n",
    "a loop that changes": "do:\n  - if: points == 0\n    then:\n      - for: n in 1..3\n        do:\n          - if: points == 2\n"
                           "            then: stop_here\n          - points += 1\n",
    "a let that is given another value": "do:\n  - let: n = 1\n  - n = points\n  - if: n > 3\n    then: stop_here\n",
    "what was chosen before a change": "choose: n in 0..9 where n > points\ndo:\n  - points = 9\n  - if: n < 8\n    then: stop_here\n",
    "a clamped number": "do:\n  - water = 99\n  - if: water < 20\n    then: stop_here\n",
    "two different players": "choose: [p in players, q in players]\nwhen: p.coins > 3 and q.coins < 2\ndo: []",
    "what holds for all rows there are": "choose: c in card where c.rank > 0\ndo: []",
    "two elements": "when: any(players, it.coins > 3) and any(players, it.coins < 2)",
}  # fmt: skip


@pytest.mark.parametrize("action", LEFT_ALONE.values(), ids=LEFT_ALONE)
def test_what_can_come_out_either_way_is_left_alone(action: str, tmp_path: Path) -> None:
    assert conditions_in(action, tmp_path) == []


def test_triggers_may_change_what_was_assigned(tmp_path: Path) -> None:
    action = "do:\n  - points = 3\n  - if: points > 5\n    then: points += 1\n"
    assert conditions_in(action, tmp_path, "triggers:\n  more: {on: change(points), do: points = 9}\n") == []


def test_a_tautology_is_found(tmp_path: Path) -> None:
    assert conditions_in("when: points < 3 or points >= 3", tmp_path) == [("constant-condition", "points < 3 or points >= 3")]


CHAIN = "do:\n  - if: points < 6\n    then: points += 1\n    else:\n      - if: {}\n        then: points += 2\n        else: points += 3\n"


def test_a_branch_for_what_is_left_by_none_is_found(tmp_path: Path) -> None:
    assert conditions_in(CHAIN.format("points < 3"), tmp_path) == [("shadowed-branch", "points < 3")]
    assert conditions_in(CHAIN.format("points < 9"), tmp_path) == []


def test_an_end_behind_a_wider_one_is_found(tmp_path: Path) -> None:
    ends = "end:\n  - {{when: points > 5, tie: true}}\n  - {{when: points > {}, winners: anna}}\n"
    assert conditions_in("do: points += 1", tmp_path, ends.format(7)) == [("shadowed-branch", "points > 7")]
    assert conditions_in("do: points += 1", tmp_path, ends.format(4)) == []


MATCH = "do:\n  - match: {}\n    cases: {{{}}}\n    else: points += 1\n"


@pytest.mark.parametrize(
    ("subject", "cases", "text"),
    [
        ("points", "11..12: points = 1, 3: points = 2", "11..12"),
        ("now", "glad: points = 1, sad: points = 2", "points += 1"),
        ("water", "0..9: points = 1, 10..20: points = 2", "points += 1"),
    ],
)
def test_a_case_that_never_comes_is_found(subject: str, cases: str, text: str, tmp_path: Path) -> None:
    assert conditions_in(MATCH.format(subject, cases), tmp_path) == [("unreached-case", text)]


@pytest.mark.parametrize(
    ("subject", "cases"),
    [
        ("points", "0: points = 1, 10: points = 2"),
        ("later", "glad: points = 1, sad: points = 2"),
        ("now", "glad: points = 1"),
        ("water", "'[0, 20]': points = 1"),
    ],
)
def test_cases_that_can_come_are_left_alone(subject: str, cases: str, tmp_path: Path) -> None:
    assert conditions_in(MATCH.format(subject, cases), tmp_path) == []
