"""Caravan: its ways and oases are those that networkx finds, on random maps and in random matches.

The graphs are built from the table of cards by the rules (CARAVAN-19 to CARAVAN-23, CARAVAN-29, CARAVAN-30, CARAVAN-57, CARAVAN-58) and
share nothing with the spec: fields are nodes with ways of weight 0 or 1, parts of oases are nodes joined across edges.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final

import networkx as nx
import pytest
import yaml
from attrs import Factory, frozen

import gdl
from gdl.diagnostics import Report
from gdl.interpreter.reading import assign, read_expression
from gdl.source import Fragment, SourceFile
from gdl.typed import TExpression, VariableValue

SPEC: Final = Path(__file__).resolve().parents[2] / "specs" / "caravan.yaml"
SIZE: Final = 11
STEPS: Final = ((-1, 0), (0, 1), (1, 0), (0, -1))
"""North, east, south, west, as the edges of cards are listed."""

Field = tuple[int, int]
"""Row and column, from the northwest."""
Side = tuple[Field, int]
"""A side of a field."""
Laid = dict[Field, list[int]]
"""The edges of the card on each field as it lies: 0 is desert, else a part of an oasis."""

# --- the rules, by graphs ---------------------------------------------------------------------------------------------


@cache
def cards() -> Mapping[str, tuple[int, list[int]]]:
    """Of each card its group and its edges before it is turned."""
    rows = yaml.safe_load((SPEC.parent / "caravan" / "tiles.yaml").read_text("utf-8"))
    return {row["name"]: (row["group"], json.loads(row["edges"])) for row in rows}


def turned(edges: list[int], turns: int) -> list[int]:
    """Edges after so many quarter turns clockwise."""
    return edges[-turns:] + edges[:-turns] if turns else edges


def beyond(field: Field, side: int) -> Field | None:
    """The next field, none behind the border."""
    row, col = field[0] + STEPS[side][0], field[1] + STEPS[side][1]
    return (row, col) if 0 <= row < SIZE and 0 <= col < SIZE else None


def ways(laid: Laid) -> nx.Graph[Field]:
    """The fields with cards. The weight of a way is the number of white lines crossed, 0 or 1."""
    graph: nx.Graph[Field] = nx.Graph()
    graph.add_nodes_from(laid)
    for field, edges in laid.items():
        for side, edge in enumerate(edges):
            other = beyond(field, side)
            if other in laid:
                graph.add_edge(field, other, weight=int(edge > 0))
    return graph


def free_fields(laid: Laid, start: Field) -> set[Field]:
    """What lies at most one white line away."""
    return set(nx.single_source_dijkstra_path_length(ways(laid), start, cutoff=1))


def oases(laid: Laid) -> list[set[Side]]:
    """The sides of each oasis."""
    graph: nx.Graph[Side] = nx.Graph()
    for field, edges in laid.items():
        for side, edge in enumerate(edges):
            if edge == 0:
                continue
            graph.add_node((field, side))
            graph.add_edges_from(((field, side), (field, other)) for other in range(4) if edges[other] == edge)
            neighbour = beyond(field, side)
            if neighbour in laid:
                graph.add_edge((field, side), (neighbour, (side + 2) % 4))
    return list(nx.connected_components(graph))


def is_complete(laid: Laid, oasis: set[Side]) -> bool:
    """Whether no edge faces an empty field of the area."""
    faced = [beyond(field, side) for field, side in oasis]
    return all(field is None or field in laid for field in faced)


def agrees(laid: Laid, edges: list[int], field: Field) -> bool:
    """Whether edges as they lie go with all cards beside an empty field."""
    for side, edge in enumerate(edges):
        other = beyond(field, side)
        if other in laid and (laid[other][(side + 2) % 4] > 0) != (edge > 0):
            return False
    return field not in laid


def beside(laid: Laid) -> list[Field]:
    """The empty fields with a card beside them, in order."""
    return sorted({other for field in laid for side in range(4) if (other := beyond(field, side)) is not None and other not in laid})


# --- the spec ---------------------------------------------------------------------------------------------------------


@frozen(eq=False)
class Engine:
    """The game as the spec has it. Fields go by row and column."""

    game: gdl.Game = Factory(lambda: gdl.load(SPEC).game(players=4))
    known: dict[str, TExpression] = Factory(dict)

    def node(self, text: str) -> TExpression:
        """An expression of the spec's language, checked."""
        if text not in self.known:
            found = read_expression(self.game, Fragment(text, SourceFile("<test>", text), 0), Report())
            assert found is not None, text
            self.known[text] = found
        return self.known[text]

    def value(self, text: str, cells: list[int]) -> Any:  # noqa: ANN401 - spaces, numbers, truth values, and lists of them
        return self.game.evaluate(self.node(text), cells)

    def fields(self, text: str, cells: list[int]) -> list[Field]:
        """A list of fields."""
        return [(row, col) for row, col in self.value(f"({text}) select [it.row, it.col]", cells)]

    def sides(self, text: str, cells: list[int]) -> list[Side]:
        """A list of sides of fields."""
        return [((row, col), side) for row, col, side in self.value(f"({text}) select [it.cell.row, it.cell.col, it.index]", cells)]

    def lay(self, cells: list[int], card: str, turns: int, field: Field) -> None:
        target = self.node(f"{card}.rotation")
        assert isinstance(target, VariableValue)
        assign(self.game, cells, target, turns)
        self.game.plan.mover.move(cells, self.value(card, cells), self.value(place(field), cells))


