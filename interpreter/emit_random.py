"""Random effects → chance events: the machine draws an outcome, or asks for one, and goes on with it.

The order of a shuffled stack is found out piece by piece, when a piece is drawn: what nobody has seen is undetermined. Only stacks whose
order somebody can see, or a rule reads, are settled at once.
"""

from __future__ import annotations

from gdl import types
from gdl.interpreter.cells import ROLL, THREAD
from gdl.interpreter.choices import Chance
from gdl.interpreter.plan import holding
from gdl.interpreter.step_costs import EVENT
from gdl.interpreter.unit_writer import UnitWriter
from gdl.typed import Local, TEffect, TExpression
from gdl.types import ListType


def random_effect(writer: UnitWriter, effect: TEffect, local: Local | None) -> int | None:
    """The instructions of a random effect; its value goes into `local`. Gives the frame's place of what it moved, if it moves."""
    match effect.entry.name:
        case "roll":
            _roll(writer, effect)
        case "pick":
            _pick(writer, effect, local)
        case "shuffle":
            _shuffle(writer, effect)
        case "draw" | "deal":
            return _draw(writer, effect, local)
        case name:
            raise TypeError(f"no chance event for {name}")
    return None


def chance_point(
    writer: UnitWriter,
    chance: Chance,
    outcomes: list[str],
    done: list[str],
    equals: list[str] | None = None,
    after: str = "",
    work: int = 0,
) -> None:
    """One chance event: `outcomes` are the lines of a function that lists them, `done` those that take one, `x`; `equals`: see there.

    `work`: how much it is, unless that is counted already.

    Then it goes on at `after`, or (left out) right here.
    """
    goes_on, after = not after, after or writer.label("after")
    writer.start(chance.label)
    if work:
        writer.line(f"({writer.emitter.module.mark(chance.span)}charge({work}))")
    writer.line(f"s[s[{THREAD}]] = @{chance.label}@")
    writer.close(f"return {ROLL}")
    builder, n = writer.builder, chance.number
    builder.add_function(f"C{n}_outcomes", "s, f", outcomes, writer.rule)
    if equals is not None:
        builder.add_function(f"C{n}_equals", "s, f", equals, writer.rule)
    builder.add_function(f"C{n}_enter", "s, f, x", [*done, f"return @{after}@"], writer.rule)
    if goes_on:
        writer.start(after)


def _new(writer: UnitWriter, effect: TEffect, form: str) -> Chance:
    chance = writer.builder.new_chance(effect.span, writer.label("chance"))
    chance.name = " ".join(effect.span.text.split())
    chance.form = form
    return chance


def _argument(effect: TEffect, number: int) -> TExpression:
    argument = effect.arguments[number]
    assert isinstance(argument, TExpression)
    return argument


# --- dice and picks ---------------------------------------------------------------------------------------------------


def _roll(writer: UnitWriter, effect: TEffect) -> None:
    die = _argument(effect, 0)
    inner = types.without_none(die.type)
    kind = inner.kinds[0] if isinstance(inner, types.PieceType) else ""
    emitter = writer.emitter
    plan = emitter.plan
    weights = emitter.module.constant(_face_weights(plan.face_symbols[kind], plan.face_values[kind]))
    chance = _new(writer, effect, "roll")
    slot = writer.frame.take(pieces="piece")
    writer.line(f"s[f + {slot}] = {writer.expr(die)}")
    writer.builder.add_function(f"C{chance.number}_about", "s, f", [f"return s[f + {slot}]"], "")
    unseen = [f"s[{plan.revealed} + s[f + {slot}]] = 0"] if plan.revealed else []
    done = [f"s[{plan.faces} + s[f + {slot}]] = x", *unseen, f"s[f + {slot}] = 0"]
    chance_point(writer, chance, [f"return {weights}"], done, work=EVENT)
    del writer.frame.pieces[slot]


