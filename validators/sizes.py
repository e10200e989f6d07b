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
        case typed.NamedConstant(name=name):
            return elements(bounds, bounds.spec.constants[name])
        case typed.ListOperator(operator="where" | "while", source=inner, local=local, body=body):
            return bounds.assuming(body, True).of(typed.LocalValue(source.span, local.type, local))
        case typed.ListOperator(operator="by" | "until", source=inner):
            return elements(bounds, inner)
        case typed.ListOperator(operator="select", body=body):
            return bounds.of(body)
        case typed.ListJoin(operator="+", left=left, right=right):
            return joined((elements(bounds, left), elements(bounds, right)))
        case typed.ListJoin(operator="-", left=left):
            return elements(bounds, left)
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
        case typed.NamedConstant(name=name):
            return size(bounds, bounds.spec.constants[name])
        case typed.ListOperator(operator="where" | "while" | "until", source=inner):
            return Interval(0, size(bounds, inner).high)
        case typed.ListOperator(operator="by" | "select", source=inner):
            return size(bounds, inner)
        case typed.ListJoin(operator="+", left=left, right=right) if isinstance(source.type, types.ListType):
            a, b = size(bounds, left), size(bounds, right)
            return Interval(a.low + b.low, a.high + b.high)
        case typed.ListJoin(operator="-", left=left):
            return Interval(0, size(bounds, left).high)
        case typed.KindPieces(kinds=kinds):
            return Interval(0, sum(piece_count(bounds, kind) for kind in kinds))
        case typed.Convert(form="pieces", operand=operand):
            return Interval(0, _held(bounds, operand.type))
        case typed.BuiltinCall(entry=entry, arguments=[TExpression() as inner, *_]) if entry.name == "pieces":
            return Interval(0, size(bounds, inner).high)
    return NATURAL


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
        owners *= _key_count(bounds, key)
    if info.rows is not None:
        return owners * sum(bounds.number(row.copies).high if row.copies is not None else 1 for row in info.rows)
    each = 1
    for _, values in info.each:
        each *= size(bounds, values).high
    if isinstance(info.at, TExpression) and isinstance(info.at.type, types.ListType):
        return INFINITE
    return owners * each * (bounds.number(info.count).high if info.count is not None else 1)


def _key_count(bounds: Bounds, key: typed.Domain) -> int:
    """How many values a key of `per:` has at most."""
    match key.form, key.type:
        case "player", _:
            return bounds.player_count().high
        case "symbol", types.EnumType(symbols=symbols):
            return len(symbols)
        case "range", _ if key.low is not None and key.high is not None:
            return max(0, bounds.number(key.high).high - bounds.number(key.low).low + 1)
    return INFINITE


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
        yield elements(bounds, combined[info.name])
        return
    rows = owner.rows or ()
    for row in rows:
        value = row.values.get(info.name, info.default)
        yield bounds.of(value) if value is not None else None
    if not rows or isinstance(owner, typed.ZoneInfo):
        yield bounds.of(info.default) if info.default is not None else None
