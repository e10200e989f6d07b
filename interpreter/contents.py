"""Where pieces lie, in cells: taking them out of a space and putting them into one.

Unordered spaces keep a set of bits over the pieces that their zone can hold, 63 to a cell. Stacks keep their number of pieces, the
stretch of places whose order nobody has seen yet (`low` to `high`), then the pieces, bottom first.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from gdl.interpreter.faults import RuleFault
from gdl.interpreter.memo import Memo
from gdl.interpreter.numbering import ZonePlan
from gdl.interpreter.plan import Plan
from gdl.values import NONE

WORD = 63
"""How many members of a set one cell tells of: its sign stays free."""

Reader = Callable[[list[int], int], tuple[int, ...]]
"""From the cells and a space to the pieces in it."""


def reader_of(zone: ZonePlan, tables: Sequence[Mapping[int, tuple[int, ...]]]) -> Reader:
    """Reads off what lies in the spaces of one zone; `tables` has for each of a space's cells the pieces of a set of bits."""
    contents, base, stride, words = zone.contents, zone.base, zone.stride, zone.words

    def in_order(s: list[int], space: int) -> tuple[int, ...]:
        first = contents + (space - base) * stride
        return tuple(s[first + 3 : first + 3 + s[first]])

    def in_one_cell(s: list[int], space: int) -> tuple[int, ...]:
        return only[s[contents + space - base]]

    def in_two_cells(s: list[int], space: int) -> tuple[int, ...]:
        first = contents + (space - base) * 2
        return only[s[first]] + others[s[first + 1]]

    def in_several_cells(s: list[int], space: int) -> tuple[int, ...]:
        first = contents + (space - base) * stride
        found: tuple[int, ...] = ()
        for word, pieces in enumerate(tables, first):
            if s[word]:
                found += pieces[s[word]]
        return found

    if zone.stack:
        return in_order
    if not words:
        return lambda _s, _space: ()
    only = tables[0]
    if words == 1:
        return in_one_cell
    others = tables[1]
    return in_two_cells if words == 2 else in_several_cells


Where = tuple[ZonePlan, int, bool, Mapping[int, tuple[int, int]], int, int]
"""Of a space: its zone, the first of the cells that hold its contents, whether it is a stack, for each piece that it can hold the cell
and the bit, the most pieces that it holds, and how many cells of bits it has. A plain tuple, since every move of a piece reads two."""


class Contents:
    """Moves pieces about in the cells of a state, for one plan."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.at = plan.at
        self._where: dict[int, Where] = Memo(self._where_is)
        self._bits: dict[ZonePlan, dict[int, tuple[int, int]]] = {
            zone: {p: (i // WORD, 1 << (i % WORD)) for i, p in enumerate(zone.holdable)} for zone in plan.zones.values()
        }

    def _where_is(self, space: int) -> Where:
        zone = self.plan.zone_of_space[space]
        most = len(self.plan.kind_of_piece) if zone.capacity is None else zone.capacity
        return zone, zone.contents + (space - zone.base) * zone.stride, zone.stack, self._bits[zone], most, zone.words

    def move(self, s: list[int], piece: int, to: int, bottom: bool = False) -> int:
        """Put a piece into a space (on top of a stack, or under it); gives where it came from."""
        if piece == NONE or to == NONE:
            raise RuleFault("fault-none", "there is nothing to move" if piece == NONE else "there is no space to move to")
        source = s[self.at + piece]
        is_stack = self._where[to][2]
        if source == to and not is_stack:
            return source
        _, first, was_stack, bits, _, _ = self._where[source]
        if was_stack:
            self.take(s, piece, source)
        else:
            word, bit = bits[piece]
            s[first + word] &= ~bit
        self.put(s, piece, to, bottom)
        return source

    def take(self, s: list[int], piece: int, space: int) -> None:
        """Take a piece out of its space."""
        _, first, is_stack, bits, _, _ = self._where[space]
        if not is_stack:
            word, bit = bits[piece]
            s[first + word] &= ~bit
            return
        count = s[first]
        if s[first + 2 + count] == piece:  # on top, as nearly always
            place = count - 1
            s[first + 3 + place] = 0
        else:
            place = s.index(piece, first + 3, first + 3 + count) - first - 3
            s[first + 3 + place : first + 3 + count] = [*s[first + 4 + place : first + 3 + count], 0]
        s[first] = count - 1
        low, high = s[first + 1], s[first + 2]
        if high:
            s[first + 1], s[first + 2] = low - (place < low), high - (place < high)
            if s[first + 2] - s[first + 1] < 2:
                s[first + 1] = s[first + 2] = 0

    def put(self, s: list[int], piece: int, space: int, bottom: bool = False) -> None:
        """Put a piece that is nowhere into a space."""
        zone, first, is_stack, bits, most, words = self._where[space]
        place = bits.get(piece)
        if place is None:
            kind = self.plan.kind_of_piece[piece].info.name
            raise RuleFault("fault-move", f"`{zone.info.name}` does not hold a {kind}")
        s[self.at + piece] = space
        revealed = self.plan.revealed
        if revealed:
            s[revealed + piece] = 0
        if is_stack:
            if s[first] >= most:
                self._full(zone)
            self._put_on_stack(s, piece, first, bottom)
            return
        if (s[first].bit_count() if words == 1 else sum(s[first + word].bit_count() for word in range(words))) >= most:
            self._full(zone)
        s[first + place[0]] |= place[1]

    @staticmethod
    def _full(zone: ZonePlan) -> None:
        raise RuleFault("fault-move", f"a space of `{zone.info.name}` holds {zone.capacity} at most, and it is full")

    @staticmethod
    def _put_on_stack(s: list[int], piece: int, first: int, bottom: bool) -> None:
        count = s[first]
        if bottom:
            s[first + 3 : first + 4 + count] = [piece, *s[first + 3 : first + 3 + count]]
            if s[first + 2]:
                s[first + 1] += 1
                s[first + 2] += 1
        else:
            s[first + 3 + count] = piece
        s[first] = count + 1

    def count(self, s: list[int], space: int) -> int:
        """Number of pieces in a space."""
        _, first, is_stack, _, _, words = self._where[space]
        if is_stack:
            return s[first]
        return sum(s[first + word].bit_count() for word in range(words))
