"""Questions that ask themselves: `possible` in the guard of the action that it asks about, `after` in what it tries. None has an answer."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from gdl import typed
from gdl.diagnostics import Report
from gdl.typed import ActionInfo, CheckedSpec, Unit
from gdl.walk import nodes_of, spec_nodes

Question: TypeAlias = typed.Possible | typed.After


def check_circles(spec: CheckedSpec, report: Report) -> None:
    """Report each circle of questions once, where it is closed."""
    questions: list[Question] = [*spec_nodes(spec, typed.Possible), *spec_nodes(spec, typed.After)]
    asked: dict[Unit, list[Question]] = {}
    told: set[Question] = set()
    for question in questions:
        for unit in _targets(question) if question not in told else ():
            reached = _reached(unit, asked)
            if question in reached:
                told |= reached
                cure = "ask for less, such as one of its conditions"
                report.error("recursive-function", question.span, _message(question, unit), help=cure)
                break


def _message(question: Question, unit: Unit) -> str:
    if isinstance(question, typed.After):
        return f"to try `{unit.name}` it has to be tried already: what it does depends on this `after`"
    return f"whether `{unit.name}` is possible depends on itself: its conditions lead to this question again"


def _reached(target: Unit, asked: dict[Unit, list[Question]]) -> set[Question]:
    """The questions that have to be answered for a unit; `asked` keeps those of each unit."""
    found: set[Question] = set()
    todo = [target]
    while todo:
        unit = todo.pop()
        if unit not in asked:
            asked[unit] = list(_asked(unit))
        new = [each for each in asked[unit] if each not in found]
        found.update(new)
        todo += [each for question in new for each in _targets(question)]
    return found


def _targets(question: Question) -> Iterator[Unit]:
    """The actions that a question is about, or the procedure that it tries."""
    if isinstance(question, typed.After):
        yield question.effect.unit
    else:
        for entry in question.entries:
            yield entry.action
            if entry.action.group is not None:
                yield from typed.members(entry)


def _asked(unit: Unit) -> Iterator[Question]:
    """The questions in what a unit evaluates when it is asked about or tried: not in what an action does once it is chosen."""
    root = (unit.before, unit.guard, unit.choices) if isinstance(unit, ActionInfo) else unit
    for node in nodes_of(root, _parts):
        if isinstance(node, typed.Possible | typed.After):
            yield node


def _parts(node: object) -> object:
    """What is evaluated for a question itself, without what it is about."""
    match node:
        case typed.Possible(entries=entries, cells=cells, player=player):
            return [*[(entry.arguments, entry.given) for entry in entries], cells, player]
        case typed.After(effect=effect, condition=condition):
            return [effect.arguments, condition]
    return None
