"""Conditions that never change, and branches that are never taken."""

from __future__ import annotations

from collections.abc import Iterator

from gdl import typed
from gdl.diagnostics import Related, Severity
from gdl.typed import TExpression
from gdl.validators.rule import Finding, Rule
from gdl.validators.rules.examples import example
from gdl.validators.subject import Subject
from gdl.walk import nodes_of

CHANGING = (typed.VariableValue, typed.LocalValue, typed.BuiltinCall, typed.FunctionCall, typed.AttributeValue, typed.Property)
"""What a condition that was meant as one asks for; one over options and constants alone is a switch."""


def _conditions(subject: Subject) -> Iterator[TExpression]:
    """The conditions of all that is done or computed."""
    for step in subject.nodes(typed.TIf):
        yield step.condition
    for choice in subject.nodes(typed.Conditional):
        yield choice.condition
    for loop in subject.nodes(typed.TWhile):
        yield loop.condition
    for operator in subject.nodes(typed.ListOperator):
        if operator.operator in ("where", "while", "until"):
            yield operator.body
    for action in subject.nodes(typed.ActionInfo):
        yield from (guard for guard in (action.before, action.guard) if guard is not None)
    for choose in subject.nodes(typed.TChoose):
        if choose.guard is not None:
            yield choose.guard
    for trigger in subject.nodes(typed.TriggerInfo):
        if trigger.when is not None:
            yield trigger.when
    for phase in subject.nodes(typed.PhaseInfo):
        yield from (part for part in (phase.when, phase.until, phase.skip) if part is not None)
    for end in subject.nodes(typed.EndInfo):
        yield end.when


def _constant_conditions(subject: Subject) -> Iterator[Finding]:
    for condition in _conditions(subject):
        yield from _certain(subject, condition)


def _certain(subject: Subject, condition: TExpression) -> Iterator[Finding]:
    """The largest part of a condition that never changes."""
    certain = subject.bounds.truth(condition)
    if certain is not None:
        if any(isinstance(node, CHANGING) for node in nodes_of(condition)):
            word = "always" if certain else "never"
            yield Finding(condition.span, f"this condition {word} holds", help="mend it, or take it out")
        return
    match condition:
        case typed.Both(left=left, right=right):
            yield from _certain(subject, left)
            yield from _certain(subject, right)
        case typed.Negation(operand=operand):
            yield from _certain(subject, operand)


def _shadowed(subject: Subject) -> Iterator[Finding]:
    """Branches of `if … else if …` whose condition stood before."""
    inner = {id(_next(step)) for step in subject.nodes(typed.TIf)}
    for step in subject.nodes(typed.TIf):
        if id(step) not in inner:
            yield from _repeated([branch.condition for branch in _chain(step)])
    nested = {id(choice.otherwise) for choice in subject.nodes(typed.Conditional)}
    for choice in subject.nodes(typed.Conditional):
        if id(choice) not in nested:
            yield from _repeated([branch.condition for branch in _chain(choice)])
    yield from _repeated([end.when for end in subject.spec.end if end.declaration.check == "decision"])


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


def _repeated(conditions: list[TExpression]) -> Iterator[Finding]:
    first: dict[str, TExpression] = {}
    for condition in conditions:
        text = " ".join(condition.span.text.split())
        if text in first:
            related = (Related(first[text].span, "the same stands here"),)
            yield Finding(condition.span, "what follows is never reached: the same condition stood before", related=related,
                          help="another condition was meant, or the branch can go")  # fmt: skip
        else:
            first[text] = condition


RULES = (
    Rule(
        320,
        "constant-condition",
        Severity.WARNING,
        "A condition that is always or never true",
        "With the ranges of its variables, for any number of players and any options, this condition can only come out one "
        "way. A comparison with the wrong number, or the wrong variable, looks like this. Conditions over options and "
        "constants alone are switches and may stand.",
        example(play={"points > 9": "points > 10"}),
        example(),
        _constant_conditions,
    ),
    Rule(
        321,
        "shadowed-branch",
        Severity.WARNING,
        "A branch behind another with the same condition",
        "Of several branches the first whose condition holds is taken. The same condition further down is never reached.",
        example(play={"{do: [points += 1]}": "\n    do:\n      - if: points < 3\n        then: points += 2\n        else:\n"
                      "          - if: points < 3\n            then: points += 3\n            else: points += 1"}),
        example(play={"{do: [points += 1]}": "\n    do:\n      - if: points < 3\n        then: points += 2\n        else:\n"
                      "          - if: points < 6\n            then: points += 3\n            else: points += 1"}),
        _shadowed,
    ),
)  # fmt: skip
