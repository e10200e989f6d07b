"""The geometry of spaces that have names and nothing else."""

from __future__ import annotations

from typing import ClassVar

from gdl.interpreter.geometry.geometry import Blueprint, Geometry, check_count, check_names
from gdl.interpreter.geometry.topology import Topology


class Named(Geometry):
    """Spaces with names, in order of writing. None is a neighbour of another.

    Example:

        rooms:
          attributes: {points: int = 0}
          spaces:
            cellar: {points: 1}
            attic: {}
    """

    name: ClassVar[str] = "named"
    keys: ClassVar[tuple[str, ...]] = ("spaces",)

    @classmethod
    def lay_out(cls, blueprint: Blueprint) -> Topology:
        """A space for each name."""
        names = check_names(cls.name, blueprint.names)
        count = check_count(cls.name, len(names))
        return Topology(count, neighbours=((),) * count, names=names)
