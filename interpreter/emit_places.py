"""The text of places: pieces, spaces, variables, attributes and fields."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gdl import typed, types
from gdl.interpreter.contents import WORD
from gdl.interpreter.emit_contents import Lying, plus, times
from gdl.interpreter.emit_module import Module
from gdl.interpreter.faults import RuleFault
from gdl.interpreter.numbering import KindPlan, ZonePlan
from gdl.interpreter.plan import Plan, VariablePlan
from gdl.interpreter.runtime import Found
from gdl.typed import TExpression, VariableInfo
from gdl.types import PieceType, SpaceType, Type
from gdl.values import NONE


class Places(Lying):
    """The part of the emitter that knows where things are. `expr`, `at`, `literal` come from the emitter."""

    known: dict[Any, Any]
    coordinates: dict[Any, dict[str, int]]

    def __init__(self, plan: Plan, module: Module) -> None:
        super().__init__(plan, module)
        self._tables: dict[tuple[str, str, int], tuple[Any, ...]] = {}

    def at(self, node: Any, text: str) -> str:
        """See the emitter."""
        raise TypeError

    def fresh(self, prefix: str = "v") -> str:
        """See the emitter."""
        raise TypeError

    def type_size(self, type_: Type) -> int | None:
        """How many values a type has, none (the value) included; None if that is not known."""
        extra = 1 if isinstance(type_, types.OptionalType) else 0
        match types.without_none(type_):
            case types.BOOL:
                return 2 + extra
            case types.PLAYER:
                return self.plan.players + extra
            case types.DIRECTION:
                return 10 + extra
            case types.EnumType(symbols=symbols):
                return len(symbols) + extra
            case PieceType(kinds=kinds):
                return sum(self.plan.kinds[k].count for k in kinds) + extra
            case SpaceType(zones=zones):
                return sum(self.plan.zones[z].count for z in (zones or self.plan.zones) if z in self.plan.zones) + extra
        return None

    # --- pieces and spaces --------------------------------------------------------------------------------------------

    def kind_pieces(self, node: typed.KindPieces) -> str:
        """Pieces of kinds, of an owner, or one of them by number or by its `each` attributes."""
        if not node.keys and not node.indices:
            pieces = tuple(p for k in node.kinds for p in range(self.plan.kinds[k].base, self.plan.kinds[k].end))
            return self.module.constant(pieces)
        kind = self.plan.kinds[node.kinds[0]]
        table: dict[Any, Any] = {}
        if node.indices:
            for place in range(kind.count):
                which = kind.values[place] if node.by_values else (kind.numbers[place],)
                if len(node.indices) > len(which):
                    which = (*which, kind.copy_of(place))
                table.setdefault((*kind.keys[place], *which), kind.base + place)
        else:
            lists: dict[Any, list[int]] = {(owner,): [] for owner in range(self.plan.players)}
            for place, keys in enumerate(kind.keys):
                for length in range(1, len(keys) + 1):
                    lists.setdefault(keys[:length], []).append(kind.base + place)
            table = {keys: tuple(pieces) for keys, pieces in lists.items()}
        texts = [self.expr(k) for k in (*node.keys, *node.indices)]
        name = self.module.constant(Found(table, kind.info.name), "T")
        return self.at(node, f"{name}[{', '.join(texts)},]")

    def zone_spaces(self, node: typed.ZoneSpaces) -> str:
        """Spaces of a zone, by keys and coordinates."""
        zone = self.plan.zones[node.zone]
        if isinstance(node.type, types.ListType) and not node.keys and not node.indices:
            return self.module.constant(tuple(range(zone.base, zone.end)))
        if zone.info.single and not zone.info.per:
            return str(zone.base)
        texts = [self.expr(k) for k in (*node.keys, *node.indices)]
        if zone.info.single and len(node.keys) == 1 and zone.info.per[0].form == "player" and len(zone.info.per) == 1:
            return texts[0] if zone.base == 0 else f"({texts[0]} + {zone.base})"
        table = self.space_table(zone, len(node.keys), bool(node.indices))
        name = self.module.constant(table, "T")
        return self.at(node, f"{name}[{', '.join(texts)},]")

    def space_table(self, zone: ZonePlan, keys: int, indexed: bool) -> Found:
        """From keys (and coordinates) to a space or the spaces of a copy; built once for each form."""
        cache = self.module.namespace.setdefault("_space_tables", {})
        wanted = (zone.info.name, keys, indexed)
        if wanted in cache:
            return cache[wanted]  # type: ignore[no-any-return]
        table = Found({}, zone.info.name)
        coordinates = [zone.topology.coordinates[c] for c in zone.info.coordinates]
        for number, copy in enumerate(zone.copies):
            first = zone.base + number * zone.per_copy
            if not indexed:
                whole = tuple(range(first, first + zone.per_copy))
                one = zone.info.single and keys == len(copy)
                table[copy[:keys]] = first if one else (*table.get(copy[:keys], ()), *whole)
                continue
            for local in range(zone.per_copy):
                place = tuple(c[local] for c in coordinates) if coordinates else (local,)
                table[(*copy, *place)] = first + local
        cache[wanted] = table
        return table

    def row_piece(self, node: typed.RowPiece) -> str:
        """The first piece of a named row."""
        plan = self.plan.kinds[node.kind]
        return self._of_row(node, plan, plan.info.rows)

    def row_space(self, node: typed.RowSpace) -> str:
        """The space of a name."""
        plan = self.plan.zones[node.zone]
        return self._of_row(node, plan, plan.info.rows)

    def _of_row(self, node: typed.RowPiece | typed.RowSpace, plan: KindPlan | ZonePlan, rows: Sequence[typed.RowInfo] | None) -> str:
        if node.row in plan.row_numbers:
            return str(plan.base + plan.row_numbers[node.row])
        name = rows[node.row].name if rows else plan.info.name
        return self.at(node, f"absent({name!r})")

    # --- tests --------------------------------------------------------------------------------------------------------

    def kind_test(self, node: typed.KindTest) -> str:
        """`x is kind`, by the ranges of numbers."""
        text = self.expr(node.operand)
        if node.symbols:
            inside = f"({text} in {self.module.constant(frozenset(node.symbols), 'Q')})"
        else:
            ranges = [(self.plan.kinds[k].base, self.plan.kinds[k].end) for k in node.kinds]
            ranges += [(self.plan.zones[z].base, self.plan.zones[z].end) for z in node.zones if z in self.plan.zones]
            inside = self._in_ranges(text, ranges)
        return f"(not {inside})" if node.negated else inside

    def _in_ranges(self, text: str, ranges: list[tuple[int, int]]) -> str:
        joined: list[tuple[int, int]] = []
        for low, high in sorted(r for r in ranges if r[0] < r[1]):
            if joined and joined[-1][1] == low:
                joined[-1] = (joined[-1][0], high)
            else:
                joined.append((low, high))
        if not joined:
            return "False"
        if len(joined) == 1:
            low, high = joined[0]
            return f"({text} == {low})" if high == low + 1 else f"({low} <= {text} < {high})"
        members = frozenset(n for low, high in joined for n in range(low, high))
        return f"({text} in {self.module.constant(members, 'Q')})"

    # --- fields -------------------------------------------------------------------------------------------------------

    def property(self, node: typed.Property) -> str:
        """The fields that pieces, spaces, players and placements have by themselves."""
        if isinstance(node.target, typed.LocalValue) and node.target.local in self.coordinates:
            return str(self.coordinates[node.target.local][node.name])
        target = self.expr(node.target)
        inner = types.without_none(node.target.type)
        if node.name == "out":
            self.reads_state = True
            return f"s[{plus(target, self.plan.out)}]"
        if isinstance(inner, PieceType):
            return self._piece_property(node, target, inner)
        if isinstance(inner, types.PlacementType):
            return self.at(node, f"PLACEMENTS[{target}].{node.name}")
        return self.at(node, f"{self._space_table(node.name)}[{target}]")

    def _piece_property(self, node: typed.Property, target: str, pieces: PieceType) -> str:
        plan = self.plan
        if node.name == "at":
            return self.at(node, self.piece_place(target))
        if node.name in ("face", "value"):
            self.reads_state = True
            return self.at(node, f"{self._face_table(node, pieces)}[s[{plus(target, plan.faces)}]]")
        return self.at(node, f"{self._piece_table(node.name)}[{target}]")

    def _piece_table(self, name: str) -> str:
        """A field of pieces for all of them, as far as they are numbered."""
        kinds = self.plan.kinds.values()
        last = next(reversed(kinds), None)
        key = ("pieces", name, last.base + last.count if last is not None else 0)
        if key not in self._tables:
            self._tables[key] = tuple(self._piece_value(name, kind, place) for kind in kinds for place in range(kind.count))
        return self.module.constant(self._tables[key])

    @staticmethod
    def _piece_value(name: str, kind: Any, place: int) -> Any:
        row = kind.rows[place]
        match name:
            case "owner":
                owned = kind.info.per and kind.info.per[0].form == "player"
                return kind.keys[place][0] if owned else NONE
            case "number":
                return kind.numbers[place]
            case "name":
                return row.name if row is not None else ""
        for key, domain in zip(kind.keys[place], kind.info.per, strict=True):
            if str(domain.type) == name:
                return key
        return NONE

    def _face_table(self, node: typed.Property, pieces: PieceType) -> str:
        kind = pieces.kinds[0]
        if node.name == "value" or node.type == types.INT:
            values = self.plan.face_values[kind]
            return self.module.constant(_Faces(values) if NONE in values else values)
        return self.module.constant(self.plan.face_symbols[kind])

    def _space_table(self, name: str) -> str:
        """A field of spaces for all of them, as far as they are numbered."""
        key = ("spaces", name, self.plan.space_count)
        if key not in self._tables:
            self._tables[key] = tuple(value for zone in self.plan.zones.values() for value in self._zone_values(zone, name))
        return self.module.constant(self._tables[key])

    def _zone_values(self, zone: ZonePlan, name: str) -> list[Any]:
        values: list[Any] = []
        info = zone.info
        for copy in zone.copies:
            for local in range(zone.per_copy):
                if name == "owner":
                    owned = info.per and info.per[0].form == "player"
                    values.append(copy[0] if owned else NONE)
                elif name == "index":
                    values.append(local % 4 if info.name.endswith(".part") else local)
                elif name == "cell" and info.base:
                    values.append(self.plan.zones[info.base].base + len(values) // 4)
                elif name in zone.topology.coordinates:
                    values.append(zone.topology.coordinates[name][local])
                elif name == "name":
                    names = [row.name for row in zone.rows] or zone.topology.names
                    values.append(names[local] if names else "")
                elif name in info.key_names:
                    values.append(copy[info.key_names.index(name)])
                else:
                    values.append(NONE)
        return values

    # --- attributes ---------------------------------------------------------------------------------------------------

    def attribute(self, node: typed.AttributeValue) -> str:
        """A fixed property: from a table over all pieces or spaces; a formula is called."""
        target = self.expr(node.target)
        table = self.attribute_table(node.infos)
        name = self.module.constant(table, "A")
        if types.without_none(node.infos[0].type) == types.EFFECT:
            return self.at(node, f"effect_of({name}, {target})")
        if node.arguments is not None:
            self.reads_state = True
            arguments = ", ".join(["s", target, *[self.expr(a) for a in node.arguments]])
            return self.at(node, f"{name}[{target}]({arguments})")
        text = self.at(node, f"{name}[{target}]")
        for key in node.keys:
            text = f"{text}[{self.expr(key)}]"
        return text

    def attribute_table(self, infos: tuple[typed.AttributeInfo, ...]) -> Any:
        """Values by number of piece or space, for attributes that are read alike."""
        if len(infos) == 1:
            return self.plan.attributes[self.plan.attribute_key(infos[0])]
        cache = self.module.namespace.setdefault("_attribute_tables", {})
        if infos not in cache:
            merged: dict[int, Any] = {}
            for info in infos:
                owner = self.plan.kinds if info.holder.form == "kind" else self.plan.zones
                plan = owner[info.holder.name]
                values = self.plan.attributes[self.plan.attribute_key(info)]
                merged |= {n: values[n] for n in range(plan.base, plan.end)}
            cache[infos] = merged
        return cache[infos]

    # --- variables ----------------------------------------------------------------------------------------------------

    def read_variable(self, node: typed.VariableValue) -> str:
        """The value of a variable."""
        self.reads_state = True
        plan = self.plan.variables[node.infos[0]]
        place = self.variable_place(node)
        if plan.info.domain.form == "set":
            return self._read_set(plan, place)
        if plan.info.domain.form == "list":
            name = self.fresh("c")
            return f"(lambda {name}: tuple(s[{name} + 1:{name} + 1 + s[{name}]]))({place})"
        return f"s[{place}]"

    def _read_set(self, plan: VariablePlan, place: str) -> str:
        if plan.width == 1:
            return f"(s[{place}] << {plan.shift})" if plan.shift else f"s[{place}]"
        name = self.fresh("c")
        words = " | ".join(f"s[{name} + {i}] << {WORD * i}" for i in range(plan.width))
        return f"((lambda {name}: ({words}) << {plan.shift})({place}))"

    def variable_place(self, node: typed.VariableValue) -> str:
        """The cell of a variable's (first) value, as text."""
        if not any(self.plan.variables[info].owners for info in node.infos) and not self._exists(node.infos[0]):
            return self.at(node, f"absent({node.infos[0].name!r})")
        plan = self.plan.variables[node.infos[0]]
        keys = [self._key(node, plan, i, k) for i, k in enumerate(node.keys)]
        index = ""
        for text, size in zip(keys, plan.sizes, strict=True):
            index = text if not index else f"({index}) * {size} + {text}"
        if node.target is None:
            return plus(times(index, plan.width), plan.first) if index else str(plan.first)
        target = self.expr(node.target)
        if len(node.infos) > 1:
            base = f"{self._first_cells(node.infos)}[{target}]"
        else:
            step = plan.key_count * plan.width
            base = plus(times(target, step), plan.first - plan.owner_base * step)
        return base if not index else f"{base} + {times(index, plan.width)}"

    def _exists(self, info: VariableInfo) -> bool:
        """Whether a variable exists with these players and options, even if its kind or zone is empty."""
        return info.when is None or bool(self.known_value(info.when))

    def _key(self, node: typed.VariableValue, plan: VariablePlan, number: int, key: TExpression) -> str:
        low, size = plan.lows[number], plan.sizes[number]
        domain = plan.info.per[number]
        text = self.expr(key)
        known = self.known_value(key)
        if domain.form in ("range", "symbol") and (known is None or not low <= known < low + size):
            return self.at(node, f"offset({text}, {low}, {size})")
        return plus(text, -low)

    def _first_cells(self, infos: tuple[VariableInfo, ...]) -> str:
        table: dict[int, int] = {}
        for info in infos:
            plan = self.plan.variables[info]
            for owner in range(plan.owners):
                table[plan.owner_base + owner] = plan.first + owner * plan.key_count * plan.width
        return self.module.constant(table, "V")


class _Faces(tuple[int, ...]):
    """Values of a die's faces; reading a symbol as a number is a fault."""

    __slots__ = ()

    def __getitem__(self, index: Any) -> Any:
        value = super().__getitem__(index)
        if value == NONE:
            raise RuleFault("fault-none", "the die shows a symbol, which is no number")
        return value
