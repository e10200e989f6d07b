"""Geometries: numbering, steps, neighbours, borders, holes, and sizes that make no sense."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gdl.interpreter.geometry import GEOMETRIES, MAX_SPACES
from gdl.interpreter.geometry.graph import Graph
from gdl.interpreter.geometry.grid import Grid
from gdl.interpreter.geometry.hex import Hex
from gdl.interpreter.geometry.named import Named
from gdl.interpreter.geometry.single import Single
from gdl.interpreter.geometry.table import Table
from gdl.interpreter.geometry.topology import Topology
from gdl.interpreter.geometry.track import Track
from gdl.values import BACKWARD, DIAGONAL, DIRECTIONS, EVERY_WAY, NONE, ONWARD, ORTHOGONAL

NORTH, NORTHEAST, EAST, SOUTHEAST, SOUTH, SOUTHWEST, WEST, NORTHWEST = EVERY_WAY


def opposite(d: int) -> int:
    pairs = {"north": "south", "northeast": "southwest", "east": "west", "southeast": "northwest", "onward": "backward"}
    both = pairs | {there: back for back, there in pairs.items()}
    return DIRECTIONS.index(both[DIRECTIONS[d]])


@st.composite
def boards(draw: st.DrawFn) -> Topology:
    """Grids and hexes with holes, and tracks."""
    kind = draw(st.sampled_from(["grid", "hex", "track"]))
    width, height = draw(st.integers(1, 6)), draw(st.integers(1, 6))
    if kind == "track":
        return Track.build((width,), loop=draw(st.booleans()))
    cells = [(r, c) for r in range(height if kind == "grid" else width) for c in range(width)]
    kept = draw(st.sets(st.sampled_from(cells), min_size=1))

    def mask(place: Mapping[str, int]) -> bool:
        return (place["row"], place["col"]) in kept

    if kind == "hex":
        return Hex.build((width,), mask=mask)
    return Grid.build((height, width), mask=mask, adjacency=draw(st.sampled_from([None, *Grid.adjacencies])))


# --- all of them ------------------------------------------------------------------------------------------------------


def test_every_geometry_is_an_entry() -> None:
    assert list(GEOMETRIES) == ["single", "track", "grid", "hex", "graph", "named", "table"]
    for name, geometry in GEOMETRIES.items():
        assert geometry.name == name
        assert "Example:" in (geometry.__doc__ or "")


def test_the_mapping_is_frozen() -> None:
    with pytest.raises(TypeError):
        GEOMETRIES["circle"] = Single  # type: ignore[index]  # that it can't be written is what is tested


@given(boards())
def test_the_step_back_leads_back(board: Topology) -> None:
    for d, leads in board.steps.items():
        for s, there in enumerate(leads):
            assert there == NONE or board.steps[opposite(d)][there] == s


@given(boards())
def test_neighbours_are_mutual_and_each_comes_once(board: Topology) -> None:
    assert len(board.neighbours) == board.count
    for s, adjacent in enumerate(board.neighbours):
        assert len(set(adjacent)) == len(adjacent)
        assert s not in adjacent
        assert all(s in board.neighbours[n] for n in adjacent)


@given(boards())
def test_every_table_has_an_entry_per_space(board: Topology) -> None:
    assert set(board.ring) == set(board.steps)
    assert all(len(leads) == board.count for leads in board.steps.values())
    assert all(len(values) == board.count for values in board.coordinates.values())


# --- grid -------------------------------------------------------------------------------------------------------------


def test_a_grid_is_numbered_row_by_row_from_the_northwest() -> None:
    grid = Grid.build((2, 3))
    assert grid.count == 6
    assert grid.coordinates == {"row": (0, 0, 0, 1, 1, 1), "col": (0, 1, 2, 0, 1, 2)}
    assert Grid.coordinates == tuple(grid.coordinates)
    assert grid.ring == EVERY_WAY
    assert grid.steps[NORTH] == (NONE, NONE, NONE, 0, 1, 2)
    assert grid.steps[EAST] == (1, 2, NONE, 4, 5, NONE)
    assert grid.steps[SOUTHWEST] == (NONE, 3, 4, NONE, NONE, NONE)


@pytest.mark.parametrize(
    ("adjacency", "ways"), [("orthogonal", ORTHOGONAL), ("diagonal", DIAGONAL), ("all", EVERY_WAY)]
)
def test_neighbours_follow_adjacency_clockwise(adjacency: str, ways: tuple[int, ...]) -> None:
    grid = Grid.build((3, 3), adjacency=adjacency)
    assert grid.neighbours[4] == tuple(grid.steps[d][4] for d in ways)


def test_a_grid_is_orthogonal_unless_it_says_otherwise() -> None:
    assert Grid.build((3, 3)).neighbours == Grid.build((3, 3), adjacency="orthogonal").neighbours


def test_borders_are_the_outer_rows_and_columns() -> None:
    assert Grid.build((2, 3)).borders == {NORTH: (0, 1, 2), EAST: (2, 5), SOUTH: (3, 4, 5), WEST: (0, 3)}


def test_the_dark_squares_of_a_draughts_board() -> None:
    grid = Grid.build((8, 8), mask=lambda place: (place["row"] + place["col"]) % 2 == 1)
    assert grid.count == 32
    assert (grid.coordinates["row"][0], grid.coordinates["col"][0]) == (0, 1)
    assert all(there == NONE for d in ORTHOGONAL for there in grid.steps[d])
    assert grid.steps[SOUTHEAST][0] == 5
    assert grid.borders[NORTH] == (0, 1, 2, 3)
    assert grid.borders[WEST] == (4, 12, 20, 28)


def test_no_step_goes_through_a_hole() -> None:
    grid = Grid.build((1, 3), mask=lambda place: place["col"] != 1)
    assert grid.count == 2
    assert grid.steps[EAST] == (NONE, NONE)


def test_the_border_is_where_the_outermost_squares_are() -> None:
    grid = Grid.build((3, 3), mask=lambda place: place["row"] > 0)
    assert grid.borders[NORTH] == (0, 1, 2)


@given(boards())
def test_steps_change_coordinates_alike_everywhere(board: Topology) -> None:
    if not board.coordinates:
        return
    places = list(zip(board.coordinates["row"], board.coordinates["col"], strict=True))
    for leads in board.steps.values():
        moved = {
            (places[there][0] - places[s][0], places[there][1] - places[s][1])
            for s, there in enumerate(leads)
            if there != NONE
        }
        assert len(moved) <= 1
        for down, right in moved:
            for s, there in enumerate(leads):
                goal = (places[s][0] + down, places[s][1] + right)
                assert (there != NONE) == (goal in places)


# --- hex --------------------------------------------------------------------------------------------------------------


def test_a_hexagon_touches_six_clockwise_from_northwest() -> None:
    board = Hex.build((3,))
    assert [DIRECTIONS[d] for d in board.ring] == ["northwest", "northeast", "east", "southeast", "southwest", "west"]
    assert board.neighbours[4] == (1, 2, 5, 7, 6, 3)
    assert board.neighbours[0] == (1, 3)
    assert board.neighbours[2] == (5, 4, 1)


def test_directions_of_a_hex_point_where_they_say() -> None:
    board = Hex.build((5,))
    middle = 12

    def place(s: int) -> tuple[float, float]:
        row, column = board.coordinates["row"][s], board.coordinates["col"][s]
        return column + row / 2, row * math.sqrt(3) / 2  # east, south

    here = place(middle)
    turned = []
    for d in board.ring:
        there = place(board.steps[d][middle])
        east, south = there[0] - here[0], there[1] - here[1]
        assert math.isclose(math.hypot(east, south), 1)
        turned.append(round(math.degrees(math.atan2(east, -south))) % 360)
    assert turned == [330, 30, 90, 150, 210, 270]


def test_a_hex_has_the_four_sides_of_a_rhombus() -> None:
    assert Hex.build((3,)).borders == {NORTH: (0, 1, 2), EAST: (2, 5, 8), SOUTH: (6, 7, 8), WEST: (0, 3, 6)}


def test_a_hexagon_of_hexagons_is_cut_from_a_rhombus() -> None:
    board = Hex.build((5,), mask=lambda place: 2 <= place["row"] + place["col"] <= 6)
    assert board.count == 19
    assert [len(adjacent) for adjacent in board.neighbours].count(6) == 7


# --- track ------------------------------------------------------------------------------------------------------------


def test_an_open_track_ends() -> None:
    track = Track.build((3,))
    assert track.steps == {ONWARD: (1, 2, NONE), BACKWARD: (NONE, 0, 1)}
    assert track.neighbours == ((1,), (0, 2), (1,))
    assert track.borders == {ONWARD: (2,), BACKWARD: (0,)}
    assert not track.loop


def test_a_loop_does_not_end() -> None:
    track = Track.build((4,), loop=True)
    assert track.steps == {ONWARD: (1, 2, 3, 0), BACKWARD: (3, 0, 1, 2)}
    assert track.neighbours[0] == (3, 1)
    assert track.borders == {ONWARD: (), BACKWARD: ()}
    assert track.loop


def test_short_loops_have_no_neighbour_twice() -> None:
    assert Track.build((1,), loop=True).neighbours == ((),)
    assert Track.build((2,), loop=True).neighbours == ((1,), (0,))


# --- without directions -----------------------------------------------------------------------------------------------


def test_a_graph_joins_its_nodes_both_ways() -> None:
    graph = Graph.build(nodes=("harbour", "village", "mine"), edges=(("mine", "village"), ("village", "harbour")))
    assert graph.names == ("harbour", "village", "mine")
    assert graph.neighbours == ((1,), (0, 2), (1,))
    assert graph.steps == {}


def test_single_named_and_table_have_no_neighbours() -> None:
    assert (Single.build().count, Single.build().neighbours) == (1, ((),))
    named = Named.build(names=("cellar", "attic"))
    assert (named.count, named.names, named.neighbours) == (2, ("cellar", "attic"), ((), ()))
    assert Table.build(count=3).count == 3
    assert Table.build(names=("a", "b")).names == ("a", "b")


def test_what_a_geometry_has_no_use_for_is_left_aside() -> None:
    assert Grid.build((2, 2), count=4, names=("a", "b", "c", "d")).names == ()


# --- what makes no sense ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "sizes", "more", "text"),
    [
        ("grid", (0, 3), {}, "grid: a size must be at least 1, it is 0"),
        ("grid", (3, -2), {}, "it is -2"),
        ("grid", (3,), {}, "grid: 2 sizes are needed, 1 given"),
        ("grid", (101, 100), {}, "grid: 10100 spaces are too many, at most 10000"),
        ("grid", (3, 3), {"mask": lambda _: False}, "grid: no spaces are left"),
        ("grid", (3, 3), {"adjacency": "round"}, "it must be one of orthogonal, diagonal, all"),
        ("grid", (3, 3), {"loop": True}, "only a track can be a loop"),
        ("hex", (101,), {}, "10201 spaces"),
        ("hex", (3,), {"adjacency": "all"}, "it must be left out here"),
        ("track", (NONE,), {}, "at least 1"),
        ("track", (MAX_SPACES + 1,), {}, "too many"),
        ("track", (3,), {"mask": lambda _: True}, "`cells` goes with a grid or hex only"),
        ("graph", (), {}, "graph: no spaces are left"),
        ("graph", (), {"nodes": ("a", "a")}, "two spaces are called a"),
        ("graph", (), {"nodes": ("a", "b"), "edges": (("a", "c"),)}, "leads to c, which is none of the nodes"),
        ("graph", (), {"nodes": ("a", "b"), "edges": (("a", "a"),)}, "from a to itself"),
        ("graph", (), {"nodes": ("a", "b"), "edges": (("a", "b"), ("b", "a"))}, "b and a are joined twice"),
        ("named", (), {"names": ("a", "b", "a")}, "two spaces are called a"),
        ("named", (), {}, "no spaces are left"),
        ("table", (), {"count": 0}, "no spaces are left"),
        ("table", (), {"count": 2, "names": ("a",)}, "2 rows, but 1 of them have names"),
    ],
)
def test_nonsense_is_refused_with_a_text(name: str, sizes: tuple[int, ...], more: dict[str, Any], text: str) -> None:
    with pytest.raises(ValueError, match=re.escape(text)):
        GEOMETRIES[name].build(sizes, **more)


def test_the_largest_boards_are_allowed() -> None:
    assert Grid.build((100, 100)).count == MAX_SPACES
    assert Track.build((MAX_SPACES,)).count == MAX_SPACES
