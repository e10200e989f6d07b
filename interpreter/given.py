"""States that begin in the middle: at a turn's start in a phase, without set-up and triggers, as scenarios want them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gdl.interpreter import cells as c
from gdl.interpreter.chance import mix
from gdl.interpreter.control import store_list
from gdl.interpreter.emit_phases import PhaseRecord
from gdl.interpreter.state import State
from gdl.typed import TExpression
from gdl.values import NONE

if TYPE_CHECKING:
    from gdl.interpreter.game import Game


def phase_named(game: Game, path: str) -> PhaseRecord | None:
    """The phase of a path such as `round.hunt`, or of a name; its first innermost phase, if it has phases inside."""
    found = next((r for r in game.build.records if path in (r.path, r.info.name)), None)
    return None if found is None else innermost(found)


def first_phase(game: Game) -> PhaseRecord:
    """The innermost phase that begins the game."""
    return innermost(game.build.roots[0])


def innermost(record: PhaseRecord) -> PhaseRecord:
    """The phase that begins where a phase begins."""
    return innermost(record.nested[0]) if record.nested else record


def state_in(game: Game, record: PhaseRecord, seat: int, seed: int, explicit: bool) -> State:
    """A state about to begin a turn of a seat (or the body) of a phase; outer rounds are their first. Call `start` when it is as wanted."""
    s = list(game.build.first)
    s[c.RANDOM] = mix(seed & ((1 << 64) - 1))
    s[c.PHASE] = record.number
    each: PhaseRecord | None = record
    while each is not None:
        if each.info.loop is not None:
            values = game.evaluate(each.info.loop, s)
            s[each.counter], s[each.place] = (values[0] if values else 0), 1
            if each.kept_width:
                store_list(s, each.kept, values, each.kept_width - 1)
        each = each.parent
    if record.info.seat is not None:
        s[c.TURNS] = 1
        s[record.seat] = seat
        if isinstance(record.info.order, TExpression):
            store_list(s, record.order, game.evaluate(record.info.order, s), record.order_width - 1)
    main = game.build.threads
    s[main : main + 4] = [game.build.builder.numbers[record.body], game.build.root, c.RUNNING, NONE]
    return State(game, s, explicit)


def start(state: State) -> None:
    """Run to the first decision or chance event."""
    game = state.game
    game.guard(state.cells, lambda: game.machine.run(state.cells, state.explicit))
