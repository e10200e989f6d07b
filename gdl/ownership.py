"""Whose something is: of the player who acts, of others, or of nobody, as far as that is certain.

A value of a variable per player, a space of a zone per player and what lies in it belong to that player. Whose something is is followed
through expressions, bindings and calls of functions; where that is not certain, there is no answer.
"""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Mapping, Sequence
from typing import Any, Final, cast

from attrs import frozen

from gdl import typed, types
from gdl.typed import CheckedSpec, Local, TExpression
from gdl.types import ListType

OWN: Final = "own"
OTHERS: Final = "others"
"""Of others, or of all."""
SHARED: Final = "shared"
_DEEPEST: Final = 16

Whose = str | None
"""Whose something is; none if that is not certain."""
Owners = Mapping[Local, Whose]


@frozen(eq=False)
class Ownership:
    """Answers for one spec. `owners` say whose the values of locals are."""

    spec: CheckedSpec

    def of(self, node: object, owners: Owners, depth: int = 0) -> Whose:
        """Whose a player, space, piece, placement or list of such is."""
        match node:
            case typed.LocalValue(local=local):
                return owners.get(local)
            case typed.AllPlayers():
                return OTHERS
            case typed.ZoneSpaces(zone=zone, keys=keys):
                return self._whose_keys(self.spec.zones[zone].per, keys, owners, SHARED)
            case typed.RowSpace(zone=zone):
                return None if self.spec.zones[zone].per else SHARED
            case typed.KindPieces(kinds=kinds, keys=keys) if len(kinds) == 1:
                kind = self.spec.kinds[kinds[0]]
                lies_nowhere = kind.at is None and kind.faces is not None
                return self._whose_keys(kind.per, keys, owners, SHARED if lies_nowhere else None)
            case typed.Convert(operand=operand):
                return self.of(operand, owners, depth)
            case typed.Property(name="at" | "owner" | "parts" | "cells" | "corner" | "cell", target=target):
                found = self.of(target, owners, depth)
                return found if found == OWN or node.name != "owner" else None
            case typed.ListOperator(operator="select", source=source, local=local, body=body):
                return self.of(body, ChainMap({local: self.of(source, owners, depth)}, cast("dict[Local, Whose]", owners)), depth)
            case typed.ListOperator(source=source):
                found = self.of(source, owners, depth)
                return None if found == OTHERS else found
            case typed.Element(source=source):
                found = self.of(source, owners, depth)
                return None if found == OTHERS else found
            case typed.Conditional(then=left, otherwise=right):
                return self._whose_both(left, right, owners, depth)
            case typed.Coalesce(left=left, right=right) | typed.ListJoin(left=left, right=right):
                return self._whose_both(left, right, owners, depth)
            case typed.BuiltinCall():
                return self._whose_call(node, owners, depth)
            case typed.FunctionCall(unit=unit, arguments=arguments) if depth < _DEEPEST:
                inner = self.bound(unit.parameters, arguments, owners, depth)
                for local, value in unit.bindings:
                    inner[local] = self.of(value, inner, depth + 1)
                return self.of(unit.value, inner, depth + 1)
        return None

    def _whose_both(self, left: TExpression, right: TExpression, owners: Owners, depth: int) -> Whose:
        found = self.of(left, owners, depth)
        return found if found == self.of(right, owners, depth) else None

    def _whose_keys(self, per: Sequence[typed.Domain], keys: Sequence[TExpression], owners: Owners, without: Whose) -> Whose:
        """Of what is per player: whose the first key says; of all, if it says nothing."""
        if not per or per[0].form != "player":
            return without
        return self.of(keys[0], owners) if keys else OTHERS

    def _whose_call(self, node: typed.BuiltinCall, owners: Owners, depth: int) -> Whose:
        name, arguments = node.entry.name, node.arguments
        if name in ("opponent", "opponents"):
            return OTHERS if self.of(arguments[0], owners, depth) == OWN else None
        if name in ("next", "previous"):
            several = min(self.spec.declarations.players.allowed, default=1) > 1
            return OTHERS if several and self.of(arguments[0], owners, depth) == OWN else None
        if name == "seats_from":
            return OTHERS
        places = [a for a in arguments if isinstance(a, TExpression) and _is_place(a.type)]
        if not _is_place(node.type) or not places:
            return None
        found = {self.of(place, owners, depth) for place in places}
        whose = found.pop() if len(found) == 1 else None
        return None if whose == OTHERS and not isinstance(types.without_none(node.type), ListType) else whose

    def bound(self, locals_: Sequence[Local], values: Sequence[Any], owners: Owners, depth: int = 0) -> dict[Local, Whose]:
        """Whose the values of parameters are, by their arguments."""
        return {local: self.of(value, owners, depth) for local, value in zip(locals_, values, strict=False)}

    def variable(self, node: typed.VariableValue, owners: Owners) -> Whose:
        """Whose the value of a variable is: that of a player, or what the piece or space that it is of is."""
        info = node.infos[0]
        if info.per and info.per[0].form == "player":
            return self.of(node.keys[0], owners) if node.keys else OTHERS
        if node.target is None:
            return SHARED
        return self.of(node.target, owners)


def _is_place(type_: types.Type) -> bool:
    """Whether values are spaces, pieces or placements, or lists of them."""
    inner = types.without_none(type_)
    if isinstance(inner, ListType):
        return _is_place(inner.element)
    return isinstance(inner, types.SpaceType | types.PieceType | types.PlacementType)
