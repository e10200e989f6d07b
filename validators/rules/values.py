"""Values and choices that can't be right for any game of the spec: outside of a range, out of nothing."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from gdl import typed
from gdl.diagnostics import Severity
from gdl.typed import TExpression
from gdl.validators.intervals import Interval
from gdl.validators.rule import Finding, Rule
from gdl.validators.rules.conditions import CHANGING
from gdl.validators.rules.examples import POINTS, example
from gdl.validators.subject import Subject
from gdl.walk import nodes_of


def _out_of_range(subject: Subject) -> Iterator[Finding]:
    """Assignments whose every possible value lies outside of what the variable can hold."""
    for step in subject.nodes(typed.TAssign):
        if isinstance(step.target, typed.VariableValue) and isinstance(step.value, TExpression):
            infos = step.target.infos
            ranges = [subject.bounds.domain(info.domain) for info in infos]
            value = subject.bounds.of(step.value)
            if not isinstance(value, Interval) or any(info.clamp or info.domain.none for info in infos):
                continue
            known = [each for each in ranges if isinstance(each, Interval)]
            if len(known) == len(ranges) and all(_misses(step.operator, each, value) for each in known):
                held = f"{known[0].low}..{known[0].high}"
                yield Finding(
                    step.value.span, f"`{infos[0].name}` holds {held}, and this is never within that",
                    help="another value or another range was meant, or `clamp: true`",
                )  # fmt: skip


def _misses(operator: str, held: Interval, value: Interval) -> bool:
    """Whether no value of a variable stays within its bounds."""
    low, high = value.low, value.high
    if operator == "+=":
        low, high = held.low + value.low, held.high + value.high
    elif operator == "-=":
        low, high = held.low - value.high, held.high - value.low
    return high < held.low or low > held.high


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
    """Offered actions whose guard constants alone make false, which rule 320 takes for a switch."""
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
        "Every value that this can have lies outside the variable's range, so the assignment is a fault whenever it is done.",
        example(play={"points += 1": "points = 11"}),
        example(play={"points += 1": "points = 10"}),
        _out_of_range,
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
    ),
    Rule(
        324,
        "never-legal",
        Severity.WARNING,
        "An action that is offered and never legal",
        "Constants alone make its condition false, for any number of players and any options.",
        example("constants: {goal: 9}\n" + POINTS, _leap("when: goal > 9")),
        example("constants: {goal: 9}\n" + POINTS, _leap("when: points < goal")),
        _never_legal,
    ),
)  # fmt: skip
