"""Which pieces nothing tells apart: what of a kind never changes, and whether the rules care for the order of its pieces.

Alike pieces are offered once and weighed together. Two situations that differ only in which of them lies where are the same only if no
rule can tell either: see `merged_kinds`.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any, Final

from gdl import typed, types
from gdl.interpreter.analysis import Analysis
from gdl.interpreter.numbering import ZonePlan
from gdl.interpreter.plan import Plan
from gdl.nodes import parts_of
from gdl.types import ListType, PieceType, Type
from gdl.walk import nodes_of, spec_nodes

_ORDER_FREE: Final = ("count", "any", "all", "empty", "size", "distinct", "sum", "min", "max", "sole")
"""Builtins whose value does not depend on the order of their first argument."""


def alike_classes(plan: Plan) -> tuple[tuple[int, ...], frozenset[str]]:
    """The class of each piece, by what never changes, and the kinds with several pieces of a class."""
    named = _kinds_told_apart(plan)
    classes: dict[Any, int] = {}
    numbers: list[int] = []
    alike = set()
    for name, kind in plan.kinds.items():
        mine: set[int] = set()
        for place in range(kind.count):
            row = kind.rows[place]
            fixed = tuple(_hashable(plan.attributes[plan.attribute_key(i)][kind.base + place]) for i in kind.info.attributes.values())
            number = classes.setdefault((name, kind.keys[place], row.name if row is not None else "", fixed), len(classes))
            numbers.append(number)
            mine.add(number)
        if name not in named and len(mine) < kind.count and kind.info.at is not None:
            alike.add(name)
    return tuple(numbers), frozenset(alike)


def _hashable(value: Any) -> Any:
    if isinstance(value, dict):
        return tuple(value.items())
    return value if isinstance(value, int | str | tuple) else id(value)


def kinds_of(type_: Type | None) -> frozenset[str]:
    """The kinds of the pieces that a value of a type is, or lists."""
    while isinstance(type_, types.OptionalType | ListType):
        type_ = types.without_none(type_) if isinstance(type_, types.OptionalType) else type_.element
    return frozenset(type_.kinds) if isinstance(type_, PieceType) else frozenset()


def _kinds_told_apart(plan: Plan) -> set[str]:
    """Kinds whose pieces the spec names by number or as the first of a row, or remembers one by one in a variable."""
    spec = plan.spec
    found: set[str] = set()
    for pieces in spec_nodes(spec, typed.KindPieces):
        values = sum(len(spec.kinds[kind].each) for kind in pieces.kinds[:1]) if pieces.by_values else 0
        if len(pieces.indices) > values:
            found |= set(pieces.kinds)
    for field in spec_nodes(spec, typed.Property):
        if field.name == "number":
            found |= kinds_of(field.target.type)
    for named in spec_nodes(spec, typed.RowPiece):
        rows = plan.kinds[named.kind].info.rows
        if rows and plan.kinds[named.kind].rows.count(rows[named.row]) > 1:
            found.add(named.kind)
    for variable in spec_nodes(spec, typed.VariableInfo):
        for each in (variable.domain, variable.domain.element, *variable.per):
            found |= kinds_of(each.type) if each is not None else frozenset()
    return found


# --- what rules can tell ----------------------------------------------------------------------------------------------


def merged_kinds(plan: Plan, analysis: Analysis) -> frozenset[str]:
    """The kinds whose alike pieces may change places without any rule being able to tell.

    Pieces come in the order of their numbers wherever a rule lists them, so a list of them must only be used for what its order does
    not matter to. What is not known to be so counts as if it did matter.
    """
    if not plan.alike:
        return frozenset()
    uses, owning = _Uses(plan, analysis), _kinds_that_own(plan)
    return frozenset(name for name in sorted(plan.alike) if name not in owning and uses.is_free(name))


def _kinds_that_own(plan: Plan) -> set[str]:
    """Kinds to whose pieces something belongs one by one: an attribute that names them, a space or a piece for each."""
    spec = plan.spec
    found: set[str] = set()
    for attribute in spec_nodes(spec, typed.AttributeInfo):
        found |= kinds_of(attribute.type) | (kinds_of(attribute.per.type) if attribute.per is not None else frozenset())
    for per in (*(z.per for z in spec.zones.values()), *(k.per for k in spec.kinds.values())):
        for domain in per:
            found |= kinds_of(domain.type)
    return found


class _Uses:
    """What the rules of a spec do with lists of pieces."""

    def __init__(self, plan: Plan, analysis: Analysis) -> None:
        self.plan = plan
        self.analysis = analysis
        self.parents: dict[int, list[Any]] = {}
        self.calls: dict[typed.Unit, list[Any]] = {}
        setup = plan.spec.setup
        once = setup is not None and not analysis.block_waits(setup.body)
        self.skipped = {id(n) for n in _own_nodes(setup)} if setup is not None and once else set()
        self.nodes = [n for n in nodes_of(plan.spec) if id(n) not in self.skipped]
        for node in self.nodes:
            for child in _children(node):
                self.parents.setdefault(id(child), []).append(node)
            if isinstance(node, typed.FunctionCall):
                self.calls.setdefault(node.unit, []).append(node)
        self.kept = {kind for node in self.nodes for local in _locals_of(node) for kind in kinds_of(local.type)}

    def is_free(self, name: str) -> bool:
        """Whether no rule can tell alike pieces of a kind by their order or otherwise."""
        if any(info.type == types.EFFECT for info in self.plan.kinds[name].info.attributes.values()):
            return False
        return all(self._is_harmless(node, name) for node in self.nodes)

    def _is_harmless(self, node: Any, name: str) -> bool:
        match node:
            case typed.TPlace(legend=legend):
                return all(meaning.kind != name for meaning in legend.values())
            case typed.PhaseInfo(loop=loop) if loop is not None:
                return name not in kinds_of(loop.type)
            case typed.RowPiece(kind=kind, row=row) if kind == name:
                piece = self.plan.kinds[kind].base + self.plan.kinds[kind].row_numbers.get(row, 0)
                return self.plan.alike_class.count(self.plan.alike_class[piece]) == 1
            case typed.KindPieces(kinds=kinds, indices=indices) if name in kinds:
                return not indices and self._no_order(node)
            case typed.Convert(form="pieces" | "pieces_of_spaces") if name in kinds_of(node.type):
                return self._is_by_place(node.operand) or self._no_order(node)
        return True

    # --- order --------------------------------------------------------------------------------------------------------

    def _no_order(self, node: Any) -> bool:
        """Whether the order of a list does not matter to anything that uses it."""
        return all(self._no_order_in(parent, node) for parent in self.parents.get(id(node), []))

    def _no_order_in(self, parent: Any, node: Any) -> bool:
        match parent:
            case typed.BuiltinCall(entry=entry, arguments=arguments) if arguments and arguments[0] is node:
                if entry.name == "pieces":
                    return self._no_order(parent)
                return entry.name in _ORDER_FREE or (entry.name == "first" and len(arguments) == 1 and self._is_taken(parent, node))
            case typed.ListOperator(operator="where" | "select", source=source) if source is node:
                return self._no_order(parent)
            case typed.ListJoin():
                return self._no_order(parent)
            case typed.Conditional(condition=condition) if condition is not node:
                return self._no_order(parent)
            case typed.Convert(form="only_piece"):
                return True
            case typed.Membership(collection=collection):
                return collection is node
            case typed.TBinder(domain=domain) if domain is node:
                return all(not isinstance(p, typed.TChoose) or p.keys.upper is None for p in self.parents.get(id(parent), []))
            case typed.TFor(source=source) if source is node:
                return all(self._is_set_alike(step, parent.local) for step in parent.body.steps)
            case typed.TEffect(entry=entry, arguments=arguments) if entry.name == "move" and arguments[0] is node:
                return not self.analysis.caused_by(parent) and not self._may_be_stack(arguments[1])
            case typed.Unit(form="function", value=value) if value is node:
                return all(self._no_order(call) for call in self.calls.get(parent, []))
        return False

    def _is_set_alike(self, step: Any, local: typed.Local) -> bool:
        """Whether a step gives a piece's own variable a fixed value, whatever the order in which pieces come."""
        match step:
            case typed.TAssign(target=typed.VariableValue(target=typed.LocalValue(local=whose), keys=()), value=typed.Constant()):
                return whose is local and not self.analysis.caused_by(step)
        return False

    def _is_taken(self, first: Any, source: Any) -> bool:
        """Whether `first(space)` only moves one of pieces that show nothing but their class, while nothing else refers to any of them."""
        kinds = kinds_of(source.type)
        if self.plan.revealed or kinds & self.kept or not isinstance(source, typed.Convert) or source.form != "pieces":
            return False
        if not all(self._shows_class_only(name) for name in kinds) or self._may_be_stack(source.operand):
            return False
        return self._is_moved(first)

    def _is_moved(self, node: Any) -> bool:
        """Whether a piece is only moved, right where it is found."""
        for parent in self.parents.get(id(node), []):
            match parent:
                case typed.Convert(form="value") | typed.MakeList():
                    if not self._is_moved(parent):
                        return False
                case typed.TEffect(entry=entry, arguments=arguments) if entry.name == "move" and arguments[0] is node:
                    pass
                case _:
                    return False
        return True

    def _shows_class_only(self, name: str) -> bool:
        """Whether pieces of a kind have nothing that changes but their place, and those of a class have numbers in a row."""
        kind = self.plan.kinds[name]
        classes = self.plan.alike_class[kind.base : kind.end]
        changes = sum(one != other for one, other in pairwise(classes))
        return not kind.info.variables and kind.info.faces is None and changes == len(set(classes)) - 1

    def _is_by_place(self, spaces: Any) -> bool:
        """Whether pieces come in the order in which they lie, which is then known: those of stacks that are settled at once."""
        return all(zone.stack and zone.info.name in self.plan.settled for zone in self._zones_of(spaces))

    def _may_be_stack(self, space: Any) -> bool:
        return any(zone.stack for zone in self._zones_of(space))

    def _zones_of(self, spaces: Any) -> list[ZonePlan]:
        inner = types.without_none(spaces.type)
        inner = types.without_none(inner.element) if isinstance(inner, ListType) else inner
        names = inner.zones if isinstance(inner, types.SpaceType) and inner.zones is not None else tuple(self.plan.zones)
        return [self.plan.zones[name] for name in names if name in self.plan.zones]


