"""The text of contents: where pieces lie and what lies in spaces, read off the cells as shortly as the zones allow."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import compress
from typing import Any, Final

from gdl import typed, types
from gdl.interpreter.contents import WORD, Reader, reader_of
from gdl.interpreter.emit_module import Module
from gdl.interpreter.firsts import first_of_classes
from gdl.interpreter.inlining import is_cheap
from gdl.interpreter.memo import Memo, Sets
from gdl.interpreter.numbering import ZonePlan
from gdl.interpreter.plan import Plan
from gdl.interpreter.runtime import need
from gdl.typed import TExpression
from gdl.types import SpaceType, Type
from gdl.values import NONE

_BYTES: Final = 1 << 8
"""How many different numbers bytes can be."""


class Lying:
    """The part of the emitter that knows what lies where. `expr`, `known_value` come from the emitter."""

    reads_state: bool

    def __init__(self, plan: Plan, module: Module) -> None:
        self.plan = plan
        self.module = module
        self.placed: dict[str, str] = {}
        self._firsts: dict[ZonePlan, str | None] = {}
        module.namespace.update(pieces_at=self._pieces_at_space, size_of=self._size_of_space, compress=compress)

    def expr(self, node: TExpression) -> str:
        """See the emitter."""
        raise TypeError

    def known_value(self, node: TExpression) -> Any:
        """See the emitter."""
        raise TypeError

    def literal(self, value: Any) -> str:
        """See the emitter."""
        raise TypeError

    def piece_place(self, piece: str) -> str:
        """Where a piece lies."""
        self.reads_state = True
        if piece in self.placed:
            return self.placed[piece]
        return f"s[{plus(piece, self.plan.at)}]"

    def zones_of(self, type_: Type) -> list[ZonePlan]:
        """The zones that a space of a type may be in."""
        inner = types.without_none(type_)
        if isinstance(inner, types.ListType):
            inner = inner.element
        names = inner.zones if isinstance(inner, SpaceType) else None
        return [self.plan.zones[z] for z in (names or self.plan.zones) if z in self.plan.zones]

    def pieces_of(self, space: TExpression) -> str:
        """The pieces of a space as a list."""
        return self.pieces_at(self.expr(space), space.type)

    def pieces_at(self, space: str, type_: Type) -> str:
        """The pieces of a space given as text, whose type says which zones it may be in."""
        self.reads_state = True
        zones = self.zones_of(type_)
        if len(zones) != 1:
            return f"pieces_at(s, {space})"
        zone = zones[0]
        if zone.stack or zone.words != 1:
            return f"{self.module.constant(self._reader(zone), 'P')}(s, {space})"
        memo = self.module.constant(self._mask_table(zone, 0), "P")
        return f"{memo}[s[{plus(space, zone.contents - zone.base)}]]"

    def by_places(self, pieces: tuple[int, ...], name: str, condition: str) -> str:
        """The clauses of a loop over pieces with numbers in a row, where a condition holds that knows where each lies.

        A condition on nothing but the space becomes a table of all spaces; the places are then looked up all at once, as bytes.
        """
        first = self.plan.at + pieces[0]
        cells, place = f"s[{first}:{first + len(pieces)}]", self.placed[name]
        count = self.plan.space_count
        truths = self.module.truths(place, condition, count) if count <= _BYTES else None
        if truths is None:
            return f"for {name}, {place} in zip({self.literal(pieces)}, {cells}) if {condition}"
        table = self.module.constant(bytes(truths) + bytes(_BYTES - count), "B")
        return f"for {name} in compress({self.literal(pieces)}, bytes({cells}).translate({table}))"

    def read_off(self, spaces: TExpression, mask: str) -> tuple[str, str] | None:
        """The cells that hold the contents of spaces, and the pieces of one of them, `mask`, that is not 0, as texts.

        None where not each space has one cell, or where these do not stand in a row.
        """
        zones = self.zones_of(spaces.type)
        if len(zones) != 1 or zones[0].stack or zones[0].words != 1 or zones[0].stride != 1:
            return None
        zone, known = zones[0], self.known_value(spaces)
        first = zone.contents - zone.base
        if isinstance(known, tuple):
            if not known or known != tuple(range(known[0], known[0] + len(known))):
                return None
            cells = f"s[{known[0] + first}:{known[-1] + 1 + first}]"
        else:
            place = self._place_of_copy(spaces, zone)
            if place is None:
                return None
            cells = f"s[{place} + {zone.contents}:{place} + {zone.contents + zone.per_copy}]"
        if zone.capacity == 1:
            only = self.module.namespace.setdefault("_only_tables", {}).setdefault(
                zone.holdable, {1 << place: piece for place, piece in enumerate(zone.holdable)}
            )
            return cells, f"({self.module.constant(only, 'U')}[{mask}],)"
        return cells, f"{self.module.constant(self._mask_table(zone, 0), 'P')}[{mask}]"

    def _place_of_copy(self, spaces: TExpression, zone: ZonePlan) -> str | None:
        """How far behind the first player's spaces those of another one begin, if `spaces` are all that a player has in a zone."""
        match spaces:
            case typed.ZoneSpaces(keys=(typed.LocalValue(type=types.PLAYER) as player,), indices=()) if (
                zone.copies == tuple((seat,) for seat in range(self.plan.players))
            ):
                return f"{self.expr(player)} * {zone.per_copy}"
        return None

    def _mask_table(self, zone: ZonePlan, word: int) -> Sets:
        """The pieces for each set of bits in one of the cells of an unordered space."""
        cache: dict[tuple[int, ...], Sets] = self.module.namespace.setdefault("_mask_tables", {})
        holdable = zone.holdable[WORD * word : WORD * word + WORD]
        if holdable not in cache:
            cache[holdable] = Sets(holdable)
        return cache[holdable]

    def _reader(self, zone: ZonePlan) -> Reader:
        cache: dict[str, Reader] = self.module.namespace.setdefault("_readers", {})
        if zone.info.name not in cache:
            cache[zone.info.name] = reader_of(zone, [self._mask_table(zone, word) for word in range(zone.words)])
        return cache[zone.info.name]

    def _pieces_at_space(self, cells: list[int], space: int) -> tuple[int, ...]:
        return self._reader(self.plan.zone_of_space[space])(cells, space)

    def _size_of_space(self, cells: list[int], space: int) -> int:
        zone = self.plan.zone_of_space[space]
        first = zone.contents + (space - zone.base) * zone.stride
        if zone.stack:
            return cells[first]
        if zone.words == 2:
            return cells[first].bit_count() + cells[first + 1].bit_count()  # without a loop, for hands are asked most
        return sum(cells[first + word].bit_count() for word in range(zone.words))

    def firsts_at(self, pieces: TExpression) -> str | None:
        """Of alike pieces the first, if the list is what lies in one unordered space and only its class tells a piece from others there.

        For those who see them all: what is hidden is like nothing else.
        """
        if not isinstance(pieces, typed.Convert) or pieces.form != "pieces":
            return None
        zones = self.zones_of(pieces.operand.type)
        if len(zones) != 1 or zones[0].stack or not all(self.plan.is_plain(piece) for piece in zones[0].holdable):
            return None
        if zones[0] not in self._firsts:
            firsts = first_of_classes(zones[0].holdable, self.plan.alike_class)
            self._firsts[zones[0]] = firsts and self.module.constant(self._reader_of_firsts(zones[0], firsts), "H")
        name = self._firsts[zones[0]]
        self.reads_state = True
        return name and f"{name}(s, {self.expr(pieces.operand)})"

    def _reader_of_firsts(self, zone: ZonePlan, firsts: Callable[[int], tuple[int, ...]]) -> Callable[[list[int], int], Sequence[int]]:
        revealing = self.plan.revealing if self.plan.revealed else None
        base, words, bits = zone.contents - zone.base * zone.words, zone.words, WORD

        def read(s: list[int], space: int) -> Sequence[int]:
            if revealing is not None and s is not revealing.clean and revealing.is_any(s):
                found: Sequence[int] = self.module.namespace["first_of_alike"](s, self._pieces_at_space(s, space), NONE)
                return found
            first = base + space * words
            mask = s[first]
            for word in range(1, words):
                mask |= s[first + word] << (bits * word)
            return firsts(mask)

        return read

    def contents_test(self, space: TExpression, what: str) -> str | None:
        """`empty(s)`, `size(s)` and `count(s)` read off the cells, without listing what is there."""
        zones = self.zones_of(space.type)
        self.reads_state = True
        text = self.expr(space)
        if len(zones) == 1 and not zones[0].stack and zones[0].words == 2 and is_cheap(text):
            first = plus(times(text, 2), zones[0].contents - 2 * zones[0].base)
            low, high = f"s[{first}]", f"s[{first} + 1]"
            return f"(not {low} and not {high})" if what == "empty" else f"({low}.bit_count() + {high}.bit_count())"
        if len(zones) != 1 or (not zones[0].stack and zones[0].words != 1):
            return f"(not size_of(s, {text}))" if what == "empty" else f"size_of(s, {text})"
        zone = zones[0]
        if zone.stack:
            place = f"({text} - {zone.base}) * {zone.stride} + {zone.contents}"
            cell = f"s[{place}]"
        else:
            cell = f"s[{plus(text, zone.contents - zone.base)}]"
        if what == "empty":
            return f"(not {cell})"
        return cell if zone.stack else f"{cell}.bit_count()"

    def only_content(self, space: TExpression, sole: Callable[..., Any], *, needed: bool) -> str | None:
        """What `sole` says of a space, read off its cell by a table, where one cell holds all; with `needed`, none is a fault."""
        zones = self.zones_of(space.type)
        if len(zones) != 1 or zones[0].stack or zones[0].words != 1:
            return None
        self.reads_state = True
        cache = self.module.namespace.setdefault("_sole_tables", {})
        key = (zones[0].holdable, needed)
        if key not in cache:
            pieces = self._mask_table(zones[0], 0)
            cache[key] = Memo(lambda mask: need(sole(pieces[mask])) if needed else sole(pieces[mask]), limit=1 << 16)
        text = plus(self.expr(space), zones[0].contents - zones[0].base)
        return f"{self.module.constant(cache[key], 'S')}[s[{text}]]"


def listed(name: str, clauses: str) -> str:
    """The list of what clauses go through under a name."""
    looked_up = clauses.removeprefix(f"for {name} in ")
    is_all = looked_up.startswith("compress(") and " if " not in looked_up and " for " not in looked_up
    return f"list({looked_up})" if is_all else f"[{name} {clauses}]"


def plus(text: str, number: int) -> str:
    """The text of a sum with a known number."""
    if text.lstrip("-").isdigit():
        return str(int(text) + number)
    if number == 0:
        return text
    return f"{text} + {number}" if number > 0 else f"{text} - {-number}"


def times(text: str, number: int) -> str:
    """The text of a product with a known number; nothing of nothing."""
    return text if number == 1 or not text else f"({text}) * {number}"
