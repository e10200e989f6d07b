"""Steps that wait for chance or start other units: random effects, effects with triggers that wait, `perform`, `together`."""

from __future__ import annotations

from gdl import typed, types
from gdl.interpreter.cells import FORK, JOIN
from gdl.interpreter.emit_random import random_effect
from gdl.interpreter.instructions import entering
from gdl.interpreter.plan import holding
from gdl.interpreter.runtime import EFFECT_SHIFT
from gdl.interpreter.unit_writer import UnitWriter
from gdl.typed import Local, TEffect, TExpression, TStep


def waiting_effect(writer: UnitWriter, step: TStep) -> None:
    """A step that `UnitWriter` has no form of its own for."""
    match step:
        case typed.TEffect() if step.entry.random:
            _random(writer, step, None)
        case typed.TLet(local=local, value=value) if isinstance(value, TEffect):
            writer.slot(local, None)
            _random(writer, value, local)
        case typed.TAssign(target=target, value=value) if isinstance(value, TEffect):
            _assign_random(writer, step, target, value)
        case typed.TMoveRandom(effect=effect, move=move, local=local):
            writer.slot(local, None)
            _random(writer, effect, local)
            _then(writer, move)
        case typed.TEffect():
            _moves_with_waiting_triggers(writer, step)
        case typed.TAssign():
            _assign_with_waiting_triggers(writer, step)
        case typed.TTogether():
            together(writer, step)
        case typed.TPerform():
            perform(writer, step)
        case _:
            raise TypeError(f"no instructions for {type(step).__name__}")


def _random(writer: UnitWriter, effect: TEffect, local: Local | None) -> None:
    """A random effect, then what its moves trigger."""
    kept = random_effect(writer, effect, local)
    triggers = writer.analysis.caused_by(effect)
    if kept is not None and triggers:
        run_kept_triggers(writer, triggers, kept)
    elif kept is not None:
        writer.line(f"clear_list(s, f + {kept})")


def _then(writer: UnitWriter, step: TStep) -> None:
    if writer.analysis.step_waits(step):
        waiting_effect(writer, step)
    else:
        writer.step(step)


def _assign_random(writer: UnitWriter, step: typed.TAssign, target: TExpression, effect: TEffect) -> None:
    local = Local("(drawn)", effect.value or types.ERROR, step.span)
    writer.slot(local, None)
    _random(writer, effect, local)
    value = typed.LocalValue(step.span, local.type, local)
    _then(writer, typed.TAssign(step.span, step.operator, target, value))


# --- triggers that wait -----------------------------------------------------------------------------------------------


def _moves_with_waiting_triggers(writer: UnitWriter, step: TEffect) -> None:
    """Move all, keep what moved in the frame, then run the triggers piece by piece."""
    emitter = writer.emitter
    kinds, _ = writer.analysis.moved(step)
    most = sum(emitter.plan.kinds[k].count for k in kinds if k in emitter.plan.kinds)
    moved = step.arguments[0]
    size = 2 if step.entry.name == "swap" else emitter.list_size(moved) if isinstance(moved, TExpression) else None
    kept = writer.frame.take(1 + 3 * (most if size is None else min(most, size)), "moved")
    one = writer.move_of_one(step)
    if one is not None:
        writer.marked(step, f"keep_move(s, f + {kept}, {one[0]}, {one[1]})")
    else:
        arguments = ["s", *[writer.effect_argument(step, a) for a in step.arguments]]
        writer.marked(step, f"keep_moves(s, f + {kept}, {emitter.builtin_name(step.entry)}({', '.join(arguments)}))")
    writer.look_at_end()
    run_kept_triggers(writer, writer.analysis.caused_by(step), kept)


def run_kept_triggers(writer: UnitWriter, triggers: list[typed.TriggerInfo], kept: int) -> None:
    """Run the triggers of moves that are kept in the frame: for each its piece, where it came from and where it went."""
    place = writer.frame.take()
    emptied = _keep_emptied(writer, triggers, kept)
    writer.line(f"s[f + {place}] = 0")
    top, exit_ = writer.label("moved"), writer.label("end")
    writer.start(top)
    writer.line(f"if s[f + {place}] >= s[f + {kept}]:")
    writer.line(f"    clear_list(s, f + {kept})")
    writer.line(f"    s[f + {place}] = 0")
    writer.line(f"    return @{exit_}@")
    writer.line(f"s[f + {place}] += 3")
    piece, source, target = (f"s[f + {kept - 2 + i} + s[f + {place}]]" for i in range(3))
    for trigger in triggers:
        test = writer.move_test(trigger, source, target)
        if test:
            writer.run_trigger(trigger, test, {"piece": piece, "from": source, "to": target})
    writer.close(f"return @{top}@")
    writer.start(exit_)
    for trigger, spaces in emptied:
        _run_emptied(writer, trigger, spaces)


