"""Zone geometries: a class each, found by name. A new one is a module beside these and a word in the list below."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from gdl.interpreter.geometry.geometry import MAX_SPACES, Geometry
from gdl.interpreter.geometry.graph import Graph
from gdl.interpreter.geometry.grid import Grid
from gdl.interpreter.geometry.hex import Hex
from gdl.interpreter.geometry.named import Named
from gdl.interpreter.geometry.single import Single
from gdl.interpreter.geometry.table import Table
from gdl.interpreter.geometry.topology import Topology
from gdl.interpreter.geometry.track import Track

__all__ = ["GEOMETRIES", "MAX_SPACES", "Geometry", "Topology"]

GEOMETRIES: Final[Mapping[str, type[Geometry]]] = MappingProxyType(
    {geometry.name: geometry for geometry in (Single, Track, Grid, Hex, Graph, Named, Table)}
)
"""All geometries by name."""
