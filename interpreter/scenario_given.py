"""The situation that a scenario gives → a state. Everything is checked first, so each mistake is told at its place."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from attrs import Factory, define, evolve, frozen

from gdl import ast, typed, types
from gdl.check_convert import coerce
from gdl.check_expressions import check_expression, check_value
from gdl.check_scope import Context, Scope
from gdl.check_steps import check_block
from gdl.diagnostics import Report
from gdl.interpreter.control import store_list
from gdl.interpreter.emit_phases import PhaseRecord
from gdl.interpreter.errors import GameFault
from gdl.interpreter.faults import RuleFault
from gdl.interpreter.game import Game
from gdl.interpreter.given import first_phase, phase_named, state_in
from gdl.interpreter.reading import assign
from gdl.interpreter.scenario_loading import Given
from gdl.interpreter.state import State
from gdl.load_context import Context as Loading
from gdl.load_context import items_of, wrong_form
from gdl.load_files import no_files
from gdl.load_steps import load_step
from gdl.load_values import load_expression
from gdl.source import Span
from gdl.typed import TExpression
from gdl.types import ListType, PieceType, SpaceType
from gdl.values import NONE, read_whole
from gdl.yaml_nodes import Entry, Mapping, Node, Scalar, Sequence

_PIECE = PieceType(())


@frozen(eq=False)
class Placement:
    """Pieces that lie in a space; each may be a list of pieces."""

    pieces: tuple[TExpression, ...]
    space: TExpression


@define(eq=False)
class Situation:
    """A given situation, checked. `seat` is a number or an expression; none where the phase says who begins."""

    phase: PhaseRecord
    seat: TExpression | int | None = None
    diagrams: list[typed.TPlace] = Factory(list)
    placements: list[Placement] = Factory(list)
    values: list[tuple[TExpression, TExpression]] = Factory(list)


# --- checking ---------------------------------------------------------------------------------------------------------


def check_given(game: Game, context: Context, given: Given, report: Report) -> Situation | None:
    """The situation with every name resolved as `context` knows it; none after messages in the report."""
    own = Report()
    mine = evolve(context, report=own, player_uses=[], player_calls=[])
    situation = _Checker(game, mine, Loading(own, no_files)).situation(given)
    report.items += own.items
    return None if own.has_errors else situation


@frozen(eq=False)
class _Checker:
    game: Game
    context: Context
    loading: Loading
    scope: Scope = Factory(Scope)

    def situation(self, given: Given) -> Situation | None:
        phase = self._phase(given.phase)
        if phase is None:
            return None
        result = Situation(phase)
        if given.player is not None:
            result.seat = self._seat(given.player, phase)
        rows: list[Entry] = []
        for entry in given.places:
            if self._is_diagram(entry):
                rows.append(entry)
            else:
                self._placement(entry, result)
        if rows:
            self._diagrams(given, rows, result)
        for entry in given.values:
            self._value(entry, result)
        return result

    def _phase(self, node: Scalar | None) -> PhaseRecord | None:
        if node is None:
            return first_phase(self.game)
        found = phase_named(self.game, node.value.strip())
        if found is None:
            names = dict.fromkeys(name for r in self.game.build.records for name in (r.path, r.info.name))
            self.context.unknown("unknown-name", node.span, f"no phase is called `{node.value}`", node.value, names)
        return found

    def _seat(self, node: Node, phase: PhaseRecord) -> TExpression | int | None:
        if phase.info.seat is None:
            self._misfit(node.span, f"the phase `{phase.path}` has no turns, so nobody's turn can begin")
            return None
        if isinstance(node, Scalar) and node.value.isdecimal():
            seat = read_whole(node.value)
            if seat is not None and seat < self.game.players:
                return seat
            self._misfit(node.span, f"seats are counted from 0: {self.game.players} players have no seat {node.value}")
            return None
        expression = load_expression(node, self.loading)
        return check_value(self.context, self.scope, expression, types.PLAYER, "whose turn begins")

    # --- places -------------------------------------------------------------------------------------------------------

    def _is_diagram(self, entry: Entry) -> bool:
        """Whether an entry gives rows of characters for a zone or a copy of one: its key names several spaces."""
        if not isinstance(entry.value, Sequence) and not (isinstance(entry.value, Scalar) and entry.value.style.is_block):
            return False
        zone = self.context.spec.zones.get(entry.name or "")
        if zone is not None:
            return not zone.single
        quiet = evolve(self.context, report=Report(), player_uses=[], player_calls=[])
        key = check_expression(quiet, self.scope, load_expression(entry.key, Loading(Report(), no_files)))
        return isinstance(key.type, ListType) and isinstance(key.type.element, SpaceType)

    def _diagrams(self, given: Given, rows: list[Entry], result: Situation) -> None:
        """The rows as a `place:` step of a spec would have them, and checked as such."""
        assert given.place_key is not None
        zones = Mapping(rows[0].key.span.to(rows[-1].value.span), tuple(rows), flow=False)
        entries = [Entry(given.place_key, zones)]
        if given.legend_key is not None and given.legend is not None:
            entries.append(Entry(given.legend_key, given.legend))
        step = load_step(Mapping(zones.span, tuple(entries), flow=False), self.loading)
        if step is None:
            return
        checked = check_block(self.context, self.scope, ast.Block(zones.span, (step,)))
        result.diagrams += [s for s in checked.steps if isinstance(s, typed.TPlace)]

    def _placement(self, entry: Entry, result: Situation) -> None:
        key = check_expression(self.context, self.scope, load_expression(entry.key, self.loading))
        if isinstance(entry.value, Mapping):
            wrong_form(entry.value, "a space, pieces, or rows of characters", self.loading)
        elif key.type == types.ERROR:
            return
        elif isinstance(types.without_none(key.type), SpaceType):
            pieces = tuple(self._pieces(node) for node in items_of(entry.value))
            result.placements.append(Placement(pieces, coerce(self.context, key, types.SPACE)))
        elif isinstance(key.type, ListType) and isinstance(key.type.element, SpaceType):
            self._misfit(
                entry.key.span,
                f"`{entry.name}` has many spaces: which?",
                help_text="name one, such as `board[0, 0]`, or give rows of characters for a whole zone",
            )
        else:
            piece = coerce(self.context, key, _PIECE, "what is placed")
            node = load_expression(entry.value, self.loading)
            space = check_value(self.context, self.scope, node, types.SPACE, "the place of a piece")
            result.placements.append(Placement((piece,), space))

    def _pieces(self, node: Node) -> TExpression:
        """A piece, or a list of some."""
        value = check_expression(self.context, self.scope, load_expression(node, self.loading), _PIECE)
        if isinstance(value.type, ListType) and isinstance(value.type.element, PieceType):
            return value
        return coerce(self.context, value, _PIECE, "what lies in a space")

    # --- values -------------------------------------------------------------------------------------------------------

    def _value(self, entry: Entry, result: Situation) -> None:
        target = load_expression(entry.key, self.loading)
        value = load_expression(entry.value, self.loading)
        shown = check_expression(evolve(self.context, report=Report()), self.scope, target)
        if isinstance(shown, typed.Property) and shown.name in ("face", "value"):
            result.values.append((shown, check_value(self.context, self.scope, value, shown.type, "what a die shows")))
            return
        step = ast.Assign(entry.span, "=", target, value)
        for checked in check_block(self.context, self.scope, ast.Block(entry.span, (step,))).steps:
            if isinstance(checked, typed.TAssign) and isinstance(checked.value, TExpression):
                result.values.append((checked.target, checked.value))
            else:
                self._misfit(entry.value.span, "a given value is fixed: chance has no part in it")

    def _misfit(self, span: Span, message: str, help_text: str = "") -> None:
        self.context.report.error("bad-scenario", span, message, help=help_text)


# --- making the state -------------------------------------------------------------------------------------------------


def make_state(game: Game, situation: Situation, seed: int, report: Report) -> State | None:
    """A state as given, about to begin; none after messages in the report. It still has to be started."""
    state = state_in(game, situation.phase, 0, seed, explicit=True)
    own = Report()
    for diagram in situation.diagrams:
        _trying(partial(game.build.diagrams.place, state.cells, diagram), diagram.span, own)
    _place(game, state.cells, situation, own)
    for target, value in situation.values:
        if _trying(partial(game.evaluate, target, state.cells), target.span, own):
            _trying(partial(_set, game, state.cells, target, value), value.span, own)
    if not own.has_errors:
        _begin(game, state.cells, situation)
    report.items += own.items
    return None if own.has_errors else state


def _trying(action: Callable[[], object], span: Span, report: Report) -> bool:
    """Do something, and say whether it went well; what fails is reported."""
    try:
        action()
    except (RuleFault, GameFault) as fault:
        report.error("bad-scenario", span, f"the given situation can't be: {fault.message}")
        return False
    return True


def _place(game: Game, s: list[int], situation: Situation, report: Report) -> None:
    """Take up all pieces that are named, then put each where it belongs, so that none is in another's way."""
    mover, at = game.plan.mover, game.plan.at
    placed: dict[int, Span] = {}
    todo: list[tuple[int, int, Span]] = []
    for placement in situation.placements:
        (space,) = _evaluated(game, s, placement.space, report)
        for node in placement.pieces:
            for piece in _evaluated(game, s, node, report):
                if NONE in (piece, space) and report.has_errors:
                    continue
                if NONE in (piece, space):
                    report.error("bad-scenario", node.span, "there is no such piece or space in this game")
                elif piece in placed:
                    report.error("bad-scenario", node.span, f"{game.names.piece(piece)} is placed twice")
                else:
                    placed[piece] = node.span
                    todo.append((piece, space, node.span))
    if report.has_errors:
        return
    for piece, _, _ in todo:
        mover.take(s, piece, s[at + piece])
    for piece, space, span in todo:
        _trying(partial(mover.put, s, piece, space), span, report)


