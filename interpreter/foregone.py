"""Conditions that players and options have decided: of which pieces there are none, whatever is played.

An option that leaves a kind of piece out leaves it in the rules: what asks for such a piece is answered here, once, instead of again and
again in play. Only what cannot fail is answered: a condition that would be a fault stays one.
"""

from __future__ import annotations

from typing import Final

from gdl import typed
from gdl.interpreter.plan import Plan
from gdl.types import PieceType, SpaceType

_EMPTY: Final[dict[str, bool | int]] = {"any": False, "all": True, "empty": True, "count": 0, "size": 0}
"""What builtins say of a list without elements."""


def foregone(plan: Plan, node: object) -> bool | int | None:
    """The value of a condition that is decided by how many pieces there are; None if it is not. The plan must be complete."""
    match node:
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