def _keep_emptied(writer: UnitWriter, triggers: list[typed.TriggerInfo], kept: int) -> list[tuple[typed.TriggerInfo, int]]:
    """Note the spaces that the effect has emptied, before any trigger runs."""
    found = []
    for trigger in triggers:
        for event in trigger.events:
            if event.form == "emptied":
                zone = writer.emitter.plan.zones[event.zones[0]]
                spaces = writer.frame.take(1 + zone.count)
                moved = f"moves_kept(s, f + {kept})"
                writer.line(f"keep_list(s, f + {spaces}, emptied(s, {moved}, {zone.base}, {zone.end}), {zone.count})")
                found.append((trigger, spaces))
    return found


def _run_emptied(writer: UnitWriter, trigger: typed.TriggerInfo, spaces: int) -> None:
    place = writer.frame.take()
    top, exit_ = writer.label("emptied"), writer.label("end")
    writer.line(f"s[f + {place}] = 0")
    writer.start(top)
    writer.line(f"if s[f + {place}] >= s[f + {spaces}]:")
    writer.line(f"    clear_list(s, f + {spaces})")
    writer.line(f"    s[f + {place}] = 0")
    writer.line(f"    return @{exit_}@")
    writer.line(f"s[f + {place}] += 1")
    writer.run_trigger(trigger, writer._with_phase(trigger, "True"), {"this": f"s[f + {spaces} + s[f + {place}]]"})
    writer.close(f"return @{top}@")
    writer.start(exit_)


def _assign_with_waiting_triggers(writer: UnitWriter, step: typed.TAssign) -> None:
    """Write the variable, keep what it was, then run the triggers."""
    target = step.target
    assert isinstance(target, typed.VariableValue)
    triggers = writer.analysis.caused_by(step)
    place = writer.frame.take(4)
    named = target.target if target.target is not None else target.keys[0] if target.keys else None
    if named is not None and holding(named.type):
        writer.frame.pieces[place + 3] = holding(named.type)
    cell, old, new, owner = (f"s[f + {place + i}]" for i in range(4))
    writer.line(f"{cell} = {writer.emitter.variable_place(target)}")
    writer.line(f"{old} = s[{cell}]")
    writer.line(f"{owner} = {writer.expr(named) if named is not None else 'NONE'}")
    assert isinstance(step.value, TExpression)
    value = writer.expr(step.value)
    if step.operator != "=":
        value = f"s[{cell}] {step.operator[0]} ({value})"
    plan = writer.emitter.plan.variables[target.infos[0]]
    writer.marked(step, f"s[{cell}] = {writer._in_range(plan, value)}")
    writer.look_at_end()
    writer.line(f"{new} = s[{cell}]")
    for trigger in triggers:
        live = writer._with_phase(trigger, f"{old} != {new}")
        writer.run_trigger(trigger, live, {"old": old, "new": new, "this": owner})
    writer.line(f"clear(s, f + {place}, f + {place + 4})")
    writer.frame.pieces.pop(place + 3, None)


# --- effect cells -----------------------------------------------------------------------------------------------------


def perform(writer: UnitWriter, step: typed.TPerform) -> None:
    """The steps of an effect cell, in a frame of their own; which steps is known when it happens."""
    builder, emitter = writer.builder, writer.emitter
    for unit in writer.analysis.performed(step):
        builder.entry_of(unit)
        builder.note_call(writer.unit, unit)
    after = writer.label("performed")
    cell = emitter.fresh("k")
    writer.line(f"{cell} = {writer.expr(step.cell)}")
    writer.line(f"if not {cell} >> {EFFECT_SHIFT}:")
    writer.line(f"    return @{after}@")
    who = writer.expr(step.player) if step.player is not None else "NONE"
    writer.marked(step, f"charge({emitter.perform_cost(writer.analysis.performed(step))})")
    writer.line(f"w, n = {who}, f + %size:{builder.entry_of(writer.unit)}%")
    for line in builder.room_test(f"EFFECT_SIZES[{cell} >> {EFFECT_SHIFT}]", "perform", step.span):
        writer.line(line)
    writer.line(f"s[n : n + 4] = [@{after}@, f, w, {cell} & {(1 << EFFECT_SHIFT) - 1}]")
    writer.close(entering(f"EFFECT_ENTRIES[{cell} >> {EFFECT_SHIFT}]"))
    writer.start(after)


# --- together ---------------------------------------------------------------------------------------------------------


def together(writer: UnitWriter, step: typed.TTogether) -> None:
    """A branch for each seat, with a frame that begins as a copy of this one; all go on to the join."""
    branch, after = writer.label("branch"), writer.label("joined")
    slot = writer.frame.take()
    writer.emitter.locals[step.local] = f"s[f + {slot}]"
    frame = f"%size:{writer.builder.entry_of(writer.unit)}%"
    writer.marked(step, f"fork(s, f, {writer.expr(step.players)}, @{branch}@, @{after}@, {slot}, {frame}, {step.sealed})")
    writer.close(f"return {FORK}")
    writer.start(branch)
    outer, writer.player = writer.player, f"s[f + {slot}]"
    tail, writer.tail = writer.tail, False
    writer.block(step.body)
    writer.player, writer.tail = outer, tail
    writer.close(f"return {JOIN}")
    writer.start(after)
    writer.builder.forks.append(writer.unit)
