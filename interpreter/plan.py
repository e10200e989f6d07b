"""The plan of a game: spec, players and options put together. Everything here is fixed at set-up and shared by all states.

Filled stage by stage by `gdl.interpreter.setup`; the emitter reads it to turn names into numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from attrs import define, field

from gdl import types
from gdl.interpreter.geometry import Topology
from gdl.interpreter.meter import USUAL_FUEL
from gdl.interpreter.numbering import KindPlan, ZonePlan
from gdl.interpreter.revealing import Revealing
from gdl.typed import AttributeInfo, CheckedSpec, Domain, Local, Unit, VariableInfo
from gdl.types import Type
from gdl.values import DIRECTIONS


@define(eq=False)
class VariablePlan:
    """Where a variable lies: cell = `first` + (owner's number - `owner_base`) * `keys` * `width` + key index * `width`.

    `lows`, `sizes`: of each key. `low`, `high`: bounds of a number. `width`: cells of one value (sets and lists take several).
    `shift`: the lowest value of a set's elements.
    """

    info: VariableInfo
    first: int
    owner_base: int
    owners: int
    lows: tuple[int, ...]
    sizes: tuple[int, ...]
    width: int
    low: int = 0
    high: int = 0
    shift: int = 0

    @property
    def key_count(self) -> int:
        """Number of key combinations."""
        result = 1
        for size in self.sizes:
            result *= size
        return result

    @property
    def cells(self) -> int:
        """Number of cells of all its values."""
        return self.owners * self.key_count * self.width


@define(eq=False)
class Plan:
    """See the module. `players` is the number of players; `options` are numbers (symbols for named values).

    `alike`: the kinds that may have pieces which nothing tells apart.
    `piece_variables`: for each kind and each of its variables where piece 0 would have it, and how many cells it takes.
    `kept_pieces`: for an instruction at which a frame may stand, the frame's places that hold pieces, and how (see `Frame`).
    """

    spec: CheckedSpec
    players: int
    options: Mapping[str, int]
    zones: dict[str, ZonePlan] = field(factory=dict)
    kinds: dict[str, KindPlan] = field(factory=dict)
    variables: dict[VariableInfo, VariablePlan] = field(factory=dict)
    attributes: dict[tuple[str, str, str], list[Any]] = field(factory=dict)
    constants: dict[str, Any] = field(factory=dict)
    space_count: int = 0
    piece_count: int = 0
    zone_of_space: list[ZonePlan] = field(factory=list)
    kind_of_piece: list[KindPlan] = field(factory=list)
    forward: tuple[int, ...] = ()
    alike: frozenset[str] = frozenset()
    alike_class: tuple[int, ...] = ()
    find_merged: Callable[[], frozenset[str]] = frozenset
    found_merged: frozenset[str] | None = None
    kept_pieces: dict[int, tuple[tuple[int, str], ...]] = field(factory=dict)
    threads: int = 0
    thread_count: int = 1
    shadow: int = 0
    plain_cells: tuple[int, ...] = ()
    mover: Any = None
    settled: frozenset[str] = frozenset()
    shapes: tuple[str, ...] = ()
    effects: list[Unit] = field(factory=list)
    revealed: int = 0
    revealing: Revealing = field(factory=lambda: Revealing(0, 0))
    piece_variables: dict[str, list[tuple[int, int]]] = field(factory=dict)
    size: int = 0
    at: int = 0
    faces: int = 0
    face_values: dict[str, tuple[int, ...]] = field(factory=dict)
    face_symbols: dict[str, tuple[int, ...]] = field(factory=dict)
    out: int = 0
    depth: int = 32
    fuel: int = USUAL_FUEL
    turn_limit: int | None = None

    @property
    def merged(self) -> frozenset[str]:
        """Those of the `alike` kinds where no rule can tell which piece is which; looked for when states are first compared."""
        if self.found_merged is None:
            self.found_merged = self.find_merged()
        return self.found_merged

    def board(self, space: int) -> tuple[Topology, int]:
        """The topology of the copy that a space lies in, and the number of that copy's first space."""
        zone = self.zone_of_space[space]
        return zone.topology, zone.base + (space - zone.base) // zone.per_copy * zone.per_copy

    def domain_values(self, domain: Domain, low: int = 0, high: int = 0) -> tuple[int, ...]:
        """All values of a finite domain, in their natural order, none left out."""
        match domain.form:
            case "bool":
                return (0, 1)
            case "range":
                return tuple(range(low, high + 1))
            case "symbol":
                return tuple(domain.type.symbols)  # type: ignore[attr-defined]
            case "player":
                return tuple(range(self.players))
            case "direction":
                return tuple(range(len(DIRECTIONS)))
            case "piece":
                kinds = domain.type.kinds or tuple(self.kinds)  # type: ignore[attr-defined]
                return tuple(p for k in kinds for p in range(self.kinds[k].base, self.kinds[k].end))
            case "space":
                zones = domain.type.zones or tuple(self.zones)  # type: ignore[attr-defined]
                return tuple(s for z in zones for s in range(self.zones[z].base, self.zones[z].end))
        raise ValueError(f"no finite domain: {domain.form}")

    def alike_name(self, piece: int) -> str:
        """What stands for a piece that may have equals: its row's name, or its kind and keys, and its class where the kind has several."""
        kind = self.kind_of_piece[piece]
        row = kind.rows[piece - kind.base]
        if row is not None and row.name and not kind.info.per:
            return row.name
        mine = range(kind.base, kind.end)
        first = next(p for p in mine if self.alike_class[p] == self.alike_class[piece])
        parts = [str(k) for k in kind.keys[piece - kind.base]]
        if len({self.alike_class[p] for p in mine if kind.keys[p - kind.base] == kind.keys[piece - kind.base]}) > 1:
            parts.append(f"{kind.numbers[first - kind.base]}…")
        return f"{kind.info.name}[{', '.join(parts)}]" if parts else kind.info.name

    def is_plain(self, piece: int) -> bool:
        """Whether a piece may have equals from which only its place can tell it: its kind has neither variables nor faces."""
        info = self.kind_of_piece[piece].info
        return info.name in self.alike and info.name not in self.face_values and not info.variables

    def symbol_name(self, value: int) -> str:
        """The word of a symbol."""
        return self.spec.symbols[value]

    def attribute_key(self, info: AttributeInfo) -> tuple[str, str, str]:
        """Under which an attribute's values stand in `attributes`."""
        return (info.holder.form, info.holder.name, info.name)


@define(eq=False)
class Frame:
    """The locals of a unit that live in the state: where each stands in its frame, and how many cells the frame takes.

    Cells 0 to 2 are the place to return to, the caller's frame and the acting player. `pieces` are the open places that hold pieces, and
    how: a `piece`; a `list` of them behind its length; `lists` of them as one, each behind its own; or what `moved`, behind its length
    three numbers for each piece.
    """

    size: int = 3
    slots: dict[Local, int] = field(factory=dict)
    pieces: dict[int, str] = field(factory=dict)

    def take(self, width: int = 1, pieces: str = "") -> int:
        """Room for a value; the first cell of it. `pieces`: how it holds pieces, if it does."""
        slot = self.size
        self.size += width
        if pieces:
            self.pieces[slot] = pieces
        return slot

    def close(self, first: int) -> None:
        """The places from `first` on are not read any more."""
        self.pieces = {slot: form for slot, form in self.pieces.items() if slot < first}


def holding(type_: Type) -> str:
    """How a value of a type, kept in a frame, holds pieces (see `Frame`); empty if it does not."""
    inner, depth = types.without_none(type_), 0
    while isinstance(inner, types.ListType):
        inner, depth = types.without_none(inner.element), depth + 1
    return ("piece", "list", "lists")[depth] if isinstance(inner, types.PieceType) else ""
