"""Lists: what their elements can be, and how many there are. The part of `gdl.validators.bounds` that looks into declarations."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from gdl import typed, types
from gdl.typed import TExpression
from gdl.validators.intervals import INFINITE, NATURAL, Choice, Interval, Known, joined, truth_value
from gdl.values import NONE

if TYPE_CHECKING:
    from gdl.validators.bounds import Bounds


def constant(value: object, type_: types.Type) -> Known:
    """What a known value is."""
    if not isinstance(value, int) or value == NONE:
        return None
    if type_ == types.INT:
        return Interval(value, value)
    if type_ == types.BOOL:
        return truth_value(bool(value))
    return Choice(frozenset((value,))) if isinstance(type_, types.EnumType) or type_ == types.PLAYER else None


def elements(bounds: Bounds, source: TExpression) -> Known:
    """What an element of a list can be."""
    match source:
        case typed.NumberRange(low=low, high=high):
            found = Interval(bounds.number(low).low, bounds.number(high).high)
            return found if found.low <= found.high else None
        case typed.MakeList(items=items):
            return joined(bounds.of(item) for item in items)
        case typed.ListOperator(operator="where" | "while", source=inner, local=local, body=body):
            return bounds.assuming(body, True).of(typed.LocalValue(source.span, local.type, local))
        case typed.ListOperator(operator="by" | "until", source=inner):
            return bounds.elements(inner)
        case typed.ListOperator(operator="select", body=body):
            return bounds.of(body)
        case typed.ListJoin(operator="+", left=left, right=right):
            return joined((bounds.elements(left), bounds.elements(right)))
        case typed.ListJoin(operator="-", left=left):
            return bounds.elements(left)
        case typed.VariableValue(infos=infos):
            return joined(bounds.domain(info.domain.element) if info.domain.element is not None else None for info in infos)
    return _constants(source)


def _constants(source: TExpression) -> Known:
    """The elements of a list that is known."""
    if isinstance(source, typed.Constant) and isinstance(source.value, tuple) and isinstance(source.type, types.ListType):
        inner = source.type.element
        return joined(constant(value, inner) for value in source.value)
    return None


def size(bounds: Bounds, source: TExpression) -> Interval:
    """How many elements a list has."""
    match source:
        case typed.NumberRange(low=low, high=high):
            first, last = bounds.number(low), bounds.number(high)
            return Interval(max(0, last.low - first.high + 1), max(0, last.high - first.low + 1))
        case typed.MakeList(items=items):
            return Interval(len(items), len(items))
        case typed.Constant(value=tuple() as values):
            return Interval(len(values), len(values))
        case typed.AllPlayers():
            return bounds.player_count()
        case typed.ListOperator(operator="where" | "while" | "until", source=inner):
            return Interval(0, bounds.size(inner).high)
        case typed.ListOperator(operator="by" | "select", source=inner):
            return bounds.size(inner)
        case typed.ListJoin(operator="+", left=left, right=right) if isinstance(source.type, types.ListType):
            a, b = bounds.size(left), bounds.size(right)
            return Interval(a.low + b.low, a.high + b.high)
        case typed.ListJoin(operator="-", left=left):
            return Interval(0, bounds.size(left).high)
        case typed.ZoneSpaces(zone=name, keys=keys, indices=()) if isinstance(source.type, types.ListType):
            return _space_count(bounds, bounds.spec.zones[name], len(keys))
        case typed.KindPieces(kinds=kinds):
            return Interval(0, sum(piece_count(bounds, kind) for kind in kinds))
        case typed.Convert(form="pieces", operand=operand):
            return Interval(0, _held(bounds, operand.type))
        case typed.BuiltinCall(entry=entry) if entry.name == "opponents":
            return Interval(0, bounds.player_count().high - 1)
        case typed.BuiltinCall(entry=entry, arguments=[TExpression() as inner, *_]) if entry.name == "pieces":
            return Interval(0, bounds.size(inner).high)
    return NATURAL


def _space_count(bounds: Bounds, zone: typed.ZoneInfo, given: int) -> Interval:
    """How many spaces a zone has in the copies that its first keys leave open."""
    least = most = 1
    for key in zone.per[given:]:
        count = _key_count(bounds, key)
        least, most = least * count.low, most * count.high
    if zone.single:
        return Interval(least, most)
    if zone.declaration.geometry.kind not in ("grid", "track") or zone.cells is not None:
        return NATURAL
    for side in zone.sizes:
        length = bounds.number(side)
        least, most = least * max(0, length.low), most * length.high
    return Interval(least, most)


def capacity(bounds: Bounds, space: types.Type) -> int:
    """How many pieces a space may hold at most by its `capacity`."""
    zones = space.zones if isinstance(space, types.SpaceType) else None
    limits = [bounds.spec.zones[zone].capacity for zone in zones or ()]
    return max((bounds.number(limit).high if limit is not None else INFINITE for limit in limits), default=INFINITE)


def _held(bounds: Bounds, space: types.Type) -> int:
    """How many pieces lie on a space at most."""
    zones = space.zones if isinstance(space, types.SpaceType) else None
    if not zones:
        return INFINITE
    return max(_capacity(bounds, bounds.spec.zones[zone]) for zone in zones)


def _capacity(bounds: Bounds, zone: typed.ZoneInfo) -> int:
    most = sum(piece_count(bounds, kind) for kind in zone.holds)
    return min(most, bounds.number(zone.capacity).high) if zone.capacity is not None else most


def piece_count(bounds: Bounds, kind: str) -> int:
    """How many pieces of a kind there are at most."""
    info = bounds.spec.kinds[kind]
    if info.declaration.any_of:
        return sum(piece_count(bounds, member) for member in info.members)
    owners = 1
    for key in info.per:
        owners *= _key_count(bounds, key).high
    if info.rows is not None:
        return owners * sum(bounds.number(row.copies).high if row.copies is not None else 1 for row in info.rows)
    each = 1
    for _, values in info.each:
        each *= bounds.size(values).high
    if isinstance(info.at, TExpression) and isinstance(info.at.type, types.ListType):
        return INFINITE
    return owners * each * (bounds.number(info.count).high if info.count is not None else 1)


def _key_count(bounds: Bounds, key: typed.Domain) -> Interval:
    """How many values a key of `per:` has."""
    match key.form, key.type:
        case "player", _:
            return bounds.player_count()
        case "symbol", types.EnumType(symbols=symbols):
            return Interval(len(symbols), len(symbols))
        case "range", _ if key.low is not None and key.high is not None:
            low, high = bounds.number(key.low), bounds.number(key.high)
            return Interval(max(0, high.low - low.high + 1), max(0, high.high - low.low + 1))
    return NATURAL


def indices(bounds: Bounds, zone: typed.ZoneInfo) -> tuple[Interval | None, ...]:
    """The numbers that each place of an index of a zone goes through; none where that is not known."""
    geometry = zone.declaration.geometry
    sides = tuple(Interval(0, bounds.number(side).high - 1) for side in zone.sizes)
    if geometry.kind == "hex":
        return sides * 2
    return sides if geometry.kind in ("grid", "track") else ()


def numbers(bounds: Bounds, kind: typed.KindInfo) -> Interval | None:
    """The numbers of the pieces of one owner; none where that is not known."""
    plain = kind.rows is None and not kind.each and not kind.declaration.any_of
    return Interval(0, bounds.number(kind.count).high - 1) if plain and kind.count is not None else None


def coordinate(bounds: Bounds, space: types.Type, name: str) -> Known:
    """The rows or columns that spaces have, if all of them lie on grids."""
    space = types.without_none(space)
    zones = [bounds.spec.zones[zone] for zone in space.zones or ()] if isinstance(space, types.SpaceType) else []
    if not zones or any(zone.declaration.geometry.kind != "grid" or len(zone.sizes) != 2 for zone in zones):
        return None
    sides = [bounds.number(zone.sizes[("row", "col").index(name)]) for zone in zones]
    return Interval(0, max(side.high for side in sides) - 1)


def attribute(bounds: Bounds, info: typed.AttributeInfo) -> Iterator[Known]:
    """The values of an attribute: in rows, of combinations, or what it is where none is given."""
    spec = bounds.spec
    owner: typed.KindInfo | typed.ZoneInfo = spec.kinds[info.holder.name] if info.holder.form == "kind" else spec.zones[info.holder.name]
    combined = dict(owner.each) if isinstance(owner, typed.KindInfo) else {}
    if info.name in combined:
        yield bounds.elements(combined[info.name])
        return
    rows = owner.rows or ()
    for row in rows:
        value = row.values.get(info.name, info.default)
        yield bounds.of(value) if value is not None else None
    if not rows or isinstance(owner, typed.ZoneInfo):
        yield bounds.of(info.default) if info.default is not None else None
