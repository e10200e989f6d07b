"""Specs of any length for measuring how time grows with it.

They are what a large game looks like: a number of districts, each with its own words, tables, spaces, cards, variables, functions, actions,
triggers and phase, all bound together by what a player has. The linter finds nothing in them.
"""

from __future__ import annotations

from typing import Final

HEAD: Final = """\
gdl: 1
game: districts
title: Districts
about: A game as long as one likes. In each district goods are bought at a market, stored, and turned into fame.
source: made up for measuring
players: 2..3
"""
DISTRICT: Final = {
    "enums": """\
  good_N: [cloth_N, spice_N, glass_N, silver_N]
""",
    "constants": """\
  price_N: {cloth_N: 1, spice_N: 2, glass_N: 3, silver_N: 5}
  fame_N: {cloth_N: 1, spice_N: 1, glass_N: 2, silver_N: 4}
""",
    "zones": """\
  stock_N:                                              # what comes to the market
    stack: true
    visible: none
    holds: ware_N
  market_N:
    visible: all
    holds: ware_N
    capacity: 4
  store_N:
    per: player
    visible: owner
    holds: ware_N
  street_N:
    grid: [3, 4]
    visible: all
    holds: stall_N
""",
    "pieces": """\
  ware_N:
    attributes: {good: good_N, weight: int, rare: bool = false}
    rows:
      - {name: linen_N, good: cloth_N, weight: 1, copies: 4}
      - {name: velvet_N, good: cloth_N, weight: 2, copies: 2}
      - {name: pepper_N, good: spice_N, weight: 1, copies: 4}
      - {name: saffron_N, good: spice_N, weight: 1, rare: true}
      - {name: bottle_N, good: glass_N, weight: 2, copies: 3}
      - {name: mirror_N, good: glass_N, weight: 3, rare: true}
      - {name: coin_N, good: silver_N, weight: 1, copies: 2}
      - {name: crown_N, good: silver_N, weight: 4, rare: true}
    at: stock_N
    back: ware_N
    label: "{this.name}"
  stall_N:
    per: player
    at: street_N[0, seat(this.owner)]
    label: stall of {this.owner}
""",
    "variables": """\
  taxed_N: 0..20 = 0                                    # wares that have been sold here
  last_N: good_N = cloth_N
  favour_N: {type: 0..9, per: player, start: 0}
""",
    "functions": """\
  "cost_N(w: ware_N)": price_N[w.good] + (if w.rare then 2 else 0)
  "worth_N(w: ware_N)": fame_N[w.good] * w.weight + (if w.good == last_N then 1 else 0)
  "load_N(p: player)": sum(p.store_N, it.weight)
  "free_N(p: player)": neighbours(p.stall_N.at) where empty(it)
  "can_buy_N(p: player, w: ware_N)": p.money >= cost_N(w) and load_N(p) + w.weight <= 12
""",
    "procedures": """\
  "restock_N()":
    - if: count(market_N) < 4 and not empty(stock_N)
      then: draw(1, stock_N, market_N)
  "reward_N(p: player, points: int)":
    - p.fame = min(p.fame + points, 9999)
    - if: p.favour_N < 9
      then: p.favour_N += 1
""",
    "phases": """\
  district_N:
    phases:
      opening_N:
        do:
          - shuffle(stock_N)
          - repeat: 4
            do: restock_N()
      trading_N:
        turns: each
        do:
          - actions: [buy_N, sell_N, walk_N]
            else: player.money = min(player.money + 1, 99)
""",
    "actions": """\
  buy_N:
    label: "{player} buys {w}"
    choose: w in market_N where can_buy_N(player, w)
    do:
      - player.money -= cost_N(w)
      - move(w, player.store_N)
      - restock_N()
  sell_N:
    label: "{player} sells {w}"
    choose: w in player.store_N
    do:
      - let: points = worth_N(w)
      - last_N = w.good
      - taxed_N = min(taxed_N + 1, 20)
      - reveal(w)
      - move(w, stock_N)
      - reward_N(player, points)
  walk_N:
    label: "{player} goes to {square}"
    choose: square in free_N(player)
    do:
      - move(player.stall_N, square)
      - player.money = min(player.money + square.col, 99)
""",
    "triggers": """\
  arrival_N:
    on: enter(street_N)
    when: to.row == 2
    do: player.favour_N = min(player.favour_N + 1, 9)
""",
}
"""What one district adds to each section; `N` is its number."""
COMMON: Final = {"variables": "  money: {type: 0..99, per: player, start: 10}\n  fame: {type: 0..9999, per: player, start: 0}\n"}
TAIL: Final = """\
result:
  score: player.fame
  ranking: [highest score]
"""


def long_spec(lines: int) -> str:
    """A spec of about so many lines, at least."""
    each = sum(text.count("\n") for text in DISTRICT.values())
    number = -(-(lines - HEAD.count("\n") - TAIL.count("\n")) // each)
    parts = [HEAD]
    for section, text in DISTRICT.items():
        parts += [f"{section}:\n", COMMON.get(section, ""), *(text.replace("N", str(n)) for n in range(number))]
    return "".join([*parts, TAIL])
