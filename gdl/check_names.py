"""Bare names, fields and indices: what each means at its place."""

from __future__ import annotations

from itertools import chain

from gdl import ast, typed, types
from gdl.check_convert import unwrap, with_article
from gdl.check_scope import MOST_HINTS, PREDECLARED, Context, Scope, Symbol, narrowed
from gdl.diagnostics import did_you_mean, nearest
from gdl.source import Span
from gdl.typed import KindInfo, TExpression, VariableInfo, ZoneInfo
from gdl.types import BOOL, ERROR, INT, ListType, OptionalType, PieceType, SpaceType, TableType, Type

_GROUPS = (KindInfo, ZoneInfo, types.EnumType)
"""What is declared under a name that stands for spaces, pieces or a list; never for one number, truth or word."""


def check_name(ctx: Context, scope: Scope, node: ast.Name, expected: Type | None) -> TExpression:
    """A local, else a symbol of the expected type, else a value, else the only symbol of that name."""
    local = scope.find(node.name)
    if local is not None:
        return typed.LocalValue(node.span, local.type, local)
    if node.name == "player":
        return _acting_player(ctx, scope, node.span)
    symbols = ctx.symbols.get(node.name, [])
    if expected is not None:
        wanted = types.without_none(expected)
        fitting = [s for s in symbols if types.fits(s.type, wanted) and wanted != ERROR]
        if fitting:
            return fitting[0].make(node.span)
    if node.name in ctx.values:
        return _value(ctx, scope, node)
    return _symbol_alone(ctx, scope, node, symbols, expected)


def _symbol_alone(ctx: Context, scope: Scope, node: ast.Name, symbols: list[Symbol], expected: Type | None) -> TExpression:
    if len(symbols) == 1:
        return symbols[0].make(node.span)
    if symbols:
        options = " or ".join(f"`{s.type}.{s.name}`" for s in symbols)
        ctx.report.error("ambiguous-name", node.span, f"`{node.name}` could be {options}", help=f"write {options}")
        return typed.Faulty(node.span, ERROR)
    if scope.constant and any(variable.name == node.name for variable in ctx.spec.declarations.variables):
        return not_constant(ctx, node.span, f"the variable `{node.name}` changes during play")
    if node.name in ctx.calls:
        ctx.report.error(
            "unknown-name", node.span, f"`{node.name}` has no value without its arguments", label="is called with brackets",
            help=f"write `{node.name}(…)`",
        )  # fmt: skip
        return typed.Faulty(node.span, ERROR)
    if node.name == "it" and (element := scope.chosen()) is not None:
        cure = f"the nearest name here is `{element}`"
        ctx.report.error("unknown-name", node.span, "nothing is called `it`", label="not known here", help=cure, suggestion=element)
        return typed.Faulty(node.span, ERROR)
    fitting = _fitting(ctx, scope, expected)
    values = [name for name, what in ctx.values.items() if fitting is None or not isinstance(what, _GROUPS)]
    candidates = chain(scope.words, scope.names(), values, ctx.symbols, ("player", "players"))
    if isinstance(expected, types.EnumType):
        candidates = chain((ctx.spec.symbols[n] for n in expected.symbols), candidates)
    possible = ", ".join(f"`{word}`" for word in scope.words)
    cure = f"possible are {possible} and expressions" if possible else ""
    message = f"nothing is called `{node.name}`"
    ctx.unknown("unknown-name", node.span, message, node.name, candidates, "not known here", cure, fitting)
    return typed.Faulty(node.span, ERROR)


def names_nothing(ctx: Context, scope: Scope, step: ast.Assign) -> bool:
    """Whether a step gives a value to a bare name that nothing has, nor anything alike."""
    name = step.target.name if isinstance(step.target, ast.Name) and step.operator == "=" else ""
    names = (ctx.values, ctx.symbols, ctx.calls, PREDECLARED)
    if not name or scope.find(name) is not None or any(name in each for each in names) or ctx.hints_given >= MOST_HINTS:
        return False
    return not nearest(name, (*scope.names(), *(known for each in names for known in each)))


