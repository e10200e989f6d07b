"""The geometry of boards of squares."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import ClassVar, Final

from gdl.interpreter.geometry.geometry import Blueprint, Geometry
from gdl.interpreter.geometry.plane import GRID_DELTAS, lay_out_cells
from gdl.interpreter.geometry.topology import Topology
from gdl.values import DIAGONAL, EVERY_WAY, ORTHOGONAL

_ADJACENT: Final[Mapping[str, tuple[int, ...]]] = MappingProxyType(
    {"orthogonal": ORTHOGONAL, "diagonal": DIAGONAL, "all": EVERY_WAY}
)


class Grid(Geometry):
    """Rows and columns of squares; row 0 is the northernmost, column 0 the westernmost, numbers go row by row.

    Steps go in all eight directions of the compass; `adjacency` (`orthogonal`, `diagonal` or `all`) says which of
    them lead to neighbours. `cells` keeps only the squares for which it holds: the others are holes that no step
    enters or crosses. Borders are north, east, south and west: the outermost rows and columns that have squares.

    Example:

        board: {grid: [8, 8], adjacency: all, cells: (this.row + this.col) % 2 == 1}
    """

    name: ClassVar[str] = "grid"
    keys: ClassVar[tuple[str, ...]] = ("grid", "cells", "adjacency", "forward", "edges", "parts")
    coordinates: ClassVar[tuple[str, ...]] = ("row", "col")
    size_count: ClassVar[int] = 2
    adjacencies: ClassVar[tuple[str, ...]] = tuple(_ADJACENT)
    maskable: ClassVar[bool] = True

    @classmethod
    def lay_out(cls, blueprint: Blueprint) -> Topology:
        """Squares with steps in eight directions."""
        rows, columns = blueprint.sizes
        adjacent = _ADJACENT[blueprint.adjacency or cls.adjacencies[0]]
        return lay_out_cells(cls.name, rows, columns, blueprint.mask, deltas=GRID_DELTAS, adjacent=adjacent)
