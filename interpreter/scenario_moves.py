"""Moves in scenarios: checked against all decisions of the game before play, compared with the legal moves in it.

A move that is said to be illegal would pass for it with any slip of the pen; so every move has to be one of some
decision, with values that its parameters can have.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from gdl import ast, types
from gdl.dependence import dependence_of
from gdl.diagnostics import Report, did_you_mean, is_certain, nearest
from gdl.expression_parser import parse_call
from gdl.interpreter.choices import Alternative
from gdl.interpreter.errors import GameFault, IllegalMove
from gdl.interpreter.game import Game
from gdl.interpreter.moves import Move
from gdl.interpreter.reading import check_node, read_move
from gdl.interpreter.scenario_results import Failure
from gdl.interpreter.state import State
from gdl.source import Fragment, Span
from gdl.typed import Local, TExpression
from gdl.values import NONE, read_whole
from gdl.yaml_nodes import Scalar

_SEAT = re.compile(r"\s*(\d+|[A-Za-z_]\w*)\s*:\s*")
_MOST_SHOWN = 24

Alternatives = Mapping[str, tuple[Alternative, ...]]


# --- before play ------------------------------------------------------------------------------------------------------


def alternatives_of(game: Game) -> Alternatives:
    """All that any decision of a game offers, by the names of the moves."""
    found: dict[str, tuple[Alternative, ...]] = {}
    for decision in game.machine.decisions.values():
        for alternative in decision.alternatives:
            found[alternative.name] = (*found.get(alternative.name, ()), alternative)
    return found


def check_move(game: Game, alternatives: Alternatives, node: Scalar, report: Report) -> None:
    """Report what keeps a text from being a move of any decision."""
    fragment = _without_seat(game, node.fragment, report)
    if fragment is None or fragment.text.strip() in alternatives:
        return
    call = parse_call(fragment, report)
    if call is None or not isinstance(call.function, ast.Name):
        return
    offered = alternatives.get(call.function.name)
    if offered is None:
        _unknown(report, "unknown-name", call.function.span, f"no move is called `{call.function.name}`", alternatives)
        return
    trials: list[Report] = []
    for alternative in offered:
        trial = Report()
        _check_arguments(game, alternative, call, trial)
        if not trial.has_errors:
            return
        trials.append(trial)
    report.items += trials[0].items


def _without_seat(game: Game, fragment: Fragment, report: Report) -> Fragment | None:
    """The move behind `1: `; none if there is no such seat."""
    match = _SEAT.match(fragment.text)
    if match is None:
        return fragment
    word, names = match.group(1), game.context.spec.seats
    seat = read_whole(word)
    if (seat is not None and seat < game.players) or word in names:
        return fragment.part(match.end(), len(fragment.text))
    span = fragment.span(match.start(1), match.end(1))
    seats = names or [str(seat) for seat in range(game.players)]
    report.error("bad-scenario", span, f"there is no seat `{word}`", help=f"the seats are {', '.join(seats)}")
    return None


def _check_arguments(game: Game, alternative: Alternative, call: ast.Call, report: Report) -> None:
    parameters = {local.name: local for local in alternative.locals}
    free = iter(alternative.locals)
    for argument in call.arguments:
        if argument.keyword is not None:
            local = parameters.get(argument.keyword.name)
            if local is None:
                message = f"the move `{alternative.name}` has no parameter `{argument.keyword.name}`"
                _unknown(report, "wrong-arguments", argument.keyword.span, message, parameters)
                continue
        else:
            local = next(free, None)
            if local is None:
                message = f"the move `{alternative.name}` has only {len(parameters)} parameters"
                report.error("wrong-arguments", argument.span, message)
                continue
        _check_value(game, local, argument.value, report)


def _check_value(game: Game, local: Local, node: ast.Expression, report: Report) -> None:
    inner = types.without_none(local.type)
    word = _word(node)
    if isinstance(inner, types.SpaceType) and word is not None:
        labels = _labels(game, inner)
        if word in labels:
            return
        cell, dot, _ = word.partition(".")
        if isinstance(node, ast.Text) or (dot and any(label.startswith(cell + dot) for label in labels)):
            _unknown(report, "unknown-name", node.span, f"no space is called `{word}`", labels)
            return
    if isinstance(inner, types.PlacementType) and isinstance(node, ast.Text):
        _check_placement(game, inner, node, report)
        return
    checked = check_node(game.context, node, report, local.type)
    if checked is not None and isinstance(inner, types.SpaceType | types.PieceType):
        _check_existence(game, checked, local.type, report)


def _check_existence(game: Game, node: TExpression, type_: types.Type, report: Report) -> None:
    """Report a piece or space that this game never has; one that depends on the state may come."""
    found = dependence_of(node, {})
    if found.changes or found.functions or found.locals:
        return
    try:
        value = game.evaluate(node, [0] * game.plan.size)
    except GameFault as fault:
        report.error("bad-scenario", node.span, f"no move can name this: {fault.message}")
        return
    if value == NONE and type_ == types.without_none(type_):
        report.error("bad-scenario", node.span, "there is no such piece or space in this game")


def _check_placement(game: Game, type_: types.PlacementType, node: ast.Text, report: Report) -> None:
    """A placement as moves write it, such as `"b3/r1f"`: the corner's space, quarter turns, whether it is flipped."""
    corner, _, turns = node.value.rpartition("/r")
    labels = _labels(game, types.SpaceType((type_.zone,) if type_.zone else None))
    if corner and corner not in labels:
        _unknown(report, "unknown-name", node.span, f"no space is called `{corner}`", labels)
    elif not corner or turns.removesuffix("f") not in ("0", "1", "2", "3"):
        report.error("wrong-form", node.span, f"`{node.value}` is no placement", help=f'write it as moves do: `"{labels[0]}/r1f"`')


