"""Conditions and lists that players and options have decided: of which pieces there are none, whatever is played.

An option that leaves a kind of piece out leaves it in the rules: what asks for such a piece is answered here, once, instead of again and
again in play. Only what cannot fail is answered: a condition that would be a fault stays one.
"""

from __future__ import annotations

from typing import Final

from gdl import typed
from gdl.interpreter.faults import FAILURES
from gdl.interpreter.plan import Plan
from gdl.registry import Entry
from gdl.types import PLAYER, PieceType, SpaceType

_EMPTY: Final[dict[str, bool | int]] = {"any": False, "all": True, "empty": True, "count": 0, "size": 0}
"""What builtins say of a list without elements."""


def foregone(plan: Plan, node: object) -> bool | int | tuple[()] | None:
    """The value of a condition or list that is decided by how many pieces there are; None if it is not. The plan must be complete."""
    match node:
        case typed.ListOperator() | typed.FunctionCall() | typed.Conditional() if _is_nothing(plan, node):
            return ()
        case typed.KindTest(operand=typed.LocalValue() as operand, kinds=kinds, negated=negated) if kinds:
            return _kind(plan, operand, kinds, negated=negated)
        case typed.Negation(operand=operand):
            value = foregone(plan, operand)
            return None if value is None else not value
        case typed.Both(operator=operator, left=left, right=right):
            value = foregone(plan, left)
            if value is None:
                return None
            return bool(value) if bool(value) == (operator == "or") else foregone(plan, right)
        case typed.BuiltinCall(entry=entry, arguments=(source, *_)) if entry.name in _EMPTY and is_empty(plan, source):
            return _EMPTY[entry.name]
    return None


def _kind(plan: Plan, operand: typed.LocalValue, kinds: tuple[str, ...], *, negated: bool) -> bool | None:
    if not _some(plan, kinds):
        return negated
    if isinstance(operand.type, PieceType) and not _some(plan, tuple(kind for kind in operand.type.kinds if kind not in kinds)):
        return not negated
    return None


def _some(plan: Plan, kinds: tuple[str, ...]) -> bool:
    return any(plan.kinds[kind].count for kind in kinds if kind in plan.kinds)


def is_empty(plan: Plan, node: object) -> bool:
    """Whether a list is what lies in a space of zones that can hold no piece that there is."""
    match node:
        case typed.Convert(form="pieces", operand=typed.LocalValue() as space):
            zones = space.type.zones if isinstance(space.type, SpaceType) else ()
            return bool(zones) and not any(plan.zones[zone].holdable for zone in zones or () if zone in plan.zones)
        case typed.ListOperator(operator="where", source=source):
            return is_empty(plan, source)
    return False


# --- lists without elements -------------------------------------------------------------------------------------------


def _is_nothing(plan: Plan, node: object) -> bool:
    """Whether a list certainly has no elements, and its evaluation can't fail."""
    match node:
        case typed.ListOperator(operator="where" | "by", source=source) if _is_nothing(plan, source):
            return True
        case typed.ListOperator(operator="where", source=source, body=body):
            return foregone(plan, body) is False and _is_sure(plan, source)
        case typed.Conditional(condition=condition, then=then, otherwise=otherwise):
            return _is_nothing(plan, then) and _is_nothing(plan, otherwise) and _is_sure(plan, condition)
        case typed.FunctionCall(unit=unit, arguments=arguments) if not unit.bindings and all(p.low is None for p in unit.parameters):
            return _is_nothing(plan, unit.value) and all(_is_sure(plan, argument) for argument in arguments)
        case typed.MakeList(items=()):
            return True
    return False


def _is_sure(plan: Plan, node: object) -> bool:
    """Whether the evaluation of an expression can't fail, as far as that is seen at once."""
    match node:
        case typed.Constant() | typed.LocalValue():
            return True
        case typed.Comparison(left=left, right=right, order=None):
            return _is_sure(plan, left) and _is_sure(plan, right)
        case typed.Convert(form="pieces", operand=typed.ZoneSpaces(keys=(key,), indices=())):
            return _is_player(plan, key)
        case typed.VariableValue(infos=(info,), target=None, keys=(key,)):
            return info.when is None and _is_player(plan, key)
    return False


def _is_player(plan: Plan, node: object) -> bool:
    """Whether an expression is certainly a player: a local, or what a table says of one, such as the opponent."""
    match node:
        case typed.LocalValue(type=type_):
            return type_ == PLAYER
        case typed.BuiltinCall(type=type_, entry=entry, arguments=(argument,)) if entry.table and type_ == PLAYER:
            return _is_player(plan, argument) and not any(_fails(entry, plan, seat) for seat in range(plan.players))
    return False


def _fails(entry: Entry, plan: Plan, seat: int) -> bool:
    try:
        entry.function(*((plan,) if entry.wants_game else ()), seat)
    except FAILURES:
        return True
    return False
