"""The geometry of boards of hexagons."""

from __future__ import annotations

from typing import ClassVar

from gdl.interpreter.geometry.geometry import Blueprint, Geometry
from gdl.interpreter.geometry.plane import HEX_DELTAS, lay_out_cells
from gdl.interpreter.geometry.topology import Topology


class Hex(Geometry):
    """A rhombus of hexagons: n rows of n, each half a cell further east than the one above it.

    Numbers go row by row. Steps go northwest, northeast, east, southeast, southwest and west, and all six lead to
    neighbours. A column runs from northwest to southeast. Borders are the four sides of the rhombus: north (row 0),
    south, west (column 0) and east. `cells` keeps only the hexagons for which it holds.

    Example:

        board: {hex: 11}
    """

    name: ClassVar[str] = "hex"
    keys: ClassVar[tuple[str, ...]] = ("hex", "cells", "forward", "edges")
    coordinates: ClassVar[tuple[str, ...]] = ("row", "col")
    size_count: ClassVar[int] = 1
    maskable: ClassVar[bool] = True

    @classmethod
    def lay_out(cls, blueprint: Blueprint) -> Topology:
        """Hexagons with steps in six directions."""
        width = blueprint.sizes[0]
        return lay_out_cells(cls.name, width, width, blueprint.mask, deltas=HEX_DELTAS, adjacent=HEX_DELTAS)
