"""Playthroughs: a match of every shipped spec in each of its variants, compared line by line with the file that tells it.

A change in a file is a change of what the game does: of its rules, or of the interpreter. `GDL_UPDATE=1` writes the files anew.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import gdl
from gdl.model import option_text
from tests.playthroughs.transcript import Transcript
from tests.properties.shipped import ROOT, SHIPPED, Setting, bots, load, settings_of

FOLDER = Path(__file__).parent
SEED = 1
MOST_BYTES = 60_000


def settings() -> list[Setting]:
    """Each spec with the fewest and the most players, and with each other value of each option; of a range its ends."""
    found: list[Setting] = []
    for path in SHIPPED:
        try:
            found += settings_of(path)
        except gdl.SpecError:
            continue
    return found


def file_of(setting: Setting) -> Path:
    """The file that tells the match of a setting."""
    return FOLDER / setting.spec.stem / f"{setting}.txt"


@pytest.mark.parametrize("setting", [pytest.param(setting, id=str(setting)) for setting in settings()])
def test_a_match_goes_as_it_is_told(setting: Setting) -> None:
    options = "".join(f", {name}={option_text(value)}" for name, value in setting.options)
    heading = f"{setting.spec.relative_to(ROOT)} with {setting.players} players{options}, seed {SEED}, random bots"
    text = Transcript(setting.game, SEED, bots(setting, SEED).choose).write(heading)
    golden = file_of(setting)
    if os.environ.get("GDL_UPDATE") == "1":
        golden.parent.mkdir(exist_ok=True)
        golden.write_text(text, "utf-8")
    assert golden.exists(), f"{golden.name} is missing: set GDL_UPDATE=1 to write it, and read it"
    assert text.splitlines() == golden.read_text("utf-8").splitlines()
    assert len(text.encode()) < MOST_BYTES


@pytest.mark.parametrize("spec", SHIPPED, ids=lambda path: path.stem)
def test_every_spec_has_its_playthroughs(spec: Path) -> None:
    load(spec)
    missing = [str(setting) for setting in settings_of(spec) if not file_of(setting).exists()]
    assert missing == [], "set GDL_UPDATE=1 to write them, and read them"


def test_no_playthrough_is_left_over() -> None:
    assert set(FOLDER.rglob("*.txt")) <= {file_of(setting) for setting in settings()} | unread()


def unread() -> set[Path]:
    """The playthroughs of specs that have mistakes just now."""
    found: set[Path] = set()
    for path in SHIPPED:
        try:
            load(path)
        except gdl.SpecError:
            found |= set((FOLDER / path.stem).glob("*.txt"))
    return found