def _fitting(ctx: Context, scope: Scope, expected: Type | None) -> list[str] | None:
    """The names that may stand alone where a number, a truth or a word is wanted; none if something else is, or it is not known what."""
    wanted = types.without_none(expected) if expected is not None else None
    if wanted not in (INT, BOOL) and not isinstance(wanted, types.EnumType):
        return None
    assert wanted is not None
    words = [ctx.spec.symbols[n] for n in wanted.symbols] if isinstance(wanted, types.EnumType) else []
    symbols = [name for name, found in ctx.symbols.items() if any(types.fits(symbol.type, wanted) for symbol in found)]
    locals_ = [name for name in scope.names() if (local := scope.find(name)) is not None and types.fits(local.type, wanted)]
    return [*scope.words, *words, *symbols, *locals_, *(name for name, what in ctx.values.items() if _may_be(what, wanted))]


def _may_be(what: object, wanted: Type) -> bool:
    """Whether a declared name may stand for a value of a type."""
    match what:
        case VariableInfo():
            return bool(what.per) or types.fits(what.domain.type, wanted)
        case typed.OptionInfo():
            return types.fits(what.type, wanted)
    return not isinstance(what, _GROUPS)


def report_no_variable(ctx: Context, node: ast.Expression, target: TExpression) -> None:
    """Report the left side of an assignment that is none; for a field the variable that is called alike is suggested."""
    match target:
        case typed.ZoneSpaces():
            what = f"`{node.span.text}` names a place: only variables can be given a value"
        case typed.KindPieces():
            what = f"`{node.span.text}` names pieces: only variables can be given a value"
        case _:
            what = f"`{node.span.text}` can't be given a value: only variables can"
    cure = "pieces are moved: `move(piece, space)`" if isinstance(target, typed.Property) else ""
    near = nearest(node.name, [each.name for each in ctx.spec.declarations.variables])[:1] if isinstance(node, ast.Field) else []
    suggestion = f"{node.span.text[: node.name_span.start - node.span.start]}{near[0]}" if near and isinstance(node, ast.Field) else None
    help_ = did_you_mean([suggestion] if suggestion else [], cure)
    ctx.report.error("not-assignable", node.span, what, help=help_, suggestion=suggestion)


def _acting_player(ctx: Context, scope: Scope, span: Span) -> TExpression:
    if scope.player is not None:
        if scope.unit is not None and scope.player is scope.unit.player:
            scope.unit.needs_player = True
            ctx.player_uses.append((scope.unit, span))
        return typed.LocalValue(span, types.PLAYER, scope.player)
    if scope.pure:
        ctx.report.error("no-player", span, "a function does not see `player`", help="take it as a parameter: `(p: player)`")
    else:
        ctx.report.error(
            "no-player",
            span,
            "nobody is acting here, so there is no `player`",
            help="use `as:`, `for: p in players`, a phase with `turns`, or in a condition `any(players, …)`",
        )
    return typed.Faulty(span, ERROR)


def _value(ctx: Context, scope: Scope, node: ast.Name) -> TExpression:
    """What a declared name stands for."""
    what, span = ctx.values[node.name], node.span
    match what:
        case TExpression():
            return typed.evolve_span(what, span)
        case VariableInfo():
            return _variable(ctx, scope, what, span)
        case KindInfo(members=()):  # a union of kinds that there are not, which is reported
            return typed.Faulty(span, ERROR)
        case KindInfo():
            return typed.KindPieces(span, ListType(PieceType(what.members)), what.members)
        case ZoneInfo():
            return zone_spaces(ctx, what, span, (), ())
        case typed.OptionInfo():
            return typed.OptionValue(span, what.type, node.name)
        case types.EnumType():
            return typed.Constant(span, ListType(what), what.symbols)
        case ast.Expression():
            return _constant(ctx, scope, node)
    ctx.report.error("wrong-type", span, f"`{node.name}` is no value", label="can't be read")
    return typed.Faulty(span, ERROR)


