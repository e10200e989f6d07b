"""Rows of tables, `rows:` and `spaces:`: each cell against its column's type, in its place."""

from __future__ import annotations

from attrs import define

from gdl import ast, load_tables, model, typed, types
from gdl.check_scope import Context, Scope
from gdl.diagnostics import Related
from gdl.source import Span
from gdl.typed import AttributeInfo, KindInfo, Local, RowInfo, VariableInfo
from gdl.types import BOOL, INT, EnumType

_MOST_SHOWN = 10


def check_rows(
    ctx: Context,
    rows: tuple[model.Row, ...],
    attributes: dict[str, AttributeInfo],
    variables: dict[str, VariableInfo],
    this: Local,
    kind: KindInfo | None,
    coordinates: tuple[str, ...] = (),
) -> tuple[RowInfo, ...]:
    """All rows; a column that is neither an attribute nor a variable nor special is an error at its name, once.

    `coordinates`: the columns that say which space a row is about, for a zone with a geometry.
    """
    checker = _Rows(ctx, attributes, variables, this, kind, coordinates, set())
    found = tuple(checker.row(row) for row in rows)
    if coordinates:
        _check_places(ctx, found, coordinates)
    return found


def _check_places(ctx: Context, rows: tuple[RowInfo, ...], coordinates: tuple[str, ...]) -> None:
    """Two rows about one space; of those with `when` perhaps only one is there."""
    first: dict[tuple[object, ...], Span] = {}
    for row in rows:
        places = [row.place.get(name) for name in coordinates]
        if row.when is not None or not all(isinstance(place, typed.Constant) for place in places):
            continue
        key = tuple(place.value for place in places if isinstance(place, typed.Constant))
        if key in first:
            message = f"two rows are about the space [{', '.join(str(number) for number in key)}]"
            ctx.report.error("duplicate-name", row.span, message, related=(Related(first[key], "the first one"),))
        first.setdefault(key, row.span)


