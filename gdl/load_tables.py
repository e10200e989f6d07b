"""Rows: the tables of kinds and zones, from `.csv` and `.yaml` files and from maps in the spec → `model.Row`.

What a cell says depends on the type of its column, which only the checker knows; so a text is kept as it is, and
`parse_cell_expression`, `parse_cell_block` read it once the type is known. Python's own CSV reader gives no places,
hence `read_csv`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from attrs import frozen

from gdl import ast
from gdl.diagnostics import Related, Report
from gdl.expression_parser import parse_expression, parse_name, parse_step
from gdl.load_context import Context, is_empty, shortened, wrong_form, wrong_text
from gdl.load_csv import read_csv
from gdl.load_files import Unreadable, report_unreadable
from gdl.load_steps import load_block
from gdl.load_values import load_expression
from gdl.model import Cell, Row
from gdl.source import Fragment, SourceFile, Span
from gdl.yaml_nodes import Entry, Mapping, Node, Scalar, Sequence, parse_yaml

_COLUMN = re.compile(r"[A-Za-z_][A-Za-z0-9_]*(\.[A-Za-z_][A-Za-z0-9_]*)?")
_OPENING = "([{"
_CLOSING = ")]}"


@frozen
class Columns:
    """What the loader has to know of the columns: those that hold steps, since their lists are no list literals."""

    effects: frozenset[str] = frozenset()


# --- rows -------------------------------------------------------------------------------------------------------------


def load_rows(node: Node, columns: Columns, context: Context) -> tuple[Row, ...]:
    """The rows of a list of maps."""
    if not isinstance(node, Sequence):
        wrong_form(node, "a list of rows, each a map", context)
        return ()
    return tuple(_map_row(item, None, columns, context) for item in node.items if _is_map(item, context))


def load_spaces(node: Node, columns: Columns, context: Context) -> tuple[Row, ...]:
    """The rows of `spaces:`, each with its name as key; a space without attributes may have nothing behind it."""
    result: list[Row] = []
    if not isinstance(node, Mapping):
        wrong_form(node, "a map with a space on each line", context)
        return ()
    for entry in node.entries:
        if not isinstance(entry.key, Scalar):
            wrong_form(entry.key, "the name of a space", context)
            continue
        name = parse_name(entry.key.fragment, context.report)
        if is_empty(entry.value):
            result.append(Row(entry.key.span, name, ()))
        elif _is_map(entry.value, context):
            result.append(_map_row(entry.value, name, columns, context))
    return tuple(result)


def load_table(node: Node, columns: Columns, context: Context) -> tuple[Row, ...]:
    """The rows of the file that a `table:` key names."""
    if not isinstance(node, Scalar):
        wrong_form(node, "the path of a `.csv` or `.yaml` file", context)
        return ()
    found = context.read(node.value)
    if isinstance(found, Unreadable):
        report_unreadable(found, node.span, context.report)
        return ()
    if node.value.endswith(".csv"):
        return _csv_rows(found, context)
    if node.value.endswith((".yaml", ".yml")):
        root = parse_yaml(found, context.report)
        return load_rows(root, columns, context) if root else ()
    wrong_text(node.span, "the path of a `.csv` or `.yaml` file", context)
    return ()


def _is_map(node: Node, context: Context) -> bool:
    if not isinstance(node, Mapping):
        wrong_form(node, "a row, a map of its columns", context)
    return isinstance(node, Mapping)


def _map_row(node: Node, name: ast.Name | None, columns: Columns, context: Context) -> Row:
    cells: list[tuple[ast.Name, Cell]] = []
    when: ast.Expression | None = None
    for entry in _columns_of(node, context):
        match entry.name:
            case "name" if name is None and isinstance(entry.value, Scalar):
                name = parse_name(entry.value.fragment, context.report)
            case "when":
                when = load_expression(entry.value, context)
            case column:
                assert column is not None
                cell = _cell(entry.value, column in columns.effects, context)
                cells.append((ast.Name(entry.key.span, column), cell))
    return Row(name.span if name else node.span, name, tuple(cells), when)


def _columns_of(node: Node, context: Context) -> Iterable[Entry]:
    """The entries of a row that have the name of a column; those without value are left out."""
    for entry in node.entries if isinstance(node, Mapping) else ():
        if not isinstance(entry.key, Scalar):
            wrong_form(entry.key, "the name of a column", context)
        elif _is_column(entry.key.value, entry.key.span, context) and not is_empty(entry.value):
            yield entry


def _cell(node: Node, is_effect: bool, context: Context) -> Cell:
    if isinstance(node, Scalar):
        return Cell(node.span, fragment=node.fragment, text=node.value)
    if is_effect:
        return Cell(node.span, block=load_block(node, context))
    return Cell(node.span, expression=load_expression(node, context))


def _is_column(name: str, span: Span, context: Context) -> bool:
    if _COLUMN.fullmatch(name):
        return True
    message = f"`{shortened(name)}` can't be the name of a column" if name else "a column without a name"
    separator = next((sign for sign in ";\t|" if sign in name), None)
    cure = "a name, or `attribute.symbol` for an attribute with `per`"
    if separator is not None:
        cure = "columns are separated by commas, not by " + ("tabs" if separator == "\t" else f"`{separator}`")
    context.report.error("bad-table", span, message, help=cure)
    return False


# --- CSV --------------------------------------------------------------------------------------------------------------


def _csv_rows(source: SourceFile, context: Context) -> tuple[Row, ...]:
    lines = read_csv(source, context.report)
    if not lines:
        context.report.error("empty-file", Span(source, 0, 0), "this table is empty, it needs a line with its columns")
        return ()
    header = _header(lines[0], context)
    return tuple(_csv_row(line, header, context) for line in lines[1:] if _has_width(line, len(header), context))


def _header(line: list[Fragment], context: Context) -> list[ast.Name | None]:
    """The columns; none for one whose name is wrong or has been before."""
    names: dict[str, Span] = {}
    result: list[ast.Name | None] = []
    for cell in line:
        usable = _is_column(cell.text, cell.whole, context)
        if usable and cell.text in names:
            related = (Related(names[cell.text], "first here"),)
            context.report.error(
                "bad-table", cell.whole, f"the column `{shortened(cell.text)}` stands twice", related=related
            )
            usable = False
        names.setdefault(cell.text, cell.whole)
        result.append(ast.Name(cell.whole, cell.text) if usable else None)
    return result


def _has_width(line: list[Fragment], width: int, context: Context) -> bool:
    if len(line) == width:
        return True
    span = line[0].whole.to(line[-1].whole)
    cells = f"{len(line)} cell{'' if len(line) == 1 else 's'}"
    message = f"this row has {cells}, the table {width} column{'' if width == 1 else 's'}"
    cure = "a cell with a comma stands in double quotes" if len(line) > width else "an empty cell needs its comma as well"
    context.report.error("bad-table", span, message, help=cure)
    return False


def _csv_row(line: list[Fragment], header: list[ast.Name | None], context: Context) -> Row:
    name: ast.Name | None = None
    when: ast.Expression | None = None
    cells: list[tuple[ast.Name, Cell]] = []
    for column, cell in zip(header, line, strict=True):
        if column is None or not cell.text:
            continue
        if column.name == "name":
            name = parse_name(cell, context.report)
        elif column.name == "when":
            when = parse_expression(cell, context.report) or ast.Invalid(cell.whole)
        else:
            cells.append((column, Cell(cell.whole, fragment=cell, text=cell.text)))
    is_partial = any(column is None for column in header)
    return Row(name.span if name else line[0].whole.to(line[-1].whole), name, tuple(cells), when, is_partial)


# --- cells, once their type is known ----------------------------------------------------------------------------------


def parse_cell_expression(cell: Cell, report: Report) -> ast.Expression:
    """The value of a cell."""
    if cell.fragment is not None:
        return parse_expression(cell.fragment, report) or ast.Invalid(cell.span)
    if cell.expression is not None:
        return cell.expression
    report.error("wrong-form", cell.span, "expected an expression; these are steps")
    return ast.Invalid(cell.span)


def parse_cell_block(cell: Cell, report: Report) -> ast.Block:
    """The steps of an `effect` cell: in a text they are separated by `;`."""
    if cell.block is not None:
        return cell.block
    if cell.fragment is not None:
        steps = (parse_step(part, report) for part in split_effect_cell(cell.fragment))
        return ast.Block(cell.span, tuple(step for step in steps if step is not None))
    report.error("wrong-form", cell.span, "expected steps; this is a value")
    return ast.Block(cell.span, ())


def split_effect_cell(fragment: Fragment) -> list[Fragment]:
    """The parts of a text between `;`, without those in quotes or brackets; empty parts are left out."""
    parts: list[Fragment] = []
    start, depth, quote = 0, 0, ""
    for index, character in enumerate(fragment.text):
        if quote:
            quote = "" if character == quote else quote
        elif character in "\"'":
            quote = character
        elif character in _OPENING:
            depth += 1
        elif character in _CLOSING:
            depth -= 1
        elif character == ";" and depth <= 0:
            parts.append(_trimmed(fragment, start, index))
            start = index + 1
    parts.append(_trimmed(fragment, start, len(fragment.text)))
    return [part for part in parts if part.text]


def _trimmed(fragment: Fragment, start: int, end: int) -> Fragment:
    text = fragment.text[start:end]
    lead = len(text) - len(text.lstrip())
    return fragment.part(start + lead, start + max(lead, len(text.rstrip())))