def _constant(ctx: Context, scope: Scope, node: ast.Name) -> TExpression:
    value = ctx.rules.constant(ctx, node.name, node.span)
    return typed.NamedConstant(node.span, value.type, node.name)


def _variable(ctx: Context, scope: Scope, info: VariableInfo, span: Span) -> TExpression:
    if scope.constant:
        return not_constant(ctx, span, f"the variable `{info.name}` changes during play")
    if info.per and info.per[0].form == "player":
        owner = scope.nearest_player()
        ctx.report.error(
            "unknown-name", span, f"`{info.name}` belongs to a player: whose?", label="one for each player",
            help=f"write `{owner}.{info.name}`", suggestion=f"{owner}.{info.name}", certain=False,
        )  # fmt: skip
        return typed.Faulty(span, ERROR)
    return typed.VariableValue(span, keyed_type(info, 0), (info,), None)


def keyed_type(info: VariableInfo, given: int) -> Type:
    """The type of a variable of which `given` keys are known: a table for those that are not."""
    type_: Type = info.domain.type
    for key in reversed(info.per[given:]):
        type_ = TableType(key.type, type_)
    return type_


def not_constant(ctx: Context, span: Span, why: str) -> TExpression:
    """Report something that changes where a constant is wanted."""
    ctx.report.error("not-constant", span, f"a constant is wanted here, but {why}")
    return typed.Faulty(span, ERROR)


def zone_spaces(ctx: Context, zone: ZoneInfo, span: Span, keys: tuple[TExpression, ...], indices: tuple[TExpression, ...]) -> TExpression:
    """Spaces of a zone: one where keys and indices leave only one, else a list."""
    space = SpaceType((zone.name,))
    one = len(keys) == len(zone.per) and (zone.single or bool(indices))
    return typed.ZoneSpaces(span, space if one else ListType(space), zone.name, keys, indices)


# --- indices ----------------------------------------------------------------------------------------------------------


def check_index(ctx: Context, scope: Scope, node: ast.Index) -> TExpression:
    """`target[a, b]`: a zone's keys and coordinates, a kind's numbers, a variable's keys, a table's key, a list's place."""
    target = ctx.expression(scope, node.target)
    match target:
        case typed.ZoneSpaces(indices=()) if not isinstance(target.type, OptionalType):
            return _indexzone_spaces(ctx, scope, node, target)
        case typed.KindPieces(indices=()):
            return _index_kind(ctx, scope, node, target)
        case typed.VariableValue(type=TableType()) | typed.AttributeValue(type=TableType()):
            return _index_variable(ctx, scope, node, target)
    return _index_value(ctx, scope, node, target)


def _arguments(ctx: Context, scope: Scope, node: ast.Index, wanted: list[Type], what: str) -> tuple[TExpression, ...] | None:
    if len(node.arguments) > len(wanted):
        ctx.report.error(
            "wrong-arguments",
            node.span,
            f"{what}: at most {len(wanted)} between the brackets, not {len(node.arguments)}",
        )
        return None
    return tuple(_index_argument(ctx, scope, argument, type_) for argument, type_ in zip(node.arguments, wanted, strict=False))


def _index_argument(ctx: Context, scope: Scope, node: ast.Expression, wanted: Type) -> TExpression:
    """A key or coordinate. A player may be written as the seat's number, as moves print it: `guest[0, 2]`."""
    if wanted == types.PLAYER and isinstance(node, ast.Number):
        return typed.Constant(node.span, types.PLAYER, node.value)
    return ctx.value(scope, node, wanted, "this index")


