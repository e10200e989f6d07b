"""A small spec in several files that writes its names in every way that YAML, tables and texts have."""

FILES = {
    "sample.yaml": '''\
gdl: 1
game: sample
title: A sample
players: 2
include: more.yaml
options:
  variant: {values: [short, long], default: "long"}
enums:
  suit: [hearts, spades]
constants:
  'goal': "if variant == short then 10 else 20"
zones:
  deck: {stack: true, visible: none, holds: card}
  hand: {per: player, "visible": 'owner', holds: card}
  board: {grid: [3, 3], variables: {mark: player or none}, holds: "stone"}
  box: {}
  isles:
    table: isles.csv
    attributes: {worth: int, coast: suit}
pieces:
  card:
    table: cards.csv
    attributes: {rank: int, suit: suit}
    at: deck
    label: "{this.suit} of {this.rank}"
    back: card
  stone: {per: player, count: 5, at: box}
variables:
  points: {type: 0..99, per: player, start: 0}
  rounds: 0..9 = 0
setup:
  - shuffle(deck)
  - "deal(3, deck, hand)"
functions:
  "high_rank(n: int)": n + 1
  "worth_of(c: card)": >-
    c.rank +
    (if c.suit == hearts     # hearts are dearer
     then 2 else 0)
  'high(p: player)':
    let: best_card = first(best(p.hand, worth_of(it)))
    value: |
      if best_card == none
      then 0
      else best_card.rank
procedures:
  "gain(p: player, n: int = 1)":
    - p.points += n
    - log('{p} has {p.points} points of {goal}')
phases:
  play:
    turns: "cycle"
    order: clockwise
    actions: [mark, 'show', "collect"]
    until: rounds > 8
triggers:
  marked:
    on: change(board.mark)
    when: new != none
    do: gain(new)
actions:
  mark:
    choose: cell in board where cell.mark == none
    label: "Mark {cell}"
    do:
      - cell.mark = player
      - rounds += 1
  show:
    choose: c in player.hand
    do: |
      reveal(c)
  collect:
    when: >
      any(isles, it.worth > 3)
      and
      high(player) < goal
    do:
      - for: isle in isles where isle.coast == spades
        do:
          - gain(player,
            n=isle.worth)
      - if: fair.worth > 0
        then: end_turn
end:
  - when: any(players, it.points >= goal)
    winners: best(players, it.points)
  - when: rounds == 9
    check: turn_end
result:
  score: player.points
  ranking: [highest score, "lowest count(player.hand)"]
display:
  card: {color: red}
  board: {layout: plain}
''',
    "more.yaml": """\
variables:
  turns_taken: {type: 0..99, start: 0}
triggers:
  counted:
    on: turn_end
    do: turns_taken += if variant == long then 1 else 2
invariants:
  - turns_taken <= 2 * rounds + points_of_all()
functions:
  points_of_all(): max(rich(1) as p, p.points) ?? 0    # called only where overloads are tried
  "rich(least: int)": players where it.points >= least
""",
    "isles.csv": """\
name,worth,coast
fair,3,hearts
grim,"if variant == short then 5 else 4",spades
""",
    "cards.csv": """\
rank,suit
1,hearts
"high_rank(2)",spades
3,"hearts"
""",
}