def _word(node: ast.Expression) -> str | None:
    """What may be a label: a name, a text, or the name of a part, `b3.n`."""
    match node:
        case ast.Name(name=name):
            return name
        case ast.Text(value=value):
            return value
        case ast.Field(target=ast.Name(name=cell), name=part):
            return f"{cell}.{part}"
    return None


def _labels(game: Game, type_: types.SpaceType) -> list[str]:
    zones = game.plan.zones if type_.zones is None else type_.zones
    plans = [game.plan.zones[z] for z in zones if z in game.plan.zones]
    return [game.names.space_label(space) for zone in plans for space in range(zone.base, zone.end)]


def _unknown(report: Report, code: str, span: Span, message: str, candidates: Iterable[str]) -> None:
    names = list(candidates)
    word = span.text.strip("\"'")
    found = nearest(word, names)
    listed = ", ".join(f"`{name}`" for name in names[:10]) + (", …" if len(names) > 10 else "")
    cure = did_you_mean(found, f"possible: {listed}")
    suggestion = found[0] if found else None
    report.error(code, span, message, help=cure, suggestion=suggestion, wrong=word, certain=is_certain(word, found))


# --- in play ----------------------------------------------------------------------------------------------------------


def find_move(state: State, node: Scalar) -> Move | Failure:
    """The legal move that a text names, or the failure that there is none."""
    text = " ".join(node.value.split())
    try:
        return read_move(state, node.value, knows_all=True)
    except IllegalMove as error:
        details = [did_you_mean(error.suggestions)] if error.suggestions else []
        return Failure(f"can't play `{text}`: {error.message}", [*details, *_legal_lines(state)], node.span)


def judge_legal(state: State, listed: tuple[Scalar, ...], span: Span) -> Failure | None:
    """Whether the legal moves are just those of a list: what is missing and what is too much, line by line."""
    found: list[Move] = []
    details: list[str] = []
    for node in listed:
        try:
            found.append(read_move(state, node.value, knows_all=True))
        except IllegalMove as error:
            details.append(f"- {' '.join(node.value.split())}   listed, but {_reason(error)}")
    details += [f"+ {move_text(state, move)}   legal, but not listed" for move in all_moves(state) if move not in found]
    if not details:
        return None
    shown = details[:_MOST_SHOWN]
    if len(details) > len(shown):
        shown.append(f"… and {len(details) - len(shown)} more")
    return Failure("the legal moves are not those listed", shown, span)


def _reason(error: IllegalMove) -> str:
    return error.message if "could be several" in error.message else "not legal"


def judge_illegal(state: State, node: Scalar) -> Failure | None:
    """Whether a move is not legal."""
    try:
        move = read_move(state, node.value, knows_all=True)
    except IllegalMove:
        return None
    return Failure(f"`{move_text(state, move)}` is legal", _legal_lines(state), node.span)


def all_moves(state: State) -> list[Move]:
    """The legal moves of all who may decide."""
    return [move for seat in state.deciders() for move in state.legal_moves(seat)]


def move_text(state: State, move: Move) -> str:
    """A move as scenarios write it, with its seat where several wait."""
    seats = state.game.context.spec.seats
    return f"{seats[move.seat] if seats else move.seat}: {move}" if len(state.deciders()) > 1 else str(move)


def _legal_lines(state: State) -> list[str]:
    moves = [move_text(state, move) for move in all_moves(state)]
    if not moves:
        return ["the game is over" if state.is_terminal() else "nobody has to decide"]
    rest = len(moves) - _MOST_SHOWN
    return [f"legal: {'; '.join(moves[:_MOST_SHOWN])}" + (f"; and {rest} more" if rest > 0 else "")]
