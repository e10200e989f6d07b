"""Checked spec + players + options → plan: how many of everything there is, and in which cell each fact lies.

What depends on players or options can only fail here: an attribute whose table has no entry for five players, a board of no cells.
Such failures
are diagnostics with the place, like those of the checker.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import chain
from math import prod
from typing import Any

from gdl import typed, types
from gdl.diagnostics import SpecError
from gdl.interpreter import cells
from gdl.interpreter.alikeness import alike_classes
from gdl.interpreter.contents import WORD, Contents
from gdl.interpreter.emit import Emitter
from gdl.interpreter.emit_module import Module
from gdl.interpreter.faults import FAILURES, RuleFault, fault_of, problem
from gdl.interpreter.geometry import GEOMETRIES, Topology
from gdl.interpreter.meter import EVALUATION, MOST_FUEL, MOST_IN_SET
from gdl.interpreter.numbering import KindPlan, ZonePlan, key_product
from gdl.interpreter.plan import Plan, VariablePlan
from gdl.interpreter.revealing import Revealing
from gdl.interpreter.settling import settled_stacks
from gdl.source import Span
from gdl.typed import AttributeInfo, CheckedSpec, Domain, KindInfo, Local, TExpression, VariableInfo, ZoneInfo
from gdl.values import NONE
from gdl.walk import spec_nodes

_MOST_PIECES = 20_000
_MOST_SPACES = 100_000
_MOST_DEPTH = 1_000
_MOST_CELLS = 1_000_000


class Setup:
    """Builds the plan of a game, stage by stage."""

    def __init__(self, spec: CheckedSpec, players: int, options: Mapping[str, int], *, lazy: bool = False) -> None:
        self.spec = spec
        self.plan = Plan(spec, players, options)
        self.module = Module(lazy=lazy)
        self.emitter = Emitter(self.plan, self.module)
        self.size = 0
        self._functions: dict[TExpression, Callable[..., Any] | None] = {}

    def run(self) -> Plan:
        """All stages. Raises SpecError where a rule can't be carried out with these players and options."""
        late = [z for z in self.spec.zones.values() if any(d.form == "piece" for d in z.per)]
        late += [z for z in self.spec.zones.values() if z.base and self.spec.zones[z.base] in late]
        for zone in self.spec.zones.values():
            if zone not in late:
                self._number_zone(zone)
        for kind in self.spec.kinds.values():
            if not kind.declaration.any_of:
                self._number_kind(kind)
        for zone in late:
            self._number_zone(zone)
        self._find_forward()
        self._attributes()
        self._faces()
        self.plan.shapes = self._shapes()
        for name in self.spec.constants:
            self.value(self.spec.constants[name], name=name)
        self._find_alike()
        self.plan.settled = settled_stacks(self.spec)
        self._limits()
        self._take_cells()
        return self.plan

    def _shapes(self) -> tuple[str, ...]:
        """All texts that may be laid on a grid: values of attributes, and those that stand where a shape is wanted."""
        owners: tuple[KindPlan | ZonePlan, ...] = (*self.plan.kinds.values(), *self.plan.zones.values())
        tables = [(self.plan.attributes[self.plan.attribute_key(i)], owner) for owner in owners for i in owner.info.attributes.values()]
        found = {v for values, owner in tables for v in values[owner.base : owner.end] if isinstance(v, str)}
        written = (node for node in spec_nodes(self.spec, typed.Constant) if node.type == types.SHAPE)
        return tuple(sorted(found | {node.value for node in written}))

    # --- values -------------------------------------------------------------------------------------------------------

    def value(self, node: TExpression, known: Mapping[Local, Any] | None = None, name: str = "") -> Any:
        """The value of a constant expression, or a SpecError at it."""
        try:
            return self.emitter.constant_value(name) if name else self.emitter.evaluate(node, known)
        except FAILURES as error:
            fault = fault_of(error) if not isinstance(error, LookupError) else None
            if fault is None:
                raise problem("fault-none", node.span, "with these players and options this has no value") from None
            raise problem(fault.code, node.span, fault.message) from None

    def again(self, node: TExpression, known: Mapping[Local, Any]) -> Any:
        """The same as `value`, for what many pieces or spaces ask, once all of them have their numbers.

        Text for one of them is written for what is known of it; text for any of them is written once. Where that fails, it is looked
        at for this one, as a branch that it does not take may be at fault.
        """
        if isinstance(node, typed.Constant):
            return node.value
        if node not in self._functions:
            self._functions[node] = None  # most are asked for only once
            return self.value(node, known)
        function = self._functions[node] or self._function(node, known)
        try:
            self.emitter.meter.charge(EVALUATION)
            return function(*known.values())
        except FAILURES:
            return self.value(node, known)

    def _function(self, node: TExpression, known: Iterable[Local]) -> Callable[..., Any]:
        """An expression as a function, remembered; one that fails where the text for any can't be written."""
        try:
            function = self.emitter.function_of(node, known)
        except (*FAILURES, SpecError, SyntaxError):
            function = _fail
        self._functions[node] = function
        return function

    def number(self, node: TExpression, known: Mapping[Local, Any] | None = None) -> int:
        """A whole number."""
        result = self.value(node, known)
        if result == NONE:
            raise problem("fault-none", node.span, "with these players and options there is no number here: it is none")
        return int(result)

    def is_there(self, when: TExpression | None) -> bool:
        """Whether something with a constant `when:` exists."""
        return when is None or bool(self.value(when))

    def key_values(self, domain: Domain) -> tuple[int, ...]:
        """The values of a key."""
        low = self.number(domain.low) if domain.low is not None else 0
        high = self.number(domain.high) if domain.high is not None else 0
        if high - low >= MOST_IN_SET and domain.high is not None:
            raise problem("bad-size", domain.high.span, f"{high - low + 1:,} values are too many, at most {MOST_IN_SET:,} are possible")
        return self.plan.domain_values(domain, low, high)

    def key_sets(self, domains: tuple[Domain, ...], most: int, span: Span, what: str) -> tuple[tuple[int, ...], ...]:
        """All combinations of keys, unless there are too many."""
        values = [self.key_values(domain) for domain in domains]
        number = prod(len(each) for each in values)
        if number > most:
            raise problem("bad-size", span, f"{number:,} {what} are too many, at most {most:,} are possible")
        return key_product(values)

    # --- spaces -------------------------------------------------------------------------------------------------------

    def _number_zone(self, info: ZoneInfo) -> None:
        span = info.declaration.span
        copies = self.key_sets(info.per, _MOST_SPACES, span, f"copies of `{info.name}`")
        rows = [(n, r) for n, r in enumerate(info.rows or ()) if self.is_there(r.when)]
        topology = self._topology(info, len(rows))
        spaces = self.plan.space_count + len(copies) * topology.count
        if spaces > _MOST_SPACES:
            raise problem("bad-size", span, f"with `{info.name}` there are {spaces:,} spaces, at most {_MOST_SPACES:,} are possible")
        zone = ZonePlan(info, self.plan.space_count, copies, topology, tuple(r for _, r in rows))
        zone.row_numbers = {n: place for place, (n, _) in enumerate(rows)}
        if info.declaration.geometry.kind == "graph":
            zone.row_numbers = {n: n for n in range(topology.count)}
        if rows and info.declaration.geometry.kind not in ("named", "table"):
            zone.rows = self._rows_by_place(info, topology, zone.rows)
        self.plan.zones[info.name] = zone
        self.plan.space_count += zone.count
        self.plan.zone_of_space += [zone] * zone.count

    def _rows_by_place(self, info: ZoneInfo, topology: Topology, rows: tuple[typed.RowInfo, ...]) -> tuple[typed.RowInfo, ...]:
        """The row of each space of a zone with a geometry; spaces that no row is about have an empty one."""
        names = info.coordinates or ("index",)
        places: dict[tuple[int, ...], int] = {}
        for local in range(topology.count):
            places[tuple(topology.coordinates[n][local] if n in topology.coordinates else local for n in names)] = local
        found = [typed.RowInfo("", info.declaration.span) for _ in range(topology.count)]
        for row in rows:
            missing = [n for n in names if n not in row.place]
            if missing:
                raise problem("missing-key", row.span, f"a row of `{info.name}` needs its place: {', '.join(missing)}")
            place = tuple(self.number(row.place[n]) for n in names)
            if place not in places:
                raise problem("fault-index", row.span, f"there is no {info.name}[{', '.join(str(p) for p in place)}]")
            found[places[place]] = row
        return tuple(found)

    def _topology(self, info: ZoneInfo, rows: int) -> Topology:
        declared = info.declaration.geometry
        if info.base:
            base = self.plan.zones[info.base].topology
            return Topology(4 * base.count) if declared.kind == "part" else Topology(len(edge_ends(base)))
        nodes = tuple(n.name for n in declared.nodes)
        names = tuple(r.name for r in info.rows or ())
        mask = self._mask(info) if info.cells is not None else None
        try:
            return GEOMETRIES[declared.kind].build(
                tuple(self.number(s) for s in info.sizes), loop=declared.loop, mask=mask,
                adjacency=info.declaration.adjacency, nodes=nodes,
                edges=tuple((a.name, b.name) for a, b in declared.edges), count=rows, names=names if declared.kind == "named" else (),
            )  # fmt: skip
        except ValueError as error:
            raise problem("bad-size", declared.span, str(error)) from None

    def _mask(self, info: ZoneInfo) -> Callable[[Mapping[str, int]], bool]:
        """`cells:` as a function of a cell's coordinates, of which nothing else is known yet."""
        assert info.cells is not None
        assert info.this is not None
        condition, this = info.cells, info.this
        emitter = self.emitter

        def exists(place: Mapping[str, int]) -> bool:
            emitter.coordinates = {this: dict(place)}
            try:
                return bool(self.value(condition, {this: 0}))
            finally:
                emitter.coordinates = {}

        return exists

    # --- pieces -------------------------------------------------------------------------------------------------------

    def _number_kind(self, info: KindInfo) -> None:
        kind = KindPlan(info, self.plan.piece_count)
        self.plan.kinds[info.name] = kind
        if self.is_there(info.when):
            for keys in self.key_sets(info.per, _MOST_PIECES, info.declaration.span, f"owners of `{info.name}`"):
                self._number_pieces(kind, keys)
        self.plan.piece_count += kind.count
        self.plan.kind_of_piece += [kind] * kind.count

    def _number_pieces(self, kind: KindPlan, keys: tuple[int, ...]) -> None:
        info = kind.info
        if info.rows is not None:
            for number, row in enumerate(info.rows):
                if not self.is_there(row.when):
                    continue
                kind.row_numbers.setdefault(number, kind.count)
                self._add(kind, keys, row, [()], self._count(kind, row.copies))
            return
        domains = [tuple(self.value(values)) for _, values in info.each]
        combinations = prod(len(values) for values in domains)
        if combinations > _MOST_PIECES:
            raise self._too_many(kind, combinations)
        self._add(kind, keys, None, key_product(domains), self._count(kind, info.count))

    def _add(self, kind: KindPlan, keys: tuple[int, ...], row: typed.RowInfo | None, values: Sequence[tuple[int, ...]], count: int) -> None:
        """So many pieces for each of the values, if there can be so many."""
        pieces = self.plan.piece_count + kind.count + len(values) * count
        if pieces > _MOST_PIECES:
            raise self._too_many(kind, pieces)
        for each in values:
            for _ in range(count):
                kind.add(keys, row, each)

    @staticmethod
    def _too_many(kind: KindPlan, number: int) -> SpecError:
        """More pieces than there can be."""
        message = f"with `{kind.info.name}` there are {number:,} pieces, at most {_MOST_PIECES:,} are possible"
        return problem("bad-size", kind.info.declaration.span, message)

    def _count(self, kind: KindPlan, count: TExpression | None) -> int:
        """`count:` or `copies:`; left out, one (one for each space of a list in `at:`)."""
        if count is None:
            return 1
        number = self.number(count)
        if number < 0 or number > _MOST_PIECES:
            raise problem("bad-size", count.span, f"{number:,} pieces of `{kind.info.name}`, there can be from 0 to {_MOST_PIECES:,}")
        return number

    def _find_forward(self) -> None:
        for zone in self.spec.zones.values():
            if zone.forward:
                self.plan.forward = zone.forward

    # --- attributes and faces -----------------------------------------------------------------------------------------

    def _attributes(self) -> None:
        """Values of all attributes, by number of piece or space; those that need others' values are found as they are asked for."""
        for kind in self.plan.kinds.values():
            for info in kind.info.attributes.values():
                self.plan.attributes[self.plan.attribute_key(info)] = _Lazy(self, info, kind)
        for zone in self.plan.zones.values():
            for info in zone.info.attributes.values():
                self.plan.attributes[self.plan.attribute_key(info)] = _Lazy(self, info, zone)
        for key, values in self.plan.attributes.items():
            assert isinstance(values, _Lazy)
            values.fill()
            self.plan.attributes[key] = list(values)
        self._functions.clear()  # those for attributes read the tables that were being filled

    def attribute_value(self, info: AttributeInfo, owner: KindPlan | ZonePlan, number: int) -> Any:
        """The value of one attribute for one piece or space."""
        row: typed.RowInfo | None
        if isinstance(owner, KindPlan):
            row = owner.rows[number - owner.base]
            each = [name for name, _ in owner.info.each]
            if info.name in each:
                return owner.values[number - owner.base][each.index(info.name)]
        else:
            row = owner.rows[(number - owner.base) % owner.per_copy] if owner.rows else None
        known = {info.this: number} if info.this is not None else {}
        if owner.info.this is not None:
            known = {owner.info.this: number}
        if isinstance(info.type, types.ComputedType) or info.type == types.EFFECT:
            return self._late_value(info, row)
        if info.per is not None:
            return self._keyed_value(info, row, known)
        node = row.values.get(info.name) if row is not None else None
        node = node or info.default
        if node is not None:
            return self.again(node, known)
        return NONE if isinstance(info.type, types.OptionalType) else 0

    def _keyed_value(self, info: AttributeInfo, row: typed.RowInfo | None, known: Mapping[Local, Any]) -> Any:
        assert info.per is not None
        found: dict[int, Any] = {}
        for key in self.key_values(info.per):
            word = self.plan.symbol_name(key) if info.per.form == "symbol" else str(key)
            node = (row.values.get(f"{info.name}.{word}") if row is not None else None) or info.default
            found[key] = self.again(node, known) if node is not None else 0
        return found

    @staticmethod
    def _late_value(info: AttributeInfo, row: typed.RowInfo | None) -> Any:
        """Formulas and effects are kept as they are: the program builder makes functions of them."""
        if row is None:
            return info.default
        return row.effects.get(info.name) or row.values.get(info.name) or info.default

    def _faces(self) -> None:
        for name, kind in self.plan.kinds.items():
            faces = kind.info.faces
            if faces is None:
                continue
            if isinstance(faces, TExpression):
                values = tuple(self.value(faces))
                self.plan.face_values[name] = values
                self.plan.face_symbols[name] = (NONE,) * len(values)
                continue
            numbers = [f.type == types.INT for f in faces]
            found = [self.value(f) for f in faces]
            self.plan.face_values[name] = tuple(v if n else NONE for v, n in zip(found, numbers, strict=True))
            self.plan.face_symbols[name] = tuple(NONE if n else v for v, n in zip(found, numbers, strict=True))

    # --- alike pieces -------------------------------------------------------------------------------------------------

    def _find_alike(self) -> None:
        """Which kinds have pieces that may be alike, and the class of each piece by what never changes."""
        self.plan.alike_class, self.plan.alike = alike_classes(self.plan)

    # --- cells --------------------------------------------------------------------------------------------------------

    def _limits(self) -> None:
        spec, plan = self.spec, self.plan
        if spec.turn_limit is not None:
            plan.turn_limit = self.number(spec.turn_limit)
            if plan.turn_limit < 1:
                raise problem("bad-size", spec.turn_limit.span, f"`limits: turns` is {plan.turn_limit}, it can be from 1")
        if spec.depth_limit is not None:
            plan.depth = self._limit("depth", spec.depth_limit, _MOST_DEPTH)
        if spec.fuel_limit is not None:
            plan.fuel = self._limit("fuel", spec.fuel_limit, MOST_FUEL)
        self.emitter.meter.most_fuel = plan.fuel

    def _limit(self, name: str, node: TExpression, most: int) -> int:
        """A limit, which has a bound itself."""
        number = self.number(node)
        if not 0 <= number <= most:
            raise problem("bad-size", node.span, f"`limits: {name}` is {number}, it can be from 0 to {most:,}")
        return number

    def take(self, count: int) -> int:
        """The next cells; the first of them."""
        first = self.size
        self.size += count
        self.check_size(self.size)
        return first

    def check_size(self, size: int) -> None:
        """Raise SpecError if a state of so many cells is too large."""
        if size > _MOST_CELLS:
            message = f"a state of this game would take {size:,} numbers, at most {_MOST_CELLS:,} are possible"
            raise problem("bad-size", self.spec.declarations.span, message)

    def _take_cells(self) -> None:
        plan = self.plan
        self.take(cells.OUTCOMES + plan.players)
        plan.out = self.take(plan.players)
        for info in self.spec.variables.values():
            self._take_variable(info, 0, 1)
        for kind in plan.kinds.values():
            for info in kind.info.variables.values():
                self._take_variable(info, kind.base, kind.count)
        for zone in plan.zones.values():
            for info in zone.info.variables.values():
                self._take_variable(info, zone.base, zone.count)
        plan.at = self.take(plan.piece_count)
        plan.faces = self.take(plan.piece_count) if plan.face_values else 0
        for zone in plan.zones.values():
            self._take_contents(zone)
        if any(n.entry.name == "reveal" for n in spec_nodes(self.spec, typed.TEffect)):
            plan.revealed = self.take(plan.piece_count)
        for kind in plan.kinds.values():
            found = [plan.variables[info] for info in kind.info.variables.values()]
            widths = [v.key_count * v.width for v in found]
            plan.piece_variables[kind.info.name] = [(v.first - v.owner_base * w, w) for v, w in zip(found, widths, strict=True)]
        plan.revealing = Revealing(plan.revealed, plan.revealed + plan.piece_count)
        plan.mover = Contents(plan)
        plan.size = self.size

    def _take_contents(self, zone: ZonePlan) -> None:
        held = [k for k in zone.info.holds if k in self.plan.kinds]
        zone.holdable = tuple(chain.from_iterable(range(self.plan.kinds[k].base, self.plan.kinds[k].end) for k in held))
        if zone.info.capacity is not None:
            zone.capacity = self.number(zone.info.capacity)
        if zone.stack:
            zone.slots = len(zone.holdable) if zone.capacity is None else min(zone.capacity, len(zone.holdable))
        else:
            zone.words = -(-len(zone.holdable) // WORD)
        zone.stride = 3 + zone.slots if zone.stack else zone.words
        zone.contents = self.take(zone.stride * zone.count)

    def _take_variable(self, info: VariableInfo, base: int, owners: int) -> None:
        if not self.is_there(info.when):
            owners = 0
        domain = info.domain
        lows, sizes = [], []
        for key in info.per:
            values = self.key_values(key)
            lows.append(values[0] if values else 0)
            sizes.append(len(values))
        low = self.number(domain.low) if domain.low is not None else 0
        high = self.number(domain.high) if domain.high is not None else 0
        if low > high:
            raise problem("fault-range", info.span, f"the range {low}..{high} of `{info.name}` is empty")
        width, shift = self._width(domain)
        plan = VariablePlan(info, 0, base, owners, tuple(lows), tuple(sizes), width, low, high, shift)
        plan.first = self.take(plan.cells)
        self.plan.variables[info] = plan

    def _width(self, domain: Domain) -> tuple[int, int]:
        """Cells of one value, and the lowest element of a set."""
        if domain.form == "list":
            return 1 + (self.number(domain.maximum) if domain.maximum is not None else 0), 0
        if domain.form == "set" and domain.element is not None:
            values = self.key_values(domain.element)
            low, high = (min(values), max(values)) if values else (0, 0)
            return -(-(high - low + 1) // WORD), low
        return 1, 0


@lru_cache(maxsize=16)
def edge_ends(topology: Topology) -> tuple[tuple[int, int], ...]:
    """The pairs of neighbours of a topology, each once, in order of number."""
    return tuple((a, b) for a, others in enumerate(topology.neighbours) for b in sorted(others) if a < b)


def _fail(*_: object) -> Any:
    raise LookupError


class _Lazy(list[Any]):
    """Values of an attribute by number; each is computed when it is first asked for, so attributes may use each other."""

    def __init__(self, setup: Setup, info: AttributeInfo, owner: KindPlan | ZonePlan) -> None:
        super().__init__([None] * owner.end)
        self.setup, self.info, self.owner = setup, info, owner
        self.done = [False] * owner.end
        self.begun: set[int] = set()

    def __getitem__(self, number: Any) -> Any:
        if not self.done[number] and self.owner.base <= number < self.owner.end:
            if number in self.begun:
                raise RuleFault("fault-depth", f"the attribute `{self.info.name}` is made of itself")
            self.begun.add(number)
            try:
                self[number] = self.setup.attribute_value(self.info, self.owner, number)
            finally:
                self.begun.discard(number)
            self.done[number] = True
        return super().__getitem__(number)

    def fill(self) -> None:
        """Compute what is left."""
        for number in range(self.owner.base, self.owner.end):
            _ = self[number]


