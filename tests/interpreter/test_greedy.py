"""The bot that looks one move ahead: what it goes by, how far it looks, and what it must not know."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import pytest

import gdl
from gdl.interpreter.bots import Table
from gdl.interpreter.chance import Stream
from gdl.interpreter.greedy import GreedyBot
from gdl.interpreter.imagining import imagined

ROOT = Path(__file__).resolve().parents[2]


def new_state(rules: str, players: int = 2, seed: int = 1) -> gdl.State:
    """The first state of a small game."""
    return gdl.loads(f"gdl: 1\ngame: small\nplayers: {players}\n{rules}").game().new_state(seed)


def choice(state: gdl.State, seed: int = 1) -> str:
    """What the bot of the seat that decides does."""
    return str(GreedyBot(Stream(seed)).choose(state, state.deciders()[0]))


COUNTING = """\
variables: {points: {type: 0..99, per: player, start: 5}, coins: {type: 0..99, per: player, start: 0}}
phases:
  play:
    turns: cycle
    do:
      - choose: [n in 1..5, m in 1..5 where n + m <= 6]
        name: take
        do: [player.points += n, player.coins += m]
"""


@pytest.mark.parametrize(
    ("rules", "expected"),
    [
        ("result: {score: player.points, ranking: highest score}", "take(n=5, m=1)"),
        ("result: {score: player.points}", "take(n=5, m=1)"),
        ("result: {score: player.points, ranking: lowest player.coins}", "m=1)"),
        ("result: {score: player.points, ranking: highest score}\nheuristic: player.coins - player.points", "take(n=1, m=5)"),
    ],
)
def test_it_goes_by_the_heuristic_and_else_by_what_ranks(rules: str, expected: str) -> None:
    assert choice(new_state(COUNTING + rules)).endswith(expected)


def test_a_win_is_better_and_a_loss_worse_than_any_value() -> None:
    rules = """\
phases:
  play:
    turns: cycle
    do:
      - actions: [give_up, build, finish]
actions:
  give_up: {do: lose(player)}
  build: {do: x += 1000}
  finish: {do: win(player)}
variables: {x: 0..9999 = 0}
heuristic: x
"""
    assert choice(new_state(rules)) == "finish"
    assert choice(new_state(rules.replace("build, finish", "build"))) == "build"


def test_it_takes_the_four_in_a_row_that_is_there() -> None:
    state = gdl.load(ROOT / "specs" / "classics" / "connect_four.yaml").game().new_state(0)
    moves = [str(move) for move in state.legal_moves()]
    for number in (0, 1, 0, 1, 0, 1):
        state.apply(next(m for m in state.legal_moves() if str(m) == moves[number] or str(m).endswith(moves[number][-2:])))
    bot = GreedyBot(Stream(1))
    state.apply(bot.choose(state, state.deciders()[0]))
    assert state.is_terminal()
    assert state.winners()


FREE = """\
variables: {cards: 0..9 = 3, made: 0..99 = 0, busy: bool}
phases:
  round:
    for: number in 1..2
    phases:
      work:
        do:
          - busy = true
          - while: busy
            do:
              - choose: what in [0, 1, 2] where what == 0 or cards > 0
                by: players
                name: work
                do:
                  - if: what == 0
                    then: busy = false
                    else: make(what)
      pay: {do: "made -= min(made, 3)"}
procedures:
  "make(n: int)":
    - cards -= 1
    - choose: m in 1..3
      name: size
      by: players
      do: made += (if n == 1 then m else 0)
heuristic: 2 * made + cards
"""


def test_it_goes_on_as_long_as_that_helps_and_then_lets_the_game_go_on() -> None:
    """What a phase that it ends brings is no reason to put its end off by moves that help nothing."""
    state = new_state(FREE, players=1)
    done = []
    for _ in range(8):
        done.append(choice(state))
        state.apply(done[-1])
    assert done[:7] == ["work(what=1)", "size(m=3)"] * 3 + ["work(what=0)"]


def test_a_move_that_never_ends_is_valued_as_it_stands() -> None:
    rules = """\
variables: {x: 0..9999 = 0}
phases:
  play:
    turns: cycle
    do:
      - actions: [leave, dig]
actions:
  leave: {do: x += 5}
  dig: {do: dig_on()}
procedures:
  dig_on():
    - while: true
      do:
        - choose: n in 0..1
          name: dig_on
          do: x += n
