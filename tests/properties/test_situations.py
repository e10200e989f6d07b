"""Which situations are the same: transpositions, alike pieces, and what a hash must tell apart."""

from __future__ import annotations

import json
import random
from collections import defaultdict
from collections.abc import Iterator

import pytest

import gdl
from gdl.interpreter.hashing import state_hash
from gdl.interpreter.knowledge import Knowledge
from gdl.interpreter.moves import Move, Outcome
from gdl.interpreter.setup import Setup
from tests.properties.checks import canonical
from tests.properties.shipped import SEEDS, THOROUGH, Setting, each_setting, load, stops, texts

TRANSPOSITIONS = 60 if THOROUGH else 8
MOST_SITUATIONS = 2000 if THOROUGH else 250


# --- transpositions ---------------------------------------------------------------------------------------------------


@each_setting
def test_moves_in_another_order_lead_to_the_same_hash(setting: Setting) -> None:
    """In a game where all lie open and nothing is remembered, what looks the same to everybody is the same."""
    if Knowledge(setting.game).has_hidden or setting.game.context.spec.histories:
        return
    generator = random.Random(1)
    for state in stops(setting):
        known: dict[str, set[int]] = defaultdict(set)
        for _ in range(TRANSPOSITIONS):
            for later in reordered(state, generator):
                known[as_seen(later)].add(later.hash())
        assert all(len(hashes) == 1 for hashes in known.values()), "the hash tells equal situations apart"
        hashes = [hashed for found in known.values() for hashed in found]
        assert len(set(hashes)) == len(hashes), "the hash does not tell situations apart"


def reordered(state: gdl.State, generator: random.Random) -> Iterator[gdl.State]:
    """The states that three moves lead to, in their order and with the first and the third exchanged, where both can be played."""
    first = state.clone()
    chosen = []
    for _ in range(3):
        if first.is_terminal():
            return
        chosen.append(generator.choice(texts(first)))
        first.apply(chosen[-1])
    yield first
    second = state.clone()
    try:
        for text in reversed(chosen):
            second.apply(text)
    except gdl.IllegalMove:
        return
    yield second


def as_seen(state: gdl.State) -> str:
    """All that anybody can see, who decides, and what can be done."""
    seen = [state.observation(seat) for seat in range(state.game.players)]
    results = [state.scores(), state.ranking(), state.winners()] if state.is_terminal() else []
    return json.dumps([seen, texts(state), results], default=list)


@each_setting
def test_hashes_tell_situations_apart(setting: Setting) -> None:
    """Of all states met, those with the same hash are the same but for the numbers of alike pieces."""
    known: dict[int, gdl.State] = {}
    for state in stops(setting):
        for move in random.Random(1).sample(state.legal_moves(), min(10, len(state.legal_moves()))):
            later = state.clone()
            later.apply(move)
            other = known.setdefault(later.hash(), later)
            if canonical(other) != canonical(later):
                assert setting.game.plan.alike, "two situations have the same hash"
                assert [other.observation(seat) for seat in (None, *range(setting.players))] == [
                    later.observation(seat) for seat in (None, *range(setting.players))
                ]


# --- alike pieces -----------------------------------------------------------------------------------------------------


