"""Where something hidden certainly reaches those who may not see it: all steps of a spec, gone through once.

A finding has to be beyond doubt, so what is shown in time (see `disclosures`) is left alone, and so are steps in which the game
may end. What a branch of a sealed `together` may write and read is the checker's business.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from attrs import define, evolve, field, frozen

from gdl import typed, types
from gdl.ownership import OTHERS
from gdl.source import Span
from gdl.typed import CheckedSpec, TExpression
from gdl.validators.closed import unasked
from gdl.validators.disclosures import Disclosures, Running
from gdl.validators.hidden import NOBODY, Fact, Hidden, Secret
from gdl.walk import steps_of

VARIABLE: Final = "variable"
MOVES: Final = "moves"
BRANCH: Final = "branch"
TEXT: Final = "text"
_MOST_CALLS: Final = 4


@frozen
class Leak:
    """Something hidden at a place that others see: `way` says which. `seen` names the place, if it has a name."""

    way: str
    span: Span
    secret: Secret
    seen: str = ""


def find_leaks(spec: CheckedSpec) -> list[Leak]:
    """All leaks of a spec, in order of writing."""
    if not _hides_anything(spec):
        return []
    disclosures = Disclosures(spec)
    found: dict[tuple[str, Span], Leak] = {}
    for unit in disclosures.units:
        for leak in _Run(disclosures, unit).leaks():
            found.setdefault((leak.way, leak.span), leak)
    for leak in _endings(disclosures):
        found.setdefault((leak.way, leak.span), leak)
    return sorted(found.values(), key=lambda leak: (leak.span.source.name, leak.span.start))


def _endings(disclosures: Disclosures) -> Iterator[Leak]:
    """What the end of the game tells, or that it has not come yet."""
    for entry in disclosures.spec.end:
        for secret in disclosures.hidden.secrets(entry.when, carried=False):
            if secret.seen_by == NOBODY and secret.zone not in disclosures.shown:
                yield Leak(BRANCH, entry.when.span, secret)


def _hides_anything(spec: CheckedSpec) -> bool:
    variables = [*spec.variables.values()]
    variables += [info for kind in spec.kinds.values() for info in kind.variables.values()]
    variables += [info for zone in spec.zones.values() for info in zone.variables.values()]
    return any(zone.visible != "all" for zone in spec.zones.values()) or any(info.visible in ("none", "owner") for info in variables)


@define(eq=False)
class _Run:
    """One unit with its steps; `place` is where it was called with something hidden, if it was.

    `ending`: in steps behind a decision that was not made, which end the game.
    """

    disclosures: Disclosures
    unit: Running
    place: Span | None = None
    calls: int = 0
    ending: bool = False
    found: list[Leak] = field(factory=list)

    @property
    def spec(self) -> CheckedSpec:
        """The spec."""
        return self.disclosures.spec

    def leaks(self) -> list[Leak]:
        """What is found in the unit and, where it hands something hidden on, in what it calls."""
        unit = self.unit
        acting = unit.seat if isinstance(unit, typed.PhaseInfo) else unit.player
        hidden = evolve(self.disclosures.hidden, acting=acting)
        if isinstance(unit, typed.ActionInfo):
            self._offer(hidden, unit.choices, [unit.before, unit.guard])
            self._text(unit.label, hidden)
            if unit.keys is not None:
                self._decision(unit.keys, hidden)
        self.steps(unit.body, hidden)
        return self.found

    def steps(self, block: typed.TBlock | None, hidden: Hidden) -> None:
        """Go through steps and those inside of them."""
        for step in block.steps if block is not None else ():
            self._step(step, hidden)

    def _step(self, step: typed.TStep, hidden: Hidden) -> None:
        match step:
            case typed.TAssign(target=typed.VariableValue() as target, value=TExpression() as value):
                self._assigned(target, value, hidden)
            case typed.TSwap(first=first, second=second):
                self._assigned(first, second, hidden)
                self._assigned(second, first, hidden)
            case typed.TEffect(entry=entry, arguments=arguments) if entry.name == "log":
                self._text(arguments[0], hidden)
            case typed.TIf(condition=condition, then=then, otherwise=otherwise):
                self._branch(condition, [then, otherwise], hidden)
            case typed.TWhile(condition=condition, body=body):
                self._branch(condition, [body], hidden)
            case typed.TMatch(subject=subject, cases=cases, otherwise=otherwise):
                self._branch(subject, [*(block for _, block in cases), otherwise], hidden)
            case typed.TFor(body=body) | typed.TRepeat(body=body):
                self.steps(body, hidden)
            case typed.TAs(local=local, body=body) | typed.TTogether(local=local, body=body):
                self.steps(body, hidden.seen_from(local))
            case typed.TDecide(keys=keys):
                self._decision(keys, hidden)
            case typed.TChoose(keys=keys, body=body):
                deciding = self._decision(keys, hidden)
                self._offer(deciding, step.binders, [step.guard, keys.lower, keys.upper, keys.most])
                self._text(step.label, deciding)
                self.steps(body, deciding)
            case typed.TCall(unit=unit, arguments=arguments):
                self._call(unit, arguments, hidden)

    def _decision(self, keys: typed.TKeys, hidden: Hidden) -> Hidden:
        """What the keys of a decision tell; gives how the player sees it who decides."""
        deciding = hidden.seen_from(keys.acting)
        self._text(keys.prompt, deciding)
        for block in (keys.passing, keys.otherwise):
            outside = self.ending
            self.ending = outside or self.disclosures.may_end(block)
            self.steps(block, deciding)
            self.ending = outside
        return deciding

    # --- places that others see ---------------------------------------------------------------------------------------

    def _assigned(self, target: typed.VariableValue, value: TExpression, hidden: Hidden) -> None:
        if any(info.visible != "all" or info.holder.form == "kind" for info in target.infos):
            return
        secrets = list(hidden.secrets(value, carried=True))
        if isinstance(types.without_none(value.type), types.PieceType):
            secrets += self._named(value, hidden)
        name = target.infos[0].name
        for secret in secrets:
            if not self._is_over(secret):
                self._report(VARIABLE, value.span, secret, name)

    def _named(self, value: TExpression, hidden: Hidden) -> Iterator[Secret]:
        """The piece itself, which a variable would name."""
        lie = hidden.lie(value)
        tells_apart = any(kind.each or kind.rows for kind in self.spec.kinds.values())
        if lie is not None and lie.seen_by and self.spec.zones[lie.zone].visible in ("none", "owner") and tells_apart:
            yield Secret(f"which piece it is in `{lie.zone}`", value.span, lie.zone, lie.seen_by, lie.direct)

    def _offer(self, hidden: Hidden, binders: Sequence[typed.TBinder], conditions: Iterable[TExpression | None]) -> None:
        """What a player may choose from, and when."""
        if hidden.acting is None:
            return
        parts = [*(binder.domain for binder in binders), *conditions]
        hidden = evolve(hidden, closed=unasked(self.disclosures.closed, parts, hidden))
        for part in parts:
            for secret in hidden.secrets(part, carried=False):
                if secret.seen_by in (NOBODY, OTHERS) and not self._is_known(secret):
                    self._report(MOVES, secret.span if part is None or secret.span.is_within(part.span) else part.span, secret)

    def _branch(self, condition: TExpression, blocks: Iterable[typed.TBlock | None], hidden: Hidden) -> None:
        taken = list(blocks)
        if any(self._is_seen(step) for block in taken if block is not None for step in steps_of(block)):
            for secret in hidden.secrets(condition, carried=False):
                if secret.zone and secret.seen_by == NOBODY and not self._is_over(secret):
                    self._report(BRANCH, condition.span, secret)
        for block in taken:
            self.steps(block, hidden)

    def _is_seen(self, step: typed.TStep) -> bool:
        """Whether everybody sees that a step is done."""
        match step:
            case typed.TAssign(target=typed.VariableValue(infos=infos)):
                return all(info.visible == "all" and info.holder.form == "global" for info in infos)
            case typed.TEffect(entry=entry, arguments=arguments):
                return entry.name == "log" and arguments[1] is None
        return False

    def _text(self, template: object, hidden: Hidden) -> None:
        """What a line, prompt or label tells: values that nobody sees."""
        for part in template.parts if isinstance(template, typed.TTemplate) else ():
            if isinstance(part, str) or _is_piece(part):
                continue
            for secret in hidden.secrets(part, carried=False):
                if secret.seen_by == NOBODY and not self._is_over(secret):
                    self._report(TEXT, part.span, secret)

    def _call(self, unit: typed.Unit, arguments: Sequence[TExpression], hidden: Hidden) -> None:
        """What a procedure does with something hidden that it is given."""
        if self.calls >= _MOST_CALLS:
            return
        for local, argument in zip(unit.parameters, arguments, strict=False):
            secrets = tuple(hidden.secrets(argument, carried=True))
            if secrets:
                inner = _Run(self.disclosures, unit, self.place or argument.span, self.calls + 1, self.ending)
                known = Hidden(self.spec, hidden.bindings, None, {local: Fact(secrets=secrets)})
                inner.steps(unit.body, known)
                given = {secret.span for secret in secrets}
                self.found += [leak for leak in inner.found if leak.secret.span in given and leak.way != MOVES]

    # --- what is no leak ----------------------------------------------------------------------------------------------

    def _is_over(self, secret: Secret) -> bool:
        """Whether it may be secret no longer by the time that others see it, or the game may be over."""
        return self.ending or self.disclosures.ends(self.unit) or (bool(secret.zone) and self.disclosures.shows(secret.zone, self.unit))

    def _is_known(self, secret: Secret) -> bool:
        """Whether who decides may have been shown it."""
        if not secret.zone:
            return False
        if secret.direct:
            return secret.zone in self.disclosures.revealed
        return self.disclosures.shows(secret.zone, self.unit)

    def _report(self, way: str, span: Span, secret: Secret, seen: str = "") -> None:
        self.found.append(Leak(way, self.place or span, secret, seen))


def _is_piece(node: TExpression) -> bool:
    """Whether a hole shows pieces: those that are not seen stand there as their backs."""
    inner = types.without_none(node.type)
    return isinstance(inner, types.PieceType) or (
        isinstance(inner, types.ListType) and isinstance(types.without_none(inner.element), types.PieceType)
    )
