"""Which pieces whoever chooses certainly sees, whatever is played: those that come from places open to them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from gdl import typed
from gdl.interpreter.emit import Emitter
from gdl.typed import Local, TExpression

_DEEP: Final = 8
"""Functions inside each other that are looked into."""
_CHOOSING: Final = ("pieces", "first", "last")
"""Builtins whose lists have no other elements than their first argument."""


def sees_all(emitter: Emitter, pieces: TExpression, seat: str, given: Mapping[Local, str] | None = None, deep: int = 0) -> bool:
    """Whether all pieces that a list can have lie where whoever chooses, `seat` as text, sees all that lies there.

    `given`: of a function that is looked into, the texts of the parameters that are locals of the caller.
    """
    match pieces:
        case typed.ListOperator(operator="where" | "by" | "while" | "until", source=source):
            return sees_all(emitter, source, seat, given, deep)
        case typed.ListJoin(operator=operator, left=left, right=right):
            return sees_all(emitter, left, seat, given, deep) and (operator == "-" or sees_all(emitter, right, seat, given, deep))
        case typed.Conditional(then=then, otherwise=otherwise):
            return sees_all(emitter, then, seat, given, deep) and sees_all(emitter, otherwise, seat, given, deep)
        case typed.BuiltinCall(entry=entry, arguments=(TExpression() as source, *_)) if entry.name in _CHOOSING:
            return sees_all(emitter, source, seat, given, deep)
        case typed.MakeList(items=()):
            return True
        case typed.Convert(form="pieces" | "pieces_of_spaces", operand=operand):
            return _is_open(emitter, operand, seat, given)
        case typed.FunctionCall(unit=unit, arguments=arguments) if unit.value is not None and deep < _DEEP:
            texts = {
                local: _text(emitter, argument, given)
                for local, argument in zip(unit.parameters, arguments, strict=True)
                if isinstance(argument, typed.LocalValue)
            }
            return sees_all(emitter, unit.value, seat, texts, deep + 1)
    return False


def _is_open(emitter: Emitter, spaces: TExpression, seat: str, given: Mapping[Local, str] | None) -> bool:
    zones = emitter.zones_of(spaces.type)
    if zones and all(zone.info.visible == "all" for zone in zones):
        return True
    match spaces:
        case typed.ZoneSpaces(zone=zone, keys=(typed.LocalValue() as owner, *_)):
            info = emitter.plan.zones[zone].info
            return info.visible == "owner" and info.per[0].form == "player" and _text(emitter, owner, given) == seat
    return False


def _text(emitter: Emitter, value: typed.LocalValue, given: Mapping[Local, str] | None) -> str:
    return (emitter.locals if given is None else given).get(value.local, "")
