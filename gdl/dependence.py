"""What the value of an expression depends on: on what changes while a game is played, on which locals, on which functions of the spec.

Nothing here depends on players or options; whether a function reads the state does, so functions are only named.
"""

from __future__ import annotations

from collections.abc import MutableMapping
from functools import cache
from typing import Any, TypeAlias, cast

from attrs import frozen

from gdl import typed
from gdl.nodes import names_of
from gdl.typed import Local, TExpression, Unit

Node: TypeAlias = TExpression | typed.EachBody

_CHANGING = (typed.VariableValue, typed.Possible, typed.After, typed.Seen, typed.Faulty)
_CHANGING_PROPERTIES = ("at", "face", "value", "out")
_NO_PARTS = ("span", "type", "unit", "entry", "infos", "local")


@frozen(eq=False)
class Dependence:
    """What a value depends on. `locals` are those from outside the expression, `functions` those that it calls."""

    changes: bool
    locals: frozenset[Local]
    functions: tuple[Unit, ...]


_CHANGES = Dependence(changes=True, locals=frozenset(), functions=())
_NOTHING = Dependence(changes=False, locals=frozenset(), functions=())


def dependence_of(node: Node, found: MutableMapping[Node, Dependence]) -> Dependence:
    """What an expression, or the body of an `each`, depends on; `found` keeps it."""
    known = found.get(node)
    if known is None:
        known = found[node] = _find(node, found)
    return known


def _find(node: Node, found: MutableMapping[Node, Dependence]) -> Dependence:
    if _reads_state(node):
        return _CHANGES
    if isinstance(node, typed.LocalValue):
        return Dependence(changes=False, locals=frozenset((node.local,)), functions=())
    parts = [dependence_of(child, found) for child in children(node)]
    if any(part.changes for part in parts):
        return _CHANGES
    functions = [unit for part in parts for unit in part.functions]
    if isinstance(node, typed.FunctionCall):
        functions.insert(0, node.unit)
    locals_ = {local for part in parts for local in part.locals}
    if isinstance(node, typed.EachBody | typed.ListOperator):
        locals_.discard(node.local)
    if not functions and not locals_:
        return _NOTHING
    return Dependence(changes=False, locals=frozenset(locals_), functions=tuple(dict.fromkeys(functions)))


def _reads_state(node: Node) -> bool:
    """Whether a node by itself depends on what changes."""
    match node:
        case typed.Property():
            return node.name in _CHANGING_PROPERTIES
        case typed.Convert():
            return node.form in ("pieces", "pieces_of_spaces")
        case typed.BuiltinCall():
            return node.entry.wants_state
        case typed.AttributeValue():
            return node.arguments is not None
    return isinstance(node, _CHANGING)


def children(node: object) -> list[Node]:
    """The expressions directly inside one, or inside a tuple."""
    if isinstance(node, tuple | list):
        return [child for each in node for child in ([each] if isinstance(each, TExpression | typed.EachBody) else children(each))]
    if not isinstance(node, TExpression | typed.EachBody):
        return []
    found: list[Node] = []
    for name in _parts(cast("Any", type(node))):
        value = getattr(node, name)
        if isinstance(value, TExpression | typed.EachBody):
            found.append(value)
        elif isinstance(value, tuple):
            found += children(value)
    return found


@cache
def _parts(kind: type) -> tuple[str, ...]:
    """The fields of a kind of node that can hold nodes."""
    return tuple(name for name in names_of(kind) if name not in _NO_PARTS)
