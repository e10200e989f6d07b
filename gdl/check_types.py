"""Written types → types of expressions and domains of variables."""

from __future__ import annotations

from gdl import ast, types
from gdl.check_scope import Context, Scope
from gdl.source import Span
from gdl.typed import Domain
from gdl.types import EnumType, OptionalType, PieceType, SpaceType, Type

_BASIC: dict[str, Type] = {t.name: t for t in (types.INT, types.BOOL, types.TEXT, types.PLAYER, types.DIRECTION, types.SHAPE, types.EFFECT)}
_FORMS = {"bool": "bool", "player": "player", "direction": "direction"}


def named_type(ctx: Context, node: ast.TypeName) -> Type:
    """The type that a name stands for: a basic one, an enum, a kind, a zone (then: one of its spaces) or `zone.part`."""
    if node.part is not None:
        return _part_type(ctx, node)
    if node.name in _BASIC:
        return _BASIC[node.name]
    if node.name == "space":
        return types.SPACE
    if node.name == "piece":
        return PieceType(tuple(k for k, info in ctx.spec.kinds.items() if not info.declaration.any_of))
    if node.name in ctx.spec.enums:
        return ctx.spec.enums[node.name]
    if node.name in ctx.spec.kinds:
        return PieceType(ctx.spec.kinds[node.name].members)
    if node.name in ctx.spec.zones:
        return SpaceType((node.name,))
    if node.name == "placement":
        return types.PlacementType("")
    candidates = [*_BASIC, "space", "piece", "placement", *ctx.spec.enums, *ctx.spec.kinds, *ctx.spec.zones]
    ctx.unknown("unknown-name", node.span, f"no type is called `{node.name}`", node.name, candidates, "not a type")
    return types.PLAYER if node.name == "players" else types.ERROR


def _part_type(ctx: Context, node: ast.TypeName) -> Type:
    zone = ctx.spec.zones.get(node.name)
    if zone is None:
        ctx.unknown("unknown-name", node.span, f"no zone is called `{node.name}`", node.name, ctx.spec.zones)
        return types.ERROR
    parts = zone.declaration.parts is not None
    if node.part not in ("part", "edge") or (node.part == "part" and not parts):
        part = node.part or ""
        own = ["edge"] + ["part"] * parts
        place = Span(node.span.source, node.span.end - len(part), node.span.end)
        ctx.unknown("unknown-field", place, f"the zone `{node.name}` has no `{part}`", part, own)
        return types.ERROR
    return SpaceType((f"{node.name}.{node.part}",))


def written_type(ctx: Context, node: ast.TypeExpression) -> Type:
    """The type of an expression that a written type stands for; a range is a number."""
    match node:
        case ast.TypeName():
            return named_type(ctx, node)
        case ast.OptionalType(inner=inner):
            return types.optional(written_type(ctx, inner))
        case ast.RangeType():
            return types.INT
        case ast.SetType(element=element):
            return types.SetType(written_type(ctx, element))
        case ast.ListType(element=element):
            return types.ListType(written_type(ctx, element))
        case ast.ComputedType(result=result, parameters=parameters):
            return types.ComputedType(tuple(written_type(ctx, p.type) for p in parameters), written_type(ctx, result))
    return types.ERROR


def domain(ctx: Context, scope: Scope, node: ast.TypeExpression, where: str) -> Domain:
    """What a variable of a written type can hold. A type that can't be stored is an error."""
    match node:
        case ast.OptionalType(inner=inner):
            base = domain(ctx, scope, inner, where)
            return Domain(base.form, types.optional(base.type), True, base.low, base.high, base.element, base.maximum)
        case ast.RangeType(low=low, high=high):
            constant = scope.child(constant=True)
            bounds = [ctx.value(constant, bound, types.INT) for bound in (low, high)]
            return Domain("range", types.INT, low=bounds[0], high=bounds[1])
        case ast.SetType(element=element):
            member = domain(ctx, scope, element, where)
            return Domain("set", types.SetType(member.type), element=member)
        case ast.ListType(element=element, maximum=maximum):
            return _list_domain(ctx, scope, node.span, element, maximum, where)
    type_ = written_type(ctx, node)
    return _plain_domain(ctx, node.span, type_, where)


def _list_domain(ctx: Context, scope: Scope, span: Span, element: ast.TypeExpression, maximum: ast.Expression | None, where: str) -> Domain:
    inner = domain(ctx, scope, element, where)
    if maximum is None:
        ctx.report.error("wrong-type", span, f"a list that is stored needs a greatest length: {where}", help="write `list[T, max n]`")
        return Domain("list", types.ListType(inner.type), element=inner)
    length = ctx.value(scope.child(constant=True), maximum, types.INT)
    return Domain("list", types.ListType(inner.type), element=inner, maximum=length)


def _plain_domain(ctx: Context, span: Span, type_: Type, where: str) -> Domain:
    match type_:
        case types.Basic(name=name) if name in _FORMS:
            return Domain(_FORMS[name], type_)
        case EnumType():
            return Domain("symbol", type_)
        case PieceType():
            return Domain("piece", type_)
        case SpaceType():
            return Domain("space", type_)
        case types.INT:
            ctx.report.error(
                "wrong-type", span, f"a stored number needs its bounds: {where}", label="without bounds",
                help="write a range, such as `0..99`",
            )  # fmt: skip
            return Domain("range", types.INT)
        case types.ERROR:
            return Domain("error", types.ERROR)
        case OptionalType():
            return Domain("error", type_)
    ctx.report.error("wrong-type", span, f"a {type_} can't be stored: {where}")
    return Domain("error", types.ERROR)


def key_name(node: ast.TypeExpression) -> str:
    """The field under which a space or variable has a key of this type: the type's name."""
    if isinstance(node, ast.TypeName):
        return node.name if node.part is None else node.part
    return "key"


def key_domain(ctx: Context, scope: Scope, node: ast.TypeExpression) -> Domain:
    """A key type of `per:`; a zone's name stands for its spaces, a kind's for its pieces."""
    return domain(ctx, scope, node, "as a key of `per:`")
