"""The course of a game: phases that never come or never end, loops, triggers without events, endings."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from gdl import typed
from gdl.diagnostics import Related, Severity
from gdl.validators.bounds import Bounds
from gdl.validators.rule import Finding, Rule
from gdl.validators.rules.examples import POINTS, example
from gdl.validators.subject import Subject
from gdl.walk import nodes_of

_ENDS_GAME: Final = ("win", "lose", "tie", "end_game")


def _can_end_game(subject: Subject) -> bool:
    """Whether anything in the spec ends the game, ever."""
    controls = any(step.form in _ENDS_GAME for step in subject.nodes(typed.TControl))
    return controls or bool(subject.spec.end) or subject.spec.turn_limit is not None


def _can_leave(subject: Subject, phase: typed.PhaseInfo) -> bool:
    """Whether a phase can be over before the game is."""
    turns = phase.declaration.turns
    endless = turns is not None and turns.mode == "cycle" and phase.until is None and phase.loop is None
    if phase.until is not None and not endless:
        endless = subject.bounds.truth(phase.until) is False
    return not endless or any(step.form == "end_phase" for step in subject.nodes(typed.TControl))


def _unreached_phases(subject: Subject) -> Iterator[Finding]:
    """Phases behind one that never ends, and those whose condition never holds."""
    yield from _unreached_among(subject, subject.spec.phases)


def _unreached_among(subject: Subject, phases: tuple[typed.PhaseInfo, ...]) -> Iterator[Finding]:
    blocked: typed.PhaseInfo | None = None
    for phase in phases:
        if blocked is not None:
            related = (Related(blocked.declaration.span, "this phase never ends"),)
            yield Finding(
                phase.declaration.span, f"the phase `{phase.name}` is never reached", related=related,
                help=f"end `{blocked.name}` by `until:` or `end_phase`",
            )  # fmt: skip
        elif not _can_leave(subject, phase):
            blocked = phase
        yield from _unreached_among(subject, phase.phases)


def _endless_games(subject: Subject) -> Iterator[Finding]:
    if _can_end_game(subject):
        return
    for phase in subject.spec.phases:
        if not _can_leave(subject, phase):
            yield Finding(
                phase.declaration.span, f"the phase `{phase.name}` never ends, and so the game never does",
                help="say when it is over: `end:` of the game, `until:` of the phase, or `limits: {turns: …}`",
            )  # fmt: skip
            return


def _endless_loops(subject: Subject) -> Iterator[Finding]:
    """Loops whose condition asks only for variables that the loop, which calls nothing, does not assign to."""
    for loop in subject.nodes(typed.TWhile):
        inside = list(nodes_of(loop.body))
        if any(isinstance(node, typed.TEffect | typed.TCall | typed.TPerform | typed.TControl | typed.TDecide | typed.TChoose)
               for node in inside):  # fmt: skip
            continue
        asked = {id(info) for node in nodes_of(loop.condition) if isinstance(node, typed.VariableValue) for info in node.infos}
        asked |= {id(node.local) for node in nodes_of(loop.condition) if isinstance(node, typed.LocalValue)}
        if not asked & _assigned(inside):
            yield Finding(loop.condition.span, "nothing in this loop changes its condition", help="change what it asks for, or `stop`")


def _assigned(nodes: list[object]) -> set[int]:
    """What steps assign to: variables and locals."""
    found: set[int] = set()
    for node in nodes:
        targets = [node.target] if isinstance(node, typed.TAssign) else [node.first, node.second] if isinstance(node, typed.TSwap) else []
        for target in targets:
            if isinstance(target, typed.VariableValue):
                found |= {id(info) for info in target.infos}
            elif isinstance(target, typed.LocalValue):
                found.add(id(target.local))
    return found


def _idle_triggers(subject: Subject) -> Iterator[Finding]:
    """Triggers on changes of variables that nothing changes, or on actions that nobody can take."""
    assigned = _changed(subject)
    offered = {entry.action.name for entry in subject.nodes(typed.TEntry)}
    offered |= {call.unit.name for call in subject.nodes(typed.TCall)}
    for trigger in subject.spec.triggers:
        for event in trigger.events:
            if event.form == "change" and event.variable is not None and id(event.variable) not in assigned:
                yield Finding(event.span, f"nothing ever changes `{event.variable.name}`", help="another variable was meant, or it can go")
            elif event.form == "after" and event.name not in offered:
                yield Finding(event.span, f"nobody is ever offered `{event.name}`", help="offer the action, or take the trigger out")


def _passed_on(subject: Subject) -> Iterator[typed.VariableValue]:
    """Variables that stand as arguments of effects, which may change them."""
    for effect in subject.nodes(typed.TEffect):
        for argument in effect.arguments:
            yield from (node for node in nodes_of(argument) if isinstance(node, typed.VariableValue))


def _missing_results(subject: Subject) -> Iterator[Finding]:
    """Ways out of the game that say nothing of winners, where no result does either."""
    if subject.spec.result is not None:
        return
    cure = "rank the players in `result:`"
    for end in subject.spec.end:
        if end.declaration.outcome == "rank":
            yield Finding(
                end.declaration.span, "the game ends here, and nothing says who has won",
                help=f"add `winners`, `losers`, `everyone` or `tie: true`, or {cure}",
            )  # fmt: skip
    for step in subject.nodes(typed.TControl):
        if step.form == "end_game":
            yield Finding(step.span, "the game ends here, and nothing says who has won", help=f"`win`, `lose` or `tie` says it, or {cure}")
    said = subject.spec.end or any(step.form in _ENDS_GAME for step in subject.nodes(typed.TControl))
    phases = subject.spec.phases
    if phases and not said and all(_can_leave(subject, phase) for phase in phases):
        yield Finding(phases[-1].declaration.span, "behind this phase the game is over, and nothing says who has won", help=cure)


def _unreached_ends(subject: Subject) -> Iterator[Finding]:
    """Ends of the game for which a variable would have to change that nothing ever changes."""
    if not subject.spec.end:
        return
    changed = _changed(subject)
    constant = frozenset(info for info in subject.spec.variables.values() if id(info) not in changed)
    bounds = Bounds(subject.spec, subject.sources, unwritten=constant)
    for end in subject.spec.end:
        if subject.bounds.truth(end.when) is None and bounds.truth(end.when) is False:
            read = [info for node in nodes_of(end.when) if isinstance(node, typed.VariableValue) for info in node.infos if info in constant]
            names = ", ".join(f"`{name}`" for name in dict.fromkeys(info.name for info in read))
            yield Finding(
                end.when.span, f"this end never comes: nothing ever changes {names}",
                help="change it where it should count, or take the end out",
                related=tuple(Related(info.span, "it keeps its first value") for info in read[:1]),
            )  # fmt: skip


def _changed(subject: Subject) -> set[int]:
    """All variables that anything may change."""
    everything: list[object] = [*subject.nodes(typed.TAssign), *subject.nodes(typed.TSwap)]
    changed = _assigned(everything) | {id(info) for variable in _passed_on(subject) for info in variable.infos}
    for meaning in subject.nodes(typed.TPlaceMeaning):
        changed |= {id(info) for info, _ in meaning.values} | {id(info) for _, info, _ in meaning.parts}
    return changed


def _missing_rankings(subject: Subject) -> Iterator[Finding]:
    """A result that ranks nobody, where an end of the game leaves the ranking to it."""
    result = subject.spec.result
    several = max(subject.declared.players.allowed, default=1) > 1
    if result is None or result.ranking or subject.declared.result is None or not several:
        return
    ends = [end.declaration.span for end in subject.spec.end if end.declaration.outcome == "rank"]
    ends += [step.span for step in subject.nodes(typed.TControl) if step.form == "end_game"]
    for span in ends[:1]:
        yield Finding(
            subject.declared.result.span, "nothing is said of who is first: all share one place", help="add `ranking: highest score`",
            related=(Related(span, "here the game ends and `result` ranks"),),
        )  # fmt: skip


def _order_of_triggers(subject: Subject) -> Iterator[Finding]:
    """Two triggers that both always follow an event, one of which asks for a variable that the other has just changed."""
    triggers = [trigger for trigger in subject.spec.triggers if trigger.when is None and trigger.body is not None]
    for number, second in enumerate(triggers):
        for first in triggers[:number]:
            if first.phase not in (second.phase, None) and second.phase is not None:
                continue
            shared = next((event for event in second.events for other in first.events if _is_same(event, other)), None)
            common = _meeting(first, second) if shared is not None else None
            if shared is not None and common is not None:
                yield Finding(
                    shared.span, f"`{first.name}` follows this event as well, and the order of the two matters for `{common}`",
                    help="make them one trigger that says the order",
                    related=(Related(first.span, "the one that comes first"),),
                )  # fmt: skip


def _is_same(event: typed.TEvent, other: typed.TEvent) -> bool:
    return (event.form, event.zones, event.variable, event.name) == (other.form, other.zones, other.variable, other.name)


def _meeting(first: typed.TriggerInfo, second: typed.TriggerInfo) -> str | None:
    """A global variable that one of two triggers always assigns to, and that the other reads in what it always does."""
    for writer, reader in ((first, second), (second, first)):
        written = {info for step in _always(writer) for info in _global(step.target)}
        read = [info for step in _always(reader) for node in nodes_of(step.value) for info in _global(node)]
        both = [info.name for info in read if info in written]
        if both:
            return both[0]
    return None


def _always(trigger: typed.TriggerInfo) -> Iterator[typed.TAssign]:
    """The assignments of a trigger that depend on nothing."""
    for step in trigger.body.steps if trigger.body is not None else ():
        if isinstance(step, typed.TAssign):
            yield step


def _global(node: object) -> tuple[typed.VariableInfo, ...]:
    """The variable that a node is, if it is one of nobody and nothing."""
    return node.infos if isinstance(node, typed.VariableValue) and node.target is None and not node.keys else ()


_CLAMPED = "variables: {points: {type: 0..10, start: 0, clamp: true}}\n"
_TWO_PHASES = {"play: {turns: cycle, actions: walk}": "play: {turns: cycle, actions: walk}\n  rest: {turns: each, actions: walk}"}
_ENDED_PHASES = {
    "play: {turns: cycle, actions: walk}": "play: {turns: cycle, until: points > 5, actions: walk}\n  rest: {turns: each, actions: walk}"
}
_WHILE = "\n    do:\n      - while: points < 3\n        do: {}\n      - points += 1"

_TRIGGERS = "triggers:\n  growing: {{on: after(walk), do: {}}}\n  paid: {{on: after(walk), do: {}}}\n"
_TRIGGER = "triggers:\n  paid:\n    on: after(walk)\n    do:\n      - bonus += 1\n      - points += bonus\n"

RULES = (
    Rule(
        330,
        "unreached-phase",
        Severity.WARNING,
        "A phase that is never reached",
        "Phases come one after the other, and the one before this has turns for ever: it has no `until`, and no rule says "
        "`end_phase`.",
        example(play=_TWO_PHASES),
        example(play=_ENDED_PHASES),
        _unreached_phases,
    ),
    Rule(
        331,
        "endless-game",
        Severity.WARNING,
        "A game that never ends",
        "The phase has turns for ever, and nothing ends the game: no entry of `end`, no limit of turns, no `win`, `lose`, `tie` "
        "or `end_game`.",
        example(_CLAMPED, {"end:\n  - {when: points > 9, tie: true}\n": ""}),
        example(_CLAMPED),
        _endless_games,
    ),
    Rule(
        332,
        "endless-loop",
        Severity.WARNING,
        "A loop that can't end",
        "Nothing inside the loop changes what its condition asks for, so once it runs it runs for ever, until the engine stops it "
        "with a fault.",
        example("variables: {points: 0..10 = 0, steps: 0..10 = 0}\n",
                {"{do: [points += 1]}": _WHILE.format("steps = 1"), "points > 9": "points + steps > 9"}),
        example(play={"{do: [points += 1]}": _WHILE.format("points += 1")}),
        _endless_loops,
        foretells=("fault-fuel",),
    ),
    Rule(
        333,
        "idle-trigger",
        Severity.WARNING,
        "A trigger whose event never happens",
        "Nothing assigns to the variable that it waits for, or nobody is ever offered the action.",
        example("variables: {points: 0..10 = 0, luck: 0..10 = 0}\ntriggers:\n  found: {on: change(luck), do: points = luck}\n"),
        example("variables: {points: 0..10 = 0, luck: 0..10 = 0}\ntriggers:\n  found: {on: change(luck), do: points = luck}\n",
                {"points += 1": "points += 1, luck = points"}),
        _idle_triggers,
    ),
    Rule(
        334,
        "no-result",
        Severity.WARNING,
        "An end of the game without winners",
        "Where an entry of `end` names no outcome, by `end_game`, and behind the last phase, `result` ranks the players. Here there is "
        "none, so the game just stops.",
        example(POINTS, {", tie: true": ""}),
        example(POINTS + "result: {score: points, ranking: highest score}\n", {", tie: true": ""}),
        _missing_results,
    ),
    Rule(
        335,
        "no-ranking",
        Severity.WARNING,
        "A result that ranks nobody",
        "Where the game ends without naming winners, `result` ranks the players by its `ranking`. Without one, all share one place, "
        "whatever their scores.",
        example(POINTS + "result: {score: points}\n", {", tie: true": ""}),
        example(POINTS + "result: {score: points, ranking: highest score}\n", {", tie: true": ""}),
        _missing_rankings,
    ),
    Rule(
        337,
        "unreached-end",
        Severity.WARNING,
        "An end of the game that never comes",
        "Its condition does not hold at the start, and nothing changes the variables that it asks for: a rule that should change one was "
        "forgotten, or changes another one.",
        example("variables: {points: 0..10 = 0, laps: 0..9 = 0}\n", {"end:": "end:\n  - {when: laps == 3, tie: true}"}),
        example("variables: {points: 0..10 = 0, laps: 0..9 = 0}\n",
                {"end:": "end:\n  - {when: laps == 3, tie: true}", "[points += 1]": "[points += 1, laps += 1]"}),
        _unreached_ends,
    ),
    Rule(
        336,
        "trigger-order",
        Severity.NOTE,
        "Two triggers of one event whose order matters",
        "Triggers of one event run in the order in which they are written, here perhaps in different files or far from each other. One of "
        "these asks for a variable that the other changes, so moving a trigger in the text changes the game.",
        example("variables: {points: 0..10 = 0, bonus: 0..10 = 0}\n" + _TRIGGERS.format("bonus += 1", "points += bonus")),
        example("variables: {points: 0..10 = 0, bonus: 0..10 = 0}\n" + _TRIGGER),
        _order_of_triggers,
    ),
)  # fmt: skip
