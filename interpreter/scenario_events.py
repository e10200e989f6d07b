"""Chance in scenarios, before play: events that the game has, outcomes that they can have, weights that are weights.

An outcome that no event has would only be told once it was never used, and one of a scenario that fails before not at all.
"""

from __future__ import annotations

import re
from functools import cached_property
from typing import TYPE_CHECKING

from gdl import types
from gdl.check_scope import Context
from gdl.diagnostics import Report, did_you_mean, nearest
from gdl.expression_parser import parse_expression
from gdl.interpreter.choices import Chance
from gdl.interpreter.reading import check_node
from gdl.interpreter.scenario_chance import compact
from gdl.source import Fragment
from gdl.types import ListType, PieceType, Type
from gdl.values import NONE, read_whole
from gdl.yaml_nodes import Entry, Mapping, Scalar

if TYPE_CHECKING:
    from gdl.interpreter.game import Game

_OUTCOME = re.compile(r"(.*[^=<>!\s])\s*=\s*([^=<>!\s].*)", re.DOTALL)
_MOST_SHOWN = 10


class Events:
    """The chance events of a game, as scenarios write them without blanks."""

    def __init__(self, game: Game, context: Context) -> None:
        self.game = game
        self.context = context

    @cached_property
    def _faces(self) -> dict[str, tuple[str, ...]]:
        """What each die can show, by the event of its roll."""
        plan, names = self.game.plan, self.game.names
        rolled = any(chance.form == "roll" for chance in self._chances)
        found: dict[str, tuple[str, ...]] = {}
        for kind, values in plan.face_values.items() if rolled else ():
            faces = zip(plan.face_symbols[kind], values, strict=True)
            shown = [str(value) if symbol == NONE else plan.symbol_name(symbol) for symbol, value in faces]
            for die in range(plan.kinds[kind].base, plan.kinds[kind].end):
                found[compact(f"roll({names.piece(die)})")] = tuple(dict.fromkeys(shown))
        return found

    @cached_property
    def _values(self) -> dict[str, Type]:
        """Of what type the outcomes of all other events are."""
        found: dict[str, Type] = {}
        for chance in self._chances:
            subject = chance.subject.type if chance.subject is not None else None
            if chance.form == "piece" and chance.about is not None:
                for space in self._spaces(subject):
                    found[compact(f"draw({self.game.names.space(space)})")] = PieceType(())
            elif chance.form != "roll":
                found[compact(chance.name)] = subject.element if isinstance(subject, ListType) else types.INT
        return found

    @property
    def _chances(self) -> tuple[Chance, ...]:
        return tuple(self.game.machine.chances.values())

    def _spaces(self, stack: Type | None) -> list[int]:
        plan = self.game.plan
        inner = types.without_none(stack) if stack is not None else None
        zones = inner.zones if isinstance(inner, types.SpaceType) and inner.zones is not None else tuple(plan.zones)
        return [space for zone in zones if zone in plan.zones for space in range(plan.zones[zone].base, plan.zones[zone].end)]

    # --- checking -----------------------------------------------------------------------------------------------------

    def check_outcome(self, node: Scalar, report: Report) -> None:
        """Report what keeps a line of `chance:` from ever coming out."""
        text = node.fragment
        parts = _OUTCOME.fullmatch(text.text)
        if parts is None:
            example = next((f"{event} = {faces[0]}" for event, faces in self._faces.items()), "draw(deck) = card[2]")
            report.error(
                "wrong-form", node.span, "expected a chance event with its outcome, with one `=` between them", help=f"such as `{example}`"
            )
            return
        event = text.part(parts.start(1), parts.end(1))
        if self._check_event(event, report):
            self._check_value(compact(event.text), text.part(parts.start(2), parts.end(2)), report)

    def check_weights(self, entry: Entry, report: Report) -> None:
        """Report what is wrong with a line of `outcomes:`."""
        if not isinstance(entry.key, Scalar) or not self._check_event(entry.key.fragment, report):
            return
        event = compact(entry.name or "")
        for line in entry.value.entries if isinstance(entry.value, Mapping) else ():
            if isinstance(line.key, Scalar):
                self._check_value(event, line.key.fragment, report)
            weight = read_whole(line.value.value) if isinstance(line.value, Scalar) else None
            if weight is None or weight < 1:
                report.error("wrong-form", line.value.span, "a weight is a number from 1 on")

    def _check_event(self, text: Fragment, report: Report) -> bool:
        event = compact(text.text)
        if event in self._faces or event in self._values:
            return True
        known = [*self._faces, *self._values]
        close = nearest(event, known)
        listed = ", ".join(f"`{name}`" for name in known[:_MOST_SHOWN]) + (", …" if len(known) > _MOST_SHOWN else "")
        cure = did_you_mean(close, f"the events are {listed}" if known else "this game leaves nothing to chance")
        span = text.span(0, len(text.text))
        report.error("unknown-name", span, f"no chance event is written `{text.text}`", help=cure, suggestion=close[0] if close else None)
        return False

    def _check_value(self, event: str, text: Fragment, report: Report) -> None:
        """Report an outcome that the event never has. Labels of placements are left to play."""
        if event in self._faces:
            faces = self._faces[event]
            if compact(text.text) not in faces:
                span, close = text.span(0, len(text.text)), nearest(text.text, faces)
                cure = did_you_mean(close, f"its faces are {', '.join(faces)}")
                report.error("bad-scenario", span, f"this die never shows `{text.text}`", help=cure)
            return
        type_ = self._values[event]
        if isinstance(types.without_none(type_), types.PieceType | types.EnumType) or types.without_none(type_) == types.INT:
            node = parse_expression(text, report)
            if node is not None:
                check_node(self.context, node, report, type_)