@each_setting
def test_without_merging_the_same_situations_are_reached(setting: Setting, monkeypatch: pytest.MonkeyPatch) -> None:
    """Situations in which somebody decides: in the middle of a deal it is still remembered which piece has moved.

    Specs without alike pieces are left aside, those that remember positions (a record says what was merged), and those in which a rule
    can tell alike pieces apart, so that their hashes do.
    """
    merged = setting.game
    if not merged.plan.alike or merged.context.spec.histories or not merged.plan.alike <= merged.plan.merged:
        return
    monkeypatch.setattr(Setup, "_find_alike", find_none_alike)
    single = load(setting.spec).game(setting.players, dict(setting.options))
    assert not single.plan.alike
    for seed in SEEDS:
        generator = random.Random(seed)
        one, other = merged.new_state(seed, explicit_chance=True), single.new_state(seed, explicit_chance=True)
        assert one.cells == other.cells
        ones, others = {state_hash(merged.plan, one.cells): one}, {state_hash(merged.plan, other.cells): other}
        for _ in range(6):
            ones, others = following(ones, merged), following(others, merged)
            assert settled(ones) == settled(others)
            if len(others) > MOST_SITUATIONS:
                kept = generator.sample(sorted(set(ones) & set(others)), MOST_SITUATIONS // 10)
                ones, others = {key: ones[key] for key in kept}, {key: others[key] for key in kept}


def settled(states: dict[int, gdl.State]) -> set[int]:
    """The situations in which no chance event waits."""
    return {key for key, state in states.items() if not state.is_chance()}


def find_none_alike(setup: Setup) -> None:
    """What `Setup` does to find alike pieces, when none are."""
    setup.plan.alike_class = tuple(range(setup.plan.piece_count))
    setup.plan.alike = frozenset()  # so that none are merged either


def following(states: dict[int, gdl.State], merged: gdl.Game) -> dict[int, gdl.State]:
    """The situations that moves and outcomes lead to, by the hash that merges alike pieces."""
    found: dict[int, gdl.State] = {}
    for state in states.values():
        choices: list[Outcome | Move] = [*state.chance_outcomes(), *state.legal_moves()]
        for choice in choices:
            later = state.clone()
            if isinstance(choice, Outcome):
                later.apply_chance(choice)
            else:
                later.apply(choice)
            found.setdefault(state_hash(merged.plan, later.cells), later)
    return found


REMEMBERED_MAN = """\
gdl: 1
game: remembered_man
players: 1
zones: {a: {}, b: {}}
pieces: {man: {count: 2, at: a}}
phases:
  play:
    turns: cycle
    do:
      - choose: m in man
        do:
          - choose: n in 0..1
            name: go
            do:
              - if: n == 1
                then: move(m, b)
                else: move(m, a)
"""


def test_a_piece_that_is_waited_for_is_told_from_those_alike() -> None:
    """One man stands in each place; then the one in `b` has been chosen, or the one in `a`."""
    game = gdl.loads(REMEMBERED_MAN).game()
    hashes = []
    for moves in (("0", "1", "0"), ("0", "1", "1", "1", "0", "0", "0")):
        state = game.new_state(1)
        for number, text in enumerate(moves):
            state.apply(f"play(m=man[{text}])" if number % 2 == 0 else f"go(n={text})")
        chosen = state.cells[state.game.plan.at]
        hashes.append((state.hash(), game.names.space(chosen)))
    assert hashes[0][1] != hashes[1][1], "the man that was chosen stands elsewhere"
    assert hashes[0][0] != hashes[1][0]


TOOLS = """\
gdl: 1
game: tools
players: 1
zones: {bag: {}, bench: {}}
pieces: {tool: {at: bag, rows: [{name: rope, copies: 2}, {name: lamp}]}}
phases:
  play:
    turns: cycle
    do:
      - choose: t in bag
        do: move(t, bench)
        else: end_game
"""


def test_rows_with_names_are_no_alike_pieces() -> None:
    """Though they have no attribute that would tell them apart."""
    state = gdl.loads(TOOLS).game().new_state(1)
    assert [str(move) for move in state.legal_moves()] == ["play(t=tool[0])", "play(t=lamp)"]
    assert [piece["piece"] for piece in state.observation(0)["zones"]["bag"][0]["pieces"]] == ["rope", "rope", "lamp"]


def test_a_piece_that_the_spec_calls_by_its_rows_name_has_no_equals() -> None:
    """`rope` is the first of its row."""
    state = gdl.loads(TOOLS + "invariants: rope.at == bag or rope.at == bench\n").game().new_state(1)
    assert [str(move) for move in state.legal_moves()] == ["play(t=tool[0])", "play(t=tool[1])", "play(t=lamp)"]


SHUFFLED = """\
gdl: 1
game: shuffled
players: 2
zones: {deck: {stack: true, visible: none}}
pieces: {card: {attributes: {rank: int}, each: {rank: 1..4}, at: deck}}
phases:
  play:
    turns: cycle
    do:
      - actions: [mix, rest]
actions:
  mix: {do: shuffle(deck)}
  rest: {do: []}
"""


def test_a_shuffled_stack_is_told_from_one_in_order() -> None:
    hashes = set()
    for text in ("mix", "rest"):
        state = gdl.loads(SHUFFLED).game().new_state(1)
        state.apply(text)
        hashes.add(state.hash())
    assert len(hashes) == 2


def test_places_in_a_stack_are_told_apart_by_what_lies_there() -> None:
    """Two alike cards lie in a stack, and another one of them is worn."""
    hashes = set()
    for text in ("wear(c=card[0])", "wear(c=card[1])"):
        state = gdl.loads(WORN).game().new_state(1)
        assert state.game.plan.merged == {"card"}
        state.apply(text)
        hashes.add(state.hash())
    assert len(hashes) == 2


WORN = """\
gdl: 1
game: worn
players: 1
zones: {pile: {stack: true}}
pieces: {card: {count: 2, at: pile, variables: {worn: bool}}}
phases:
  play:
    turns: cycle
    do:
      - actions: [wear, look]
actions:
  wear: {choose: c in card, do: c.worn = true}
  look: {when: top(pile).worn, do: []}
"""


DICE = """\
gdl: 1
game: dice
players: 1
ZONES
pieces:
  die: {faces: 1..6}
phases:
  play:
    turns: cycle
    do:
      - roll(die)
      - actions: [rest]
actions:
  rest: {do: []}
"""


@pytest.mark.parametrize("zones", ["", "zones: {deck: {stack: true}}"])
def test_pieces_that_lie_nowhere_have_a_place_in_no_stack(zones: str) -> None:
    state = gdl.loads(DICE.replace("ZONES", zones)).game().new_state(1, explicit_chance=True)
    hashes = set()
    for outcome in state.chance_outcomes():
        child = state.clone()
        child.apply_chance(outcome)
        hashes.add(child.hash())
    assert len(hashes) == 6


IDLE = """\
gdl: 1
game: idle
players: 1
LIMITS
phases:
  play:
    turns: cycle
    do:
      - actions: [rest]
actions:
  rest: {do: []}
"""


@pytest.mark.parametrize(("limits", "different"), [("", 1), ("limits: {turns: 5}", 3)])
def test_turns_count_where_they_are_limited(limits: str, different: int) -> None:
    state = gdl.loads(IDLE.replace("LIMITS", limits)).game().new_state(1)
    hashes = set()
    for _ in range(3):
        hashes.add(state.hash())
        state.apply("rest")
    assert len(hashes) == different


# --- rules that tell alike pieces by their order ----------------------------------------------------------------------

ORDERED = """\
gdl: 1
game: ordered
players: 1
zones:
  a: {holds: man}
  b: {holds: man}
  heap: {stack: true, holds: man}
pieces:
  man: {count: 3, at: a, variables: {tired: bool}}
functions:
  "everybody()": man
  "some(xs: list[man])": count(xs)
phases:
  play:
    turns: cycle
    do:
      - actions: [go, use]
        else: []
actions:
  go:
    choose:
      - m in a
      - n in a where n != m
    do:
      - m.tired = true
      - move(n, b)
  use:
    do:
      - STEP
"""


def ordered(step: str) -> gdl.Game:
    """A game with a step in one of its actions."""
    return gdl.loads(ORDERED.replace("STEP", step.replace("\n", "\n        "))).game()


@pytest.mark.parametrize(
    ("step", "merged"),
    [
        ("move(first(man), b)", False),
        ("move(last(a), b)", False),
        ("move(first(a), b)", False),  # the men in `a` may be tired or not
        ("move(man, heap)", False),
        ("move(man, b)", True),
        ("let: n = count(man where it.tired)", True),
        ("let: n = count(everybody())", True),
        ("let: n = some(man)", False),
        ("for: m in man\ndo: m.tired = false", True),
        ("for: m in man\ndo: move(m, heap)", False),
        ("let: m = man[0]", False),
        ("let: s = first(man select it.at)", False),
        ("let: m = best(man, 1)", False),
        ("choose: m in man\ndo:\n  - choose: n in 0..1\n    do: m.tired = n == 1", True),
        ("choose: m in man\ncount: 2\ndo: move(m, b)", False),
    ],
)
def test_kinds_are_merged_where_no_rule_can_tell_their_order(step: str, merged: bool) -> None:
    assert ("man" in ordered(step).plan.merged) == merged


def test_a_piece_that_is_not_the_first_of_alike_can_be_chosen_beside_it() -> None:
    """Two of three men in one place: the second is another one than the first, though both are alike."""
    state = ordered("move(man, b)").new_state(1)
    assert [str(move) for move in state.legal_moves()] == ["go(m=man[0], n=man[1])", "use"]