def _face_weights(symbols: tuple[int, ...], values: tuple[int, ...]) -> tuple[tuple[int, int], ...]:
    """Faces that show the same are one outcome: the first of them, with their number as weight."""
    first: dict[tuple[int, int], int] = {}
    weights: dict[int, int] = {}
    for place, shown in enumerate(zip(symbols, values, strict=True)):
        face = first.setdefault(shown, place)
        weights[face] = weights.get(face, 0) + 1
    return tuple(weights.items())


def _pick(writer: UnitWriter, effect: TEffect, local: Local | None) -> None:
    """`pick(xs)`: one element; `pick(n, xs)`: n different ones, one event each."""
    several = len(effect.entry.signature.parameters) == 2
    source = _argument(effect, 1 if several else 0)
    element = source.type.element if isinstance(source.type, ListType) else types.ERROR
    pieces = isinstance(element, types.PieceType)
    differ = not (isinstance(element, types.PieceType) and any(kind in writer.emitter.plan.alike for kind in element.kinds))
    chance = _new(writer, effect, "value")
    chance.subject = source
    work = writer.emitter.pick_cost(source)
    if not several:
        done = [] if local is None else [f"s[f + {writer.frame.slots[local]}] = x"]
        mark, items = writer.emitter.module.mark(effect.span), writer.emitter.picked(source, writer.expr(source))
        equals = [f"return ({mark}{items})"] if differ else None
        chance_point(writer, chance, [f"return ({mark}weighed(s, {items}, {pieces}))"], done, equals, work=work)
        return
    width = writer.builder.list_width(source.type)
    kept = writer.frame.slots[local] if local is not None else writer.frame.take(width, holding(source.type))
    wanted = writer.frame.take()
    writer.line(f"clear_list(s, f + {kept})")
    items = writer.emitter.picked(source, writer.expr(source))
    writer.line(f"s[f + {wanted}] = min({writer.expr(_argument(effect, 0))}, len({items}))")
    top, exit_ = writer.label("pick"), writer.label("picked")
    writer.start(top)
    writer.line(f"if s[f + {kept}] >= s[f + {wanted}]:")
    writer.line(f"    return @{exit_}@")
    mark = writer.emitter.module.mark(effect.span)
    left = f"without({items}, kept_list(s, f + {kept}))"
    outcomes = [f"return ({mark}weighed(s, {left}, {pieces}))"]
    done = [f"s[f + {kept + 1} + s[f + {kept}]] = x", f"s[f + {kept}] += 1"]
    chance_point(writer, chance, outcomes, done, [f"return ({mark}{left})"] if differ else None, work=work)
    writer.close(f"return @{top}@")
    writer.start(exit_)


# --- stacks -----------------------------------------------------------------------------------------------------------


def _shuffle(writer: UnitWriter, effect: TEffect) -> None:
    """Nobody knows the order any more; where somebody will, it is settled now, from the top down."""
    stack, emitter = _argument(effect, 0), writer.emitter
    slot = writer.frame.take()
    writer.line(f"s[f + {slot}] = {writer.expr(stack)}")
    writer.marked(effect, f"forget_order(s, s[f + {slot}])")
    if any(zone.info.name in emitter.plan.settled for zone in emitter.zones_of(stack.type)):
        top, exit_ = writer.label("settle"), writer.label("settled")
        writer.start(top)
        writer.line(f"if not undetermined(s, s[f + {slot}]):")
        writer.line(f"    return @{exit_}@")
        _settle(writer, effect, stack, slot, work=emitter.settle_cost(stack))
        writer.close(f"return @{top}@")
        writer.start(exit_)
    shuffled = [t for t in writer.analysis.triggers if any(e.form == "shuffled" for e in t.events)]
    for trigger in shuffled:
        test = " or ".join(
            f"{zone.base} <= s[f + {slot}] < {zone.end}"
            for event in trigger.events
            if event.form == "shuffled"
            for zone in (writer.emitter.plan.zones[z] for z in event.zones)
        )
        writer.run_trigger(trigger, writer._with_phase(trigger, f"({test})"), {"this": f"s[f + {slot}]"})
    writer.line(f"s[f + {slot}] = 0")


