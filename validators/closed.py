"""Zones that show a piece only if a variable of it says so, such as `visible: it.open`, where all pieces begin closed.

Which of them are open is known only where a rule asks; but unless the steps open pieces without a choice, some are closed for certain.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from gdl import typed
from gdl.typed import CheckedSpec, TExpression, VariableInfo
from gdl.validators.hidden import Hidden
from gdl.walk import nodes_of, spec_nodes

Flags = dict[str, tuple[VariableInfo, ...]]
"""By zone the variables of its pieces that say whether they are seen."""


def closed_zones(spec: CheckedSpec, is_chosen: Callable[[object], bool]) -> Flags:
    """The zones that certainly have closed pieces."""
    found: Flags = {}
    for zone in spec.zones.values():
        match zone.visible:
            case typed.VariableValue(target=typed.LocalValue(local=local), infos=infos):
                if local is zone.it and all(_begins_closed(spec, info) and not _opens(spec, info, is_chosen) for info in infos):
                    found[zone.name] = tuple(infos)
    return found


def unasked(flags: Flags, parts: Iterable[TExpression | None], hidden: Hidden) -> tuple[str, ...]:
    """The zones of which no part of some expressions asks whether a piece is open."""
    if not flags:
        return ()
    read: set[int] = set()
    todo: list[Any] = list(parts)
    seen: set[int] = set()
    while todo:
        for node in nodes_of(todo.pop()):
            if isinstance(node, typed.VariableValue):
                read.update(id(info) for info in node.infos)
            if isinstance(node, typed.LocalValue) and id(node.local) not in seen:
                seen.add(id(node.local))
                binding = hidden.bindings.get(node.local)
                todo += [] if binding is None else [binding.value]
    return tuple(zone for zone, infos in flags.items() if not any(id(info) in read for info in infos))


def _begins_closed(spec: CheckedSpec, info: VariableInfo) -> bool:
    kind = spec.kinds.get(info.holder.name)
    if kind is None or not (info.start is None or _is_false(info.start)):
        return False
    return not any(info.name in row.starts for row in kind.rows or ())


def _opens(spec: CheckedSpec, info: VariableInfo, is_chosen: Callable[[object], bool]) -> bool:
    """Whether steps may make the variable true of pieces that nobody chose."""

    def is_flag(target: object) -> bool:
        return isinstance(target, typed.VariableValue) and any(other is info for other in target.infos)

    return any(
        is_flag(step.target)
        and not _is_false(step.value)
        and not (isinstance(step.target, typed.VariableValue) and is_chosen(step.target.target))
        for step in spec_nodes(spec, typed.TAssign)
    ) or any(is_flag(step.first) or is_flag(step.second) for step in spec_nodes(spec, typed.TSwap))


def _is_false(value: object) -> bool:
    return isinstance(value, typed.Constant) and value.value == 0
