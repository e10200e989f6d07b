"""Decisions with `count:`: a set, chosen one element after the other in the order of the domain, so that each set comes once.

Nothing changes until the set is complete; what has been chosen so far lies in the frame.
"""

from __future__ import annotations

from gdl import typed, types
from gdl.interpreter.choices import Alternative
from gdl.interpreter.emit_decisions import (
    decide,
    note_acting,
    nothing_to_choose,
    own_name,
    prompt_function,
    take_acting,
)
from gdl.interpreter.emit_loops import alternative_loops, listing
from gdl.interpreter.plan import holding
from gdl.interpreter.unit_writer import UnitWriter
from gdl.types import ListType


def decide_any(writer: UnitWriter, step: typed.TDecide | typed.TChoose) -> None:
    """The instructions of a decision, of a set or of one thing."""
    if isinstance(step, typed.TChoose) and step.keys.upper is not None:
        decide_subset(writer, step)
    else:
        decide(writer, step)


def decide_subset(writer: UnitWriter, step: typed.TChoose) -> None:
    """The instructions of a decision over a set."""
    keys, binder, builder = step.keys, step.binders[0], writer.builder
    assert keys.upper is not None
    assert step.chosen is not None
    decision = builder.new_decision(step, keys)
    outer = writer.player
    acting = take_acting(writer, decision, keys)
    width = builder.list_width(ListType(binder.local.type))
    kept = writer.frame.take(width, holding(ListType(binder.local.type)))
    low, high = writer.frame.take(), writer.frame.take()
    n, piece = decision.number, isinstance(types.without_none(binder.local.type), types.PieceType)
    here, body, other, after = (writer.label(word) for word in ("decide", "chosen", "else", "after"))
    decision.label, decision.after = here, after
    _candidates(writer, n, binder, keys)
    writer.line(f"s[f + {high}] = {writer.expr(keys.upper)}")
    writer.line(f"s[f + {low}] = {writer.expr(keys.lower or keys.upper)}")
    writer.line(f"s[f + {kept}] = 0")
    writer.line(
        f"n = len(D{n}_domain(s, f, {acting.player}))"
        if not decision.joint
        else f"n = max((len(D{n}_domain(s, f, p)) for p in {acting.seats}), default=0)"
    )
    writer.line(f"if n < s[f + {low}]:")
    writer.line(f"    return @{other}@")
    writer.line(f"s[f + {high}] = min(s[f + {high}], n)")
    writer.start(here)
    writer.line(f"if s[f + {kept}] >= s[f + {high}]:")
    writer.line(f"    return @{body}@")
    prompt_function(writer, decision, keys)
    note_acting(writer, decision, acting, body)
    passing = keys.passing is not None
    given = f"s, D{n}_domain(s, f, p), kept_list(s, f + {kept}), s[f + {low}], {piece}"
    builder.add_function(f"D{n}_all", "s, f, p", [f"return set_choices({given}, {2 if passing else -1}, p)"], "")
    builder.add_function(f"D{n}_any", "s, f, p", [f"return can_choose({given}, p)"], "")
    name = keys.name or own_name(writer)
    decision.alternatives += [Alternative("pick", name, (binder.local,)), Alternative("done", "done")]
    add = [*acting.set, f"s[f + {kept + 1} + s[f + {kept}]] = x0", f"s[f + {kept}] += 1", f"return @{here}@"]
    builder.add_function(f"D{n}_0", "s, f, p, x0", add, writer.rule)
    builder.add_function(f"D{n}_1", "s, f, p", [*acting.set, f"return @{body}@"], "done")
    writer.emitter.locals[step.chosen] = f"kept_list(s, f + {kept})"
    _bodies(writer, step, (body, other, after), kept, width)
    writer.player = outer
    writer.start(after)


def _candidates(writer: UnitWriter, number: int, binder: typed.TBinder, keys: typed.TKeys) -> None:
    """The domain of the set's elements, in order."""
    saved = dict(writer.emitter.locals)
    if keys.acting is not None:
        writer.emitter.locals[keys.acting] = "p"
    lines, depth, names = alternative_loops(writer.emitter, (binder,), None, None, alike=False, every=True)
    body = [*listing(lines, depth, names[0], first=True), "return out"]
    writer.emitter.locals = saved
    writer.builder.add_function(f"D{number}_domain", "s, f, p", body, "")


def _bodies(writer: UnitWriter, step: typed.TChoose, labels: tuple[str, str, str], kept: int, width: int) -> None:
    """What follows the choice, `pass` and `else`."""
    keys, builder = step.keys, writer.builder
    body, other, after = labels
    number = len(builder.decisions) - 1
    decision = builder.decisions[number]
    if keys.passing is not None:
        decision.alternatives.append(Alternative("pass", "pass"))
        label = writer.label("pass")
        builder.add_function(f"D{number}_2", "s, f, p", [f"return @{label}@"], "pass")
        writer.start(label)
        writer.block(keys.passing)
        writer.close(f"return @{after}@")
    writer.start(body)
    writer.block(step.body)
    if writer.open_label:
        writer.line(f"clear(s, f + {kept}, f + {kept + width})")
    writer.close(f"return @{after}@")
    nothing_to_choose(writer, step, keys, other, after)
