"""Fields: `target.name` of players, pieces, spaces and placements."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from gdl import ast, typed, types
from gdl.check_convert import coerce, unwrap, with_article
from gdl.check_names import keyed_type, not_constant, zone_spaces
from gdl.check_scope import Context, Scope
from gdl.typed import CheckedSpec, KindInfo, TExpression, VariableInfo, ZoneInfo
from gdl.types import ERROR, INT, ListType, PieceType, SpaceType, TableType, Type

PIECE_FIELDS = ("at", "owner", "kind", "number", "name", "face", "value")


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
    _report_no_fields(ctx, node, target.type)
    return typed.Faulty(node.span, ERROR)


def _report_no_fields(ctx: Context, node: ast.Field, type_: Type) -> None:
    """A field of what has none; an empty list, and what is taken from one, may be of anything, and is never there."""
    element = type_
    while isinstance(element, ListType):
        element = element.element
    message = f"{with_article(type_)} has no fields"
    if element == types.NEVER:
        what = "an empty list holds nothing" if type_ != element else "what is taken from an empty list is never there"
        message = f"{what}, so there is no `.{node.name}`"
    ctx.report.error("unknown-field", node.name_span, message, label="has nothing inside")


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


Owned: TypeAlias = VariableInfo | ZoneInfo | KindInfo


def player_fields(spec: CheckedSpec) -> dict[str, Owned]:
    """What can be read from a player, by name."""
    return {name: info for table in _owned_tables(spec) for name, info in table.items() if _is_owned(info)}


def _owned_tables(spec: CheckedSpec) -> tuple[Mapping[str, Owned], ...]:
    return spec.variables, spec.zones, spec.kinds


def _is_owned(info: Owned) -> bool:
    return bool(info.per) and info.per[0].form == "player"


def _player_field(ctx: Context, scope: Scope, node: ast.Field, target: TExpression) -> TExpression:
    if node.name == "out":
        return typed.Property(node.span, types.BOOL, "out", target)
    named = [table[node.name] for table in _owned_tables(ctx.spec) if node.name in table]
    match next((info for info in reversed(named) if _is_owned(info)), None):
        case VariableInfo() as info:
            if scope.constant:
                return not_constant(ctx, node.span, f"the variable `{info.name}` changes during play")
            return typed.VariableValue(node.span, keyed_type(info, 1), (info,), None, (target,))
        case ZoneInfo() as zone:
            return zone_spaces(ctx, zone, node.span, (target,), ())
        case KindInfo(members=()):
            return typed.Faulty(node.span, ERROR)
        case KindInfo() as kind:
            return typed.KindPieces(node.span, ListType(PieceType(kind.members)), kind.members, (target,))
    return _unknown_field(ctx, node, "a player", [*player_fields(ctx.spec), "out"])


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
        type_ = types.join(type_, keyed_type(info, 0)) or ERROR
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
        return not_constant(ctx, node.span, f"`{node.name}` changes during play") if changing and scope.constant else member
    type_ = _piece_property(ctx, node.name, infos)
    if type_ is None:
        names = [n for k in pieces.kinds for n in (*ctx.spec.kinds[k].attributes, *ctx.spec.kinds[k].variables)]
        usable = [n for n in PIECE_FIELDS if _piece_property(ctx, n, infos) is not None]
        return _unknown_field(ctx, node, f"a {pieces}", names + usable)
    if scope.constant and node.name in ("at", "face", "value"):
        return not_constant(ctx, node.span, f"`{node.name}` changes during play")
    return typed.Property(node.span, type_, node.name, target)


def _piece_property(ctx: Context, name: str, infos: list[KindInfo]) -> Type | None:
    """The type of a field that pieces have by themselves, or none if these have not."""
    match name:
        case "at":
            kinds = {k.name for k in infos}
            zones = tuple(z for z, info in ctx.spec.zones.items() if not kinds.isdisjoint(info.holds))
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
    return types.EnumType(f"faces of {infos[0].name}", tuple(f.value for f in faces if isinstance(f, typed.Constant) and f.type != INT))


def _space_field(ctx: Context, scope: Scope, node: ast.Field, target: TExpression, spaces: SpaceType) -> TExpression:
    zones = tuple(ctx.spec.zones) if spaces.zones is None else spaces.zones
    member = _members(ctx, node, target, zones)
    if member is not None:
        changing = isinstance(member, typed.VariableValue)
        return not_constant(ctx, node.span, f"`{node.name}` changes during play") if changing and scope.constant else member
    found = [_space_property(ctx, node.name, zone) for zone in zones]
    if not found or any(t is None for t in found):
        names = [n for z in zones for n in (*_space_names(ctx, z), *(["cell"] if z.endswith(".part") else []))]
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
    rows = info.declaration.rows or ()
    if name == "name" and (info.declaration.geometry.nodes or any(row.name is not None for row in rows)):
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
