"""Where a spec shows hidden pieces: by `reveal`, or by moving them to where others see them.

What is shown anywhere in a spec is left alone by the rules about secrets, unless it is only a chosen piece and elsewhere: a piece that was
shown is no secret, and a spec that shows pieces knows what it does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from attrs import define, field, frozen

from gdl import typed
from gdl.typed import CheckedSpec, TExpression, TStep, Unit
from gdl.validators.hidden import Binding, Hidden, bindings
from gdl.walk import spec_nodes, steps_of

Running = Unit | typed.PhaseInfo
"""What has steps."""
_SHOWS_NOTHING = ("shuffle", "roll", "log", "pick")
_HIDING = ("none", "owner")


@frozen(eq=False)
class _Own:
    """The steps of a unit; the units that it calls, and those among whose actions it lets somebody choose."""

    steps: tuple[TStep, ...]
    calls: tuple[Unit, ...]
    offers: tuple[Unit, ...]


@define(eq=False)
class Disclosures:
    """Answers for one spec. `revealed`: zones whose pieces are revealed somewhere; `shown`: whose pieces get to where all see them."""

    spec: CheckedSpec
    hidden: Hidden = field(init=False)
    revealed: set[str] = field(factory=set)
    shown: set[str] = field(factory=set)
    units: dict[Running, _Own] = field(factory=dict)
    _chosen: dict[Running, set[str]] = field(factory=dict)
    _related: dict[Running, list[Running]] = field(factory=dict)
    _callers: dict[Running, list[Running]] = field(factory=dict)

    def __attrs_post_init__(self) -> None:
        self.hidden = Hidden(self.spec, bindings(self.spec))
        effects = tuple(unit for row in spec_nodes(self.spec, typed.RowInfo) for unit in row.effects.values())
        for unit in running(self.spec):
            self.units[unit] = _own(unit, effects)
        for unit, own in self.units.items():
            for other in dict.fromkeys((*own.calls, *own.offers)):
                self._callers.setdefault(other, []).append(unit)
            self._chosen[unit] = set()
            for step in own.steps:
                self._note(step, self._chosen[unit])

    def _note(self, step: TStep, chosen: set[str]) -> None:
        match step:
            case typed.TMoveRandom():
                self.shown |= set(self.spec.zones)
            case typed.TEffect(entry=entry, arguments=arguments) if entry.name not in _SHOWS_NOTHING and not entry.control:
                for value in self._shown_by(entry.name, arguments):
                    zones = self._zones(value)
                    if entry.name == "reveal":
                        self.revealed |= zones
                    if self._is_chosen(value):
                        chosen |= zones
                    else:
                        self.shown |= zones

    def _shown_by(self, name: str, arguments: tuple[Any, ...]) -> Iterator[Any]:
        """What an effect may bring to where others see it."""
        match name:
            case "move":
                yield from () if self._hides(arguments[1]) else (arguments[0],)
            case "draw" | "deal":
                yield from () if self._hides(arguments[2]) else (arguments[1],)
            case "reveal":
                yield arguments[0]
            case _:
                yield from (argument for argument in arguments if isinstance(argument, TExpression))

    def _hides(self, place: object) -> bool:
        lie = self.hidden.lie(place)
        return lie is not None and self.spec.zones[lie.zone].visible in _HIDING

    def _zones(self, value: object) -> set[str]:
        lie = self.hidden.lie(value)
        return set(self.spec.zones) if lie is None else {lie.zone}

    def _is_chosen(self, value: object) -> bool:
        """Whether something is what a player chose."""
        while isinstance(value, typed.Convert | typed.MakeList):
            value = value.operand if isinstance(value, typed.Convert) else value.items[0] if len(value.items) == 1 else None
        if not isinstance(value, typed.LocalValue):
            return False
        binding: Binding | None = self.hidden.bindings.get(value.local)
        return binding is not None and not binding.earlier

    # --- what runs together -------------------------------------------------------------------------------------------

    def shows(self, zone: str, unit: Running) -> bool:
        """Whether pieces of a zone may be shown in the same steps as a unit's, or anywhere without a choice."""
        return zone in self.shown or any(zone in self._chosen[other] for other in self.related(unit))

    def ends(self, unit: Running) -> bool:
        """Whether the game may end in the same steps: then nothing is secret any more."""
        steps = (step for other in self.related(unit) for step in self.units[other].steps)
        return any(isinstance(step, typed.TControl) and step.form in ("win", "lose", "tie", "end_game") for step in steps)

    def related(self, unit: Running) -> list[Running]:
        """Units that may run in the same steps: what leads to a unit, and what all those call."""
        if unit not in self._related:
            above = _closure([unit], lambda other: self._callers.get(other, ()))
            self._related[unit] = _closure(above, lambda other: self.units[other].calls if other in self.units else ())
        return self._related[unit]


def running(spec: CheckedSpec) -> list[Running]:
    """Everything in a spec that has steps."""
    found: list[Running] = [] if spec.setup is None else [spec.setup]
    found += [*spec.procedures.values(), *spec.actions.values(), *spec.triggers, *spec_nodes(spec, typed.PhaseInfo)]
    found += [unit for row in spec_nodes(spec, typed.RowInfo) for unit in row.effects.values()]
    return list(dict.fromkeys(found))


def _own(unit: Running, effects: tuple[Unit, ...]) -> _Own:
    steps = tuple(steps_of(unit.body)) if unit.body is not None else ()
    calls = [step.unit for step in steps if isinstance(step, typed.TCall)]
    if any(isinstance(step, typed.TPerform) for step in steps):
        calls += effects
    decisions = [step for step in steps if isinstance(step, typed.TDecide)]
    group = unit.group if isinstance(unit, typed.ActionInfo) else None
    if group is not None:
        decisions.append(group)
    offers = [action for decision in decisions for entry in decision.entries for action in (entry.action, *typed.members(entry))]
    return _Own(steps, tuple(dict.fromkeys(calls)), tuple(dict.fromkeys(offers)))


def _closure(start: Iterable[Running], following: Callable[[Running], Iterable[Running]]) -> list[Running]:
    found = list(start)
    for unit in found:
        found += [other for other in dict.fromkeys(following(unit)) if other not in found]
    return found
