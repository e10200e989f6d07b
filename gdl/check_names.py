"""Bare names, fields and indices: what each means at its place."""

from __future__ import annotations

from gdl import ast, typed, types
from gdl.check_convert import coerce, unwrap
from gdl.check_scope import Context, Scope, Symbol, narrowed
from gdl.source import Span
from gdl.typed import CheckedSpec, KindInfo, TExpression, VariableInfo, ZoneInfo
from gdl.types import ERROR, INT, ListType, OptionalType, PieceType, SpaceType, TableType, Type

PIECE_FIELDS = ("at", "owner", "kind", "number", "name", "face", "value")
SPACE_FIELDS = ("owner", "index", "zone", "name")


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
    candidates = [*scope.names(), *ctx.values, *ctx.symbols, "player", "players"]
    if isinstance(expected, types.EnumType):
        candidates = [ctx.spec.symbols[n] for n in expected.symbols] + candidates
    label = "is called with brackets" if node.name in ctx.calls else "not known here"
    ctx.unknown("unknown-name", node.span, f"nothing is called `{node.name}`", node.name, candidates, label)
    return typed.Faulty(node.span, ERROR)


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
            help="use `as:`, `for: p in players`, or a phase with `turns`",
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
        case KindInfo():
            return typed.KindPieces(span, ListType(PieceType(what.members)), what.members)
        case ZoneInfo():
            return _zone(ctx, what, span, (), ())
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
        return _not_constant(ctx, span, f"the variable `{info.name}` changes during play")
    if info.per and info.per[0].form == "player":
        ctx.report.error(
            "unknown-name", span, f"`{info.name}` belongs to a player: whose?", label="one for each player",
            help=f"write `player.{info.name}`", suggestion=f"player.{info.name}",
        )  # fmt: skip
        return typed.Faulty(span, ERROR)
    return typed.VariableValue(span, _keyed(info, 0), (info,), None)


def _keyed(info: VariableInfo, given: int) -> Type:
    """The type of a variable of which `given` keys are known: a table for those that are not."""
    type_: Type = info.domain.type
    for key in reversed(info.per[given:]):
        type_ = TableType(key.type, type_)
    return type_


def _not_constant(ctx: Context, span: Span, why: str) -> TExpression:
    ctx.report.error("not-constant", span, f"a constant is wanted here, but {why}")
    return typed.Faulty(span, ERROR)


def _zone(ctx: Context, zone: ZoneInfo, span: Span, keys: tuple[TExpression, ...], indices: tuple[TExpression, ...]) -> TExpression:
    """Spaces of a zone: one where keys and indices leave only one, else a list."""
    space = SpaceType((zone.name,))
    one = len(keys) == len(zone.per) and (zone.single or bool(indices))
    return typed.ZoneSpaces(span, space if one else ListType(space), zone.name, keys, indices)


# --- fields -----------------------------------------------------------------------------------------------------------


def check_field(ctx: Context, scope: Scope, node: ast.Field) -> TExpression:
    """`target.name`."""
    qualified = _qualified_symbol(ctx, scope, node)
    if qualified is not None:
        return qualified
    target = ctx.expression(scope, node.target)
    inner = types.without_none(target.type)
    if isinstance(inner, ListType) and isinstance(inner.element, PieceType | SpaceType):
        target = coerce(ctx, target, inner.element, f"what has `.{node.name}`")
    else:
        target = unwrap(ctx, target)
    match target.type:
        case types.PLAYER:
            return _player_field(ctx, scope, node, target)
        case PieceType() as pieces:
            return _piece_field(ctx, scope, node, target, pieces)
        case SpaceType() as spaces:
            return _space_field(ctx, scope, node, target, spaces)
        case types.PlacementType() as placement:
            return _placement_field(ctx, node, target, placement)
        case types.ERROR:
            return typed.Faulty(node.span, ERROR)
    ctx.report.error("unknown-field", node.name_span, f"a {target.type} has no fields", label="has nothing inside")
    return typed.Faulty(node.span, ERROR)


def _qualified_symbol(ctx: Context, scope: Scope, node: ast.Field) -> TExpression | None:
    """`color.red`, `rooms.salon`: a symbol under the name of its enum, kind, zone or option."""
    if not isinstance(node.target, ast.Name) or scope.find(node.target.name) is not None:
        return None
    owner = node.target.name
    for symbol in ctx.symbols.get(node.name, []):
        if str(symbol.type) == owner:
            return symbol.make(node.span)
    if isinstance(ctx.values.get(owner), types.EnumType):
        enum = ctx.values[owner]
        symbols = [ctx.spec.symbols[n] for n in enum.symbols]
        if node.name in symbols:
            return typed.Constant(node.span, enum, enum.symbols[symbols.index(node.name)])
        ctx.unknown("unknown-name", node.name_span, f"`{owner}` has no symbol `{node.name}`", node.name, symbols)
        return typed.Faulty(node.span, ERROR)
    return None


def _unknown_field(ctx: Context, node: ast.Field, owner: str, candidates: list[str]) -> TExpression:
    ctx.unknown(
        "unknown-field", node.name_span, f"{owner} has no field `{node.name}`", node.name, candidates,
        f"not a field of {owner}",
    )  # fmt: skip
    return typed.Faulty(node.span, ERROR)


