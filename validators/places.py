"""Every step and expression of a spec but its invariants, with what is known where it stands by what was tested on the way there.

What was tested is forgotten as soon as anything may have changed it: behind effects, calls and decisions, and in loops that hold some.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from attrs import define, field, frozen

from gdl import typed, types
from gdl.dependence import children
from gdl.nodes import parts_of
from gdl.typed import CheckedSpec, TBlock, TExpression, TStep
from gdl.validators.bounds import Bounds
from gdl.validators.intervals import Known, met
from gdl.walk import spec_nodes, steps_of

_STILL: Final = (typed.TIf, typed.TMatch, typed.TFor, typed.TRepeat, typed.TWhile, typed.TAs)
"""Steps that change nothing themselves."""
_LEAVING: Final = ("stop", "return", "end_turn", "end_phase", "end_game", "tie")
"""Steps behind which their list does not go on."""

_TESTING: Final = ("any", "all", "count")
"""Builtins that test their elements."""


@frozen(eq=False)
class Place:
    """A step or expression, and what is known there. `is_condition`: it decides whether something happens or counts."""

    node: TStep | TExpression
    bounds: Bounds
    is_condition: bool = False


def element_sources(spec: CheckedSpec) -> dict[typed.Local, TExpression]:
    """The lists that locals go through, each of which has one: of binders, loops, list operators, rounds, and `it`."""
    found = {step.local: step.source for step in spec_nodes(spec, typed.TFor)}
    found |= {binder.local: binder.domain for binder in spec_nodes(spec, typed.TBinder) if binder.given is None}
    for phase in spec_nodes(spec, typed.PhaseInfo):
        if phase.counter is not None and phase.loop is not None:
            found[phase.counter] = phase.loop
    for node in (*spec_nodes(spec, typed.ListOperator), *spec_nodes(spec, typed.BuiltinCall)):
        found |= {local: source for local, source, _ in element_of(node)}
    return found


def element_of(node: TExpression) -> Iterator[tuple[typed.Local, TExpression, TExpression]]:
    """The local that stands for each element of a list in an expression, the list, and what is asked of each."""
    match node:
        case typed.ListOperator(local=local, source=source, body=body):
            yield local, source, body
        case typed.BuiltinCall(arguments=arguments):
            lists = [a for a in arguments if isinstance(a, TExpression) and isinstance(a.type, types.ListType)]
            for each in arguments:
                if isinstance(each, typed.EachBody) and lists:
                    yield each.local, lists[0], each.body


def places(spec: CheckedSpec, bounds: Bounds) -> list[Place]:
    """All places of a spec."""
    walk = _Walk(spec)
    walk.whole(bounds)
    return walk.found


@define(eq=False)
class _Walk:
    """Goes through a spec in the order in which it is played."""

    spec: CheckedSpec
    found: list[Place] = field(factory=list)

    def whole(self, bounds: Bounds) -> None:
        """Everything that the spec says."""
        spec = self.spec
        for unit in [*spec.functions.values(), *spec.procedures.values(), *spec.actions.values(), *spec.triggers]:
            self.unit(unit, bounds)
        if spec.setup is not None:
            self.unit(spec.setup, bounds)
        for phase in spec.phases:
            self.phase(phase, bounds)
        for end in spec.end:
            self.condition(end.when, bounds)
            self.anything(end.players, bounds)
        self.anything((spec.result, tuple(spec.constants.values())), bounds)
        self.anything((spec.turn_limit, spec.depth_limit, spec.fuel_limit, tuple(spec.histories.values())), bounds)
        self.anything((tuple(spec.kinds.values()), tuple(spec.zones.values()), tuple(spec.variables.values())), bounds)

    def unit(self, unit: typed.Unit, bounds: Bounds) -> None:
        """A function, procedure, action, trigger or effect cell."""
        self.anything(unit.defaults, bounds)
        for local, value in unit.bindings:
            self.anything(value, bounds)
            bounds = bounds.giving(local, value)
        self.anything(unit.value, bounds)
        inner = bounds
        if isinstance(unit, typed.ActionInfo):
            inner = self.guarded(unit.choices, (unit.before, unit.guard), bounds)
            self.anything(unit.label, bounds)
            self.keys(unit.keys, bounds)
            if unit.group is not None:
                self.step(unit.group, inner)
        elif isinstance(unit, typed.TriggerInfo) and unit.when is not None:
            inner = self.condition(unit.when, bounds).assuming(unit.when, True)
        self.block(unit.body, inner)

    def guarded(self, binders: Iterable[typed.TBinder], guards: Iterable[TExpression | None], bounds: Bounds) -> Bounds:
        """What is chosen and whether it may be; gives what is known when it was."""
        first, *_ = guards = tuple(guards)
        if len(guards) > 1 and first is not None:
            bounds = self.condition(first, bounds).assuming(first, True)
        for binder in binders:
            self.anything((binder.domain, binder.given), bounds)
        last = guards[-1]
        return self.condition(last, bounds).assuming(last, True) if last is not None else bounds

    def phase(self, phase: typed.PhaseInfo, bounds: Bounds) -> None:
        """A phase and those in it. Its steps begin when `until` was just tested, unless `again` or a trigger came between."""
        for condition in (phase.when, phase.until, phase.skip):
            if condition is not None:
                self.condition(condition, bounds)
        self.anything((phase.loop, phase.start, phase.order), bounds)
        for nested in phase.phases:
            self.phase(nested, bounds)
        again = any(step.form == "again" for step in spec_nodes(self.spec, typed.TControl))
        if phase.until is not None and not again and not self.spec.triggers:
            bounds = bounds.assuming(phase.until, False)
        self.block(phase.body, bounds)

    # --- steps --------------------------------------------------------------------------------------------------------

    def block(self, block: TBlock | None, bounds: Bounds) -> Bounds:
        """A list of steps; gives what is known behind it."""
        for step in block.steps if block is not None else ():
            bounds = self.step(step, bounds)
        return bounds

    def step(self, step: TStep, bounds: Bounds) -> Bounds:
        """A step; gives what is known behind it."""
        self.found.append(Place(step, bounds))
        match step:
            case typed.TIf(condition=condition, then=then, otherwise=otherwise):
                return self.choice(condition, then, otherwise, bounds)
            case typed.TMatch(subject=subject, cases=cases, otherwise=otherwise):
                return self.cases(subject, cases, otherwise, bounds)
            case typed.TWhile(condition=condition, body=body):
                inner = bounds if is_still(body) else bounds.forgetting()
                self.block(body, self.condition(condition, inner).assuming(condition, True))
                return bounds.forgetting()
            case typed.TFor(body=body) | typed.TRepeat(body=body) | typed.TAs(body=body) | typed.TTogether(body=body):
                self.parts(step, bounds)
                inner = bounds if is_still(body) and not isinstance(step, typed.TTogether) else bounds.forgetting()
                self.block(body, inner)
                return inner
            case typed.TChoose(binders=binders, guard=guard, keys=keys, body=body):
                asked = self.asked(bounds)
                self.keys(keys, asked)
                self.anything(step.label, asked)
                self.block(body, self.guarded(binders, (guard,), asked))
                return bounds.forgetting()
            case typed.TDecide(keys=keys):
                self.keys(keys, self.asked(bounds))
                self.anything(step.entries, self.asked(bounds))
                return bounds.forgetting()
            case typed.TLet(local=local, value=TExpression() as value):
                self.anything(value, bounds)
                return bounds.giving(local, value)
            case typed.TAssign():
                return self.assign(step, bounds)
        self.parts(step, bounds)
        return bounds if isinstance(step, typed.TControl) and step.form in _LEAVING else bounds.forgetting()

    def asked(self, bounds: Bounds) -> Bounds:
        """What is known while a decision waits: in a branch of `together` others may do something meanwhile."""
        return bounds.forgetting() if spec_nodes(self.spec, typed.TTogether) else bounds

    def choice(self, condition: TExpression, then: TBlock, otherwise: TBlock | None, bounds: Bounds) -> Bounds:
        """An `if`."""
        self.condition(condition, bounds)
        self.block(then, bounds.assuming(condition, True))
        self.block(otherwise, bounds.assuming(condition, False))
        if _leaves(then) and is_still(otherwise):
            return bounds.assuming(condition, False)
        if otherwise is not None and _leaves(otherwise) and is_still(then):
            return bounds.assuming(condition, True)
        return bounds if is_still(then) and is_still(otherwise) else bounds.forgetting()

    def cases(
        self, subject: TExpression, cases: Sequence[tuple[TExpression, TBlock]], otherwise: TBlock | None, bounds: Bounds
    ) -> Bounds:
        """A `match`."""
        self.anything(subject, bounds)
        for case, body in cases:
            self.anything(case, bounds)
            self.block(body, bounds.knowing(subject, case_values(bounds, case)))
        self.block(otherwise, bounds)
        return bounds if all(is_still(body) for _, body in cases) and is_still(otherwise) else bounds.forgetting()

    def assign(self, step: typed.TAssign, bounds: Bounds) -> Bounds:
        """An assignment. What it gives is known behind it, unless a trigger may be at work."""
        self.parts(step, bounds)
        if isinstance(step.target, typed.LocalValue) and isinstance(step.value, TExpression):
            return bounds
        behind = bounds.forgetting()
        if not isinstance(step.target, typed.VariableValue) or not isinstance(step.value, TExpression) or self.spec.triggers:
            return behind
        if step.operator != "=" or any(info.clamp for info in step.target.infos) or len(step.target.infos) > 1:
            return behind
        return behind.knowing(step.target, met(bounds.of(step.value), bounds.domain(step.target.infos[0].domain)))

    def keys(self, keys: typed.TKeys | None, bounds: Bounds) -> None:
        """What decisions share."""
        if keys is not None:
            self.anything((keys.by, keys.prompt, keys.lower, keys.upper, keys.most), bounds)
            self.block(keys.passing, bounds.forgetting())
            self.block(keys.otherwise, bounds)

    def parts(self, step: TStep, bounds: Bounds) -> None:
        """The expressions of a step."""
        for name, part in parts_of(step):
            if name not in ("span", "body"):
                self.anything(part, bounds)

    # --- expressions --------------------------------------------------------------------------------------------------

    def condition(self, condition: TExpression, bounds: Bounds) -> Bounds:
        """A condition, and what is in it; gives the bounds again."""
        self.found.append(Place(condition, bounds, is_condition=True))
        self.expression(condition, bounds)
        return bounds

    def anything(self, value: object, bounds: Bounds) -> None:
        """All expressions in what may be nested in any way."""
        match value:
            case TExpression():
                self.found.append(Place(value, bounds))
                self.expression(value, bounds)
            case TStep():
                self.step(value, bounds)
            case typed.EachBody(body=body):
                self.anything(body, bounds)
            case tuple() | list():
                for part in value:
                    self.anything(part, bounds)
            case dict():
                self.anything(tuple(value.values()), bounds)
            case typed.Unit():
                if value.form == "effect":
                    self.unit(value, bounds)
            case (
                typed.TTemplate() | typed.TEntry() | typed.TPlaceMeaning() | typed.ResultInfo() | typed.KindInfo()
                | typed.ZoneInfo() | typed.RowInfo() | typed.AttributeInfo() | typed.VariableInfo() | typed.Domain()
            ):  # fmt: skip
                for name, part in parts_of(value):
                    if name not in ("span", "action", "declaration", "holder", "domain"):
                        self.anything(part, bounds)

    def expression(self, node: TExpression, bounds: Bounds) -> None:
        """What is inside an expression."""
        match node:
            case typed.Conditional(condition=condition, then=then, otherwise=otherwise):
                self.condition(condition, bounds)
                self.anything(then, bounds.assuming(condition, True))
                self.anything(otherwise, bounds.assuming(condition, False))
            case typed.Both(operator=operator, left=left, right=right):
                self.anything(left, bounds)
                self.anything(right, bounds.assuming(left, operator == "and"))
            case typed.ListOperator(operator="where" | "while" | "until", source=source, body=body):
                self.anything(source, bounds)
                self.condition(body, bounds)
            case typed.Possible(entries=entries, cells=cells, player=player):
                self.anything((entries, cells, player), bounds)
            case typed.After(effect=effect, condition=condition):
                self.step(effect, bounds)
                self.anything(condition, bounds.forgetting())
            case typed.MakeTable(entries=entries):
                self.anything(entries, bounds)
            case typed.BuiltinCall(arguments=arguments):
                for argument in arguments:
                    if isinstance(argument, typed.EachBody) and argument.body.type == types.BOOL and node.entry.name in _TESTING:
                        self.condition(argument.body, bounds)
                    else:
                        self.anything(argument, bounds)
            case _:
                self.anything(children(node), bounds)


def is_still(block: TBlock | None) -> bool:
    """Whether steps surely change nothing of the state."""
    return block is None or all(
        isinstance(step, _STILL)
        or (isinstance(step, typed.TControl) and step.form in _LEAVING)
        or (isinstance(step, typed.TLet) and isinstance(step.value, TExpression))
        or (isinstance(step, typed.TAssign) and isinstance(step.target, typed.LocalValue) and isinstance(step.value, TExpression))
        for step in steps_of(block)
    )


def _leaves(block: TBlock) -> bool:
    """Whether nothing comes behind a list of steps."""
    last = block.steps[-1] if block.steps else None
    return isinstance(last, typed.TControl) and last.form in _LEAVING


def case_values(bounds: Bounds, case: TExpression) -> Known:
    """What the subject of a `match` can be in one of its cases."""
    return bounds.elements(case) if isinstance(case.type, types.ListType) else bounds.of(case)
