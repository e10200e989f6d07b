"""Typed expressions that surely have the same value, told by a key; and which of them depend on the state of play."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Final, TypeAlias

from gdl import typed
from gdl.dependence import dependence_of
from gdl.nodes import parts_of
from gdl.registry import Entry
from gdl.typed import CheckedSpec, TExpression

Key: TypeAlias = Hashable

_SILENT: Final = ("span", "type")
_OPAQUE: Final = (typed.EachBody, typed.TTemplate, typed.ListOperator, typed.Possible, typed.After, typed.Seen, typed.Faulty)
"""What has locals of its own, or asks for more than the state."""


class _NoKey(Exception):
    """An expression of which it can't be told whether another is the same."""


def key_of(node: TExpression) -> Key | None:
    """What two expressions have in common that have the same value in the same state; none where that can't be told."""
    try:
        return _key(node)
    except _NoKey:
        return None


def _key(value: object) -> Key:
    match value:
        case typed.Convert(form="value", operand=operand):
            return _key(operand)
        case typed.LocalValue(local=local):
            if local.assigned:
                raise _NoKey
            return local
        case Entry(name=name, signature=signature):
            return name, signature.text
        case tuple():
            return tuple(_key(each) for each in value)
        case TExpression() if not isinstance(value, _OPAQUE):
            return (type(value).__name__, *(_key(part) for name, part in parts_of(value) if name not in _SILENT))
        case TExpression() | typed.EachBody() | typed.TTemplate() | dict() | list():
            raise _NoKey
    return value  # names, numbers, declarations


def is_settled(spec: CheckedSpec, node: TExpression) -> bool:
    """Whether the value of an expression stays what it is, whatever happens, as long as its locals do."""
    dependence = dependence_of(node, spec.dependences)
    return not dependence.changes and not dependence.functions