heuristic: x
"""
    assert choice(new_state(rules)) == "dig"
    assert choice(new_state(rules.replace("x += 5", "x += 50"))) == "leave"


def test_one_draw_is_one_choice_so_that_a_bot_that_follows_keeps_in_step() -> None:
    game = gdl.load(ROOT / "specs" / "schotten_totten.yaml").game()
    state, one, other = game.new_state(3), Table(["greedy", "random"], 3), Table(["greedy", "random"], 3)
    for number in range(12):
        move = one.choose(state)
        if number < 8:
            other.follow(state, move)
        else:
            assert other.choose(state) == move
        state.apply(move)


def test_trying_changes_nothing() -> None:
    state = gdl.load(ROOT / "specs" / "schotten_totten.yaml").game().new_state(3)
    cells, told = state.cells[:], state.observation(0)
    choice(state)
    assert state.cells == cells
    assert state.observation(0) == told
    assert state.trail() == ()


# --- what it must not know --------------------------------------------------------------------------------------------

GUESSING = """\
zones:
  deck: {stack: true, visible: none}
  hand: {per: player, visible: owner}
pieces: {card: {attributes: {rank: int}, each: {rank: 1..8}, at: deck, back: card}}
variables: {points: {type: 0..99, per: player, start: 0}, code: {type: 1..6, per: player, start: 1, visible: owner}}
setup:
  - shuffle(deck)
  - deal(3, deck, hand)
  - for: p in players
    do: p.code = pick(1..6)
phases:
  play:
    turns: cycle
    do:
      - actions: [grab, guess, draw_one]
actions:
  grab:
    choose: c in opponent(player).hand
    do: ['move(c, player.hand)', player.points += c.rank]
  guess:
    choose: n in 1..6
    do: player.points += (if opponent(player).code == n then 9 else 0)
  draw_one: {do: ["draw(1, deck, player.hand)", "player.points += 4"]}
result: {score: player.points, ranking: highest score}
"""


def other_worlds(state: gdl.State) -> list[gdl.State]:
    """Situations that look the same to seat 0: its opponent has another code, and holds cards of the deck instead."""
    plan = state.game.plan
    code = next(variable for info, variable in plan.variables.items() if info.name == "code")
    found = []
    for value in range(1, 7):
        cells = state.cells[:]
        cells[code.first + 1] = value
        found.append(gdl.State(state.game, cells, explicit=False))
    hand, deck = plan.zones["hand"], plan.zones["deck"]
    mine = [piece for piece in range(plan.piece_count) if state.cells[plan.at + piece] == hand.base + 1]
    drawn = [piece for piece in range(plan.piece_count) if state.cells[plan.at + piece] == deck.base]
    for held in combinations(mine + drawn, 3):
        cells = state.cells[:]
        for piece in mine:
            plan.mover.move(cells, piece, deck.base)
        for piece in held:
            plan.mover.move(cells, piece, hand.base + 1)
        first = deck.contents
        cells[first + 1 : first + 3] = [0, cells[first]]
        cells[first + 3 : first + 3 + cells[first]] = sorted(cells[first + 3 : first + 3 + cells[first]])
        found.append(gdl.State(state.game, cells, explicit=False))
    return found


def test_what_it_does_does_not_depend_on_what_its_seat_can_not_see() -> None:
    state = new_state(GUESSING)
    assert state.deciders() == (0,)
    others = other_worlds(state)
    assert len({tuple(other.cells) for other in others}) > 6
    made = set()
    for seed in range(10):
        chosen = {choice(other, seed) for other in others}
        assert len(chosen) == 1, "the bot knows what is hidden"
        made |= chosen
    assert len(made) > 1


def test_it_does_not_know_what_chance_will_bring() -> None:
    rules = """\
pieces: {die: {faces: 1..6}}
variables: {points: {type: 0..99, per: player, start: 0}}
phases:
  play:
    turns: cycle
    do:
      - choose: n in 1..6
        name: bet
        do: [roll(die), "player.points += (if die.value == n then 6 else 0)"]
result: {score: player.points, ranking: highest score}
"""
    game = new_state(rules).game
    right = 0
    for seed in range(120):
        state = game.new_state(seed)
        state.apply(GreedyBot(Stream(seed)).choose(state, 0))
        right += state.scores()[0] > 0
    assert right < 40, "it bets on what the generator will bring"


def test_under_seal_the_others_have_decided_nothing() -> None:
    rules = """\
variables: {bid: {type: 0..9, per: player, start: 0}, points: {type: 0..99, per: player, start: 0}}
phases:
  bidding:
    together: players
    sealed: true
    do:
      - choose: n in 1..5
        name: bid
        do: player.bid = n
  after:
    do:
      - for: p in players
        do: p.points += (if p.bid > opponent(p).bid then 6 - p.bid else 0)
  later:
    turns: cycle
    do:
      - actions: wait
actions:
  wait: {do: []}
result: {score: player.points, ranking: highest score}
"""
    chosen = set()
    for bid in range(6):
        state = new_state(rules)
        if bid:
            state.apply(f"1: bid(n={bid})")
        world = imagined(state, 0, Stream(1)).state
        assert [str(move) for move in world.legal_moves(0)] == [str(move) for move in state.legal_moves(0)]
        chosen.add(str(GreedyBot(Stream(1)).choose(state, 0)))
    assert chosen == {"bid(n=1)"}
