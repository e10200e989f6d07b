"""Stacks whose order is not known: shuffling, finding out, drawing, refilling. All on cells.

A stack's cells are its number of pieces, then `low` and `high`: the pieces from place `low` to `high` (exclusive) lie in an order that
nobody has seen. They stand in the order of their numbers, so that equal situations are equal states.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import cached_property
from typing import Any

from gdl.interpreter.contents import Contents
from gdl.interpreter.faults import RuleFault
from gdl.interpreter.hashing import shown
from gdl.interpreter.memo import Memo
from gdl.interpreter.plan import Plan
from gdl.values import NONE

State = list[int]
Likeness = Callable[[State, int], Any]


class Stacks:
    """The functions that emitted text calls, for one game. `refills`: for each zone with `refill`, where its pieces come from."""

    def __init__(self, plan: Plan, classes: tuple[int, ...]) -> None:
        self.plan = plan
        self.mover: Contents = plan.mover
        self.classes = classes
        self.refills: dict[str, Callable[[State, int], int]] = {}
        self._firsts: dict[int, int] = Memo(self._first_cell)

    def functions(self) -> dict[str, Callable[..., Any]]:
        """All of them by the names that the text uses."""
        names = ("forget_order", "undetermined", "unseen", "different", "settle", "can_draw", "top_unknown", "draw_top", "draw_unknown")
        return {name: getattr(self, name) for name in names}

    def _first_cell(self, space: int) -> int:
        """The first of a stack's cells."""
        zone = self.plan.zone_of_space[space] if 0 <= space < len(self.plan.zone_of_space) else None
        if zone is None:
            raise RuleFault("fault-none", "there is no stack here")
        if not zone.stack:
            raise RuleFault("fault-move", f"`{zone.info.name}` keeps no order: only a zone with `stack: true` is shuffled and drawn from")
        return zone.contents + (space - zone.base) * zone.stride

    def forget_order(self, s: State, space: int) -> None:
        """Shuffle: from now on nobody knows the order."""
        first = self._firsts[space]
        count = s[first]
        s[first + 1], s[first + 2] = (0, count) if count > 1 else (0, 0)
        s[first + 3 : first + 3 + count] = sorted(s[first + 3 : first + 3 + count])
        if self.plan.revealed:
            for piece in s[first + 3 : first + 3 + count]:
                s[self.plan.revealed + piece] = 0

    def undetermined(self, s: State, space: int) -> bool:
        """Whether the order of any of its pieces is not known."""
        return s[self._firsts[space] + 2] > 0

    def top_unknown(self, s: State, space: int) -> bool:
        """Whether it is not known which piece lies on top."""
        first = self._firsts[space]
        return s[first + 2] > 0 and s[first + 2] == s[first]

    @cached_property
    def _plain(self) -> frozenset[int]:
        """The pieces that only their class can tell from others in the same stack, as long as nothing is revealed."""
        return frozenset(piece for piece in range(self.plan.piece_count) if self.plan.is_plain(piece))

    @cached_property
    def _alike(self) -> frozenset[int]:
        """The pieces that may have equals."""
        return frozenset(p for p in range(self.plan.piece_count) if self.plan.kind_of_piece[p].info.name in self.plan.alike)

    def different(self, s: State, space: int) -> list[int] | None:
        """The pieces of `unseen`, if each of them is as likely; else None."""
        first = self._firsts[space]
        pieces = s[first + 3 + s[first + 1] : first + 3 + s[first + 2]]
        alike = self._alike
        return pieces if not alike or alike.isdisjoint(pieces) else None

    def unseen(self, s: State, space: int) -> list[tuple[int, int]]:
        """Which piece may be the uppermost of those whose order is not known, alike ones together, with weights."""
        first = self._firsts[space]
        pieces = s[first + 3 + s[first + 1] : first + 3 + s[first + 2]]
        if self._alike.isdisjoint(pieces):
            return [(piece, 1) for piece in pieces]
        if self._plain.issuperset(pieces) and not self.plan.revealing.is_any(s):
            kinds = [self.classes[piece] for piece in pieces]
            firsts = dict(zip(reversed(kinds), reversed(pieces), strict=True))
            return [(firsts[kind], weight) for kind, weight in Counter(kinds).items()]
        weights: dict[Any, list[int]] = {}
        for piece in pieces:
            alike = self.plan.kind_of_piece[piece].info.name in self.plan.alike
            key = (self.classes[piece], *shown(self.plan, s, piece)) if alike else piece
            weights.setdefault(key, [piece, 0])[1] += 1
        return [(piece, weight) for piece, weight in weights.values()]

    def settle(self, s: State, space: int, piece: int) -> None:
        """That piece is the uppermost of those whose order is not known."""
        first = self._firsts[space]
        low, high = s[first + 1], s[first + 2]
        place = s.index(piece, first + 3 + low, first + 3 + high)
        s[place : first + 3 + high] = [*s[place + 1 : first + 3 + high], piece]
        s[first + 2] = high - 1
        if high - 1 - low < 2:
            s[first + 1] = s[first + 2] = 0

    def can_draw(self, s: State, space: int) -> bool:
        """Whether a piece can be drawn; an empty stack is refilled first, if its zone says from where."""
        first = self._firsts[space]
        if s[first]:
            return True
        refill = self.refills.get(self.plan.zone_of_space[space].info.name)
        source = refill(s, space) if refill is not None else NONE
        if source == NONE or source == space:
            return False
        zone = self.plan.zone_of_space[source]
        at = self.plan.at
        for piece in [p for p in zone.holdable if s[at + p] == source]:
            self.mover.move(s, piece, space)
        self.forget_order(s, space)
        return s[first] > 0

    def draw_top(self, s: State, space: int, to: int, kept: int) -> None:
        """Move the uppermost piece and note what moved at `kept`, unless that is NONE."""
        first = self._firsts[space]
        piece = s[first + 2 + s[first]]
        self.mover.move(s, piece, to)
        if kept != NONE:
            self._note(s, piece, space, to, kept)

    def draw_unknown(self, s: State, space: int, to: int, kept: int, piece: int) -> None:
        """The same where the uppermost is one of those whose order is not known: it has turned out to be this piece."""
        if to == NONE:
            self.mover.move(s, piece, to)  # a fault
        first = self._firsts[space]
        low, count = s[first + 1], s[first]
        top = first + 2 + count
        place = s.index(piece, first + 3 + low, top + 1)
        s[place:top] = s[place + 1 : top + 1]
        s[top] = 0
        s[first] = count - 1
        s[first + 1], s[first + 2] = (low, count - 1) if count - 1 - low > 1 else (0, 0)
        self.mover.put(s, piece, to)
        if kept != NONE:
            self._note(s, piece, space, to, kept)

    @staticmethod
    def _note(s: State, piece: int, space: int, to: int, kept: int) -> None:
        if to != space:
            length = s[kept]
            s[kept + 1 + length : kept + 4 + length] = [piece, space, to]
            s[kept] = length + 3
