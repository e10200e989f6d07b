"""Tangram City: where tiles can be laid, and what a city scores, against counts that share nothing with the spec.

Here a board is a set of points, four in each square, one in the middle of each quarter that the two diagonals cut. Squares are 6 wide, so
all points are whole numbers; turning and mirroring are arithmetic.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any, Final

import pytest
from attrs import frozen

import gdl
from gdl.diagnostics import Report
from gdl.interpreter.given import phase_named, start, state_in
from gdl.interpreter.reading import assign, read_expression
from gdl.source import Fragment, SourceFile
from gdl.typed import TExpression, VariableValue
from tests.properties.shipped import THOROUGH

SPEC: Final = Path(__file__).resolve().parents[2] / "specs" / "tangram_city.yaml"
SIZE: Final = 7
WIDE: Final = 6
QUARTERS: Final = ((3, 1), (5, 3), (3, 5), (1, 3))
"""The points of a square, (x, y) from its upper left corner: north, east, south, west."""
CITIES_SCORED: Final = 1000
CITIES_BUILT: Final = 200 if THOROUGH else 10

Point = tuple[int, int]
Area = frozenset[Point]
City = dict[Point, str]
"""What covers which point."""
Square = tuple[int, int]
"""Row and column."""

# --- tiles as sets of points ------------------------------------------------------------------------------------------


def half(sign: str) -> list[Point]:
    """The points of a square that a character of a shape covers."""
    return [
        (x, y)
        for x, y in QUARTERS
        if sign == "■"
        or (sign == "◤" and x + y < WIDE)
        or (sign == "◥" and x > y)
        or (sign == "◣" and x < y)
        or (sign == "◢" and x + y > WIDE)
    ]


def drawn(shape: str) -> Area:
    """A shape as its rows of characters draw it."""
    return frozenset(
        (WIDE * column + x, WIDE * row + y)
        for row, line in enumerate(shape.split("/"))
        for column, sign in enumerate(line)
        for x, y in half(sign)
    )


def moved(area: Area, column: int, row: int) -> Area:
    """An area so many squares further east and south."""
    return frozenset((x + WIDE * column, y + WIDE * row) for x, y in area)


def at_corner(area: Area) -> Area:
    """The same with the squares that it touches as far northwest as can be."""
    return moved(area, -min(x // WIDE for x, _ in area), -min(y // WIDE for _, y in area))


def lying(shape: str, side: str, turns: int) -> Area:
    """A tile with this side up and turned so often by a quarter clockwise."""
    area = drawn(shape)
    if side == "green":
        area = frozenset((-x, y) for x, y in area)
    for _ in range(turns):
        area = frozenset((-y, x) for x, y in area)
    return at_corner(area)


@cache
def on_board(shape: str, side: str) -> frozenset[Area]:
    """Everything that a side of a tile can cover of an empty board."""
    found = set()
    for turns in range(4):
        area = lying(shape, side, turns)
        for column, row in product(range(SIZE), repeat=2):
            there = moved(area, column, row)
            if all(0 < x < WIDE * SIZE and 0 < y < WIDE * SIZE for x, y in there):
                found.add(there)
    return frozenset(found)


# --- cities -----------------------------------------------------------------------------------------------------------


def squares(city: City) -> dict[Square, list[str]]:
    """What covers the points of each square, as far as they are covered."""
    found: dict[Square, list[str]] = {(row, column): [] for row, column in product(range(SIZE), repeat=2)}
    for (x, y), cover in city.items():
        found[y // WIDE, x // WIDE].append(cover)
    return found


def random_city(source: random.Random) -> City:
    """Squares that are empty, half covered, or covered by two halves; of some cities nearly all are covered."""
    city: City = {}
    full = source.choice([0.3, 0.6, 0.9, 0.98])
    for row, column in product(range(SIZE), repeat=2):
        signs = source.choice(["◤◢", "◥◣"])
        kept = 2 if source.random() < full else source.randrange(2)
        color = source.choice(["red", "green"])
        for sign in source.sample(signs, kept):
            cover = color if source.random() < 0.7 else source.choice(["red", "green", "fountain"])
            for x, y in half(sign):
                city[WIDE * column + x, WIDE * row + y] = cover
    return city


def largest_rectangle(city: City) -> int:
    """The squares of the largest complete rectangle, by trying all."""
    complete = {place for place, covers in squares(city).items() if len(covers) == 4}
    best = 0
    for top, left in product(range(SIZE), repeat=2):
        for bottom, right in product(range(top, SIZE), range(left, SIZE)):
            if complete.issuperset(product(range(top, bottom + 1), range(left, right + 1))):
                best = max(best, (bottom - top + 1) * (right - left + 1))
    return best


def of_color(city: City, color: str) -> int:
    """The squares that count for a colour."""
    return sum(len(covers) == 4 and set(covers) - {"fountain"} == {color} for covers in squares(city).values())


def balance_bonus(city: City) -> int:
    """The points for red and green squares being level or nearly so."""
    apart = abs(of_color(city, "red") - of_color(city, "green"))
    return 20 if apart == 0 else 10 if apart <= 2 else 5 if apart <= 4 else 0


# --- the spec ---------------------------------------------------------------------------------------------------------


@frozen(eq=False)
class Engine:
    """The game as the spec has it, for a number of players."""

    game: gdl.Game

    def node(self, text: str) -> TExpression:
        """An expression of the spec's language, checked."""
        found = read_expression(self.game, Fragment(text, SourceFile("<test>", text), 0), Report())
        assert found is not None, text
        return found

    def constant(self, text: str) -> Any:  # noqa: ANN401 - a piece, a space, a symbol or a text is a number or a text
        """The value of an expression that does not depend on the state."""
        return self.game.evaluate(self.node(text), self.game.build.first)

    def state(self, phase: str, cities: list[City], card: int | None = None) -> gdl.State:
        """The start of a phase, with these cities, and with a card face up."""
        record = phase_named(self.game, phase)
        assert record is not None
        state = state_in(self.game, record, 0, 0, explicit=False)
        for seat, city in enumerate(cities):
            for point, cover in city.items():
                state.cells[_cell_of(self, seat, point)] = _symbol(self, cover)
        if card is not None:
            self.game.plan.mover.move(state.cells, self.constant(f"card[{card}]"), self.constant("face_up"))
        start(state)
        return state


