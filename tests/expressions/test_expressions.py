"""Expressions and what they are: every entry of the tables in this folder, and the example of every builtin.

A table is a YAML file with a spec (`frame`), the options it is played with, and groups of entries. An entry maps an expression to what
it is: the text of an expression that has the same value, or a map with

- `value`: the same; `type`: the type as messages write it
- `error`: the code of the diagnostic, with `column N`; `warning`: the same of one that does not keep it from being evaluated
- `fault`: the code of the fault at run time
- `xfail`: why this does not work yet

`player` is the first player in all of them. Each is evaluated in the state at the start, twice: on its own, and as a function of the frame.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml
from attrs import define, evolve, field, frozen

from gdl import types
from gdl.api import Spec, loads
from gdl.check_expressions import check_expression
from gdl.check_scope import Context, Scope
from gdl.diagnostics import Diagnostic, Report
from gdl.expression_parser import parse_expression
from gdl.interpreter.builtins import BUILTINS
from gdl.interpreter.errors import GameFault
from gdl.interpreter.game import Game
from gdl.interpreter.state import State
from gdl.registry import Entry
from gdl.source import Fragment, SourceFile, Span
from gdl.typed import Local, TExpression
from gdl.validators.reference import documentation

FOLDER = Path(__file__).parent
TABLES = sorted(FOLDER.glob("*.yaml"))

SMALL_SPEC = """
gdl: 1
game: small
players: 2
zones:
  board: {grid: [8, 8], forward: [north, south]}
  ring: {track: 12, loop: true}
  path: {track: 5}
  cells: {hex: 5}
  supply: {}
  deck: {stack: true}
  map: {graph: {nodes: [harbour, village, mine], edges: [[harbour, village], [village, mine]]}}
  city: {grid: [7, 7], parts: {names: [n, e, s, w]}}
  paths: {grid: [3, 3], edges: {variables: {built: bool}}}
  box: {}
pieces:
  man: {per: player, count: 4, at: box}
  stone: {count: 3, at: box}
  tile: {attributes: {form: shape}, at: box, rows: [{name: straight, form: "##"}]}
constants:
  bar: straight.form
