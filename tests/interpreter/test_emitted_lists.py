"""Lists as the rules of a running game evaluate them: read off slices, gone through at once, looked up, or known to be empty."""

from __future__ import annotations

import pytest

import gdl

SPEC = """
gdl: 1
game: lists
players: 2
options: {with_jokers: {type: bool, default: false}}
pieces:
  card:
    attributes: {rank: int}
    each: {rank: 1..6}
    at: spot[this.rank % 4]
  joker:
    when: with_jokers
    count: 2
    attributes: {wild: bool = true}
    at: players[0].hand
  any_card: {any_of: [card, joker]}
zones:
  spot: {track: 4, holds: card}
  rows: {per: player, track: 3, holds: any_card}
  hand: {per: player, holds: any_card}
  pile: {holds: card}
variables:
  found: 0..99 = 0
  played: {type: 0..9, per: player, start: 0}
functions:
  "jokers(p: player)": "if p.played <= opponent(p).played then (p.hand where it is joker and it.wild) else []"
procedures:
  "put(c: card)":
    - move(c, pile)
phases:
  main:
    turns: cycle
    do:
      - choose: n in 1..2
        do:
          - move(card where it.rank == n, player.rows[n])
          - found = VALUE
"""
VALUES = {
    "count(card where it.at is spot)": 5,
    "count(card where it.at is not spot or it.at == spot[2])": 3,
    "count(card where any(card as other, other.at == it.at and other != it))": 2,
    "count(card where after(put(it), count(card where it.at is pile) == 1))": 6,
    "count(card where it.at is spot and after(put(it), count(card where it.at is spot) == 4))": 5,
    "sum(card where it.at is spot and it.at.index > 0, it.rank)": 16,
    "sum(card where it.at is rows and it.rank < 3, it.rank)": 1,
    "sum(card where it.at == spot[player.played + 1], it.rank)": 5,
    "count((card where it.at is spot) where it.rank > 2)": 4,
    "sum(card - (card where it.at is spot), it.rank)": 1,
    "sum(first(card by -it.rank, 2), it.rank)": 11,
    "first(pieces(spot) by it.rank % 5).rank": 5,
    "count(pieces(spot where it.index > 0) where it.rank > 2)": 3,
    "count(pieces(player.rows) where it is card)": 1,
    "count(jokers(player))": 0,
    "if any(jokers(player)) then 1 else count(pieces(rows))": 1,
}


@pytest.mark.parametrize("value", VALUES)
def test_a_list_has_its_elements_however_it_is_written(value: str) -> None:
    game = gdl.loads(SPEC.replace("VALUE", value)).game()
    state = game.new_state(seed=1)
    state.apply("main(n=1)")
    assert state.observation(None)["variables"]["found"] == VALUES[value]


def test_a_list_that_an_option_fills_is_not_taken_for_empty() -> None:
    state = gdl.loads(SPEC.replace("VALUE", "count(jokers(player))")).game(options={"with_jokers": True}).new_state(seed=1)
    state.apply("main(n=1)")
    assert state.observation(None)["variables"]["found"] == 2
