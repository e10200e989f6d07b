"""A game ready to be played: a spec with players and options, shared by all its states."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from gdl import typed, types
from gdl.check_scope import Context
from gdl.interpreter import cells as c
from gdl.interpreter import saving
from gdl.interpreter.build import Build
from gdl.interpreter.chance import mix
from gdl.interpreter.choices import Alternative, Chance, Decision
from gdl.interpreter.disclosure import Disclosure, Part
from gdl.interpreter.errors import GameFault, Place
from gdl.interpreter.faults import RuleFault, fault_of
from gdl.interpreter.machine import Machine
from gdl.interpreter.memo import Memo
from gdl.interpreter.moves import Move
from gdl.interpreter.naming import Names
from gdl.interpreter.offering import Sight, arranged, is_hidden, offered
from gdl.interpreter.state import State
from gdl.interpreter.telling import Telling
from gdl.interpreter.told import NOTHING, Told, follow
from gdl.typed import Local
from gdl.types import ListType
from gdl.values import NONE

MOST_MOVES = 1 << 12
"""Moves that are kept of a seat at a decision."""


class Game:
    """Rules, numbers and names, fixed. Make states with `new_state`.

    `players` is the number of players, `options` the value of each option by name, `spec_hash` tells specs apart. A `lazy` game is sooner
    made and slower to play.
    """

    def __init__(
        self,
        context: Context,
        players: int,
        options: Mapping[str, str | int | bool],
        numbers: Mapping[str, int],
        spec_hash: str,
        *,
        lazy: bool = False,
    ) -> None:
        self.context = context
        self.title = context.spec.declarations.title
        self.name = context.spec.declarations.game
        self.players = players
        self.options = dict(options)
        self.spec_hash = spec_hash
        self.build = Build(context.spec, players, numbers, lazy=lazy)
        self.plan = self.build.plan
        self.names = Names(self.plan, self.build.emitter)
        self.machine = Machine(self.build)
        self.secrecy = self.build.emitter.secrecy
        self.disclosure = Disclosure(self)
        self.sight = Sight(self.plan)
        self.telling = Telling(self)
        if self.secrecy.is_needed:
            self.build.control.is_hidden = lambda s, piece, seat: is_hidden(self, s, piece, seat)
            self.build.control.arranged = lambda s, pieces, seat: arranged(self, s, pieces, seat)
        self._moves: dict[tuple[int, int], Memo] = {}

    # --- states -------------------------------------------------------------------------------------------------------

    def new_state(self, seed: int | None = None, explicit_chance: bool = False) -> State:
        """A state at the first decision (or chance event, if chance is explicit).

        The seed decides all chance; left out, a fresh one is drawn. Raises GameFault if the set-up can't be carried out.
        """
        if seed is None:
            seed = int.from_bytes(os.urandom(6), "big")
        s = list(self.build.first)
        s[c.RANDOM] = mix(seed & ((1 << 64) - 1))
        self.guard(s, lambda: self.machine.run(s, explicit_chance))
        return State(self, s, explicit_chance, told=follow(NOTHING, None, self.machine.told, self.players + 1, sealed=False))

    def state_of(self, cells: list[int], explicit_chance: bool, told: Told = NOTHING) -> State:
        """A state made of cells that are known to be of this game, and what has been told in it."""
        return State(self, cells, explicit_chance, told=told)

    def state_from_json(self, data: Mapping[str, Any]) -> State:
        """The state that `State.to_json` wrote. Raises BadSave if it is broken or of another game."""
        return saving.read_state(self, data)

    # --- faults -------------------------------------------------------------------------------------------------------

    def guard(self, s: list[int], action: Callable[[], Any]) -> Any:
        """Do something with a state; a failing rule becomes a GameFault."""
        self.machine.meter.ask()
        try:
            return action()
        except Exception as error:
            raise self.fault(error, s) from None

    def fault(self, error: BaseException, s: list[int]) -> BaseException:
        """The GameFault that an error in a rule means; any other error as it is."""
        fault = fault_of(error)
        return error if fault is None else self._fault(fault, error, s)

    def moves_of(self, decision: Decision, seat: int) -> Memo:
        """The moves of a seat at a decision, by their choices."""
        key = (decision.number, seat)
        known = self._moves.get(key)
        if known is None:
            place = self.build.builder.numbers[decision.label]
            known = self._moves[key] = Memo(lambda choice: Move(self, place, seat, choice), limit=MOST_MOVES)
        return known

    def offer(self, s: list[int], decision: Decision, seat: int, choices: Sequence[tuple[Any, ...]]) -> tuple[Move, ...]:
        """The moves of a seat's choices at a decision, as it may know them."""
        known = self.moves_of(decision, seat)
        moves = [known[choice] for choice in choices]
        return tuple(moves) if self.is_plain(s, decision, seat, choices) else offered(self, s, decision, moves)

    def is_plain(self, s: list[int], decision: Decision, seat: int, choices: Sequence[tuple[Any, ...]]) -> bool:
        """Whether a seat's choices certainly offer nothing that it does not see, so that they come as they are."""
        return not self.secrecy.is_needed or self.sight.sees_all(s, decision, seat, choices)

    def _fault(self, fault: RuleFault, error: BaseException, s: list[int]) -> GameFault:
        trail = self.build.module.trail(error.__traceback__)
        chain = [*self._callers(s), *(Place(rule, span) for rule, span in trail)]
        shortened = chain if len(chain) <= 12 else [*chain[:6], *chain[-6:]]
        span = shortened[-1].span if shortened else self.context.spec.declarations.span
        return GameFault(fault.code, fault.message, span, tuple(shortened))

    def _callers(self, s: list[int]) -> list[Place]:
        """The units whose frames wait for the one that failed."""
        found: list[Place] = []
        thread = s[c.THREAD]
        if not 0 <= thread < len(s) - c.THREAD_FRAME:
            return found
        frame = s[thread + c.THREAD_FRAME]
        instructions = self.build.builder.instructions
        starts = {u.name: u.span for u in self.build.builder.entries if u.form not in ("setup", "phases")}
        for _ in range(100):
            caller = s[frame + c.FRAME_CALLER] if 0 <= frame < len(s) - 1 else 0
            if not caller or caller == frame:
                break
            back = s[frame]
            if 0 <= back < len(instructions):
                rule = instructions[back].rule
                span = starts.get(rule.split(" ", 1)[-1])
                if span is not None:
                    found.insert(0, Place(rule, span))
            frame = caller
        return found

    # --- texts --------------------------------------------------------------------------------------------------------

    def move_text(self, move: Move) -> str:
        """A move as it is written and parsed: `name(param=value, …)`; what its seat does not see by where it lies."""
        return self._written(move, move.signs)

    def _written(self, move: Move, signs: tuple[str | None, ...]) -> str:
        alternative = self._alternative(move)
        values = move.choice[1:]
        signs = signs or (None,) * len(values)
        parts = [
            f"{local.name}={self.names.exact(value, local.type) if sign is None else sign}"
            for local, value, sign in zip(alternative.locals, values, signs, strict=False)
            if value != NONE
        ]
        name = alternative.name
        return f"{name}({', '.join(parts)})" if parts else name

    def move_label(self, move: Move, s: list[int]) -> str:
        """A move as people read it who may know all."""
        parts = self._label_parts(move, s)
        return self._written(move, ()) if parts is None else self.disclosure.whole(parts)

    def own_label(self, move: Move, s: list[int]) -> str:
        """A move as its seat reads it before it is made."""
        parts = self._label_parts(move, s)
        if parts is None:
            return str(move)
        if all(isinstance(part, str) for part in parts):
            return "".join(str(part) for part in parts)
        return self.disclosure.text(parts, s, move.seat, lambda piece: move.hidden.get(piece) or self.disclosure.back(piece))

    def _label_parts(self, move: Move, s: list[int]) -> Sequence[Part] | None:
        alternative = self._alternative(move)
        if alternative.template is None:
            return None
        decision = self.machine.decisions[move.decision]
        bound: tuple[Local, ...] = alternative.locals
        values: list[Any] = list(move.choice[1:])
        action = self.context.spec.actions.get(alternative.name)
        if alternative.form == "action" and action is not None and action.player is not None:
            bound, values = (action.player, *bound), [move.seat, *values]
        elif decision.acting is not None:
            bound, values = (decision.acting, *bound), [move.seat, *values]
        try:
            return self.names.parts(alternative.template, bound, s, None, *values)
        except (RuleFault, LookupError, TypeError):
            return None

    def _alternative(self, move: Move) -> Alternative:
        return self.machine.decisions[move.decision].alternatives[move.choice[0]]

    def chance_text(self, s: list[int], chance: Chance, frame: int, value: int) -> str:
        """An outcome as scenarios write it: `roll(die) = 2`."""
        if chance.form == "roll":
            piece = chance.about(s, frame)
            kind = self.plan.kind_of_piece[piece]
            name = self.names.piece(piece)
            number, symbol = self.plan.face_values[kind.info.name][value], self.plan.face_symbols[kind.info.name][value]
            return f"roll({name}) = {number if symbol == NONE else self.plan.symbol_name(symbol)}"
        subject = chance.subject
        if chance.form == "piece" and chance.about is not None:
            return f"draw({self.names.space(chance.about(s, frame))}) = {self.names.piece(value)}"
        element = subject.type.element if subject is not None and isinstance(subject.type, ListType) else types.INT
        return f"{chance.name} = {self.names.exact(value, element)}"

    # --- results ------------------------------------------------------------------------------------------------------

    def scores(self, s: list[int]) -> tuple[dict[str, int], ...]:
        """The parts of each seat's score; empty without `result`."""
        result = self.context.spec.result
        if result is None:
            return ()
        score = self.build.module.namespace["R_score"]
        names = [name for name, _ in result.score]
        rows = self.guard(s, lambda: [score(s, seat) for seat in range(self.players)])
        return tuple(dict(zip(names, row, strict=True)) for row in rows)

    def heuristic(self, s: list[int], seat: int) -> int | None:
        """How good a situation looks for a seat, by the spec's `heuristic`; none without one."""
        if self.context.spec.heuristic is None:
            return None
        value = self.build.module.namespace["H_value"]
        found: int = self.guard(s, lambda: value(s, seat))
        return found

    def standings(self, s: list[int]) -> tuple[int, ...]:
        """What ranks the seats first as it stands now, the greater the better; empty without `result`."""
        result = self.context.spec.result
        if result is None:
            return ()
        if not result.ranking:
            return tuple(sum(parts.values()) for parts in self.scores(s))
        rank = self.build.module.namespace["R_rank"]
        sign = 1 if result.ranking[0][0] else -1
        return self.guard(s, lambda: tuple(sign * rank(s, seat)[0] for seat in range(self.players)))  # type: ignore[no-any-return]

    def ranking(self, s: list[int]) -> tuple[tuple[int, ...], ...]:
        """Seats by place, those that share a place together; empty where nothing ranks them."""
        seats = list(range(self.players))
        outcome = {seat: s[c.OUTCOMES + seat] for seat in seats}
        decided = any(outcome.values())
        result = self.context.spec.result
        if s[c.TIED] or (result is None and not decided):
            return (tuple(seats),) if s[c.TIED] else ()
        keys: dict[int, tuple[int, ...]] = {seat: (-outcome[seat],) for seat in seats}
        if result is not None:
            rank = self.build.module.namespace["R_rank"]
            signs = [-1 if highest else 1 for highest, _ in result.ranking]
            rows = self.guard(s, lambda: [rank(s, seat) for seat in seats])
            for seat, values in zip(seats, rows, strict=True):
                if not outcome[seat]:
                    keys[seat] += tuple(sign * value for sign, value in zip(signs, values, strict=True))
        groups: dict[tuple[int, ...], list[int]] = {}
        for seat in seats:
            groups.setdefault(keys[seat], []).append(seat)
        return tuple(tuple(groups[key]) for key in sorted(groups))

    def winners(self, s: list[int]) -> tuple[int, ...]:
        """The seats that have won; empty after a tie, while the game runs, and when all have lost."""
        if not s[c.OVER] or s[c.TIED]:
            return ()
        seats = range(self.players)
        won = tuple(seat for seat in seats if s[c.OUTCOMES + seat] == 1)
        if won:
            return won
        left = [seat for seat in seats if s[c.OUTCOMES + seat] != -1]
        if not left or self.context.spec.result is None:
            return ()
        return tuple(seat for seat in self.ranking(s)[0] if seat in left)

    def losers(self, s: list[int]) -> tuple[int, ...]:
        """The seats that have lost by a rule that says so; not those that only come behind others in the ranking."""
        return tuple(seat for seat in range(self.players) if s[c.OUTCOMES + seat] == -1)

    def invariants_broken(self, s: list[int]) -> list[typed.TExpression]:
        """The invariants that do not hold in a state."""
        return [node for node in self.context.spec.invariants if not self.evaluate(node, s)]

    def evaluate(self, node: typed.TExpression, s: list[int], known: Mapping[Local, Any] | None = None) -> Any:
        """The value of a typed expression in a state."""
        emitter, module = self.build.emitter, self.build.module
        bound = known or {}
        with emitter.outside(bound) as names:
            text = emitter.expr(node)
            module.late_functions()
            values = {"s": s, **dict(zip(names, bound.values(), strict=True))}
            return self.guard(s, lambda: module.evaluate(text, values))
