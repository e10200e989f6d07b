"""Perft: how many sequences of moves a situation allows, length by length.

Implementations of a game are compared by such counts. A sequence consists of moves and of the outcomes of the chance
events before each of them; outcomes multiply the sequences and add no length. Counted by turns, all that a seat decides
in one turn is one step of a sequence, with the chance events in it. A sequence that ends the game is counted at its own
length only.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from attrs import frozen

from gdl.interpreter import cells as c
from gdl.interpreter.moves import Move, Outcome
from gdl.interpreter.state import State

_KEPT_CELLS: Final = 8_000_000
"""How many numbers of states with known counts are kept at once."""

Path = tuple[Move | Outcome, ...]


@frozen
class Level:
    """What was counted for one length: all sequences, and those of them after which the game is over."""

    length: int
    sequences: int
    ended: int


def perft(state: State, depth: int, *, per_turn: bool = False, last_ended: bool = True) -> tuple[Level, ...]:
    """The counts for the lengths from 1 to `depth`.

    `last_ended` false leaves the sequences of the greatest length untried, which is a good deal faster; their `ended`
    is then 0. The state stays as it is. Raises GameFault if a rule fails on the way.
    """
    sequences, ended = _Counter(per_turn, last_ended).count(state, depth)
    return tuple(Level(n, s, e) for n, (s, e) in enumerate(zip(sequences, ended, strict=True), start=1))


def divide(state: State, depth: int, *, per_turn: bool = False) -> tuple[tuple[str, int], ...]:
    """For every first step, with the outcomes around it, how many sequences of length `depth` begin so."""
    counter = _Counter(per_turn, last_ended=False)
    found = []
    for path, child in counter.steps(state):
        number = 1 if depth == 1 else counter.count(child, depth - 1)[0][-1]
        found.append((", ".join(str(part) for part in path), number))
    return tuple(found)


Counts = tuple[list[int], list[int]]


class _Counter:
    """Counts the sequences that begin in a state.

    What was counted for a state is kept, since many sequences lead to it.
    """

    def __init__(self, per_turn: bool, last_ended: bool) -> None:
        self.per_turn = per_turn
        self.last_ended = last_ended
        self._known: dict[tuple[int, ...], Counts] = {}

    def count(self, state: State, depth: int) -> Counts:
        """For each length up to `depth` all sequences, and those that end the game; the lists are not to be changed."""
        if depth == 1 and not self.last_ended and not self.per_turn:
            return [sum(len(node.legal_moves()) for _, node in _settled(state))], [0]
        key = (depth, *state.cells)
        known = self._known.get(key)
        if known is None:
            known = self._count(state, depth)
            if len(self._known) * len(key) >= _KEPT_CELLS:
                self._known.clear()
            self._known[key] = known
        return known

    def _count(self, state: State, depth: int) -> Counts:
        sequences, ended = [0] * depth, [0] * depth
        for _, child in self.steps(state):
            sequences[0] += 1
            if depth == 1 and not self.last_ended:
                continue
            if _is_over(child):
                ended[0] += 1
            elif depth > 1:
                further, finished = self.count(child, depth - 1)
                for n in range(depth - 1):
                    sequences[n + 1] += further[n]
                    ended[n + 1] += finished[n]
        return sequences, ended

    def steps(self, state: State) -> Iterator[tuple[Path, State]]:
        """Every step that can follow, and the state right behind it."""
        for path, node in _settled(state):
            if self.per_turn:
                yield from _turn(node, path, (node.cells[c.TURNS], node.deciders()))
            else:
                for move in node.legal_moves():
                    yield (*path, move), _after(node, move)


def _turn(node: State, path: Path, turn: tuple[int, tuple[int, ...]]) -> Iterator[tuple[Path, State]]:
    """All ways through what is left of a turn, given by its number and who decides in it."""
    for move in node.legal_moves():
        child = _after(node, move)
        begun = (*path, move)
        if child.cells[c.TURNS] != turn[0]:
            yield begun, child
            continue
        for outcomes, settled in _settled(child, within=turn[0]):
            if settled.is_terminal() or (settled.cells[c.TURNS], settled.deciders()) != turn:
                yield begun + outcomes, settled
            else:
                yield from _turn(settled, begun + outcomes, turn)


def _after(node: State, move: Move) -> State:
    child = node.clone()
    child.apply(move)
    return child


def _settled(state: State, within: int | None = None) -> Iterator[tuple[Path, State]]:
    """The states to which waiting chance events can lead; with `within` only those of the turn of that number."""
    if not state.is_chance() or (within is not None and state.cells[c.TURNS] != within):
        yield (), state
        return
    for outcome in state.chance_outcomes():
        child = state.clone()
        child.apply_chance(outcome)
        for path, settled in _settled(child, within):
            yield (outcome, *path), settled


def _is_over(state: State) -> bool:
    """Whether the game has ended, or ends whatever chance will bring."""
    if state.is_terminal():
        return True
    return state.is_chance() and all(settled.is_terminal() for _, settled in _settled(state))
