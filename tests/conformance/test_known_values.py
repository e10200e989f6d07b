"""What is known of these games by proof or from others' computing, found again by walking their trees.

Kuhn poker: the first player can expect -1/18, with the optimal strategies that Kuhn gives. Leduc hold'em: 288 information sets, and
an expectation of -0.0856. Go: 57 legal positions on 2x2 points and 12,675 on 3x3. Hex: the first player wins, unless the second may
take over the first stone.
"""

from __future__ import annotations

import json
import re
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from attrs import define

import gdl

if TYPE_CHECKING:
    from gdl.interpreter.moves import Move
    from gdl.interpreter.state import State

CLASSICS = Path(__file__).resolve().parents[2] / "specs" / "classics"


def first_state(name: str, **options: str | int | bool) -> State:
    return gdl.load(CLASSICS / f"{name}.yaml").game(options=options).new_state(explicit_chance=True)


def after_move(state: State, move: Move | str) -> State:
    child = state.clone()
    child.apply(move)
    return child


def after_chance(state: State, outcome: str) -> State:
    child = state.clone()
    child.apply_chance(outcome)
    return child


# --- trees of card games ------------------------------------------------------------------------------------------------

Known = tuple[str, ...]
"""What a seat knows: the cards that it sees and the moves so far."""
Strategy = Mapping[Known, Sequence[float | Fraction]]
"""How likely each move is, in the order of the legal moves."""


@define(eq=False)
class Node:
    """A decision (of `seat`, which knows `known`), a chance event (with `chances`) or an end (where the first player has `won`).

    `told` is the information state that the engine gives.
    """

    children: tuple[Node, ...] = ()
    moves: tuple[str, ...] = ()
    seat: int = -1
    known: Known = ()
    told: str = ""
    chances: tuple[Fraction, ...] = ()
    won: int = 0


def grow(state: State, past: tuple[str, ...] = ()) -> Node:
    if state.is_terminal():
        return Node(won=state.scores()[0])
    if state.is_chance():
        outcomes = state.chance_outcomes()
        total = sum(outcome.weight for outcome in outcomes)
        children = tuple(grow(after_chance(state, str(outcome)), past) for outcome in outcomes)
        return Node(children, chances=tuple(Fraction(outcome.weight, total) for outcome in outcomes))
    (seat,) = state.deciders()
    moves = tuple(str(move) for move in state.legal_moves(seat))
    children = tuple(grow(after_move(state, move), (*past, move)) for move in moves)
    return Node(children, moves, seat, (*cards_seen(state, seat), *past), json.dumps(state.information_state(seat)))


def cards_seen(state: State, seat: int) -> list[str]:
    """The faces of cards in what a seat is shown: first its own, then those on the table."""
    return re.findall(r'"piece": "card\[(\w*)', json.dumps(state.observation(seat)))


def nodes_of(node: Node) -> Iterator[Node]:
    yield node
    for child in node.children:
        yield from nodes_of(child)


def information_sets(root: Node) -> int:
    """How many there are; the engine tells apart neither more nor less."""
    decisions = [node for node in nodes_of(root) if node.moves]
    known = {(node.seat, node.known) for node in decisions}
    told = {(node.seat, node.told) for node in decisions}
    assert len(told) == len({(node.seat, node.known, node.told) for node in decisions}) == len(known)
    return len(known)


def expectation(node: Node, strategies: Sequence[Strategy]) -> Fraction | float:
    """What the first player wins on average."""
    if not node.children:
        return Fraction(node.won)
    chances = node.chances or strategies[node.seat][node.known]
    return sum((chance * expectation(child, strategies) for chance, child in zip(chances, node.children, strict=True)), Fraction(0))


def best_expectation(root: Node, hero: int, strategies: Sequence[Strategy]) -> Fraction | float:
    """What `hero` wins on average with the best answer to the other's strategy."""
    sign = 1 if hero == 0 else -1
    met: dict[Known, list[tuple[Node, Fraction | float]]] = {}

    def meet(node: Node, likely: Fraction | float) -> None:
        """Note how likely it is that chance and the other lead to each decision of the hero."""
        if node.seat == hero:
            met.setdefault(node.known, []).append((node, likely))
        chances = node.chances or ([1] * len(node.moves) if node.seat == hero else strategies[node.seat].get(node.known, ()))
        for chance, child in zip(chances, node.children, strict=True):
            meet(child, likely * chance)

    def of(node: Node) -> Fraction | float:
        if not node.children:
            return Fraction(sign * node.won)
        if node.seat == hero:
            return of(node.children[best_move(node.known)])
        chances = node.chances or strategies[node.seat][node.known]
        return sum((chance * of(child) for chance, child in zip(chances, node.children, strict=True)), Fraction(0))

    @cache
    def best_move(known: Known) -> int:
        nodes = met[known]
        gains = [sum(likely * of(node.children[i]) for node, likely in nodes) for i in range(len(nodes[0][0].moves))]
        return gains.index(max(gains))

    meet(root, Fraction(1))
    return of(root)


# --- Kuhn poker ---------------------------------------------------------------------------------------------------------

THIRD = Fraction(1, 3)


@pytest.fixture(scope="module")
def kuhn() -> Node:
    return grow(first_state("kuhn_poker"))


def strategy(chances: Mapping[Known, Fraction | int]) -> Strategy:
    """By the probability of the second of two moves: bet, call."""
    return {known: (1 - Fraction(chance), Fraction(chance)) for known, chance in chances.items()}


def optimal_first(alpha: Fraction) -> Strategy:
    """Kuhn's strategies for the first player: one for every alpha from 0 to 1/3."""
    opening: dict[Known, Fraction | int] = {("jack",): alpha, ("queen",): 0, ("king",): 3 * alpha}
    answer: dict[Known, Fraction | int] = {("jack",): 0, ("queen",): alpha + THIRD, ("king",): 1}
    return strategy(opening | {(*card, "check", "bet"): chance for card, chance in answer.items()})


