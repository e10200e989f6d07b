"""The geometry of places joined by edges."""

from __future__ import annotations

from typing import ClassVar

from gdl.interpreter.geometry.geometry import Blueprint, Geometry, check_count, check_names
from gdl.interpreter.geometry.topology import Topology


class Graph(Geometry):
    """Named spaces with edges between them that go both ways.

    Neighbours come in the order of the nodes; there are no directions.

    Example:

        map:
          graph:
            nodes: [harbour, village, mine]
            edges: [[harbour, village], [village, mine]]
    """

    name: ClassVar[str] = "graph"
    keys: ClassVar[tuple[str, ...]] = ("graph", "edges")

    @classmethod
    def lay_out(cls, blueprint: Blueprint) -> Topology:
        """The nodes in order of writing, with whatever an edge joins as neighbours."""
        nodes = check_names(cls.name, blueprint.nodes)
        count = check_count(cls.name, len(nodes))
        number = {node: n for n, node in enumerate(nodes)}
        adjacent: list[set[int]] = [set() for _ in nodes]
        for edge in blueprint.edges:
            one, other = (_find(number, node) for node in edge)
            if one == other:
                raise ValueError(f"graph: an edge leads from {nodes[one]} to itself")
            if other in adjacent[one]:
                raise ValueError(f"graph: {nodes[one]} and {nodes[other]} are joined twice; edges go both ways")
            adjacent[one].add(other)
            adjacent[other].add(one)
        return Topology(count, neighbours=tuple(tuple(sorted(each)) for each in adjacent), names=nodes)


def _find(number: dict[str, int], node: str) -> int:
    if node not in number:
        raise ValueError(f"graph: an edge leads to {node}, which is none of the nodes")
    return number[node]
