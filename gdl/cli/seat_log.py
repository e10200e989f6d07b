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


@define
class _Entry:
    """An event that waits. `move` and `seen`: of a move; `piece`, `source`, `hidden`: of an outcome that may be hidden."""

    event: Event
    move: Move | None = None
    seen: frozenset[int] = frozenset()
    piece: int | None = None
    source: int = -1
    is_known: bool = True
    hidden: str = ""


@define
class Account:
    """What one seat is told. Its sink gets events in order, each when it is clear what of it the seat may know."""

    seat: int
    knowledge: Knowledge
    sink: Sink
    waiting: list[_Entry] = field(factory=list, init=False)
    outcome: _Entry | None = field(default=None, init=False)
    mover: int | None = field(default=None, init=False)

    def note(self, event: Event) -> None:
        """Something that everybody may know, or a message."""
        if event.to is None or self.seat in event.to:
            self.waiting.append(_Entry(event))

    def note_move(self, event: Event, move: Move, s: list[int]) -> None:
        """A move that is about to be carried out."""
        self.mover = move.seat
        self.waiting.append(_Entry(event, move, self.knowledge.seen_in(move, s, self.seat)))

    def note_outcome(self, event: Event, s: list[int], chance: Chance, frame: int, value: int) -> None:
        """An outcome that is about to be acted on."""
        knowledge = self.knowledge
        piece = knowledge.outcome_piece(chance, s, frame, value)
        is_known = not knowledge.is_secret_chance(chance)
        if is_known and piece is None:
            self.waiting.append(_Entry(event))
            return
        hidden = knowledge.hidden_outcome(chance, s, frame, piece)
        source = -1 if piece is None else knowledge.place_of(s, piece)
        is_seen = is_known and piece is not None and chance.form != "piece" and knowledge.sees(s, piece, self.seat)
        self.outcome = _Entry(event, None, frozenset(), piece, source, is_seen, hidden)
        self.waiting.append(self.outcome)
        if not is_known:
            self.outcome = None

    def look(self, s: list[int]) -> None:
        """See where the piece of the last outcome has come to lie."""
        entry, self.outcome = self.outcome, None
        if entry is None or entry.piece is None:
            return
        knowledge = self.knowledge
        entry.is_known = entry.is_known or knowledge.sees(s, entry.piece, self.seat)
        if not entry.is_known and (knowledge.place_of(s, entry.piece) == entry.source or knowledge.is_in_secret(s, entry.piece, self.seat)):
            entry.hidden = ""

    def close(self, s: list[int]) -> None:
        """A move has been carried out wholly: hand on what is clear by now."""
        self.look(s)
        if self.knowledge.is_sealed(s) and self.mover != self.seat:
            return
        if self.knowledge.is_sealed(s):
            own = next((n for n, entry in enumerate(self.waiting) if entry.move is not None and entry.move.seat == self.seat), 0)
            ready, self.waiting = self.waiting[own:], self.waiting[:own]
        else:
            ready, self.waiting = self.waiting, []
        for entry in ready:
            self._hand_on(entry, s)

    def _hand_on(self, entry: _Entry, s: list[int]) -> None:
        if entry.move is not None:
            text = self.knowledge.move_text(entry.move, entry.event.text, s, self.seat, entry.seen)
            is_whole = text == entry.event.text
            self.sink(evolve(entry.event, text=text, move=entry.event.move if is_whole else ""))
        elif entry.is_known:
            self.sink(entry.event)
        elif entry.hidden:
            self.sink(evolve(entry.event, text=entry.hidden))


class SeatNarrator(Narrator):
    """Follows the matches of a game for some of its seats."""

    def __init__(self, game: Game, accounts: Sequence[Account]) -> None:
        super().__init__(game, self._tell_all)
        self.accounts = accounts

    def move(self, state: State, move: Move) -> None:
        """A move is about to be carried out."""
        self.finish(state)
        super().move(state, move)

    def finish(self, state: State) -> None:
        """What happened so far has come to an end, for now or for good."""
        for account in self.accounts:
            account.close(state.cells)
