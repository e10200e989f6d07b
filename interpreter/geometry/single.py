"""The geometry of a zone that says nothing about one."""

from __future__ import annotations

from typing import ClassVar

from gdl.interpreter.geometry.geometry import Blueprint, Geometry
from gdl.interpreter.geometry.topology import Topology


class Single(Geometry):
    """One space: a deck, a hand, a supply. There is nowhere to step to.

    Example:

        hand: {per: player, visible: owner}
    """

    name: ClassVar[str] = "single"

    @classmethod
    def lay_out(cls, blueprint: Blueprint) -> Topology:
        """A single space without neighbours."""
        return Topology(1, neighbours=((),))
