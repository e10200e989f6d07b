"""A match while it runs → events for the reader: turns, moves, chance outcomes, what the spec's `log` says, traced rules.

Hooks into a game's chance events and messages; changes nothing in it. What becomes of the events is the caller's
business.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from attrs import evolve, frozen

from gdl.cli.output import count, visible, write_line
from gdl.interpreter import cells as c
from gdl.interpreter.choices import Chance
from gdl.interpreter.game import Game
from gdl.interpreter.moves import Move
from gdl.interpreter.state import State
from gdl.interpreter.told import Line
from gdl.interpreter.trial import TrialResult, record_result
from gdl.model import option_text
from gdl.source import Span


@frozen
class Event:
    """Something that happened. `kind`: turn, move, chance, log or rule.

    `turn` counts from 1 and is 0 before the first; `seat` is who moved or whose turn it is, if anybody's; `to` are the
    seats that a message is for, none meaning all; `place` is where a rule stands in the spec.
    """

    kind: str
    turn: int
    phase: str
    seat: int | None
    text: str
    move: str = ""
    to: tuple[int, ...] | None = None
    place: str = ""


Sink = Callable[[Event], None]


class Narrator:
    """Follows the matches of one game and tells a sink what happens."""

    def __init__(self, game: Game, sink: Sink) -> None:
        self.game = game
        self.sink = sink
        self._cells: list[int] | None = None
        self._standing: tuple[int, str, int | None] = (0, "", None)
        game.machine.on_chance = self._chance
        game.telling.listener = self._tell

    def move(self, state: State, move: Move) -> None:
        """A move is about to be carried out."""
        self._cells = state.cells
        self._look(state.cells)
        self.sink(self._event("move", move.seat, self.game.move_label(move, state.cells), str(move)))

    def rule(self, rule: str, place: Span) -> None:
        """A rule runs; only a traced game tells."""
        if self._cells is not None:
            self._look(self._cells)
        self.sink(evolve(self._event("rule", self._standing[2], rule), place=str(place)))

    def finish(self, state: State) -> None:
        """The last move has been carried out; nothing is left to be told here."""

    def _chance(self, s: list[int], chance: Chance, frame: int, value: int) -> None:
        self._cells = s
        self._look(s)
        self.sink(self._event("chance", self._standing[2], self.game.chance_text(s, chance, frame, value)))

    def _tell(self, line: Line) -> None:
        if self._cells is not None:
            self._look(self._cells)
        self.tell(self._event("log", self._standing[2], line.text, to=line.to), line)

    def tell(self, event: Event, line: Line) -> None:
        """The spec's `log` says something."""
        del line  # here all of it is told
        self.sink(event)

    def _look(self, s: list[int]) -> None:
        """Notice that another turn or phase has begun."""
        standing = _standing(self.game, s)
        if standing != self._standing:
            self._standing = standing
            seat = standing[2]
            self.sink(self._event("turn", seat, "" if seat is None else seat_name(self.game, seat)))

    def _event(self, kind: str, seat: int | None, text: str, move: str = "", to: tuple[int, ...] | None = None) -> Event:
        turn, phase, _ = self._standing
        return Event(kind, turn, phase, seat, text, move, to)


def _standing(game: Game, s: list[int]) -> tuple[int, str, int | None]:
    """Number of the turn, path of the phase and whose turn it is."""
    number = s[c.PHASE]
    if not 0 <= number < len(game.build.records):
        return s[c.TURNS], "", None
    record = game.build.records[number]
    seat = s[record.seat] if record.info.seat is not None else None
    return s[c.TURNS], record.path, seat


def seat_name(game: Game, seat: int) -> str:
    """A seat as people read it."""
    return game.names.seat(seat)


# --- for people -------------------------------------------------------------------------------------------------------


class TextLog:
    """Writes events as indented lines, those of a turn below its heading."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self._turn_seat: int | None = None
        self._has_phases = len(game.build.records) > 1

    def __call__(self, event: Event) -> None:
        """Write one event."""
        match event.kind:
            case "turn":
                self._turn(event)
            case "move":
                write_line(f"  {self._named(event)}")
            case "chance":
                write_line("  ", (visible(event.text), "cyan"))
            case "rule":
                write_line("    ", (f"{visible(event.text)}  ({event.place})", "dim"))
            case _:
                names = ", ".join(seat_name(self.game, seat) for seat in event.to or ())
                write_line("  ", (visible(event.text) + (f"  (to {names})" if event.to is not None else ""), "italic"))

    def _turn(self, event: Event) -> None:
        self._turn_seat = event.seat
        parts = [f"turn {event.turn}"] if event.seat is not None else []
        parts += [event.text] if event.seat is not None else []
        parts += [event.phase] if self._has_phases or event.seat is None else []
        write_line()
        write_line((visible(", ".join(parts)), "bold"))

    def _named(self, event: Event) -> str:
        """A move's label, with whose it is where neither the heading nor the label tells."""
        text = visible(event.text)
        if event.seat is None or event.seat == self._turn_seat:
            return text
        name = visible(seat_name(self.game, event.seat))
        return text if text.startswith(name) else f"{name}: {text}"


def write_heading(game: Game, seed: int) -> None:
    """What is played: title, players, options and seed."""
    parts = [count(game.players, "player")]
    parts += [f"{name}={option_text(value)}" for name, value in game.options.items()]
    write_line((visible(game.title or game.name), "bold"), f" ({', '.join([*parts, f'seed {seed}'])})")


def write_outcome(state: State) -> None:
    """Who has won, and the places with the scores; that all have lost says it all where nothing is scored."""
    game, result = state.game, record_result(state)
    if len(state.losers()) == game.players:
        write_line(("the game is lost", "bold red"))
        if not result.scores:
            return
    else:
        write_line((_verdict(game, result), "bold green"))
    place = 1
    for seats in result.ranking:
        for seat in seats:
            score = f"  {_score(result.scores[seat])}" if result.scores else ""
            write_line(f"  {place}. {visible(seat_name(game, seat))}{score}")
        place += len(seats)


def _verdict(game: Game, result: TrialResult) -> str:
    names = [visible(seat_name(game, seat)) for seat in result.winners]
    if len(names) == 1:
        return f"{names[0]} wins"
    if names:
        return f"{', '.join(names[:-1])} and {names[-1]} share the win"
    is_tie = len(result.ranking) == 1 and len(result.ranking[0]) == game.players
    return "a tie" if is_tie else "nobody wins"


def _score(parts: Mapping[str, int]) -> str:
    total = sum(parts.values())
    named = [f"{name} {value}" for name, value in parts.items() if name]
    return f"{total} ({', '.join(named)})" if named else str(total)


# --- for programs -----------------------------------------------------------------------------------------------------


def event_data(events: Sequence[Event]) -> list[dict[str, object]]:
    """Events as data for JSON; without the turns, which every event names."""
    return [_data(event) for event in events if event.kind != "turn"]


def _data(event: Event) -> dict[str, object]:
    data: dict[str, object] = {"kind": event.kind, "turn": event.turn, "phase": event.phase, "seat": event.seat}
    if event.kind == "move":
        data |= {"move": event.move or None, "label": event.text}
    else:
        data["text"] = event.text
    if event.kind == "rule":
        data["place"] = event.place
    if event.kind == "log":
        data["to"] = None if event.to is None else list(event.to)
    return data