@define(eq=False)
class _Rows:
    ctx: Context
    attributes: dict[str, AttributeInfo]
    variables: dict[str, VariableInfo]
    this: Local
    kind: KindInfo | None
    coordinates: tuple[str, ...]
    complained: set[tuple[str, int]]

    def row(self, row: model.Row) -> RowInfo:
        info = RowInfo(row.name.name if row.name is not None else "", row.span)
        if row.when is not None:
            info.when = self.ctx.value(Scope(constant=True), row.when, BOOL, "`when`")
        for column, cell in row.cells:
            self._cell(info, column, cell)
        for name, attribute in self.attributes.items() if not self._has_strange_column(row) else ():
            missing = name not in info.values and name not in info.effects and attribute.per is None
            if missing and attribute.default is None and not _has_default(attribute.type):
                self.ctx.report.error(
                    "missing-key",
                    row.span,
                    f"this row has no `{name}`",
                    help=f"give a value, or a default: `{name}: {attribute.type} = …`",
                )
        return info

    def _has_strange_column(self, row: model.Row) -> bool:
        """Whether a column is reported, which may be what seems to be missing."""
        return row.is_partial or any((column.span.source.name, column.span.start) in self.complained for column, _ in row.cells)

    def _cell(self, info: RowInfo, column: ast.Name, cell: model.Cell) -> None:
        name, _, symbol = column.name.partition(".")
        if column.name == "copies" and self.kind is not None:
            info.copies = self._value(cell, INT)
        elif column.name == "at" and self.kind is not None:
            info.at = self._value(cell, types.SPACE)
        elif column.name in self.coordinates:
            info.place[column.name] = self._value(cell, INT)
        elif name in self.attributes:
            self._attribute(info, column, self.attributes[name], symbol, cell)
        elif column.name in self.variables:
            info.starts[column.name] = self._value(cell, self.variables[column.name].domain.type)
        elif self._is_new(column.span):
            candidates = [*self.attributes, *self.variables, *self.coordinates, "copies", "at", "name"]
            place = _part(column, 0, len(name))
            known = "the columns are " + ", ".join(f"`{each}`" for each in candidates[:_MOST_SHOWN])
            message = f"no attribute or variable is called `{name}`"
            self.ctx.unknown("unknown-field", place, message, name, candidates, "not a column", known)

    def _attribute(self, info: RowInfo, column: ast.Name, attribute: AttributeInfo, symbol: str, cell: model.Cell) -> None:
        if attribute.per is not None and symbol:
            self._keyed(info, column, attribute, symbol, cell)
            return
        if attribute.per is not None or symbol:
            self._wrong_column(column, attribute, symbol)
            return
        if attribute.type == types.EFFECT:
            self._effect(info, attribute, cell)
            return
        if isinstance(attribute.type, types.ComputedType):
            scope = Scope().child(self.this, *attribute.parameters)
            expression = load_tables.parse_cell_expression(cell, self.ctx.report)
            info.values[attribute.name] = self.ctx.value(scope, expression, attribute.type.result, f"`{attribute.name}`")
            return
        info.values[attribute.name] = self._value(cell, attribute.type)

    def _keyed(self, info: RowInfo, column: ast.Name, attribute: AttributeInfo, symbol: str, cell: model.Cell) -> None:
        per = attribute.per.type if attribute.per is not None else None
        names = [self.ctx.spec.symbols[n] for n in per.symbols] if isinstance(per, EnumType) else []
        if names and symbol not in names:
            place = _part(column, len(attribute.name) + 1, len(column.name))
            if self._is_new(place):
                self.ctx.unknown("unknown-name", place, f"`{attribute.name}` has no `{symbol}`", symbol, names)
            return
        info.values[column.name] = self._value(cell, attribute.type)

    def _wrong_column(self, column: ast.Name, attribute: AttributeInfo, symbol: str) -> None:
        """A column without a key for an attribute with `per`, or with one for another."""
        if self._is_new(column.span):
            name = attribute.name
            message, cure = f"`{name}` has a value for each key of its `per`", f"give them one by one: `{name}.key`"
            if symbol:
                message, cure = f"`{name}` has no `per`, so there is no `{name}.{symbol}`", f"write `{name}`, or give the attribute a `per`"
            self.ctx.report.error("unknown-field", column.span, message, help=cure)

    def _is_new(self, place: Span) -> bool:
        """Whether nothing was said of a column yet, which comes again in every row."""
        key = (place.source.name, place.start)
        fresh = key not in self.complained
        self.complained.add(key)
        return fresh

    def _effect(self, info: RowInfo, attribute: AttributeInfo, cell: model.Cell) -> None:
        block = load_tables.parse_cell_block(cell, self.ctx.report)
        unit = typed.Unit("effect", f"{attribute.name} of {info.name or 'a row'}", cell.span)
        unit.player = Local("player", types.PLAYER, cell.span)
        scope = Scope(player=unit.player, unit=unit).child(self.this)
        unit.parameters = (self.this,)
        unit.body = self.ctx.block(scope, block)
        info.effects[attribute.name] = unit

    def _value(self, cell: model.Cell, wanted: types.Type) -> typed.TExpression:
        if wanted in (types.TEXT, types.SHAPE) and cell.fragment is not None:
            return typed.Constant(cell.span, wanted, cell.text)
        expression = load_tables.parse_cell_expression(cell, self.ctx.report)
        scope = Scope(constant=True).child(self.this)
        if wanted == types.SPACE:
            return self.ctx.expression(scope, expression, wanted)
        return self.ctx.value(scope, expression, wanted)


def _has_default(type_: types.Type) -> bool:
    return (
        isinstance(type_, types.OptionalType)
        or type_ == types.EFFECT
        or (isinstance(type_, types.ComputedType) and isinstance(type_.result, types.OptionalType))
    )


def _part(column: ast.Name, start: int, end: int) -> Span:
    """A part of a column's name, or all of it where it is not written plainly."""
    span = column.span
    return Span(span.source, span.start + start, span.start + end) if span.text == column.name else span
