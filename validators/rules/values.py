"""Values and choices that can't be right for any game of the spec: outside of a range, out of nothing."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from gdl import typed
from gdl.diagnostics import Related, Severity
from gdl.typed import TExpression
from gdl.validators.bounds import Bounds
from gdl.validators.intervals import Interval, Known, are_apart, met
from gdl.validators.rule import Finding, Rule
from gdl.validators.rules.conditions import CHANGING
from gdl.validators.rules.examples import POINTS, example
from gdl.validators.subject import Subject
from gdl.walk import nodes_of

_OTHER_RANGE: Final = "another value or another range was meant"


def _out_of_range(subject: Subject) -> Iterator[Finding]:
    """Assignments and arguments whose every possible value lies outside of what the variable or parameter can hold."""
    reported: set[tuple[str, int]] = set()
    for place in subject.places:
        for finding in _beyond(place.node, place.bounds) if place.bounds.is_possible else ():
            where = (finding.span.source.name, finding.span.start)
            if where not in reported:
                reported.add(where)
                yield finding


def _beyond(node: typed.TStep | TExpression, bounds: Bounds) -> Iterator[Finding]:
    match node:
        case typed.TAssign(target=typed.VariableValue() as target, value=TExpression() as value):
            yield from _assigned_beyond(bounds, node.operator, target, value)
        case typed.TCall(unit=unit, arguments=arguments) | typed.FunctionCall(unit=unit, arguments=arguments):
            yield from _given_beyond(bounds, unit, arguments)
        case typed.TDecide(entries=entries):
            for entry in entries:
                yield from _given_beyond(bounds, entry.action, entry.arguments)


def _assigned_beyond(bounds: Bounds, operator: str, target: typed.VariableValue, value: TExpression) -> Iterator[Finding]:
    name, domains = target.infos[0].name, [info.domain for info in target.infos]
    if all(domain.form == "list" and domain.maximum is not None for domain in domains):
        most = max(bounds.number(domain.maximum).high for domain in domains if domain.maximum is not None)
        if operator == "=" and bounds.size(value).low > most:
            yield Finding(value.span, f"`{name}` holds at most {most} elements, and these are more", help=_OTHER_RANGE)
        return
    number = bounds.of(value)
    if not isinstance(number, Interval) or any(info.clamp or info.domain.none for info in target.infos):
        return
    ranges = [bounds.domain(domain) for domain in domains]
    known = [each for each in ranges if isinstance(each, Interval)]
    before = bounds.of(target)
    if len(known) == len(ranges) and all(_misses(operator, each, met(each, before), number) for each in known):
        held = f"{known[0].low}..{known[0].high}"
        yield Finding(value.span, f"`{name}` holds {held}, and this is never within that", help=f"{_OTHER_RANGE}, or `clamp: true`")


def _misses(operator: str, held: Interval, before: Known, value: Interval) -> bool:
    """Whether no value of a variable that can be `before` stays within its bounds."""
    low, high = value.low, value.high
    if isinstance(before, Interval) and operator == "+=":
        low, high = before.low + value.low, before.high + value.high
    elif isinstance(before, Interval) and operator == "-=":
        low, high = before.low - value.high, before.high - value.low
    return high < held.low or low > held.high


def _given_beyond(bounds: Bounds, unit: typed.Unit, arguments: tuple[TExpression, ...]) -> Iterator[Finding]:
    for parameter, argument in zip(unit.parameters, arguments, strict=True):
        if parameter.low is not None and parameter.high is not None:
            held = Interval(bounds.number(parameter.low).low, bounds.number(parameter.high).high)
            if are_apart(bounds.of(argument), held):
                said = f"`{parameter.name}` of `{unit.name}` is one of {held.low}..{held.high}, and this is never within that"
                yield Finding(argument.span, said, help=_OTHER_RANGE)


def _empty_choices(subject: Subject) -> Iterator[Finding]:
    """Decisions over what is always empty, where nothing else happens instead."""
    for choose in subject.nodes(typed.TChoose):
        if choose.keys.otherwise is None and choose.keys.passing is None:
            yield from (_nothing(binder) for binder in choose.binders if _is_empty(subject, binder.domain))
    for action in subject.nodes(typed.ActionInfo):
        yield from (_nothing(binder) for binder in action.choices if _is_empty(subject, binder.domain))


def _nothing(binder: typed.TBinder) -> Finding:
    return Finding(binder.domain.span, "this is always empty, so there is nothing to choose", help="another list or range was meant")


def _is_empty(subject: Subject, domain: TExpression) -> bool:
    """Whether a list never has elements."""
    match domain:
        case typed.NumberRange(low=low, high=high):
            return subject.bounds.number(low).low > subject.bounds.number(high).high
        case typed.MakeList(items=()):
            return True
        case typed.ListOperator(operator="where" | "by", source=source):
            return _is_empty(subject, source)
    return False


def _never_legal(subject: Subject) -> Iterator[Finding]:
    """Offered actions whose guard constants alone make false, or never holds as they are offered."""
    offered = {entry.action.name for entry in subject.nodes(typed.TEntry)}
    for action in subject.nodes(typed.ActionInfo):
        for guard in (action.before, action.guard):
            if guard is None or action.name not in offered or subject.bounds.truth(guard) is not False:
                continue
            if not any(isinstance(node, CHANGING) for node in nodes_of(guard)):
                yield Finding(
                    guard.span, f"`{action.name}` is offered, and never legal: this never holds, whatever the options",
                    help="mend the condition, or take the action out",
                )  # fmt: skip
    for place in subject.places:
        if isinstance(place.node, typed.TDecide):
            for entry in place.node.entries:
                yield from _never_here(subject, entry, place.bounds)


def _never_here(subject: Subject, entry: typed.TEntry, bounds: Bounds) -> Iterator[Finding]:
    """An action whose guard can hold, but not with the arguments that it has here, or only when the game is over."""
    action = entry.action
    for parameter, argument in zip(action.parameters, entry.arguments, strict=True):
        bounds = bounds.giving(parameter, argument)
    for binder in action.choices:
        if binder.local.name in entry.given:
            bounds = bounds.giving(binder.local, entry.given[binder.local.name])
    if not subject.nodes(typed.TTogether):  # in whose branches ends are not tested
        for end in subject.spec.end:
            bounds = bounds.assuming(end.when, False) if end.declaration.check == "decision" else bounds
    for guard in (action.before, action.guard):
        if guard is not None and bounds.is_possible and bounds.truth(guard) is False and subject.bounds.truth(guard) is not False:
            yield Finding(
                entry.span, f"`{action.name}` is never legal here: its condition can't hold as it is offered",
                help="an entry of `end` may come before it, or another argument was meant",
                related=(Related(guard.span, "this is its condition"),),
            )  # fmt: skip
            return
        if guard is not None:
            bounds = bounds.assuming(guard, True)


_OFFERED: Final = {"actions: walk": "actions: [walk, leap]"}


def _leap(keys: str) -> dict[str, str]:
    """The example with a second action."""
    return {**_OFFERED, "actions:\n  walk": f"actions:\n  leap: {{{keys}, do: points += 2}}\n  walk"}



RULES = (
    Rule(
        322,
        "out-of-range",
        Severity.WARNING,
        "A variable is given what it can't hold",
        "Every value that this can have here lies outside the range of the variable or parameter, or the list is longer than the variable "
        "can hold, so the assignment or call is a fault whenever it is done.",
        example(play={"points += 1": "points = 11"}),
        example(play={"points += 1": "points = 10"}),
        _out_of_range,
        foretells=("fault-range",),
    ),
    Rule(
        323,
        "empty-choice",
        Severity.WARNING,
        "A choice from nothing",
        "The list or range to choose from is empty for any number of players and any options: the action is never legal, or the "
        "decision has no legal move and nothing says what happens instead.",
        example(play=_leap("choose: n in 3..1")),
        example(play=_leap("choose: n in 1..3")),
        _empty_choices,
        foretells=("fault-no-move",),
    ),
    Rule(
        324,
        "never-legal",
        Severity.WARNING,
        "An action that is offered and never legal",
        "Constants alone make its condition false, for any number of players and any options; or the condition can't hold with the "
        "arguments with which the action is offered, or only when an entry of `end` has ended the game.",
        example("constants: {goal: 9}\n" + POINTS, _leap("when: goal > 9")),
        example("constants: {goal: 9}\n" + POINTS, _leap("when: points < goal")),
        _never_legal,
    ),
)  # fmt: skip
