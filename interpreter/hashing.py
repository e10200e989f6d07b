"""The hash of a state: a sum, modulo 2^64, of mixed facts, so that it can be kept up fact by fact.

A fact is a cell with its value, or a piece with its place, face and variables. Of a kind whose pieces no rule can tell apart (see
`gdl.interpreter.alikeness`) the class stands for the piece, so that it makes the same fact whichever lies where.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator

from gdl.interpreter import cells as c
from gdl.interpreter.chance import mix
from gdl.interpreter.memo import Memo
from gdl.interpreter.numbering import ZonePlan
from gdl.interpreter.plan import Plan
from gdl.values import NONE

_MASK = (1 << 64) - 1
_STEP = 0x9E3779B97F4A7C15


def _mixed(*parts: int) -> int:
    value = 0
    for part in parts:
        value = mix((value + _STEP + part) & _MASK)
    return value


FACTS = Memo(_mixed, spread=True, limit=1 << 17)


def fact(*parts: int) -> int:
    """A 64-bit number for a fact, scattered so that sums of facts hardly ever agree by accident."""
    number: int = FACTS[parts]
    return number


def state_hash(plan: Plan, s: list[int]) -> int:
    """The hash of a state's cells."""
    if not plan.plain_cells:
        plan.plain_cells = tuple(_plain_cells(plan))
    total = 0
    plain = plan.plain_cells if len(s) == plan.size else plan.plain_cells[: bisect_left(plan.plain_cells, len(s))]
    for cell in plain:
        if s[cell]:
            total += fact(1, cell, s[cell])
    apart = told_apart(plan, s)
    sealed = plan.shadow and s[plan.shadow]
    for kind in plan.kinds.values():
        merged = kind.info.name in plan.merged and not sealed
        for piece in range(kind.base, kind.end):
            who = -piece - 1
            if merged and plan.alike_class[piece] not in apart:
                who = plan.alike_class[piece]
            space = s[plan.at + piece]
            zone = plan.zone_of_space[space] if kind.is_placed else None
            place = place_in(zone, s, space, piece) if zone is not None and zone.stack else 0
            total += fact(2, who, space, place, *shown(plan, s, piece))
    for zone in plan.zones.values():
        if zone.stack:
            for space in range(zone.base, zone.end):
                first = zone.contents + (space - zone.base) * zone.stride
                if s[first + 2]:
                    total += fact(3, space, s[first + 1], s[first + 2])
    return total & _MASK


def shown(plan: Plan, s: list[int], piece: int) -> tuple[int, ...]:
    """What can tell a piece from others of its class in the same space: its face, who sees it, its variables."""
    face = s[plan.faces + piece] if plan.faces else 0
    revealed = s[plan.revealed + piece] if plan.revealed else 0
    return (face, revealed, *variables_of(plan, s, piece))


def variables_of(plan: Plan, s: list[int], piece: int) -> list[int]:
    """The values of a piece's variables."""
    kind = plan.kind_of_piece[piece]
    values: list[int] = []
    for first, width in plan.piece_variables[kind.info.name]:
        cell = first + piece * width
        values += s[cell : cell + width]
    return values


def place_in(zone: ZonePlan, s: list[int], space: int, piece: int) -> int:
    """A piece's place in a stack, from 0 at the bottom; -1 where nobody knows the order."""
    first = zone.contents + (space - zone.base) * zone.stride
    place = s.index(piece, first + 3, first + 3 + s[first]) - first - 3
    return -1 if s[first + 1] <= place < s[first + 2] else place


def remembering(plan: Plan, s: list[int]) -> Iterator[int]:
    """The cells in which running rules remember pieces."""
    for number in range(plan.thread_count):
        thread = plan.threads + number * c.THREAD_CELLS
        if number and s[thread + c.THREAD_STATUS] in (c.IDLE, c.DONE):
            continue
        place, frame = s[thread], s[thread + c.THREAD_FRAME]
        while frame:
            for slot, form in plan.kept_pieces.get(place, ()):
                yield from _piece_cells(s, frame + slot, form)
            place, frame = s[frame], s[frame + c.FRAME_CALLER]


def told_apart(plan: Plan, s: list[int]) -> set[int]:
    """The classes of which a running rule remembers a piece: there it matters which one lies where."""
    if not plan.merged or s[c.OVER]:
        return set()
    return {plan.alike_class[s[cell]] for cell in remembering(plan, s) if s[cell] != NONE}


def _piece_cells(s: list[int], first: int, form: str) -> list[int]:
    """The cells of a place in a frame that hold pieces; `form` as in `Frame`."""
    if form == "piece":
        return [first]
    if form != "lists":
        return list(range(first + 1, first + 1 + s[first], 3 if form == "moved" else 1))
    found: list[int] = []
    cell, end = first + 1, first + 1 + s[first]
    while cell < end:
        found += range(cell + 1, cell + 1 + s[cell])
        cell += 1 + s[cell]
    return found


def _plain_cells(plan: Plan) -> Iterator[int]:
    """The cells that make facts of their own: not told piece by piece, and no part of what makes two states equal."""
    skipped = {c.RANDOM}
    if plan.turn_limit is None:
        skipped.add(c.TURNS)
    for first in (plan.at, plan.revealed, plan.faces):
        if first or first == plan.at:
            skipped |= set(range(first, first + plan.piece_count))
    for zone in plan.zones.values():
        skipped |= set(range(zone.contents, zone.contents + zone.stride * zone.count))
    for kind in plan.kinds.values():
        for info in kind.info.variables.values():
            variable = plan.variables[info]
            skipped |= set(range(variable.first, variable.first + variable.cells))
    return (cell for cell in range(plan.size) if cell not in skipped)
