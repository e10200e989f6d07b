"""What the rules about secrets find, and what they leave alone; the examples of the rules are tried with all others."""

from __future__ import annotations

from pathlib import Path

import pytest

from gdl.api import examine
from gdl.validators.rules import secrets
from gdl.validators.subject import Subject

HEAD = """\
gdl: 1
game: example
players: 2
zones:
  deck: {stack: true, visible: none, holds: card}
  hand: {per: player, visible: owner, holds: card}
  chest: {per: player, visible: [owner, secret], holds: card}
  table: {}
pieces:
  card: {attributes: {rank: int}, each: {rank: 1..9}, at: deck, variables: {marked: bool}}
  die: {faces: 1..6, at: table}
variables:
  points: {type: 0..999, per: player, start: 0}
  total: 0..999 = 0
  shown: card or none
  bid: {type: 0..9, per: player, start: 0, visible: owner}
  fate: {type: 0..9, start: 0, visible: none}
setup: [shuffle(deck), "deal(3, deck, hand)"]
functions:
  "worth(c: card)": c.rank * 2
  "best_of(p: player)": max(p.hand select it.rank)
  "richer(p: player)": p.bid > 5
procedures:
  "gain(n: int)": player.points += n
  "tell(n: int)": log("{n} it was")
phases:
  play: {turns: cycle, actions: walk}
end:
  - {when: total > 900, tie: true}
actions:
  walk:
"""


def found(action: str, folder: Path, sections: str = "") -> list[tuple[str, str]]:
    """The rules that find something in an action, and the text that they underline."""
    lines = "".join(f"    {line}\n" for line in action.strip("\n").split("\n"))
    path = folder / "example.yaml"
    path.write_text(HEAD + lines + sections, "utf-8")
    spec, report = examine(path)
    assert spec is not None
    assert not report.has_errors, [d.message for d in report.items]
    return [(rule.name, finding.span.text) for rule in secrets.RULES for finding in rule.run(Subject(spec.context))]


LEAKS = {
    "a piece's attribute": ("do: total = top(deck).rank", "secret-in-variable", "top(deck).rank"),
    "reckoned with": ("do: total = 3 + 2 * first(player.hand).rank", "secret-in-variable", "3 + 2 * first(player.hand).rank"),
    "by a let": ("do:\n  - let: n = sum(player.hand, it.rank)\n  - total = n", "secret-in-variable", "n"),
    "by a function": ("do: total = worth(top(deck))", "secret-in-variable", "worth(top(deck))"),
    "by a function of a player": ("do: total = best_of(player)", "secret-in-variable", "best_of(player)"),
    "by a procedure": ("do: gain(top(deck).rank)", "secret-in-variable", "top(deck).rank"),
    "by a loop": ("do:\n  - for: c in player.hand\n    do: total += c.rank", "secret-in-variable", "c.rank"),
    "a variable": ("do: total = player.bid", "secret-in-variable", "player.bid"),
    "swapped variables": ("do: swap(total, fate)", "secret-in-variable", "fate"),
    "which piece": ("do: shown = top(deck)", "secret-in-variable", "top(deck)"),
    "of a secret zone": ("do: total = count(player.chest)", "secret-in-variable", "count(player.chest)"),
    "a variable of a hidden piece": ("when: top(deck).marked\ndo: total += 1", "secret-in-moves", "top(deck).marked"),
    "a domain": ("choose: c in opponent(player).hand where c.rank > 3\ndo: total += 1", "secret-in-moves", "c.rank"),
    "a guard": ("when: any(opponent(player).hand, it.rank > 3)\ndo: total += 1", "secret-in-moves", "it.rank"),
    "a guard by a function": ("when: richer(opponent(player))\ndo: total += 1", "secret-in-moves", "richer(opponent(player))"),
    "a guard over a variable": ("when: fate > 3\ndo: total += 1", "secret-in-moves", "fate"),
    "a choice in steps": ("do:\n  - choose: n in 0..fate\n    do: total += n", "secret-in-moves", "fate"),
    "the choice of another": (
        "do:\n  - choose: n in 0..3\n    by: opponent(player)\n    when: n > opponent(player).bid\n    do: total += n",
        "secret-in-moves",
        "opponent(player).bid",
    ),
    "a branch": ("do:\n  - if: bottom(deck).rank > 3\n    then: total += 1", "secret-in-branch", "bottom(deck).rank > 3"),
    "a line": ('do: log("next is {top(deck).rank}")', "secret-in-text", "top(deck).rank"),
    "a line by a procedure": ("do: tell(fate)", "secret-in-text", "fate"),
    "a prompt": ('do:\n  - choose: n in 0..3\n    prompt: "it is {fate}"\n    do: total += n', "secret-in-text", "fate"),
}


@pytest.mark.parametrize("name", LEAKS)
def test_a_leak_is_found(name: str, tmp_path: Path) -> None:
    action, rule, text = LEAKS[name]
    assert found(action, tmp_path) == [(rule, text)]


NO_LEAKS = {
    "revealed before": "do:\n  - reveal(top(deck))\n  - total = top(deck).rank",
    "revealed behind it": "do:\n  - total = top(deck).rank\n  - reveal(top(deck))",
    "moved in the same steps": "choose: c in player.hand\ndo:\n  - move(c, table)\n  - total = c.rank",
    "moved behind it": "choose: c in player.hand\ndo:\n  - total = c.rank\n  - move(c, table)",
    "what the player sees itself": "choose: c in player.hand where c.rank > 3\nwhen: player.bid > 1\ndo: total += 1",
    "hidden pieces by their place": "choose: c in opponent(player).hand\ndo: total += 1",
    "how many there are": "when: count(opponent(player).hand) > 1 and size(deck) > 2\ndo: total = count(player.hand)",
    "what is compared": "do: total = if fate > 3 then 1 else 0",
    "one hidden variable from another": "do: fate = player.bid",
    "the end of the game": "do:\n  - total = fate\n  - end_game",
    "a branch on what the player sees": "do:\n  - if: any(player.hand, it.rank > 3)\n    then: total += 1",
    "what another player sees itself who chooses": (
        "do:\n  - choose: n in 0..3\n    by: opponent(player)\n    when: n > player.bid\n    do: total += n"
    ),
    "a line that some can read": 'do: log("{player} has {first(player.hand)} and {player.bid}")',
    "a die that all see": "do:\n  - roll(die)\n  - total = die.value",
}


@pytest.mark.parametrize("name", NO_LEAKS)
def test_what_may_be_right_is_left_alone(name: str, tmp_path: Path) -> None:
    assert found(NO_LEAKS[name], tmp_path) == []


def test_what_is_shown_anywhere_without_a_choice_is_left_alone(tmp_path: Path) -> None:
    action = "do: total = sum(player.hand, it.rank)"
    assert found(action, tmp_path) == [("secret-in-variable", "sum(player.hand, it.rank)")]
    assert found(action, tmp_path, "  show: {do: [reveal(player.hand)]}\n") == []
    assert found(action, tmp_path, "  show: {choose: c in player.hand, do: [\"move(c, table)\"]}\n") != []
