"""Builtins on the parts of cells, on edges, and on shapes laid on grids."""

from __future__ import annotations

from gdl.interpreter.faults import RuleFault
from gdl.interpreter.placements import placements_of
from gdl.interpreter.plan import Plan
from gdl.interpreter.setup import edge_ends
from gdl.registry import Topic
from gdl.values import NONE, ORTHOGONAL

topic = Topic("parts")

Spaces = tuple[int, ...]


@topic.builtin("parts(s: S) -> list[part S]", table=True)
def parts(game: Plan, s: int) -> Spaces:
    """The four parts of a cell, clockwise from north, as its zone's `parts: names` lists them.

    Example: count(parts(city[0, 0])) == 4
    """
    zone = game.zone_of_space[s]
    first = game.zones[f"{zone.info.name}.part"].base + (s - zone.base) * 4
    return tuple(range(first, first + 4))


@topic.builtin("across(part: S) -> S or nothing", table=True)
def across(game: Plan, part: int) -> int:
    """The part of the neighbouring cell that touches this one; none at the border.

    Example: across(parts(city[0, 0])[0]) == none
    """
    zone = game.zone_of_space[part]
    if not zone.info.base:
        raise RuleFault("fault-geometry", f"a space of `{zone.info.name}` is no part of a cell")
    base = game.zones[zone.info.base]
    cell, index = divmod(part - zone.base, 4)
    copy, local = divmod(cell, base.per_copy)
    other = base.topology.steps[ORTHOGONAL[index]][local]
    return NONE if other == NONE else zone.base + (copy * base.per_copy + other) * 4 + (index + 2) % 4


@topic.builtin("edges(xs: list[S]) -> list[edge S]", table=True)
def edges(game: Plan, xs: Spaces) -> Spaces:
    """The edges both of whose ends are among the spaces given, in order of their ends; of one space in a list, none.

    Example: count(edges(paths)) == 12
    """
    inside = set(xs)
    names = dict.fromkeys(game.zone_of_space[x].info.name for x in xs)
    found: list[int] = []
    for name in names:
        edge_zone = game.zones[f"{name}.edge"]
        found += [e for e in range(edge_zone.base, edge_zone.end) if inside.issuperset(ends(game, e))]
    return tuple(found)


@topic.builtin("edge(a: S, b: S) -> edge S or nothing", table=True)
def edge(game: Plan, a: int, b: int) -> int:
    """The edge between two neighbours; none if they are not.

    Example: edge(paths[0, 0], paths[0, 1]) != none
    """
    zone = game.zone_of_space[a]
    edge_zone = game.zones[f"{zone.info.name}.edge"]
    copy = (a - zone.base) // zone.per_copy
    pair = tuple(sorted((a - zone.base - copy * zone.per_copy, b - zone.base - copy * zone.per_copy)))
    pairs = edge_ends(zone.topology)
    return edge_zone.base + copy * edge_zone.per_copy + pairs.index(pair) if pair in pairs else NONE


@topic.builtin("ends(e: S) -> list[whole S]", table=True)
def ends(game: Plan, e: int) -> Spaces:
    """The two spaces that an edge lies between, in order of number.

    Example: count(ends(edge(paths[0, 0], paths[0, 1]))) == 2
    """
    zone = game.zone_of_space[e]
    if not zone.info.base:
        raise RuleFault("fault-geometry", f"a space of `{zone.info.name}` is no edge")
    base = game.zones[zone.info.base]
    copy, local = divmod(e - zone.base, zone.per_copy)
    return tuple(base.base + copy * base.per_copy + end for end in edge_ends(base.topology)[local])


@topic.builtin(
    "placements(shape: shape, xs: list[S], turned: bool = true, flipped: bool = false, reverse: bool = false) -> list[placement S]",
    table=True,
)
def placements(game: Plan, shape: str, xs: Spaces, turned: int = 1, flipped: int = 0, reverse: int = 0) -> Spaces:
    """All ways to lay a shape on a grid (one copy, given by its spaces).

    It is laid in all four turns unless `turned=false`, and mirrored as well if `flipped=true`. With `reverse=true` its mirror image, the
    reverse of a tile, is laid in its place.
    No two cover the same spaces; in order of shape, corner row by row, turn. A placement has `.cells`, `.parts`, `.corner`,
    `.turns`, `.flipped`.

    Example: count(placements(bar, city)) == 84
    """
    if not xs:
        return ()
    zone = game.zone_of_space[xs[0]]
    if "row" not in zone.topology.coordinates:
        raise RuleFault("fault-geometry", f"shapes are laid on grids; `{zone.info.name}` is none")
    copies = dict.fromkeys((x - zone.base) // zone.per_copy for x in xs)
    sides = (bool(reverse), not reverse) if flipped else (bool(reverse),)
    return tuple(code for copy in copies for code in placements_of(game, shape, zone, copy, turned=bool(turned), sides=sides))