def place(field: Field) -> str:
    return f"map[{field[0]}, {field[1]}]"


def start_cross() -> Laid:
    """The cross by itself: each arm is the northern one, turned."""
    laid: Laid = {(5, 5): [0] * 4}
    for turns, arm in enumerate("nesw"):
        for n in range(1, 6):
            field = 5 + n * STEPS[turns][0], 5 + n * STEPS[turns][1]
            laid[field] = turned(cards()[f"arm_{arm}{n}"][1], turns)
    return laid


def laid_in(state: gdl.State) -> Laid:
    """What a spectator sees of the map."""
    found: Laid = {}
    for space in state.observation(None)["zones"]["map"]:
        for piece in space["pieces"]:
            if not piece["piece"].startswith("caravan"):
                found[field_of(space["space"])] = turned(cards()[piece["piece"]][1], piece["rotation"])
    return found


def field_of(label: str) -> Field:
    return int(label[1:]) - 1, ord(label[0]) - ord("a")


# --- random maps ------------------------------------------------------------------------------------------------------


def grow(engine: Engine, source: random.Random) -> tuple[Laid, list[int]]:
    """A map of the cross and up to 85 cards, and the cells of a state with it."""
    laid, cells = start_cross(), list(engine.game.build.first)
    names = [name for name, (group, _) in cards().items() if group > 0]
    source.shuffle(names)
    for name in names[: source.randrange(0, 86)]:
        fitting = [(field, turns) for field in beside(laid) for turns in range(4) if agrees(laid, turned(cards()[name][1], turns), field)]
        if fitting:
            field, turns = source.choice(fitting)
            engine.lay(cells, name, turns, field)
            laid[field] = turned(cards()[name][1], turns)
    return laid, cells


@pytest.fixture(scope="module")
def engine() -> Engine:
    return Engine()


def test_the_table_has_the_cross_as_it_is_laid(engine: Engine) -> None:
    assert laid_in(engine.game.new_state(seed=1)) == start_cross()


@pytest.mark.parametrize("seed", range(25))
def test_regions_of_random_maps(engine: Engine, seed: int) -> None:
    source = random.Random(seed)
    laid, cells = grow(engine, source)
    assert engine.fields("map where laid(it)", cells) == sorted(laid)
    for start in source.sample(sorted(laid), 6):
        free = engine.fields(f"free_from({place(start)})", cells)
        assert len(free) == len(set(free))
        assert set(free) == free_fields(laid, start)
    found = oases(laid)
    for oasis in found:
        for field, side in source.sample(sorted(oasis), min(3, len(oasis))):
            part = f"parts({place(field)})[{side}]"
            assert engine.sides(f"oasis({part})", cells) == sorted(oasis)
            assert engine.value(f"complete({part})", cells) == is_complete(laid, oasis)
    empty = nx.grid_2d_graph(SIZE, SIZE).subgraph(set(map_fields()) - set(laid))
    groups = engine.value("groups(map where not laid(it)) select (it select 11 * it.row + it.col)", cells)
    assert groups == tuple(sorted(tuple(sorted(11 * row + col for row, col in part)) for part in nx.connected_components(empty)))


def map_fields() -> Iterator[Field]:
    return ((row, col) for row in range(SIZE) for col in range(SIZE))


