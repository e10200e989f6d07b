"""Taking moves back: what a state remembers of those before it, and when it may go back to them.

A move can be taken back until something hidden was revealed, something random happened or another player decided. Inside a sealed
`together` nobody is to know whether others have decided: there a seat takes back the last move of its own branch, and what others have
decided since in theirs is carried out again.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from gdl.interpreter import told as t
from gdl.interpreter import view
from gdl.interpreter.errors import GameFault, IllegalMove
from gdl.interpreter.moves import Move

if TYPE_CHECKING:
    from gdl.interpreter.game import Game
    from gdl.interpreter.state import State, Trail

LONGEST: Final = 1000
"""So many moves can be taken back at least; of a past twice as long the older half is forgotten."""

FREE: Final = 0
RANDOM: Final = 1
TOLD: Final = 2

Past = tuple[list[int], int, int, bool, "Past | None", int, t.Told, "Trail | None"]
"""The cells before a move, whose move it was, what bars it from being taken back, whether a sealed `together` ended with it, the past
before that, how long all this is, and what had been told and had happened before the move.

A plain tuple, since every move makes one. Only what could be taken back is kept: a past in which chance or another seat had a part
ends there.
"""

_NO_MOVE: Final = "there is no move to take back"
_OTHER: Final = "another player has decided since"
_BEGUN: Final = "nothing has been decided here since all began to decide at once"
_REASONS: Final = {RANDOM: "something random has happened since", TOLD: "something hidden was revealed"}


def remember(state: State, cells: list[int], seat: int, random: bool, lines: Sequence[t.Line | None]) -> Past:
    """The past of a move that has just been made. `cells` are those before it, `lines` what the run after it told."""
    before: Past | None = state._past
    barred = RANDOM if random else FREE
    joined = False
    if lines:
        joined = t.UNSEALED in lines
        if not random and any(line is not None and _discloses(state.game, cells, line) for line in lines):
            barred = TOLD
    if before is not None:
        shadow = state.game.build.shadow
        if not shadow or not cells[shadow]:
            if barred or before[1] != seat or before[2] or before[3]:
                before = None
        elif joined:
            before = None
        if before is not None and before[5] >= 2 * LONGEST:
            before = _newest(before)
    return (cells, seat, barred, joined, before, 1 if before is None else before[5] + 1, state._told, state._trail)


def _sealed(game: Game, cells: list[int]) -> bool:
    shadow = game.build.shadow
    return bool(shadow and cells[shadow])


def _newest(past: Past) -> Past:
    """A past without what is older than so many moves. Pasts are shared by copies of a state, so this one is made anew."""
    kept: list[Past] = []
    node: Past | None = past
    while node is not None and len(kept) < LONGEST:
        kept.append(node)
        node = node[4]
    shorter: Past | None = None
    for length, entry in enumerate(reversed(kept), start=1):
        shorter = (*entry[:4], shorter, length, *entry[6:])
    assert shorter is not None
    return shorter


def after_chance(state: State, seat: int | None) -> Past | None:
    """The past once an explicit chance event is settled; `seat` is whose sealed branch it stood in, if it did in one."""
    if seat is None:
        return None
    newer: list[Past] = []
    node: Past | None = state._past
    while node is not None and node[1] != seat:
        newer.append(node)
        node = node[4]
    if node is None:
        return state._past
    past: Past = (*node[:2], RANDOM, *node[3:])
    for entry in reversed(newer):
        past = (*entry[:4], past, *entry[5:])
    return past


# --- whether a move can be taken back ---------------------------------------------------------------------------------


def why_not(state: State, seat: int | None) -> str | None:
    """Why the last move can't be taken back by a seat, or none."""
    found = _find(state, seat)
    return found if isinstance(found, str) else None


def back(state: State, seat: int | None) -> State | None:
    """The state without the last move of a seat; none if that is not allowed."""
    found = _find(state, seat)
    return None if isinstance(found, str) else found


def _find(state: State, seat: int | None) -> State | str:
    past: Past | None = state._past
    if not _sealed(state.game, state.cells):
        if past is None:
            return _NO_MOVE
        return _OTHER if seat is not None and past[1] != seat else _taken_back(state, past, state.cells)
    now = state.cells
    seat = past[1] if seat is None and past is not None else seat
    while past is not None and _sealed(state.game, past[0]) and not past[3]:
        if past[1] == seat:
            return _taken_back(state, past, now)
        now, past = past[0], past[4]
    return _BEGUN


def _taken_back(state: State, past: Past, now: list[int]) -> State | str:
    """The state without one of its moves; `now` are the cells after it."""
    if past[2]:
        return _REASONS[past[2]]
    if _revealed(state.game, past[0], now, past[3]):
        return _REASONS[TOLD]
    earlier = state.clone()
    earlier._go_back(past)
    if now is state.cells:
        return earlier
    later = []
    node = state._trail
    while node is not None and node[0] is not past[7]:
        later.append(node[1])
        node = node[0]
    try:
        for entry in reversed(later):
            if isinstance(entry, Move):
                earlier.apply(entry)
            else:
                earlier.apply_chance(entry)
    except (IllegalMove, GameFault):
        return _OTHER  # the branches depend on each other
    return earlier


# --- what has come to light -------------------------------------------------------------------------------------------


def _discloses(game: Game, before: list[int], line: t.Line) -> bool:
    """Whether a line told a seat of what it could not see before the move."""
    if line.discloses:
        return True
    disclosure = game.disclosure
    if not _sealed(game, before):
        return not all(
            all(disclosure.seers(before, piece) >> seat & 1 for piece in pieces)
            and all(disclosure.sees_cell(before, cell, seat) for cell in cells)
            for seat, pieces, cells in line.shown
        )
    for seat, pieces, cells in line.shown:
        known = view.sealed_cells(game, before, seat)
        if not all(disclosure.sees(known, piece, seat) for piece in pieces) or not all(
            disclosure.sees_cell(known, cell, seat) for cell in cells
        ):
            return True
    return False


def _revealed(game: Game, before: list[int], now: list[int], joined: bool) -> bool:
    """Whether any seat sees something now that it did not see before a move."""
    if not game.secrecy.is_needed and not game.build.shadow:
        return False
    for seat in range(game.players):
        known, seen = view.sealed_cells(game, before, seat), view.sealed_cells(game, now, seat)
        if joined and known is not before and view.facts(game, known, seat) != view.facts(game, before, seat):
            return True
        if game.secrecy.is_needed and (_sees_more_pieces(game, known, seen, seat) or _sees_more_values(game, known, seen, seat)):
            return True
    return False


def _sees_more_pieces(game: Game, before: list[int], now: list[int], seat: int) -> bool:
    plan = game.plan
    for piece in range(plan.piece_count):
        kind = plan.kind_of_piece[piece].info
        is_hidable = kind.at is not None and kind.name in game.secrecy.kinds
        if is_hidable and view.sees_piece(game, now, piece, seat) and not view.sees_piece(game, before, piece, seat):
            return True
    return False


def _sees_more_values(game: Game, before: list[int], now: list[int], seat: int) -> bool:
    for info in game.secrecy.variables:
        plan = game.plan.variables[info]
        if isinstance(info.visible, str):
            continue  # who sees it does not change
        for owner in range(plan.owner_base, plan.owner_base + plan.owners):
            for key in range(plan.key_count):
                if view.sees_value(game, now, info, owner, key, seat) and not view.sees_value(game, before, info, owner, key, seat):
                    return True
    return False