@cache
def _symbol(engine: Engine, name: str) -> Any:  # noqa: ANN401 - a symbol is a number
    return engine.constant(f"cover.{name}")


@cache
def _cell_of(engine: Engine, seat: int, point: Point) -> int:
    """Where the state keeps what covers a point: the cell that changes when it is assigned to."""
    x, y = point
    part = QUARTERS.index((x % WIDE, y % WIDE))
    node = engine.node(f"parts(players[{seat}].city[{y // WIDE}, {x // WIDE}])[{part}].cover")
    assert isinstance(node, VariableValue)
    before, after = list(engine.game.build.first), list(engine.game.build.first)
    assign(engine.game, after, node, _symbol(engine, "red"))
    (cell,) = (n for n, (old, new) in enumerate(zip(before, after, strict=True)) if old != new)
    assert after[cell] == _symbol(engine, "red")
    return cell


@cache
def engine(players: int) -> Engine:
    """The game for so many players, made once."""
    return Engine(gdl.load(SPEC).game(players))


def shapes() -> dict[int, str]:
    """The outlines of all tiles by their numbers."""
    return {n: str(engine(1).constant(f"outlines[{n - 1}].shape")) for n in range(1, 24)}


def covered(shape: str, move: str) -> Area:
    """What a move covers, by its text: the corner's square, quarter turns, `f` if the tile lies flipped."""
    spot = move.partition('spot="')[2].rstrip('")')
    corner, _, turns = spot.partition("/r")
    side = "green" if turns.endswith("f") else "red"
    assert move.startswith("place_fountain") or f"side={side}" in move
    return moved(lying(shape, side, int(turns[0])), ord(corner[0]) - ord("a"), int(corner[1:]) - 1)


# --- the tests --------------------------------------------------------------------------------------------------------


def test_cities_score_what_trying_all_rectangles_finds() -> None:
    source, seen = random.Random(1), 0
    rectangles = set()
    while seen < CITIES_SCORED:
        cities = [random_city(source) for _ in range(5)]
        state = engine(5).state("last_round.last_scoring", cities)
        parts = state.score_parts()
        for seat, city in enumerate(cities):
            largest = largest_rectangle(city)
            planning = 15 if len(city) == 4 * SIZE * SIZE else 0
            assert dict(parts[seat]) == {"rounds": largest, "planning": planning, "balance": balance_bonus(city)}
            rectangles.add(largest)
        seen += len(cities)
    assert len(rectangles) > 20
    assert {1, 49} <= rectangles


