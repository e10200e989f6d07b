"""Going through typed trees, whatever the nodes: for facts that depend on all of a spec."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import Any, TypeVar, cast

from gdl import typed
from gdl.nodes import names_of, parts_of

_Node = TypeVar("_Node")
_SKIPPED = ("span", "type", "entry", "declaration", "walked", "dependences", "children", "found")
_NODES = (
    typed.TExpression, typed.EachBody, typed.TStep, typed.TBlock, typed.TKeys, typed.TBinder, typed.TTemplate, typed.TEntry,
    typed.Unit, typed.PhaseInfo, typed.KindInfo, typed.ZoneInfo, typed.VariableInfo, typed.AttributeInfo, typed.RowInfo,
    typed.EndInfo, typed.ResultInfo, typed.HeuristicInfo, typed.TPlaceMeaning, typed.CheckedSpec,
)  # fmt: skip


def spec_nodes(spec: typed.CheckedSpec, kind: type[_Node]) -> Sequence[_Node]:
    """Every typed node of one class in a whole spec, which is gone through once, however many games are made of it."""
    if not spec.walked:
        for node in nodes_of(spec):
            spec.walked.setdefault(type(node), []).append(node)
    return spec.walked.get(kind, ())


def nodes_of(root: Any, instead: Callable[[Any], Any] | None = None) -> Iterator[Any]:
    """Every typed node reachable from a node, each once. `instead`: what is gone through for a node instead of its parts, if not None."""
    seen: set[int] = set()
    todo = [root]
    while todo:
        value = todo.pop()
        if isinstance(value, tuple | list):
            todo += reversed(value)
        elif isinstance(value, dict):
            todo += reversed(list(value.values()))
        elif value is not None:
            names = _followed(cast("Any", type(value)))
            if names is None or id(value) in seen:
                continue
            seen.add(id(value))
            yield value
            parts = instead(value) if instead is not None else None
            if parts is not None:
                todo.append(parts)
                continue
            todo += [getattr(value, name) for name in names]


@cache
def _followed(kind: type) -> tuple[str, ...] | None:
    """The fields of a class of nodes that are gone through, the last one first; none for what is no node."""
    return tuple(name for name in reversed(names_of(kind)) if name not in _SKIPPED) if issubclass(kind, _NODES) else None


def steps_of(value: Any) -> Iterator[typed.TStep]:
    """All steps inside a block or step, nested ones included, not those of called units."""
    if isinstance(value, typed.TBlock):
        for step in value.steps:
            yield step
            yield from steps_of(step)
        return
    if isinstance(value, tuple):
        for each in value:
            yield from steps_of(each)
        return
    if isinstance(value, typed.TStep | typed.TKeys):
        for name, inner in parts_of(value):
            if isinstance(inner, typed.TBlock | tuple | typed.TKeys):
                yield from steps_of(inner)
            elif isinstance(inner, typed.TStep) and name in ("value", "effect", "move"):
                yield inner
