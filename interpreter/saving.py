"""States as JSON and back. The form is documented in `docs/files.md`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gdl.interpreter import cells as c
from gdl.interpreter.chance import mix
from gdl.interpreter.errors import BadSave
from gdl.interpreter.told import read_told, write_told
from gdl.values import NONE

if TYPE_CHECKING:
    from gdl.interpreter.game import Game
    from gdl.interpreter.state import State

FORMAT = "gdl-state/1"


def write_state(state: State) -> dict[str, Any]:
    """A state as data: none is null, the generator's 64 bits are text, so that every JSON reader keeps them."""
    game = state.game
    numbers: list[int | None] = [None if v == NONE else v for v in state.cells]
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
        "check": _check(state.cells),
        **write_told(state._told),
    }


def _check(cells: list[int]) -> str:
    """A check sum, against files that were cut or changed."""
    total = 0
    for value in cells:
        total = mix((total * 31 + value) & ((1 << 64) - 1))
    return f"{total:016x}"


def read_state(game: Game, data: object) -> State:
    """The state that was written. Raises BadSave."""
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise BadSave(f"this is no saved state: `format` should be {FORMAT}")
    if data.get("game") != game.name:
        raise BadSave(f"this state is of the game `{data.get('game')}`, not of `{game.name}`")
    if data.get("spec_hash") != game.spec_hash:
        raise BadSave("this state was saved with another version of the spec")
    if data.get("players") != game.players or data.get("options") != game.options:
        raise BadSave("this state was saved with other players or options")
    numbers = data.get("cells")
    random = data.get("random")
    if not isinstance(numbers, list) or len(numbers) != len(game.build.first) or not isinstance(random, str):
        raise BadSave("this state is broken: its cells are not those of the game")
    if not all(v is None or (isinstance(v, int) and not isinstance(v, bool)) for v in numbers):
        raise BadSave("this state is broken: its cells are not all numbers")
    cells = [NONE if v is None else v for v in numbers]
    try:
        cells[c.RANDOM] = int(random)
    except ValueError:
        raise BadSave("this state is broken: `random` is no number") from None
    if data.get("check") != _check(cells):
        raise BadSave("this state is broken: its check sum is wrong")
    return game.state_of(cells, bool(data.get("explicit_chance")), read_told(data, game.players))
