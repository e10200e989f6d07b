"""The hash of a state: a sum, modulo 2^64, of mixed facts, so that it can be kept up fact by fact.

A fact is a cell with its value, or a piece's class with its place and variables: alike pieces make the same facts, whichever lies where.
"""

from __future__ import annotations

from gdl.interpreter import cells as c
from gdl.interpreter.chance import mix
from gdl.interpreter.memo import Memo
from gdl.interpreter.plan import Plan

_MASK = (1 << 64) - 1
_STEP = 0x9E3779B97F4A7C15


def _mixed(*parts: int) -> int:
    value = 0
    for part in parts:
        value = mix((value + _STEP + part) & _MASK)
    return value


_FACTS = Memo(_mixed, spread=True, limit=1 << 17)


def fact(*parts: int) -> int:
    """A 64-bit number for a fact, scattered so that sums of facts hardly ever agree by accident."""
    number: int = _FACTS[parts]
    return number


def state_hash(plan: Plan, s: list[int]) -> int:
    """The hash of a state's cells."""
    skipped = _piece_cells(plan)
    total = 0
    for cell, value in enumerate(s):
        if value and cell not in (c.RANDOM, c.TURNS) and cell not in skipped:
            total += fact(1, cell, value)
    for kind in plan.kinds.values():
        merged = kind.info.name in plan.alike
        for piece in range(kind.base, kind.end):
            who = plan.alike_class[piece] if merged else piece
            values = [s[plan.at + piece], s[plan.faces + piece] if plan.faces else 0, s[plan.revealed + piece] if plan.revealed else 0]
            for info in kind.info.variables.values():
                variable = plan.variables[info]
                width = variable.key_count * variable.width
                first = variable.first + (piece - variable.owner_base) * width
                values += s[first : first + width]
            total += fact(2, int(merged), who, *values)
    for zone in plan.zones.values():
        if zone.stack:
            for space in range(zone.base, zone.end):
                first = zone.contents + (space - zone.base) * zone.stride
                for place in range(s[first]):
                    piece = s[first + 3 + place]
                    merged = plan.kind_of_piece[piece].info.name in plan.alike
                    total += fact(3, space, place, plan.alike_class[piece] if merged else -piece - 1)
    return total & _MASK


def _piece_cells(plan: Plan) -> set[int]:
    """The cells whose facts are told piece by piece."""
    found = set(range(plan.at, plan.at + plan.piece_count))
    if plan.revealed:
        found |= set(range(plan.revealed, plan.revealed + plan.piece_count))
    if plan.faces:
        found |= set(range(plan.faces, plan.faces + plan.piece_count))
    for zone in plan.zones.values():
        found |= set(range(zone.contents, zone.contents + zone.stride * zone.count))
    for kind in plan.kinds.values():
        for info in kind.info.variables.values():
            variable = plan.variables[info]
            found |= set(range(variable.first, variable.first + variable.cells))
    return found
