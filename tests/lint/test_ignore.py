"""Comments that silence the linter: what they cover, and what is wrong with them."""

from __future__ import annotations

from pathlib import Path

import pytest

from gdl.cli.linting import Linter
from gdl.validators.config import Config

SPEC = """\
gdl: 1
game: example
title: Example
source: made up
players: 2
constants:
{constants}
phases:
  play: {{turns: cycle, actions: walk}}
actions:
  walk: {{do: tie}}
end:
  - {{when: false, tie: true}}
"""


def found(tmp_path: Path, constants: str, config: Config | None = None, head: str = "") -> list[tuple[str, int, int]]:
    path = tmp_path / "example.yaml"
    path.write_text(SPEC.format(constants=constants).replace("constants:", f"{head}constants:"), "utf-8")
    checked = Linter(config or Config()).check(path)
    assert checked.crash is None
    return [(f.code, f.span.line, f.span.column) for f in checked.findings if f.span.line < 12]


def test_behind_a_line_it_is_about_the_line(tmp_path: Path) -> None:
    assert found(tmp_path, "  a: 1 # gdl: ignore[unused-constant] later\n  b: 2") == [("unused-constant", 8, 3)]


def test_above_a_block_it_is_about_the_block(tmp_path: Path) -> None:
    text = SPEC.replace("constants:", "# gdl: ignore[GDL311] later\nconstants:").format(constants="  a: 1\n\n  b: 2")
    path = tmp_path / "example.yaml"
    path.write_text(text, "utf-8")
    assert [f.code for f in Linter(Config()).check(path).findings if f.span.line < 12] == []


def test_several_codes_in_one_comment(tmp_path: Path) -> None:
    comment = "# gdl: ignore[unused-constant, unused-option] later"
    assert found(tmp_path, f"  a: 1 {comment}") == [("unused-ignore", 7, 39)]


def test_one_that_silences_nothing_is_found(tmp_path: Path) -> None:
    assert found(tmp_path, "  # gdl: ignore[unused-zone] later\n  a: 1") == [("unused-ignore", 7, 17), ("unused-constant", 8, 3)]


def test_one_for_a_rule_that_is_not_looked_for_may_stand(tmp_path: Path) -> None:
    assert found(tmp_path, "  # gdl: ignore[unused-constant] later\n  a: 1", Config(ignore=("unused-constant",))) == []


@pytest.mark.parametrize(
    ("comment", "column"),
    [
        ("# gdl: ignore unused-constant", 8),
        ("# gdl: ignore[unused-constnat] later", 22),
        ("# gdl: ignore[unknown-name] later", 22),
        ("# gdl: be quiet", 8),
        ("# gdl: ignore[] later", 8),
        ("# gdl: ignore[ , ] later", 8),
        ("# gdl: Ignore[unused-constant] later", 8),
        ("# GDL: ignore[unused-constant] later", 8),
        ("# gdl ignore [unused-constant] later", 8),
    ],
)
def test_one_that_is_not_understood_is_found(tmp_path: Path, comment: str, column: int) -> None:
    assert found(tmp_path, f"  a: 1 {comment}") == [("unused-constant", 7, 3), ("bad-ignore", 7, column)]


def test_one_without_a_reason_counts_and_is_found(tmp_path: Path) -> None:
    assert found(tmp_path, "  a: 1 # gdl: ignore[unused-constant]") == [("bad-ignore", 7, 8)]


def test_a_quoted_text_is_no_comment(tmp_path: Path) -> None:
    assert found(tmp_path, "  a: \"'x # gdl: ignore[unused-constant] no'\"") == [("unused-constant", 7, 3)]


def test_it_counts_inside_an_expression_of_many_lines(tmp_path: Path) -> None:
    assert found(tmp_path, "  a: |\n    1 + # gdl: ignore[unused-zone] later\n    2") == [
        ("unused-constant", 7, 3),
        ("unused-ignore", 8, 23),
    ]


def test_errors_can_not_be_silenced(tmp_path: Path) -> None:
    assert ("unknown-name", 7, 6) in found(tmp_path, "  a: b # gdl: ignore[unused-constant] later")


@pytest.mark.parametrize("text", ["about: |\n", "about: >-\n", "about: |2\n"])
def test_in_a_block_of_text_there_are_no_comments(tmp_path: Path, text: str) -> None:
    block = f"{text}  a\n  # gdl: ignore[unused-zone] no\n  b # gdl: nonsense\n"
    assert found(tmp_path, "  a: 1", head=block) == [("key-order", 6, 1), ("unused-constant", 11, 3)]


def test_around_a_block_of_text_there_are_comments(tmp_path: Path) -> None:
    block = "about: |  # gdl: ignore[unused-zone] beside\n  a\n# gdl: ignore[unused-zone] behind\n"
    assert found(tmp_path, "  a: 1", head=block) == [
        ("key-order", 6, 1),
        ("unused-ignore", 6, 25),
        ("unused-ignore", 8, 15),
        ("unused-constant", 10, 3),
    ]


def test_in_a_block_with_holes_there_are_no_comments(tmp_path: Path) -> None:
    path = tmp_path / "example.yaml"
    label = "walk:\n    label: >-\n      {player}\n      # gdl: ignore[unused-zone] {1 + 1} no\n    do: tie"
    path.write_text(SPEC.format(constants="  a: 1").replace("walk: {do: tie}", label), "utf-8")
    assert [f.code for f in Linter(Config()).check(path).findings] == ["unused-constant"]


def test_other_comments_may_speak_of_the_language(tmp_path: Path) -> None:
    assert found(tmp_path, "  a: 1 # GDL ignores this\n  # GDL: the language") == [("unused-constant", 7, 3)]


def test_the_cure_of_one_code_of_several_leaves_the_others(tmp_path: Path) -> None:
    path = tmp_path / "example.yaml"
    path.write_text(SPEC.format(constants="  a: 1 # gdl: ignore[unused-constant, GDL316] later"), "utf-8")
    (finding,) = Linter(Config()).check(path).findings
    assert finding.help == "take `GDL316` out of the brackets"
