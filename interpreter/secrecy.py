"""Which hidden things an expression depends on: found in the typed tree, once, so that a text can be shown to each as it may know it.

What stands in a text itself is followed: pieces, variables that not everybody sees, spaces that may hide how many pieces they hold, and
the `let`s that it names. What a procedure was given as a number is not; `Secrecy.is_tainted` knows of that too, but not which piece it was.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from attrs import define, field

from gdl import typed, types
from gdl.dependence import children
from gdl.interpreter.plan import Plan
from gdl.typed import Local, TExpression, TTemplate
from gdl.types import ListType, Type
from gdl.walk import nodes_of, spec_nodes

_COUNTING = ("count", "size", "empty")


@define(eq=False)
class Sources:
    """What a value depends on: pieces (or lists of them), variables, and spaces whose number of pieces counts.

    `opaque`: it depends on something hidden that can't be told one by one, so nobody is shown it.
    """

    pieces: list[TExpression] = field(factory=list)
    variables: list[typed.VariableValue] = field(factory=list)
    spaces: list[TExpression] = field(factory=list)
    opaque: bool = False

    def __bool__(self) -> bool:
        return bool(self.pieces or self.variables or self.spaces or self.opaque)


class Secrecy:
    """Answers for one plan."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        hiding = [zone for zone in plan.zones.values() if zone.info.visible != "all" or zone.info.declaration.secret]
        self.kinds = {plan.kind_of_piece[piece].info.name for zone in hiding for piece in zone.holdable}
        self.secret_zones = {zone.info.name for zone in hiding if zone.info.declaration.secret}
        self.variables = tuple(info for info in plan.variables if is_hidden(info))
        self.is_needed = bool(self.kinds or self.secret_zones or self.variables)
        self._lets: dict[Local, Any] = {}
        self._tainted: set[Local] | None = None
        if self.is_needed:
            self._lets = {n.local: n.value for n in spec_nodes(plan.spec, typed.TLet) if not n.local.assigned}

    # --- what a value depends on --------------------------------------------------------------------------------------

    def sources(self, node: TExpression) -> Sources:
        """The hidden things that may have a part in a value."""
        found = Sources()
        if self.is_needed:
            self._visit(node, frozenset(), found)
        return found

    def is_piece(self, type_: Type) -> bool:
        """Whether values of a type are pieces that may lie where not everybody sees them, or lists of such."""
        inner = types.without_none(type_)
        if isinstance(inner, ListType):
            return self.is_piece(inner.element)
        return isinstance(inner, types.PieceType) and (not inner.kinds or any(kind in self.kinds for kind in inner.kinds))

    def _visit(self, node: Any, inner: frozenset[Local], found: Sources) -> None:
        if isinstance(node, TExpression) and self.is_piece(node.type):
            self._visit_pieces(node, inner, found)
            return
        match node:
            case typed.LocalValue(local=local):
                if local not in inner and local in self._lets:
                    self._visit(self._lets[local], inner, found)
            case typed.VariableValue(infos=infos):
                if any(info in self.variables for info in infos):
                    self._note(node, inner, found, found.variables)
                self._visit_children(node, inner, found)
            case typed.BuiltinCall(entry=entry, arguments=arguments) if entry.name in _COUNTING and all(a is None for a in arguments[1:]):
                self._visit_count(arguments[0], inner, found)
            case typed.Possible() | typed.After() | typed.Seen():
                found.opaque = True
            case typed.FunctionCall(unit=unit):
                self._visit_function(unit, found)
                self._visit_children(node, inner, found)
            case typed.TEffect(arguments=arguments):
                for argument in arguments:
                    self._visit(argument, inner, found)
            case _:
                self._visit_children(node, inner, found)

    def _visit_children(self, node: Any, inner: frozenset[Local], found: Sources) -> None:
        if isinstance(node, typed.EachBody | typed.ListOperator):
            inner = inner | {node.local}
        for child in children(node):
            self._visit(child, inner, found)

    def _visit_pieces(self, node: TExpression, inner: frozenset[Local], found: Sources) -> None:
        """Pieces themselves: who sees them knows what they are. Elements of a list are covered by the list."""
        if isinstance(node, typed.LocalValue) and node.local in inner:
            return
        if isinstance(node, typed.KindPieces) and isinstance(types.without_none(node.type), ListType):
            for child in children(node):
                self._visit(child, inner, found)
        self._note(node, inner, found, found.pieces)

    def _visit_count(self, node: Any, inner: frozenset[Local], found: Sources) -> None:
        """How many pieces lie somewhere is known to all, unless the zone is secret; how many of some kind is not."""
        operand = node
        while isinstance(operand, typed.Convert) and operand.form in ("pieces", "pieces_of_spaces"):
            operand = operand.operand
        type_ = types.without_none(operand.type)
        element = type_.element if isinstance(type_, ListType) else type_
        if not isinstance(element, types.SpaceType):
            if not isinstance(operand, typed.KindPieces):
                self._visit(operand, inner, found)
            return
        if any(zone in self.secret_zones for zone in element.zones or self.plan.zones):
            self._note(operand, inner, found, found.spaces)
        self._visit_children(operand, inner, found)

    def _note(self, node: Any, inner: frozenset[Local], found: Sources, where: list[Any]) -> None:
        if inner and any(isinstance(n, typed.LocalValue) and n.local in inner for n in nodes_of(node)):
            found.opaque = True
        else:
            where.append(node)

    def _visit_function(self, unit: typed.Unit, found: Sources) -> None:
        """What a function looks at besides what it is given: that can be told apart where it does not depend on its parameters."""
        inside = Sources()
        self._visit(unit.value, frozenset(), inside)
        for _, value in unit.bindings:
            self._visit(value, frozenset(), inside)
        found.opaque = found.opaque or inside.opaque
        own = {*unit.parameters, *(local for local, _ in unit.bindings), unit.player}
        pairs: list[tuple[Sequence[TExpression], list[Any]]] = [
            (inside.pieces, found.pieces),
            (inside.variables, found.variables),
            (inside.spaces, found.spaces),
        ]
        for nodes, where in pairs:
            for node in nodes:
                if isinstance(node, typed.LocalValue) and node.local in own:
                    continue
                if any(isinstance(n, typed.LocalValue) and n.local in own for n in nodes_of(node)):
                    found.opaque = True
                else:
                    where.append(node)

    def _is_secret_read(self, node: Any) -> bool:
        match node:
            case typed.VariableValue(infos=infos):
                return any(info in self.variables for info in infos)
            case typed.AttributeValue(target=target) | typed.Property(target=target):
                return self.is_piece(target.type)
            case typed.LocalValue(local=local):
                return self._tainted is not None and local in self._tainted
        return False

    # --- what may have come from it -----------------------------------------------------------------------------------

    def is_tainted(self, template: TTemplate) -> bool:
        """Whether a number or word in a text may come from something hidden by way of locals and parameters."""
        if not self.is_needed:
            return False
        if self._tainted is None:
            self._tainted = set()
            self._follow(self._tainted)
        locals_ = {n.local for n in nodes_of(template) if isinstance(n, typed.LocalValue) and not self.is_piece(n.type)}
        return any(local in self._tainted and local not in self._lets for local in locals_)

    def _follow(self, tainted: set[Local]) -> None:
        changed = True
        while changed:
            changed = False
            for local, reads in _flows(self.plan.spec):
                if local not in tainted and any(self._is_secret_read(n) for n in reads):
                    tainted.add(local)
                    changed = True


def _flows(spec: typed.CheckedSpec) -> list[tuple[Local, list[Any]]]:
    """What the value of each local is made of, found once, however many games are made of a spec."""
    if "flows" not in spec.found:
        given: list[tuple[Local, Any]] = []
        for node in nodes_of(spec):
            match node:
                case typed.TLet(local=local, value=value) | typed.TAssign(target=typed.LocalValue(local=local), value=value):
                    given.append((local, value))
                case typed.TFor(local=local, source=value):
                    given.append((local, value))
                case typed.TCall(unit=unit, arguments=arguments) | typed.FunctionCall(unit=unit, arguments=arguments):
                    given += zip(unit.parameters, arguments, strict=False)
        spec.found["flows"] = [(local, [n for n in nodes_of(value) if isinstance(n, _READS)]) for local, value in given]
    found: list[tuple[Local, list[Any]]] = spec.found["flows"]
    return found


_READS = (typed.VariableValue, typed.AttributeValue, typed.Property, typed.LocalValue)
"""What can read something secret."""


def is_hidden(info: typed.VariableInfo) -> bool:
    """Whether some seat may not see a variable."""
    return info.visible != "all"
