"""A match while it runs → the events that a seat may know of, for `gdl play` and `gdl run --view`.

What a move or an outcome tells a seat depends on what it sees afterwards: a card played from a hidden hand is known once it
lies on the table. So events wait until it is clear; what others do inside a sealed `together` waits for all of them.
"""

from __future__ import annotations

from collections.abc import Sequence

from attrs import define, evolve, field

from gdl.cli.match_log import Event, Narrator, Sink
from gdl.interpreter.choices import Chance
from gdl.interpreter.game import Game
from gdl.interpreter.knowledge import Knowledge
from gdl.interpreter.moves import Move
from gdl.interpreter.state import State
from gdl.interpreter.told import Line


@define
class Held:
    """An event that waits. `move` and `seen`: of a move; the others: of an outcome that may be hidden.

    `piece` lay at `source`; `is_known` says whether the seat may know the outcome, `hidden` what it is told if not.
    """

    event: Event
    move: Move | None = None
    seen: frozenset[int] = frozenset()
    piece: int | None = None
    source: int = -1
    is_known: bool = True
    hidden: str = ""


@define
class Account:
    """What one seat is told. Its sink gets events in order, each when it is clear what of it the seat may know.

    `batch` is what a move and its effects brought so far, `held` what has to wait for the end of a sealed `together`.
    """

    seat: int
    knowledge: Knowledge
    sink: Sink
    batch: list[Held] = field(factory=list, init=False)
    held: list[Held] = field(factory=list, init=False)
    outcome: Held | None = field(default=None, init=False)
    mover: int | None = field(default=None, init=False)
    seal: Sequence[int] = field(default=(), init=False)

    def note(self, event: Event) -> None:
        """Something that all may know."""
        self.batch.append(Held(event))

    def note_line(self, event: Event, line: Line) -> None:
        """A line of the log, as the seat may read it, if it is for it."""
        text = line.readings[self.seat]
        if text is not None:
            self.batch.append(Held(evolve(event, text=text)))

    def note_move(self, event: Event, own: str, move: Move, s: list[int]) -> None:
        """A move that is about to be carried out; `own` is its label as its seat reads it."""
        if move.seat == self.seat:
            event = evolve(event, text=own)
        self.mover = move.seat
        self.seal = self.knowledge.seal(s)
        self.batch.append(Held(event, move, self.knowledge.seen_in(move, s, self.seat)))

    def note_outcome(self, event: Event, s: list[int], chance: Chance, frame: int, value: int) -> None:
        """An outcome that is about to be acted on."""
        knowledge = self.knowledge
        piece = knowledge.outcome_piece(chance, s, frame, value)
        is_secret = knowledge.is_secret_chance(chance)
        entry = Held(event, piece=piece)
        if is_secret or piece is not None:
            entry.hidden = knowledge.hidden_outcome(chance, s, frame, piece)
            entry.is_known = not is_secret and chance.form != "piece" and piece is not None and knowledge.sees(s, piece, self.seat)
        if not is_secret and piece is not None:
            entry.source = knowledge.place_of(s, piece)
            self.outcome = entry
        self.batch.append(entry)

    def look(self, s: list[int]) -> None:
        """See where the piece of the last outcome has come to lie."""
        entry, self.outcome = self.outcome, None
        if entry is None or entry.piece is None or entry.is_known:
            return
        entry.is_known = self.knowledge.sees(s, entry.piece, self.seat)
        stays = self.knowledge.place_of(s, entry.piece) == entry.source
        if stays or self.knowledge.is_in_secret(s, entry.piece, self.seat):
            entry.hidden = ""

    def close(self, s: list[int]) -> None:
        """A move has been carried out wholly: hand on what is clear by now."""
        self.look(s)
        if not self.batch:
            return
        if self.seal and self.mover != self.seat and self.knowledge.seal(s) == self.seal:
            self.held += self.batch
        else:
            joined = not self.seal or self.knowledge.seal(s) != self.seal
            ready = [*self.held, *self.batch] if joined else self.batch
            self.held = [] if joined else self.held
            for entry in ready:
                self._hand_on(entry, s)
        self.batch, self.mover, self.seal = [], None, ()

    def _hand_on(self, entry: Held, s: list[int]) -> None:
        event = entry.event
        if entry.move is not None:
            text = self.knowledge.move_text(entry.move, event.text, s, self.seat, entry.seen)
            is_known = text == event.text and (not entry.move.signs or entry.move.seat == self.seat)
            self.sink(evolve(event, text=text, move=event.move if is_known else ""))
        elif entry.is_known:
            self.sink(event)
        elif entry.hidden:
            self.sink(evolve(event, text=entry.hidden))


class SeatNarrator(Narrator):
    """Follows the matches of a game for some of its seats."""

    def __init__(self, game: Game, accounts: Sequence[Account]) -> None:
        super().__init__(game, self._note)
        self.accounts = accounts

    def move(self, state: State, move: Move) -> None:
        """A move is about to be carried out."""
        self.finish(state)
        self._cells = state.cells
        self._look(state.cells)
        event = self._event("move", move.seat, self.game.move_label(move, state.cells), str(move))
        own = state.label(move)
        for account in self.accounts:
            account.note_move(event, own, move, state.cells)

    def finish(self, state: State) -> None:
        """The last move has been carried out, and what followed from it."""
        if not state.is_terminal():
            self._look(state.cells)
        for account in self.accounts:
            account.close(state.cells)

    def tell(self, event: Event, line: Line) -> None:
        """The spec's `log` says something, not the same to each."""
        for account in self.accounts:
            if self._cells is not None:
                account.look(self._cells)
            account.note_line(event, line)

    def _note(self, event: Event) -> None:
        for account in self.accounts:
            if self._cells is not None:
                account.look(self._cells)
            account.note(event)

    def _chance(self, s: list[int], chance: Chance, frame: int, value: int) -> None:
        self._cells = s
        self._look(s)
        event = self._event("chance", self._standing[2], self.game.chance_text(s, chance, frame, value))
        for account in self.accounts:
            account.look(s)
            account.note_outcome(event, s, chance, frame, value)
