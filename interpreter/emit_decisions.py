"""Decisions: what can be chosen, whether anything can, and what follows. Each gets enumerators of its own.

For decision n the module has `D{n}_any(s, f, p)` (is there a legal move for seat p) and `D{n}_all(s, f, p)` (all of them, in
order), and for every
alternative an entering function `D{n}_{k}(s, f, p, …)` that carries out what a move begins with and answers with the next instruction.
A move is a tuple: the number of the alternative, then the values of its parameters.
"""

from __future__ import annotations

from collections.abc import Iterator

from attrs import define, field

from gdl import typed
from gdl.interpreter.cells import THREAD, WAIT
from gdl.interpreter.choices import Alternative, Decision
from gdl.interpreter.emit import Emitter
from gdl.interpreter.emit_guards import split_guard
from gdl.interpreter.emit_loops import alternative_loops, listing
from gdl.interpreter.emit_sight import sees_all
from gdl.interpreter.emit_texts import emit_parts
from gdl.interpreter.emit_units import InlineWriter
from gdl.interpreter.instructions import entering
from gdl.interpreter.unit_writer import UnitWriter
from gdl.source import Span
from gdl.typed import ActionInfo, Local, TBinder, TExpression, TKeys
from gdl.types import ListType

# --- decisions of a unit ----------------------------------------------------------------------------------------------


def decide(writer: UnitWriter, step: typed.TDecide | typed.TChoose) -> None:
    """The instructions of a decision."""
    keys = step.keys
    decision = writer.builder.new_decision(step, keys)
    outer_player = writer.player
    after = writer.label("after")
    acting = take_acting(writer, decision, keys)
    here, other = writer.label("decide"), writer.label("else")
    decision.label, decision.after = here, after
    writer.start(here)
    note_acting(writer, decision, acting, other)
    bodies: list[tuple[str, typed.TBlock]] = []
    if isinstance(step, typed.TDecide):
        sources = _action_sources(writer, step, decision, after, acting)
    else:
        sources, bodies = _choose_sources(writer, step, decision, acting)
    if keys.passing is not None:
        decision.alternatives.append(Alternative("pass", "pass"))
        label = writer.label("pass")
        writer.builder.add_function(
            f"D{decision.number}_{len(decision.alternatives) - 1}",
            "s, f, p",
            [*acting.set, f"return @{label}@"],
            "pass",
        )
        bodies.append((label, keys.passing))
    prompt_function(writer, decision, keys)
    _enumerators(writer, decision, sources, keys, passing=keys.passing is not None)
    for label, block in bodies:
        writer.start(label)
        writer.block(block)
        writer.close(f"return @{after}@")
    for local in decision.kept:
        writer.frame.pieces.pop(writer.frame.slots[local], None)
    nothing_to_choose(writer, step, keys, other, after)
    writer.player = outer_player
    writer.start(after)


def prompt_function(writer: UnitWriter, decision: Decision, keys: TKeys) -> None:
    """What is asked, as parts that are read for the seat that decides."""
    if keys.prompt is None:
        return
    saved = dict(writer.emitter.locals)
    _with_acting(writer, keys)
    parts = emit_parts(writer.emitter, keys.prompt)
    writer.emitter.locals = saved
    body = [f"return {parts}"]
    writer.builder.add_function(f"D{decision.number}_prompt", "s, f, p", body, "")


@define(eq=False)
class Acting:
    """Who decides: how the seats are read in the decision, and the lines that note who did."""

    player: str
    seats: str
    set: list[str]


def take_acting(writer: UnitWriter, decision: Decision, keys: TKeys) -> Acting:
    """Evaluate `by:` on arrival, into the frame."""
    if keys.by is None or keys.acting is None:
        return Acting(writer.player, writer.player, [])
    slot = writer.frame.take()
    writer.emitter.locals[keys.acting] = f"s[f + {slot}]"
    writer.player = f"s[f + {slot}]"
    if isinstance(keys.by.type, ListType):
        decision.joint = True
        allowed = writer.frame.take()
        writer.line(f"s[f + {allowed}] = mask_of({writer.expr(keys.by)})")
        return Acting(writer.player, f"BITS[s[f + {allowed}]]", [f"s[f + {slot}] = p"])
    writer.line(f"s[f + {slot}] = {writer.expr(keys.by)}")
    return Acting(writer.player, writer.player, [])


def note_acting(writer: UnitWriter, decision: Decision, acting: Acting, other: str) -> None:
    """The instruction at which a decision waits, or goes on to `else`."""
    writer.check_end()
    n = decision.number
    if decision.joint:
        writer.line(f"if any(D{n}_any(s, f, p) for p in {acting.seats}):")
    else:
        writer.line(f"if arrive(s, f, {acting.seats}, {n}):")
    writer.line(f"    s[s[{THREAD}]] = @{decision.label}@")
    writer.line(f"    return {WAIT}")
    writer.close(f"return @{other}@")
    seats = f"tuple({acting.seats})" if decision.joint else f"({acting.seats},)"
    writer.builder.add_function(f"D{n}_seats", "s, f", [f"return {seats}"], "")