@pytest.mark.parametrize("seed", range(10))
def test_what_matches_on_random_maps(engine: Engine, seed: int) -> None:
    source = random.Random(1000 + seed)
    laid, cells = grow(engine, source)
    open_fields = beside(laid)
    for name in source.sample(sorted(cards()), 8):
        edges = cards()[name][1]
        fits = {field: [t for t in range(4) if agrees(laid, turned(edges, t), field)] for field in open_fields}
        for field in source.sample(open_fields, min(5, len(open_fields))):
            assert list(engine.value(f"0..3 where agrees({name}, it, {place(field)})", cells)) == fits[field]
        assert engine.value(f"fits_anywhere({name})", cells) == any(fits.values())


# --- random matches ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("players", "seed"), [(3, 1), (3, 2), (4, 3)])
def test_moves_of_random_matches(players: int, seed: int) -> None:
    state = gdl.load(SPEC).game(players=players).new_state(seed=seed)
    source = random.Random(seed)
    kinds: set[str] = set()
    while not state.is_terminal():
        moves = [str(move) for move in state.legal_moves()]
        if moves[0].startswith("travel"):
            kinds.add(_check_travel(state, {field_of(move[len("travel(to=") : -1]) for move in moves}))
        elif moves[0].startswith("place("):
            _check_place(state, set(moves))
        state.apply(state.random_move(source.randrange))
    assert kinds == {"dry", "with water"}


def _check_travel(state: gdl.State, fields: set[Field]) -> str:
    """With water every card can be reached, without it the free ones; and in complete oases no stone is left."""
    laid, seen = laid_in(state), state.observation(None)
    (seat,) = state.deciders()
    has_water = seen["variables"]["water"][seat] > 0
    assert fields == (set(laid) if has_water else free_fields(laid, caravan_of(state, seat)))
    stones = {(field_of(space["space"][:-2]), "nesw".index(space["space"][-1])) for space in seen["zones"]["map.part"]}
    for oasis in oases(laid):
        assert not (is_complete(laid, oasis) and oasis & stones)
    return "with water" if has_water else "dry"


def _check_place(state: gdl.State, moves: set[str]) -> None:
    """All ways to lay the card beside the caravan, those that look alike once."""
    zones, (seat,) = state.observation(None)["zones"], state.deciders()
    laid, caravan = laid_in(state), caravan_of(state, seat)
    near = [field for side in range(4) if (field := beyond(caravan, side)) is not None]
    tried = {}
    names = [piece["piece"] for space in zones["in_hand"] for piece in space["pieces"]] or [
        piece["piece"] for space in zones["display"] if space["space"] == f"display[{seat}]" for piece in space["pieces"]
    ]
    for name in names:
        edges = cards()[name][1]
        looks = {tuple(turned(edges, turns)): turns for turns in (3, 2, 1, 0)}
        found = {(field, turns) for field in near for look, turns in looks.items() if agrees(laid, list(look), field)}
        tried[name] = {f"place(at={chr(ord('a') + col)}{row + 1}, turns={turns})" for (row, col), turns in found}
    assert moves in tried.values()


def caravan_of(state: gdl.State, seat: int) -> Field:
    spaces = state.observation(None)["zones"]["map"]
    return next(field_of(s["space"]) for s in spaces if any(p["piece"] == f"caravan[{seat}, 0]" for p in s["pieces"]))


# --- the stack --------------------------------------------------------------------------------------------------------


def test_each_group_is_shuffled_by_itself_and_they_come_in_order() -> None:
    """CARAVAN-11: at every draw each card that is left of the group, and no other one, can come, each as likely."""
    state = gdl.load(SPEC).game(players=3).new_state(seed=5, explicit_chance=True)
    source = random.Random(5)
    left = {group: {name for name, (g, _) in cards().items() if g == group} for group in range(1, 6)}
    while not state.is_terminal():
        if not state.is_chance():
            state.apply(state.random_move(source.randrange))
            continue
        outcomes = state.chance_outcomes()
        texts = [str(outcome) for outcome in outcomes]
        chosen = source.randrange(len(texts))
        if texts[0].startswith("draw(stack"):
            group = min(group for group, names in left.items() if len(names) > 0)
            assert set(texts) == {f"draw(stack[{group}]) = {name}" for name in left[group]}
            assert len({outcome.weight for outcome in outcomes}) == 1
            left[group].remove(texts[chosen].split(" = ")[1])
            if len(left[group]) == 1:
                left[group] = set()
        state.apply_chance(outcomes[chosen])
    assert not any(left.values())
