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
  show_one(): ["draw(1, deck, table)"]
phases:
  play: {turns: cycle, actions: walk}
end:
  - {when: total > 900, tie: true}
actions:
  walk:
"""


def found(action: str, folder: Path, sections: str = "", head: str = HEAD) -> list[tuple[str, str]]:
    """The rules that find something in an action, and the text that they underline."""
    lines = "".join(f"    {line}\n" for line in action.strip("\n").split("\n"))
    path = folder / "example.yaml"
    path.write_text(head + lines + sections, "utf-8")
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


ELSEWHERE = {
    "cards of the deck that are dealt face up": ("", 'setup: [shuffle(deck), "deal(2, deck, table)"]'),
    "another action that moves it": ("  show: {do: [\"draw(1, deck, table)\"]}\n", ""),
    "a decision that ends the game if nothing is left": (
        "  end_it: {do: [{choose: n in 1..total, do: [total -= n], else: [end_game]}]}\n",
        "",
    ),
}


@pytest.mark.parametrize("name", ELSEWHERE)
@pytest.mark.parametrize("leak", ["a piece's attribute", "which piece", "a branch"])
def test_what_happens_to_other_pieces_hides_no_leak(name: str, leak: str, tmp_path: Path) -> None:
    action, rule, text = LEAKS[leak]
    sections, setup = ELSEWHERE[name]
    head = HEAD.replace('setup: [shuffle(deck), "deal(3, deck, hand)"]', setup or 'setup: [shuffle(deck)]')
    assert found(action, tmp_path, sections, head) == [(rule, text)]


def test_the_end_when_nothing_is_left_hides_no_leak_in_the_same_phase(tmp_path: Path) -> None:
    phase = "{turns: cycle, do: [{actions: walk}, {choose: n in 1..total, do: [total -= n], else: [%s]}]}"
    for ending in ("end_game", "finish"):
        head = HEAD.replace("{turns: cycle, actions: walk}", phase % ending)
        head = head.replace("procedures:\n", "procedures:\n  finish(): [end_game]\n")
        assert found("do: total = top(deck).rank", tmp_path, "", head) == [("secret-in-variable", "top(deck).rank")]


ENDINGS = {
    "a piece": ("top(deck).rank == 3", "top(deck).rank == 3"),
    "a variable that nobody sees": ("fate == 3", "fate == 3"),
    "how many there are": ("size(deck) == 3", ""),
    "a variable that its player sees": ("any(players, it.bid > 3)", ""),
}


@pytest.mark.parametrize("name", ENDINGS)
def test_an_end_that_asks_what_nobody_sees_is_found(name: str, tmp_path: Path) -> None:
    condition, text = ENDINGS[name]
    head = HEAD.replace("{when: total > 900, tie: true}", f"{{when: '{condition}', tie: true}}")
    assert found("do: total += 1", tmp_path, "", head) == ([("secret-in-branch", text)] if text else [])


CLOSED = HEAD.replace("table: {}", "table: {}\n  rack: {visible: it.marked, holds: card}").replace("at: deck", "at: rack")
RACK = "choose: c in pieces(rack) where c.rank > 3\ndo: total += 1"


def test_choosing_closed_pieces_by_what_they_are_is_found(tmp_path: Path) -> None:
    leak = [("secret-in-moves", "c.rank")]
    assert found(RACK, tmp_path, "", CLOSED) == leak
    opening = "  open_one: {choose: c in pieces(rack) where not c.marked, do: [c.marked = true]}\n"
    assert found(RACK, tmp_path, opening, CLOSED) == leak
    assert found(RACK.replace("where", "where c.marked and"), tmp_path, opening, CLOSED) == []
    assert found(RACK.replace("pieces(rack)", "(pieces(rack) where it.marked)"), tmp_path, opening, CLOSED) == []
    assert found(RACK, tmp_path, "  open_all: {do: [{for: c in pieces(rack), do: [c.marked = true]}]}\n", CLOSED) == []
    assert found(RACK, tmp_path, "", CLOSED.replace("marked: bool", "marked: bool = true")) == []


NO_LEAKS = {
    "revealed before": "do:\n  - reveal(top(deck))\n  - total = top(deck).rank",
    "drawn behind it": "do:\n  - total = top(deck).rank\n  - draw(1, deck, table)",
    "drawn by a procedure behind it": "do:\n  - total = top(deck).rank\n  - show_one",
    "the end behind a decision that is not made": (
        "do:\n  - choose: n in 1..total\n    do: total -= n\n    else: [total = fate, end_game]"
    ),
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


def test_what_comes_out_before_anybody_chooses_is_left_alone(tmp_path: Path) -> None:
    action = "do: total = top(deck).rank"
    opening = HEAD.replace("{turns: cycle, actions: walk}", '{turns: cycle, do: ["draw(1, deck, table)", {actions: walk}]}')
    assert found(action, tmp_path, "", opening) == []
    assert found(action, tmp_path, "triggers:\n  flip: {on: turn_start, do: [\"draw(1, deck, table)\"]}\n") == []


def test_seen_pieces_that_come_back_are_left_alone(tmp_path: Path) -> None:
    action = "do: total = top(deck).rank"
    assert found(action, tmp_path, '  back: {do: ["move(pieces(table), deck)"]}\n') == []
    mixed = '  back: {do: ["move(pieces(table), deck)", shuffle(deck)]}\n'
    assert found(action, tmp_path, mixed) == [("secret-in-variable", "top(deck).rank")]
