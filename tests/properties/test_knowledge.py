"""Who knows what: sealed branches, hidden things that come to light, and what must never show."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache

import pytest

import gdl
from tests.properties.checks import offered, worlds_look_alike
from tests.properties.shipped import FEATURES, LENGTH, SEEDS, load, some, walk

HEAD = "gdl: 1\ngame: small\nplayers: 2\n"


def game(text: str) -> gdl.Game:
    """The game of a spec without its head."""
    return gdl.loads(HEAD + text).game()


# --- sealed branches --------------------------------------------------------------------------------------------------


@cache
def sealed_bids(players: int) -> gdl.Game:
    return load(next(path for path in FEATURES if path.stem == "sealed_bids")).game(players)


def sealed_states(players: int) -> Iterator[gdl.State]:
    """States in which several seats wait inside a sealed `together`."""
    for seed in SEEDS:
        for state in walk(sealed_bids(players), seed):
            if len(state.deciders()) > 1:
                yield state


@pytest.mark.parametrize("players", [2, 4])
def test_what_others_choose_under_seal_does_not_show(players: int) -> None:
    met = 0
    for state in sealed_states(players):
        for chooser in state.deciders():
            for move in some(state.legal_moves(chooser), 4):
                later = state.clone()
                later.apply(move)
                for seat in (None, *range(players)):
                    if seat != chooser and (seat is None or seat in later.deciders()):
                        met += 1
                        assert as_known(later, seat) == as_known(state, seat)
    assert met > 20


def as_known(state: gdl.State, seat: int | None) -> tuple[object, ...]:
    """All that a seat can ask about."""
    seen = json.dumps(state.observation(seat))
    return (seen,) if seat is None else (seen, offered(state, seat), state.information_state(seat))


def test_an_onlooker_sees_no_branch() -> None:
    for state in sealed_states(3):
        assert state.observation(None)["deciders"] == []


SEALED_NUMBERS = """\
variables: {bid: {type: 0..9, per: player, start: 0}}
phases:
  bidding:
    together: players
    sealed: true
    do:
      - choose: n in 1..3
        name: bid
        do: player.bid = n
  after:
    turns: cycle
    do:
      - choose: n in 1..2
        name: wait
        do: []
"""


def test_a_number_under_seal_does_not_show() -> None:
    state = game(SEALED_NUMBERS).new_state(1)
    state.apply("0: bid(n=3)")
    assert state.observation(0)["variables"]["bid"] == [3, 0]
    assert state.observation(1)["variables"]["bid"] == [0, 0]
    state.apply("1: bid(n=2)")
    assert state.observation(1)["variables"]["bid"] == [3, 2]


def test_a_choice_under_seal_is_not_taken_back_once_all_lie_open() -> None:
    state = game(SEALED_NUMBERS).new_state(1)
    state.apply("0: bid(n=3)")
    assert state.why_not_undo(0) is None
    state.apply("1: bid(n=2)")
    assert state.why_not_undo(1) is not None, "seat 1 has seen what seat 0 bid, and may bid again"


SEALED_TWICE = """\
variables: {bid: {type: 0..99, per: player, start: 0}, x: 0..9 = 0}
phases:
  before:
    turns: each
    do:
      - choose: n in 1..2
        name: open
        do: x = n
  bidding:
    together: players
    sealed: true
    do:
      - choose: n in 1..3
        name: bid
        do: player.bid = n
      - choose: n in 1..3
        name: raise
        do: player.bid += 10 * n
  after:
    turns: cycle
    do:
      - choose: n in 1..2
        name: wait
        do: []