def _locals_of(node: Any) -> Iterator[typed.Local]:
    """The locals that live while an effect is carried out."""
    match node:
        case typed.TLet(local=local) | typed.TFor(local=local) | typed.TBinder(local=local):
            yield local
        case typed.TMoveRandom(local=local) if local is not None:
            yield local
        case typed.TChoose(chosen=chosen) if chosen is not None:
            yield chosen
        case typed.TriggerInfo(locals=locals_):
            yield from locals_.values()
        case typed.Unit(form=form, parameters=parameters) if form != "function" or _tries(node.value):
            yield from (*parameters, *(local for local, _ in node.bindings))
        case typed.EachBody(local=local, body=body) | typed.ListOperator(local=local, body=body) if _tries(body):
            yield local


def _tries(node: Any) -> bool:
    """Whether a value is found by trying an effect."""
    return any(isinstance(n, typed.After) for n in nodes_of(node))


def _children(node: Any) -> Iterator[Any]:
    """The nodes right below a node, through tuples and maps; of a whole spec only those that belong to it alone."""
    for name, part in parts_of(node):
        if name not in ("walked", "dependences", "children", "found", "span", "type", "entry", "declaration", "unit"):
            yield from _flat(part)


def _flat(part: Any) -> Iterator[Any]:
    if isinstance(part, tuple | list):
        for each in part:
            yield from _flat(each)
    elif isinstance(part, dict):
        for each in part.values():
            yield from _flat(each)
    else:
        yield part


def _own_nodes(unit: typed.Unit) -> Iterator[Any]:
    """The nodes of a unit, without those of the units that it calls."""
    called = {id(n) for n in nodes_of(unit.body) if isinstance(n, typed.Unit)}
    inside = {id(n) for other in nodes_of(unit.body) if id(other) in called for n in nodes_of(other)}
    return (n for n in nodes_of(unit.body) if id(n) not in inside)
