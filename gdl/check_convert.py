"""Conversions that the language makes by itself, and the complaint where it makes none."""

from __future__ import annotations

from gdl import typed, types
from gdl.check_scope import Context
from gdl.typed import TExpression
from gdl.types import ERROR, ListType, OptionalType, PieceType, SetType, SpaceType, Type


def element_of(type_: Type) -> Type:
    """The type of the elements of a list, set or table's values."""
    return type_.element if isinstance(type_, ListType | SetType) else ERROR


def held_by(ctx: Context, space: SpaceType) -> tuple[str, ...]:
    """The kinds of pieces that spaces of this type can hold, in order of declaration."""
    zones = ctx.spec.zones if space.zones is None else space.zones
    held = {kind for zone in zones if zone in ctx.spec.zones for kind in ctx.spec.zones[zone].holds}
    return tuple(k for k in ctx.spec.kinds if k in held)


def value_of(ctx: Context, value: TExpression, wanted: str) -> TExpression:
    """The value once it is not none; with `wanted` "list" also something that can be gone through."""
    result = unwrap(ctx, value)
    if wanted != "list":
        return result
    if isinstance(result.type, SpaceType):
        return typed.Convert(value.span, ListType(PieceType(held_by(ctx, result.type))), "pieces", result)
    if isinstance(result.type, SetType):
        return typed.Convert(value.span, ListType(result.type.element), "list", result)
    if isinstance(result.type, ListType) or result.type == ERROR:
        return result
    ctx.report.error("wrong-type", value.span, f"a list is wanted here, this is {with_article(value.type)}", label="not a list")
    return typed.Faulty(value.span, ERROR)


def unwrap(ctx: Context, value: TExpression) -> TExpression:
    """An optional value used as a value: a fault at run time if it is none, and a warning if nobody tested it."""
    if not isinstance(value.type, OptionalType):
        if value.type == types.NONE:
            ctx.report.error("wrong-type", value.span, "`none` is used as a value here")
            return typed.Faulty(value.span, ERROR)
        return value
    if not value.type.soft:
        ctx.report.warning(
            "none-untested", value.span, "this may be none here", label=f"{with_article(value.type)}",
            help="test it with `!= none` or `is`, or give a value for none with `??`",
        )  # fmt: skip
    return typed.Convert(value.span, value.type.inner, "value", value)


def coerce(ctx: Context, value: TExpression, target: Type, what: str = "", cure: str = "") -> TExpression:
    """The value as a `target`, or an error; `cure` is what to write instead, where the caller knows."""
    if types.fits(value.type, target):
        return value
    converted = _convert(ctx, value, target)
    if converted is not None:
        return converted
    place = f"{what} should be " if what else "expected "
    ctx.report.error("wrong-type", value.span, f"{place}{with_article(target)}, not {with_article(value.type)}",
                     label=f"this is {with_article(value.type)}", help=cure or _cure(value.type, target))  # fmt: skip
    return typed.Faulty(value.span, ERROR)


def _cure(given: Type, target: Type) -> str:
    """What to write instead, where it is likely."""
    wanted = types.without_none(target)
    if isinstance(given, ListType) and types.fits(given.element, wanted) and given.element != types.NEVER:
        return "one of a list is `first(xs)`, `sole(xs)` or `xs[0]`; what is asked of each of them stands in `xs where …`, `xs select …`"
    if given == types.INT and types.PLAYER in (wanted, element_of(wanted)):
        return "a player by the number of the seat, from 0 on, is `players[n]`"
    return ""


def with_article(type_: Type) -> str:
    """A type as messages speak of a value of it: `an int`, `a card`."""
    text = str(type_)
    if isinstance(type_, ListType | SetType) or text in ("none", "nothing"):
        return text
    return f"an {text}" if text[:1] in "aeio" else f"a {text}"


def _convert(ctx: Context, value: TExpression, target: Type) -> TExpression | None:
    source = value.type
    if isinstance(target, OptionalType):
        return _convert(ctx, value, target.inner)
    if isinstance(source, OptionalType):
        inner = typed.Convert(value.span, source.inner, "value", value)
        if types.fits(source.inner, target):
            return unwrap(ctx, value)
        return _convert(ctx, inner, target)
    match source, target:
        case ListType(element=OptionalType(inner=plain, soft=True)), ListType() if types.fits(plain, target.element):
            if isinstance(value, typed.MakeList):
                return typed.MakeList(value.span, ListType(plain), tuple(unwrap(ctx, item) for item in value.items))
        case types.TEXT, types.SHAPE if isinstance(value, typed.Constant):
            return typed.Constant(value.span, types.SHAPE, value.value)
        case SpaceType(), ListType():
            pieces = ListType(PieceType(held_by(ctx, source)))
            if types.fits(pieces, target) or isinstance(target.element, SpaceType):
                if isinstance(target.element, SpaceType):
                    return None
                return typed.Convert(value.span, pieces, "pieces", value)
        case SetType(), ListType() if types.fits(source.element, target.element):
            return typed.Convert(value.span, ListType(source.element), "list", value)
        case ListType(), SetType() if types.fits(source.element, target.element):
            return typed.Convert(value.span, target, "set", value)
        case ListType(element=PieceType() as element), PieceType() if types.fits(element, target):
            single = isinstance(value, typed.KindPieces) and is_single(ctx, value)
            return _only_piece(value, element) if single else None
    return None


def is_single(ctx: Context, pieces: typed.KindPieces) -> bool:
    """Whether a kind's name, or a player's pieces of it, can be one piece only, as far as the text shows."""
    kind = ctx.spec.kinds[pieces.kinds[0]]
    declared = kind.declaration
    count = kind.count
    many = isinstance(count, typed.Constant) and count.value != 1
    owned = bool(declared.per) and not pieces.keys
    return len(pieces.kinds) == 1 and not (many or owned or declared.each or (declared.rows is not None and len(declared.rows) != 1))


def _only_piece(value: TExpression, element: Type) -> TExpression | None:
    """A kind's name, or a player's pieces of a kind, used as the one piece there is."""
    if isinstance(value, typed.KindPieces) and not value.indices:
        return typed.Convert(value.span, element, "only_piece", value)
    return None
