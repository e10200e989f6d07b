"""Diagrams: rows of characters put pieces on spaces, or set the variables of spaces."""

from __future__ import annotations

from typing import Any

from gdl import typed
from gdl.check_place import EMPTY, symbols_of
from gdl.interpreter.emit import Emitter
from gdl.interpreter.faults import RuleFault
from gdl.interpreter.numbering import KindPlan, ZonePlan
from gdl.interpreter.plan import Plan
from gdl.values import NONE


class Diagrams:
    """Carries out `place:` steps, for one game."""

    def __init__(self, plan: Plan, emitter: Emitter) -> None:
        self.plan = plan
        self.emitter = emitter

    def place(self, s: list[int], step: typed.TPlace) -> None:
        """Empty each zone of the diagram (what stood there goes back to where its kind starts), then fill it.

        Pieces are taken from where they lie outside the zone, in the order of their numbers.
        """
        for name, _, rows in step.rows:
            zone = self.plan.zones[name]
            used: set[int] = set()
            self._empty(s, zone)
            for row, line in enumerate(rows):
                for column, letter in enumerate(symbols_of(line)):
                    if letter in EMPTY:
                        continue
                    self._put(s, zone, row, column, step.legend[letter], used)

    def _empty(self, s: list[int], zone: ZonePlan) -> None:
        for piece in range(self.plan.piece_count):
            kind = self.plan.kind_of_piece[piece]
            if kind.info.at is not None and zone.base <= s[self.plan.at + piece] < zone.end:
                home = self.emitter.evaluate(kind.info.at, {kind.info.this: piece} if kind.info.this is not None else {})
                if isinstance(home, int) and not zone.base <= home < zone.end:
                    self.plan.mover.move(s, piece, home)

    def _put(self, s: list[int], zone: ZonePlan, row: int, column: int, meaning: typed.TPlaceMeaning, used: set[int]) -> None:
        space = self._space(zone, row, column)
        if not meaning.kind:
            for info, node in meaning.values:
                self._set(s, info, space, self.emitter.evaluate(node))
            return
        piece = self._spare(self.plan.kinds[meaning.kind], meaning, used)
        used.add(piece)
        self.plan.mover.move(s, piece, space)
        for info, node in meaning.values:
            if isinstance(info, typed.VariableInfo):
                self._set(s, info, piece, self.emitter.evaluate(node))

    def _space(self, zone: ZonePlan, row: int, column: int) -> int:
        coordinates = zone.topology.coordinates
        if "row" in coordinates:
            for local in range(zone.per_copy):
                if (coordinates["row"][local], coordinates["col"][local]) == (row, column):
                    return zone.base + local
        elif row == 0 and column < zone.per_copy:
            return zone.base + column
        raise RuleFault("fault-index", f"the diagram goes beyond `{zone.info.name}`: row {row + 1}, column {column + 1}")

    def _spare(self, kind: KindPlan, meaning: typed.TPlaceMeaning, used: set[int]) -> int:
        keys = tuple(self.emitter.evaluate(k) for k in meaning.keys)
        wanted = {info.name: self.emitter.evaluate(node) for info, node in meaning.values if isinstance(info, typed.AttributeInfo)}
        for place in range(kind.count):
            piece = kind.base + place
            if piece in used or kind.keys[place][: len(keys)] != keys:
                continue
            if all(self.plan.attributes[("kind", kind.info.name, name)][piece] == value for name, value in wanted.items()):
                return piece
        raise RuleFault("fault-none", f"the diagram needs more pieces of `{kind.info.name}` than there are")

    def _set(self, s: list[int], info: Any, owner: int, value: Any) -> None:
        plan = self.plan.variables[info]
        first = plan.first + (owner - plan.owner_base) * plan.key_count * plan.width
        if isinstance(value, int):
            if info.domain.form == "range" and value != NONE and not plan.low <= value <= plan.high:
                raise RuleFault("fault-range", f"the value {value} is outside {plan.low}..{plan.high}")
            s[first] = value