def nothing_to_choose(writer: UnitWriter, step: typed.TDecide | typed.TChoose, keys: TKeys, other: str, after: str) -> None:
    """What follows where there is no legal move: `else`, or what a pass does, or a fault."""
    writer.start(other)
    if keys.otherwise is not None or keys.passing is not None:
        writer.marked(step, f"charge({writer.emitter.search_cost(step)})")
    if keys.otherwise is not None:
        writer.block(keys.otherwise)
    elif keys.passing is not None:
        writer.block(keys.passing)
    else:
        writer.marked(step, "no_move()")
    writer.close(f"return @{after}@")


@define(eq=False)
class Source:
    """What an alternative's loops are made of.

    `conditions` are those of the groups that an action belongs to; `lines` come next and bind `names` to the action's parameters.
    """

    binders: tuple[TBinder, ...]
    before: TExpression | None
    guard: TExpression | None
    lines: list[str] = field(factory=list)
    action: ActionInfo | None = None
    names: list[str] = field(factory=list)
    conditions: tuple[str, ...] = ()


def _with_acting(writer: UnitWriter, keys: TKeys) -> None:
    """Inside enumerators the deciding seat is `p`."""
    if keys.acting is not None:
        writer.emitter.locals[keys.acting] = "p"


def _action_sources(writer: UnitWriter, step: typed.TDecide, decision: Decision, after: str, acting: Acting) -> list[Source]:
    """The loops of each action. A move carries the values of the action's own parameters too, so that it says all about itself."""
    sources: list[Source] = []
    emitter = writer.emitter
    saved = dict(emitter.locals)
    _with_acting(writer, step.keys)
    for entry, conditions in offered(emitter, step.entries, "p"):
        action = entry.action
        number = len(decision.alternatives)
        locals_ = (*action.parameters, *(b.local for b in action.choices))
        decision.alternatives.append(Alternative("action", action.name, locals_, action.label))
        names = [emitter.fresh("a") for _ in entry.arguments]
        prepare = [
            f"{n} = {emitter.argument(p, a)}" for n, p, a in zip(names, action.parameters, entry.arguments, strict=True)
        ]
        _enter_action(writer, decision, number, action, after, acting, entry.span)
        binders = tuple(TBinder(b.local, b.domain, entry.given.get(b.local.name)) for b in action.choices)
        sources.append(Source(binders, action.before, action.guard, prepare, action, names, conditions))
    emitter.locals = saved
    return sources


def offered(
    emitter: Emitter, entries: tuple[typed.TEntry, ...], player: str, conditions: tuple[str, ...] = ()
) -> Iterator[tuple[typed.TEntry, tuple[str, ...]]]:
    """Actions in order, each with the conditions of the groups that it belongs to; a group stands for its members.

    The parameters of a group are bound, as texts, when its members come. `player` is the text of who decides.
    """
    for entry in entries:
        action = entry.action
        if action.group is None:
            yield entry, conditions
            continue
        texts = [emitter.argument(p, a) for p, a in zip(action.parameters, entry.arguments, strict=True)]
        emitter.locals.update((local, f"({text})") for local, text in zip(action.parameters, texts, strict=True))
        if action.player is not None:
            emitter.locals[action.player] = player
        more = (*conditions, emitter.expr(action.before)) if action.before is not None else conditions
        yield from offered(emitter, action.group.entries, player, more)


def _enter_action(
    writer: UnitWriter,
    decision: Decision,
    number: int,
    action: ActionInfo,
    after: str,
    acting: Acting,
    span: Span,
) -> None:
    """An action that neither waits nor calls itself is carried out in the entering function; others get a frame."""
    values = [f"x{i}" for i in range(len(action.parameters) + len(action.choices))]
    parameters = ", ".join(["s", "f", "p", *values])
    name = f"D{decision.number}_{number}"
    analysis = writer.analysis
    if not analysis.waits(action) and not analysis.recursive(action):
        lines = InlineWriter(writer, action, after, acting.set).write(values)
        writer.builder.add_function(name, parameters, lines, f"action {action.name}")
        return
    lines = [*acting.set, *writer.call_lines(action, "p", values, after, writer.tail, span)]
    lines.append(entering(f"@entry:{writer.builder.entry_of(action)}@"))
    writer.builder.add_function(name, parameters, lines, f"action {action.name}")


def _choose_sources(
    writer: UnitWriter, step: typed.TChoose, decision: Decision, acting: Acting
) -> tuple[list[Source], list[tuple[str, typed.TBlock]]]:
    body = writer.label("chosen")
    name = step.keys.name or own_name(writer)
    form = "may" if not step.binders and step.label is not None else "choose"
    locals_ = tuple(b.local for b in step.binders)
    decision.alternatives.append(Alternative(form, "yes" if form == "may" and not step.keys.name else name, locals_, step.label))
    sources = [Source(step.binders, None, step.guard)]
    # the parameters live in the frame for the body; the enumerators bind names of their own
    lines = list(acting.set)
    kept: dict[Local, str] = {}
    for index, local in enumerate(locals_):
        slot = writer.builder.keep(writer.frame, local)
        lines.append(writer.builder.store_text(slot, local.type, f"x{index}"))
        kept[local] = writer.builder.slot_text(slot, local.type)
    lines.append(f"return @{body}@")
    parameters = ", ".join(["s", "f", "p", *[f"x{i}" for i in range(len(locals_))]])
    writer.builder.add_function(f"D{decision.number}_0", parameters, lines, writer.rule)
    decision.kept = kept
    return sources, [(body, step.body)]


