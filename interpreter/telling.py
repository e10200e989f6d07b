"""Lines of the log, as they are told while rules run: what each seat may read of them just then.

Most lines are a few words with values between them that anybody can read off the values alone, and of which is known which pieces
have to be seen for that (`Form`). In a match they come again and again, so such a line is written once for equal values and equal readers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final

from attrs import frozen

from gdl import types
from gdl.interpreter import cells as c
from gdl.interpreter.disclosure import UNKNOWN, Hole, Part, pieces_in
from gdl.interpreter.memo import Memo
from gdl.interpreter.told import Line
from gdl.types import Type
from gdl.values import NONE

if TYPE_CHECKING:
    from gdl.interpreter.game import Game

MOST_LINES: Final = 1 << 12
"""Lines that are kept of a game."""

Tell = Callable[[Line], None]
Readers = tuple[int, ...] | None
"""The seats that a line is for; none: all, and those who look on."""


@frozen(eq=False)
class Blank:
    """A value in a line, the one with the number `value`. Who reads it has to see the pieces that the values `pieces` are."""

    value: int
    type: Type
    pieces: tuple[int, ...] = ()


@frozen(eq=False)
class Form:
    """A line before its values are known. `asked` are the numbers of the values that are pieces which have to be seen."""

    parts: tuple[str | Blank, ...]
    asked: tuple[int, ...]
    is_tainted: bool


class Telling:
    """Tells the lines of one game: makes them, and hands them to the machine and to who listens."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.listener: Tell | None = None
        self._lines = Memo(self._written, spread=True, limit=MOST_LINES)
        game.build.module.namespace.update(tell=self.tell, tell_form=self.tell_form)

    def tell(self, s: list[int], parts: Sequence[Part], to: Readers, is_tainted: bool) -> None:
        """Tell a line with any holes: as each seat may read it, and (last) somebody who looks on. What is only tried tells nothing."""
        machine, disclosure = self.game.machine, self.game.disclosure
        if s is not machine.running:
            return
        readers: list[int | None] = [*range(self.game.players), None]
        readings = tuple(disclosure.text(parts, s, seat) if to is None or seat in to else None for seat in readers)
        shown = tuple(
            (seat, tuple(pieces_in(part.pieces)), tuple(part.cells()))
            for seat, text in enumerate(readings[:-1])
            for part in parts
            if text is not None and isinstance(part, Hole) and disclosure.may_know(part, s, seat)
        )
        self._hand_over(Line(disclosure.whole(parts), to, readings, machine.branch_seat(s, s[c.THREAD]), shown, is_tainted))

    def tell_form(self, s: list[int], form: Form, values: tuple[int, ...], to: Readers) -> None:
        """The same for a line that depends on nothing but its values and who sees which of them."""
        machine = self.game.machine
        if s is not machine.running:
            return
        seers = self.game.disclosure.seers
        seen = tuple([seers(s, values[number]) for number in form.asked])
        line: Line = self._lines[form, values, seen, to, machine.branch_seat(s, s[c.THREAD])]
        self._hand_over(line)

    def _hand_over(self, line: Line) -> None:
        self.game.machine.told.append(line)
        if self.listener is not None:
            self.listener(line)

    def _written(self, form: Form, values: tuple[int, ...], seen: tuple[int, ...], to: Readers, branch: int | None) -> Line:
        """A line. `seen`: for each of the pieces that are asked for, who sees it, one bit for each seat and the last for who looks on."""
        seers = dict(zip(form.asked, seen, strict=True))
        onlooker = self.game.players
        seats = range(onlooker)
        readings = [self._read(form, values, seers, seat) if to is None or seat in to else None for seat in seats]
        readings.append(self._read(form, values, seers, onlooker) if to is None else None)
        shown = tuple(
            (seat, tuple(values[number] for number in part.pieces if values[number] != NONE), ())
            for seat in seats
            for part in form.parts
            if readings[seat] is not None and isinstance(part, Blank) and part.pieces and _may_read(part, seers, seat)
        )
        names = self.game.names
        whole = "".join(part if isinstance(part, str) else names.shown(values[part.value], part.type) for part in form.parts)
        return Line(whole, to, tuple(readings), branch, shown, form.is_tainted)

    def _read(self, form: Form, values: tuple[int, ...], seers: dict[int, int], reader: int) -> str:
        return "".join(part if isinstance(part, str) else self._blank(part, values, seers, reader) for part in form.parts)

    def _blank(self, blank: Blank, values: tuple[int, ...], seers: dict[int, int], reader: int) -> str:
        value = values[blank.value]
        if _may_read(blank, seers, reader):
            return self.game.names.shown(value, blank.type)
        is_piece = isinstance(types.without_none(blank.type), types.PieceType)
        return self.game.disclosure.back(value) if is_piece else UNKNOWN


def _may_read(blank: Blank, seers: dict[int, int], reader: int) -> bool:
    return all(seers[number] >> reader & 1 for number in blank.pieces)


def form_of(parts: Sequence[str | Any], is_tainted: bool) -> Form:
    """A form of texts and blanks."""
    asked = sorted({number for part in parts if isinstance(part, Blank) for number in part.pieces})
    return Form(tuple(parts), tuple(asked), is_tainted)
