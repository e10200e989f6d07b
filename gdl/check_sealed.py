"""Sealed branches: each must do the same whatever the others do meanwhile, and in whatever order.

A branch owns what is its player's: the player's values of variables per player, the spaces of zones per player with what lies in them. It
may write only that, and may not read of others what branches write. Only what can be shown is reported: whose something is is followed
through expressions, `let`s, loops and calls, and where that is not certain, nothing is said.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from attrs import define, field

from gdl import typed, types
from gdl.diagnostics import Report
from gdl.ownership import OTHERS, OWN, SHARED, Owners, Ownership, Whose
from gdl.source import SourceFile, Span
from gdl.typed import CheckedSpec, Local, TExpression
from gdl.walk import nodes_of, spec_nodes

_DEEPEST: Final = 16
_ACTING: Final = Local("player", types.PLAYER, Span(SourceFile("", ""), 0, 0))
"""Stands among the owners for who acts."""

def check_sealed(spec: CheckedSpec, report: Report) -> None:
    """Report what sealed branches do that is not theirs to do."""
    for step in spec_nodes(spec, typed.TTogether):
        if not step.sealed:
            continue
        branch = _Branch(spec, report)
        branch.steps(step.body, {step.local: OWN, _ACTING: OWN}, 0)
        branch.report_reads()


@define(eq=False)
class _Branch:
    """One sealed step, gone through with everything that it calls."""

    spec: CheckedSpec
    report: Report
    written: set[typed.VariableInfo | str] = field(factory=set)
    reads: list[tuple[Span, typed.VariableInfo | str]] = field(factory=list)
    _done: set[Any] = field(factory=set)
    _said: set[Span] = field(factory=set)
    ownership: Ownership = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.ownership = Ownership(self.spec)

    # --- steps --------------------------------------------------------------------------------------------------------

    def steps(self, block: typed.TBlock | None, owners: Owners, depth: int) -> None:
        """Go through steps; what a `let` binds is known in those behind it."""
        known = dict(owners)
        for step in block.steps if block is not None and depth < _DEEPEST else ():
            self._step(step, known, depth)

    def _step(self, step: typed.TStep, owners: dict[Local, Whose], depth: int) -> None:
        match step:
            case typed.TLet(local=local, value=value):
                self._value(value, owners, depth)
                if not local.assigned:
                    owners[local] = self._whose_value(value, owners)
            case typed.TAssign(target=target, value=value):
                self._value(value, owners, depth)
                self._write(target, owners, depth)
            case typed.TSwap(first=first, second=second):
                self._write(first, owners, depth)
                self._write(second, owners, depth)
            case typed.TEffect():
                self._effect(step, owners, depth)
            case typed.TMoveRandom(effect=effect, move=move, local=local):
                self._effect(effect, owners, depth)
                self._effect(move, {**owners, local: self._whose_value(effect, owners)}, depth)
            case typed.TRecord(history=history):
                self._refuse(step.span, f"the history `{history}` belongs to nobody", "record it before or behind the `together`")
            case typed.TCall(unit=unit, arguments=arguments, player=player):
                self._call(unit, arguments, player, owners, depth)
            case typed.TFor(local=local, source=source, body=body):
                self.expression(source, owners, depth)
                self.steps(body, {**owners, local: self.ownership.of(source, owners)}, depth)
            case typed.TAs(player=player, local=local, body=body):
                self.expression(player, owners, depth)
                self.steps(body, {**owners, local: self.ownership.of(player, owners), _ACTING: self.ownership.of(player, owners)}, depth)
            case typed.TDecide() | typed.TChoose():
                self._decision(step, owners, depth)
            case _:
                self._parts(step, owners, depth)

    def _parts(self, step: typed.TStep, owners: Owners, depth: int) -> None:
        """`if`, `match`, loops and the like: their expressions and blocks."""
        match step:
            case typed.TIf(condition=head, then=then, otherwise=otherwise):
                blocks: Sequence[typed.TBlock | None] = (then, otherwise)
            case typed.TMatch(subject=head, cases=cases, otherwise=otherwise):
                blocks = (*(block for _, block in cases), otherwise)
            case typed.TRepeat(count=head, body=body) | typed.TWhile(condition=head, body=body):
                blocks = (body,)
            case _:
                return
        self.expression(head, owners, depth)
        for block in blocks:
            self.steps(block, owners, depth)

    def _decision(self, step: typed.TDecide | typed.TChoose, owners: Owners, depth: int) -> None:
        keys = step.keys
        known = dict(owners)
        if keys.by is not None and keys.acting is not None:
            self.expression(keys.by, owners, depth)
            known[keys.acting] = known[_ACTING] = self.ownership.of(keys.by, owners)
        for block in (keys.passing, keys.otherwise):
            self.steps(block, known, depth)
        if isinstance(step, typed.TChoose):
            self._binders(step.binders, known, depth)
            self.expression(step.guard, known, depth)
            if step.chosen is not None:
                known[step.chosen] = known.get(step.binders[0].local)
            self.steps(step.body, known, depth)
            return
        for entry in step.entries:
            self._entry(entry, known, depth)

    def _entry(self, entry: typed.TEntry, owners: Owners, depth: int) -> None:
        action = entry.action
        known = self.ownership.bound(action.parameters, entry.arguments, owners)
        known[_ACTING] = owners.get(_ACTING)
        if action.player is not None:
            known[action.player] = known[_ACTING]
        if action.group is not None:
            for inner in action.group.entries:
                self._entry(inner, known, depth + 1)
            return
        if depth >= _DEEPEST or not self._is_new(action, known):
            return
        self.expression(action.before, known, depth)
        self._binders(action.choices, known, depth)
        self.expression(action.guard, known, depth)
        self.steps(action.body, known, depth + 1)

    def _binders(self, binders: Sequence[typed.TBinder], owners: dict[Local, Whose], depth: int) -> None:
        for binder in binders:
            self.expression(binder.domain, owners, depth)
            owners[binder.local] = self.ownership.of(binder.domain, owners)

    def _call(self, unit: typed.Unit, arguments: Sequence[TExpression], player: TExpression | None, owners: Owners, depth: int) -> None:
        for argument in arguments:
            self.expression(argument, owners, depth)
        inner = self.ownership.bound(unit.parameters, arguments, owners)
        inner[_ACTING] = self.ownership.of(player, owners) if player is not None else owners.get(_ACTING)
        if unit.player is not None:
            inner[unit.player] = inner[_ACTING]
        if self._is_new(unit, inner):
            self.steps(unit.body, inner, depth + 1)

    def _is_new(self, unit: typed.Unit, owners: Mapping[Local, Whose]) -> bool:
        key = (id(unit), tuple(owners.values()))
        is_new = key not in self._done
        self._done.add(key)
        return is_new

    # --- writing ------------------------------------------------------------------------------------------------------

    def _write(self, target: TExpression, owners: Owners, depth: int) -> None:
        if not isinstance(target, typed.VariableValue):
            return
        for part in (target.target, *target.keys):
            self.expression(part, owners, depth)
        self.written |= set(target.infos)
        name = target.infos[0].name
        match self.ownership.variable(target, owners):
            case "others":
                self._refuse(target.span, f"`{name}` of others is written in a sealed branch")
            case "shared":
                self._refuse(target.span, f"`{name}` belongs to nobody, and all branches could write it")

    def _effect(self, step: typed.TEffect, owners: Owners, depth: int) -> None:
        for argument in step.arguments:
            self.expression(argument, owners, depth)
        name, arguments = step.entry.name, step.arguments
        places: Sequence[Any] = ()
        match name:
            case "move" | "swap":
                places = arguments[:2]
            case "draw" | "deal":
                places = arguments[1:3]
            case "shuffle" | "roll":
                places = arguments[:1]
        for place in places:
            if not isinstance(place, TExpression):
                continue
            self.written |= _zones_in(place)
            whose = self.ownership.of(place, owners)
            if whose in (OTHERS, SHARED):
                what = "of others" if whose == OTHERS else "that belongs to nobody"
                self._refuse(place.span, f"`{name}` in a sealed branch changes something {what}")

    def _refuse(self, span: Span, message: str, cure: str = "") -> None:
        if span not in self._said:
            self._said.add(span)
            self.report.error(
                "not-sealed",
                span,
                message,
                help=cure or "keep it in something of the player's own, and do this behind the `together`; or leave out `sealed`",
            )

    # --- reading ------------------------------------------------------------------------------------------------------

    def _value(self, value: TExpression | typed.TEffect, owners: Owners, depth: int) -> None:
        if isinstance(value, typed.TEffect):
            self._effect(value, owners, depth)
        else:
            self.expression(value, owners, depth)

    def _whose_value(self, value: TExpression | typed.TEffect, owners: Owners) -> Whose:
        if not isinstance(value, typed.TEffect):
            return self.ownership.of(value, owners)
        match value.entry.name:
            case "draw":
                return self.ownership.of(value.arguments[2], owners)
            case "pick":
                found = self.ownership.of(value.arguments[-1] or value.arguments[0], owners)
                return None if found == OTHERS else found
        return None

    def expression(self, node: object, owners: Owners, depth: int) -> None:
        """Note what an expression reads that is certainly of others."""
        match node:
            case None | str() | int():
                return
            case typed.ListOperator(source=source, local=local, body=body):
                self.expression(source, owners, depth)
                self.expression(body, {**owners, local: self.ownership.of(source, owners)}, depth)
                return
            case typed.BuiltinCall(arguments=arguments):
                whose = next((self.ownership.of(a, owners) for a in arguments if isinstance(a, TExpression)), None)
                for argument in arguments:
                    inner = {**owners, argument.local: whose} if isinstance(argument, typed.EachBody) else owners
                    self.expression(argument.body if isinstance(argument, typed.EachBody) else argument, inner, depth)
                return
            case typed.FunctionCall(unit=unit, arguments=arguments):
                for argument in arguments:
                    self.expression(argument, owners, depth)
                if depth < _DEEPEST:
                    bound = self.ownership.bound(unit.parameters, arguments, owners)
                    for local, value in unit.bindings:
                        self.expression(value, bound, depth + 1)
                        bound[local] = self.ownership.of(value, bound)
                    self.expression(unit.value, bound, depth + 1)
                return
            case typed.VariableValue(infos=infos) if self.ownership.variable(node, owners) == OTHERS:
                self.reads += [(node.span, info) for info in infos]
            case typed.Convert(form="pieces" | "pieces_of_spaces", operand=operand) if self.ownership.of(operand, owners) == OTHERS:
                self.reads += [(node.span, zone) for zone in sorted(_zones_in(operand))]
            case typed.After() | typed.Possible():
                return  # only tried
        for child in _children(node):
            self.expression(child, owners, depth)

    def report_reads(self) -> None:
        """Report reads of what branches write."""
        for span, what in self.reads:
            if what in self.written:
                name = what if isinstance(what, str) else what.name
                self._refuse(span, f"a sealed branch reads `{name}` of others, which they may be changing just then")


def _children(node: object) -> list[Any]:
    """The typed expressions directly inside a node."""
    found: list[Any] = []
    inside = iter(nodes_of(node))
    next(inside, None)
    seen: set[int] = set()
    for each in inside:
        if id(each) in seen or not isinstance(each, TExpression):
            continue
        found.append(each)
        seen |= {id(n) for n in nodes_of(each)}
    return found


def _zones_in(node: TExpression) -> set[str]:
    """The zones that an expression names."""
    return {n.zone for n in nodes_of(node) if isinstance(n, typed.ZoneSpaces)}
