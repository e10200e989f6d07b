"""A state of a game: one list of integers, and what can be asked of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from gdl.interpreter import cells as c
from gdl.interpreter import hashing, reading, saving, undo, view
from gdl.interpreter.errors import IllegalMove
from gdl.interpreter.moves import Move, Outcome

if TYPE_CHECKING:
    from gdl.interpreter.choices import Decision
    from gdl.interpreter.game import Game
    from gdl.interpreter.undo import Past

    Waiting = tuple[int, Decision, int]
    Trail = tuple["Trail | None", Move | Outcome]


class State:
    """A situation in a game. `cells` is all of it; what else is kept here can be found again from them.

    Every method that changes the state does so wholly or not at all.
    """

    __slots__ = ("_legal", "_past", "_trail", "_waiting", "cells", "explicit", "game", "origin")

    def __init__(self, game: Game, cells: list[int], explicit: bool, origin: list[int] | None = None) -> None:
        self.game = game
        self.cells = cells
        self.explicit = explicit
        self._legal: dict[int, tuple[Move, ...]] = {}
        self._waiting: list[Waiting] | None = None
        self._past: Past | None = None
        self._trail: Trail | None = None
        self.origin: list[int] = cells[:] if origin is None else origin

    def waiting(self) -> list[Waiting]:
        """The decisions that wait: each a thread, the decision, its frame."""
        if self._waiting is None:
            self._waiting = self.game.machine.waiting(self.cells)
        return self._waiting

    # --- who and what -------------------------------------------------------------------------------------------------

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self.cells[c.OVER] == 1

    def is_chance(self) -> bool:
        """Whether a chance event waits for `apply_chance`; never without explicit chance."""
        return self.explicit and self.game.machine.chance(self.cells) is not None

    def deciders(self) -> tuple[int, ...]:
        """The seats that may decide now, ascending; empty at chance events and at the end."""
        cells = self.cells
        self.game.machine.meter.ask()
        waiting = self.waiting()
        if len(waiting) == 1:
            _, decision, frame = waiting[0]
            seats: tuple[int, ...] = decision.seats(cells, frame)
            return tuple(p for p in seats if decision.any(cells, frame, p)) if decision.joint else seats
        return tuple(sorted(seat for _, decision, frame in waiting for seat in decision.seats(cells, frame)))

    def legal_moves(self, seat: int | None = None) -> tuple[Move, ...]:
        """The legal moves of a seat (of the only one that decides, if left out), in a fixed order, each once."""
        if seat is None:
            deciders = self.deciders()
            return tuple(m for p in deciders for m in self.legal_moves(p))
        if seat in self._legal:
            return self._legal[seat]
        cells = self.cells
        self.game.machine.meter.ask()
        found: tuple[Move, ...] = ()
        for _, decision, frame in self.waiting():
            if seat in decision.seats(cells, frame):
                try:
                    choices = decision.all(cells, frame, seat)
                except Exception as error:
                    raise self.game.fault(error, cells) from None
                moves = self.game.moves_of(decision, seat)
                found = tuple([moves[choice] for choice in choices])
                break
        self._legal[seat] = found
        return found

    def prompt(self, seat: int) -> str:
        """What the seat is asked, if the spec says so."""
        self.game.machine.meter.ask()
        for _, decision, frame in self.waiting():
            if seat in decision.seats(self.cells, frame) and decision.prompt is not None:
                text: str = self.game.build.module.namespace[f"D{decision.number}_prompt"](self.cells, frame, seat)
                return text
        return ""

    # --- changing -----------------------------------------------------------------------------------------------------

    def apply(self, move: Move | str) -> None:
        """Carry out a move, given as such or as text, and go on to the next decision.

        Raises IllegalMove if it is not legal now, GameFault if a rule fails; either way the state is as it was.
        """
        if isinstance(move, str):
            move = self.parse_move(move)
        legal = self._legal.get(move.seat)
        if move not in (self.legal_moves(move.seat) if legal is None else legal):
            raise IllegalMove(f"`{move}` is not a legal move now")
        cells = self.cells
        kept = cells[:]
        machine = self.game.machine
        machine.drawn = False
        try:
            machine.decide(cells, move.seat, move.decision, move.choice, self.explicit)
        except BaseException as error:
            fault = self.game.fault(error, cells)
            cells[:] = kept
            raise fault from None
        self._legal = {}
        self._waiting = None
        self._past = undo.remember(kept, move.seat, machine.drawn, self._past)
        self._trail = (self._trail, move)

    def _changed(self) -> None:
        """Forget what was found out about the situation before."""
        self._legal = {}
        self._waiting = None

    def chance_outcomes(self) -> tuple[Outcome, ...]:
        """The outcomes of the chance event that waits, in a fixed order, with their weights."""
        waiting = self.game.machine.chance(self.cells)
        if waiting is None:
            return ()
        _, chance, frame = waiting
        outcomes = self.game.guard(self.cells, lambda: chance.outcomes(self.cells, frame))
        return tuple(Outcome(value, weight, self.game.chance_text(self.cells, chance, frame, value)) for value, weight in outcomes)

    def apply_chance(self, outcome: Outcome | str) -> None:
        """Settle the chance event that waits, by an outcome or its text."""
        waiting = self.game.machine.chance(self.cells)
        if waiting is None:
            raise IllegalMove("no chance event is waiting")
        possible = self.chance_outcomes()
        text = str(outcome)
        chosen = next((o for o in possible if o.text == text), None)
        if chosen is None:
            raise IllegalMove(f"`{text}` is no outcome of this chance event", tuple(o.text for o in possible[:3]))
        thread, chance, _ = waiting
        kept = self.cells[:]
        try:
            self.game.machine.settle(self.cells, thread, chance, chosen.value, self.explicit)
        except BaseException as error:
            fault = self.game.fault(error, self.cells)
            self.cells[:] = kept
            raise fault from None
        self._changed()
        self._past = None
        self._trail = (self._trail, chosen)

    def parse_move(self, text: str) -> Move:
        """The legal move that a text names. Raises IllegalMove, with what is nearest, if there is none."""
        return reading.read_move(self, text)

    def label(self, move: Move) -> str:
        """A move as people read it."""
        return self.game.move_label(move, self.cells)

    # --- undo and what was ----------------------------------------------------------------------------------------------

    def why_not_undo(self, seat: int | None = None) -> str | None:
        """Why a seat (the one that decided last, if left out) can't take its last move back; none if it can.

        A move can be taken back until something hidden was revealed, something random happened or another player decided.
        """
        return undo.why_not(self, self._past, seat)

    def undo(self, seat: int | None = None) -> bool:
        """Take the last move back, if that is allowed; whether it was."""
        past = self._past
        if past is None or self.why_not_undo(seat) is not None:
            return False
        self.cells[:] = past[0]
        self._past = past[3]
        assert self._trail is not None
        self._trail = self._trail[0]
        self._changed()
        return True

    def trail(self) -> tuple[Move | Outcome, ...]:
        """The moves, and with explicit chance the outcomes, that led here from where this state began."""
        found: list[Move | Outcome] = []
        node = self._trail
        while node is not None:
            found.append(node[1])
            node = node[0]
        return tuple(reversed(found))

    def information_state(self, seat: int) -> list[dict[str, Any]]:
        """All that a seat could have known: what it observed, whenever that changed, and what it did, in order.

        Entries are `{"observed": observation}` and `{"did": text of a move}`. It begins where this state began: with the set-up, or
        where it was loaded.
        """
        return view.information_state(self, seat)

    # --- results ------------------------------------------------------------------------------------------------------

    def scores(self) -> tuple[int, ...]:
        """Each seat's score as it stands now; empty if the spec has no `result`."""
        return tuple(sum(parts.values()) for parts in self.game.scores(self.cells))

    def score_parts(self) -> tuple[dict[str, int], ...]:
        """Each seat's score by parts."""
        return self.game.scores(self.cells)

    def ranking(self) -> tuple[tuple[int, ...], ...]:
        """Seats by place, the best first; seats that share a place stand together. Empty where nothing ranks them."""
        return self.game.ranking(self.cells)

    def winners(self) -> tuple[int, ...]:
        """The seats that have won; empty while the game runs and after a tie."""
        return self.game.winners(self.cells)

    # --- copies -------------------------------------------------------------------------------------------------------

    def clone(self) -> State:
        """An independent copy. What was found out about the situation is shared until either changes."""
        copy = State(self.game, self.cells[:], self.explicit, self.origin)
        copy._legal, copy._waiting = self._legal, self._waiting
        copy._past, copy._trail = self._past, self._trail
        return copy

    def restarted(self) -> State:
        """A copy of where this state began, before the moves of its trail."""
        return State(self.game, self.origin[:], self.explicit)

    def hash(self) -> int:
        """A 64-bit number that is equal for equal situations, on every machine.

        Alike pieces are not told apart; how many turns have passed and what chance will bring do not count.
        """
        return hashing.state_hash(self.game.plan, self.cells)

    def to_json(self) -> dict[str, Any]:
        """The whole state, for `Game.state_from_json`."""
        return saving.write_state(self)

    def observation(self, seat: int | None) -> Mapping[str, Any]:
        """What a seat can see now (none: somebody who looks on), as data that JSON can hold."""
        return view.observe(self, seat)