"""


def test_under_seal_a_seat_takes_back_its_own_moves_whatever_others_have_decided() -> None:
    state = game(SEALED_TWICE).new_state(1)
    for move in ("open(n=1)", "open(n=2)"):
        state.apply(move)
    begun = state.why_not_undo(1)
    assert begun == state.why_not_undo(0) == "nothing has been decided here since all began to decide at once"
    for move in ("0: bid(n=3)", "1: bid(n=2)", "1: raise(n=1)"):
        state.apply(move)
    assert state.why_not_undo(0) is None
    assert state.undo(0)
    assert state.observation(0)["variables"]["bid"] == [0, 0]
    assert state.why_not_undo(0) == begun
    assert state.undo(1)
    assert [str(move) for move in state.legal_moves(1)] == ["raise(n=1)", "raise(n=2)", "raise(n=3)"]
    assert state.undo(1)
    assert not state.undo(1)
    assert [str(entry) for entry in state.trail()] == ["open(n=1)", "open(n=2)"]


@pytest.mark.parametrize("players", [2, 4])
def test_taking_back_under_seal_does_not_tell_whether_others_have_decided(players: int) -> None:
    taken = 0
    for state in sealed_states(players):
        for chooser in state.deciders():
            for move in some(state.legal_moves(chooser), 4):
                later = state.clone()
                later.apply(move)
                for seat in later.deciders():
                    if seat == chooser or seat not in state.deciders():
                        continue
                    assert later.why_not_undo(seat) == state.why_not_undo(seat)
                    one, other = state.clone(), later.clone()
                    if one.undo(seat):
                        taken += 1
                        assert other.undo(seat)
                        one.apply(f"{chooser}: {move}")
                        assert one.cells == other.cells
                        assert one.observation(seat) == other.observation(seat)
    assert taken


def test_a_chance_event_in_another_branch_does_not_show() -> None:
    rolls = """\
pieces: {die: {faces: 1..3, per: player}}
variables: {bid: {type: 0..9, per: player, start: 0}}
phases:
  play:
    together: players
    sealed: true
    do:
      - choose: n in 1..3
        name: bid
        do: player.bid = n
      - if: player.bid > 1
        then: roll(player.die[0])
      - choose: n in 1..3
        name: again
        do: []
"""
    known = []
    for bid in (1, 2):
        state = game(rolls).new_state(1, explicit_chance=True)
        state.apply("1: bid(n=3)")
        state.apply_chance(state.chance_outcomes()[1])
        state.apply(f"0: bid(n={bid})")
        assert state.is_chance() == (bid == 2)
        seen = [json.dumps(state.observation(1)), json.dumps(state.observation(None))]
        if state.is_chance():
            assert state.observation(0)["deciders"] == []
            state.apply_chance(state.chance_outcomes()[0])
        known.append((seen, state.information_state(1), state.why_not_undo(1), offered(state, 1)))
        assert state.why_not_undo(0) == (None if bid == 1 else "something random has happened since")
    assert known[0] == known[1]


# --- what is told -----------------------------------------------------------------------------------------------------

TOLD = """zones: {deck: {stack: true, visible: none}, hand: {per: player, visible: owner}, table: {}}
pieces: {card: {attributes: {rank: int}, each: {rank: 1..6}, at: deck, back: facedown}}
variables: {code: {type: 1..6, per: player, start: 1, visible: owner}}
setup: [shuffle(deck), "deal(2, deck, hand)", 'log("{deck} is dealt")']
procedures:
  "tell(n: int)": log("that is {n}")
phases:
  play:
    turns: cycle
    do:
      - actions: [look, tell_all, show, count_up, give, think]
actions:
  look: {choose: c in player.hand, do: 'log("{player} looks at {c} with {c.rank}, {pieces(player.hand)}")'}
  tell_all: {choose: c in player.hand, do: "tell(c.rank)"}
  show:
    choose: c in player.hand
    do: [reveal(c), 'log("{player} shows {c} with {c.rank}")']
  count_up: {do: 'log("{count(player.hand)} cards of {sum(player.hand, it.rank)}", to=players)'}
  give: {do: 'log("psst", to=opponent(player))'}
  think: {do: 'log("{player} thinks of {player.code}")'}
