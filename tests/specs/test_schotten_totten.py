"""Proofs in Schotten Totten: what the spec lets a player claim is what a search through all completions finds.

The search is written by the rules (SCHOTTEN-18 to SCHOTTEN-44, SCHOTTEN-82 to SCHOTTEN-91), and shares nothing with the spec, which
asks for each formation by itself. In the expert variant claims come first in a turn, so they are the legal moves of a turn's start.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping
from functools import cache
from itertools import combinations, product
from pathlib import Path
from typing import Any, Final

import pytest
from attrs import Factory, define, frozen

import gdl
from gdl.diagnostics import Report
from gdl.interpreter.given import phase_named, start, state_in
from gdl.interpreter.reading import assign, read_expression
from gdl.source import Fragment, SourceFile
from gdl.typed import TExpression, VariableValue

SPEC: Final = Path(__file__).resolve().parents[2] / "specs" / "schotten_totten.yaml"
COLORS: Final = ("green", "blue", "red", "yellow", "purple", "pink")
STONES: Final = range(9)
SEATS: Final = range(2)

Card = tuple[str, int]
"""Color and rank, of a clan card or as an elite card was declared."""
DECK: Final = tuple(product(COLORS, range(1, 10)))
ELITE: Final = tuple(f"(tactic where it.troop == elite)[{n}]" for n in range(4))

# --- the rules, by search ---------------------------------------------------------------------------------------------


@cache
def formation(cards: tuple[Card, ...], *, totals_only: bool) -> tuple[int, int]:
    """The type, 5 being the strongest, and the total of a complete side."""
    ranks = sorted(rank for _, rank in cards)
    total = sum(ranks)
    if totals_only:
        return 1, total
    one_color = len({color for color, _ in cards}) == 1
    run = ranks == list(range(ranks[0], ranks[0] + len(ranks)))
    if one_color and run:
        return 5, total
    if ranks[0] == ranks[-1]:
        return 4, total
    if one_color:
        return 3, total
    return (2 if run else 1), total


@define(eq=False)
class Border:
    """What lies on the table. `first` is whose side was complete first, `holder` who has claimed; none where it does not matter."""

    sides: list[list[list[Card]]] = Factory(lambda: [[[] for _ in STONES] for _ in SEATS])
    elite: Counter[tuple[int, int]] = Factory(Counter)
    """How many of a side's cards are elite cards, by seat and stone; they come first."""
    discarded: list[Card] = Factory(list)
    mud: int | None = None
    blind: int | None = None
    holder: list[int | None] = Factory(lambda: [None] * 9)
    first: list[int | None] = Factory(lambda: [None] * 9)

    def needed(self, stone: int) -> int:
        """How many cards make a side complete."""
        return 4 if stone == self.mud else 3

    def unseen(self) -> list[Card]:
        """The clan cards that have not been played."""
        shown = set(self.discarded)
        for seat, stone in product(SEATS, STONES):
            shown.update(self.sides[seat][stone][self.elite[seat, stone] :])
        return [card for card in DECK if card not in shown]

    def claims(self, seat: int, seen: Counter[str] | None = None) -> set[int]:
        """The stones that a player can claim; `seen` counts why and why not."""
        unseen = self.unseen()
        return {stone for stone in STONES if self._claimable(seat, stone, unseen, Counter() if seen is None else seen)}

    def _claimable(self, seat: int, stone: int, unseen: list[Card], seen: Counter[str]) -> bool:
        mine, theirs = self.sides[seat][stone], self.sides[1 - seat][stone]
        needed, totals_only = self.needed(stone), stone == self.blind
        if self.holder[stone] is not None or len(mine) < needed:
            return False
        goal = formation(tuple(mine), totals_only=totals_only)
        missing = needed - len(theirs)
        if missing:
            beaten = any(formation((*theirs, *more), totals_only=totals_only) > goal for more in combinations(unseen, missing))
            seen[f"{needed} cards, {missing} missing, {'no proof' if beaten else 'proof'}"] += 1
            seen["too few cards are unseen"] += len(unseen) < missing
            return not beaten
        other = formation(tuple(theirs), totals_only=totals_only)
        seen[f"complete, {'tie' if goal == other else 'no tie'}, {'first' if self.first[stone] == seat else 'second'}"] += 1
        return goal > other or (goal == other and self.first[stone] == seat)


# --- the spec ---------------------------------------------------------------------------------------------------------


