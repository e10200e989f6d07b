"""A match at the keyboard: asks the people whose turn it is, lets bots decide for the others, and keeps the record."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from gdl.cli.failures import FAILED, INTERRUPTED
from gdl.cli.files import check_writable
from gdl.cli.keyboard import Keyboard
from gdl.cli.match_log import Event, TextLog, write_heading, write_outcome
from gdl.cli.menu import Menu
from gdl.cli.output import Unusable, count, visible, write_line, write_problem
from gdl.cli.picture import screen_width, write_lines
from gdl.cli.records import MOST_DECISIONS, save_record
from gdl.cli.seat_log import Account, Held, SeatNarrator
from gdl.interpreter.bots import Table
from gdl.interpreter.drawing import Drawer
from gdl.interpreter.drawing_boards import Line
from gdl.interpreter.drawing_signs import Ink
from gdl.interpreter.errors import GameFault
from gdl.interpreter.game import Game
from gdl.interpreter.knowledge import Knowledge
from gdl.interpreter.moves import Move
from gdl.interpreter.state import State
from gdl.interpreter.trial import Trial, TrialMove, check_result, read_move_of

_LEAVING: Final = ("quit", "q", "exit")
_HELP: Final = (
    ("a number", "makes that move"),
    ("a move", "in full makes it, as it is listed or as records write it: `name(parameter=value)`"),
    ("other words", "list the moves in which they occur; nothing lists all again"),
    ("more", "lists the next moves of a long list"),
    ("look", "draws the table again"),
    ("undo", "takes your last move back, as long as nobody has learnt anything from it"),
    ("save FILE", "writes the record of the match; `gdl play SPEC --resume FILE` goes on with it"),
    ("quit", "leaves"),
)


_Told = tuple[list[Event], list[Held]]
"""What a seat was told since its last decision, and what it will be told later: as it was before a move, for taking it back."""


class _Leave(Exception):
    """A person has had enough."""


class _TakenBack(Exception):
    """A move was taken back, so somebody has to decide anew."""


class _Person:
    """Stands among the bots for somebody at the keyboard."""

    def __init__(self, sitting: Sitting) -> None:
        self.sitting = sitting

    def choose(self, state: State, seat: int) -> Move:
        """Ask."""
        del state
        return self.sitting.ask(seat)

    def follow(self, state: State, move: Move) -> None:
        """Nothing to be kept in step."""


class Sitting:
    """One match. `people` are the seats that have somebody at the keyboard; `bots` names a bot for every seat."""

    def __init__(self, game: Game, seed: int, people: list[int], bots: list[str], save: Path | None, spec: str) -> None:
        self.game = game
        self.seed = seed
        self.people = people
        self.bots = bots
        self.save = save
        self.spec = spec
        self.keyboard = Keyboard()
        self.drawer = Drawer(game)
        self.knowledge = Knowledge(game)
        self.logs: dict[int, list[Event]] = {seat: [] for seat in people}
        self.writers = {seat: TextLog(game) for seat in people}
        self.accounts = [Account(seat, self.knowledge, self.logs[seat].append) for seat in people]
        self.narrator = SeatNarrator(game, self.accounts)
        self.moves: list[TrialMove] = []
        self.state = game.new_state(seed)
        self.narrator.finish(self.state)
        self.table = self._new_table()
        self._kept: list[list[_Told]] = []
        self._at_keyboard: int | None = None
        self._drawn: list[Line] = []
        self._saved: tuple[Path, int] | None = None

    def _new_table(self) -> Table:
        table = Table(self.bots, self.seed)
        for seat in self.people:
            table.bots[seat] = _Person(self)
        return table

    # --- the match ----------------------------------------------------------------------------------------------------

    def resume(self, trial: Trial) -> None:
        """Carry out the moves of a record. Raises BadSave if one of them can't be played."""
        for number, entry in enumerate(trial.moves, start=1):
            move = read_move_of(self.state, entry, number)
            self.table.follow(self.state, move)
            self._make(move)
        check_result(self.state, trial)

    def play(self) -> int:
        """On to the end, or until somebody leaves; the exit code."""
        write_heading(self.game, self.seed)
        names = " and ".join(visible(self.drawer.signs.seat_name(seat)) for seat in self.people)
        write_line((f"at the keyboard: {names}; `help` says what can be typed", "dim"))
        try:
            while not self.state.is_terminal() and len(self.moves) < MOST_DECISIONS:
                self._step()
        except (_Leave, EOFError):
            return self._break_off(0)
        except KeyboardInterrupt:
            write_line()
            return self._break_off(INTERRUPTED)
        except GameFault:
            write_line(f"\na rule failed after {count(len(self.moves), 'decision')}, with the seed {self.seed}:")
            self._keep()
            raise
        return self._finish()

    def _step(self) -> None:
        try:
            move = self.table.choose(self.state)
        except _TakenBack:
            self._follow_again()
            return
        self._make(move)

    def _make(self, move: Move) -> None:
        """Carry out a move. What a person was told so far is done with once that person decides."""
        if move.seat in self.people:
            self._kept.append([(list(self.logs[a.seat]), list(a.held)) for a in self.accounts])
            self.logs[move.seat].clear()
        else:
            self._kept.clear()
        self.narrator.move(self.state, move)
        entry = TrialMove(move.seat, str(move))
        self.state.apply(move)
        self.narrator.finish(self.state)
        self.moves.append(entry)

    def _finish(self) -> int:
        """Show how it ended."""
        played = count(len(self.moves), "decision")
        if not self.state.is_terminal():
            write_problem(f"the match has not ended after {played} (seed {self.seed})")
            self._keep()
            return FAILED
        seat = self._at_keyboard if self._at_keyboard is not None else self.people[0]
        self._tell(seat)
        self._draw(seat if len(self.people) == 1 else None)
        write_line(f"\nover after {played}, with the seed {self.seed}:")
        write_outcome(self.state)
        self._keep()
        return 0

    # --- asking -------------------------------------------------------------------------------------------------------

    def ask(self, seat: int) -> Move:
        """The move that a person chooses; all else that is typed is done on the way."""
        self._hand_over(seat)
        self._tell(seat)
        self._draw(seat)
        prompt = self.state.prompt(seat)
        write_line()
        if prompt:
            write_line((visible(prompt), "bold"))
        menu = Menu(self.state, seat)
        menu.show()
        while True:
            text = self.keyboard.ask(f"{visible(self.drawer.signs.seat_name(seat))}> ")
            move = None if text.startswith("/") else menu.find(text)
            if move is not None:
                return move
            if not self._command(text.removeprefix("/"), menu, seat) and not menu.narrow(text):
                write_line(f"  {visible(menu.why_not(text))}; `help` says what can be typed")

    def _command(self, text: str, menu: Menu, seat: int) -> bool:
        """Carry out what is no move; whether it was known."""
        word, _, rest = text.partition(" ")
        match word.casefold() if not rest or word.casefold() == "save" else "no command":
            case "":
                menu.show()
            case "more":
                menu.more()
            case "look":
                self._drawn = []
                self._draw(seat)
            case "help" | "?":
                self._help()
            case "undo":
                self._take_back(seat)
            case "save":
                self._save_as(rest.strip())
            case leaving if leaving in _LEAVING:
                self._offer()
                raise _Leave
            case _:
                return False
        return True

    def _hand_over(self, seat: int) -> None:
        """Where people must not see each other's things, wait until the right one is at the keyboard."""
        if len(self.people) > 1 and self._at_keyboard != seat and self.knowledge.has_hidden:
            self.keyboard.hand_over()
            self._drawn = []
            name = visible(self.drawer.signs.seat_name(seat))
            write_line()
            write_line((f"now it is for {name} to decide: pass the keyboard", "bold"))
            if self.keyboard.ask(f"{name}, press Enter when nobody else looks ").lstrip("/").casefold() in _LEAVING:
                self._offer()
                raise _Leave
        self._at_keyboard = seat

    def _tell(self, seat: int) -> None:
        """What has happened since the seat last decided, as far as it may know."""
        for event in self.logs[seat]:
            self.writers[seat](event)

    def _draw(self, seat: int | None) -> None:
        """The table, unless it is as it was drawn last."""
        lines = self.drawer.draw(self.state, seat, screen_width())
        if lines and lines != self._drawn:
            write_line()
            write_lines(lines)
        self._drawn = lines

    def _help(self) -> None:
        for words, meaning in _HELP:
            write_line("  ", (words.ljust(11), "bold"), f"  {meaning}")
        write_line("  A command that is also a move is written `/quit`. The signs on the table:")
        write_lines([(Ink("  "), *line) for line in self.drawer.legend()])

    # --- taking back --------------------------------------------------------------------------------------------------

    def _take_back(self, seat: int) -> None:
        reason = self.state.why_not_undo(seat)
        if reason is not None or not self._kept:
            write_line(f"  not possible: {reason or 'the match went on from a record'}")
            return
        self.state.undo(seat)
        write_line(f"  taken back: {visible(self.moves.pop().move)}")
        for account, (log, held) in zip(self.accounts, self._kept.pop(), strict=True):
            self.logs[account.seat][:] = log
            account.held = held
        raise _TakenBack

    def _follow_again(self) -> None:
        """Bring the bots' streams to where they were before the move that was taken back."""
        self.table = self._new_table()
        state = self.state.restarted()
        for move in self.state.trail():
            if isinstance(move, Move):
                self.table.follow(state, move)
                state.apply(move)

    # --- saving -------------------------------------------------------------------------------------------------------

    def _save_as(self, name: str) -> None:
        """Write the record now."""
        path = Path(name) if name else self.save
        if path is None:
            write_line("  write `save FILE`")
            return
        try:
            check_writable(path)
            save_record(path, self.state, self.seed, self.moves)
        except Unusable as problem:
            write_problem(problem.message, problem.code, problem.help)
            return
        self._saved = (path, len(self.moves))
        write_line(f"  saved in {visible(str(path))}")

    def _keep(self) -> None:
        """Write the record where the command line wanted it."""
        if self.save is not None:
            save_record(self.save, self.state, self.seed, self.moves)
            self._saved = (self.save, len(self.moves))

    def _offer(self) -> None:
        """Before somebody leaves: a chance to save what would be lost."""
        is_lost = self.save is None and self.moves and (self._saved is None or self._saved[1] < len(self.moves))
        if is_lost and self.keyboard.is_person:
            name = self.keyboard.ask("save the match in a file? its name, or nothing: ")
            if name:
                self._save_as(name)

    def _break_off(self, code: int) -> int:
        """The end of a match that is not over."""
        self._keep()
        played = count(len(self.moves), "decision")
        if self._saved is None:
            write_line(f"left after {played}, with the seed {self.seed}; not saved (`save FILE` or `--save FILE` does)")
            return code
        path, length = self._saved
        since = f", as it was after {count(length, 'decision')}" if length < len(self.moves) else ""
        shown = visible(str(path))
        write_line(f"left after {played}; saved in {shown}{since}: `gdl play {self.spec} --resume {shown}` goes on")
        return code
