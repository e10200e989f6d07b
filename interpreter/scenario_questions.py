"""What scenarios ask of a state: expressions, with names of their own for what no rule may read; and answers in words.

Besides the names of the spec there are `over`, `winners`, `score(p)` and `sees(p, x)`, where x is a piece or the name of
a variable. A name that the spec declares itself keeps its meaning. `player` is the seat that decides.
"""

from __future__ import annotations

from typing import Any

from attrs import evolve

from gdl import typed, types
from gdl.check_expressions import check_value
from gdl.check_scope import Context, Scope
from gdl.diagnostics import Report, did_you_mean, nearest
from gdl.interpreter import cells as c
from gdl.interpreter.errors import GameFault
from gdl.interpreter.faults import RuleFault
from gdl.interpreter.game import Game
from gdl.interpreter.scenario_chance import compact
from gdl.interpreter.scenario_results import Failure
from gdl.interpreter.state import State
from gdl.interpreter.view import observe, sees
from gdl.load_context import Context as Loading
from gdl.load_files import no_files
from gdl.load_values import load_expression
from gdl.registry import Registry, make_entry
from gdl.source import SourceFile, Span
from gdl.typed import Local, TExpression
from gdl.values import NONE
from gdl.walk import nodes_of
from gdl.yaml_nodes import Node

_MOST_SHOWN = 6
_DEEPEST = 3
_SILENT = ("value", "list", "set", "as_is", "text")
"""Conversions after which a value is written as before."""
_NOWHERE = Span(SourceFile("<scenario>", ""), 0, 0)

Known = dict[Local, Any]


class Questions:
    """Reads and answers the expressions of scenarios, for one game."""

    def __init__(self, game: Game, context: Context) -> None:
        self.game = game
        self.player = Local("player", types.PLAYER, _NOWHERE)
        self.over = Local("over", types.BOOL, _NOWHERE)
        self.winners = Local("winners", types.ListType(types.PLAYER), _NOWHERE)
        declared = {*game.context.values, *game.context.symbols}
        self.locals = {x.name: x for x in (self.over, self.winners) if x.name not in declared}
        self.context = evolve(context, registry=context.registry | _builtins(game))

    def read(self, node: Node, report: Report) -> TExpression | None:
        """A condition, checked; none after messages in the report."""
        own = Report()
        context = evolve(self.context, report=own, player_uses=[], player_calls=[])
        expression = load_expression(node, Loading(own, no_files))
        checked = check_value(context, Scope(dict(self.locals), player=self.player), expression, types.BOOL)
        for call in nodes_of(checked):
            if isinstance(call, typed.BuiltinCall) and call.entry.name == "sees":
                self._check_variable(call.arguments[1], own)
        report.items += own.items
        return None if own.has_errors else checked

    def _check_variable(self, node: object, report: Report) -> None:
        """Report a name of no variable."""
        variables = self.game.context.spec.variables
        if isinstance(node, typed.Constant) and node.type == types.TEXT and node.value not in variables:
            close = nearest(node.value, variables)
            cure = did_you_mean(close[:1])
            report.error("unknown-name", node.span, f"there is no variable `{node.value}`", help=cure, suggestion=None)

    def judge(self, node: TExpression, s: list[int], seat: int | None) -> Failure | None:
        """Whether a condition holds; `seat` is the one that decides, if there is only one."""
        shown = _source(node)
        if seat is None and self._asks_for_player(node):
            why = "the game is over" if s[c.OVER] else "nobody or more than one decides here"
            return Failure(f"`{shown}` asks for `player`, but {why}", [], node.span)
        acting = NONE if seat is None else seat
        known: Known = {self.over: s[c.OVER], self.winners: self.game.winners(s), self.player: acting}
        try:
            if self.game.evaluate(node, s, known):
                return None
            details = _Explainer(self.game, s, known).of(node)
        except GameFault as fault:
            places = [f"in {place.rule} ({place.span})" for place in fault.chain if place.rule]
            return Failure(f"`{shown}` can't be answered: {fault.message}", places, node.span)
        return Failure(f"`{shown}` does not hold", details, node.span)

    def broken_invariants(self, s: list[int], span: Span) -> list[Failure]:
        """A failure for each invariant of the spec that does not hold."""
        found = []
        for node in self.game.invariants_broken(s):
            details = [f"declared at {node.span}", *_Explainer(self.game, s, {}).of(node)]
            found.append(Failure(f"the invariant `{_source(node)}` is broken", details, span))
        return found

    def _asks_for_player(self, node: TExpression) -> bool:
        return any(isinstance(n, typed.LocalValue) and n.local is self.player for n in nodes_of(node))


