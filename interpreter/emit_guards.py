"""Guards in two parts: what is quickly tested, and what tries an effect on a copy of the state."""

from __future__ import annotations

from gdl import typed
from gdl.nodes import changed
from gdl.typed import TExpression
from gdl.walk import nodes_of


def split_guard(guard: TExpression | None) -> tuple[TExpression | None, TExpression | None]:
    """The conditions of a guard before the first that tries an effect, and those from there on."""
    if guard is None or not _tries(guard):
        return guard, None
    if isinstance(guard, typed.Both) and guard.operator == "and":
        cheap, costly = split_guard(guard.left)
        if costly is None:
            cheap, costly = split_guard(guard.right)
            return _both(guard, guard.left, cheap), costly
        return cheap, _both(guard, costly, guard.right)
    return None, guard


def _both(like: typed.Both, left: TExpression | None, right: TExpression | None) -> TExpression | None:
    return changed(like, left=left, right=right) if left is not None and right is not None else left or right


def _tries(node: TExpression) -> bool:
    return any(isinstance(n, typed.After) for n in nodes_of(node))
