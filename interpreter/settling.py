"""Which stacks are settled at once when they are shuffled: those whose order somebody can see, or a rule may read.

Where a rule reads the order of pieces that nobody has seen, it would find the order of their numbers, and not a random one. What may read
it is found generously: a stack that is settled without need costs chance events, but plays the same.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from gdl import typed, types
from gdl.nodes import parts_of
from gdl.typed import CheckedSpec, TExpression
from gdl.walk import spec_nodes

_ORDER_READERS = ("first", "last", "take", "position")


def settled_stacks(spec: CheckedSpec) -> frozenset[str]:
    """The names of their zones, found once, however many games are made of a spec."""
    if "settled" not in spec.found:
        spec.found["settled"] = _find_settled(spec)
    found: frozenset[str] = spec.found["settled"]
    return found


def _find_settled(spec: CheckedSpec) -> frozenset[str]:
    stacks = {name for name, zone in spec.zones.items() if zone.declaration.stack}
    found = {name for name in stacks if spec.zones[name].visible != "none"}
    for call in spec_nodes(spec, typed.BuiltinCall):
        if call.entry.name in ("top", "bottom"):
            found |= _zones_of(spec, call.arguments[0])
    return frozenset(found.union(*(_zones_listed(spec, source, set()) for source in _read(spec, stacks))) & stacks)


def _read(spec: CheckedSpec, stacks: set[str]) -> Iterator[Any]:
    """The lists that are read in their order. Those with a name may be read wherever it stands."""
    for call in spec_nodes(spec, typed.BuiltinCall):
        if call.entry.name in _ORDER_READERS:
            yield call.arguments
    yield from (element.source for element in spec_nodes(spec, typed.Element))
    yield from (loop.source for loop in spec_nodes(spec, typed.TFor))
    yield from (let.value for let in spec_nodes(spec, typed.TLet))
    yield from (call.arguments for call in spec_nodes(spec, typed.TCall))
    for effect in spec_nodes(spec, typed.TEffect):
        if effect.entry.name == "move" and _zones_of(spec, effect.arguments[1]) & stacks:
            yield effect.arguments[0]


def _zones_listed(spec: CheckedSpec, node: Any, called: set[int]) -> set[str]:
    """The zones from whose pieces a list is made; none for what is no list of pieces. `called`: the functions gone into."""
    if isinstance(node, typed.Unit):
        if id(node) in called:
            return set()
        called.add(id(node))
        return _zones_listed(spec, (node.value, *(value for _, value in node.bindings)), called)
    if isinstance(node, tuple):
        return set().union(*(_zones_listed(spec, part, called) for part in node))
    if not isinstance(node, TExpression) or not _lists_pieces(node.type):
        return set()
    if isinstance(node, typed.Convert) and node.form in ("pieces", "pieces_of_spaces"):
        return _zones_of(spec, node.operand)
    return _zones_listed(spec, tuple(part for _, part in parts_of(node)), called)


def _lists_pieces(kind: types.Type) -> bool:
    while isinstance(kind, types.ListType):
        kind = kind.element
        if isinstance(types.without_none(kind), types.PieceType):
            return True
    return False


def _zones_of(spec: CheckedSpec, node: Any) -> set[str]:
    """The zones of a space, or of the spaces of a list, by its type."""
    inner = types.without_none(node.type) if isinstance(node, TExpression) else None
    if isinstance(inner, types.ListType):
        inner = types.without_none(inner.element)
    if not isinstance(inner, types.SpaceType):
        return set()
    return set(spec.zones) if inner.zones is None else {z for z in inner.zones if z in spec.zones}