@pytest.mark.parametrize("outline", range(1, 24))
def test_a_tile_can_be_laid_where_a_count_of_points_says(outline: int) -> None:
    """Placements are all there, each once, and none else; a tile without any is discarded."""
    source = random.Random(outline)
    shape = shapes()[outline]
    cities = [{}, *(_with_room(random_city(source), source) for _ in range(CITIES_BUILT))]
    assert_placements("rounds.cards", {"red": shape, "green": shape}, cities, outline)


def test_a_fountain_can_be_laid_where_a_count_of_points_says() -> None:
    source = random.Random(0)
    assert_placements("last_round.last_fountains", {"red": "◤"}, [{}, *(random_city(source) for _ in range(CITIES_BUILT))], None)


def assert_placements(phase: str, sides: dict[str, str], cities: list[City], outline: int | None) -> None:
    """That the legal moves in these cities cover what is free, each area once."""
    name = "place_fountain" if outline is None else "place_tile"
    for city in cities:
        wanted = sorted((side, sorted(area)) for side, shape in sides.items() for area in on_board(shape, side) if not area & city.keys())
        state = engine(1).state(phase, [city], outline)
        moves = [] if state.is_terminal() else [str(move) for move in state.legal_moves(0)]
        if outline is not None and not wanted:
            assert not any(move.startswith("place_tile") for move in moves)
            continue
        assert [move for move in moves if not move.startswith(name)] == ["pass"] * bool(wanted)
        found = []
        for move in moves:
            if move != "pass":
                side = "green" if "side=green" in move else "red"
                found.append((side, sorted(covered(sides[side], move))))
        assert sorted(found) == wanted


def _with_room(city: City, source: random.Random) -> City:
    """The city with a few squares cleared, so that tiles fit more often."""
    row, column = source.randrange(SIZE - 2), source.randrange(SIZE - 2)
    cleared = {(y, x) for y, x in product(range(row, row + 3), range(column, column + 3)) if source.random() < 0.6}
    return {(x, y): cover for (x, y), cover in city.items() if (y // WIDE, x // WIDE) not in cleared}


def test_the_outlines_are_all_different_and_build_what_is_said_of_them() -> None:
    forms = {
        min(tuple(sorted(lying(shape, side, turns))) for side in ("red", "green") for turns in range(4)) for shape in shapes().values()
    }
    assert len(forms) == 23
    triangles = [len(drawn(shape)) // 2 for shape in shapes().values()]
    assert set(triangles) == set(range(2, 7))
    assert sum(triangles) == 95


@pytest.mark.parametrize(("players", "most"), [(2, 100), (5, 40)])
def test_nobody_sees_what_others_place_before_all_have(players: int, most: int) -> None:
    """What a seat and an onlooker see stays as it is until the last seat has decided: of two, in a whole match with its round 6."""
    source = random.Random(players)
    state = engine(players).game.new_state(seed=players)
    steps = 0
    while not state.is_terminal() and steps < most:
        waiting = state.deciders()
        seat = source.choice(waiting)
        others = [other for other in waiting if other != seat]
        before = [(state.observation(other), [str(m) for m in state.legal_moves(other)]) for other in others]
        outside = state.observation(None)
        state.apply(source.choice(state.legal_moves(seat)))
        steps += 1
        if others:
            assert [(state.observation(other), [str(m) for m in state.legal_moves(other)]) for other in others] == before
            assert state.observation(None) == outside
    assert state.is_terminal() == (players == 2)


@pytest.mark.parametrize("seed", range(3))
def test_what_is_covered_is_the_start_piece_and_what_was_built(seed: int) -> None:
    source = random.Random(seed)
    state = engine(2).game.new_state(seed=seed)
    while not state.is_terminal():
        state.apply(state.random_move(source.randrange))
    zones = state.observation(None)["zones"]
    for seat in range(2):
        (built,) = (space for space in zones["built"] if space["space"] == f"built[{seat}]")
        halves = 3 + sum(halves_of(piece["piece"]) for piece in each(built))
        parts = [part for part in zones["city.part"] if str(part["space"]).startswith(f"city[{seat},")]
        assert len(parts) == 4 * SIZE * SIZE
        assert 2 * halves == sum(part["cover"] is not None for part in parts)


def each(space: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The pieces of a space, alike ones one by one."""
    for piece in space["pieces"]:
        yield from [piece] * piece.get("count", 1)


def halves_of(piece: str) -> int:
    """The triangles of a piece such as `tile[0, 6]`; a fountain is one."""
    return 1 if piece.startswith("fountain") else len(drawn(shapes()[int(piece.partition(", ")[2].rstrip("]"))])) // 2
