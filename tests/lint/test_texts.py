"""Texts that show all of something where one is meant."""

from __future__ import annotations

from pathlib import Path

import pytest

from gdl.api import examine
from gdl.validators.rules import names
from gdl.validators.subject import Subject

SPEC = """\
gdl: 1
game: test
title: Test
source: made up
players: 2
enums: {{suit: [clubs, hearts]}}
zones: {{deck: {{}}, hand: {{per: player}}}}
pieces:
  card: {{attributes: {{suit: suit}}, each: {{suit: suit}}, at: deck, label: "{label}"}}
  pawn: {{at: deck}}
phases:
  play:
    turns: each
    do: 'log("{log}")'
"""
ALL = ("{suit}", "{players}", "{card}", "{hand}")
ONE = ("{player}", "{player.hand}", "{deck}", "{pawn}", "{suit where it == clubs}", "{count(card)}", "{card[clubs]}")


def found(label: str, log: str, folder: Path) -> list[tuple[str, str]]:
    path = folder / "example.yaml"
    path.write_text(SPEC.format(label=label, log=log), "utf-8")
    spec, report = examine(path)
    assert spec is not None
    assert not report.has_errors, [d.message for d in report.items]
    return [(finding.span.text, finding.help) for rule in names.RULES for finding in rule.run(Subject(spec.context))]


@pytest.mark.parametrize("hole", ALL)
def test_all_of_something_is_found(hole: str, tmp_path: Path) -> None:
    assert [text for text, _ in found("a card", f"look: {hole}", tmp_path)] == [hole[1:-1]]


@pytest.mark.parametrize("hole", ONE)
def test_one_is_left_alone(hole: str, tmp_path: Path) -> None:
    assert found("{this.suit}", f"look: {hole}", tmp_path) == []


def test_the_help_says_what_is_meant(tmp_path: Path) -> None:
    assert found("{suit} card", "hello", tmp_path) == [("suit", "write `{this.suit}`")]
    assert found("a card", "{players} go", tmp_path) == [("players", "who acts is `{player}`")]
