"""A small game whose one action is filled in by tests: what the rules find there."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from gdl.api import examine
from gdl.validators.rules import RULES
from gdl.validators.subject import Subject

HEAD = """\
gdl: 1
game: example
players: 3
seats: [anna, ben, cleo]
options: {quick: {type: bool, default: false}}
enums: {mood: [glad, sad]}
zones:
  board: {grid: [4, 5]}
  deck: {stack: true, holds: card}
  discard: {holds: card, capacity: 3}
  hand: {per: player, holds: card}
  slot: {per: 1..3, holds: coin}
  path: {track: 6, holds: coin}
pieces:
  coin: {count: 2, at: "path[0]"}
  card: {attributes: {rank: int}, each: {rank: 1..13}, count: 4, at: deck}
variables:
  points: 0..10 = 0
  water: {type: 0..20, start: 5, clamp: true}
  coins: {type: 0..9, per: player, start: 0}
  now: mood = glad
  later: mood or none
  leader: player = anna
  order: list[1..9, max 3]
procedures:
  stop_here(): points -= 1
  "gain(n: 1..3)": points += n
functions:
  "double(n: 0..5)": 2 * n
phases:
  play: {turns: cycle, actions: walk}
actions:
  walk:
"""


def found(rules: Collection[str], action: str, folder: Path, sections: str = "") -> list[tuple[str, str]]:
    """The rules of these that find something where an action is so, and the text that they underline."""
    lines = "".join(f"    {line}\n" for line in action.strip("\n").split("\n"))
    path = folder / "example.yaml"
    path.write_text(HEAD + lines + sections, "utf-8")
    spec, report = examine(path)
    assert spec is not None
    assert not report.has_errors, [d.message for d in report.items]
    return [(rule.name, finding.span.text) for rule in RULES if rule.name in rules for finding in rule.run(Subject(spec.context))]