"""
PASSED = """zones: {hand: {per: player, visible: owner}, table: {}}
pieces: {card: {attributes: {rank: int}, each: {rank: 4..5}, at: "hand[players[0]]", back: facedown}}
functions: {"four()": "first(card where it.rank == 4)"}
procedures:
  "name(c: card)": log("{c} of {c.rank}")
  "name_to(c: card)": log("{c} of {c.rank}", to=players)
phases: {play: {turns: cycle, do: [{actions: [hint, lay, give, whisper]}]}}
actions:
  hint: {do: "name(four())"}
  lay: {do: "move(four(), table)"}
  give: {do: "move(four(), hand[players[1]])"}
  whisper: {do: "name_to(four())"}
"""


@cache
def told() -> gdl.State:
    return game(TOLD).new_state(3)


def lines(state: gdl.State, seat: int | None) -> list[str]:
    """What the log has told a seat, as its observation has it."""
    return list(state.observation(seat).get("log", []))


def test_a_line_shows_each_what_it_may_see() -> None:
    state = told().clone()
    assert lines(state, 0) == lines(state, 1) == lines(state, None) == ["deck is dealt"]
    card = str(next(m for m in state.legal_moves() if str(m).startswith("look")))[len("look(c=") : -1]
    state.apply(f"look(c={card})")
    assert lines(state, 0)[0].startswith(f"player 0 looks at {card} with {card[5:-1]}, [card[")
    assert lines(state, 1) == ["deck is dealt", "player 0 looks at facedown with ?, [facedown, facedown]"]
    assert lines(state, None) == ["player 0 looks at facedown with ?, [facedown, facedown]"]
    state.apply("think")
    assert lines(state, 0)[-1] == "player 1 thinks of ?"
    assert lines(state, 1) == ["player 1 thinks of 1"], "what it was told before it decided is still there"


def test_counting_tells_no_more_than_a_count() -> None:
    state = told().clone()
    state.apply("count_up")
    assert lines(state, 1)[-1] == "2 cards of ?"
    assert lines(state, 0) != lines(state, 1)
    assert lines(state, None) == []


def test_what_is_revealed_can_be_told() -> None:
    state = told().clone()
    move = next(m for m in state.legal_moves() if str(m).startswith("show"))
    state.apply(move)
    name = str(move)[len("show(c=") : -1]
    assert lines(state, 1)[-1] == f"player 0 shows {name} with {name[5:-1]}"
    assert lines(state, None) == lines(state, 1)[-1:]


def test_equal_lines_are_read_by_those_who_may_read_them_just_then() -> None:
    state = game(PASSED).new_state(1)
    heard = []
    for move in ("hint", "hint", "lay", "hint", "give", "whisper"):
        state.apply(move)
        heard.append([(lines(state, seat) or [""])[-1] for seat in (0, 1, None)])
    hidden, seen = "facedown of ?", "card[4] of 4"
    assert heard[0] == heard[1] == [seen, hidden, hidden]
    assert heard[3] == [seen, seen, seen]
    assert heard[5] == [hidden, seen, ""]


@pytest.mark.parametrize(("move", "may_be"), [("look", True), ("tell_all", False), ("show", False), ("give", True), ("think", True)])
def test_a_move_that_told_something_hidden_is_not_taken_back(move: str, may_be: bool) -> None:
    state = told().clone()
    before = [state.observation(seat) for seat in (0, 1, None)]
    state.apply(next(m for m in state.legal_moves() if str(m).startswith(move)))
    assert state.undo(0) == may_be
    if may_be:
        assert [state.observation(seat) for seat in (0, 1, None)] == before, "what was taken back is still told"


def test_lines_live_with_copies_and_saved_states() -> None:
    state = told().clone()
    state.apply("give")
    loaded = state.game.state_from_json(json.loads(json.dumps(state.to_json())))
    for seat in (0, 1, None):
        assert loaded.observation(seat) == state.clone().observation(seat) == state.observation(seat)
    told_before = loaded.information_state(1)[-1]
    assert told_before["observed"]["log"] == ["deck is dealt", "psst"]


def test_lines_told_under_seal_are_heard_when_all_are_done() -> None:
    sealed = game("""\
