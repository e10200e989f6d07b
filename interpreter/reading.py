"""Texts that arrive while a game is played: moves, and expressions of scenarios. Read with the same parser and checker as specs."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from attrs import evolve

from gdl import ast, typed, types
from gdl.check_convert import coerce
from gdl.check_expressions import check_expression
from gdl.check_scope import Context, Scope
from gdl.diagnostics import Report, nearest
from gdl.expression_parser import parse_call, parse_expression
from gdl.interpreter.arguments import Arguments
from gdl.interpreter.control import store_list, store_set
from gdl.interpreter.errors import GameFault, IllegalMove
from gdl.interpreter.moves import Move
from gdl.load_context import shortened
from gdl.source import Fragment, SourceFile
from gdl.typed import Local, TExpression
from gdl.types import Type
from gdl.values import NONE, read_whole

if TYPE_CHECKING:
    from gdl.interpreter.game import Game
    from gdl.interpreter.state import State

_SEAT = re.compile(r"\s*(\d+|[A-Za-z_]\w*)\s*:\s*")


def read_expression(
    game: Game, fragment: Fragment, report: Report, expected: Type | None = None, player: Local | None = None
) -> TExpression | None:
    """An expression about a state of the game, checked; None after a message in the report."""
    node = parse_expression(fragment, report)
    if node is None:
        return None
    return check_node(game.context, node, report, expected, player)


def check_node(
    context: Context, node: ast.Expression, report: Report, expected: Type | None = None, player: Local | None = None
) -> TExpression | None:
    """The same for a parsed expression. Nothing that is noted while checking stays in the spec's own context."""
    own = evolve(context, report=Report(), player_uses=[], player_calls=[])
    checked = check_expression(own, Scope(player=player), node, expected)
    if expected is not None:
        checked = coerce(own, checked, expected)
    for item in own.report.items:
        report.add(item)
    return None if own.report.has_errors else checked


# --- moves ------------------------------------------------------------------------------------------------------------


def read_move(state: State, text: str, *, knows_all: bool = False) -> Move:
    """The legal move that a text names: `name(param=value, …)`, with `1: ` before where several seats wait.

    `knows_all`: a value may be any expression about the state, as scenarios write them; else it must be written as in moves.
    """
    seat, rest = _split_seat(state, text)
    seats = state.deciders() if seat is None else (seat,)
    legal = [m for p in seats for m in state.legal_moves(p)]
    plain = " ".join(rest.split())
    for move in legal:
        if str(move) == plain:
            return move
    if not legal:
        raise IllegalMove(_why_none(state))
    call = parse_call(Fragment(rest, SourceFile("<move>", rest), 0), Report())
    if call is None or not isinstance(call.function, ast.Name):
        raise _unknown(f"`{shortened(text)}` is not written like a move", plain, legal)
    named = [m for m in legal if _name(m) == call.function.name]
    if not named:
        names = sorted({_name(m) for m in legal})
        raise IllegalMove(f"no legal move is called `{shortened(call.function.name)}` now", tuple(nearest(call.function.name, names)))
    fitting = [m for m in named if _fits(state, m, call, knows_all=knows_all)]
    if len(fitting) == 1:
        return fitting[0]
    if not fitting:
        raise _unknown(f"`{shortened(plain)}` is not a legal move now", plain, named)
    raise IllegalMove(f"`{shortened(plain)}` could be several moves: {', '.join(str(m) for m in fitting[:3])}")


def _why_none(state: State) -> str:
    """Why a seat, or nobody at all, has a move."""
    if state.is_terminal():
        return "nobody can move: the game is over"
    names = state.game.context.spec.seats
    deciding = [names[seat] if names else f"player {seat}" for seat in state.deciders()]
    if not deciding:
        return "nothing is to be decided here"
    return f"{' and '.join(deciding)} {'decides' if len(deciding) == 1 else 'decide'} here"


def _split_seat(state: State, text: str) -> tuple[int | None, str]:
    match = _SEAT.match(text)
    if match is None:
        return None, text
    word = match.group(1)
    seats = state.game.context.spec.seats
    seat = seats.index(word) if word in seats else read_whole(word)
    if seat is None or not 0 <= seat < state.game.players:
        raise IllegalMove(f"there is no seat `{shortened(word)}`")
    return seat, text[match.end() :]


def _unknown(message: str, text: str, legal: list[Move]) -> IllegalMove:
    return IllegalMove(message, tuple(nearest(text, [str(m) for m in legal])))


def _name(move: Move) -> str:
    return move.game.machine.decisions[move.decision].alternatives[move.choice[0]].name


def _fits(state: State, move: Move, call: ast.Call, *, knows_all: bool) -> bool:
    """Whether a call's arguments are the move's values; those left out are none."""
    alternative = move.game.machine.decisions[move.decision].alternatives[move.choice[0]]
    given: dict[str, ast.Expression] = {}
    names = [local.name for local in alternative.locals]
    for index, argument in enumerate(call.arguments):
        name = argument.keyword.name if argument.keyword is not None else names[index] if index < len(names) else ""
        if name not in names:
            return False
        if name in given:
            raise IllegalMove(f"`{name}` is given twice")
        given[name] = argument.value
    arguments = Arguments(state)
    for place, (local, value) in enumerate(zip(alternative.locals, move.choice[1:], strict=False)):
        node = given.get(local.name)
        if node is None:
            if value != NONE:
                return False
        elif not (arguments.is_value(move, place, node, local.type) or (knows_all and _means(state, node, local.type, value))):
            return False
    return True


def _means(state: State, node: ast.Expression, type_: Type, value: int) -> bool:
    """Whether an expression has this value, or is a piece alike."""
    game = state.game
    inner = types.without_none(type_)
    checked = check_node(game.context, node, Report(), type_)
    if checked is None:
        return False
    try:
        meant = game.evaluate(checked, state.cells)
    except GameFault:
        return False
    if isinstance(inner, types.PieceType) and meant != NONE and value != NONE:
        control = game.build.control
        return bool(control._likeness(state.cells, meant) == control._likeness(state.cells, value))
    return bool(meant == value)


def assign(game: Game, s: list[int], target: typed.VariableValue, value: object) -> None:
    """Write a variable from outside the rules, as scenarios do. Raises RuleFault where it does not fit."""
    emitter = game.build.emitter
    plan = game.plan.variables[target.infos[0]]
    with emitter.outside():
        place = emitter.variable_place(target)
        emitter.module.late_functions()
        first = emitter.module.evaluate(place, {"s": s})
    if plan.info.domain.form == "set":
        assert isinstance(value, int)
        store_set(s, first, value >> plan.shift, plan.width)
    elif plan.info.domain.form == "list":
        assert isinstance(value, tuple)
        store_list(s, first, value, plan.width - 1)
    else:
        assert isinstance(value, int)
        if plan.info.domain.form == "range" and not (plan.info.domain.none and value == NONE):
            emitter.module.namespace["within"](value, plan.low, plan.high)
        s[first] = int(value)