def player_fields(spec: CheckedSpec) -> dict[str, VariableInfo | ZoneInfo | KindInfo]:
    """What can be read from a player, by name."""
    found: dict[str, VariableInfo | ZoneInfo | KindInfo] = {}
    for table in (spec.variables, spec.zones, spec.kinds):
        for name, info in table.items():
            if info.per and info.per[0].form == "player":
                found[name] = info
    return found


def _player_field(ctx: Context, scope: Scope, node: ast.Field, target: TExpression) -> TExpression:
    if node.name == "out":
        return typed.Property(node.span, types.BOOL, "out", target)
    fields = player_fields(ctx.spec)
    match fields.get(node.name):
        case VariableInfo() as info:
            if scope.constant:
                return _not_constant(ctx, node.span, f"the variable `{info.name}` changes during play")
            return typed.VariableValue(node.span, _keyed(info, 1), (info,), None, (target,))
        case ZoneInfo() as zone:
            return _zone(ctx, zone, node.span, (target,), ())
        case KindInfo() as kind:
            return typed.KindPieces(node.span, ListType(PieceType(kind.members)), kind.members, (target,))
    return _unknown_field(ctx, node, "a player", [*fields, "out"])


def _members(ctx: Context, node: ast.Field, target: TExpression, names: tuple[str, ...]) -> TExpression | None:
    """An attribute or variable that all the kinds or zones named have alike."""
    attributes: list[typed.AttributeInfo] = []
    variables: list[VariableInfo] = []
    for name in names:
        attribute_table, variable_table = _tables(ctx, name)
        if node.name in attribute_table:
            attributes.append(attribute_table[node.name])
        elif node.name in variable_table:
            variables.append(variable_table[node.name])
        else:
            return None
    if attributes and variables:
        return _mixed(node, target, attributes, variables)
    if attributes:
        return _attribute(ctx, node, target, attributes)
    type_: Type = types.NEVER
    for info in variables:
        type_ = types.join(type_, _keyed(info, 0)) or ERROR
    return typed.VariableValue(node.span, type_, tuple(variables), target)


def _mixed(node: ast.Field, target: TExpression, attributes: list[typed.AttributeInfo], variables: list[VariableInfo]) -> TExpression:
    """A number that is fixed for some kinds and changes for others: read by whichever the piece has."""
    type_ = types.join(attributes[0].type, variables[0].domain.type) or ERROR
    kinds = tuple(a.holder.name for a in attributes)
    test = typed.KindTest(node.span, types.BOOL, target, kinds=kinds)
    return typed.Conditional(
        node.span, type_, test,
        typed.AttributeValue(node.span, attributes[0].type, tuple(attributes), target),
        typed.VariableValue(node.span, variables[0].domain.type, tuple(variables), target),
    )  # fmt: skip


def _attribute(ctx: Context, node: ast.Field, target: TExpression, infos: list[typed.AttributeInfo]) -> TExpression:
    type_: Type = types.NEVER
    for info in infos:
        own: Type = info.type if info.per is None else TableType(info.per.type, info.type)
        if isinstance(own, types.ComputedType) and not own.parameters:
            own = own.result
        type_ = types.join(type_, own) or ERROR
    arguments = () if isinstance(infos[0].type, types.ComputedType) and not infos[0].parameters else None
    return typed.AttributeValue(node.span, type_, tuple(infos), target, (), arguments)


def _tables(ctx: Context, name: str) -> tuple[dict[str, typed.AttributeInfo], dict[str, VariableInfo]]:
    if name in ctx.spec.kinds:
        return ctx.spec.kinds[name].attributes, ctx.spec.kinds[name].variables
    info = ctx.spec.zones[name]
    return info.attributes, info.variables


def _piece_field(ctx: Context, scope: Scope, node: ast.Field, target: TExpression, pieces: PieceType) -> TExpression:
    infos = [ctx.spec.kinds[k] for k in pieces.kinds]
    member = _members(ctx, node, target, pieces.kinds) if pieces.kinds else None
    if member is not None:
        changing = isinstance(member, typed.VariableValue)
        return _not_constant(ctx, node.span, f"`{node.name}` changes during play") if changing and scope.constant else member
    type_ = _piece_property(ctx, node.name, infos)
    if type_ is None:
        names = [n for k in pieces.kinds for n in (*ctx.spec.kinds[k].attributes, *ctx.spec.kinds[k].variables)]
        usable = [n for n in PIECE_FIELDS if _piece_property(ctx, n, infos) is not None]
        return _unknown_field(ctx, node, f"a {pieces}", names + usable)
    if scope.constant and node.name in ("at", "face", "value"):
        return _not_constant(ctx, node.span, f"`{node.name}` changes during play")
    return typed.Property(node.span, type_, node.name, target)


