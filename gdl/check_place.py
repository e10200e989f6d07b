"""Diagrams (`place:`): which zones, what each character means."""

from __future__ import annotations

from gdl import ast, typed, types
from gdl.check_expressions import check_expression, check_value
from gdl.check_scope import Context, Scope
from gdl.typed import KindInfo, TPlaceMeaning, ZoneInfo

EMPTY = (".", " ")


def check_place(ctx: Context, scope: Scope, step: ast.PlaceStep) -> typed.TPlace | None:
    """A diagram as a step; every character but `.` and the blank needs a meaning."""
    legend: dict[str, TPlaceMeaning] = {}
    rows = []
    for where, lines in step.rows:
        spaces = _spaces(ctx, where)
        if spaces is None:
            continue
        zone = ctx.spec.zones[spaces.zone]
        for letter, meaning in step.legend:
            checked = check_meaning(ctx, scope, zone, meaning, letter)
            if checked is not None:
                legend[letter.value] = checked
        for line in lines:
            for sign in symbols_of(line.value):
                if sign not in legend and sign not in EMPTY:
                    ctx.unknown("unknown-name", line.span, f"the diagram's `key:` has no `{sign}`", sign, legend)
                    break
        rows.append((spaces, tuple(line.value for line in lines)))
    return typed.TPlace(step.span, tuple(rows), legend)


def _spaces(ctx: Context, where: ast.Expression) -> typed.ZoneSpaces | None:
    """The spaces of a zone, or of one copy of a zone that has several."""
    if isinstance(where, ast.Name) and where.name not in ctx.spec.zones:
        ctx.unknown("unknown-name", where.span, f"no zone is called `{where.name}`", where.name, ctx.spec.zones)
        return None
    spaces = check_expression(ctx, Scope(constant=True), where)
    if not isinstance(spaces, typed.ZoneSpaces) or len(spaces.keys) < len(ctx.spec.zones[spaces.zone].per):
        if spaces.type != types.ERROR:
            ctx.report.error(
                "wrong-type",
                where.span,
                f"`{where.span.text}` is not one copy of a zone",
                help="name a zone, or whose it is, such as `players[0].city`",
            )
        return None
    return spaces


def symbols_of(line: str) -> list[str]:
    """The characters of a row: by blanks if there are any between them, else one by one."""
    return line.split() if " " in line.strip() else list(line.strip())


def check_meaning(
    ctx: Context, scope: Scope, zone: ZoneInfo, meaning: ast.Expression | tuple[ast.Assign, ...], letter: ast.Text
) -> TPlaceMeaning | None:
    """`man(white, figure=king)`, or assignments to the variables of the cell and its parts."""
    if isinstance(meaning, tuple):
        return _assignments(ctx, scope, zone, meaning, letter)
    if isinstance(meaning, ast.Name):
        meaning = ast.Call(meaning.span, meaning, ())
    kind = ctx.spec.kinds.get(meaning.function.name) if isinstance(meaning, ast.Call) and isinstance(meaning.function, ast.Name) else None
    if kind is None or not isinstance(meaning, ast.Call):
        ctx.unknown(
            "unknown-name",
            meaning.span,
            "a piece of some kind is wanted here, such as `man(white)`",
            meaning.span.text.split("(")[0],
            ctx.spec.kinds,
        )
        return None
    return _piece(ctx, scope, kind, meaning)


def _piece(ctx: Context, scope: Scope, kind: KindInfo, call: ast.Call) -> TPlaceMeaning:
    keys: list[typed.TExpression] = []
    values = []
    for argument in call.arguments:
        if argument.keyword is None:
            if len(keys) < len(kind.per):
                keys.append(check_value(ctx, scope, argument.value, kind.per[len(keys)].type))
            else:
                ctx.report.error(
                    "wrong-arguments",
                    argument.span,
                    f"`{kind.name}` has {len(kind.per)} keys; variables are given by name",
                )
            continue
        name = argument.keyword.name
        info = kind.variables.get(name) or kind.attributes.get(name)
        if info is None:
            ctx.unknown(
                "unknown-field",
                argument.keyword.span,
                f"a {kind.name} has no variable `{name}`",
                name,
                [*kind.variables, *kind.attributes],
            )
            continue
        wanted = info.domain.type if isinstance(info, typed.VariableInfo) else info.type
        values.append((info, check_value(ctx, scope, argument.value, wanted)))
    return TPlaceMeaning(call.span, kind.name, tuple(keys), tuple(values))


def _assignments(ctx: Context, scope: Scope, zone: ZoneInfo, steps: tuple[ast.Assign, ...], letter: ast.Text) -> TPlaceMeaning:
    values: list[tuple[typed.VariableInfo | typed.AttributeInfo, typed.TExpression]] = []
    parts: list[tuple[int, typed.VariableInfo, typed.TExpression]] = []
    names = [n.name for n in zone.declaration.parts.names] if zone.declaration.parts is not None else []
    for step in steps:
        target = step.target
        if isinstance(target, ast.Field) and isinstance(target.target, ast.Name) and target.target.name in names:
            part = ctx.spec.zones[f"{zone.name}.part"].variables.get(target.name)
            if part is not None:
                parts.append((names.index(target.target.name), part, check_value(ctx, scope, step.value, part.domain.type)))
                continue
        name = step.target.name if isinstance(step.target, ast.Name) else step.target.span.text
        info = zone.variables.get(name)
        if info is None:
            ctx.unknown(
                "unknown-field",
                step.target.span,
                f"a space of {zone.name} has no variable `{name}`",
                name,
                zone.variables,
            )
            continue
        values.append((info, check_value(ctx, scope, step.value, info.domain.type)))
    return TPlaceMeaning(letter.span, values=tuple(values), parts=tuple(parts))
