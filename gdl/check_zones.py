"""What zones and kinds say beside sizes and rows: who sees, where a stack is refilled from, what is ahead, what is combined."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from gdl import ast, model, typed, types
from gdl.check_convert import coerce, with_article
from gdl.check_expressions import check_expression, check_value
from gdl.check_scope import Context, Scope
from gdl.forms import VISIBLE_WORDS
from gdl.source import Span
from gdl.typed import Domain, KindInfo, Local, TExpression, VariableInfo, ZoneInfo
from gdl.types import BOOL, ERROR, INT, ListType, PieceType, SetType
from gdl.values import DIRECTIONS

PARTS: Final = 4
"""How many parts a cell has."""

# --- who sees ---------------------------------------------------------------------------------------------------------


def check_zone_visible(ctx: Context, zone: ZoneInfo) -> None:
    """Who sees the pieces of a zone: a word or a condition."""
    declaration = zone.declaration
    visible = declaration.visible
    if isinstance(visible, str):
        zone.visible = visible
        owned = _belongs_to_players(zone.per)
        if visible == "owner" and not owned:
            _nobody_owns(ctx, declaration.visible_span or declaration.span, f"`{zone.name}`")
        elif visible == "top" and not declaration.stack:
            message = f"`{zone.name}` is no stack: nothing in it is on top"
            ctx.report.error("wrong-word", declaration.visible_span or declaration.span, message, help="add `stack: true`")
        elif declaration.visible_span is not None and declaration.visible_span.text.strip("\"'") == "secret" and owned:
            message = f"`secret` alone hides the pieces of `{zone.name}` from their owner as well"
            ctx.report.error("wrong-word", declaration.visible_span, message, help="write `[owner, secret]`, or `[none, secret]`")
        return
    zone.viewer = Local("viewer", types.PLAYER, visible.span)
    zone.it = Local("it", PieceType(zone.holds), visible.span)
    zone.visible = check_value(ctx, Scope(words=VISIBLE_WORDS).child(zone.viewer, zone.it), visible, BOOL, "`visible`")


def check_variable_visible(ctx: Context, info: VariableInfo, this: Local | None) -> None:
    """Who sees a variable: a word or a condition."""
    declaration = info.declaration
    if declaration is None or declaration.visible is None:
        return
    visible = declaration.visible
    if isinstance(visible, str):
        info.visible = visible
        place = declaration.visible_span or declaration.span
        if visible == "top":
            message = f"`{info.name}` is a variable, and `top` is of a stack's pieces"
            ctx.report.error("wrong-word", place, message, help="`all`, `owner`, `none` or a condition over `viewer`")
        elif visible == "owner" and not _is_owned(ctx, info):
            _nobody_owns(ctx, place, f"`{info.name}`")
        return
    info.viewer = Local("viewer", types.PLAYER, info.span)
    whose = [this] if this is not None else [info.seat] if info.seat is not None else []
    seeing = Scope(player=info.seat, words=VISIBLE_WORDS).child(info.viewer, *[x for x in whose if x.name != "player"])
    info.visible = check_value(ctx, seeing, visible, BOOL, "`visible`")


def _is_owned(ctx: Context, info: VariableInfo) -> bool:
    if _belongs_to_players(info.per):
        return True
    owner = ctx.spec.kinds.get(info.holder.name) if info.holder.form == "kind" else ctx.spec.zones.get(info.holder.name)
    return owner is not None and _belongs_to_players(owner.per)


def _belongs_to_players(per: Sequence[Domain]) -> bool:
    """Whether something is kept for each player first; or for something that is reported."""
    return bool(per) and per[0].form in ("player", "error")


def _nobody_owns(ctx: Context, place: Span, what: str) -> None:
    message = f"nobody owns {what}, so nobody would see it"
    ctx.report.error("wrong-word", place, message, help="give it `per: player` (of several, `player` first), or write `none`")


# --- stacks -----------------------------------------------------------------------------------------------------------


def check_refill(ctx: Context, zone: ZoneInfo, scope: Scope) -> None:
    """Where a stack is refilled from: another space, or none."""
    node = zone.declaration.refill
    if node is None:
        return
    value = check_expression(ctx, scope, node, types.optional(types.SPACE))
    zone.refill = coerce(ctx, value, types.optional(types.SPACE), "`refill`", _own_copy(ctx, zone, value))
    if _is_itself(zone, value):
        label = "the stack itself"
        ctx.report.error("wrong-type", node.span, f"`refill` should be another space than `{zone.name}` itself", label=label)


def _own_copy(ctx: Context, zone: ZoneInfo, value: TExpression) -> str:
    """What to write instead of all spaces of a zone, where the stack and those are for each of the same."""
    if not isinstance(value, typed.ZoneSpaces) or value.keys or value.indices:
        return ""
    per = ctx.spec.zones[value.zone].per
    if len(per) != 1 or [d.type for d in per] != [d.type for d in zone.per]:
        return ""
    key = zone.key_names[0]
    return f"write `this.owner.{value.zone}`" if key == "owner" else f"write `{value.zone}[this.{key}]`"


def _is_itself(zone: ZoneInfo, value: TExpression) -> bool:
    if isinstance(value, typed.LocalValue):
        return value.local is zone.this
    return isinstance(value, typed.ZoneSpaces) and value.zone == zone.name and not value.keys and not isinstance(value.type, ListType)


# --- directions, parts ------------------------------------------------------------------------------------------------


def check_forward(ctx: Context, declaration: model.Zone) -> tuple[int, ...]:
    """The direction ahead, for each seat."""
    result = []
    most = max(ctx.spec.declarations.players.allowed)
    if declaration.forward and len(declaration.forward) < most:
        place = declaration.forward[0].span.to(declaration.forward[-1].span)
        message = f"`forward` needs a direction for each of {most} seats, not {len(declaration.forward)}"
        ctx.report.error("wrong-form", place, message)
    for name in declaration.forward:
        if name.name not in DIRECTIONS:
            ctx.unknown("unknown-name", name.span, f"no direction is called `{name.name}`", name.name, DIRECTIONS)
            continue
        result.append(DIRECTIONS.index(name.name))
    return tuple(result)


def check_legend(ctx: Context, parts: model.Parts) -> None:
    """The names of the parts in a legend."""
    known = [name.name for name in parts.names]
    for _, names in parts.legend if len(known) == PARTS else ():  # else that is reported, and these may be what is missing
        for name in names:
            if name.name not in known:
                ctx.unknown("unknown-name", name.span, f"no part is called `{name.name}`", name.name, known)


# --- combinations -----------------------------------------------------------------------------------------------------


def check_each(ctx: Context, kind: KindInfo) -> tuple[tuple[str, TExpression], ...]:
    """The values of which there is one piece for every combination: for each attribute a list."""
    return tuple((name.name, _values(ctx, kind, name, node)) for name, node in kind.declaration.each)


def _values(ctx: Context, kind: KindInfo, name: ast.Name, node: ast.Expression) -> TExpression:
    attribute = kind.attributes.get(name.name)
    if attribute is None:
        ctx.unknown("unknown-field", name.span, f"a {kind.name} has no attribute `{name.name}`", name.name, kind.attributes)
    wanted = ListType(attribute.type if attribute is not None else ERROR)
    value = check_expression(ctx, Scope(constant=True), node, wanted)
    if isinstance(value.type, ListType | SetType) or value.type == ERROR:
        return coerce(ctx, value, wanted, f"`{name.name}` under `each`")
    what = f"a {wanted}" if attribute is None else str(wanted)
    cure = _as_list(node, value, wanted.element)
    message = f"`{name.name}` under `each` should be {what}, not {with_article(value.type)}"
    ctx.report.error("wrong-type", node.span, message, label=f"this is {with_article(value.type)}", help=cure)
    return typed.Faulty(node.span, wanted)


def _as_list(node: ast.Expression, value: TExpression, element: types.Type) -> str:
    """How the list would be written that a number or another single value stands for."""
    match node:
        case ast.Arithmetic(operator="-", left=ast.Number(value=low), right=ast.Number(value=high)) if low < high:
            return f"a list of numbers is written `{low}..{high}`"
        case _ if types.without_none(value.type) == INT:
            return f"a list of numbers is written `1..{node.span.text}`"
    return f"a list of one is `[{node.span.text}]`" if isinstance(node, ast.Name) and types.fits(value.type, element) else ""