def optimal_second() -> Strategy:
    after_check: dict[Known, Fraction | int] = {("jack", "check"): THIRD, ("queen", "check"): 0, ("king", "check"): 1}
    return strategy(after_check | {("jack", "bet"): 0, ("queen", "bet"): THIRD, ("king", "bet"): 1})


def test_kuhn_poker_has_twelve_information_sets(kuhn: Node) -> None:
    assert information_sets(kuhn) == 12
    assert sum(not node.children for node in nodes_of(kuhn)) == 30
    assert {node.moves for node in nodes_of(kuhn) if node.moves} == {("check", "bet"), ("fold", "call")}


@pytest.mark.parametrize("alpha", [Fraction(0), Fraction(1, 5), THIRD])
def test_kuhn_poker_is_worth_minus_one_eighteenth(kuhn: Node, alpha: Fraction) -> None:
    assert expectation(kuhn, [optimal_first(alpha), optimal_second()]) == Fraction(-1, 18)


@pytest.mark.parametrize("alpha", [Fraction(0), Fraction(1, 5), THIRD])
def test_nobody_can_do_better_at_kuhn_poker(kuhn: Node, alpha: Fraction) -> None:
    strategies = [optimal_first(alpha), optimal_second()]
    assert best_expectation(kuhn, 0, strategies) == Fraction(-1, 18)
    assert best_expectation(kuhn, 1, strategies) == Fraction(1, 18)


# --- Leduc hold'em ------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def leduc() -> Node:
    return grow(first_state("leduc_poker"))


class Learner:
    """Counterfactual regret minimization with regrets cut off at nought: the average strategies come close to optimal ones."""

    def __init__(self, root: Node) -> None:
        self.root = root
        sizes = {node.known: len(node.moves) for node in nodes_of(root) if node.moves}
        self.regrets = {known: [0.0] * size for known, size in sizes.items()}
        self.totals = {known: [0.0] * size for known, size in sizes.items()}

    def learn(self, rounds: int) -> None:
        for number in range(1, rounds + 1):
            for hero in (0, 1):
                self.now = {known: shares(regrets) for known, regrets in self.regrets.items()}
                self._gain(self.root, hero, float(number), 1.0)
                for regrets in self.regrets.values():
                    regrets[:] = [max(regret, 0.0) for regret in regrets]

    def strategies(self) -> list[Strategy]:
        average = {known: shares(totals) for known, totals in self.totals.items()}
        return [average, average]

    def _gain(self, node: Node, hero: int, own: float, others: float) -> float:
        """What the hero wins from here; `own` is how much the hero does to come here, `others` how likely the rest is."""
        if not node.children:
            return float(node.won if hero == 0 else -node.won)
        if node.seat != hero:
            chances = [float(chance) for chance in node.chances] or self.now[node.known]
            return sum(c * self._gain(child, hero, own, others * c) for c, child in zip(chances, node.children, strict=True))
        chances = self.now[node.known]
        gains = [self._gain(child, hero, own * c, others) for c, child in zip(chances, node.children, strict=True)]
        gain = sum(c * g for c, g in zip(chances, gains, strict=True))
        for i, chance in enumerate(chances):
            self.regrets[node.known][i] += others * (gains[i] - gain)
            self.totals[node.known][i] += own * chance
        return gain


def shares(amounts: Sequence[float]) -> list[float]:
    total = sum(amounts)
    return [a / total for a in amounts] if total > 0 else [1 / len(amounts)] * len(amounts)


def test_leduc_holdem_has_288_information_sets(leduc: Node) -> None:
    assert information_sets(leduc) == 288


def test_leduc_holdem_is_worth_what_others_have_found(leduc: Node) -> None:
    learner = Learner(leduc)
    learner.learn(300)
    low = -best_expectation(leduc, 1, learner.strategies())
    high = best_expectation(leduc, 0, learner.strategies())
    assert low < -0.0856 < high
    assert high - low < 0.01


# --- go and hex ---------------------------------------------------------------------------------------------------------


def legal_positions(width: int) -> int:
    """How many different positions can be reached, with both moving and passing in turn."""
    first = first_state("go", width=width, ko="simple")
    pending = deque([first])
    reached = {_stones(first)}
    while pending:
        state = pending.popleft()
        for move in state.legal_moves():
            child = after_move(state, move)
            if not child.is_terminal() and (position := _stones(child)) not in reached:
                reached.add(position)
                pending.append(child)
    return len({stones for stones, _ in reached})


def _stones(state: State) -> tuple[str, tuple[int, ...]]:
    return json.dumps(state.observation(None)["zones"]), state.deciders()


def test_legal_positions_of_go() -> None:
    assert legal_positions(2) == 57


@pytest.mark.slow
def test_legal_positions_of_go_on_nine_points() -> None:
    assert legal_positions(3) == 12_675


@pytest.mark.parametrize("pie_rule", [False, True])
def test_hex_is_won_by_the_first_player_unless_the_stone_is_taken_over(pie_rule: bool) -> None:
    """By Nash's argument: no game is drawn, and a winning strategy of the second player could be taken over, as then a stone can."""
    known: dict[tuple[int, ...], int] = {}

    def winner(state: State) -> int:
        if state.is_terminal():
            return state.winners()[0]
        key = tuple(state.cells)
        if key not in known:
            (seat,) = state.deciders()
            wins = any(winner(after_move(state, move)) == seat for move in state.legal_moves())
            known[key] = seat if wins else 1 - seat
        return known[key]

    assert winner(first_state("hex", width=3, pie_rule=pie_rule)) == int(pie_rule)
