"""An observation → lines of text: the table as one seat sees it, for any game.

Grids and hexes are boards, tracks lines, all other spaces lists; what belongs to a player stands with the player. Colours are
only named here: whoever prints the lines decides about them. Nothing is read but the observation and what never changes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from attrs import field, frozen

from gdl.interpreter.drawing_boards import LONGEST_TRACK, Entries, Line, board_lines, broken, parts_sign, track_lines
from gdl.interpreter.drawing_signs import Ink, Sign, Signs, grouped, sign_width, width_of
from gdl.interpreter.game import Game
from gdl.interpreter.numbering import ZonePlan, key_product
from gdl.interpreter.state import State
from gdl.typed import VariableInfo

WIDTH: Final = 80
_MOST_NAMES: Final = 12
_BOARDS: Final = ("grid", "hex")


@frozen
class _Block:
    """Something with lines of its own, below a heading."""

    heading: str
    lines: Sequence[Line]


@frozen
class _Row:
    """A name, and a list of signs that goes on over as many lines as it needs."""

    name: str
    items: Sequence[Sign] = field(factory=list)


_Part = _Block | _Row


class Drawer:
    """Draws the states of one game."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.signs = Signs(game)
        zones = [zone for zone in game.plan.zones.values() if _can_show(zone)]
        self._shared = [zone for zone in zones if not _is_owned(zone)]
        self._owned = [zone for zone in zones if _is_owned(zone)]

    def draw(self, state: State, seat: int | None, width: int = WIDTH) -> list[Line]:
        """The table as a seat sees it, or somebody who looks on."""
        seen = state.observation(seat)
        shared = [part for zone in self._shared for part in self._zone(zone, seen, None, width)]
        shared += self._values(seen, None)
        lines = _laid_out(shared, width)
        for owner in range(self.game.players):
            parts = [part for zone in self._owned for part in self._zone(zone, seen, owner, width - 2)]
            parts += self._values(seen, owner)
            parts += self._places(seen, owner)
            if parts:
                name = self.signs.seat_name(owner) + (" (you)" if owner == seat else "")
                lines += [(), (Ink(name, self.signs.colors[owner]),)] if lines else [(Ink(name, self.signs.colors[owner]),)]
                lines += [(Ink("  "), *line) if line else () for line in _laid_out(parts, width - 2)]
        return lines

    def legend(self) -> list[Line]:
        """What the signs of seats and kinds stand for."""
        kinds = [
            (Ink(self.signs.kinds[name], self.signs.kind_color(name)), Ink(f" {self.signs.name(name)}"))
            for name, kind in self.game.plan.kinds.items()
            if kind.count and kind.info.at is not None
        ]
        seats = [(self.signs.seat(seat), Ink(f" {self.signs.seat_name(seat)}")) for seat in range(self.game.players)]
        return [line for part in (kinds, seats) if part for line in _row_lines(_Row("", part), 0, WIDTH)]

    # --- zones --------------------------------------------------------------------------------------------------------

    def _zone(self, zone: ZonePlan, seen: Mapping[str, Any], owner: int | None, width: int) -> Iterator[_Part]:
        """The copies of a zone that belong to a seat, or all of one that belongs to nobody."""
        entries = self._entries(zone, seen["zones"].get(zone.info.name, ()))
        kind = "" if zone.info.base else zone.info.declaration.geometry.kind
        if zone.info.name.endswith(".part") and self._variable_of_parts(self.game.plan.zones[zone.info.base]) is not None:
            return
        parts = self._parts(zone, seen)
        for number, keys in enumerate(zone.copies):
            if owner is not None and keys[0] != owner:
                continue
            base = zone.base + number * zone.per_copy
            heading = self._heading(zone, keys, owner)
            if kind in _BOARDS:
                yield _Block(heading, board_lines(self.signs, zone, base, entries, parts))
            elif kind == "track" and zone.per_copy <= LONGEST_TRACK:
                yield _Block(heading, track_lines(self.signs, zone, base, entries, width - 3))
            elif zone.info.single and not zone.info.base:
                yield _Row(heading, self._contents(zone, entries.get(base), owner) or [(Ink("–", "dim"),)])
            else:
                yield from self._spaces(zone, base, heading, entries, owner)

    def _variable_of_parts(self, zone: ZonePlan) -> VariableInfo | None:
        """The only thing that the parts of a zone's cells have: it is drawn in the cells; more is listed."""
        parts = self.game.plan.zones.get(f"{zone.info.name}.part")
        if parts is None or parts.holdable or len(parts.info.variables) != 1:
            return None
        return next(iter(parts.info.variables.values()))

    def _parts(self, zone: ZonePlan, seen: Mapping[str, Any]) -> dict[int, Sign]:
        """What stands in the parts of a zone's cells, by cells."""
        info = self._variable_of_parts(zone)
        if info is None:
            return {}
        parts = self.game.plan.zones[f"{zone.info.name}.part"]
        entries = self._entries(parts, seen["zones"].get(parts.info.name, ()))
        values = [entries.get(part, {}).get(info.name) for part in range(parts.base, parts.end)]
        return {zone.base + n: parts_sign(self.signs, zone, info, values[4 * n : 4 * n + 4]) for n in range(len(values) // 4)}

    def _heading(self, zone: ZonePlan, keys: Sequence[int], owner: int | None) -> str:
        left = list(zip(keys, zone.info.per, strict=True))[0 if owner is None else 1 :]
        texts = [self.game.names.shown(key, domain.type) for key, domain in left]
        name = self.signs.name(zone.info.name)
        return f"{name}[{', '.join(texts)}]" if texts else name

    def _entries(self, zone: ZonePlan, listed: Sequence[Mapping[str, Any]]) -> Entries:
        """What was observed in each space; entries come in the order of the spaces, those with nothing left out."""
        found: dict[int, Mapping[str, Any]] = {}
        place = 0
        for space in range(zone.base, zone.end):
            if place < len(listed) and listed[place]["space"] == self.game.names.space(space):
                found[space] = listed[place]
                place += 1
        return found

    def _spaces(self, zone: ZonePlan, base: int, heading: str, entries: Entries, owner: int | None) -> Iterator[_Part]:
        """Spaces one by one: those with something a line each, the others together."""
        rows: list[_Part] = []
        empty: list[str] = []
        for space in range(base, base + zone.per_copy):
            name = self._space_name(zone, space)
            items = self._contents(zone, entries.get(space), owner)
            if items:
                rows.append(_Row(name, items))
            else:
                empty.append(name)
        if zone.info.base and not rows:
            return
        if empty and not zone.info.base:
            names = [(Ink(name, "dim"),) for name in empty]
            rest = names if len(empty) <= _MOST_NAMES else [(Ink(f"{len(empty)} of {zone.per_copy} spaces", "dim"),)]
            rows.append(_Row("empty", rest))
        yield _Block(heading, _laid_out(rows, WIDTH - 2))

    def _space_name(self, zone: ZonePlan, space: int) -> str:
        """What a space is called where its zone and its owner are known."""
        local = (space - zone.base) % zone.per_copy
        names = [row.name for row in zone.rows] or list(zone.topology.names)
        if zone.info.label is not None or zone.info.base:
            return self.game.names.space_label(space)
        name = names[local] if local < len(names) and names[local] else str(local)
        if zone.info.declaration.geometry.kind != "graph":
            return name
        return f"{name} ({', '.join(names[n] for n in zone.topology.neighbours[local])})"

    def _contents(self, zone: ZonePlan, entry: Mapping[str, Any] | None, owner: int | None) -> list[Sign]:
        """What is in a space: its variables as far as they say something, then its pieces; of a stack the top first."""
        if entry is None:
            return []
        found: list[Sign] = [
            (Ink(self.signs.words(info, entry[name], name)),) for name, info in zone.info.variables.items() if entry.get(name)
        ]
        pieces = list(entry.get("pieces", ()))
        if entry.get("secret"):
            return [*found, (Ink("not to be seen", "dim"),)]
        for ink, number in grouped((self.signs.piece_words(p, owner) for p in _top_first(zone, pieces)), ordered=zone.stack):
            words = f"{number} {ink.text}" if ink.text.endswith("face down") else f"{ink.text} ×{number}" if number > 1 else ink.text
            found.append((Ink(words, ink.color),))
        return found

    # --- variables and dice -------------------------------------------------------------------------------------------

    def _values(self, seen: Mapping[str, Any], owner: int | None) -> list[_Part]:
        """Variables and dice of a seat, or of nobody: short ones in one list, those with keys a line each."""
        short: list[Sign] = []
        rows: list[_Part] = []
        for name, raw in seen["variables"].items():
            info = self.game.context.spec.variables[name]
            values = self._keyed(info, raw, owner)
            if len(values) == 1 and not values[0][0]:
                short.append((Ink(f"{self.signs.name(name)} {self.signs.words(info, values[0][1])}"),))
            elif values:
                rows.append(_Row(self.signs.name(name), [(Ink(self.signs.words(info, value, key)),) for key, value in values]))
        for kind, faces in self._dice(seen["dice"], owner).items():
            short.append((Ink(f"{self.signs.name(kind)} {' '.join(faces)}"),))
        return [*rows, *([_Row("", short)] if short else [])]

    def _keyed(self, info: VariableInfo, raw: Any, owner: int | None) -> list[tuple[str, Any]]:
        """The values of a variable that belong to a seat or to nobody, each with its other keys."""
        of_players = bool(info.per) and info.per[0].form == "player"
        if of_players is not (owner is not None):
            return []
        if not self.game.plan.variables[info].sizes:
            return [("", raw)]
        keys = key_product([self.game.build.setup.key_values(domain) for domain in info.per])
        first = 1 if of_players else 0
        return [
            (", ".join(self.game.names.shown(k, d.type) for k, d in list(zip(key, info.per, strict=True))[first:]), value)
            for key, value in zip(keys, raw, strict=True)
            if not of_players or key[0] == owner
        ]

    def _dice(self, dice: Mapping[str, Any], owner: int | None) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for name, face in dice.items():
            number = self.signs.piece_number({"piece": name})
            if number is not None and self.signs.owner(number) == owner:
                found.setdefault(self.game.plan.kind_of_piece[number].info.name, []).append(str(face))
        return found

    # --- where pieces are ---------------------------------------------------------------------------------------------

    def _places(self, seen: Mapping[str, Any], owner: int) -> list[_Part]:
        """Where the pieces of a seat lie on boards, if moves call them by labels that their signs do not show."""
        found: list[Sign] = []
        for name, listed in seen["zones"].items():
            zone = self.game.plan.zones[name]
            if zone.info.base or zone.info.declaration.geometry.kind not in (*_BOARDS, "track"):
                continue
            for space, entry in self._entries(zone, listed).items():
                for piece in entry.get("pieces", ()):
                    number = self.signs.piece_number(piece)
                    if number is not None and self.signs.owner(number) == owner and self._is_called(number):
                        label = self.game.names.piece_label(number)
                        found.append((Ink(f"{label} on {self.game.names.space_label(space)}"),))
        return [_Row("", found)] if found else []

    def _is_called(self, piece: int) -> bool:
        kind = self.game.plan.kind_of_piece[piece]
        return kind.info.label is not None and kind.count > 1 and kind.info.name not in self.game.plan.alike


def _is_owned(zone: ZonePlan) -> bool:
    return bool(zone.info.per) and zone.info.per[0].form == "player"


def _can_show(zone: ZonePlan) -> bool:
    """Whether a zone is a board or anything can ever be there: a table of what never changes is not drawn."""
    return bool(zone.holdable or zone.info.variables) or zone.info.declaration.geometry.kind in (*_BOARDS, "track", "graph")


def _top_first(zone: ZonePlan, pieces: list[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    return pieces[::-1] if zone.stack else pieces


# --- laying out -------------------------------------------------------------------------------------------------------


def _laid_out(parts: Sequence[_Part], width: int) -> list[Line]:
    """Blocks set apart by empty lines, rows below each other with their names in a column."""
    lines: list[Line] = []
    margin = max((width_of(part.name) for part in parts if isinstance(part, _Row)), default=0)
    margin = min(margin, width // 3)
    was_block = False
    for part in parts:
        is_block = isinstance(part, _Block)
        if lines and (is_block or was_block):
            lines.append(())
        if isinstance(part, _Block):
            lines.append((Ink(part.heading, "bold"),))
            lines += [(Ink("  "), *line) if line else () for line in part.lines]
        else:
            lines += _row_lines(part, margin, width)
        was_block = is_block
    return lines


def _row_lines(row: _Row, margin: int, width: int) -> list[Line]:
    """A row's list with commas, broken where the line ends; what follows is set in below it."""
    margin = margin if row.name else 0
    start = margin + 2 if row.name else 0
    lines: list[Line] = []
    parts = broken(row.items, lambda sign: sign_width(sign) + 2, max(width - start, 20))
    for number, part in enumerate(parts):
        lead = row.name.ljust(margin) + "  " if number == 0 and row.name else " " * start
        line = [Ink(lead, "dim")] if lead else []
        for place, sign in enumerate(part):
            is_last = place == len(part) - 1
            line += [*sign, Ink("" if is_last and number == len(parts) - 1 else "," if is_last else ", ")]
        lines.append(tuple(ink for ink in line if ink.text))
    return lines
