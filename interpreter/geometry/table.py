"""The geometry of spaces that are the rows of a table."""

from __future__ import annotations

from typing import ClassVar

from gdl.interpreter.geometry.geometry import Blueprint, Geometry, check_count, check_names
from gdl.interpreter.geometry.topology import Topology


class Table(Geometry):
    """A space for each row of a table, in the table's order, with names if it has a column `name`.

    None is a neighbour of another.

    Example:

        sheet: {per: player, table: sheet.csv, variables: {crossed: bool}}
    """

    name: ClassVar[str] = "table"
    keys: ClassVar[tuple[str, ...]] = ("table",)

    @classmethod
    def lay_out(cls, blueprint: Blueprint) -> Topology:
        """As many spaces as `count` says, or as there are names."""
        names = check_names(cls.name, blueprint.names)
        count = check_count(cls.name, len(names) if blueprint.count is None else blueprint.count)
        if names and len(names) != count:
            raise ValueError(f"table: {count} rows, but {len(names)} of them have names")
        return Topology(count, neighbours=((),) * count, names=names)
