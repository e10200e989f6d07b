"""Which rules run: the compiled functions of one game, wrapped so that each tells a callback its rule and the place of it.

Only a game that is traced pays for it: nothing of it is in the engine. What is merely tried (`after`, the search for legal
moves) is not reported, since it happens in copies of the state or changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from gdl import typed
from gdl.interpreter import cells as c
from gdl.interpreter.choices import Decision
from gdl.interpreter.errors import GameFault
from gdl.interpreter.game import Game
from gdl.source import Span

Report = Callable[[str, Span], None]
"""Is told the rule, such as `trigger clock_strikes`, and where it stands."""


class Tracer:
    """Traces all matches of a game from now on. It can't be taken off again: make another game to play without it."""

    def __init__(self, game: Game, report: Report) -> None:
        self.game = game
        self.report = report
        self._running: list[int] | None = None
        self._phase = -1
        self._wrap_instructions()
        self._wrap_decisions()
        self._wrap_functions()

    # --- instructions -------------------------------------------------------------------------------------------------

    def _wrap_instructions(self) -> None:
        """The first instruction of a unit names the unit; any of them notices that another phase runs."""
        build = self.game.build
        numbers = build.builder.numbers
        units: dict[int | None, typed.Unit | None] = {numbers.get(f"entry:{label}"): u for u, label in build.builder.entries.items()}
        units[numbers.get("setup.start")] = build.spec.setup
        for number, function in enumerate(build.code):
            unit = units.get(number)
            is_named_elsewhere = unit is not None and unit.form in ("action", "phases")
            build.code[number] = self._instruction(function, None if is_named_elsewhere else unit)

    def _instruction(self, function: Callable[..., Any], unit: typed.Unit | None) -> Callable[..., Any]:
        def run(s: list[int], frame: int) -> Any:
            self._look(s)
            if unit is not None:
                self._report_unit(unit)
            return function(s, frame)

        return run

    def _look(self, s: list[int]) -> None:
        """Name the phase if it is another than before."""
        self._running = s
        number = s[c.PHASE]
        if number != self._phase:
            self._phase = number
            if 0 <= number < len(self.game.build.records):
                record = self.game.build.records[number]
                self.report(f"phase {record.path}", record.info.declaration.span)

    def _report_unit(self, unit: typed.Unit) -> None:
        self.report(unit.form if unit.form == "setup" else f"{unit.form} {unit.name}", unit.span)

    # --- moves --------------------------------------------------------------------------------------------------------

    def _wrap_decisions(self) -> None:
        """A move names its action, or the step at which it was chosen."""
        for decision in self.game.build.builder.decisions:
            decision.enter = [self._entering(decision, place, function) for place, function in enumerate(decision.enter)]

    def _entering(self, decision: Decision, place: int, function: Callable[..., Any]) -> Callable[..., Any]:
        alternative = decision.alternatives[place]
        action = self.game.context.spec.actions.get(alternative.name) if alternative.form == "action" else None
        rule = f"{alternative.form} {alternative.name}" if alternative.name != alternative.form else alternative.name
        span = decision.span if action is None else action.span

        def run(s: list[int], *values: Any) -> Any:
            self._look(s)
            self.report(rule, span)
            return function(s, *values)

        return run

    # --- functions ----------------------------------------------------------------------------------------------------

    def _wrap_functions(self) -> None:
        """Procedures and triggers that are one function each, and the entries of `end`."""
        build = self.game.build
        namespace = build.module.namespace
        for name, procedure in self.game.context.spec.procedures.items():
            if f"P_{name}" in namespace:
                namespace[f"P_{name}"] = self._procedure(namespace[f"P_{name}"], procedure)
        for trigger in build.analysis.triggers:
            if f"T_{trigger.name}" in namespace:
                namespace[f"T_{trigger.name}"] = self._trigger(namespace[f"T_{trigger.name}"], trigger)
        for moment, name in [("", "end_reached"), *build.builder.end_moments.items()]:
            if name in namespace:
                namespace[name] = self._end(namespace[name], self._entries_of(moment))

    def _procedure(self, function: Callable[..., Any], unit: typed.Unit) -> Callable[..., Any]:
        def run(s: list[int], *values: Any) -> Any:
            if s is self._running:
                self._report_unit(unit)
            return function(s, *values)

        return run

    def _trigger(self, function: Callable[..., Any], trigger: typed.TriggerInfo) -> Callable[..., Any]:
        """A trigger's function tests its condition itself; here it is tested once more, to report only what runs."""

        def run(s: list[int], seat: int, *values: Any) -> Any:
            if s is self._running and self._fires(s, trigger, seat, values):
                self._report_unit(trigger)
            return function(s, seat, *values)

        return run

    def _fires(self, s: list[int], trigger: typed.TriggerInfo, seat: int, values: tuple[Any, ...]) -> bool:
        if trigger.when is None:
            return True
        known: dict[typed.Local, Any] = dict(zip(trigger.locals.values(), values, strict=True))
        if trigger.player is not None:
            known[trigger.player] = seat
        try:
            return bool(self.game.evaluate(trigger.when, s, known))
        except GameFault:
            return True  # the function itself will fail in the same way, with its own place

    # --- the end ------------------------------------------------------------------------------------------------------

    def _entries_of(self, moment: str) -> list[typed.EndInfo]:
        """The entries of `end` that are tested at a moment, in the builder's words."""
        found = []
        for entry in self.game.context.spec.end:
            check = entry.declaration.check
            if check == "end" and entry.declaration.phase is not None:
                check = f"end:{entry.declaration.phase.name}"
            if check == (moment or "decision"):
                found.append(entry)
        return found

    def _end(self, function: Callable[..., Any], entries: list[typed.EndInfo]) -> Callable[..., Any]:
        def run(s: list[int]) -> Any:
            reached = function(s)
            if reached and s is self._running:
                self._report_end(s, entries)
            return reached

        return run

    def _report_end(self, s: list[int], entries: list[typed.EndInfo]) -> None:
        for entry in entries:
            if self.game.evaluate(entry.when, s):
                self.report("end", entry.when.span)
                return
