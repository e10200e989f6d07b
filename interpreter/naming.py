"""How values are written: in moves, labels, logs, observations and messages."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from gdl import typed, types
from gdl.interpreter.disclosure import Hole, Part
from gdl.interpreter.emit import Emitter
from gdl.interpreter.emit_texts import emit_parts
from gdl.interpreter.numbering import ZonePlan
from gdl.interpreter.placements import placed
from gdl.interpreter.plan import Plan
from gdl.interpreter.setup import edge_ends
from gdl.typed import Local, TTemplate
from gdl.types import Type
from gdl.values import DIRECTIONS, NONE

_WRITING = 200
"""Work that it takes to write out a value, as `gdl.interpreter.meter` counts."""
_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")
_RESERVED = frozenset(
    ["if", "then", "else", "and", "or", "not", "in", "is", "as", "where", "select", "by", "while", "until", "none", "true", "false"]
)


class Names:
    """Writes the values of one game."""

    def __init__(self, plan: Plan, emitter: Emitter) -> None:
        self.plan = plan
        self.emitter = emitter
        self._templates: dict[tuple[int, tuple[Local, ...]], Callable[..., Sequence[Part]]] = {}
        self._pieces: dict[int, str] = {}
        self._numbers: dict[str, int] = {}
        self._piece_labels: dict[int, str] = {}
        self._spaces: dict[int, str] = {}
        self._labels_of: dict[int, list[str]] = {}
        emitter.module.namespace.update(shown=self.shown, hole=Hole)

    # --- values -------------------------------------------------------------------------------------------------------

    def shown(self, value: Any, type_: Type) -> str:
        """A value as people read it."""
        return self._text(value, type_, exact=False)

    def exact(self, value: Any, type_: Type) -> str:
        """A value as moves write it: what parses again."""
        return self._text(value, type_, exact=True)

    def _text(self, value: Any, type_: Type, *, exact: bool) -> str:
        if isinstance(value, str):
            return value if not exact or _WORD.match(value) else f'"{value}"'
        if isinstance(value, tuple):
            self.emitter.meter.charge(_WRITING * len(value))
            element = type_.element if isinstance(type_, types.ListType) else types.ERROR
            return "[" + ", ".join(self._text(v, element, exact=exact) for v in value) + "]"
        if value == NONE:
            return "none" if exact else ""
        match types.without_none(type_):
            case types.BOOL:
                return "true" if value else "false"
            case types.PLAYER:
                return self.seat(value, exact=exact)
            case types.DIRECTION:
                return DIRECTIONS[value]
            case types.EnumType():
                return self.plan.symbol_name(value)
            case types.PieceType():
                return self.piece(value) if exact else self.piece_label(value)
            case types.SpaceType():
                return self.space(value) if exact else self.space_label(value)
            case types.PlacementType():
                placement = placed(self.plan, value)
                text = f"{self.space_label(placement.corner)}/r{placement.turns}{'f' if placement.flipped else ''}"
                return f'"{text}"' if exact else text
            case types.SetType(element=element):
                items = [n for n in range(value.bit_length()) if value >> n & 1]
                return "[" + ", ".join(self._text(n, element, exact=exact) for n in items) + "]"
        return str(value)

    def seat(self, seat: int, *, exact: bool = False) -> str:
        """A player by the seat's name, or as `players[0]`; as people read it `player 0`, with the number that moves and lists have."""
        if self.plan.spec.seats:
            return self.plan.spec.seats[seat]
        return f"players[{seat}]" if exact else f"player {seat}"

    # --- pieces and spaces --------------------------------------------------------------------------------------------

    def piece(self, piece: int) -> str:
        """A piece as `guest[0, 2]`, `clan[green, 3]`, `coin[5, 1]` (the second of those copies), `hugo` or by its row's name."""
        if piece not in self._pieces:
            self._pieces[piece] = self._find_piece(piece)
        return self._pieces[piece]

    def numbers_of_pieces(self) -> Mapping[str, int]:
        """All pieces by their names."""
        if not self._numbers:
            self._numbers = {self.piece(piece): piece for piece in range(self.plan.piece_count)}
        return self._numbers

    def _find_piece(self, piece: int) -> str:
        kind = self.plan.kind_of_piece[piece]
        place = piece - kind.base
        info, row = kind.info, kind.rows[place]
        if row is not None and row.name and kind.rows.count(row) == 1:
            return row.name
        if kind.count == 1:
            return info.name
        parts = [self._key(v, d) for v, d in zip(kind.keys[place], info.per, strict=True)]
        if info.each:
            parts += [self.exact(v, info.attributes[name].type) for v, (name, _) in zip(kind.values[place], info.each, strict=True)]
            if list(zip(kind.keys, kind.values, strict=True)).count((kind.keys[place], kind.values[place])) > 1:
                parts.append(str(kind.copy_of(place)))
        else:
            parts.append(str(kind.numbers[place]))
        return f"{info.name}[{', '.join(parts)}]"

    def _key(self, value: int, domain: typed.Domain) -> str:
        return str(value) if domain.form == "player" else self.exact(value, domain.type)

    def piece_label(self, piece: int) -> str:
        """A piece as its kind's label says, which depends on nothing that changes."""
        label = self._piece_labels.get(piece)
        if label is None:
            kind = self.plan.kind_of_piece[piece]
            template, this = kind.info.label, kind.info.this
            label = self.piece(piece) if template is None or this is None else self.fill(template, (this,), [], None, piece)
            self._piece_labels[piece] = label
        return label

    def space(self, space: int) -> str:
        """A space by its name or by the label that is its alone (in quotes if that is no name), else as `gallery[4]`."""
        if space not in self._spaces:
            self._spaces[space] = self._find_space(space)
        return self._spaces[space]

    def _find_space(self, space: int) -> str:
        zone = self.plan.zone_of_space[space]
        if zone.info.base:
            return self._derived(zone, space, self._base_name)
        label = self.space_label(space)
        if zone.info.label is None:
            return label
        if self._labels(zone).count(label) > 1:
            return self._address(zone, space)
        return label if _WORD.match(label) and label not in _RESERVED else f'"{label}"'

    def space_label(self, space: int) -> str:
        """A space as its zone's label says."""
        zone = self.plan.zone_of_space[space]
        if zone.info.base:
            return self._derived(zone, space, self.space_label)
        if zone.info.label is not None and zone.info.this is not None:
            return self.fill(zone.info.label, (zone.info.this,), [], None, space)
        return self._address(zone, space)

    def _labels(self, zone: ZonePlan) -> list[str]:
        """The labels of all spaces of a zone: its copies may have the same ones."""
        if zone.base not in self._labels_of:
            self._labels_of[zone.base] = [self.space_label(space) for space in range(zone.base, zone.end)]
        return self._labels_of[zone.base]

    def _address(self, zone: ZonePlan, space: int) -> str:
        """A space by its name, or its keys and coordinates: `gallery[4]`, `hand[0]`."""
        path = self.space_path(space)
        has_keys = bool(zone.copies[(space - zone.base) // zone.per_copy])
        return path.partition(".")[2] if path and not has_keys else self.space_place(space)

    def space_place(self, space: int) -> str:
        """A space by its zone, keys and coordinates, whatever its label: `board[0, 3]`; empty for parts and edges."""
        zone = self.plan.zone_of_space[space]
        if zone.info.base:
            return ""
        keys = zone.copies[(space - zone.base) // zone.per_copy]
        parts = [self._key(v, d) for v, d in zip(keys, zone.info.per, strict=True)]
        if not zone.info.single:
            local = (space - zone.base) % zone.per_copy
            parts += [str(zone.topology.coordinates[x][local]) for x in zone.info.coordinates] or [str(local)]
        return f"{zone.info.name}[{', '.join(parts)}]" if parts else zone.info.name

    def space_path(self, space: int) -> str:
        """A space that has a name by its zone and name: `rooms.salon`; else empty."""
        zone = self.plan.zone_of_space[space]
        local = (space - zone.base) % zone.per_copy
        name = "" if zone.info.base else zone.rows[local].name if zone.rows else ""
        if not name and zone.topology.names and not zone.info.base:
            name = zone.topology.names[local]
        return f"{zone.info.name}.{name}" if name else ""

    def _base_name(self, space: int) -> str:
        """What the names of a cell's parts and edges begin with: its label, unless others have the same."""
        zone = self.plan.zone_of_space[space]
        label = self.space_label(space)
        return self._address(zone, space) if self._labels(zone).count(label) > 1 else label

    def _derived(self, zone: ZonePlan, space: int, written: Callable[[int], str]) -> str:
        """A part as `b3.n`, an edge as `b3-b4`."""
        base = self.plan.zones[zone.info.base]
        place = space - zone.base
        if zone.info.name.endswith(".part") and base.info.declaration.parts is not None:
            return f"{written(base.base + place // 4)}.{base.info.declaration.parts.names[place % 4].name}"
        copy, local = divmod(place, zone.per_copy)
        ends = edge_ends(base.topology)[local]
        return "-".join(written(base.base + copy * base.per_copy + end) for end in ends)

    # --- templates ----------------------------------------------------------------------------------------------------

    def fill(self, template: TTemplate, locals_: tuple[Local, ...], s: list[int], player: Local | None, *values: Any) -> str:
        """A template with its locals bound to values; `player` is bound to the first of them if it is given."""
        parts = self.parts(template, locals_, s, player, *values)
        return "".join(part if isinstance(part, str) else self.shown(part.value, part.type) for part in parts)

    def parts(self, template: TTemplate, locals_: tuple[Local, ...], s: list[int], player: Local | None, *values: Any) -> Sequence[Part]:
        """The same, with holes for what may depend on something hidden."""
        self.emitter.meter.ask()
        bound = locals_ if player is None else (player, *locals_)
        key = (id(template), bound)
        if key not in self._templates:
            self._templates[key] = self._compile(template, bound)
        return self._templates[key](s, *values)

    def _compile(self, template: TTemplate, locals_: tuple[Local, ...]) -> Callable[..., Sequence[Part]]:
        emitter, module = self.emitter, self.emitter.module
        saved = dict(emitter.locals), emitter.known
        names = [emitter.bind(local) for local in locals_]
        parts = emit_parts(emitter, template)
        emitter.locals, emitter.known = saved
        module.late_functions()
        function: Callable[..., Sequence[Part]] = module.evaluate(f"lambda {', '.join(['s', *names])}: {parts}", {})
        return function
