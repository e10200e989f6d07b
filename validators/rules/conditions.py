"""Conditions that never change, and branches that are never taken."""

from __future__ import annotations

from collections.abc import Iterator

from gdl import typed, types
from gdl.diagnostics import Related, Severity
from gdl.source import Span
from gdl.typed import TExpression
from gdl.validators.bounds import Bounds
from gdl.validators.intervals import Choice, Interval, Known, are_apart, is_nothing
from gdl.validators.places import case_values
from gdl.validators.rule import Finding, Rule
from gdl.validators.rules.examples import example
from gdl.validators.subject import Subject
from gdl.walk import nodes_of

CHANGING = (typed.VariableValue, typed.LocalValue, typed.BuiltinCall, typed.FunctionCall, typed.AttributeValue, typed.Property)
"""What a condition that was meant as one asks for; one over options and constants alone is a switch."""


def _constant_conditions(subject: Subject) -> Iterator[Finding]:
    """Conditions that never change, or that can't hold after what has been tested on the way to them."""
    shadowed = {id(condition) for condition, _ in _shadowed_conditions(subject)}
    reported: list[Span] = []
    for place in subject.places:
        if place.is_condition and isinstance(place.node, TExpression) and id(place.node) not in shadowed:
            for finding in _certain(subject.bounds, place.bounds, place.node):
                if not any(_is_within(finding.span, outer) for outer in reported):
                    reported.append(finding.span)
                    yield finding


def _is_within(inner: Span, outer: Span) -> bool:
    return inner.source is outer.source and outer.start <= inner.start and inner.end <= outer.end


def _certain(anywhere: Bounds, here: Bounds, condition: TExpression) -> Iterator[Finding]:
    """The largest part of a condition that never changes, or never holds here."""
    certain = anywhere.truth(condition)
    if certain is not None:
        if _changes(condition) and not (certain and _asks_for_data(condition)):
            word = "always" if certain else "never"
            yield Finding(condition.span, f"this condition {word} holds", help="mend it, or take it out")
        return
    if here.truth(condition) is False and _changes(condition):
        yield Finding(condition.span, "this condition never holds here, after what was tested before", help="mend one of the two")
        return
    match condition:
        case typed.Both(operator=operator, left=left, right=right):
            yield from _certain(anywhere, here, left)
            yield from _certain(anywhere, here.assuming(left, operator == "and"), right)
        case typed.Negation(operand=operand):
            yield from _certain(anywhere, anywhere, operand)


def _changes(condition: TExpression) -> bool:
    return any(isinstance(node, CHANGING) for node in nodes_of(condition))


def _asks_for_data(condition: TExpression) -> bool:
    """Whether a condition asks for what stands in rows or tables: that it holds for all of today's rows makes it no mistake."""
    return any(isinstance(node, typed.AttributeValue) for node in nodes_of(condition))


# --- branches ---------------------------------------------------------------------------------------------------------


def _shadowed(subject: Subject) -> Iterator[Finding]:
    """Branches of `if … else if …`, and entries of `end`, for which those before leave nothing."""
    for condition, before in _shadowed_conditions(subject):
        related = (Related(before.span, "the same stands here"),) if before is not None else ()
        why = "the same condition stood before" if before is not None else "wherever this holds, a condition before does"
        yield Finding(condition.span, f"what follows is never reached: {why}", related=related,
                      help="another condition was meant, or the branch can go")  # fmt: skip


def _shadowed_conditions(subject: Subject) -> Iterator[tuple[TExpression, TExpression | None]]:
    """Conditions that can't hold behind others; if the same stood before, with that."""
    inner = {id(_next(step)) for step in subject.nodes(typed.TIf)}
    nested = {id(choice.otherwise) for choice in subject.nodes(typed.Conditional)}
    first: list[_Branching] = [step for step in subject.nodes(typed.TIf) if id(step) not in inner]
    first += [choice for choice in subject.nodes(typed.Conditional) if id(choice) not in nested]
    known = {id(place.node): place.bounds for place in subject.places}
    for step in first:
        yield from _behind([branch.condition for branch in _chain(step)], known.get(id(step), subject.bounds))
    yield from _behind([end.when for end in subject.spec.end if end.declaration.check == "decision"], subject.bounds)


def _behind(conditions: list[TExpression], bounds: Bounds) -> Iterator[tuple[TExpression, TExpression | None]]:
    """Those of several conditions, tested in turn, that can't hold when those before do not."""
    first: dict[str, TExpression] = {}
    alone = bounds
    for condition in conditions:
        text = " ".join(condition.span.text.split())
        if text in first:
            yield condition, first[text]
        elif bounds.truth(condition) is False and alone.truth(condition) is None and _changes(condition):
            yield condition, None
        first.setdefault(text, condition)
        bounds = bounds.assuming(condition, False)