variables: {bid: {type: 0..9, per: player, start: 0}}
phases:
  bidding:
    together: players
    sealed: true
    do:
      - choose: n in 1..3
        name: bid
        do:
          - player.bid = n
          - log("{player} bids {n}")
  after:
    turns: cycle
    do:
      - choose: n in 1..2
        name: wait
        do: []
""")
    heard = []
    for first in (0, 1):
        state = sealed.new_state(1)
        state.apply(f"{first}: bid(n=2)")
        assert lines(state, first) == [f"player {first} bids 2"]
        assert lines(state, 1 - first) == lines(state, None) == []
        state.apply(f"{1 - first}: bid(n=2)")
        heard.append([lines(state, 0), lines(state, 1), lines(state, None)])
    assert heard[0][2] == heard[1][2] == ["player 0 bids 2", "player 1 bids 2"], "the log tells who has decided first"


def test_what_is_only_tried_tells_nothing() -> None:
    tried = game("""\
variables: {x: 0..9 = 0}
procedures:
  "put(n: int)": [x = n, 'log("x is {n}")']
phases:
  play:
    turns: cycle
    do:
      - choose: n in 1..3 where after(put(n), x > 1)
        do: put(n)
""").new_state(1)
    assert [str(m) for m in tried.legal_moves()] == ["play(n=2)", "play(n=3)"]
    tried.apply("play(n=3)")
    assert lines(tried, 1) == ["x is 3"]


def test_a_hash_under_seal_does_not_tell_what_chance_will_bring() -> None:
    sealed = game(SEALED_NUMBERS)
    assert sealed.new_state(1).hash() == sealed.new_state(2).hash()


def test_nobody_decides_while_a_chance_event_waits() -> None:
    rolls = """\
pieces: {die: {faces: 1..3, per: player}}
variables: {bid: {type: 0..9, per: player, start: 0}}
phases:
  play:
    together: players
    do:
      - roll(player.die[0])
      - choose: n in 1..3
        do: player.bid = n
"""
    state = game(rolls).new_state(1, explicit_chance=True)
    while state.is_chance():
        assert state.deciders() == ()
        assert state.legal_moves() == ()
        state.apply_chance(state.chance_outcomes()[0])


# --- names of hidden pieces -------------------------------------------------------------------------------------------

OTHERS_HAND = """\
zones: {deck: {stack: true, visible: none}, hand: {per: player, visible: owner}}
pieces: {card: {attributes: {rank: int}, each: {rank: 1..6}, at: deck, back: card}}
setup: [shuffle(deck), "deal(2, deck, hand)"]
phases:
  play:
    turns: cycle
    do:
      - choose: c in opponent(player).hand
        name: steal
        do: move(c, player.hand)
"""


def test_a_hidden_piece_is_offered_without_its_name() -> None:
    worlds_look_alike(game(OTHERS_HAND).new_state(1))


CHOICES = (
    "choose: c in opponent(player).hand\ncount: 1..2\nname: steal\ndo: []",
    "choose: [c in opponent(player).hand, n in 1..2]\nname: steal\ndo: []",
    "choose: c in pieces(deck) + pieces(player.hand) + pieces(opponent(player).hand)\nname: steal\ndo: []",
    "choose: d in opponent(player).cup\nname: take_die\ndo: []",
    "choose: ['n in 1..2', 'd in [[first(player.hand), first(opponent(player).hand)]]']\nname: see\ndo: []",
    "actions: grab",
    "actions: trade",
)


@pytest.mark.parametrize("choice", CHOICES)
def test_what_is_offered_and_how_it_is_labelled_tells_nothing_hidden(choice: str) -> None:
    rules = game(offers(choice))
    for seed in range(5):
        state = rules.new_state(seed)
        worlds_look_alike(state)
        for move in state.legal_moves():
            assert state.parse_move(str(move)) == move
            spaced = str(move).replace("(", " ( ").replace(", ", " ,  ").replace("=", " = ")
            assert state.parse_move(spaced) == move
        assert any("hidden(" in str(move) for move in state.legal_moves())
        if "count" in choice:
            state.apply(state.legal_moves()[0])
            assert [str(move) for move in state.legal_moves()] == ["steal(c=hidden(hand[1], 1))", "done"]


def offers(choice: str) -> str:
    """The rules in which a choice is offered at every turn."""
    return OFFERS.replace("CHOICE", "\n        ".join(choice.split("\n")))


OFFERS = """\
zones:
  deck: {stack: true, visible: none, holds: card}
  hand: {per: player, visible: owner, holds: card}
  cup: {per: player, visible: owner, holds: die}
  box: {holds: die}
