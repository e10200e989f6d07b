"""How things look in a drawing: seats, kinds, pieces and values as short signs for cells of boards, or as words for lists.

`display:` decides where the spec has it. Else a seat is the first letters of its name, or its number; a kind the first letters of
its name; a piece of a seat bears the seat's sign.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final

from attrs import frozen

from gdl import types
from gdl.interpreter.game import Game
from gdl.interpreter.numbering import KindPlan, ZonePlan
from gdl.typed import VariableInfo
from gdl.types import Type
from gdl.values import NONE

_COLORS: Final = ("cyan", "yellow", "magenta", "green", "blue", "red", "bright_cyan", "bright_yellow")
"""Of seats that have none."""
_COLOR_WORDS: Final[Mapping[str, str]] = MappingProxyType(
    {"red": "red", "green": "green", "blue": "blue", "yellow": "yellow", "white": "bright_white", "black": "bright_black"}
    | {"orange": "dark_orange", "purple": "purple", "pink": "magenta"}
)
_LONGEST_LABEL: Final = 4
"""A piece's label stands in a cell as it is up to here."""
HIDDEN: Final = "?"


@frozen
class Ink:
    """A stretch of text with the name of a colour, or none."""

    text: str
    color: str = ""


Sign = tuple[Ink, ...]


def width_of(text: str) -> int:
    """How many columns of a terminal a text takes."""
    return sum(0 if unicodedata.combining(x) else 2 if unicodedata.east_asian_width(x) in "WF" else 1 for x in text)


def sign_width(sign: Sign) -> int:
    """The same for a sign."""
    return sum(width_of(ink.text) for ink in sign)


def abbreviations(words: Sequence[str]) -> dict[str, str]:
    """Beginnings of words, as short as tells them apart."""
    for length in range(1, max((len(word) for word in words), default=0) + 1):
        short = {word: word[:length] for word in words}
        if len({text.casefold() for text in short.values()}) == len(short):
            return short
    return {word: word for word in words}


def _joined(parts: Sequence[str]) -> str:
    """Signs as one word; all but the first begin with a capital, so that they can be told apart."""
    first, *others = [part for part in parts if part] or [""]
    return first + "".join(part[0].upper() + part[1:] for part in others)


