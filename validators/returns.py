"""Zones to which pieces come back that were seen: what lies there is then no secret for certain."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final

from attrs import frozen

from gdl import typed
from gdl.typed import CheckedSpec, TStep
from gdl.validators.hidden import Hidden

_HIDING: Final = ("none", "owner")


@frozen(eq=False)
class Returns:
    """Answers for one spec."""

    spec: CheckedSpec
    hidden: Hidden

    def zones(self, units: Iterable[tuple[TStep, ...]]) -> set[str]:
        """The zones to which seen pieces come, in the steps of any unit that does not shuffle them as well.

        Where pieces lie side by side, those that come from hidden places still are a secret among those that were seen.
        """
        seen: set[str] = set()
        unseen: set[str] = set()
        for steps in units:
            shuffled = {zone for step in steps for zone in self._shuffled(step)}
            for source, target in (pair for step in steps for pair in _moves(step)):
                to = self._zone(target)
                if to is None:
                    continue
                if self._zone(source) is not None:
                    unseen.add(to)
                elif to not in shuffled:
                    seen.add(to)
        return {zone for zone in seen if zone not in unseen or self.spec.zones[zone].declaration.stack}

    def _shuffled(self, step: TStep) -> Iterator[str]:
        if isinstance(step, typed.TEffect) and step.entry.name == "shuffle":
            lie = self.hidden.lie(step.arguments[0])
            if lie is not None:
                yield lie.zone

    def _zone(self, node: object) -> str | None:
        """The hidden zone of pieces or spaces."""
        lie = self.hidden.lie(node)
        return lie.zone if lie is not None and self.spec.zones[lie.zone].visible in _HIDING else None


def _moves(step: TStep) -> Iterator[tuple[Any, Any]]:
    """What a step moves, and where to."""
    match step:
        case typed.TMoveRandom(effect=effect, move=move):
            yield effect.arguments[-1], move.arguments[1]
        case typed.TEffect(entry=entry, arguments=arguments) if entry.name == "move":
            yield arguments[0], arguments[1]
        case typed.TEffect(entry=entry, arguments=arguments) if entry.name in ("draw", "deal"):
            yield arguments[1], arguments[2]
        case typed.TEffect(entry=entry, arguments=(first, second, *_)) if entry.name == "swap":
            yield from ((first, second), (second, first))
