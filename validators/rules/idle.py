"""Steps that are never reached or change nothing, and values that nobody asks for."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from gdl import typed
from gdl.diagnostics import Related, Severity
from gdl.typed import Local, TExpression
from gdl.validators.rule import Finding, Rule
from gdl.validators.rules.examples import POINTS, example
from gdl.validators.subject import Subject
from gdl.validators.terms import key_of

_LEAVES: Final = ("end_turn", "end_phase", "end_game", "stop", "return")


def _idle_steps(subject: Subject) -> Iterator[Finding]:
    """Steps behind one that always leaves, assignments of a variable to itself, conditions on which nothing follows."""
    for block in subject.nodes(typed.TBlock):
        for step, following in pairwise(block.steps):
            if isinstance(step, typed.TControl) and step.form in _LEAVES and step.span != following.span:
                related = (Related(step.span, "this always leaves"),)
                message = f"this is never reached: it stands behind `{step.form}`"
                yield Finding(following.span, message, related=related, help="put it before, or take it out")
                break
    for assignment in subject.nodes(typed.TAssign):
        value = assignment.value
        if assignment.operator == "=" and isinstance(value, TExpression) and _is_same(assignment.target, value):
            yield Finding(assignment.span, "this assigns what is there already", help="another value was meant, or it can go")
    for choice in subject.nodes(typed.TIf):
        if not choice.then.steps and (choice.otherwise is None or not choice.otherwise.steps):
            yield Finding(choice.condition.span, "nothing follows, whether this holds or not", help="say what happens, or take it out")


def _is_same(target: TExpression, value: TExpression) -> bool:
    key = key_of(target)
    return key is not None and key == key_of(value)


def _unused_lets(subject: Subject) -> Iterator[Finding]:
    """Values with a name that is asked for nowhere. What an effect gives may be left aside: the effect still happens."""
    asked = {id(node.local) for node in subject.nodes(typed.LocalValue)}
    for local in _named_values(subject):
        if id(local) not in asked and not local.name.startswith("_"):
            yield Finding(local.span, f"`{local.name}` is never used", help="use it, or take it out")


def _named_values(subject: Subject) -> Iterator[Local]:
    for step in subject.nodes(typed.TLet):
        if isinstance(step.value, TExpression):
            yield step.local
    for function in subject.spec.functions.values():
        yield from (local for local, _ in function.bindings)


_LET: Final = {"{do: [points += 1]}": "\n    do:\n      - let: step = 1\n      - points += {}"}

RULES = (
    Rule(
        349,
        "idle-step",
        Severity.WARNING,
        "A step that is never reached or changes nothing",
        "It stands behind `end_turn`, `end_phase`, `end_game`, `stop` or `return`, which leave at once; or it assigns to a variable what "
        "it has already; or nothing follows from its condition.",
        example(POINTS, {"[points += 1]": "[end_turn, points += 1]", "end:\n": "limits: {turns: 20}\nend:\n"}),
        example(POINTS, {"[points += 1]": "[points += 1, end_turn]", "end:\n": "limits: {turns: 20}\nend:\n"}),
        _idle_steps,
    ),
    Rule(
        350,
        "unused-let",
        Severity.WARNING,
        "A `let` that nobody asks for",
        "The value has a name, and nothing below uses it: another name stands where this one was meant, or it is left over.",
        example(POINTS, {old: new.format("1") for old, new in _LET.items()}),
        example(POINTS, {old: new.format("step") for old, new in _LET.items()}),
        _unused_lets,
    ),
)
