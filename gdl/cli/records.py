"""Records of matches on the command line: a file and the other options → the game to play; a match → its file."""

from __future__ import annotations

import json
import secrets
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from attrs import frozen

from gdl.api import Spec
from gdl.cli.files import read_json, write_text
from gdl.cli.loading import make_game
from gdl.cli.output import Unusable, count
from gdl.diagnostics import did_you_mean, nearest
from gdl.interpreter.bots import BOTS
from gdl.interpreter.errors import BadSave
from gdl.interpreter.game import Game
from gdl.interpreter.state import State
from gdl.interpreter.trial import Trial, TrialMove, check_trial, read_trial, record_trial, write_trial

MOST_DECISIONS: Final = 100_000
"""A match that is longer is broken off."""


@frozen
class Given:
    """What the command line says about the game."""

    players: int | None
    options: dict[str, str]
    seed: int | None


def read_record(path: Path) -> Trial:
    """The record in a file."""
    data = read_json(path)
    try:
        return read_trial(data)
    except BadSave as error:
        raise refused(path, error) from None


def refused(path: Path, error: BadSave) -> Unusable:
    """Why a record can't be played."""
    return Unusable(f"`{path}` can't be played: {error}", error.code)


def choose_game(spec: Spec, trial: Trial | None, given: Given, path: Path | None) -> tuple[Game, int]:
    """The game and the seed: those of the command line, or of the record, which must not contradict it."""
    if trial is None or path is None:
        seed = given.seed if given.seed is not None else secrets.randbits(48)
        return make_game(spec, given.players, given.options), seed
    if trial.game != spec.name:
        raise refused(path, BadSave(f"this record is of the game `{trial.game}`, not of `{spec.name}`"))
    if given.seed is not None and given.seed != trial.seed:
        raise refused(path, BadSave(f"this record has the seed {trial.seed}, not {given.seed}"))
    options = {**trial.options, **given.options} if trial.spec_hash == spec.hash else given.options
    game = make_game(spec, given.players if given.players is not None else trial.players, options)
    try:
        check_trial(game, trial)
    except BadSave as error:
        raise refused(path, error) from None
    return game, trial.seed


def save_record(path: Path, state: State, seed: int, moves: Sequence[TrialMove], *, amid: bool = False) -> None:
    """Write the record of a match, also of one that broke off: what was played can then be played again.

    `amid`: it broke off anywhere, perhaps in the middle of a move, so the state says nothing of a result.
    """
    game = state.game
    if amid:
        trial = Trial(game.name, game.spec_hash, game.players, dict(game.options), seed, tuple(moves), None)
    else:
        trial = record_trial(state, seed, moves)
    write_text(path, json.dumps(write_trial(trial), ensure_ascii=False, indent=1) + "\n")


# --- seats ------------------------------------------------------------------------------------------------------------


def bot_names(text: str, players: int) -> list[str]:
    """A bot for each seat, as `--bots` says: one for all, or as many as there are players."""
    names = [name.strip() for name in text.split(",")]
    for name in names:
        if name not in BOTS:
            near = nearest(name, BOTS)
            cure = did_you_mean(near[:1], f"there are {', '.join(f'`{bot}`' for bot in BOTS)}")
            raise Unusable(f"there is no bot `{name}`", "bad-option", cure)
    if len(names) == 1:
        return names * players
    if len(names) != players:
        raise Unusable(
            f"`--bots` names {len(names)} bots for {count(players, 'player')}",
            "bad-option",
            "name one, or one for each",
        )
    return names


def read_seat(game: Game, text: str) -> int:
    """The seat that a person means: by its name, or by its number, from 0 on as everywhere."""
    wanted = text.strip().casefold()
    names = [game.names.seat(seat) for seat in range(game.players)]
    for seat, name in enumerate(names):
        if wanted in (name.casefold(), str(seat)):
            return seat
    near = nearest(wanted, names)
    cure = did_you_mean(near[:1], f"the seats are {', '.join(names)}")
    raise Unusable(f"there is no seat `{text}`", "bad-option", cure + f"; numbers go from 0 to {game.players - 1}")
