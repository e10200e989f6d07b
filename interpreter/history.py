"""Histories: records of what a position was, for repetition rules.

A record is 64 bits: the sum of the mixed facts of the zones and variables that the history is of, alike pieces not told apart. A
history's cells are the number of records, then the records, the oldest first (with `wrap`, a ring).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from attrs import define

from gdl.interpreter.faults import RuleFault
from gdl.interpreter.hashing import FACTS, fact, place_in, variables_of
from gdl.interpreter.numbering import ZonePlan
from gdl.interpreter.plan import Plan, VariablePlan
from gdl.typed import VariableInfo

State = list[int]
_MASK = (1 << 64) - 1


@define(eq=False)
class History:
    """One history at run time: the variables and zones it is of, whether the acting player counts, where its records lie."""

    name: str
    variables: list[VariablePlan]
    zones: list[ZonePlan]
    player: bool
    first: int
    keep: int
    wrap: bool


class Histories:
    """Records and compares positions, for one game."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.all: dict[str, History] = {}
        self._names: dict[ZonePlan, tuple[tuple[int, int], ...]] = {}

    def add(self, name: str, parts: tuple[VariableInfo | str, ...], first: int, keep: int, wrap: bool) -> None:
        """Take a history in."""
        variables = [self.plan.variables[p] for p in parts if isinstance(p, VariableInfo)]
        zones = [self.plan.zones[p] for p in parts if isinstance(p, str) and p in self.plan.zones]
        for zone in zones:
            variables += [self.plan.variables[v] for v in zone.info.variables.values()]
        self.all[name] = History(name, variables, zones, "player" in parts, first, keep, wrap)

    def functions(self) -> dict[str, Callable[..., Any]]:
        """What emitted text calls."""
        return {"record": self.record, "forget": self.forget, "seen": self.seen}

    def position(self, history: History, s: State, player: int) -> int:
        """The present position, as a record."""
        total = fact(4, player) if history.player else 0
        for variable in history.variables:
            for cell in range(variable.first, variable.first + variable.cells):
                if s[cell]:
                    total += fact(5, cell, s[cell])
        for zone in history.zones:
            total += self._contents(zone, s)
        return total & _MASK

    def _contents(self, zone: ZonePlan, s: State) -> int:
        plan, total = self.plan, 0
        at, faces, first, end, stack = plan.at, plan.faces, zone.base, zone.end, zone.stack
        for piece, who in self._held(zone):
            space = s[at + piece]
            if first <= space < end:
                place = place_in(zone, s, space, piece) if stack else 0
                total += FACTS[6, space, place, who, s[faces + piece] if faces else 0, *variables_of(plan, s, piece)]
        return total

    def _held(self, zone: ZonePlan) -> tuple[tuple[int, int], ...]:
        """The pieces that a zone may hold, and what stands for each: its class, if its kind may have alike pieces."""
        if zone not in self._names:
            plan = self.plan
            alike = [plan.kind_of_piece[piece].info.name in plan.alike for piece in zone.holdable]
            self._names[zone] = tuple((p, plan.alike_class[p] if a else -p - 1) for p, a in zip(zone.holdable, alike, strict=True))
        return self._names[zone]

    def record(self, s: State, name: str, player: int) -> None:
        """Add the present position."""
        history = self.all[name]
        first, count = history.first, s[history.first]
        if count == history.keep:
            if not history.wrap:
                raise RuleFault("fault-size", f"the history `{name}` keeps {history.keep} records, and it is full")
            s[first + 1 : first + 1 + count] = [*s[first + 2 : first + 1 + count], 0]
            count -= 1
        s[first + 1 + count] = self.position(history, s, player)
        s[first] = count + 1

    def forget(self, s: State, name: str) -> None:
        """Drop all records."""
        history = self.all[name]
        first, count = history.first, s[history.first]
        s[first : first + 1 + count] = [0] * (1 + count)

    def seen(self, s: State, name: str, player: int, last: int | None) -> int:
        """How many records (the last ones only, if a number is given) are equal to the present position."""
        history = self.all[name]
        first, count = history.first, s[history.first]
        start = 0 if last is None else max(0, count - last)
        return s[first + 1 + start : first + 1 + count].count(self.position(history, s, player))
