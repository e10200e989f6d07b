"""Boards whose cells have a row and a column: what grid and hex share.

A direction is a change of row and column; cells are numbered row by row, and a mask leaves holes that no step enters
or crosses.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Final

from gdl.interpreter.geometry.geometry import Mask, check_count
from gdl.interpreter.geometry.topology import Topology
from gdl.values import NONE

NORTH, NORTHEAST, EAST, SOUTHEAST, SOUTH, SOUTHWEST, WEST, NORTHWEST = range(8)

Deltas = Mapping[int, tuple[int, int]]
"""Change of row and column by direction, clockwise."""

GRID_DELTAS: Final[Deltas] = MappingProxyType(
    {
        NORTH: (-1, 0),
        NORTHEAST: (-1, 1),
        EAST: (0, 1),
        SOUTHEAST: (1, 1),
        SOUTH: (1, 0),
        SOUTHWEST: (1, -1),
        WEST: (0, -1),
        NORTHWEST: (-1, -1),
    }
)

# Each row of a rhombus of hexagons lies half a cell further east than the row above it.
HEX_DELTAS: Final[Deltas] = MappingProxyType(
    {
        NORTHWEST: (-1, 0),
        NORTHEAST: (-1, 1),
        EAST: (0, 1),
        SOUTHEAST: (1, 0),
        SOUTHWEST: (1, -1),
        WEST: (0, -1),
    }
)

SIDES_BY_RING: Final[Mapping[tuple[int, ...], Deltas]] = MappingProxyType(
    {
        tuple(GRID_DELTAS): {d: GRID_DELTAS[d] for d in (NORTH, EAST, SOUTH, WEST)},
        tuple(HEX_DELTAS): HEX_DELTAS,
    }
)
"""For the ring of a topology of cells: the directions across the sides of a cell, clockwise, with their deltas."""


def lay_out_cells(
    name: str, rows: int, columns: int, mask: Mask | None, *, deltas: Deltas, adjacent: Iterable[int]
) -> Topology:
    """Cells in rows and columns without those that the mask drops; `adjacent`: the directions of neighbours."""
    check_count(name, rows * columns)
    places = [
        (row, column)
        for row in range(rows)
        for column in range(columns)
        if mask is None or mask({"row": row, "col": column})
    ]
    count = check_count(name, len(places))
    number = {place: n for n, place in enumerate(places)}
    steps = {
        d: tuple(number.get((row + down, column + right), NONE) for row, column in places)
        for d, (down, right) in deltas.items()
    }
    return Topology(
        count,
        steps=steps,
        ring=tuple(deltas),
        neighbours=tuple(tuple(steps[d][s] for d in adjacent if steps[d][s] != NONE) for s in range(count)),
        coordinates={"row": tuple(row for row, _ in places), "col": tuple(column for _, column in places)},
        borders=_borders(places),
    )


def _borders(places: list[tuple[int, int]]) -> dict[int, tuple[int, ...]]:
    """The cells of the outermost rows and columns that have any: a cell beside a hole is not at the border for that."""
    rows, columns = [row for row, _ in places], [column for _, column in places]
    return {
        NORTH: _equal(rows, min(rows)),
        EAST: _equal(columns, max(columns)),
        SOUTH: _equal(rows, max(rows)),
        WEST: _equal(columns, min(columns)),
    }


def _equal(values: list[int], wanted: int) -> tuple[int, ...]:
    return tuple(n for n, value in enumerate(values) if value == wanted)