@frozen(eq=False)
class Engine:
    """The game as the spec has it, with places and pieces by their names."""

    game: gdl.Game = Factory(lambda: gdl.load(SPEC).game(options={"variant": "expert"}))
    known: dict[str, Any] = Factory(dict)

    def node(self, text: str) -> TExpression:
        """An expression of the spec's language, checked."""
        found = read_expression(self.game, Fragment(text, SourceFile("<test>", text), 0), Report())
        assert found is not None, text
        return found

    def constant(self, text: str) -> Any:  # noqa: ANN401 - a piece, a space, a symbol or a player is a number, a list a tuple
        """The value of an expression that does not depend on the state."""
        if text not in self.known:
            self.known[text] = self.game.evaluate(self.node(text), self.game.build.first)
        return self.known[text]

    def state(self, border: Border, seat: int, hands: tuple[list[Card], list[Card]]) -> gdl.State:
        """The start of a seat's turn."""
        phase = phase_named(self.game, "round.battle")
        assert phase is not None
        state = state_in(self.game, phase, seat, 0, explicit=False)
        elite = iter(ELITE)
        for each, stone in product(SEATS, STONES):
            cards = border.sides[each][stone]
            place = f"players[{each}].side[{stone}]"
            declared = border.elite[each, stone]
            for card in cards[:declared]:
                piece = next(elite)
                self._declare(state, piece, card)
                self._put(state, piece, place)
            self._put_clan(state, cards[declared:], place)
        self._put_clan(state, border.discarded, "discard")
        for each in SEATS:
            self._put_clan(state, hands[each], f"players[{each}].hand")
        for stone in STONES:
            self._set(state, f"stones[{stone}].holder", border.holder[stone])
            self._set(state, f"stones[{stone}].ahead", border.first[stone])
        for name, at in (("mud_fight", border.mud), ("blind_mans_bluff", border.blind)):
            if at is not None:
                self._put(state, name, f"stones[{at}]")
        start(state)
        return state

    def _put_clan(self, state: gdl.State, cards: list[Card], place: str) -> None:
        for color, rank in cards:
            self._put(state, f"clan[{color}, {rank}]", place)

    def _put(self, state: gdl.State, piece: str, place: str) -> None:
        self.game.plan.mover.move(state.cells, self.constant(piece), self.constant(place))

    def _declare(self, state: gdl.State, piece: str, card: Card) -> None:
        for name, value in (("color", self.constant(f"color.{card[0]}")), ("rank", card[1])):
            target = self.node(f"{piece}.{name}")
            assert isinstance(target, VariableValue)
            assign(self.game, state.cells, target, value)

    def _set(self, state: gdl.State, text: str, seat: int | None) -> None:
        if seat is not None:
            target = self.known.setdefault(f"node of {text}", self.node(text))
            assign(self.game, state.cells, target, self.constant(f"players[{seat}]"))


@define(eq=False)
class Watcher:
    """Follows a match move by move as a spectator sees it, and keeps by itself since when each side has been complete as it is."""

    now: int = 0
    complete: dict[tuple[int, int], tuple[list[str], int]] = Factory(dict)
    """Of complete sides, by seat and stone: the pieces, and when the last of them came."""

    def border(self, state: gdl.State) -> Border:
        """What lies on the table, one move later."""
        self.now += 1
        zones = state.observation(None)["zones"]
        border = Border()
        border.discarded = [_card(piece) for piece in zones["discard"][0]["pieces"] if _is_clan(piece)] if zones["discard"] else []
        for stone, space in enumerate(zones["stones"]):
            border.holder[stone] = space["holder"]
            ploys = {piece["piece"] for piece in space.get("pieces", ())}
            border.mud = stone if "mud_fight" in ploys else border.mud
            border.blind = stone if "blind_mans_bluff" in ploys else border.blind
        lying = {space["space"]: space["pieces"] for space in zones["side"]}
        for seat, stone in product(SEATS, STONES):
            self._side(border, seat, stone, lying.get(f"side[{seat}, {stone}]", []))
        for stone in STONES:
            border.first[stone] = min(SEATS, key=lambda seat: self.complete.get((seat, stone), ([], self.now))[1])
        return border

    def _side(self, border: Border, seat: int, stone: int, pieces: list[Mapping[str, Any]]) -> None:
        elite = [_card(piece) for piece in pieces if not _is_clan(piece)]
        border.sides[seat][stone] = [*elite, *(_card(piece) for piece in pieces if _is_clan(piece))]
        border.elite[seat, stone] = len(elite)
        names = [str(piece) for piece in pieces]
        if len(pieces) < border.needed(stone):
            self.complete.pop((seat, stone), None)
        elif (seat, stone) not in self.complete or self.complete[seat, stone][0] != names:
            self.complete[seat, stone] = names, self.now


def _is_clan(piece: Mapping[str, Any]) -> bool:
    return str(piece["piece"]).startswith("clan")


def _card(piece: Mapping[str, Any]) -> Card:
    """Of a text such as `clan[red, 7]`, or as it was declared."""
    if not _is_clan(piece):
        return piece["color"], piece["rank"]
    color, rank = str(piece["piece"]).removeprefix("clan[").removesuffix("]").split(", ")
    return color, int(rank)


def test_it_is_for_two() -> None:
    """SCHOTTEN-01, which a scenario can't show: it has a number of players that is allowed."""
    assert gdl.load(SPEC).players == (2,)


# --- random positions -------------------------------------------------------------------------------------------------


