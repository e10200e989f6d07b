"""What only the whole checked spec shows about its course: steps that end what is not running, `together` inside `together`.

Calls are followed. What triggers and performed effects lead to is left to play, since which of them run depends on it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from attrs import frozen

from gdl import typed
from gdl.check_scope import Context
from gdl.diagnostics import Related
from gdl.typed import PhaseInfo, TControl, TStep, TTogether, Unit
from gdl.walk import steps_of

_OF_A_TURN = ("again", "end_turn", "next_turn")


@frozen
class _Around:
    """What is running around a step: the phases, the innermost last, and whether a turn is."""

    phases: tuple[str, ...] = ()
    turn: bool = False


def check_flow(ctx: Context) -> None:
    """Report the steps of set-up and phases that can only fail."""
    spec = ctx.spec
    if spec.setup is not None and spec.setup.body is not None:
        _check_steps(ctx, steps_of(spec.setup.body), _Around())
    for phase in spec.phases:
        _check_phase(ctx, phase, _Around())
    for body in _bodies(spec.phases, [*spec.procedures.values(), *spec.actions.values(), *spec.triggers]):
        _check_together(ctx, body)


def _bodies(phases: Iterable[PhaseInfo], units: Iterable[Unit]) -> Iterator[typed.TBlock]:
    for phase in phases:
        if phase.body is not None:
            yield phase.body
        yield from _bodies(phase.phases, ())
    for unit in units:
        if unit.body is not None:
            yield unit.body


def _check_phase(ctx: Context, phase: PhaseInfo, around: _Around) -> None:
    inner = _Around((*around.phases, phase.name), around.turn or phase.seat is not None)
    for nested in phase.phases:
        _check_phase(ctx, nested, inner)
    if phase.body is not None:
        _check_steps(ctx, steps_of(phase.body), inner)


def _check_steps(ctx: Context, steps: Iterable[TStep], around: _Around) -> None:
    for step in steps:
        if isinstance(step, TControl) and (why := _not_running(step, around)):
            ctx.report.error("not-a-step", step.span, why)
        for unit in called(step):
            found = next((s for s in reached(unit) if isinstance(s, TControl) and _not_running(s, around)), None)
            if found is not None:
                message = f"`{unit.name}` comes to a step that can't be here: {_not_running(found, around)}"
                ctx.report.error("not-a-step", step.span, message, related=(Related(found.span, "this step"),))


def _not_running(step: TControl, around: _Around) -> str:
    """Why a step can only fail here; empty if it need not."""
    if step.form in _OF_A_TURN and not around.turn:
        return f"`{step.form}` is about a turn, and none is running"
    if step.form == "end_phase" and not around.phases:
        return "`end_phase` ends a phase, and none is running"
    if step.form == "end_phase" and step.phase is not None and step.phase not in around.phases:
        return f"`{step.phase}` is not running"
    return ""


def _check_together(ctx: Context, body: typed.TBlock) -> None:
    for outer in steps_of(body):
        if not isinstance(outer, TTogether):
            continue
        for step in steps_of(outer.body):
            related = (Related(outer.players.span, "the branches begin here"),)
            if isinstance(step, TTogether):
                ctx.report.error("not-a-step", step.span, "a branch of `together` can't branch again", related=related)
            for unit in called(step):
                if any(isinstance(s, TTogether) for s in reached(unit)):
                    message = f"`{unit.name}` comes to a `together`, and a branch of `together` can't branch again"
                    ctx.report.error("not-a-step", step.span, message, related=related)


def called(step: TStep) -> list[Unit]:
    """The procedures and actions that a step may call."""
    match step:
        case typed.TCall(unit=unit):
            return [unit]
        case typed.TDecide(entries=entries):
            return [action for entry in entries for action in typed.members(entry)]
    return []


def reached(unit: Unit) -> Iterator[TStep]:
    """The steps of a unit and of all that it calls, each unit once."""
    todo, seen = [unit], {unit}
    while todo:
        for step in steps_of(todo.pop().body):
            yield step
            new = [other for other in called(step) if other not in seen]
            seen.update(new)
            todo += new
