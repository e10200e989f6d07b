"""Taking moves back: what a state remembers of those before it, and when it may go back to them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gdl.interpreter import view

if TYPE_CHECKING:
    from gdl.interpreter.state import State

_LONGEST = 1000


Past = tuple[list[int], int, bool, "Past | None", int]
"""The cells before a move, whose move it was, whether chance had a part in it, the past before that, and how long all this is.

A plain tuple, since every move makes one. Only what could be taken back is kept: a past in which chance or another seat had a part
ends there.
"""


def remember(cells: list[int], seat: int, random: bool, before: Past | None) -> Past:
    """The past of a move that has been made."""
    if before is None or random or before[1] != seat or before[2] or before[4] >= _LONGEST:
        return (cells, seat, random, None, 1)
    return (cells, seat, random, before, before[4] + 1)


def why_not(state: State, past: Past | None, seat: int | None) -> str | None:
    """Why the last move can't be taken back by a seat, or none."""
    if past is None:
        return "there is no move to take back"
    cells, mover, random, _, _ = past
    if seat is not None and mover != seat:
        return "another player has decided since"
    if random:
        return "something random has happened since"
    if _revealed(state, cells):
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