@frozen(eq=False)
class Dealer:
    """Deals positions in which formations, near formations and ties are frequent."""

    source: random.Random

    def border(self) -> Border:
        """What lies on the table: with luck much of it, so that proofs can hold."""
        draw = self.source.random
        border = Border()
        border.mud = self.source.choice(STONES) if draw() < 0.8 else None
        border.blind = self.source.choice(STONES) if draw() < 0.3 else None
        free = list(DECK)
        self.source.shuffle(free)
        for stone in self.source.sample(STONES, 9):
            needed = border.needed(stone)
            counts = [needed, needed if draw() < 0.4 else self.source.choice((0, 1, 1, 2, 2, 2, needed - 1))]
            self.source.shuffle(counts)
            wanted: list[int] | None = None
            for seat in SEATS:
                wanted = self._side(border, seat, stone, counts[seat], free, wanted)
            border.first[stone] = self.source.choice(SEATS)
            border.holder[stone] = self.source.choice(SEATS) if draw() < 0.1 else None
        self._spare_winners(border)
        border.discarded = free[: max(0, len(free) - self.source.choice((0, 1, 2, 3, 5, 8, 13, 21, 34, 54)))]
        return border

    def _side(self, border: Border, seat: int, stone: int, count: int, free: list[Card], wanted: list[int] | None) -> list[int]:
        """Lay so many cards; of the ranks wanted, if there are any and they can be had. Gives the ranks."""
        side = border.sides[seat][stone]
        if wanted is None or self.source.random() < 0.6:
            wanted = self._ranks(border.needed(stone))
        color = self.source.choice(COLORS) if self.source.random() < 0.4 else None
        if count and border.elite.total() < len(ELITE) and self.source.random() < 0.15:
            border.elite[seat, stone] += 1
            side.append((color or self.source.choice(COLORS), wanted[0]))
        for rank in wanted[len(side) : min(count, len(side) + len(free))]:
            fitting = [card for card in free if card[1] == rank and color in (None, card[0])]
            side.append(fitting[0] if fitting else free[0])
            if side[-1] in free:
                free.remove(side[-1])
        return wanted

    def _ranks(self, count: int) -> list[int]:
        """Ranks of a run, of equal cards, or any."""
        low, kind = self.source.randint(1, 10 - count), self.source.random()
        if kind < 0.4:
            return self.source.sample(range(low, low + count), count)
        if kind < 0.65:
            return [low] * count
        return [self.source.randint(1, 9) for _ in range(count)]

    def _spare_winners(self, border: Border) -> None:
        """Nobody may have won already."""
        held = border.holder
        for stone in range(2, 9):
            if held[stone] is not None and held[stone - 2] == held[stone - 1] == held[stone]:
                held[stone] = None

    def hands(self, border: Border) -> tuple[list[Card], list[Card]]:
        """Hands out of the unseen cards, which no proof may take into account."""
        unseen = border.unseen()
        self.source.shuffle(unseen)
        return unseen[:7], unseen[7:14]


def claims_offered(state: gdl.State) -> set[int]:
    """The stones that a turn may begin by claiming."""
    texts = {str(move) for move in state.legal_moves()}
    return {stone for stone in STONES if f"claim(stone=stones[{stone}])" in texts}


@pytest.mark.parametrize("block", [0, *(pytest.param(n, marks=pytest.mark.slow) for n in range(1, 6))])
def test_proofs_are_exact(block: int) -> None:
    """400 random positions each: 2,400 in all."""
    engine, dealer, seen = Engine(), Dealer(random.Random(block)), Counter[str]()
    for number in range(400):
        border = dealer.border()
        seat = dealer.source.choice(SEATS)
        state = engine.state(border, seat, dealer.hands(border))
        assert claims_offered(state) == border.claims(seat, seen), f"position {number}: {border}"
    assert all(seen[case] >= 2 for case in CASES), dict(seen)


CASES: Final = (
    *(f"3 cards, {missing} missing, {proof}" for missing in (1, 2, 3) for proof in ("proof", "no proof")),
    *(f"4 cards, {missing} missing, {proof}" for missing in (1, 2) for proof in ("proof", "no proof")),
    *(f"complete, {tie}, {order}" for tie in ("tie", "no tie") for order in ("first", "second")),
    "too few cards are unseen",
)
"""What random positions have to be about, in each block of them."""


@pytest.mark.parametrize("seed", range(2))
def test_claims_in_matches(seed: int) -> None:
    """Wherever a turn of a random match begins; so it is told right, too, whose side was complete first."""
    engine, source, offered = Engine(), random.Random(seed), 0
    for _ in range(20):
        state, watcher, turn_of = engine.game.new_state(seed=source.getrandbits(32)), Watcher(), None
        while not state.is_terminal():
            (seat,) = state.deciders()
            border = watcher.border(state)
            moves = state.legal_moves()
            if seat != turn_of:
                claims = border.claims(seat)
                assert claims_offered(state) == claims, border
                offered += len(claims)
            turn_of = seat
            state.apply(source.choice(moves))
    assert offered > 100
