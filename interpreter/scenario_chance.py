"""Chance in scenarios: the outcomes that a scenario lists, in order of use; all others from its seed."""

from __future__ import annotations

from fractions import Fraction

from attrs import Factory, define

from gdl.diagnostics import Report, did_you_mean, nearest
from gdl.interpreter.chance import Stream
from gdl.interpreter.errors import GameFault
from gdl.interpreter.moves import Outcome
from gdl.interpreter.reading import read_expression
from gdl.interpreter.scenario_results import Failure
from gdl.interpreter.state import State
from gdl.source import Fragment, SourceFile, Span
from gdl.types import ListType, PieceType, SpaceType, Type
from gdl.values import NONE, read_whole
from gdl.yaml_nodes import Entry, Mapping, Scalar

MOST_EVENTS = 10_000
"""Chance events between two decisions; more of them mean that the game never asks anybody again."""
_MOST_SHOWN = 12


def compact(text: str) -> str:
    """A text without blanks: outcomes are compared so."""
    return "".join(text.split())


def event_of(outcome: str) -> str:
    """The event of an outcome, without blanks: `roll(die)` of `roll(die) = 2`."""
    return compact(outcome).rpartition("=")[0]


@define(eq=False)
class Script:
    """What is still to come of `chance:`, and what has happened.

    `span` is where the scenario stands; `weights` are the outcomes seen at each event.
    """

    pending: list[Scalar]
    random: Stream
    span: Span
    happened: list[str] = Factory(list)
    weights: dict[str, list[tuple[Outcome, ...]]] = Factory(dict)

    def settle(self, state: State) -> Failure | None:
        """Settle the events that wait, on to the next decision or the end."""
        count = 0
        while state.is_chance():
            count += 1
            if count > MOST_EVENTS:
                return Failure(f"more than {MOST_EVENTS:,} chance events came without a decision", [], self.span)
            outcomes = state.chance_outcomes()
            event = event_of(outcomes[0].text)
            seen = self.weights.setdefault(event, [])
            if outcomes not in seen:
                seen.append(outcomes)
            chosen = self._listed(state, event, outcomes)
            if isinstance(chosen, Failure):
                return chosen
            chosen = chosen or self._drawn(outcomes)
            self.happened.append(chosen.text)
            state.apply_chance(chosen)
        return None

    def _listed(self, state: State, event: str, outcomes: tuple[Outcome, ...]) -> Outcome | Failure | None:
        """The outcome that is next in the list, if it is one of this event."""
        if not self.pending or event_of(self.pending[0].value) != event:
            return None
        node = self.pending.pop(0)
        wanted = compact(node.value)
        for outcome in outcomes:
            if compact(outcome.text) == wanted:
                return outcome
        alike = _alike(state, node.value.rpartition("=")[2], outcomes)
        if alike is not None:
            return alike
        close = nearest(node.value, [o.text for o in outcomes])
        details = [did_you_mean(close[:1])] if close else []
        return Failure(f"`{node.value}` can't come out here", [*details, f"possible: {_listing(outcomes)}"], node.span)

    def _drawn(self, outcomes: tuple[Outcome, ...]) -> Outcome:
        index = self.random.index(sum(o.weight for o in outcomes))
        for outcome in outcomes:
            if index < outcome.weight:
                return outcome
            index -= outcome.weight
        raise AssertionError("weights do not sum up")

    def unused(self) -> Failure | None:
        """The failure that something listed was never used."""
        if not self.pending:
            return None
        node = self.pending[0]
        more = f", nor were the {len(self.pending) - 1} behind it" if len(self.pending) > 1 else ""
        shown = ", ".join(self.happened[-_MOST_SHOWN:])
        return Failure(
            f"`{node.value}` was never used{more}",
            [f"the chance events that came: {shown}" if shown else "no chance event came at all"],
            node.span,
        )

    def compare(self, entry: Entry) -> Failure | None:
        """Whether every event of this text had the outcomes that are stated, as likely."""
        event = compact(entry.name or "")
        stated = _stated(entry)
        seen = self.weights.get(event)
        if seen is None:
            shown = ", ".join(self.weights)
            details = [f"the chance events that came: {shown}" if shown else "no chance event came at all"]
            return Failure(f"the chance event `{entry.name}` never came", details, entry.key.span)
        for outcomes in seen:
            found = _shares({compact(o.text).rpartition("=")[2]: o.weight for o in outcomes})
            if found != _shares(stated):
                return Failure(f"`{entry.name}` has other outcomes", [f"they are: {_listing(outcomes)}"], entry.key.span)
        return None


def _alike(state: State, text: str, outcomes: tuple[Outcome, ...]) -> Outcome | None:
    """The only outcome with a piece that is alike the one which a text names; an outcome has the first of such pieces."""
    game = state.game
    waiting = game.machine.chance(state.cells)
    subject = waiting[1].subject if waiting is not None else None
    if subject is None or not _is_of_pieces(subject.type):
        return None
    source = SourceFile("<chance>", text)
    node = read_expression(game, Fragment(text, source, 0), Report(), PieceType(()))
    try:
        piece = game.evaluate(node, state.cells) if node is not None else NONE
    except GameFault:
        return None
    classes = game.plan.alike_class
    found = [o for o in outcomes if NONE not in (piece, o.value) and classes[o.value] == classes[piece]]
    return found[0] if len(found) == 1 else None


def _is_of_pieces(type_: Type) -> bool:
    """Whether an event's outcomes are pieces: it picks from a list of them or draws from a space."""
    return isinstance(type_, SpaceType) or (isinstance(type_, ListType) and isinstance(type_.element, PieceType))


def _stated(entry: Entry) -> dict[str, int]:
    if not isinstance(entry.value, Mapping):
        return {}
    numbers = {compact(e.name or ""): read_whole(e.value.value) for e in entry.value.entries if isinstance(e.value, Scalar)}
    return {name: number for name, number in numbers.items() if number is not None and number >= 0}


def _shares(weights: dict[str, int]) -> dict[str, Fraction]:
    total = sum(weights.values()) or 1
    return {name: Fraction(weight, total) for name, weight in weights.items() if weight}


def _listing(outcomes: tuple[Outcome, ...]) -> str:
    total = sum(o.weight for o in outcomes)
    shown = [f"{o.text} ({o.weight} in {total})" for o in outcomes[:_MOST_SHOWN]]
    rest = len(outcomes) - len(shown)
    return ", ".join(shown) + (f", and {rest} more" if rest else "")
