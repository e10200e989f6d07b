"""Builtins on boards: small boards of every geometry against brute force, and what can be worked out by hand."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

import pytest
from attrs import frozen
from hypothesis import given
from hypothesis import strategies as st

from gdl.interpreter.builtins import board, lines, regions
from gdl.interpreter.faults import RuleFault
from gdl.interpreter.geometry import Topology
from gdl.interpreter.geometry.graph import Graph
from gdl.interpreter.geometry.grid import Grid
from gdl.interpreter.geometry.hex import Hex
from gdl.interpreter.geometry.named import Named
from gdl.interpreter.geometry.track import Track
from gdl.registry import Entry, combine
from gdl.values import BACKWARD, DIRECTIONS, EVERY_WAY, NONE, ONWARD

NORTH, NORTHEAST, EAST, SOUTHEAST, SOUTH, SOUTHWEST, WEST, NORTHWEST = EVERY_WAY

Value = Any  # of the language: an int, or a tuple of values


@frozen
class FakeGame:
    """Zones laid out one behind the other, as a game does it."""

    zones: tuple[Topology, ...]

    def board(self, space: int) -> tuple[Topology, int]:
        base = 0
        for topology in self.zones:
            if space < base + topology.count:
                return topology, base
            base += topology.count
        raise IndexError(space)

    def spaces(self, zone: int) -> tuple[int, ...]:
        base = sum(topology.count for topology in self.zones[:zone])
        return tuple(range(base, base + self.zones[zone].count))


TESTED = combine((board.topic, lines.topic, regions.topic)).builtins

BOARD, RING, CELLS, PATH, MAP, ROOMS = range(6)
GAME = FakeGame(
    (
        Grid.build((8, 8)),
        Track.build((12,), loop=True),
        Hex.build((5,)),
        Track.build((5,)),
        Graph.build(nodes=("a", "b", "c", "d", "e"), edges=(("a", "b"), ("b", "c"), ("c", "a"), ("d", "e"))),
        Named.build(names=("cellar", "attic")),
    )
)


def square(row: int, column: int) -> int:
    return 8 * row + column


def cell(row: int, column: int) -> int:
    return GAME.spaces(CELLS)[5 * row + column]


def find(name: str, *types: str) -> Entry:
    """The only overload of this name, or the one whose parameters have these types."""
    entries = [e for e in TESTED[name] if not types or [str(p.type) for p in e.signature.parameters] == list(types)]
    assert len(entries) == 1, f"{name}{types}: {len(entries)} overloads"
    return entries[0]


def call(entry: Entry, *arguments: Value, game: FakeGame = GAME) -> Value:
    return entry.function(*(((game,) if entry.wants_game else ()) + arguments))


def on(game: FakeGame, name: str, *types: str) -> Callable[..., Value]:
    """A builtin as a function, for this game."""
    entry = find(name, *types)
    return lambda *arguments: call(entry, *arguments, game=game)


def use(name: str, *types: str) -> Callable[..., Value]:
    return on(GAME, name, *types)


# --- against brute force ----------------------------------------------------------------------------------------------


@st.composite
def games(draw: st.DrawFn) -> FakeGame:
    """A few zones of any geometry with directions, so that copies do not begin at 0."""
    return FakeGame(tuple(draw(st.lists(topologies(), min_size=1, max_size=3))))


@st.composite
def topologies(draw: st.DrawFn) -> Topology:
    kind, width = draw(st.sampled_from(["grid", "hex", "track"])), draw(st.integers(1, 5))
    if kind == "track":
        return Track.build((width,), loop=draw(st.booleans()))
    holes = draw(st.sets(st.tuples(st.integers(0, 4), st.integers(0, 4)), max_size=4)) - {(0, 0)}

    def mask(place: Mapping[str, int]) -> bool:
        return (place["row"], place["col"]) not in holes

    if kind == "hex":
        return Hex.build((width,), mask=mask)
    height = draw(st.integers(1, 5))
    return Grid.build((height, width), mask=mask, adjacency=draw(st.sampled_from(Grid.adjacencies)))


def some_spaces(data: st.DataObject, game: FakeGame) -> tuple[int, ...]:
    everything = [s for zone in range(len(game.zones)) for s in game.spaces(zone)]
    return tuple(data.draw(st.lists(st.sampled_from(everything), unique=True)))


def walls(game: FakeGame) -> dict[int, set[int]]:
    """Global adjacency by brute force."""
    return {
        base + s: {base + n for n in topology.neighbours[s]}
        for zone, topology in enumerate(game.zones)
        for base in [sum(t.count for t in game.zones[:zone])]
        for s in range(topology.count)
    }


@given(games(), st.data())
def test_neighbours_of_several(game: FakeGame, data: st.DataObject) -> None:
    xs, adjacent = some_spaces(data, game), walls(game)
    expected = sorted({n for s in xs for n in adjacent[s]} - set(xs))
    assert on(game, "neighbours", "list[S]")(xs) == tuple(expected)


@given(games(), st.data())
def test_groups_are_the_parts_that_merging_gives(game: FakeGame, data: st.DataObject) -> None:
    xs, adjacent = some_spaces(data, game), walls(game)
    part = {s: s for s in xs}
    for _ in xs:
        for s, n in itertools.product(xs, xs):
            if n in adjacent[s]:
                part[s] = part[n] = min(part[s], part[n])
    expected = tuple(tuple(sorted(s for s in xs if part[s] == p)) for p in sorted(set(part.values())))
    assert on(game, "groups")(xs) == expected
    a, b = some_spaces(data, game), some_spaces(data, game)
    assert on(game, "connected")(xs, a, b) == any(set(g) & set(a) and set(g) & set(b) for g in expected)


@given(games(), st.data())
def test_reach_over_neighbours_is_the_group(game: FakeGame, data: st.DataObject) -> None:
    xs = some_spaces(data, game)
    neighbours, reach = on(game, "neighbours", "S"), on(game, "reach")
    for group in on(game, "groups")(xs):
        for start in group:
            assert reach((start,), lambda s: tuple(n for n in neighbours(s) if n in xs)) == group


def test_reach_asks_once_for_each_space_nearest_first() -> None:
    asked: list[int] = []

    def onward(s: int) -> tuple[int, ...]:
        asked.append(s)
        return (s - 1, s - 2, s) if s > 6 else ()

    assert use("reach")((9, 3, 9), onward) == (3, 5, 6, 7, 8, 9)
    assert asked == [9, 3, 8, 7, 6, 5]


@given(games(), st.data())
def test_distances_are_the_shortest(game: FakeGame, data: st.DataObject) -> None:
    zone = data.draw(st.integers(0, len(game.zones) - 1))
    spaces, adjacent = game.spaces(zone), walls(game)
    least = {(a, b): 0 if a == b else 1 if b in adjacent[a] else 999 for a in spaces for b in spaces}
    for middle, a, b in itertools.product(spaces, repeat=3):
        least[a, b] = min(least[a, b], least[a, middle] + least[middle, b])
    distance = on(game, "distance", "S", "S")
    a, b = data.draw(st.sampled_from(spaces)), data.draw(st.sampled_from(spaces))
    assert distance(a, b) == (least[a, b] if least[a, b] < 999 else NONE)


def test_there_is_no_way_from_zone_to_zone() -> None:
    ring, path = GAME.spaces(RING), GAME.spaces(PATH)
    assert use("distance", "S", "S")(ring[0], path[0]) == NONE
    assert use("distance", "S", "S", "direction")(ring[0], path[0], ONWARD) == NONE
    assert use("direction")(ring[0], path[0]) == NONE
    nodes = GAME.spaces(MAP)
    assert use("distance", "S", "S")(nodes[0], nodes[2]) == 1
    assert use("distance", "S", "S")(nodes[0], nodes[3]) == NONE


@given(games(), st.data())
def test_steps_add_up(game: FakeGame, data: st.DataObject) -> None:
    zone = data.draw(st.integers(0, len(game.zones) - 1))
    s, d = data.draw(st.sampled_from(game.spaces(zone))), data.draw(st.sampled_from(range(len(DIRECTIONS))))
    step, n = on(game, "step", "S", "direction", "int"), data.draw(st.integers(-12, 12))
    at = s
    for _ in range(abs(n)):
        at = step(at, d if n > 0 else on(game, "opposite")(d)) if at != NONE else NONE
    assert step(s, d, n) == at
    if at != NONE:
        assert step(at, d, -n) == s


@given(games(), st.data())
def test_rays_betweens_and_directions_agree(game: FakeGame, data: st.DataObject) -> None:
    zone = data.draw(st.integers(0, len(game.zones) - 1))
    a = data.draw(st.sampled_from(game.spaces(zone)))
    topology = game.zones[zone]
    step, ray = on(game, "step", "S", "direction", "int"), on(game, "ray")
    rays = {d: ray(a, d) for d in range(len(DIRECTIONS))}
    for d, run in rays.items():
        assert all(step(a, d, n) == b for n, b in enumerate(run, start=1))
        assert step(a, d, len(run) + 1) in (NONE, a)
        assert on(game, "line")(a, d, 3) == (a, *run)[:3]
    assert on(game, "rays")(a, topology.ring) == tuple(rays[d] for d in topology.ring if rays[d])
    for b in game.spaces(zone):
        d = on(game, "direction")(a, b)
        if d == NONE:
            assert all(b not in run for run in rays.values())
            assert on(game, "between")(a, b) == ()
        else:
            n = on(game, "distance", "S", "S", "direction")(a, b, d)
            assert step(a, d, n) == b
            assert on(game, "between")(a, b) == rays[d][: n - 1]


@given(games(), st.data(), st.integers(0, 5))
def test_lines_of_a_zone_are_those_through_its_spaces(game: FakeGame, data: st.DataObject, n: int) -> None:
    zone = data.draw(st.integers(0, len(game.zones) - 1))
    spaces = game.spaces(zone)
    every = on(game, "lines", "list[S]", "int")(spaces, n)
    assert len({frozenset(line) for line in every}) == len(every)
    assert all(len(set(line)) == n for line in every)
    step = on(game, "step", "S", "direction", "int")
    for line in every:
        assert any(all(step(a, d) == b for a, b in itertools.pairwise(line)) for d in game.zones[zone].ring)
    for s in spaces:
        assert on(game, "lines", "S", "int")(s, n) == tuple(line for line in every if s in line)


@pytest.mark.parametrize(
    ("rows", "columns", "n", "number"), [(3, 3, 3, 8), (6, 7, 4, 69), (15, 15, 5, 572), (8, 8, 9, 0)]
)
def test_number_of_lines_on_a_grid(rows: int, columns: int, n: int, number: int) -> None:
    game = FakeGame((Grid.build((rows, columns)),))
    found = on(game, "lines", "list[S]", "int")(game.spaces(0), n)
    assert len(found) == number
    through = Counter(s for line in found for s in line)
    assert all(len(on(game, "lines", "S", "int")(s, n)) == through[s] for s in (0, rows * columns // 2))


def test_lines_within_some_spaces_and_round_a_loop() -> None:
    within = use("lines", "list[S]", "int")
    assert within((square(1, 1), square(1, 3), square(1, 2), square(2, 2)), 3) == ((9, 10, 11),)
    ring = GAME.spaces(RING)
    assert within(ring, 12) == (ring,)
    assert within(ring, 13) == within(ring, 0) == within(ring, -1) == ()
    assert within(ring, 3)[-1] == (ring[11], ring[0], ring[1])
    assert within(GAME.spaces(BOARD), 1) == tuple((s,) for s in GAME.spaces(BOARD))


def test_step_on_tracks() -> None:
    step, ring, path = use("step", "S", "int"), GAME.spaces(RING), GAME.spaces(PATH)
    assert [step(ring[10], n) for n in (3, -11, 0, 1_200_000_001)] == [ring[1], ring[11], ring[10], ring[11]]
    assert [step(path[1], n) for n in (3, 4, -1, -2)] == [path[4], NONE, path[0], NONE]
    with pytest.raises(RuleFault, match="direction"):
        step(square(0, 0), 1)


def test_no_step_in_an_unknown_direction() -> None:
    step = use("step", "S", "direction", "int")
    assert step(cell(2, 2), SOUTH) == step(square(2, 2), ONWARD) == step(GAME.spaces(ROOMS)[0], EAST) == NONE
    assert step(cell(2, 2), SOUTH, 0) == cell(2, 2)
    assert use("steps")(cell(2, 2), EVERY_WAY) == tuple(
        step(cell(2, 2), d) for d in EVERY_WAY if d not in (NORTH, SOUTH)
    )


def test_all_ways_round_a_loop() -> None:
    ring, between = GAME.spaces(RING), use("between")
    assert between(ring[10], ring[1]) == (ring[11], ring[0])
    assert between(ring[1], ring[0]) == ring[2:]
    assert between(ring[1], ring[1]) == ()
    assert use("direction")(ring[1], ring[0]) == ONWARD
    assert use("distance", "S", "S", "direction")(ring[1], ring[0], BACKWARD) == 1
    assert use("distance", "S", "S", "direction")(ring[1], ring[1], BACKWARD) == 0
    assert use("distance", "S", "S")(ring[1], ring[11]) == 2
    assert use("ray")(ring[0], BACKWARD) == ring[:0:-1]


def test_a_knight_leaps_clockwise_from_north() -> None:
    jumps = [(-2, 1), (-1, 2), (1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1)]
    expected = tuple(square(4 + down, 4 + right) for down, right in jumps)
    assert use("leaps")(square(4, 4), 1, 2) == use("leaps")(square(4, 4), 2, 1) == expected


@given(st.integers(0, 63), st.integers(0, 4), st.integers(0, 4))
def test_leaps_are_all_cells_so_far_away(s: int, a: int, b: int) -> None:
    def apart(other: int) -> list[int]:
        return sorted((abs(other // 8 - s // 8), abs(other % 8 - s % 8)))

    found = use("leaps")(s, a, b)
    assert len(set(found)) == len(found)
    assert set(found) == {other for other in range(64) if other != s and apart(other) == sorted((a, b))}


def test_leaps_straight_and_slanting() -> None:
    leaps = use("leaps")
    assert leaps(square(4, 4), 0, 2) == (square(2, 4), square(4, 6), square(6, 4), square(4, 2))
    assert leaps(square(4, 4), 2, 2) == (square(2, 6), square(6, 6), square(6, 2), square(2, 2))
    with pytest.raises(RuleFault, match="grid or hex"):
        leaps(GAME.spaces(RING)[0], 1, 2)


def test_leaps_on_a_hex() -> None:
    leaps = use("leaps")
    assert leaps(cell(2, 2), 1, 0) == use("neighbours", "S")(cell(2, 2))
    assert leaps(cell(2, 2), 1, 1) == (cell(0, 3), cell(1, 4), cell(3, 3), cell(4, 1), cell(3, 0), cell(1, 1))
    two_away = {s for s in GAME.spaces(CELLS) if use("distance", "S", "S")(cell(2, 2), s) == 2}
    assert set(leaps(cell(2, 2), 2, 0)) | set(leaps(cell(2, 2), 1, 1)) == two_away


def test_leaps_go_over_holes() -> None:
    game = FakeGame((Grid.build((3, 3), mask=lambda place: (place["row"] + place["col"]) % 2 == 0),))
    assert on(game, "leaps")(0, 2, 2) == (4,)
    assert on(game, "leaps")(0, 0, 2) == (1, 3)
    assert on(game, "between")(0, 4) == (2,)


def test_rows_and_columns() -> None:
    assert use("row")(cell(1, 3)) == tuple(cell(1, c) for c in range(5))
    assert use("column")(cell(1, 3)) == tuple(cell(r, 3) for r in range(5))
    with pytest.raises(RuleFault, match="grid or hex"):
        use("row")(GAME.spaces(RING)[0])


def test_borders() -> None:
    border = use("border")
    assert border(GAME.spaces(CELLS), WEST) == use("column")(cell(0, 0))
    assert border(GAME.spaces(PATH), ONWARD) == GAME.spaces(PATH)[-1:]
    assert border(GAME.spaces(RING), ONWARD) == ()
    assert border((), NORTH) == ()
    with pytest.raises(RuleFault, match="no border called northeast"):
        border(GAME.spaces(BOARD), NORTHEAST)


def test_two_copies_are_two_boards() -> None:
    game = FakeGame((Grid.build((2, 2)), Grid.build((2, 2))))
    both = game.spaces(0) + game.spaces(1)
    assert on(game, "border")(both, SOUTH) == (2, 3, 6, 7)
    assert on(game, "groups")(both) == (game.spaces(0), game.spaces(1))
    assert len(on(game, "lines", "list[S]", "int")(both, 2)) == 12
    assert len(on(game, "rectangles")(both)) == 18


def test_directions() -> None:
    turn, opposite = use("turn"), use("opposite")
    assert [opposite(d) for d in EVERY_WAY] == [turn(d, 4) for d in EVERY_WAY] == [turn(d, -4) for d in EVERY_WAY]
    assert [turn(NORTH, n) for n in (0, 1, 7, 8, -1)] == [NORTH, NORTHEAST, NORTHWEST, NORTH, NORTHWEST]
    assert (opposite(ONWARD), opposite(BACKWARD)) == (BACKWARD, ONWARD)
    assert [turn(ONWARD, n) for n in (0, 4, 8, -4)] == [ONWARD, BACKWARD, ONWARD, BACKWARD]
    with pytest.raises(RuleFault, match="half a circle"):
        turn(ONWARD, 1)


def test_axes() -> None:
    axes = use("axes")
    assert axes(GAME.spaces(CELLS)) == (EAST, SOUTHEAST, SOUTHWEST)
    assert axes(GAME.spaces(RING)) == (ONWARD,)
    assert axes(GAME.spaces(MAP)) == axes(()) == ()


@given(st.integers(1, 4), st.integers(1, 4), st.data())
def test_rectangles_are_all_there_are(rows: int, columns: int, data: st.DataObject) -> None:
    game = FakeGame((Track.build((3,)), Grid.build((rows, columns))))
    xs = data.draw(st.sets(st.sampled_from(game.spaces(1))))
    expected = []
    for top, left, bottom, right in itertools.product(range(rows), range(columns), range(rows), range(columns)):
        inside = [3 + r * columns + c for r in range(top, bottom + 1) for c in range(left, right + 1)]
        if inside and xs.issuperset(inside):
            expected.append(tuple(inside))
    assert on(game, "rectangles")(tuple(xs)) == tuple(expected)


def test_rectangles_need_squares() -> None:
    with pytest.raises(RuleFault, match="grid"):
        use("rectangles")((cell(0, 0),))
