"""Stopping behind a move's effects, before whatever the rules do next: what `until: move` of a scenario asks for."""

from __future__ import annotations

from collections.abc import Callable
from copy import copy

from gdl.interpreter import cells as c
from gdl.interpreter.moves import Move
from gdl.interpreter.state import State

Instruction = Callable[[list[int], int], int]


class _DoneError(Exception):
    """The effects of the move are over."""


def behind_effects(state: State, move: Move) -> State:
    """A new state: the move's effects have happened, with all that they trigger, and nothing else. Raises GameFault.

    Nobody decides there, unless the effects themselves lead to a decision or to a chance event.
    """
    game, cells = state.game, state.cells[:]
    machine = copy(game.machine)
    frame = _waiting_frame(state, move)
    build = game.build
    places = {build.builder.numbers[machine.decisions[move.decision].after]: frame}
    if frame != build.root:
        places[cells[frame + c.FRAME_RETURN]] = cells[frame + c.FRAME_CALLER]
    ends = {n for n in (*build.control.exits, *build.control.turn_ends) if n >= 0}
    machine.code = [
        _done if number in ends else _stopping(code, places[number]) if number in places else code
        for number, code in enumerate(machine.code)
    ]
    try:
        machine.decide(cells, move.seat, move.decision, move.choice, True)
    except _DoneError:
        cells[cells[c.THREAD] + c.THREAD_STATUS] = c.RUNNING
    except Exception as error:
        raise game.fault(error, cells) from None
    return State(game, cells, state.explicit)


def _waiting_frame(state: State, move: Move) -> int:
    """The frame of the decision that waits for a move."""
    for thread, decision, frame in state.game.machine.waiting(state.cells):
        if state.cells[thread] == move.decision and move.seat in decision.seats(state.cells, frame):
            return frame
    raise ValueError(f"nobody waits for {move}")


def _done(_s: list[int], _frame: int) -> int:
    raise _DoneError


def _stopping(code: Instruction, where: int) -> Instruction:
    """An instruction at which a move is over, if it is reached in the frame of its decision."""

    def instruction(s: list[int], frame: int) -> int:
        if frame == where:
            raise _DoneError
        return code(s, frame)

    return instruction
