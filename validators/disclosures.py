"""Where a spec shows hidden pieces: by `reveal`, by moving them to where others see them, or by laying seen pieces among them.

A piece that has left its zone for one that all see says nothing of those that are still there. So moving pieces counts only where it may
come before others see what is told: in the same steps, or in those of a phase or trigger, which nobody has to choose. A piece that is
revealed stays where it is, so `reveal` without a choice counts wherever it is written.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from attrs import define, field, frozen

from gdl import typed
from gdl.typed import CheckedSpec, TExpression, TStep, Unit
from gdl.validators.closed import Flags, closed_zones
from gdl.validators.hidden import Binding, Hidden, bindings
from gdl.validators.returns import Returns
from gdl.walk import spec_nodes, steps_of

Running = Unit | typed.PhaseInfo
"""What has steps."""
_SHOWS_NOTHING = ("shuffle", "roll", "log", "pick")
_HIDING = ("none", "owner")


@frozen(eq=False)
class _Own:
    """The steps of a unit; those without what follows a decision that is not made; the units that it calls, and those that it offers."""

    steps: tuple[TStep, ...]
    going_on: tuple[TStep, ...]
    calls: tuple[Unit, ...]
    offers: tuple[Unit, ...]


@define(eq=False)
class Disclosures:
    """Answers for one spec.

    `revealed`: zones whose pieces are revealed somewhere; `shown`: those of which that may be any piece, or to which pieces come that
    were seen before; `leaving`: those whose pieces get to where others see them in steps that nobody chooses; `closed`: see there.
    """

    spec: CheckedSpec
    hidden: Hidden = field(init=False)
    revealed: set[str] = field(factory=set)
    shown: set[str] = field(factory=set)
    leaving: set[str] = field(factory=set)
    units: dict[Running, _Own] = field(factory=dict)
    closed: Flags = field(init=False)
    _shown_in: dict[Running, set[str]] = field(factory=dict)
    _related: dict[Running, list[Running]] = field(factory=dict)
    _ends: dict[Running, bool] = field(factory=dict)
    _callers: dict[Running, list[Running]] = field(factory=dict)

    def __attrs_post_init__(self) -> None:
        self.hidden = Hidden(self.spec, bindings(self.spec))
        self.closed = closed_zones(self.spec, self._is_chosen)
        effects = tuple(unit for row in spec_nodes(self.spec, typed.RowInfo) for unit in row.effects.values())
        for unit in running(self.spec):
            self.units[unit] = _own(unit, effects)
        automatic: dict[Running, None] = {}
        for unit, own in self.units.items():
            for other in dict.fromkeys((*own.calls, *own.offers)):
                self._callers.setdefault(other, []).append(unit)
            here = self._shown_in[unit] = set()
            for step in own.steps:
                self._note(step, here)
            if isinstance(unit, typed.PhaseInfo | typed.TriggerInfo):
                for reached in _closure([unit], lambda each: self.units[each].calls if each in self.units else ()):
                    automatic.setdefault(reached)
        for running_unit in automatic:
            self.leaving |= self._shown_in.get(running_unit, set())
        self.shown |= Returns(self.spec, self.hidden).zones(own.steps for own in self.units.values())

    def _note(self, step: TStep, here: set[str]) -> None:
        match step:
            case typed.TMoveRandom(effect=effect, move=move):
                here |= set() if self._hides(move.arguments[1]) else self._zones(effect.arguments[-1])
            case typed.TEffect(entry=entry, arguments=arguments) if entry.name not in _SHOWS_NOTHING and not entry.control:
                for value in self._shown_by(entry.name, arguments):
                    zones = self._zones(value)
                    here |= zones
                    if entry.name == "reveal":
                        self.revealed |= zones
                        if not self._is_chosen(value):
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
        """Whether pieces that lie in a zone may have been shown, or are shown before others see what a unit does."""
        return zone in self.shown or zone in self.leaving or any(zone in self._shown_in.get(other, ()) for other in self.related(unit))

    def ends(self, unit: Running) -> bool:
        """Whether the game may end in the same steps: then nothing is secret any more.

        What happens if a player passes or has nothing to choose is another way to go on, with steps of its own.
        """
        if unit not in self._ends:
            above = _closure([unit], lambda other: self._callers.get(other, ()))
            reached = _closure(above, lambda other: calls_in(self.units[other].going_on) if other in self.units else ())
            self._ends[unit] = any(ends_game(self.units[other].going_on) for other in reached if other in self.units)
        return self._ends[unit]

    def may_end(self, block: typed.TBlock | None) -> bool:
        """Whether steps, or those that they call, end the game."""
        steps = tuple(steps_of(block))
        called = _closure(calls_in(steps), lambda other: self.units[other].calls if other in self.units else ())
        return ends_game(steps) or any(ends_game(self.units[other].steps) for other in called if other in self.units)

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
    calls = calls_in(steps)
    if any(isinstance(step, typed.TPerform) for step in steps):
        calls += effects
    decisions = [step for step in steps if isinstance(step, typed.TDecide)]
    choices = [step for step in steps if isinstance(step, typed.TChoose)]
    group = unit.group if isinstance(unit, typed.ActionInfo) else None
    if group is not None:
        decisions.append(group)
    offers = [action for decision in decisions for entry in decision.entries for action in (entry.action, *typed.members(entry))]
    unmade = {
        id(step)
        for keys in (*(decision.keys for decision in decisions), *(choice.keys for choice in choices))
        for block in (keys.passing, keys.otherwise)
        for step in steps_of(block)
    }
    going_on = tuple(step for step in steps if id(step) not in unmade)
    return _Own(steps, going_on, tuple(dict.fromkeys(calls)), tuple(dict.fromkeys(offers)))


def calls_in(steps: Iterable[TStep]) -> list[Unit]:
    """The procedures that steps call."""
    return [step.unit for step in steps if isinstance(step, typed.TCall)]


def ends_game(steps: Iterable[TStep]) -> bool:
    """Whether one of some steps ends the game."""
    return any(isinstance(step, typed.TControl) and step.form in ("win", "lose", "tie", "end_game") for step in steps)


def _closure(start: Iterable[Running], following: Callable[[Running], Iterable[Running]]) -> list[Running]:
    found = list(start)
    for unit in found:
        found += [other for other in dict.fromkeys(following(unit)) if other not in found]
    return found