def _builtins(game: Game) -> Registry:
    """The questions that need the whole game, as builtins of this game's scenarios. Players may be given by number."""

    def score(state: list[int], p: int) -> int:
        """A player's score as it stands.

        Example: score(players[0]) == 0
        """
        if game.context.spec.result is None:
            raise RuleFault("fault-none", "this game has no `result`, so there are no scores")
        return sum(game.scores(state)[_seat(game, p)].values())

    def can_see(state: list[int], p: int, x: int) -> bool:
        """Whether a player sees the face of a piece.

        Example: sees(players[0], top(deck))
        """
        if x == NONE:
            raise RuleFault("fault-none", "`sees` is asked about no piece")
        kind = game.plan.kind_of_piece[x].info
        if kind.at is None and kind.name in game.plan.face_values:
            return True  # a die that lies in no zone
        space = state[game.plan.at + x]
        lying = game.build.module.namespace["pieces_at"](state, space)
        return sees(game, state, game.plan.zone_of_space[space], space, x, _seat(game, p), lying[-1] == x)

    def can_read(state: list[int], p: int, x: str) -> bool:
        """Whether a player sees the values of a variable, given by its name.

        Example: sees(players[0], "points")
        """
        if x not in game.context.spec.variables:
            found = nearest(x, game.context.spec.variables)
            raise RuleFault("fault-index", f"there is no variable `{x}`" + (f"; perhaps `{found[0]}`" if found else ""))
        return x in observe(State(game, state, explicit=True), _seat(game, p))["variables"]

    result: dict[str, tuple[Any, ...]] = {"score": (), "sees": ()}
    for type_ in ("player", "int"):
        result["score"] += (make_entry(f"score(p: {type_}) -> int", score, "scenario"),)
        result["sees"] += (make_entry(f"sees(p: {type_}, x: piece) -> bool", can_see, "scenario"),)
        result["sees"] += (make_entry(f"sees(p: {type_}, x: text) -> bool", can_read, "scenario"),)
    return Registry(builtins=result)


def _seat(game: Game, seat: int) -> int:
    if not 0 <= seat < game.players:
        raise RuleFault("fault-index", f"there is no seat {seat} among {game.players} players")
    return seat


# --- answers in words -------------------------------------------------------------------------------------------------


def _source(node: TExpression) -> str:
    return " ".join(node.span.text.split())


class _Explainer:
    """Says why a condition does not hold: the values of what it compares."""

    def __init__(self, game: Game, s: list[int], known: Known) -> None:
        self.game = game
        self.s = s
        self.known = known
        self.lines: list[str] = []

    def of(self, node: TExpression) -> list[str]:
        """The lines that explain a condition."""
        self._condition(node)
        return self.lines

    def _condition(self, node: TExpression) -> None:
        match node:
            case typed.Both(left=left, right=right):
                for side in (left, right):
                    if not self._value(side):
                        self._condition(side)
                        if node.operator == "and":
                            return
            case typed.Negation(operand=operand):
                self._show(operand)
            case typed.Comparison(left=left, right=right):
                self._show(left)
                self._show(right)
            case typed.Membership(element=element, collection=collection):
                self._show(element)
                self._show(collection)
            case typed.KindTest(operand=operand):
                self._show(operand)
            case typed.BuiltinCall() if node.entry.name in ("all", "any"):
                self._elements(node)
            case _:
                self._parts(node, 0)

    def _elements(self, node: typed.BuiltinCall) -> None:
        """Of `all` the elements for which the condition fails, of `any` all elements."""
        source = next((a for a in node.arguments if isinstance(a, TExpression)), None)
        body = next((a for a in node.arguments if isinstance(a, typed.EachBody)), None)
        if source is None:
            return
        values = self._value(source)
        if body is not None and node.entry.name == "all" and isinstance(values, tuple):
            failing = tuple(v for v in values if not self._value(body.body, {body.local: v}))
            self._line(f"not for {self._text(failing, source.type)}")
            return
        self._show(source)

    def _show(self, node: TExpression, depth: int = 0) -> None:
        """The value of an expression, and of what it is made of."""
        if isinstance(node, typed.Convert) and node.form in _SILENT:
            self._show(node.operand, depth)
            return
        if isinstance(node, typed.KindPieces | typed.ZoneSpaces) and not (node.keys or node.indices):
            return  # all that there are: nothing new
        value = self._value(node)
        failed = isinstance(value, str) and node.type != types.TEXT
        shown = f"not to be had: {value}" if failed else self._text(value, node.type)
        if compact(shown) != compact(node.span.text):
            self._line(f"`{_source(node)}` is {shown}")
        self._parts(node, depth)

    def _parts(self, node: TExpression, depth: int) -> None:
        if depth >= _DEEPEST:
            return
        for part in _parts_of(node):
            self._show(part, depth + 1)

    def _value(self, node: TExpression, more: Known | None = None) -> Any:
        """A value; where a rule fails, what it says."""
        try:
            return self.game.evaluate(node, self.s, {**self.known, **(more or {})})
        except GameFault as fault:
            return fault.message

    def _text(self, value: Any, type_: types.Type) -> str:
        if isinstance(value, tuple) and len(value) > _MOST_SHOWN:
            shown = self.game.names.exact(value[:_MOST_SHOWN], type_)
            return f"{shown[:-1]}, … {len(value)} in all]"
        return self.game.names.exact(value, type_)

    def _line(self, text: str) -> None:
        """Add a line, unless it is there already."""
        if text not in self.lines:
            self.lines.append(text)


def _parts_of(node: TExpression) -> tuple[TExpression, ...]:
    """The parts whose values tell something, all of them free of names bound inside the node."""
    match node:
        case typed.Arithmetic(left=left, right=right) | typed.Coalesce(left=left, right=right):
            return (left, right)
        case typed.ListJoin(left=left, right=right):
            return (left, right)
        case typed.Minus(operand=operand):
            return (operand,)
        case typed.Conditional(condition=condition):
            return (condition,)
        case typed.ListOperator(source=source):
            return (source,)
        case typed.BuiltinCall(arguments=arguments):
            return tuple(a for a in arguments if isinstance(a, TExpression))
        case typed.FunctionCall(arguments=arguments):
            return arguments
        case typed.Both(left=left, right=right) | typed.Comparison(left=left, right=right):
            return (left, right)
        case typed.Negation(operand=operand):
            return (operand,)
        case typed.VariableValue(target=target, keys=keys) if target is not None:
            return (target, *keys) if not isinstance(target, typed.LocalValue) else keys
        case typed.Property(target=target):
            return (target,)
    return ()
