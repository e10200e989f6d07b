"""Builtins: the example of each, text for code generation against functions, lists, numbers and players."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from typing import Any

import pytest
from attrs import frozen
from hypothesis import given
from hypothesis import strategies as st

from gdl.interpreter.builtins import BUILTINS, TOPICS
from gdl.interpreter.builtins.lists import MAX_COMBINATIONS
from gdl.interpreter.faults import RuleFault
from gdl.interpreter.geometry import Topology
from gdl.interpreter.geometry.grid import Grid
from gdl.interpreter.geometry.hex import Hex
from gdl.interpreter.geometry.track import Track
from gdl.registry import Entry, Variable, combine
from gdl.types import DIRECTION, INT, ListType, OptionalType, Type
from gdl.values import DIRECTIONS, NONE

Value = Any  # of the language: an int, or a tuple of values


@frozen
class FakeGame:
    """Zones laid out one behind the other, as a game does it."""

    zones: tuple[Topology, ...]
    players: int = 2

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


# What needs no state: pieces and what is special to the checker have tests of their own.
TESTED = combine(t for t in TOPICS if t.name in ("lists", "numbers", "players", "board", "lines", "regions")).builtins
ENTRIES = [entry for entries in TESTED.values() for entry in entries]

BOARD, RING, CELLS = range(3)
GAME = FakeGame(
    (
        Grid.build((8, 8)),
        Track.build((12,), loop=True),
        Hex.build((5,)),
    )
)


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


# --- the examples -----------------------------------------------------------------------------------------------------
# The expressions of examples happen to be Python as well, so a little of Python's own tree is enough to run them here.

NAMES: Mapping[str, Value] = {
    **{name: number for number, name in enumerate(DIRECTIONS)},
    "true": 1,
    "false": 0,
    "none": NONE,
    "players": (0, 1),
    "board": GAME.spaces(BOARD),
    "ring": GAME.spaces(RING),
    "cells": GAME.spaces(CELLS),
}
WIDTHS = {"board": 8, "cells": 5}
OPERATORS: Mapping[type, Callable[[Value, Value], Value]] = {
    ast.Eq: lambda a, b: a == b,
    ast.Gt: lambda a, b: a > b,
    ast.Mult: lambda a, b: a * b,
    ast.Sub: lambda a, b: tuple(x for x in a if x not in b) if isinstance(a, tuple) else a - b,
}


def evaluate(node: ast.expr, it: Value = None) -> Value:
    match node:
        case ast.Constant(value):
            return value
        case ast.Name(name):
            return it if name == "it" else NAMES[name]
        case ast.List(elements):
            return tuple(evaluate(each, it) for each in elements)
        case ast.UnaryOp(ast.USub(), operand):
            return -evaluate(operand, it)
        case ast.BinOp(left, operator, right) | ast.Compare(left, [operator], [right]):
            return OPERATORS[type(operator)](evaluate(left, it), evaluate(right, it))
        case ast.Subscript(ast.Name(zone), ast.Tuple([row, column])):
            return NAMES[zone][WIDTHS[zone] * evaluate(row, it) + evaluate(column, it)]
        case ast.Subscript(ast.Name(zone), index):
            return NAMES[zone][evaluate(index, it)]
        case ast.Call(ast.Name(name), arguments):
            return evaluate_call(name, arguments, it)
    raise AssertionError(ast.dump(node))


def evaluate_call(name: str, arguments: list[ast.expr], it: Value) -> Value:
    for entry in TESTED[name]:
        parameters = entry.signature.parameters
        if not entry.signature.required <= len(arguments) <= len(parameters):
            continue
        values: list[Value] = []
        for parameter, argument in zip(parameters, arguments, strict=False):
            if parameter.each:
                values.append(lambda x, body=argument: evaluate(body, x))
                continue
            values.append(evaluate(argument, it))
            if not suits(parameter.type, argument, values[-1]):
                break
        else:
            return call(entry, *values)
    raise AssertionError(f"no overload of {name} takes {len(arguments)} such arguments")


def suits(type_: Type, argument: ast.expr, value: Value) -> bool:
    if isinstance(type_, ListType) or isinstance(value, tuple):
        return isinstance(type_, ListType) and isinstance(value, tuple)
    is_direction = isinstance(argument, ast.Name) and argument.id in DIRECTIONS
    return (type_ == DIRECTION) == is_direction if type_ in (DIRECTION, INT) else True


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda e: e.signature.text)
def test_the_example_holds(entry: Entry) -> None:
    line = next(line for line in entry.doc.splitlines() if line.startswith("Example: "))
    expression = line.removeprefix("Example: ")
    assert f"{entry.name}(" in expression
    assert " == " in expression
    assert evaluate(ast.parse(expression, mode="eval").body), expression


# --- the entries as such ----------------------------------------------------------------------------------------------


def test_all_are_among_the_builtins() -> None:
    assert all(entry in BUILTINS.builtins[entry.name] for entry in ENTRIES)


def test_first_comes_the_doc_of_what_it_means() -> None:
    for entry in ENTRIES:
        assert entry.doc.splitlines()[0].endswith(".")


def test_only_what_depends_on_spaces_or_players_takes_the_game() -> None:
    assert not any(entry.wants_state for entry in ENTRIES)
    assert all(not entry.wants_game for entry in ENTRIES if entry.topic in ("lists", "numbers"))


def test_results_that_may_be_missing_say_so() -> None:
    soft = {e.name for e in ENTRIES if isinstance(e.signature.result, OptionalType) and e.signature.result.soft}
    assert soft == {"min", "max", "first", "last", "sole", "position", "step", "distance", "direction"}


def test_type_variables_are_known_ones() -> None:
    for entry in ENTRIES:
        for parameter in entry.signature.parameters:
            if isinstance(parameter.type, Variable):
                assert parameter.type.name in "STU"


# --- text for code generation -----------------------------------------------------------------------------------------

BODIES = {"cond": "it % 3 > 1", "e": "it % 5"}
EMITTING = [entry for entry in ENTRIES if entry.emit]


def emitted(entry: Entry, arguments: Mapping[str, str]) -> str:
    assert entry.emit is not None
    text = entry.emit.replace("{each}", "for it in ({xs})")
    for name, argument in arguments.items():
        assert text.count(f"{{{name}}}") == 1, f"{entry.signature}: a hole that is not filled once"
        text = text.replace(f"{{{name}}}", argument)
    assert "{" not in text
    return text


@given(data=st.data())
@pytest.mark.parametrize("entry", EMITTING, ids=lambda e: e.signature.text)
def test_emitted_text_does_what_the_function_does(entry: Entry, data: st.DataObject) -> None:
    texts: dict[str, str] = {}
    values: list[Value] = []
    for parameter in entry.signature.parameters:
        if parameter.each:
            texts[parameter.name] = BODIES[parameter.name]
            values.append(eval(f"lambda it: {BODIES[parameter.name]}"))  # a constant of this module
        elif isinstance(parameter.type, ListType):
            value = tuple(data.draw(st.lists(st.integers(-9, 9))))
            texts[parameter.name] = f"{value} if 1 else ()"  # as loose as an expression gets
            values.append(value)
        else:
            number = data.draw(st.integers(-9, 9))
            texts[parameter.name] = f"{number} if 1 else 0"
            values.append(number)
    assert eval(emitted(entry, texts)) == call(entry, *values)


# --- lists ------------------------------------------------------------------------------------------------------------

numbers = st.lists(st.integers(-9, 9)).map(tuple)


def test_of_nothing_there_is_none() -> None:
    for name in ("first", "last", "sole"):
        assert use(name, "list[T]")(()) == NONE
    for name in ("min", "max"):
        assert use(name, "list[int]")(()) == NONE
        assert use(name, "list[T]", "int")((), abs) == NONE
    assert use("position")(1, ()) == NONE
    assert use("best")((), abs) == use("worst")((), abs) == ()
    assert use("sum", "list[int]")(()) == use("sum", "list[T]", "int")((), abs) == 0


@given(numbers, st.integers(-3, 12))
def test_first_and_last_few(xs: tuple[int, ...], n: int) -> None:
    kept = max(n, 0)
    assert use("first", "list[T]", "int")(xs, n) == xs[:kept] == use("take")(xs, n)
    assert use("last", "list[T]", "int")(xs, n) == xs[max(len(xs) - kept, 0) :]


def test_sole_of_several_is_a_fault() -> None:
    with pytest.raises(RuleFault, match="there are 2") as caught:
        use("sole")((3, 4))
    assert caught.value.code == "fault-many"
    assert caught.value.message.startswith("`sole` expects one element")


@given(numbers)
def test_best_and_worst_keep_order_and_ties(xs: tuple[int, ...]) -> None:
    best, worst = use("best")(xs, lambda x: x % 4), use("worst")(xs, lambda x: x % 4)
    assert best == tuple(x for x in xs if x % 4 == max(y % 4 for y in xs))
    assert worst == tuple(x for x in xs if x % 4 == min(y % 4 for y in xs))


@given(numbers, st.integers(-9, 9))
def test_rank_leaves_places_out_after_ties(xs: tuple[int, ...], x: int) -> None:
    assert use("rank")(x, xs, lambda y: y // 2) == 1 + sum(y // 2 > x // 2 for y in xs)


@given(numbers)
def test_unique_keeps_first_appearances(xs: tuple[int, ...]) -> None:
    assert use("unique", "list[T]")(xs) == tuple(x for i, x in enumerate(xs) if x not in xs[:i])
    assert use("unique", "list[T]", "U")(xs, abs) == tuple(
        x for i, x in enumerate(xs) if abs(x) not in map(abs, xs[:i])
    )
    assert use("distinct", "list[T]", "U")(xs, abs) == len(use("unique", "list[T]", "U")(xs, abs))


def test_unique_compares_lists_too() -> None:
    assert use("unique", "list[T]")(((1, 2), (2, 1), (1, 2))) == ((1, 2), (2, 1))


def test_conditions_are_tested_up_to_the_answer() -> None:
    seen: list[int] = []

    def note(x: int) -> bool:
        seen.append(x)
        return x > 1

    assert use("any", "list[T]", "bool")((1, 2, 3), note)
    assert not use("all", "list[T]", "bool")((2, 1, 3), note)
    assert seen == [1, 2, 2, 1]


def test_combinations() -> None:
    combinations = use("combinations")
    assert combinations((3, 4), 0) == ((),)
    assert combinations((3, 4), 3) == combinations((3, 4), -1) == ()
    with pytest.raises(RuleFault, match="more than 20,000"):
        combinations(tuple(range(52)), 5)
    assert len(combinations(tuple(range(200)), 2)) == 19_900 < MAX_COMBINATIONS


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda e: e.signature.text)
def test_lists_are_tuples(entry: Entry) -> None:
    if not isinstance(entry.signature.result, ListType) or entry.wants_game:
        return
    values: dict[str, Any] = {"xs": (2, 3), "xss": ((2,), (3,)), "n": 1, "starts": (2,)}
    arguments = [values.get(p.name, lambda x: (x,)) for p in entry.signature.parameters]
    assert isinstance(call(entry, *arguments), tuple)


# --- numbers and players ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("n", "text"), [(0, "a"), (25, "z"), (26, "aa"), (51, "az"), (52, "ba"), (701, "zz"), (702, "aaa")]
)
def test_letter(n: int, text: str) -> None:
    assert use("letter")(n) == text


def test_there_is_no_letter_before_a() -> None:
    with pytest.raises(RuleFault, match="letter number -1"):
        use("letter")(-1)


def test_clamp() -> None:
    clamp = use("clamp")
    assert [clamp(x, 0, 10) for x in (-3, 4, 12)] == [0, 4, 10]
    assert clamp(5, 10, 0) == 10


def test_players_in_a_circle() -> None:
    game = FakeGame((), players=4)
    assert [on(game, "next")(p) for p in range(4)] == [1, 2, 3, 0]
    assert [on(game, "previous")(p) for p in range(4)] == [3, 0, 1, 2]
    assert on(game, "seats_from")(2) == (2, 3, 0, 1)
    assert on(game, "opponents")(2) == (0, 1, 3)


def test_the_opponent_is_one_of_two() -> None:
    assert [use("opponent")(p) for p in range(2)] == [1, 0]
    with pytest.raises(RuleFault, match="game of 3"):
        on(FakeGame((), players=3), "opponent")(0)
