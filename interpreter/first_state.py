"""The first state: every variable at its start, every piece where `at:` says. Wrong starts are diagnostics with their place."""

from __future__ import annotations

from typing import Any

from gdl import typed
from gdl.interpreter import cells as c
from gdl.interpreter.control import store_list, store_set
from gdl.interpreter.faults import RuleFault, problem
from gdl.interpreter.numbering import KindPlan
from gdl.interpreter.plan import VariablePlan
from gdl.interpreter.setup import Setup
from gdl.typed import Local, TExpression
from gdl.values import NONE


class FirstState:
    """Fills in the cells of variables and pieces, for one set-up."""

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self.plan = setup.plan

    def cells(self, size: int) -> list[int]:
        """So many cells, those of variables and pieces filled in. Raises SpecError where a start can't be."""
        s = [0] * size
        s[c.PHASE] = -1
        s[c.NEXT] = NONE
        for info, plan in self.plan.variables.items():
            self._start_variable(s, info, plan)
        for kind in self.plan.kinds.values():
            if kind.is_placed:
                self._place_pieces(s, kind)
        return s

    def _start_variable(self, s: list[int], info: typed.VariableInfo, plan: VariablePlan) -> None:
        lists = [self.setup.key_values(d) for d in info.per]
        for owner in range(plan.owners):
            node = self._row_start(info, plan, owner) or info.start
            for index in range(plan.key_count):
                first = plan.first + (owner * plan.key_count + index) * plan.width
                known: dict[Local, Any] = {}
                if info.this is not None:
                    known[info.this] = plan.owner_base + owner
                if info.seat is not None and lists:
                    inner = plan.key_count // len(lists[0])
                    known[info.seat] = lists[0][index // inner]
                self._write_start(s, info, plan, first, node, known)

    def _row_start(self, info: typed.VariableInfo, plan: VariablePlan, owner: int) -> TExpression | None:
        """The start that a piece's or space's row gives."""
        number = plan.owner_base + owner
        if info.holder.form == "kind":
            kind = self.plan.kinds[info.holder.name]
            row = kind.rows[number - kind.base]
        elif info.holder.form == "zone":
            zone = self.plan.zones[info.holder.name]
            row = zone.rows[(number - zone.base) % zone.per_copy] if zone.rows else None
        else:
            return None
        return row.starts.get(info.name) if row is not None else None

    def _write_start(
        self,
        s: list[int],
        info: typed.VariableInfo,
        plan: VariablePlan,
        first: int,
        node: TExpression | None,
        known: dict[Local, Any],
    ) -> None:
        if node is None:
            if info.domain.form not in ("set", "list"):
                s[first] = NONE if info.domain.none else 0
            return
        value = self.setup.again(node, known)
        if info.domain.form == "set":
            store_set(s, first, value >> plan.shift, plan.width)
        elif info.domain.form == "list":
            store_list(s, first, value, plan.width - 1)
        else:
            if info.domain.form == "range" and not (info.domain.none and value == NONE) and not plan.low <= value <= plan.high:
                raise problem(
                    "fault-range",
                    node.span,
                    f"`{info.name}` starts at {value}, which is outside {plan.low}..{plan.high}",
                )
            s[first] = int(value)

    def _place_pieces(self, s: list[int], kind: KindPlan) -> None:
        for place in range(kind.count):
            piece = kind.base + place
            row = kind.rows[place]
            node = row.at if row is not None and row.at is not None else kind.info.at
            if node is None:
                raise problem("missing-key", kind.info.declaration.span, f"a {kind.info.name} has no place at the start")
            space = self.setup.again(node, {kind.info.this: piece} if kind.info.this is not None else {})
            if isinstance(space, tuple):
                space = space[kind.numbers[place] % len(space)] if space else NONE
            if space == NONE:
                raise problem("fault-none", node.span, f"a {kind.info.name} lies nowhere: `at:` is none")
            try:
                self.plan.mover.put(s, piece, int(space))
            except RuleFault as fault:
                raise problem(fault.code, node.span, fault.message) from None
