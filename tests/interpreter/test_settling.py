"""What reads the order of a shuffled stack finds a random one: such stacks are settled at once, others piece by piece."""

from __future__ import annotations

import pytest

import gdl

SPEC = """
gdl: 1
game: heap
players: 2
zones:
  deck: {stack: true, visible: none, holds: card}
  other: {stack: true, visible: none, holds: card}
  group: {per: 1..2, stack: true, visible: none, holds: card}
  table: {holds: card}
pieces:
  card: {attributes: {rank: int}, each: {rank: 1..9}, at: deck}
functions:
  "high()": deck where it.rank > 4
procedures:
  "lay(cards: list[card])": move(first(cards), table)
setup:
  - shuffle(deck)
  - STEP
phases:
  play: {turns: each, do: []}
"""
READING = [
    "move(top(deck), table)",
    "move(first(deck), table)",
    "move(first(deck where it.rank > 4), table)",
    "move(first(deck by it.rank % 2), table)",
    "move(first(pieces(deck) - [card[1]]), table)",
    "move(first(high()), table)",
    "lay(high())",
    "move(deck, other)",
    "move(deck where it.rank > 4, other)",
    "{let: cards = pieces(deck)}",
]
NOT_READING = [
    "move(deck, table)",
    "move(deck where it.rank > 4, table)",
    "draw(3, deck, table)",
    "{if: any(deck where it.rank > 4), then: 'move(card where it.rank > 4, table)'}",
    "draw(1, first(group where empty(it)), table)",
]


def start(step: str, seed: int = 1, *, explicit: bool = False) -> gdl.State:
    return gdl.loads(SPEC.replace("STEP", step)).game().new_state(seed=seed, explicit_chance=explicit)


def chances(step: str) -> int:
    """How many chance events there are before the game begins."""
    state = start(step, explicit=True)
    drawn = 0
    while state.is_chance():
        state.apply_chance(state.chance_outcomes()[0])
        drawn += 1
    return drawn


@pytest.mark.parametrize("step", READING)
def test_an_order_that_is_read_is_found_out_first(step: str) -> None:
    assert chances(step) == 8, 'the last of nine is certain'


@pytest.mark.parametrize("step", NOT_READING)
def test_an_order_that_is_not_read_is_left_open(step: str) -> None:
    assert chances(step) == (3 if step.startswith("draw(3") else 0)


def test_a_shuffled_stack_on_another_is_still_shuffled() -> None:
    assert len({start("move(deck, other)", seed).hash() for seed in range(20)}) == 20
