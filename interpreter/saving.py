"""States as JSON and back. The form is documented in `docs/files.md`."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING, Any

from gdl.interpreter import cells as c
from gdl.interpreter.errors import BadSave, GameFault
from gdl.interpreter.told import read_told, write_told
from gdl.load_context import shortened
from gdl.values import NONE, portable, read_whole

if TYPE_CHECKING:
    from gdl.interpreter.game import Game
    from gdl.interpreter.state import State

FORMAT = "gdl-state/2"
_FAMILY = "gdl-state/"
_UNFIT = "this state is broken: its cells do not fit together"
_LOWEST, _BEYOND = -(1 << 63), 1 << 64
"""What a cell can hold: numbers of 64 bits with a sign, and records of histories, which have none."""


def write_state(state: State) -> dict[str, Any]:
    """A state as data: none is null, numbers beyond 53 bits are text, so that every JSON reader keeps them."""
    game = state.game
    cells = [*state.cells, *[0] * (game.plan.size - len(state.cells))]  # for all frames that there can be
    numbers: list[int | str | None] = [None if v == NONE else portable(v) for v in cells]
    numbers[c.RANDOM] = 0
    return {
        "format": FORMAT,
        "game": game.name,
        "spec_hash": game.spec_hash,
        "players": game.players,
        "options": dict(game.options),
        "explicit_chance": state.explicit,
        "random": str(state.cells[c.RANDOM]),
        "cells": numbers,
        "check": _check(cells),
        **write_told(state._told),
    }


def _check(cells: list[int]) -> str:
    """A check sum, against files that were cut or changed."""
    return sha256(",".join(map(str, cells)).encode()).hexdigest()[:16]


def _shorten(game: Game, cells: list[int]) -> None:
    """Leave out the cells that no frame uses. Raises BadSave where something is in them, or where nothing can wait."""
    used = cells[:]
    try:
        game.machine.shorten(used)
    except LookupError:
        raise BadSave(_UNFIT) from None
    if any(cells[len(used) :]):
        raise BadSave(_UNFIT)
    del cells[len(used) :]


def _number(value: object, *, text: bool = False) -> int:
    """A number as it was written, as text only where it has to be. Raises BadSave for any other thing, and for what no cell holds."""
    number = read_whole(value) if isinstance(value, str) else value
    if isinstance(number, bool) or not isinstance(number, int) or not _LOWEST <= number < _BEYOND:
        raise BadSave("this state is broken: its cells and `random` are not all numbers of 64 bits")
    if value != (str(number) if text else portable(number)):
        raise BadSave("this state is broken: text stands for a number that is none, or a number for a text")
    return number


def read_state(game: Game, data: object) -> State:
    """The state that was written. Raises BadSave."""
    form = data.get("format") if isinstance(data, dict) else None
    if not isinstance(data, dict) or not isinstance(form, str) or not form.startswith(_FAMILY):
        raise BadSave(f"this is no saved state: `format` should be {FORMAT}")
    if form != FORMAT:
        raise BadSave(f"this state was saved by another version of gdl: its form is {shortened(form)}, this one reads {FORMAT}")
    if data.get("game") != game.name:
        raise BadSave(f"this state is of the game `{shortened(str(data.get('game')))}`, not of `{game.name}`")
    if data.get("spec_hash") != game.spec_hash:
        raise BadSave("this state was saved with another version of the spec")
    if data.get("players") != game.players or data.get("options") != game.options:
        raise BadSave("this state was saved with other players or options")
    numbers = data.get("cells")
    random = data.get("random")
    if not isinstance(numbers, list) or len(numbers) != game.plan.size or numbers[c.RANDOM] != 0:
        raise BadSave("this state is broken: its cells are not those of the game")
    cells = [NONE if v is None else _number(v) for v in numbers]
    cells[c.RANDOM] = _number(random, text=True)
    if data.get("check") != _check(cells):
        raise BadSave("this state is broken: its check sum is wrong")
    _shorten(game, cells)
    state = game.state_of(cells, data.get("explicit_chance") is True, read_told(data, game.players))
    try:
        state.legal_moves(), state.is_chance(), state.scores()
        for seat in (None, *range(game.players)):
            state.observation(seat)
    except (GameFault, ArithmeticError, LookupError, TypeError, ValueError):
        raise BadSave(_UNFIT) from None
    return state