def _piece_property(ctx: Context, name: str, infos: list[KindInfo]) -> Type | None:
    """The type of a field that pieces have by themselves, or none if these have not."""
    match name:
        case "at":
            zones = tuple(z for z, info in ctx.spec.zones.items() if any(k.name in info.holds for k in infos))
            return SpaceType(zones) if zones else None
        case "owner":
            owned = [bool(k.per) and k.per[0].form == "player" for k in infos]
            return (types.PLAYER if all(owned) else types.optional(types.PLAYER)) if any(owned) else None
        case "number":
            return INT
        case "name":
            return types.TEXT if any(k.rows and any(r.name for r in k.rows) for k in infos) else None
        case "value":
            return INT if all(k.faces for k in infos) else None
        case "face":
            return _face_type(infos) if all(k.faces for k in infos) else None
    keyed = [d for k in infos for d in k.per if str(d.type) == name]
    return keyed[0].type if len(keyed) == len(infos) and keyed else None


def _face_type(infos: list[KindInfo]) -> Type:
    """Numbers if all faces are; else the symbols among them (numbers then never equal one)."""
    faces = [f for k in infos for f in (k.faces if isinstance(k.faces, tuple) else ())]
    if all(f.type == INT for f in faces):
        return INT
    return types.EnumType(f"faces of {infos[0].name}", tuple(f.value for f in faces if isinstance(f, typed.Constant)))


def _space_field(ctx: Context, scope: Scope, node: ast.Field, target: TExpression, spaces: SpaceType) -> TExpression:
    zones = tuple(ctx.spec.zones) if spaces.zones is None else spaces.zones
    member = _members(ctx, node, target, zones)
    if member is not None:
        changing = isinstance(member, typed.VariableValue)
        return _not_constant(ctx, node.span, f"`{node.name}` changes during play") if changing and scope.constant else member
    found = [_space_property(ctx, node.name, zone) for zone in zones]
    if not found or any(t is None for t in found):
        names = [n for z in zones for n in _space_names(ctx, z)]
        return _unknown_field(ctx, node, f"a space of {spaces}" if spaces.zones else "every space", names)
    type_: Type = types.NEVER
    for each in found:
        type_ = types.join(type_, each or ERROR) or ERROR
    return typed.Property(node.span, type_, node.name, target)


def _space_names(ctx: Context, zone: str) -> list[str]:
    info = ctx.spec.zones[zone]
    attributes, variables = _tables(ctx, zone)
    return [*attributes, *variables, *info.coordinates, *info.key_names, "index", "owner", "name"]


def _space_property(ctx: Context, name: str, zone: str) -> Type | None:
    info = ctx.spec.zones[zone]
    if name == "owner":
        return types.PLAYER if info.per and info.per[0].form == "player" else types.optional(types.PLAYER)
    if name == "index":
        return INT
    if name == "cell" and zone.endswith(".part"):
        return SpaceType((info.base,))
    if name in info.coordinates:
        return INT
    if name == "name" and info.rows and any(row.name for row in info.rows):
        return types.TEXT
    for key, domain in zip(info.key_names, info.per, strict=True):
        if key == name:
            return domain.type
    return None


def _placement_field(ctx: Context, node: ast.Field, target: TExpression, placement: types.PlacementType) -> TExpression:
    grids = tuple(z for z, info in ctx.spec.zones.items() if "row" in info.coordinates)
    zones = (placement.zone,) if placement.zone else grids
    found: dict[str, Type] = {
        "cells": ListType(SpaceType(zones)),
        "parts": ListType(SpaceType(tuple(f"{z}.part" for z in zones if f"{z}.part" in ctx.spec.zones))),
        "corner": SpaceType(zones),
        "turns": INT,
        "flipped": types.BOOL,
    }
    if node.name not in found:
        return _unknown_field(ctx, node, "a placement", list(found))
    return typed.Property(node.span, found[node.name], node.name, target)


# --- indices ----------------------------------------------------------------------------------------------------------


def check_index(ctx: Context, scope: Scope, node: ast.Index) -> TExpression:
    """`target[a, b]`: a zone's keys and coordinates, a kind's numbers, a variable's keys, a table's key, a list's place."""
    target = ctx.expression(scope, node.target)
    match target:
        case typed.ZoneSpaces(indices=()) if not isinstance(target.type, OptionalType):
            return _index_zone(ctx, scope, node, target)
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


def _index_zone(ctx: Context, scope: Scope, node: ast.Index, target: typed.ZoneSpaces) -> TExpression:
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
    return _zone(ctx, zone, node.span, (*target.keys, *given[: len(keys)]), given[len(keys) :])


def _index_kind(ctx: Context, scope: Scope, node: ast.Index, target: typed.KindPieces) -> TExpression:
    kind = ctx.spec.kinds[target.kinds[0]]
    piece = PieceType(target.kinds)
    if kind.each:
        wanted: list[Type] = [kind.attributes[name].type for name, _ in kind.each if name in kind.attributes]
        if len(node.arguments) == len(wanted):
            given = _arguments(ctx, scope, node, wanted, f"`{kind.name}`") or ()
            return typed.KindPieces(node.span, piece, target.kinds, target.keys, given)
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
    ctx.report.error("wrong-type", node.span, f"a {target.type} can't be read with brackets", label="no list, table or zone")
    return typed.Faulty(node.span, ERROR)
