"""The legal moves of a seat as a numbered list: shown page by page, narrowed by words, chosen by number or text."""

from __future__ import annotations

from collections import Counter
from typing import Final

from attrs import frozen

from gdl.cli.output import visible, write_line
from gdl.interpreter.errors import IllegalMove
from gdl.interpreter.moves import Move
from gdl.interpreter.state import State

PAGE: Final = 30


@frozen
class _Item:
    number: int
    move: Move
    label: str
    words: str


class Menu:
    """The moves of a seat at one decision. Their numbers stay what they are, whatever part of the list is shown."""

    def __init__(self, state: State, seat: int) -> None:
        self.state = state
        self.seat = seat
        moves = state.legal_moves(seat)
        labels = [visible(state.label(move)) for move in moves]
        often = Counter(labels)
        self.items: list[_Item] = []
        for number, (move, label) in enumerate(zip(moves, labels, strict=True), start=1):
            shown = label if often[label] == 1 or label == str(move) else f"{label}  ({visible(str(move))})"
            self.items.append(_Item(number, move, shown, f"{shown} {move}".casefold()))
        self._listed = self.items
        self._next = 0

    # --- choosing -----------------------------------------------------------------------------------------------------

    def find(self, text: str) -> Move | None:
        """The move that a number, a label or the text of a move means, if it means one."""
        if text.isascii() and text.isdigit() and len(text) < 10:
            number = int(text)
            return self.items[number - 1].move if 1 <= number <= len(self.items) else None
        wanted = " ".join(text.casefold().split())
        called = [item.move for item in self.items if item.label.casefold() == wanted]
        if len(called) == 1:
            return called[0]
        try:
            return self.state.parse_move(f"{self.seat}: {text}")
        except IllegalMove:
            return None

    def why_not(self, text: str) -> str:
        """Why a text is none of the moves."""
        if text.isascii() and text.isdigit():
            return f"there is no move {text} in the list"
        if "(" not in text:
            return f"no move has `{text}` in it"
        try:
            self.state.parse_move(f"{self.seat}: {text}")
        except IllegalMove as error:
            return str(error)
        return ""

    # --- showing ------------------------------------------------------------------------------------------------------

    def show(self) -> None:
        """List the moves from the first on."""
        self._listed, self._next = self.items, 0
        self.more()

    def narrow(self, text: str) -> bool:
        """List the moves in which all words of a text occur; whether there are any."""
        words = text.casefold().split()
        found = [item for item in self.items if all(word in item.words for word in words)]
        if found:
            self._listed, self._next = found, 0
            self.more()
        return bool(found)

    def more(self) -> None:
        """List the next page."""
        page = self._listed[self._next : self._next + PAGE]
        if not page:
            write_line("  that were all of them")
            return
        margin = len(str(self._listed[-1].number))
        for item in page:
            write_line("  ", (str(item.number).rjust(margin), "bold"), f"  {item.label}")
        self._next += len(page)
        left = len(self._listed) - self._next
        if left:
            write_line((f"  … {left:,} more: `more` shows them, words narrow the list", "dim"))