_Branching = typed.TIf | typed.Conditional


def _next(step: _Branching) -> _Branching | None:
    """What an `else` holds, if that is another choice and nothing else."""
    if isinstance(step, typed.Conditional):
        return step.otherwise if isinstance(step.otherwise, typed.Conditional) else None
    steps = step.otherwise.steps if step.otherwise is not None else ()
    return steps[0] if len(steps) == 1 and isinstance(steps[0], typed.TIf) else None


def _chain(step: _Branching) -> Iterator[_Branching]:
    following: _Branching | None = step
    while following is not None:
        yield following
        following = _next(following)


# --- cases ------------------------------------------------------------------------------------------------------------


def _unreached_cases(subject: Subject) -> Iterator[Finding]:
    """Cases of a `match` that the value never has, and an `else` behind cases for all values."""
    for place in subject.places:
        if not isinstance(place.node, typed.TMatch) or not place.bounds.is_possible:
            continue
        value = place.bounds.of(place.node.subject)
        left = value
        for case, _ in place.node.cases:
            wanted = case_values(place.bounds, case)
            if are_apart(value, wanted):
                yield Finding(case.span, "this case never comes: the value is never so", help="another value was meant, or the case can go")
            left = _left(place.bounds, left, case)
        otherwise = place.node.otherwise
        certain = not isinstance(place.node.subject.type, types.OptionalType)
        if otherwise is not None and otherwise.steps and certain and is_nothing(left):
            yield Finding(otherwise.span, "this is never reached: there is a case for every value", help="take it out")


def _left(bounds: Bounds, value: Known, case: TExpression) -> Known:
    """What is left of a value when a case has taken what it is certainly for."""
    match case:
        case typed.MakeList(items=items):
            for item in items:
                value = _left(bounds, value, item)
            return value
        case typed.NumberRange(low=low, high=high):
            ends = bounds.number(low).single, bounds.number(high).single
            return value if None in ends else _without(value, Interval(ends[0] or 0, ends[1] or 0))
    wanted = bounds.of(case)
    return _without(value, wanted) if wanted is not None and wanted.single is not None else value


def _without(value: Known, wanted: Known) -> Known:
    if isinstance(value, Choice) and isinstance(wanted, Choice):
        return Choice(value.values - wanted.values)
    if isinstance(value, Interval) and isinstance(wanted, Interval):
        if wanted.low <= value.low:
            return Interval(max(value.low, wanted.high + 1), value.high)
        if wanted.high >= value.high:
            return Interval(value.low, wanted.low - 1)
    return value


def _matched(value: str) -> dict[str, str]:
    """The example with a `match` that has a case for a value."""
    steps = f"\n    do:\n      - match: points\n        cases: {{{value}: points = 10}}\n        else: points += 1"
    return {"{do: [points += 1]}": steps}


RULES = (
    Rule(
        320,
        "constant-condition",
        Severity.WARNING,
        "A condition that is always or never true",
        "With the ranges of its variables, for any number of players and any options, this condition can only come out one "
        "way; or it can't hold where it stands, after what was tested on the way there (`x > 5 and x < 3`). A comparison with the "
        "wrong number, or the wrong variable, looks like this. Conditions over options and constants alone are switches and may stand.",
        example(play={"points > 9": "points > 10"}),
        example(),
        _constant_conditions,
    ),
    Rule(
        321,
        "shadowed-branch",
        Severity.WARNING,
        "A branch behind others that leave it nothing",
        "Of several branches, or entries of `end`, the first whose condition holds is taken. The same condition further down, or one that "
        "holds only where those before hold too, is never reached.",
        example(play={"{do: [points += 1]}": "\n    do:\n      - if: points < 3\n        then: points += 2\n        else:\n"
                      "          - if: points < 3\n            then: points += 3\n            else: points += 1"}),
        example(play={"{do: [points += 1]}": "\n    do:\n      - if: points < 3\n        then: points += 2\n        else:\n"
                      "          - if: points < 6\n            then: points += 3\n            else: points += 1"}),
        _shadowed,
    ),
    Rule(
        326,
        "unreached-case",
        Severity.WARNING,
        "A case that never comes",
        "The value of a `match` is never what this case is for, whatever is played; or the `else` stands behind cases for all values.",
        example(play=_matched("12")),
        example(play=_matched("9")),
        _unreached_cases,
    ),
)  # fmt: skip
