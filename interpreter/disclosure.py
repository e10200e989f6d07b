"""What a text tells whom: holes with what they depend on, read for each seat as it may know it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from attrs import frozen

from gdl import types
from gdl.interpreter import view
from gdl.interpreter.faults import RuleFault
from gdl.interpreter.memo import Memo
from gdl.types import ListType, Type
from gdl.values import NONE

if TYPE_CHECKING:
    from gdl.interpreter.game import Game

UNKNOWN = "?"
Reader = int | None
"""A seat, or (none) somebody who looks on."""
Sign = Callable[[int], str]
"""What stands for a piece that is not seen."""


@frozen(eq=False)
class Hole:
    """A value in a text. `pieces`, `cells` and `spaces` give what it depends on; `opaque`: on something that can't be told."""

    value: Any
    type: Type
    pieces: Callable[[], Sequence[Any]]
    cells: Callable[[], Sequence[int]]
    spaces: Callable[[], Sequence[Any]]
    opaque: bool


Part = str | Hole
"""Of a text: what everybody may read, or a hole. See `emit_texts`."""


class Disclosure:
    """Reads texts for seats, in one game."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self._everybody = (1 << game.players + 1) - 1
        self._open: dict[int, int] = Memo(self._open_to)
        self._variables = sorted(
            ((plan.first, plan.first + plan.cells, info) for info, plan in game.plan.variables.items()), key=lambda entry: entry[0]
        )

    def text(self, parts: Sequence[Part], s: list[int], seat: Reader, sign: Sign | None = None) -> str:
        """A text as a seat may know it. `sign` is what stands for a piece that it does not see: its back, if left out."""
        return "".join(part if isinstance(part, str) else self._read(part, s, seat, sign or self.back) for part in parts)

    def whole(self, parts: Sequence[Part]) -> str:
        """A text as somebody reads it who may know all."""
        return "".join(part if isinstance(part, str) else self.game.names.shown(part.value, part.type) for part in parts)

    def _read(self, hole: Hole, s: list[int], seat: Reader, sign: Sign) -> str:
        inner = types.without_none(hole.type)
        if isinstance(inner, types.PieceType) and isinstance(hole.value, int):
            return self._piece(hole.value, hole.type, s, seat, sign)
        if isinstance(inner, ListType) and isinstance(types.without_none(inner.element), types.PieceType):
            shown = [self._piece(piece, inner.element, s, seat, sign) for piece in self._in_order(hole.value, s, seat, sign)]
            return f"[{', '.join(shown)}]"
        return self.game.names.shown(hole.value, hole.type) if self.may_know(hole, s, seat) else UNKNOWN

    def _in_order(self, pieces: Sequence[int], s: list[int], seat: Reader, sign: Sign) -> list[int]:
        """Those that are seen in their order, the others behind them: where they stand in the list tells what they are."""
        seen = [piece for piece in pieces if self.sees(s, piece, seat)]
        hidden = [piece for piece in pieces if not self.sees(s, piece, seat)]
        return [*seen, *sorted(hidden, key=sign)]

    def _piece(self, piece: int, type_: Type, s: list[int], seat: Reader, sign: Sign) -> str:
        if piece == NONE or self.sees(s, piece, seat):
            return self.game.names.shown(piece, type_)
        return sign(piece)

    # --- who may know what --------------------------------------------------------------------------------------------

    def may_know(self, hole: Hole, s: list[int], seat: Reader) -> bool:
        """Whether a seat sees all that a value depends on. What could not be evaluated had no part in it."""
        if hole.opaque:
            return False
        return (
            all(self.sees(s, piece, seat) for piece in pieces_in(hole.pieces))
            and all(self.sees_cell(s, cell, seat) for cell in _evaluated(hole.cells))
            and all(view.may_look_into(self.game, space, seat) for space in pieces_in(hole.spaces))
        )

    def sees(self, s: list[int], piece: int, seat: Reader) -> bool:
        """Whether a seat sees the face of a piece."""
        return self.game.plan.kind_of_piece[piece].info.at is None or view.sees_piece(self.game, s, piece, seat)

    def seers(self, s: list[int], piece: int) -> int:
        """Who sees the face of a piece: a bit for each seat, and the last for who looks on. Nothing can be hidden of none."""
        plan = self.game.plan
        if piece == NONE:
            return self._everybody
        found = self._open[s[plan.at + piece]] if plan.kind_of_piece[piece].is_placed else -1
        if found < 0:
            readers: list[Reader] = [*range(self.game.players), None]
            return sum(1 << number for number, reader in enumerate(readers) if self.sees(s, piece, reader))
        return found | s[plan.revealed + piece] if plan.revealed else found

    def _open_to(self, space: int) -> int:
        """Who sees all that lies in a space, whatever is played, as `seers` says it; -1 where that depends on more."""
        zone = self.game.plan.zone_of_space[space]
        match zone.info.visible:
            case "all":
                return self._everybody
            case "none":
                return 0
            case "owner":
                keys = zone.copies[(space - zone.base) // zone.per_copy]
                return 1 << keys[0] if keys else 0
        return -1

    def sees_cell(self, s: list[int], cell: int, seat: Reader) -> bool:
        """Whether a seat sees the value of a variable that lies in a cell."""
        info = next((info for first, end, info in self._variables if first <= cell < end), None)
        if info is None:
            return True
        plan = self.game.plan.variables[info]
        owner, key = divmod((cell - plan.first) // plan.width, plan.key_count)
        return view.sees_value(self.game, s, info, plan.owner_base + owner, key, seat)

    def back(self, piece: int) -> str:
        """What is seen of a piece that lies face down."""
        return self.game.plan.kind_of_piece[piece].info.declaration.back or UNKNOWN


def pieces_in(values: Callable[[], Sequence[Any]]) -> list[int]:
    """The numbers in values that are numbers, none, or lists of such."""
    found: list[int] = []
    for value in _evaluated(values):
        found += [n for n in (value if isinstance(value, tuple | list) else (value,)) if n != NONE]
    return found


def _evaluated(values: Callable[[], Sequence[Any]]) -> Sequence[Any]:
    try:
        return values()
    except (RuleFault, LookupError, TypeError):
        return ()