def _indexzone_spaces(ctx: Context, scope: Scope, node: ast.Index, target: typed.ZoneSpaces) -> TExpression:
    zone = ctx.spec.zones[target.zone]
    keys: list[Type] = [d.type for d in zone.per[len(target.keys) :]]
    places: list[Type] = [] if zone.single else [INT] * max(1, len(zone.coordinates))
    given = _arguments(ctx, scope, node, keys + places, f"`{zone.name}`")
    if given is None:
        return typed.Faulty(node.span, ERROR)
    if len(given) not in (len(keys), len(keys) + len(places)):
        ctx.report.error(
            "wrong-arguments", node.span,
            f"`{zone.name}` takes {len(keys)} keys and {len(places)} coordinates between the brackets, not {len(given)}",
        )  # fmt: skip
        return typed.Faulty(node.span, ERROR)
    return zone_spaces(ctx, zone, node.span, (*target.keys, *given[: len(keys)]), given[len(keys) :])


def _index_kind(ctx: Context, scope: Scope, node: ast.Index, target: typed.KindPieces) -> TExpression:
    kind = ctx.spec.kinds[target.kinds[0]]
    piece = PieceType(target.kinds)
    if kind.each:
        values = [kind.attributes[name].type for name, _ in kind.each if name in kind.attributes]
        owners: list[Type] = [d.type for d in kind.per[len(target.keys) :]]
        by_number = len(values) == 1 and values[0] != INT and isinstance(node.arguments[-1], ast.Number)
        wanted = [*owners, *values]
        copies: list[Type] = [INT] if kind.declaration.count is not None and len(node.arguments) == len(wanted) + 1 else []
        if copies or (len(node.arguments) == len(wanted) and not by_number):
            given = _arguments(ctx, scope, node, [*wanted, *copies], f"`{kind.name}`") or ()
            return typed.KindPieces(
                node.span, piece, target.kinds, (*target.keys, *given[: len(owners)]), given[len(owners) :], by_values=True
            )
    keys: list[Type] = [d.type for d in kind.per[len(target.keys) :]]
    given_or_none = _arguments(ctx, scope, node, [*keys, INT], f"`{kind.name}`")
    if given_or_none is None:
        return typed.Faulty(node.span, ERROR)
    if len(given_or_none) == len(keys) and keys:
        return typed.KindPieces(node.span, ListType(piece), target.kinds, given_or_none)
    return typed.KindPieces(node.span, piece, target.kinds, (*target.keys, *given_or_none[: len(keys)]), given_or_none[len(keys) :])


def _index_variable(ctx: Context, scope: Scope, node: ast.Index, target: typed.VariableValue | typed.AttributeValue) -> TExpression:
    type_: Type = target.type
    wanted: list[Type] = []
    while isinstance(type_, TableType) and len(wanted) < len(node.arguments):
        wanted.append(type_.key)
        type_ = type_.value
    given = _arguments(ctx, scope, node, wanted, "this")
    if given is None:
        return typed.Faulty(node.span, ERROR)
    if isinstance(target, typed.AttributeValue):
        return typed.AttributeValue(node.span, type_, target.infos, target.target, (*target.keys, *given))
    return narrowed(scope, typed.VariableValue(node.span, type_, target.infos, target.target, (*target.keys, *given)))


def _index_value(ctx: Context, scope: Scope, node: ast.Index, target: TExpression) -> TExpression:
    target = unwrap(ctx, target)
    match target.type:
        case TableType(key=key, value=value):
            given = _arguments(ctx, scope, node, [key], "a table")
            if given is None:
                return typed.Faulty(node.span, ERROR)
            return typed.Lookup(node.span, types.optional(value, soft=True), target, given[0])
        case ListType(element=element):
            given = _arguments(ctx, scope, node, [INT], "a list")
            if given is None:
                return typed.Faulty(node.span, ERROR)
            return typed.Element(node.span, element, target, given[0])
        case types.ERROR:
            return typed.Faulty(node.span, ERROR)
    ctx.report.error("wrong-type", node.span, f"{with_article(target.type)} can't be read with brackets", label="no list, table or zone")
    return typed.Faulty(node.span, ERROR)