pieces:
  card: {attributes: {rank: int}, each: {rank: 1..6}, at: deck, back: card, label: "the {this.rank}"}
  die: {count: 6, faces: 1..3, at: box}
variables: {code: {type: 1..6, per: player, start: 1, visible: owner}}
setup:
  - shuffle(deck)
  - deal(2, deck, hand)
  - for: p in players
    do: ["move(first(box, 3), p.cup)", p.code = pick(1..6)]
  - for: d in die
    do: roll(d)
phases:
  play:
    turns: cycle
    do:
      - CHOICE
        optional: true
actions:
  grab:
    label: "{player} takes {c} of {c.rank} from {c.at} with {opponent(player).code}, {size(c.at)} there"
    choose: c in opponent(player).hand
    do: move(c, player.hand)
  trade:
    label: "{c} for {d}: {d.rank - c.rank}"
    choose: [c in player.hand, d in opponent(player).hand]
    do: move(c, player.hand)
"""


def test_what_is_written_for_a_hidden_piece_is_not_its_name() -> None:
    read = set()
    for seed in range(12):
        state = game(OTHERS_HAND).new_state(seed)
        answers = []
        for rank in range(1, 7):
            try:
                state.apply(f"steal(c=card[{rank}])")
            except gdl.IllegalMove as refused:
                answers.append(str(refused))
        read.add(tuple(answers))
        assert len(answers) == 6
    assert len(read) == 1, "the text tells the seat what the other one holds"


def test_a_number_of_a_hidden_piece_does_not_tell_which_one_it_is() -> None:
    taken = set()
    for seed in range(40):
        state = game(OTHERS_HAND).new_state(seed)
        held = sorted(piece["piece"] for piece in state.observation(1)["zones"]["hand"][1]["pieces"])
        state.apply("steal(c=hidden(hand[1], 1))")
        left = [piece["piece"] for piece in state.observation(1)["zones"]["hand"][1]["pieces"]]
        taken.add(held.index(left[0]))
    assert taken == {0, 1}


def test_a_hidden_piece_is_labelled_by_its_back() -> None:
    state = game(offers("actions: grab")).new_state(1)
    labels = [state.label(move) for move in state.legal_moves()]
    assert labels[:2] == [f"player 0 takes card {number} of hand[1] of ? from ? with ?, ? there" for number in (1, 2)]


def test_alike_dice_are_observed_in_an_order_of_what_they_show() -> None:
    dice = game("""\
zones: {cup: {}}
pieces: {die: {count: 2, faces: 1..6, at: cup}}
setup:
  - for: d in die
    do: roll(d)
""")
    seen: dict[int, set[str]] = {}
    for seed in range(60):
        state = dice.new_state(seed)
        seen.setdefault(state.hash(), set()).add(json.dumps(state.observation(0)))
    assert all(len(observations) == 1 for observations in seen.values()), "equal situations are observed differently"


# --- what is revealed -------------------------------------------------------------------------------------------------

REVEALS = """\
zones: {deck: {stack: true, visible: none}, hand: {per: player, visible: owner}, well: {stack: true, visible: top}}
pieces: {card: {attributes: {rank: int}, each: {rank: 1..6}, at: deck, back: card}}
setup: [shuffle(deck), "deal(2, deck, hand)", "draw(2, deck, well)"]
phases:
  play:
    turns: cycle
    do:
      - actions: [show, lift, lay, rest]
      - choose: n in 1..2
        name: go_on
        do: []
