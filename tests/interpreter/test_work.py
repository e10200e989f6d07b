"""Whatever goes on between two decisions is work that is counted, so that nothing takes long before it fails.

Each game here has little fuel, and does in each of N rounds what is much more work than a round. Ten rounds are possible; 900 are not,
though there is fuel for a thousand.
"""

from __future__ import annotations

import pytest

import gdl

MUCH = "x = (count(board where it.row > x + 1) + count(card where it.rank > x)) // 1000"
"""Some 500 steps of work."""
HEAD = """\
gdl: 1
game: work
players: 2
limits: {fuel: 1000, depth: 1000}
zones: {hand: {}, table: {}, deck: {stack: true, refill: hand}, board: {grid: [8, 8]}, cup: {}}
variables: {x: 0..9 = 0, rounds: 0..1000 = 0}
pieces:
  card: {attributes: {rank: int}, each: {rank: 1..50}, at: hand}
  die: {faces: 1..6, at: cup}
  book: {attributes: {act: effect}, at: table, rows: [{name: thick, act: "MUCH; MUCH; x = 0"}]}
""".replace("MUCH", MUCH)

TABLE = {
    "moves in rounds of a phase": """\
phases:
  play:
    until: rounds >= N
    do: [rounds += 1, "move(card, table)", "move(card, hand)"]
""",
    "moves in turns": """\
phases:
  play:
    turns: cycle
    until: rounds >= N
    do: [rounds += 1, "move(card, table)", "move(card, hand)"]
""",
    "moves in further turns": """\
phases:
  play:
    turns: each
    do: [rounds += 1, "move(card, table)", "move(card, hand)", {if: rounds < N, then: again}]
""",
    "moves in a phase for each of many": """\
phases:
  play:
    for: i in 1..N
    do: ["move(card, table)", "move(card, hand)"]
""",
    "phases in a phase": """\
phases:
  play:
    until: rounds >= N
    phases:
      one: {do: [rounds += 1, "move(card, table)"]}
      two: {when: x < 5, do: ["move(card, hand)"]}
""",
    "expressions in rounds of a phase": """\
phases:
  play:
    until: rounds >= N
    do: [rounds += 1, MUCH, MUCH]
""",
    "the test of the end": """\
phases:
  play:
    turns: cycle
    until: rounds >= N
    do: rounds += 1
end:
  - when: (count(board where it.row > x + 8) + count(card where it.rank > x + 60)) + count(combinations(1..6, 3 + x)) > 1000
    check: turn_end
""",
    "a loop with chance": """\
setup:
  - for: i in 1..N
    do: [roll(first(die)), MUCH, MUCH]
""",
    "a list of unknown length that is moved": """\
setup:
  - for: i in 1..N
    do: ["move(flat([card where it.rank > 25 + x, card where it.rank <= 25 + x]), table)", "move(card, hand)"]
""",
    "a decision without moves": """\
setup:
  - for: i in 1..N
    do:
      - choose: [c in 1..30, "d in 1..30 where c + d > 200 + x"]
        by: players[0]
        do: []
        else: x = 1
""",
    "a procedure with chance that calls itself": """\
procedures:
  "much(n: int)": [roll(first(die)), MUCH, MUCH, {if: n > 0, then: [much(n - 1), x = 0]}]
setup: [much(N)]
""",
    "a procedure that calls itself at its end": """\
procedures:
  "much(n: int)": [roll(first(die)), MUCH, MUCH, {if: n > 0, then: much(n - 1)}]
setup: [much(N)]
""",
    "effect cells": """\
setup:
  - for: i in 1..N
    do: perform(first(book).act)
""",
    "conditions of triggers": """\
triggers:
  never: {on: change(rounds), when: "(count(board where it.row > x + 8) + count(card where it.rank > 60 + x)) > 1", do: x = 1}
  never_more: {on: change(rounds), when: "(count(board where it.row > x + 8) + count(card where it.rank > 60 + x)) > 1", do: x = 1}
phases:
  play:
    until: rounds >= N
    do: rounds += 1
""",
}


def begin(rules: str, rounds: int) -> None:
    """Begin a game that does something in so many rounds."""
    text = HEAD + rules.replace("MUCH", f'"{MUCH}"').replace("N", str(rounds))
    gdl.loads(text + ("" if "phases:" in rules else "phases: {play: {do: []}}\n")).game(2).new_state(seed=1)


@pytest.mark.parametrize("rules", TABLE.values(), ids=TABLE)
def test_much_work_in_few_rounds(rules: str) -> None:
    begin(rules, 10)
    with pytest.raises(gdl.GameFault, match="too much work") as caught:
        begin(rules, 900)
    assert caught.value.code == "fault-fuel"


def test_a_stack_that_fills_itself_again() -> None:
    """However many are drawn, it ends."""
    with pytest.raises(gdl.GameFault, match="too much work") as caught:
        begin("setup: ['draw(1000000000, deck, hand)']\n", 1)
    assert caught.value.code == "fault-fuel"
    assert caught.value.span.text == "draw(1000000000, deck, hand)"


def test_what_is_seldom_done_counts_once() -> None:
    """Of the branches of a `match` or an `if` one counts, so that rules with very many need no more fuel."""
    cases = "".join(f"          {n}: move(card, table)\n" for n in range(1, 100))
    steps = f"      - rounds += 1\n      - match: rounds + 200\n        cases:\n{cases}        else: x = 1\n"
    begin(f"phases:\n  play:\n    until: rounds >= N\n    do:\n{steps}", 10)
