"""What a spec is compiled into: the same text and matches wherever Python puts things, and no more of it while a game is played."""

from __future__ import annotations

import hashlib
import os
import pkgutil
import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import gdl
from tests.properties.shipped import FEATURES, ROOT, SHIPPED, Setting, each_setting, load, settings_of, texts, walk

HASH_SEEDS = ("1", "20260711")


def compiled(specs: tuple[Path, ...]) -> Iterator[str]:
    """For each usual setting of some specs a line that sums up what it is compiled into, and one that sums up a short match."""
    for path in specs:
        for setting in settings_of(path):
            lines = "\n".join(setting.game.build.module.lines)
            yield f"{setting} text {digest(lines)}"
            state = setting.game.new_state(1)
            yield f"{setting} layout {digest(repr((setting.game.build.first, state.cells)))}"
            dump = [line for state in walk(setting.game, 1, 12) for line in (*texts(state), repr(state.observation(0)), str(state.hash()))]
            yield f"{setting} match {digest(chr(10).join(dump))}"


def digest(text: str) -> str:
    """A short sum of a text."""
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def compiled_elsewhere(hash_seed: str) -> dict[str, str]:
    """What another process makes of all specs, whose hashes of texts are others."""
    done = subprocess.run(
        [sys.executable, "-c", "import tests.properties.test_compilation as t; t.write()"],
        cwd=ROOT,
        env={**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=True,
    )
    return {line.rpartition(" ")[0]: line.rpartition(" ")[2] for line in done.stdout.splitlines()}


def write() -> None:
    """Print what the process makes of all specs."""
    for path in (*SHIPPED, *FEATURES):
        try:
            for line in compiled((path,)):
                print(line)  # noqa: T201 - read by the process that has started this one
        except gdl.SpecError:
            continue


def test_specs_are_compiled_alike_whatever_the_hash_seed() -> None:
    one, other = (compiled_elsewhere(seed) for seed in HASH_SEEDS)
    names = {key.partition("-")[0] for key in one}
    assert names >= {path.stem for path in FEATURES}
    assert [key for key in one if one[key] != other.get(key)] == []
    assert set(one) == set(other)


# --- no growth --------------------------------------------------------------------------------------------------------


@each_setting
def test_playing_adds_nothing_to_a_game(setting: Setting) -> None:
    game = load(setting.spec).game(setting.players, dict(setting.options))
    play(game)
    before = sizes(game)
    for _ in range(3):
        play(game)
    assert sizes(game) == before


def play(game: gdl.Game) -> None:
    """A short match, in which everything is asked for that players ask for."""
    for state in walk(game, 1, 10):
        for seat in range(game.players):
            state.observation(seat)
        for move in state.legal_moves()[:3]:
            state.label(move)
            state.parse_move(f"{move.seat}: {move}")
        state.scores()
        state.hash()


def sizes(game: gdl.Game) -> dict[str, int]:
    """How large the parts of a game are that could grow."""
    module = game.build.module
    return {name: len(part) for name, part in sorted(vars(module).items()) if isinstance(part, dict | list)}


def test_looking_at_invariants_adds_nothing_to_a_game() -> None:
    game = load(ROOT / "specs" / "hugo.yaml").game()
    state = game.new_state(1)
    game.invariants_broken(state.cells)
    before = sizes(game)
    for _ in range(20):
        game.invariants_broken(state.cells)
    assert sizes(game) == before


def test_looking_at_pieces_adds_nothing_to_a_game() -> None:
    game = load(next(path for path in FEATURES if path.stem == "secrets")).game()
    *_, state = walk(game, 1, 50)
    assert any(space.get("pieces") for space in state.observation(0)["zones"]["shared"])
    before = sizes(game)
    for _ in range(20):
        state.observation(0)
    assert sizes(game) == before


def test_reading_moves_adds_nothing_to_a_game() -> None:
    state = load(ROOT / "specs" / "classics" / "tic_tac_toe.yaml").game().new_state(1)
    text = str(random.Random(1).choice(state.legal_moves())).replace("(", "( ")
    state.parse_move(text)
    before = sizes(state.game)
    for _ in range(20):
        state.parse_move(text)
    assert sizes(state.game) == before


# --- imports ----------------------------------------------------------------------------------------------------------

MODULES = sorted(module.name for module in pkgutil.walk_packages(gdl.__path__, "gdl."))
IMPORT_ALL = """\
import importlib, sys
for name in sys.argv[1:]:
    for other in [m for m in sys.modules if m == "gdl" or m.startswith("gdl.")]:
        del sys.modules[other]
    try:
        importlib.import_module(name)
    except ImportError as error:
        print(name, error)
"""


SOME_MODULES = ["gdl.api", "gdl.interpreter.state", "gdl.interpreter.bots", "gdl.interpreter.trial", "gdl.testing"]


@pytest.mark.parametrize(
    "modules", [pytest.param(SOME_MODULES, id="some"), pytest.param(MODULES, id="all", marks=pytest.mark.slow)]
)
def test_modules_can_be_imported_first(modules: list[str]) -> None:
    done = subprocess.run([sys.executable, "-c", IMPORT_ALL, *modules], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout == ""
