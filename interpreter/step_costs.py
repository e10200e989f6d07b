"""How much work steps, units and phases are at most, as `gdl.interpreter.costs` says it of expressions.

What is cut into instructions counts itself where it happens: each call, each round of a loop or phase, each turn, each chance event
charges what it does until the next such place. So none of these is part of the work of what it stands in.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import Any, Final

from gdl import typed, types
from gdl.interpreter.analysis import Analysis, analysis_of
from gdl.interpreter.costs import CALL, EFFECT, FREE, Costs
from gdl.typed import PhaseInfo, TExpression, Unit

ROUND: Final = 50
"""Work of a call, a round or a turn that is cut into instructions, beside what it does."""
EVENT: Final = 100
"""Work of a chance event, beside what lists its outcomes."""
_PIECE: Final = 60
"""Work of an effect for each element of the lists that it is given, such as a piece that moves."""
_WEIGHED: Final = 10
"""Work of a pick for each element of its list."""


class StepCosts(Costs):
    """The part of the emitter that knows how much work steps are."""

    @cached_property
    def flow(self) -> Analysis:
        """What waits and what causes what."""
        return analysis_of(self.plan.spec)

    # --- steps --------------------------------------------------------------------------------------------------------

    def _cost(self, node: Any) -> int:
        match node:
            case typed.TIf(condition=condition, then=then, otherwise=otherwise):
                return EFFECT + self.cost(condition) + max(self.cost(then), self.cost(otherwise))
            case typed.TMatch(subject=subject, cases=cases, otherwise=otherwise):
                tests = self.cost(subject) + sum(self.cost(key) for key, _ in cases)
                return EFFECT + tests + max(self.cost(block) for block in (*[block for _, block in cases], otherwise))
            case typed.TFor(source=source, body=body, local=local):
                self.lengths[local] = self.element_size(source)
                return CALL + self.cost(source) if self.flow.step_waits(node) else self.loop_cost(source, 1 + self.cost(body))
            case typed.TWhile() | typed.TRepeat():
                return CALL  # every round is counted
            case typed.TCall(unit=unit, arguments=arguments):
                inside = self.unit_cost(unit) if self.flow.native(unit) else 0
                return CALL + sum(self.cost(a) for a in arguments) + inside
            case typed.TPerform(cell=cell):
                return CALL + self.cost(cell)
            case typed.TTogether(players=players, body=body):
                return self.cost(players) + self.plan.players * (ROUND + self.cost(body))
            case typed.TDecide() | typed.TChoose():
                return self._decision_cost(node)
            case typed.TLet(local=local, value=TExpression() as value) if not local.assigned:
                self.lengths[local] = self.list_size(value)
                return CALL + self.cost(value)
            case typed.TEffect():
                return EFFECT + self.parts_cost(node) + self._lists_cost(node) + self._at_once
            case typed.TAssign() | typed.TSwap():
                return EFFECT + self.parts_cost(node) + self._at_once
            case typed.TRecord():
                return EFFECT + self.plan.size // 4
            case typed.TPlace():
                return 100 * EFFECT + self.parts_cost(node)
            case typed.TStep():
                return EFFECT + self.parts_cost(node)
        return super()._cost(node)

    def _decision_cost(self, step: typed.TDecide | typed.TChoose) -> int:
        """What is done on arrival, and what follows where nothing can be chosen; looking for moves is counted only there."""
        keys = step.keys
        follows = max(self.cost(keys.otherwise), self.cost(keys.passing))
        return EFFECT + sum(self.cost(each) for each in (keys.by, keys.lower, keys.upper)) + follows

    def search_cost(self, step: typed.TDecide | typed.TChoose) -> int:
        """The work of finding out that nothing can be chosen, as far as it is not counted, and of the test of the game's end before."""
        if isinstance(step, typed.TChoose):
            work = self.rounds_of(step.binders, step.guard)[1]
        else:
            actions = [action for entry in step.entries for action in typed.members(entry)]
            work = sum(EFFECT + self.cost(a.before) + self.rounds_of(a.choices, a.guard)[1] for a in actions)
        seats = self.plan.players if step.keys.by is not None and isinstance(step.keys.by.type, types.ListType) else 1
        return ROUND + seats * work + self.end_cost("decision")

    def _lists_cost(self, step: typed.TEffect) -> int:
        """The work for what an effect goes through, as far as it is neither counted nor chance events."""
        if step.entry.random:
            return 4 * self.room_of(step.arguments[0]) if step.entry.name == "shuffle" else 0
        work = self.piece_work(step)
        lists = [a for a in step.arguments if isinstance(a, TExpression) and self.is_list(a) and not self.must_count(a, work)]
        return work * sum(self.list_size(a) or 0 for a in lists)

    def piece_work(self, step: typed.TEffect) -> int:
        """The work of an effect for each element of a list."""
        return _PIECE + self._deepest_stack // 8 + 2 * len(self.flow.caused_by(step))

    def listed(self, node: TExpression, text: str, work: int) -> str:
        """The text of a value that an effect goes through if it is a list, counted if need be."""
        return self.at(node, f"metered({text}, {work})") if self.is_list(node) and self.must_count(node, work) else text

    @cached_property
    def _deepest_stack(self) -> int:
        """The most pieces that lie on a stack of any zone."""
        return max((self.room(zone) for zone in self.plan.zones.values() if zone.stack), default=0)

    # --- chance -------------------------------------------------------------------------------------------------------

    def room_of(self, stack: TExpression) -> int:
        """The most pieces in a space that an expression may be."""
        return max((self.room(zone) for zone in self.zones_of(stack.type)), default=0)

    def settle_cost(self, stack: TExpression) -> int:
        """The work of finding out what lies on top."""
        return EVENT + 2 * self.room_of(stack)

    def draw_cost(self, stack: TExpression) -> int:
        """The same with taking it and, of an empty stack, filling it again."""
        refills = any(zone.info.refill is not None for zone in self.zones_of(stack.type))
        return self.settle_cost(stack) + (4 * self.room_of(stack) if refills else 0)

    def pick_cost(self, source: TExpression) -> int:
        """The work of one pick from a list, as far as it is not counted."""
        size = 0 if self.must_count(source, _WEIGHED) else self.list_size(source) or 0
        return EVENT + 2 * self.cost(source) + _WEIGHED * size

    def picked(self, source: TExpression, text: str) -> str:
        """The text of a list that is picked from, counted if need be."""
        return self.listed(source, text, _WEIGHED)

    # --- units --------------------------------------------------------------------------------------------------------

    def call_cost(self, unit: Unit) -> int:
        """The work of one call of a unit that is cut into instructions, up to where it counts itself."""
        when = unit.when if isinstance(unit, typed.TriggerInfo) else None
        return ROUND + self.cost(when) + self.body_cost(unit)

    def perform_cost(self, units: Iterable[Unit]) -> int:
        """The same where one of several effect cells is carried out."""
        return max((self.call_cost(unit) for unit in units), default=ROUND)

    # --- phases -------------------------------------------------------------------------------------------------------

    def round_cost(self, info: PhaseInfo) -> int:
        """The work of one round of a phase, without turns, and without rounds of phases in it, which count themselves."""
        inside = self.cost(info.start) if info.seat is not None else self.cost(info.body) + sum(map(self._phase_cost, info.phases))
        order = info.order if isinstance(info.order, TExpression) else None
        return ROUND + self.cost(info.until) + self.cost(order) + inside

    def turn_cost(self, info: PhaseInfo) -> int:
        """The work of one turn."""
        ends = self.end_cost("decision") + self.end_cost("turn_end")
        return ROUND + self.cost(info.until) + self.plan.players * (CALL + self.cost(info.skip)) + self.cost(info.body) + ends

    def _phase_cost(self, info: PhaseInfo) -> int:
        """The work of going through a phase, as far as it does not count itself."""
        ends = self.end_cost("decision") + self.end_cost("end", info.name)
        once = ROUND + self.cost(info.when) + self.cost(info.loop) + ends
        counts_itself = info.loop is not None or (info.until is not None and info.seat is None)
        return once if counts_itself else once + self.round_cost(info)

    def end_cost(self, moment: str, phase: str = "") -> int:
        """The work of testing the entries of `end` that are due at a moment."""
        found = 0
        for entry in self.plan.spec.end:
            declared = entry.declaration
            of_phase = declared.phase is None or not phase or declared.phase.name == phase
            if declared.check == moment and of_phase:
                found += self.cost(entry.when) + self.cost(entry.players)
        return found

    @cached_property
    def _at_once(self) -> int:
        """The work of the tests that follow each effect, unless these count themselves."""
        self.__dict__["_at_once"] = 0  # what is tried by `after` in such a test is not part of itself
        return min(self.end_cost("at_once"), FREE)