"""
"""The spec in which the examples of the documentation hold."""


@define(eq=False)
class Frame:
    """A spec that is set up, in which expressions are evaluated."""

    spec: Spec
    game: Game
    state: State
    player: Local = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.player = Local("player", types.PLAYER, self.context.spec.declarations.span)

    @property
    def context(self) -> Context:
        """What the checker knows of the spec."""
        return self.spec.context

    def check(self, text: str) -> tuple[TExpression | None, list[Diagnostic]]:
        """The typed expression of a text, and what is wrong with it."""
        report = Report()
        tree = parse_expression(Fragment(text, SourceFile("expression", text), 0), report)
        if tree is None:
            return None, report.sorted()
        typed = check_expression(evolve(self.context, report=report), Scope(player=self.player), tree)
        return typed, report.sorted()

    def value(self, text: str) -> Any:  # noqa: ANN401 - a value of the language is an int, a tuple of values, or a string
        """The value of a text without mistakes, for the first player."""
        typed, found = self.check(text)
        errors = [item for item in found if item.severity.value == "error"]
        assert typed is not None, text
        assert not errors, f"{text}: {errors[0].code}: {errors[0].message}"
        return self.game.evaluate(typed, self.state.cells, {self.player: 0})


def make_frame(text: str, players: int | None = None, options: Mapping[str, str | int | bool] | None = None) -> Frame:
    """A spec, set up."""
    spec = loads(text)
    game = spec.game(players, options)
    return Frame(spec, game, game.new_state(1))


# --- tables -----------------------------------------------------------------------------------------------------------


@frozen
class Row:
    """One entry of a table."""

    table: Path
    group: str
    expression: str
    wanted: Mapping[str, str]


class PlainLoader(yaml.CSafeLoader):
    """YAML in which every scalar is text, as it is in specs."""

    yaml_implicit_resolvers: dict[str, list[Any]] = {}  # noqa: RUF012 - PyYAML's way


def read_table(path: Path) -> dict[str, Any]:
    """A table as plain data, every scalar a text."""
    data: dict[str, Any] = yaml.load(path.read_text("utf-8"), PlainLoader)
    return data


def read_rows(path: Path) -> list[Row]:
    """The entries of a table."""
    data = read_table(path)
    rows: list[Row] = []
    for group, entries in data.items():
        if group in ("frame", "players", "options"):
            continue
        for expression, wanted in entries.items():
            rows.append(Row(path, group, expression, wanted if isinstance(wanted, dict) else {"value": wanted}))
    return rows


def parameters() -> list[object]:
    """A parameter for each entry."""
    result: list[object] = []
    for row in (row for table in TABLES for row in read_rows(table)):
        reason = row.wanted.get("xfail")
        marks = [pytest.mark.xfail(reason=reason, strict=True)] if reason else []
        result.append(pytest.param(row, id=f"{row.table.stem}: {row.group}: {row.expression}", marks=marks))
    return result


@pytest.fixture(scope="module")
def frames() -> dict[Path, Frame]:
    """The frames that have been made so far."""
    return {}


def frame_of(table: Path, frames: dict[Path, Frame]) -> Frame:
    """The frame of a table, made once."""
    if table not in frames:
        data = read_table(table)
        frames[table] = make_frame(data["frame"], int(data.get("players", 2)), data.get("options"))
    return frames[table]


@pytest.mark.parametrize("row", parameters())
def test_expression(row: Row, frames: dict[Path, Frame]) -> None:
    frame = frame_of(row.table, frames)
    wanted = row.wanted
    typed, found = frame.check(row.expression)
    assert [shown(item.code, item.span, wanted) for item in found if item.severity.value == "error"] == listed(wanted, "error")
    assert [shown(item.code, item.span, wanted) for item in found if item.severity.value == "warning"] == listed(wanted, "warning")
    if "error" in wanted:
        return
    assert typed is not None
    if "type" in wanted:
        assert str(typed.type) == wanted["type"]
    if "fault" in wanted:
        with pytest.raises(GameFault) as caught:
            frame.game.evaluate(typed, frame.state.cells, {frame.player: 0})
        assert caught.value.code == wanted["fault"]
    if "value" in wanted:
        expected = frame.value(wanted["value"])
        assert frame.game.evaluate(typed, frame.state.cells, {frame.player: 0}) == expected


def shown(code: str, span: Span, wanted: Mapping[str, str]) -> str:
    """A code as the entry writes it, with its column where the entry has one."""
    exact = any("column" in wanted.get(severity, "") for severity in ("error", "warning"))
    return f"{code} column {span.column}" if exact else code


def listed(wanted: Mapping[str, str], severity: str) -> list[str]:
    """What an entry says of a severity."""
    return [item.strip() for item in wanted[severity].split(";")] if severity in wanted else []


# --- the same, in a program -------------------------------------------------------------------------------------------


def evaluable(table: Path) -> list[Row]:
    """The entries of a table that have a value."""
    return [row for row in read_rows(table) if "value" in row.wanted and "xfail" not in row.wanted]


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.stem)
def test_expressions_in_functions(table: Path) -> None:
    """As the values of functions: what an engine makes of a whole spec is what it makes of one expression."""
    data = read_table(table)
    rows = [row for row in evaluable(table) if "player" not in re.findall(r"\w+", row.expression)]
    functions = {f"check_{number}()": row.expression for number, row in enumerate(rows)}
    text = data["frame"] + yaml.safe_dump({"functions": functions}, width=10_000)
    frame = make_frame(text, int(data.get("players", 2)), data.get("options"))
    wrong = [
        row.expression
        for number, row in enumerate(rows)
        if frame.value(f"check_{number}()") != frame.value(row.wanted["value"])
    ]
    assert wrong == []


# --- the examples of builtins -----------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def small() -> Frame:
    """The small spec."""
    return make_frame(SMALL_SPEC)


@pytest.mark.parametrize(
    "entry",
    [entry for overloads in BUILTINS.builtins.values() for entry in overloads],
    ids=lambda entry: entry.signature.text,
)
def test_example_of_builtin(entry: Entry, small: Frame) -> None:
    _, example = documentation(entry)
    typed, found = small.check(example)
    assert [f"{item.code}: {item.message}" for item in found] == []
    assert typed is not None
    assert typed.type == types.BOOL
    assert small.game.evaluate(typed, small.state.cells), example
