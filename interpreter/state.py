"""A state of a game: one list of integers, and what can be asked of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from gdl.interpreter import cells as c
from gdl.interpreter import hashing, reading, saving, undo, view
from gdl.interpreter.errors import IllegalMove
from gdl.interpreter.moves import Move, Outcome
from gdl.interpreter.told import NOTHING, Told, follow

if TYPE_CHECKING:
    from gdl.interpreter.choices import Decision
    from gdl.interpreter.game import Game
    from gdl.interpreter.undo import Past

    Waiting = tuple[int, Decision, int]
    Trail = tuple["Trail | None", Move | Outcome]


_new = object.__new__


class State:
    """A situation in a game. `cells` is all of it; what else is kept here can be found again from them.

    The cells of a state are never changed: a move makes new ones. So copies share them, and what was found out about the situation, until
    they go their own ways. Every method that changes the state does so wholly or not at all.
    """

    __slots__ = ("_drawn", "_legal", "_past", "_told", "_trail", "_waiting", "cells", "explicit", "first_told", "game", "origin")

    def __init__(self, game: Game, cells: list[int], explicit: bool, told: Told = NOTHING) -> None:
        self.game = game
        self.cells = cells
        self.explicit = explicit
        self._legal: dict[int, tuple[Move, ...]] = {}
        self._waiting: list[Waiting] | None = None
        self._drawn: Move | None = None
        self._past: Past | None = None
        self._trail: Trail | None = None
        self._told = told
        self.origin = cells
        self.first_told = told

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
        asked = self._asked(seat)
        found = () if asked is None else self.game.offer(self.cells, asked[0], seat, self._choices(*asked, seat))
        self._legal[seat] = found
        return found

    def _asked(self, seat: int) -> tuple[Decision, int] | None:
        """The decision that waits for a seat, and its frame."""
        for _, decision, frame in self.waiting():
            if seat in decision.seats(self.cells, frame):
                return decision, frame
        return None

    def _choices(self, decision: Decision, frame: int, seat: int) -> list[tuple[int, ...]]:
        """The legal choices of a seat, in a fixed order."""
        cells = self.cells
        machine = self.game.machine
        machine.lists = True
        if machine.listed[0] is cells:
            return machine.listed[4]
        machine.meter.ask()
        try:
            found: list[tuple[int, ...]] = decision.all(cells, frame, seat)
        except Exception as error:
            raise self.game.fault(error, cells) from None
        return found

    def random_move(self, index: Callable[[int], int], seat: int | None = None) -> Move:
        """A legal move of a seat (of the first that decides, if left out), each as likely; `index(n)` draws a number below n.

        It may be asked several times: where it costs much to know which moves are legal, they are drawn until one is.
        """
        cells, decision, frame, decider, _ = self.game.machine.listed
        if seat is None and decision is not None and cells is self.cells:  # as nearly always
            seat = decider
            drawn = self._drawn_choice(seat, decision, frame, index)
        else:
            seat = self.deciders()[0] if seat is None else seat
            asked = self._asked(seat)
            drawn = None if asked is None else self._drawn_choice(seat, *asked, index)
        if drawn is None:
            drawn = self._drawn_move(seat, index)
        self._drawn = drawn
        return drawn

    def _drawn_choice(self, seat: int, decision: Decision, frame: int, index: Callable[[int], int]) -> Move | None:
        """One of the choices of a seat, where they are not listed as moves yet and need not be: most are what they are to everybody."""
        game = self.game
        if seat in self._legal or (decision.drawable is not None and not game.secrecy.is_needed):
            return None
        choices = self._choices(decision, frame, seat)
        if choices and game.is_plain(self.cells, decision, seat, choices):
            drawn: Move = game.moves_of(decision, seat)[choices[index(len(choices))]]
            return drawn
        self._legal[seat] = game.offer(self.cells, decision, seat, choices)
        return None

    def _drawn_move(self, seat: int, index: Callable[[int], int]) -> Move:
        if self.game.secrecy.is_needed:
            legal = self.legal_moves(seat)
            if legal:
                return legal[index(len(legal))]
        else:
            choices, holds, moves = self._drawable(seat)
            while choices:
                place = index(len(choices))
                choice, choices[place] = choices[place], choices[-1]
                del choices[-1]
                if holds(choice):
                    return moves[choice]
        raise IllegalMove(f"seat {seat} has no legal move now")

    def _drawable(self, seat: int) -> tuple[list[tuple[int, ...]], Callable[[tuple[int, ...]], bool], Mapping[tuple[int, ...], Move]]:
        """Choices of a seat, a test which of them are legal, and their moves."""
        cells, game = self.cells, self.game
        tried = [(decision, frame) for _, decision, frame in self.waiting() if decision.drawable and seat in decision.seats(cells, frame)]
        if not tried or (tried[0][0].joint and seat not in self.deciders()):
            legal = {move.choice: move for move in self.legal_moves(seat)}
            return list(legal), legal.__contains__, legal
        decision, frame = tried[0]
        choices = game.guard(cells, lambda: decision.drawable(cells, frame, seat))
        moves, known = game.moves_of(decision, seat), self._legal.get(seat)
        if known is not None:
            return choices, lambda choice: moves[choice] in known, moves
        return choices, lambda choice: game.guard(cells, lambda: decision.holds(cells, frame, seat, choice)), moves

    def prompt(self, seat: int) -> str:
        """What the seat is asked, if the spec says so."""
        self.game.machine.meter.ask()
        for _, decision, frame in self.waiting():
            if seat in decision.seats(self.cells, frame) and decision.prompt is not None:
                parts = self.game.build.module.namespace[f"D{decision.number}_prompt"](self.cells, frame, seat)
                return self.game.disclosure.text(parts, self.cells, seat)
        return ""

    # --- changing -----------------------------------------------------------------------------------------------------

    def apply(self, move: Move | str) -> None:
        """Carry out a move, given as such or as text, and go on to the next decision.

        Raises IllegalMove if it is not legal now, GameFault if a rule fails; either way the state is as it was.
        """
        if isinstance(move, str):
            move = self.parse_move(move)
        if move is not self._drawn and not self._is_legal(move):
            raise IllegalMove(f"`{move}` is not a legal move now")
        before = self.cells
        machine = self.game.machine
        cells = before[:]
        revealing = machine.revealing
        if revealing is not None and revealing.clean is before:
            revealing.clean = cells
        machine.drawn = False
        try:
            machine.decide(cells, move.seat, move.decision, move.choice, self.explicit)
        except BaseException as error:
            raise self.game.fault(error, cells) from None
        self._legal = {}
        self._waiting = None
        self._drawn = None
        self.cells = cells
        self._past = undo.remember(self, before, move.seat, machine.drawn, machine.told)
        self._trail = (self._trail, move)
        if machine.told or self._told is not NOTHING:
            self._hear(move.seat, before)

    def _hear(self, mover: int | None, before: list[int]) -> None:
        """Take in what the last run has told."""
        game = self.game
        sealed = bool(game.build.shadow and before[game.build.shadow])
        self._told = follow(self._told, mover, game.machine.told, game.players + 1, sealed=sealed)

    def _is_legal(self, move: Move) -> bool:
        """Whether a move is legal. Most are among those that were listed; so identity is tried first, which is much quicker."""
        legal = self._legal.get(move.seat)
        if legal is None:
            legal = self.legal_moves(move.seat)
        for known in legal:
            if known is move:
                return True
        return move in legal

    def _become(self, cells: list[int]) -> None:
        """Another situation, of which nothing has been found out yet."""
        self._legal = {}
        self._waiting = None
        self._drawn = None
        self.cells = cells

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
        before = self.cells
        cells = before[:]
        seat = self.game.machine.branch_seat(before, thread)
        try:
            self.game.machine.settle(cells, thread, chance, chosen.value, self.explicit)
        except BaseException as error:
            raise self.game.fault(error, cells) from None
        self._become(cells)
        self._past = undo.after_chance(self, seat)
        self._trail = (self._trail, chosen)
        self._hear(None, before)

    def parse_move(self, text: str) -> Move:
        """The legal move that a text names. Raises IllegalMove, with what is nearest, if there is none."""
        return reading.read_move(self, text)

    def label(self, move: Move) -> str:
        """A legal move as people read it: as its seat may know it."""
        return self.game.own_label(move, self.cells)

    # --- undo and what was ----------------------------------------------------------------------------------------------

    def why_not_undo(self, seat: int | None = None) -> str | None:
        """Why a seat (the one that decided last, if left out) can't take its last move back; none if it can.

        A move can be taken back until something hidden was revealed, something random happened or another player decided.
        """
        return undo.why_not(self, seat)

    def undo(self, seat: int | None = None) -> bool:
        """Take the last move back, if that is allowed; whether it was.

        Inside a sealed `together` that is the last move in the seat's own branch, whatever others have decided since in theirs.
        """
        earlier = undo.back(self, seat)
        if earlier is None:
            return False
        self._become(earlier.cells)
        self._past, self._trail, self._told = earlier._past, earlier._trail, earlier._told
        return True

    def _go_back(self, past: Past) -> None:
        """To the situation before a move of the past."""
        self._become(past[0])
        self._past, self._told, self._trail = past[4], past[6], past[7]

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

    def losers(self) -> tuple[int, ...]:
        """The seats that have lost by a rule that says so, as all have where players win or lose together."""
        return self.game.losers(self.cells)

    # --- copies -------------------------------------------------------------------------------------------------------

    def clone(self) -> State:
        """An independent copy. What was found out about the situation is shared until either changes."""
        copy = _new(State)  # `__init__` would make what is shared instead
        copy.game = self.game
        copy.cells = self.cells
        copy.explicit = self.explicit
        copy.origin = self.origin
        copy.first_told = self.first_told
        copy._legal = self._legal
        copy._waiting = self._waiting
        copy._drawn = self._drawn
        copy._past = self._past
        copy._trail = self._trail
        copy._told = self._told
        return copy

    def restarted(self) -> State:
        """A copy of where this state began, before the moves of its trail."""
        return State(self.game, self.origin, self.explicit, self.first_told)

    def told(self, seat: int | None) -> tuple[str, ...]:
        """What the log has told a seat since it last decided, the newest last; what it has told in the last run somebody who looks on."""
        return self._told.to(seat)

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