def _settle(
    writer: UnitWriter, effect: TEffect, stack: TExpression, slot: int, done: list[str] | None = None, after: str = "", work: int = 0
) -> None:
    """The chance event that finds out which piece lies on top of what is undetermined; `done` does more with it, and goes on at `after`."""
    chance = _new(writer, effect, "piece")
    chance.subject = stack
    writer.builder.add_function(f"C{chance.number}_about", "s, f", [f"return s[f + {slot}]"], "")
    outcomes, equals = [f"return unseen(s, s[f + {slot}])"], [f"return different(s, s[f + {slot}])"]
    chance_point(writer, chance, outcomes, done or [f"settle(s, s[f + {slot}], x)"], equals, after, work)


def _draw(writer: UnitWriter, effect: TEffect, local: Local | None) -> int | None:
    """`draw(n, from, to)` and `deal(n, from, zone)`: piece by piece from the top, refilling.

    What moved stays in the frame if it is a value or triggers may follow; the place where, if so.
    """
    emitter, frame, builder = writer.emitter, writer.frame, writer.builder
    count, stack, target = (_argument(effect, n) for n in range(3))
    dealing = effect.entry.name == "deal"
    zones = emitter.zones_of(stack.type)
    most = max((len(z.holdable) for z in zones), default=0)
    bounds, targets = emitter.bounds(count), emitter.list_size(target) if dealing else 1
    if bounds is not None and targets is not None:
        most = min(most, max(0, bounds[1]) * targets)
    source, left, done_cell = frame.take(), frame.take(), frame.take()
    to_width = builder.list_width(target.type) if dealing else 1
    to = frame.take(to_width)
    keeps = local is not None or bool(writer.analysis.caused_by(effect))
    kept = frame.take(1 + 3 * most, "moved") if keeps else frame.take(0)
    writer.line(f"s[f + {source}] = {writer.expr(stack)}")
    writer.line(builder.store_text(to, target.type, writer.expr(target)))
    rounds = f"max({writer.expr(count)}, 0)" if bounds is None or bounds[0] < 0 else writer.expr(count)
    writer.line(f"s[f + {left}] = {rounds}{f' * s[f + {to}]' if dealing else ''}")
    writer.line(f"s[f + {done_cell}] = 0")
    if keeps:
        writer.line(f"clear_list(s, f + {kept})")
    top, exit_, take = writer.label("draw"), writer.label("drawn"), writer.label("take")
    writer.start(top)
    mark = emitter.module.mark(effect.span)
    writer.line(f"if s[f + {done_cell}] >= s[f + {left}] or not ({mark}can_draw(s, s[f + {source}])):")
    writer.line(f"    return @{exit_}@")
    writer.line(f"({mark}charge({emitter.draw_cost(stack)}))")
    writer.line(f"if not top_unknown(s, s[f + {source}]):")
    writer.line(f"    return @{take}@")
    place = f"s[f + {to + 1} + s[f + {done_cell}] % s[f + {to}]]" if dealing else f"s[f + {to}]"
    noted = f"f + {kept}" if keeps else "NONE"
    drawn = [f"({mark}draw_unknown(s, s[f + {source}], {place}, {noted}, x))", f"s[f + {done_cell}] += 1"]
    _settle(writer, effect, stack, source, drawn, top)
    writer.start(take)
    writer.marked(effect, f"draw_top(s, s[f + {source}], {place}, {noted})")
    writer.line(f"s[f + {done_cell}] += 1")
    writer.close(f"return @{top}@")
    writer.start(exit_)
    if local is not None:
        slot = frame.slots[local]
        writer.line(f"keep_list(s, f + {slot}, kept_list(s, f + {kept})[::3], {builder.width_of(local.type) - 1})")
    writer.line(f"clear(s, f + {source}, f + {kept})")
    return kept if keeps else None
