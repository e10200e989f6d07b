"""Which calls of functions are written out where they stand: a call costs more than the few tests that most functions are.

Knows only typed expressions. Of a longer function the first tests are written out if they are short, for most calls end there.
"""

from __future__ import annotations

import re
from typing import Any, Final

from gdl import typed
from gdl.dependence import children
from gdl.typed import TExpression, Unit
from gdl.types import ListType, SetType, without_none

_MOST_NODES: Final = 24
"""Nodes that are written out for one call: what is written often is compiled often."""
_FIXED_NODES: Final = 12
"""Nodes of a function that depends on its arguments alone which are sooner evaluated than several arguments are looked up."""
_CHEAP: Final = re.compile(r"-?\d+|[A-Za-z]\w*|s\[f \+ \d+\]")
"""Arguments that can be written once for each time that they are read."""
_PLAIN: Final = (
    typed.Constant,
    typed.OptionValue,
    typed.NamedConstant,
    typed.LocalValue,
    typed.RowPiece,
    typed.RowSpace,
    typed.Property,
    typed.FunctionCall,
    typed.Conditional,
    typed.Both,
    typed.Negation,
    typed.Comparison,
    typed.KindTest,
    typed.Arithmetic,
    typed.Minus,
    typed.ZoneSpaces,
    typed.VariableValue,
    typed.AttributeValue,
)
_CONTENTS: Final = ("empty", "count", "size")


def is_cheap(argument: str) -> bool:
    """Whether the text of an argument is as good as a name for its value."""
    return _CHEAP.fullmatch(argument) is not None


def operands(node: TExpression, operator: str) -> list[TExpression]:
    """The operands of `and`, or of `or`, in their order."""
    if isinstance(node, typed.Both) and node.operator == operator:
        return [*operands(node.left, operator), *operands(node.right, operator)]
    return [node]


def written_out(unit: Unit) -> tuple[str, list[TExpression], bool]:
    """The operator and those of its operands that are written out for a call, in order; and whether these are all of the function.

    None if there are none. A function that is no `and` or `or` is one operand.
    """
    value = unit.value
    if value is None or any(local.low is not None for local in unit.parameters):
        return "and", [], False
    operator = value.operator if isinstance(value, typed.Both) else "and"
    parts = operands(value, operator)
    bound = {id(local) for local, _ in unit.bindings}
    found: list[TExpression] = []
    room = _MOST_NODES
    for part in parts:
        size = _plain_nodes(part, bound)
        if size is None or size > room:
            break
        found.append(part)
        room -= size
    return operator, found, len(found) == len(parts)


def is_soon_done(unit: Unit) -> bool:
    """Whether a function that depends on its arguments alone is sooner evaluated than looked up: the key of several has to be made."""
    if len(unit.parameters) < 2 or unit.bindings or unit.value is None:
        return False
    size = _plain_nodes(unit.value, set())
    return size is not None and size <= _FIXED_NODES


def _plain_nodes(node: Any, bound: set[int]) -> int | None:
    """How many nodes an expression has, if it is made of plain ones that read no `let`; else None."""
    if isinstance(node, typed.LocalValue) and id(node.local) in bound:
        return None
    if isinstance(without_none(node.type), ListType | SetType):
        return None
    inside = children(node)
    if isinstance(node, typed.Membership):
        if not isinstance(node.collection, typed.NumberRange):
            return None
        inside = [node.element, node.collection.low, node.collection.high]
    elif isinstance(node, typed.BuiltinCall):
        match node.arguments:
            case (typed.Convert(form="pieces", operand=space), *rest) if node.entry.name in _CONTENTS and not any(rest):
                inside = [space]
            case _:
                return None
    elif not isinstance(node, _PLAIN) or (isinstance(node, typed.AttributeValue) and node.arguments is not None):
        return None
    total = 1
    for child in inside:
        size = _plain_nodes(child, bound) if isinstance(child, TExpression) else None
        if size is None:
            return None
        total += size
    return total