actions:
  show: {choose: c in player.hand, do: "reveal(c, to=opponent(player))"}
  lift: {choose: c in well where c == top(well), do: "move(c, player.hand)"}
  lay: {choose: c in player.hand, do: "move(c, well)"}
  rest: {do: []}
"""


@pytest.mark.parametrize("name", ["show", "lift", "lay"])
def test_what_comes_to_light_is_not_taken_back(name: str) -> None:
    state = game(REVEALS).new_state(3)
    cells = state.cells[:]
    state.apply(next(move for move in state.legal_moves() if str(move).startswith(name)))
    assert state.why_not_undo(0) == "something hidden was revealed"
    assert not state.undo(0)
    assert state.cells != cells


def test_what_stays_hidden_is_taken_back() -> None:
    state = game(REVEALS).new_state(3)
    cells = state.cells[:]
    state.apply("rest")
    state.apply("go_on(n=1)")
    assert state.why_not_undo(1) == "another player has decided since"
    assert state.undo(0)
    assert state.undo(0)
    assert state.cells == cells
    assert not state.undo(0)


def test_what_was_revealed_stands_in_the_observation_until_its_seat_decides() -> None:
    state = game(REVEALS).new_state(3)
    shown = next(move for move in state.legal_moves() if str(move).startswith("show"))
    name = str(shown).partition("c=")[2].rstrip(")")
    state.apply(shown)
    assert name in json.dumps(state.observation(1))
    state.apply("go_on(n=1)")
    assert name in json.dumps(state.observation(1))
    state.apply("rest")
    assert name not in json.dumps(state.observation(1))
    known = state.information_state(1)
    assert any(name in json.dumps(entry) for entry in known), "what was seen once is no longer known"


def test_what_was_told_stands_in_the_observation() -> None:
    told = game("""\
phases:
  play:
    turns: cycle
    do:
      - choose: n in 1..2
        do: log("a secret {n}", to=opponent(player))
""").new_state(1)
    told.apply(told.legal_moves()[0])
    assert "a secret 1" in json.dumps(told.observation(1))


def test_a_secret_space_does_not_tell_how_many_it_holds() -> None:
    secret = game("""\
zones: {box: {}, vault: {per: player, visible: [owner, secret]}}
pieces: {coin: {count: 4, at: box}}
phases:
  play:
    turns: cycle
    do:
      - choose: n in 0..2
        do: move(first(box, n), player.vault)
""")
    seen = []
    for move in ("play(n=1)", "play(n=2)"):
        state = secret.new_state(1)
        state.apply(move)
        seen.append(json.dumps(state.observation(1)["zones"].get("vault")))
    assert seen[0] == seen[1]


def test_owners_see_their_own_variables() -> None:
    owned = game("""\
variables: {code: {type: 1..6, per: player, start: 1, visible: owner}, oracle: {type: 1..6, start: 4, visible: none}}
phases:
  play:
    turns: cycle
    do:
      - choose: n in 1..6
        do: player.code = n
""").new_state(1)
    owned.apply("play(n=5)")
    assert 5 not in json_numbers(owned.observation(1))
    assert 4 not in json_numbers(owned.observation(0))
    assert 5 in json_numbers(owned.observation(0)), "the owner does not see it either"


def json_numbers(observed: object) -> set[int]:
    """All numbers in the variables of an observation."""
    assert hasattr(observed, "__getitem__")
    found: set[int] = set()
    todo: list[object] = [observed["variables"]]
    while todo:
        item = todo.pop()
        if isinstance(item, dict):
            todo += item.values()
        elif isinstance(item, list):
            todo += item
        elif isinstance(item, int):
            found.add(item)
    return found


def test_walks_are_long_enough_to_meet_several_auctions() -> None:
    assert sum(1 for _ in sealed_states(2)) > LENGTH // 6
