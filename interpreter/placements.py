"""Shapes laid on grids: which cells and parts a shape covers, turned and flipped.

A shape is text: rows of characters separated by `/`, `.` for nothing, `#` for a whole cell, other characters as the zone's `legend` says. A
placement is a number made of the shape, the copy of the zone, the corner and the turn, so it can be stored and means the same everywhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from attrs import frozen

from gdl.interpreter.faults import RuleFault
from gdl.interpreter.numbering import ZonePlan
from gdl.interpreter.plan import Plan

_WIDTH = 1000
"""Rows, columns and copies that the number of a placement has room for."""
_TURNED = (1, 2, 3, 0)
_FLIPPED = (0, 3, 2, 1)
_WHOLE = (0, 1, 2, 3)

Piece = tuple[int, int, tuple[int, ...]]


@frozen
class Placement:
    """A shape on a zone.

    `cells`: the spaces it touches; `parts`: those it covers, if the zone has parts; `corner`: the space under the upper left corner of
    the shape's bounding box; `turns`: quarter turns clockwise, after flipping left to right if `flipped`.
    """

    cells: tuple[int, ...]
    parts: tuple[int, ...]
    corner: int
    turns: int
    flipped: bool


def placements_of(plan: Plan, shape: str, zone: ZonePlan, copy: int, *, turned: bool, sides: Sequence[bool]) -> tuple[int, ...]:
    """All ways to lay a shape on a copy of a grid, no two of which cover the same, in order of number.

    `sides`: which sides of it may lie up, true being its mirror image; of two that cover the same the first stays.
    """
    if shape not in plan.shapes:
        raise RuleFault("fault-geometry", f"the spec has no shape {shape!r}: only shapes that stand in it can be laid")
    number = plan.shapes.index(shape)
    zones = list(plan.zones)
    rows = 1 + max(zone.topology.coordinates["row"])
    columns = 1 + max(zone.topology.coordinates["col"])
    if max(rows, columns, copy + 1) > _WIDTH:
        raise RuleFault("fault-size", f"shapes can be laid on grids of up to {_WIDTH:,} rows, columns and copies")
    found: list[int] = []
    seen: set[tuple[tuple[int, ...], tuple[int, ...]]] = set()
    for row in range(rows):
        for column in range(columns):
            for turn in range(4 if turned else 1):
                for flip in sides:
                    code = ((number * len(zones) + zones.index(zone.info.name)) * _WIDTH + copy) * _WIDTH + row
                    code = (code * _WIDTH + column) * 8 + turn * 2 + flip
                    placement = _lay(plan, zone, copy, shape, (row, column, turn, flip))
                    if placement is not None and (placement.cells, placement.parts) not in seen:
                        seen.add((placement.cells, placement.parts))
                        found.append(code)
    return tuple(sorted(found))


def placed(plan: Plan, code: int) -> Placement:
    """The placement of a number. Raises RuleFault for a number that means none."""
    if code < 0:
        raise RuleFault("fault-none", "there is no placement here")
    rest, turn = divmod(code, 8)
    rest, column = divmod(rest, _WIDTH)
    rest, row = divmod(rest, _WIDTH)
    rest, copy = divmod(rest, _WIDTH)
    zones = list(plan.zones)
    number, zone = divmod(rest, len(zones))
    placement = _lay(plan, plan.zones[zones[zone]], copy, plan.shapes[number], (row, column, turn // 2, bool(turn % 2)))
    if placement is None:
        raise RuleFault("fault-index", "there is no such placement")
    return placement


def _lay(plan: Plan, zone: ZonePlan, copy: int, shape: str, where: tuple[int, int, int, bool]) -> Placement | None:
    row, column, turn, flip = where
    legend = _legend(zone)
    cells_by_place = _places(zone)
    base = zone.base + copy * zone.per_copy
    parts_zone = plan.zones.get(f"{zone.info.name}.part")
    cells: list[int] = []
    parts: list[int] = []
    for r, c, covered in _oriented(shape, legend, turn, flip):
        local = cells_by_place.get((row + r, column + c))
        if local is None:
            return None
        cells.append(base + local)
        if parts_zone is not None:
            first = parts_zone.base + (base - zone.base + local) * 4
            parts += [first + part for part in covered]
    corner = cells_by_place.get((row, column))
    return Placement(tuple(sorted(cells)), tuple(sorted(parts)), base + corner if corner is not None else min(cells), turn, flip)


@lru_cache(maxsize=64)
def _places(zone: ZonePlan) -> dict[tuple[int, int], int]:
    coordinates = zone.topology.coordinates
    return {place: local for local, place in enumerate(zip(coordinates["row"], coordinates["col"], strict=True))}


@lru_cache(maxsize=64)
def _legend(zone: ZonePlan) -> tuple[tuple[str, tuple[int, ...]], ...]:
    parts = zone.info.declaration.parts
    if parts is None:
        return ()
    names = [n.name for n in parts.names]
    return tuple((sign.value, tuple(names.index(n.name) for n in covered if n.name in names)) for sign, covered in parts.legend)


@lru_cache(maxsize=4096)
def _oriented(shape: str, legend: tuple[tuple[str, tuple[int, ...]], ...], turns: int, flip: bool) -> tuple[Piece, ...]:
    """The cells of a shape and the parts covered of each, flipped, then turned clockwise, its bounding box at (0, 0)."""
    meaning = dict(legend)
    pieces: list[Piece] = []
    for row, line in enumerate(shape.replace("\n", "/").split("/")):
        for column, sign in enumerate(line):
            if sign in ("#", "■") or sign in meaning:
                pieces.append((row, column, meaning.get(sign, _WHOLE)))
            elif sign not in ". ":
                raise RuleFault("fault-geometry", f"the shape {shape!r} has a character `{sign}` that the zone's `legend` does not explain")
    if flip:
        pieces = [(r, -c, tuple(_FLIPPED[p] for p in covered)) for r, c, covered in pieces]
    for _ in range(turns):
        pieces = [(c, -r, tuple(_TURNED[p] for p in covered)) for r, c, covered in pieces]
    if not pieces:
        raise RuleFault("fault-geometry", f"the shape {shape!r} is empty")
    top, left = min(p[0] for p in pieces), min(p[1] for p in pieces)
    return tuple(sorted((r - top, c - left, covered) for r, c, covered in pieces))
