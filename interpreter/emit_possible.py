"""`possible(…)`: whether an action or effect has a legal move now. Nothing is listed and nothing is run."""

from __future__ import annotations

from gdl import typed, types
from gdl.interpreter.emit import Emitter
from gdl.interpreter.emit_decisions import offered
from gdl.interpreter.emit_loops import alternative_loops
from gdl.typed import Local, TBinder, TKeys
from gdl.types import ListType


def possible_text(emitter: Emitter, node: typed.Possible) -> str:
    """`possible(…)`: whether one of the actions has a legal move, without listing them."""
    emitter.reads_state = True
    tests = []
    player = emitter.expr(node.player)
    saved = dict(emitter.locals)
    for entry, conditions in offered(emitter, node.entries, player):
        tests.append(emitter.at(node, _has_move(emitter, entry, conditions, player)))
    emitter.locals = saved
    tests += [emitter.at(node, f"possible_effect(s, {emitter.expr(cell)}, {player})") for cell in node.cells]
    return f"({' or '.join(tests)})" if tests else "False"


def _has_move(emitter: Emitter, entry: typed.TEntry, conditions: tuple[str, ...], player: str) -> str:
    name = possible_function(emitter, entry)
    values = [emitter.expr(v) for v in (*entry.arguments, *entry.given.values())]
    call = f"{name}({', '.join(['s', player, *values])})"
    return f"({' and '.join([*conditions, call])})"


def first_step_function(emitter: Emitter, unit: typed.Unit, name: str) -> None:
    """A function that tells whether an effect cell's first step is no decision, or one with a legal move."""
    saved = dict(emitter.locals), emitter.reads_state
    this = [emitter.bind(p) for p in unit.parameters]
    if unit.player is not None:
        emitter.locals[unit.player] = "p"
    lines = _first_step(emitter, unit.body, "p", ())
    emitter.locals, emitter.reads_state = saved
    emitter.module.function(name, ", ".join(["s", "p", *this]), lines, f"effect {unit.name}")


def _first_step(emitter: Emitter, block: typed.TBlock | None, player: str, above: tuple[typed.Unit, ...]) -> list[str]:
    step = block.steps[0] if block is not None and block.steps else None
    match step:
        case typed.TCall(unit=unit, arguments=arguments) if unit not in above and unit.form == "procedure":
            lines = []
            texts = [emitter.expr(a) for a in arguments]
            for local, text in zip(unit.parameters, texts, strict=True):
                lines.append(f"{emitter.bind(local)} = {text}")
            if unit.player is not None:
                emitter.locals[unit.player] = player
            return [*lines, *_first_step(emitter, unit.body, player, (*above, unit))]
        case typed.TDecide(entries=entries, keys=keys):
            acting = _acting_seats(emitter, keys, player)
            texts = [_has_move(emitter, entry, conditions, "q") for entry, conditions in offered(emitter, entries, "q")]
            return [f"return any({' or '.join(texts) or 'False'} for q in {acting})"]
        case typed.TChoose(binders=binders, guard=guard, keys=keys) if keys.upper is None:
            lines, depth, _ = alternative_loops(emitter, binders, None, guard)
            return [*lines, "    " * depth + "return True", "return False"]
    return ["return True"]


def _acting_seats(emitter: Emitter, keys: TKeys, player: str) -> str:
    if keys.by is None:
        return f"({player},)"
    text = emitter.expr(keys.by)
    return text if isinstance(keys.by.type, ListType) else f"({text},)"


def possible_function(emitter: Emitter, entry: typed.TEntry) -> str:
    """The function that looks for a legal move of an action; one for each set of given choices."""
    action = entry.action
    key = (action, tuple(entry.given))
    known = emitter.possible_functions.get(key)
    if known is not None:
        return known
    name = f"X{len(emitter.possible_functions)}_{action.name}"
    emitter.possible_functions[key] = name
    saved = dict(emitter.locals), emitter.reads_state, emitter.known
    emitter.known = {}
    parameters = [emitter.bind(p) for p in action.parameters]
    if action.player is not None:
        emitter.locals[action.player] = "p"
    given = {word: Local(word, types.ERROR, entry.span) for word in entry.given}
    names = [emitter.bind(local) for local in given.values()]
    binders = tuple(
        TBinder(
            b.local,
            b.domain,
            typed.LocalValue(entry.span, b.local.type, given[b.local.name]) if b.local.name in given else None,
        )
        for b in action.choices
    )
    lines, depth, _ = alternative_loops(emitter, binders, action.before, action.guard)
    body = [*lines, "    " * depth + "return True", "return False"]
    emitter.locals, emitter.reads_state, emitter.known = saved
    emitter.module.function(name, ", ".join(["s", "p", *parameters, *names]), body, f"action {action.name}")
    return name
