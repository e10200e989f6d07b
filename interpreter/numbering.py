"""Numbers for everything that has identity: spaces zone by zone, pieces kind by kind, for given players and options.

Spaces of a zone are numbered copy by copy, in the order of its keys (players first where they are the first key), each copy in the
order of its geometry. Pieces of a kind likewise: by owner, then by number. So every set of a kind's or zone's members is a range.
"""

from __future__ import annotations

from collections import Counter
from itertools import product

from attrs import define, field

from gdl.interpreter.geometry import Topology
from gdl.typed import KindInfo, RowInfo, ZoneInfo

KeyValues = tuple[int, ...]


@define(eq=False)
class ZonePlan:
    """A zone's place among the spaces. `copies`: the key values of each copy, in order. `rows`: its rows that exist.

    `per_copy`: spaces of a copy; `count`: of all copies; `end`: the number behind the last; `stride`: cells that each takes for its
    contents. They are read at every move of a piece, so they are no properties.
    """

    info: ZoneInfo
    base: int
    copies: tuple[KeyValues, ...]
    topology: Topology
    rows: tuple[RowInfo, ...] = ()
    row_numbers: dict[int, int] = field(factory=dict)
    contents: int = 0
    words: int = 0
    slots: int = 0
    holdable: tuple[int, ...] = ()
    capacity: int | None = None
    per_copy: int = field(init=False)
    count: int = field(init=False)
    end: int = field(init=False)
    stack: bool = field(init=False)
    stride: int = 0

    def __attrs_post_init__(self) -> None:
        self.per_copy = self.topology.count
        self.count = len(self.copies) * self.per_copy
        self.end = self.base + self.count
        self.stack = self.info.declaration.stack


@define(eq=False)
class KindPlan:
    """A kind's place among the pieces. For each piece: its keys, its number among those of equal keys, its row, its `each` values."""

    info: KindInfo
    base: int
    keys: list[KeyValues] = field(factory=list)
    numbers: list[int] = field(factory=list)
    rows: list[RowInfo | None] = field(factory=list)
    values: list[tuple[int, ...]] = field(factory=list)
    row_numbers: dict[int, int] = field(factory=dict)
    _of_keys: Counter[KeyValues] = field(factory=Counter)

    @property
    def count(self) -> int:
        """Number of pieces."""
        return len(self.keys)

    @property
    def end(self) -> int:
        """Number behind the last piece."""
        return self.base + self.count

    def copy_of(self, place: int) -> int:
        """A piece's number among those with its keys and its `each` values."""
        mine = (self.keys[place], self.values[place])
        return sum((self.keys[other], self.values[other]) == mine for other in range(place))

    @property
    def is_placed(self) -> bool:
        """Whether its pieces lie somewhere; others, such as dice that are only rolled, lie nowhere."""
        return self.info.at is not None or any(row is not None and row.at is not None for row in self.rows)

    def add(self, keys: KeyValues, row: RowInfo | None, values: tuple[int, ...] = ()) -> None:
        """One more piece."""
        self.numbers.append(self._of_keys[keys])
        self._of_keys[keys] += 1
        self.keys.append(keys)
        self.rows.append(row)
        self.values.append(values)


def key_product(domains: list[tuple[int, ...]]) -> tuple[KeyValues, ...]:
    """All combinations of key values, the last key fastest; one empty combination without keys."""
    return tuple(product(*domains))
