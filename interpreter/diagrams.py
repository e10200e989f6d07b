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
        for spaces, rows in step.rows:
            zone = self.plan.zones[spaces.zone]
            found = self.emitter.evaluate(spaces)
            base = found[0] if isinstance(found, tuple) else found
            used: set[int] = set()
            self._empty(s, range(base, base + zone.per_copy))
            for row, line in enumerate(rows):
                for column, letter in enumerate(symbols_of(line)):
                    if letter in EMPTY:
                        continue
                    self._put(s, zone, self._space(zone, base, row, column), step.legend[letter], used)

    def _empty(self, s: list[int], spaces: range) -> None:
        for piece in range(self.plan.piece_count):
            kind = self.plan.kind_of_piece[piece]
            if kind.info.at is not None and s[self.plan.at + piece] in spaces:
                home = self.emitter.evaluate(kind.info.at, {kind.info.this: piece} if kind.info.this is not None else {})
                if isinstance(home, int) and home not in spaces:
                    self.plan.mover.move(s, piece, home)

    def _put(self, s: list[int], zone: ZonePlan, space: int, meaning: typed.TPlaceMeaning, used: set[int]) -> None:
        if not meaning.kind:
            for info, node in meaning.values:
                self._set(s, info, space, self.emitter.evaluate(node))
            for part, variable, node in meaning.parts:
                first = self.plan.zones[f"{zone.info.name}.part"].base + (space - zone.base) * 4
                self._set(s, variable, first + part, self.emitter.evaluate(node))
            return
        piece = self._spare(self.plan.kinds[meaning.kind], meaning, used)
        used.add(piece)
        self.plan.mover.move(s, piece, space)
        for info, node in meaning.values:
            if isinstance(info, typed.VariableInfo):
                self._set(s, info, piece, self.emitter.evaluate(node))

    def _space(self, zone: ZonePlan, base: int, row: int, column: int) -> int:
        """The space of a copy, the spaces of which begin with `base`."""
        coordinates = zone.topology.coordinates
        if "row" in coordinates:
            for local in range(zone.per_copy):
                if (coordinates["row"][local], coordinates["col"][local]) == (row, column):
                    return base + local
        elif row == 0 and column < zone.per_copy:
            return base + column
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