def _evaluated(game: Game, s: list[int], node: TExpression, report: Report) -> tuple[int, ...]:
    """The pieces of a list, or the only piece or space."""
    try:
        value = game.evaluate(node, s)
    except GameFault as fault:
        report.error("bad-scenario", node.span, f"the given situation can't be: {fault.message}")
        return (NONE,)
    return value if isinstance(value, tuple) else (value,)


def _set(game: Game, s: list[int], target: TExpression, node: TExpression) -> None:
    value = game.evaluate(node, s)
    if isinstance(target, typed.VariableValue):
        assign(game, s, target, value)
        return
    assert isinstance(target, typed.Property)
    die = game.evaluate(target.target, s)
    name = game.plan.kind_of_piece[die].info.name
    faces = game.plan.face_symbols if target.name == "face" else game.plan.face_values
    if value == NONE or value not in faces[name]:
        raise RuleFault("fault-range", f"no face of `{name}` shows this")
    s[game.plan.faces + die] = faces[name].index(value)


def _begin(game: Game, s: list[int], situation: Situation) -> None:
    """Whose turn begins, and in what order turns go, now that all is in place."""
    record = situation.phase
    info = record.info
    if info.seat is None:
        return
    order: tuple[int, ...] = ()
    if isinstance(info.order, TExpression):
        order = game.evaluate(info.order, s)
        store_list(s, record.order, order, record.order_width - 1)
    match situation.seat:
        case int(seat):
            s[record.seat] = seat
        case TExpression() as node:
            s[record.seat] = game.evaluate(node, s)
        case _ if info.start is not None:
            s[record.seat] = game.evaluate(info.start, s)
        case _:
            s[record.seat] = order[0] if order else 0