class Signs:
    """The signs of one game."""

    def __init__(self, game: Game) -> None:
        self.game = game
        declared = game.context.spec.declarations.display
        self.display: dict[str, dict[str, str]] = {entry.name.name: dict(entry.values) for entry in declared}
        names = [game.names.seat(seat) for seat in range(game.players)]
        short = abbreviations(names) if game.context.spec.seats else {name: str(n) for n, name in enumerate(names)}
        self.seats = [self._shown(name, "glyph", short[name]) for name in names]
        self.colors = [self._color(n, _COLOR_WORDS.get(n, _COLORS[i % len(_COLORS)])) for i, n in enumerate(names)]
        kinds = abbreviations([name for name in game.plan.kinds if "glyph" not in self.display.get(name, {})])
        self.kinds = {name: self._shown(name, "glyph", kinds.get(name, "")) for name in game.plan.kinds}
        self._pieces: dict[str, int] = {}
        for number, kind in enumerate(game.plan.kind_of_piece):
            is_alike = kind.info.name in game.plan.alike
            self._pieces.setdefault(game.plan.alike_name(number) if is_alike else game.names.piece(number), number)

    def _color(self, name: str, otherwise: str) -> str:
        """What `display` says, as a colour of terminals; `player` as it is."""
        color = self._shown(name, "color", otherwise)
        return _COLOR_WORDS.get(color, color)

    def _shown(self, name: str, key: str, otherwise: str) -> str:
        return self.display.get(name, {}).get(key) or otherwise

    def name(self, name: str) -> str:
        """What a zone, kind or variable is called."""
        return self._shown(name, "label", name)

    def seat_name(self, seat: int) -> str:
        """What a seat is called."""
        return self.name(self.game.names.seat(seat))

    def seat(self, seat: int) -> Ink:
        """The sign of a seat."""
        return Ink(self.seats[seat], self.colors[seat])

    # --- pieces -------------------------------------------------------------------------------------------------------

    def piece_number(self, entry: Mapping[str, Any]) -> int | None:
        """The number of an observed piece, or of one alike; none for a hidden one."""
        return None if entry.get("hidden") else self._pieces.get(entry["piece"])

    def owner(self, piece: int) -> int | None:
        """The seat whose piece it is."""
        kind = self.game.plan.kind_of_piece[piece]
        keys = kind.keys[piece - kind.base]
        return keys[0] if keys and kind.info.per[0].form == "player" else None

    def kind_color(self, kind: str) -> str:
        """The colour that `display` gives all pieces of a kind, if any."""
        color = self._color(kind, "")
        return "" if color == "player" else color

    def color_of(self, piece: int) -> str:
        """The colour of a piece: what `display` says, else its owner's."""
        color = self._color(self.game.plan.kind_of_piece[piece].info.name, "player")
        owner = self.owner(piece)
        return color if color != "player" else self.colors[owner] if owner is not None else ""

    def piece(self, entry: Mapping[str, Any], zone: ZonePlan) -> Ink:
        """An observed piece in a cell of a zone."""
        number = self.piece_number(entry)
        if number is None:
            return Ink(HIDDEN)
        kind = self.game.plan.kind_of_piece[number]
        text = self._short_label(kind, number) or self._short_sign(kind, number, zone)
        if "face" in entry:
            text = str(entry["face"])
        marks = [self.mark(info, entry.get(name)).text for name, info in kind.info.variables.items() if name in entry]
        return Ink(_joined([text, *marks]), self.color_of(number))

    def _short_label(self, kind: KindPlan, piece: int) -> str:
        label = self.game.names.piece_label(piece) if kind.info.label is not None else ""
        return label if width_of(label) <= _LONGEST_LABEL else ""

    def _short_sign(self, kind: KindPlan, piece: int, zone: ZonePlan) -> str:
        """The kind's sign where it says anything, what tells the pieces of a kind apart, and the owner's sign."""
        info, place = kind.info, piece - kind.base
        owner, row = self.owner(piece), kind.rows[place]
        told = [self.short(value, info.attributes[name].type) for value, (name, _) in zip(kind.values[place], info.each, strict=False)]
        if row is not None and row.name and not told:
            told = [row.name[:_LONGEST_LABEL]]
        seat = "" if owner is None else self.seats[owner]
        says_enough = bool(told) or (bool(seat) and not seat.isdigit())
        is_plain = says_enough and len(zone.info.holds) == 1 and "glyph" not in self.display.get(info.name, {})
        return _joined(["" if is_plain else self.kinds[info.name], seat, *told])

    def piece_words(self, entry: Mapping[str, Any], home: int | None) -> Ink:
        """An observed piece in a list; `home` is the seat whose list it is."""
        number = self.piece_number(entry)
        if number is None:
            return Ink("face down" if entry["piece"] == HIDDEN else f"{entry['piece']}, face down")
        kind = self.game.plan.kind_of_piece[number]
        text = self._words(kind, number)
        owner = self.owner(number)
        if kind.info.label is None and owner is not None and owner != home:
            text += f" of {self.seat_name(owner)}"
        more = [f"= {entry['face']}"] if "face" in entry else []
        more += [self.words(info, entry[name], name) for name, info in kind.info.variables.items() if entry.get(name)]
        return Ink(" ".join([text, *more]), self.color_of(number))

    def _words(self, kind: KindPlan, piece: int) -> str:
        if kind.info.label is not None:
            return self.game.names.piece_label(piece)
        place = piece - kind.base
        is_only = kind.rows[place] is None and not kind.info.each and kind.keys.count(kind.keys[place]) == 1
        if kind.info.name not in self.game.plan.alike and not is_only:
            return self.name(self.game.names.piece(piece))
        told = []
        for name, info in kind.info.attributes.items():
            values = self.game.plan.attributes.get(("kind", kind.info.name, name), [])
            if values and any(value != values[0] for value in values) and isinstance(values[place], int):
                told.append(self.game.names.shown(values[place], info.type))
        return " ".join([self.name(kind.info.name), *(text for text in told if text)])

    # --- values -------------------------------------------------------------------------------------------------------

    def short(self, value: int, type_: Type) -> str:
        """A value in as few characters as tell it apart."""
        inner = types.without_none(type_)
        if value == NONE:
            return "-"
        if isinstance(inner, types.EnumType):
            symbols = [self.game.plan.symbol_name(symbol) for symbol in inner.symbols]
            return abbreviations(symbols)[self.game.plan.symbol_name(value)]
        return self.seats[value] if inner == types.PLAYER else self.game.names.shown(value, type_)

    def mark(self, info: VariableInfo, raw: Any, *, alone: bool = True) -> Ink:
        """A variable's value in a cell: empty where it is nothing. Numbers that do not stand alone bear the variable's letter."""
        inner = types.without_none(info.domain.type)
        if raw is None or raw is False or isinstance(raw, list):
            return Ink("")
        if raw is True:
            return Ink(info.name[0])
        if inner == types.PLAYER and isinstance(raw, int):
            return self.seat(raw)
        if isinstance(raw, int):
            return Ink("" if raw == 0 else str(raw) if alone else f"{info.name[0]}{raw}")
        if isinstance(inner, types.EnumType):
            symbols = abbreviations([self.game.plan.symbol_name(symbol) for symbol in inner.symbols])
            return Ink(symbols.get(raw, raw), _COLOR_WORDS.get(raw, ""))
        return Ink(str(raw))

    def words(self, info: VariableInfo, raw: Any, name: str = "") -> str:
        """A variable's value in words, behind its name if that is given; of a boolean that is true the name alone."""
        if name and raw is True:
            return name
        element = info.domain.element.type if info.domain.element is not None else info.domain.type
        return f"{name} {self._value(raw, element)}".strip()

    def _value(self, raw: Any, type_: Type) -> str:
        if isinstance(raw, list):
            return ", ".join(self._value(each, type_) for each in raw) if raw else "nothing"
        if raw is None:
            return "none"
        if isinstance(raw, bool):
            return "yes" if raw else "no"
        is_seat = types.without_none(type_) == types.PLAYER and isinstance(raw, int)
        return self.seat_name(raw) if is_seat else str(raw).strip('"')


def grouped(signs: Iterable[Ink], *, ordered: bool) -> list[tuple[Ink, int]]:
    """Equal signs together with their number; in an ordered list only those that are next to each other."""
    found: list[tuple[Ink, int]] = []
    for sign in signs:
        places = [n for n, (ink, _) in enumerate(found) if ink == sign and (not ordered or n == len(found) - 1)]
        if places:
            found[places[0]] = (sign, found[places[0]][1] + 1)
        else:
            found.append((sign, 1))
    return found
