"""What only the whole checked spec shows about what can lie where: spaces that nothing can enter, shapes that fit no board."""

from __future__ import annotations

from collections.abc import Iterator

from gdl import typed, types
from gdl.check_scope import Context
from gdl.typed import BuiltinCall, Convert, TExpression, ZoneInfo
from gdl.types import ListType, PieceType, SpaceType, Type

WHOLE = "#■"
"""What stands for a whole cell in a shape."""
NOTHING = ". "
"""What stands for no cell in a shape."""


def check_contents(ctx: Context, node: object) -> None:
    """Look at a node of the checked spec: does it ask for pieces where none can be, does it lay a shape that says nothing there?"""
    match node:
        case Convert(form="pieces" | "pieces_of_spaces", type=ListType(element=PieceType(kinds=())), operand=operand):
            _nothing_lies(ctx, node, operand.type)
        case BuiltinCall(entry=entry, arguments=(TExpression() as space, *_)) if entry.name in ("top", "bottom"):
            if _held(ctx, space.type) == set():
                _nothing_lies(ctx, node, space.type)
        case BuiltinCall(entry=entry, arguments=(TExpression() as shape, TExpression() as spaces, *_)) if entry.name == "placements":
            here = _zones(ctx, spaces.type)
            for constant, certain in _shapes(ctx, shape):
                _check_shape(ctx, constant, here if certain else list(ctx.spec.zones.values()))


# --- pieces -----------------------------------------------------------------------------------------------------------


def _zones(ctx: Context, type_: Type) -> list[ZoneInfo]:
    """The zones of a space, or of a list of them."""
    inner = types.without_none(type_)
    space = types.without_none(inner.element) if isinstance(inner, ListType) else inner
    if not isinstance(space, SpaceType):
        return []
    names = ctx.spec.zones if space.zones is None else space.zones
    return [ctx.spec.zones[name] for name in names if name in ctx.spec.zones]


def _held(ctx: Context, type_: Type) -> set[str] | None:
    zones = _zones(ctx, type_)
    return {kind for zone in zones for kind in zone.holds} if zones else None


def _nothing_lies(ctx: Context, node: TExpression, type_: Type) -> None:
    names = " or ".join(f"`{zone.name}`" for zone in _zones(ctx, type_))
    is_any_held = any(zone.holds for zone in ctx.spec.zones.values())
    if names and (is_any_held or not ctx.report.has_errors):  # else `pieces` may be what could not be read
        cure = "see its `holds`" if is_any_held else "no kind of pieces lies in zones"
        ctx.report.error("wrong-type", node.span, f"no piece can ever lie in {names}: this asks for nothing", help=cure)


# --- shapes -----------------------------------------------------------------------------------------------------------


def _shapes(ctx: Context, shape: TExpression) -> Iterator[tuple[typed.Constant, bool]]:
    """The texts that a shape may be, as far as they are written down, and whether it is certain that it is this one."""
    if isinstance(shape, typed.Constant):
        yield shape, True
    if not isinstance(shape, typed.AttributeValue):
        return
    row = shape.target.row if isinstance(shape.target, typed.RowPiece | typed.RowSpace) else None
    for info in shape.infos:
        table = ctx.spec.kinds if info.holder.form == "kind" else ctx.spec.zones
        rows = table[info.holder.name].rows or ()
        if not rows and isinstance(info.default, typed.Constant):
            yield info.default, len(shape.infos) == 1
        for number, each in enumerate(rows):
            value = each.values.get(info.name, info.default)
            if row in (None, number) and isinstance(value, typed.Constant) and isinstance(value.value, str):
                yield value, row is not None


def _check_shape(ctx: Context, shape: typed.Constant, zones: list[ZoneInfo]) -> None:
    known = {sign.value for zone in zones if zone.declaration.parts is not None for sign, _ in zone.declaration.parts.legend}
    signs = [sign for sign in shape.value if sign not in "/\n"]
    names = f"on `{zones[0].name}`" if len(zones) == 1 else "here"
    for sign in dict.fromkeys(signs):
        if zones and sign not in known and sign not in WHOLE + NOTHING:
            more = f", or one of {', '.join(f'`{s}`' for s in sorted(known))}" if known else ""
            message = f"`{sign}` means nothing in a shape that is laid {names}"
            ctx.report.error("wrong-form", shape.span, message, help=f"`#` is a cell, `.` is none{more}")
    if not any(sign not in NOTHING for sign in signs):
        ctx.report.error("wrong-form", shape.span, "this shape has no cell", help="`#` is a cell, `.` is none")
