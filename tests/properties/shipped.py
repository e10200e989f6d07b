"""The games that properties are tested on, with their players and options, and random walks through their states.

They are all shipped specs, and the specs in `specs/` beside this file, which have what the shipped ones hardly use: decisions at the same
time, every way to hide things, pieces that nothing tells apart.

A *setting* is a spec with a number of players and a value for each option. Those that every run tries are the fewest and the most players
with the default options, and every other value of every option beside the defaults; of a range its ends count as its values. All further
combinations are marked slow. `GDL_THOROUGH=1` makes the walks longer and more numerous.
"""

from __future__ import annotations

import os
import random
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from itertools import product
from pathlib import Path
from typing import Final

import pytest
from attrs import frozen

import gdl
from gdl.api import Spec
from gdl.interpreter.bots import Table
from gdl.model import Option

ROOT: Final = Path(__file__).resolve().parents[2]


def specs_in(*folders: Path) -> tuple[Path, ...]:
    """The specs in folders, without the scenarios beside them."""
    return tuple(path for folder in folders for path in sorted(folder.glob("*.yaml")) if not path.name.endswith(".test.yaml"))


SHIPPED: Final = specs_in(ROOT / "specs", ROOT / "specs" / "classics")
FEATURES: Final = specs_in(Path(__file__).parent / "specs")

THOROUGH: Final = os.environ.get("GDL_THOROUGH") == "1"
SEEDS: Final = range(8 if THOROUGH else 1)
LENGTH: Final = 400 if THOROUGH else 40
STOPS: Final = 30 if THOROUGH else 6
"""How many walks there are through each setting, how many moves each has at most, and in how many of its states something is checked."""
MOST_SLOW_SETTINGS: Final = 60

Value = str | int | bool


@frozen
class Setting:
    """A spec with players and options. `str` of it names tests and files."""

    spec: Path
    players: int
    options: tuple[tuple[str, Value], ...]
    changed: tuple[str, ...]

    def __str__(self) -> str:
        values = dict(self.options)
        parts = [f"{name}={str(values[name]).lower()}" for name in self.changed]
        return "-".join([self.spec.stem, f"{self.players}p", *parts])

    @property
    def game(self) -> gdl.Game:
        """The game, made once."""
        return _game(self)


@cache
def load(path: Path) -> Spec:
    """A spec, read once."""
    return gdl.load(path)


@cache
def _game(setting: Setting) -> gdl.Game:
    return load(setting.spec).game(setting.players, dict(setting.options))


# --- settings ---------------------------------------------------------------------------------------------------------


def values_of(option: Option) -> list[Value]:
    """The values of an option that are tried, the default first; of a range its ends and its default."""
    values: list[Value] = [option.default]
    match option.kind:
        case "range":
            values += [option.low, option.high]
        case "bool":
            values += [False, True]
        case _:
            values += [name for name, _ in option.values]
    return list(dict.fromkeys(values))


def settings_of(path: Path) -> list[Setting]:
    """The settings of a spec that every run tries."""
    spec = load(path)
    defaults = {name: option.default for name, option in spec.options.items()}
    fewest, most = spec.players[0], spec.players[-1]
    found = [_setting(path, players, defaults) for players in dict.fromkeys([fewest, most])]
    for name, option in spec.options.items():
        found += [_setting(path, fewest, {**defaults, name: value}) for value in values_of(option)[1:]]
    return found


def slow_settings_of(path: Path) -> list[Setting]:
    """All other combinations, so many at most, spread evenly over all of them."""
    spec = load(path)
    usual = settings_of(path)
    choices = [[(name, value) for value in values_of(option)] for name, option in spec.options.items()]
    every = [_setting(path, players, dict(chosen)) for players in spec.players for chosen in product(*choices)]
    others = [setting for setting in every if setting not in usual]
    stride = -(-len(others) // MOST_SLOW_SETTINGS) or 1
    return others[::stride]


def _setting(path: Path, players: int, options: dict[str, Value]) -> Setting:
    declared = load(path).options
    changed = tuple(name for name, value in options.items() if value != declared[name].default)
    return Setting(path, players, tuple(options.items()), changed)


def settings_parameters(specs: Sequence[Path]) -> list[object]:
    """A parameter for each setting of some specs, for `pytest.mark.parametrize`. A spec with mistakes has none: other tests tell of it."""
    found: list[object] = []
    for path in specs:
        try:
            usual, others = settings_of(path), slow_settings_of(path)
        except gdl.SpecError:
            continue
        found += [pytest.param(setting, id=str(setting)) for setting in usual]
        found += [pytest.param(setting, id=str(setting), marks=pytest.mark.slow) for setting in others]
    return found


each_setting = pytest.mark.parametrize("setting", settings_parameters((*SHIPPED, *FEATURES)))
"""Runs a test with every setting."""


# --- walks ------------------------------------------------------------------------------------------------------------


def walk(game: gdl.Game, seed: int, length: int = LENGTH, *, explicit: bool = False) -> Iterator[gdl.State]:
    """The states of a random match: the first, and that after each of so many moves. It is one state that changes."""
    generator = random.Random(seed)
    state = game.new_state(seed, explicit)
    yield state
    for _ in range(length):
        if state.is_terminal():
            return
        if state.is_chance():
            state.apply_chance(generator.choice(state.chance_outcomes()))
        else:
            state.apply(generator.choice(state.legal_moves()))
        yield state


def bots(setting: Setting, seed: int) -> Table:
    """Random bots for all seats."""
    return Table(["random"] * setting.players, seed)


@lru_cache(maxsize=8)
def stops(setting: Setting) -> tuple[gdl.State, ...]:
    """Some states of several random matches: the first and last of each, and others between. They are shared: clone what is to change."""
    found = []
    for seed in SEEDS:
        states = walk(setting.game, seed)
        found += [state.clone() for number, state in enumerate(states) if number % (LENGTH // STOPS) == 0 or state.is_terminal()]
    return tuple(found)


def some(moves: tuple[gdl.Move, ...], most: int = 8) -> list[gdl.Move]:
    """So many moves at most, spread evenly over all of them, the first and the last among them."""
    if len(moves) <= most:
        return list(moves)
    return [moves[index * (len(moves) - 1) // (most - 1)] for index in range(most)]


def texts(state: gdl.State) -> list[str]:
    """The legal moves of all seats as they are written, with the seat in front."""
    return [f"{move.seat}: {move}" for seat in state.deciders() for move in state.legal_moves(seat)]
