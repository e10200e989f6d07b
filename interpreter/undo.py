"""Taking moves back: what a state remembers of those before it, and when it may go back to them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gdl.interpreter import view

if TYPE_CHECKING:
    from gdl.interpreter.state import State

_LONGEST = 1000


class Past:
    """The cells before a move, whose move it was, whether chance had a part in it, and the past before that.

    Only what could be taken back is kept: a past in which chance or another seat had a part ends there.
    """

    __slots__ = ("before", "cells", "length", "random", "seat")

    def __init__(self, cells: list[int], seat: int, random: bool, before: Past | None) -> None:
        self.cells = cells
        self.seat = seat
        self.random = random
        reachable = before is not None and not random and before.seat == seat and not before.random and before.length < _LONGEST
        self.before = before if reachable else None
        self.length: int = 1 + (before.length if before is not None and reachable else 0)


def why_not(state: State, past: Past | None, seat: int | None) -> str | None:
    """Why the last move can't be taken back by a seat, or none."""
    if past is None:
        return "there is no move to take back"
    if seat is not None and past.seat != seat:
        return "another player has decided since"
    if past.random:
        return "something random has happened since"
    if _revealed(state, past.cells):
        return "something hidden was revealed"
    return None


def _revealed(state: State, before: list[int]) -> bool:
    """Whether any seat sees a piece now that it did not see before."""
    game, plan, now = state.game, state.game.plan, state.cells
    hidden = [zone for zone in plan.zones.values() if zone.info.visible != "all"]
    if not hidden:
        return False
    for piece in range(plan.piece_count):
        if plan.kind_of_piece[piece].info.at is None:
            continue
        for seat in range(plan.players):
            if view.sees_piece(game, now, piece, seat) and not view.sees_piece(game, before, piece, seat):
                return True
    return False
