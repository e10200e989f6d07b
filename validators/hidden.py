"""Which values certainly come from something hidden, and who does not see it.

Where a piece lies is known of expressions that name its zone, of what is bound to such, and of what a function or procedure was given as
such. Of variables and zones whose visibility is a condition nothing is certain, nor of the top of a stack.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any, Final

from attrs import evolve, frozen

from gdl import typed, types
from gdl.dependence import children
from gdl.ownership import OTHERS, OWN, Ownership, Whose
from gdl.source import Span
from gdl.typed import CheckedSpec, Local, TExpression, Unit
from gdl.types import ListType
from gdl.walk import spec_nodes

NOBODY: Final = "nobody"
SOMEBODY: Final = "somebody"
"""Not everybody, and it is not certain who."""
_HIDING: Final = ("none", "owner")
_DEEPEST: Final = 8
_PICKING: Final = ("first", "last", "take", "sole", "best", "worst", "unique", "reversed", "pieces")
_COUNTING: Final = ("count", "size", "empty", "any", "all", "distinct")


@frozen
class Lie:
    """Where pieces (or the spaces themselves) certainly are: a zone. `seen_by`: nobody, own, others, somebody; "" for everybody.

    `direct`: found where it is asked for, so the pieces lie there just then.
    """

    zone: str
    seen_by: str
    direct: bool = True


@frozen
class Secret:
    """Something hidden that a value comes from; `what` says it in words, `zone` is empty for a variable."""

    what: str
    span: Span
    zone: str
    seen_by: str
    direct: bool


@frozen
class Fact:
    """What is known of the value of a local."""

    lie: Lie | None = None
    whose: Whose = None
    secrets: tuple[Secret, ...] = ()


@frozen(eq=False)
class Binding:
    """Where a local gets its value; `earlier`: in a step, so it may have changed its place since."""

    value: Any
    earlier: bool


def bindings(spec: CheckedSpec) -> dict[Local, Binding]:
    """All locals of a spec that get one value, or one of a list."""
    found: dict[Local, Binding] = {}
    for let in spec_nodes(spec, typed.TLet):
        if not let.local.assigned:
            found[let.local] = Binding(let.value, earlier=True)
    for loop in spec_nodes(spec, typed.TFor):
        found[loop.local] = Binding(loop.source, earlier=True)
    for binder in spec_nodes(spec, typed.TBinder):
        found[binder.local] = Binding(binder.domain, earlier=False)
    for choose in spec_nodes(spec, typed.TChoose):
        if choose.chosen is not None:
            found[choose.chosen] = Binding(choose.binders[0].domain, earlier=False)
    for operator in spec_nodes(spec, typed.ListOperator):
        found[operator.local] = Binding(operator.source, earlier=False)
    for call in spec_nodes(spec, typed.BuiltinCall):
        for body in call.arguments[1:]:
            if isinstance(body, typed.EachBody) and isinstance(call.arguments[0], TExpression):
                found[body.local] = Binding(call.arguments[0], earlier=False)
    return found


@frozen(eq=False)
class Hidden:
    """Answers for one spec, as the player sees it whose local is `acting`.

    `known` is what is known of parameters; `closed` are zones that show only some of their pieces, none of which is asked about.
    """

    spec: CheckedSpec
    bindings: Mapping[Local, Binding]
    acting: Local | None = None
    known: Mapping[Local, Fact] = {}
    depth: int = 0
    closed: Collection[str] = ()

    def seen_from(self, acting: Local | None) -> Hidden:
        """The same as another player sees it, if there is one."""
        return self if acting is None else evolve(self, acting=acting)

    def given(self, unit: Unit, facts: Mapping[Local, Fact]) -> Hidden:
        """Inside of a unit that was given arguments."""
        own = {unit.player: Fact(whose=OWN)} if unit.player is not None and self.acting is not None else {}
        return evolve(self, known={**facts, **own}, depth=self.depth + 1)

    def whose(self, node: TExpression) -> Whose:
        """Whose something is."""
        return Ownership(self.spec).of(node, _Owners(self))

    # --- where pieces are ---------------------------------------------------------------------------------------------

    def lie(self, node: object) -> Lie | None:
        """Where the pieces or spaces of an expression are, if they all are in one zone."""
        match node:
            case typed.ZoneSpaces(zone=zone):
                return Lie(zone, self._seen_by(self._visible(zone), self.whose(node)))
            case typed.RowSpace(zone=zone):
                return Lie(zone, self._seen_by(self._visible(zone), None))
            case typed.LocalValue(local=local):
                return self._lie_of(local)
            case typed.Convert(operand=operand) | typed.MakeList(items=(operand,)):
                return self.lie(operand)
            case typed.ListOperator(operator="select", body=body):
                return self.lie(body)
            case typed.ListOperator(source=source) | typed.Element(source=source):
                return self.lie(source)
            case typed.ListJoin(operator="-", left=left):
                return self.lie(left)
            case (
                typed.Coalesce(left=left, right=right)
                | typed.Conditional(then=left, otherwise=right)
                | typed.ListJoin(left=left, right=right)
            ):
                found = self.lie(left)
                return found if found == self.lie(right) else None
            case typed.BuiltinCall(entry=entry, arguments=arguments) if entry.name in (*_PICKING, "top", "bottom"):
                return self.lie(arguments[0])
            case typed.TEffect(entry=entry, arguments=arguments) if entry.name == "draw":
                return self.lie(arguments[2])
            case typed.FunctionCall(unit=unit) if self.depth < _DEEPEST:
                return self._inside(node).lie(unit.value)
        return None

    def _lie_of(self, local: Local) -> Lie | None:
        if local in self.known:
            found = self.known[local].lie
            return None if found is None else evolve(found, direct=False)
        binding = self.bindings.get(local)
        found = self.lie(binding.value) if binding is not None else None
        return evolve(found, direct=False) if found is not None and binding is not None and binding.earlier else found

    def _visible(self, zone: str) -> TExpression | str:
        return "none" if zone in self.closed else self.spec.zones[zone].visible

    def _seen_by(self, visible: TExpression | str, whose: Whose) -> str:
        if visible == "none":
            return NOBODY
        if visible == "owner":
            return whose if whose in (OWN, OTHERS) else SOMEBODY
        return "" if visible == "all" else "unknown"

    def _inside(self, call: typed.FunctionCall, *, carried: bool = False) -> Hidden:
        """Inside of a function that is called."""
        facts = {local: self.fact(value, carried=carried) for local, value in zip(call.unit.parameters, call.arguments, strict=False)}
        inner = self.given(call.unit, facts)
        for local, value in call.unit.bindings:
            facts[local] = inner.fact(value, carried=carried)
            inner = self.given(call.unit, facts)
        return inner

    def fact(self, value: TExpression, *, carried: bool) -> Fact:
        """All that is known of a value."""
        return Fact(self.lie(value), self.whose(value), tuple(self.secrets(value, carried=carried)))

    # --- what values come from ----------------------------------------------------------------------------------------

    def secrets(self, node: object, *, carried: bool) -> Iterator[Secret]:
        """The hidden things that certainly have a part in a value; if `carried`, those that it tells: as they are, or reckoned with."""
        secret = self._secret(node)
        if secret is not None:
            yield secret
        match node:
            case typed.LocalValue(local=local):
                yield from self._secrets_of(local, carried=carried)
            case typed.FunctionCall(unit=unit) if self.depth < _DEEPEST:
                yield from self._inside(node, carried=carried).secrets(unit.value, carried=carried)
            case typed.Possible() | typed.After() | typed.Seen() | typed.FunctionCall():
                return  # what they look at is not followed
            case _:
                for child in _carrying(node) if carried else children(node):
                    yield from self.secrets(child, carried=carried)

    def _secrets_of(self, local: Local, *, carried: bool) -> Iterator[Secret]:
        if local in self.known:
            yield from (evolve(secret, direct=False) for secret in self.known[local].secrets)
            return
        binding = self.bindings.get(local)
        if binding is not None and binding.earlier and not _is_place(local.type) and isinstance(binding.value, TExpression):
            yield from (evolve(secret, direct=False) for secret in self.secrets(binding.value, carried=carried))

    def _secret(self, node: object) -> Secret | None:
        """What is hidden about a node by itself."""
        match node:
            case typed.VariableValue(infos=infos, target=target):
                if all(info.visible in _HIDING for info in infos):
                    seen_by = self._seen_by(infos[0].visible, Ownership(self.spec).variable(node, _Owners(self)))
                    return Secret(f"the variable `{infos[0].name}`", node.span, "", seen_by, direct=True)
                return self._of_piece(node, f"`{infos[0].name}`", target)
            case typed.AttributeValue(infos=infos, target=target) if any(self._differs(info) for info in infos):
                return self._of_piece(node, f"`{infos[0].name}`", target)
            case typed.Property(name="face" | "value" as name, target=target):
                return self._of_piece(node, f"`{name}`", target)
            case typed.BuiltinCall(entry=entry, arguments=arguments) if entry.name in _COUNTING and not any(arguments[1:]):
                lie = self.lie(arguments[0])
                if lie is not None and lie.seen_by in (NOBODY, OWN, OTHERS) and self.spec.zones[lie.zone].declaration.secret:
                    return Secret(f"how many pieces lie in `{lie.zone}`", node.span, lie.zone, lie.seen_by, lie.direct)
        return None

    def _of_piece(self, node: TExpression, what: str, target: TExpression | None) -> Secret | None:
        if target is None or not isinstance(types.without_none(target.type), types.PieceType):
            return None
        lie = self.lie(target)
        if lie is None or self._visible(lie.zone) not in _HIDING:
            return None
        return Secret(f"{what} of a piece in `{lie.zone}`", node.span, lie.zone, lie.seen_by, lie.direct)

    def _differs(self, info: typed.AttributeInfo) -> bool:
        """Whether pieces that look alike from behind differ in an attribute."""
        kind = self.spec.kinds.get(info.holder.name) if info.holder.form == "kind" else None
        if kind is None:
            return False
        if any(name == info.name for name, _ in kind.each):
            return True
        values = [row.values.get(info.name) for row in kind.rows or ()]
        return len({value.span.text for value in values if value is not None}) > 1


class _Owners(Mapping[Local, Whose]):
    """Whose the values of locals are, found when asked for."""

    def __init__(self, hidden: Hidden, asked: frozenset[Local] = frozenset()) -> None:
        self._hidden = hidden
        self._asked = asked

    def __getitem__(self, local: Local) -> Whose:
        hidden = self._hidden
        if local is hidden.acting:
            return OWN
        if local in hidden.known:
            return hidden.known[local].whose
        binding = hidden.bindings.get(local)
        if binding is None or local in self._asked or len(self._asked) > _DEEPEST:
            raise KeyError(local)
        return Ownership(hidden.spec).of(binding.value, _Owners(hidden, self._asked | {local}))

    def __iter__(self) -> Iterator[Local]:
        yield from self._hidden.known

    def __len__(self) -> int:
        return len(self._hidden.known)


def _is_place(type_: types.Type) -> bool:
    inner = types.without_none(type_)
    if isinstance(inner, ListType):
        return _is_place(inner.element)
    return isinstance(inner, types.SpaceType | types.PieceType | types.PlacementType) or inner == types.PLAYER


def _carrying(node: object) -> list[Any]:
    """The parts of an expression whose values can be seen in its own."""
    match node:
        case typed.Arithmetic() | typed.Minus() | typed.Coalesce() | typed.MakeList() | typed.ListJoin() | typed.Convert():
            return list(children(node))
        case typed.EachBody(body=body) | typed.ListOperator(operator="select", body=body):
            return [body]
        case typed.ListOperator(source=source) | typed.Element(source=source):
            return [source]
        case typed.Conditional(then=then, otherwise=otherwise):
            return [then, otherwise]
        case typed.BuiltinCall(entry=entry) if entry.name not in _COUNTING and not _is_place(node.type):
            return list(children(node))
    return []