def own_name(writer: UnitWriter) -> str:
    """What moves of a decision without a name are called: its procedure or phase."""
    return writer.phase_name if writer.unit.form == "phases" else writer.unit.name


def _enumerators(writer: UnitWriter, decision: Decision, sources: list[Source], keys: TKeys, *, passing: bool) -> None:
    """`any` and `all` of a decision."""
    n = decision.number
    saved = dict(writer.emitter.locals)
    _with_acting(writer, keys)
    every: list[str] = []
    some: list[str] = []
    outside = dict(writer.emitter.locals)  # a parameter may be given by a local of the same action that runs now
    for number, source in enumerate(sources):
        writer.emitter.locals = dict(outside)
        lines, depth, names = _source_lines(writer, source, source.guard, every=True)
        decision.alternatives[number].seen = frozenset(
            b.local for b in source.binders if b.given is None and sees_all(writer.emitter, b.domain, "p")
        )
        choice = f"({number},{', '.join(['', *names])[1:]})"
        if keys.most is not None:
            choice = f"({choice}, {writer.emitter.expr(keys.most)})"
        every += listing(lines, depth, choice, first=number == 0)
        if source.binders:  # whether there is a move does not depend on which pieces are alike
            writer.emitter.locals = dict(outside)
            lines, depth, _ = _source_lines(writer, source, source.guard, alike=False)
        some += [*lines, "    " * depth + "return True"]
    if not sources:
        every.append("out = []")
    if keys.most is not None:
        every.append("out = greatest(out)")
    if passing:
        every += ["if out:", f"    out.append(({len(decision.alternatives) - 1},))"]
    writer.emitter.locals = saved
    _candidates(writer, decision, sources, keys, passing=passing)
    writer.emitter.locals.update(decision.kept)
    counted = ["refresh()"] if any("spend()" in line for line in every) else []
    writer.builder.add_function(f"D{n}_all", "s, f, p", [*counted, *every, "return out"], "")
    writer.builder.add_function(f"D{n}_any", "s, f, p", [*counted, *some, "return False"], "")


# --- drawing one move -------------------------------------------------------------------------------------------------


def _candidates(writer: UnitWriter, decision: Decision, sources: list[Source], keys: TKeys, *, passing: bool) -> None:
    """`drawable` and `holds` of a decision whose guards try effects: the candidates before that, and whether one passes.

    Whoever needs one legal move at random draws from the candidates until one passes, which is as likely to be each, and tries few.
    """
    guards = [split_guard(source.guard) for source in sources]
    if keys.most is not None or not any(costly is not None for _, costly in guards):
        return
    n = decision.number
    saved = dict(writer.emitter.locals)
    _with_acting(writer, keys)
    every: list[str] = []
    tests: list[str] = []
    outside = dict(writer.emitter.locals)
    for number, (source, (cheap, costly)) in enumerate(zip(sources, guards, strict=True)):
        writer.emitter.locals = dict(outside)
        lines, depth, names = _source_lines(writer, source, cheap, every=True)
        every += listing(lines, depth, f"({number},{', '.join(['', *names])[1:]})", first=number == 0)
        if costly is not None:
            tests.append(f"if choice[0] == {number}:")
            tests.append(f"    {''.join(name + ', ' for name in names)} = choice[1:]" if names else "    pass")
            tests.append(f"    return bool({writer.emitter.expr(costly)})")
    if passing:
        every.append(f"out.append(({len(decision.alternatives) - 1},))")
    writer.emitter.locals = saved
    counted = ["refresh()"] if any("spend()" in line for line in every) else []
    writer.builder.add_function(f"D{n}_drawable", "s, f, p", [*counted, *every, "return out"], "")
    writer.builder.add_function(f"D{n}_holds", "s, f, p, choice", [*tests, "return True"], "")


def _source_lines(
    writer: UnitWriter, source: Source, guard: TExpression | None, *, alike: bool = True, every: bool = False
) -> tuple[list[str], int, list[str]]:
    action = source.action
    if action is not None:
        for local, name in zip(action.parameters, source.names, strict=True):
            writer.emitter.locals[local] = name
        if action.player is not None:
            writer.emitter.locals[action.player] = "p"
    lines, depth, names = alternative_loops(writer.emitter, source.binders, source.before, guard, alike=alike, every=every, seat="p")
    above = len(source.conditions)
    tests = [f"{'    ' * indent}if {condition}:" for indent, condition in enumerate(source.conditions)]
    inside = ["    " * above + line for line in (*source.lines, *lines)]
    return [*tests, *inside], above + depth, [*source.names, *names]
