"""Trials: the record of a match as data, and back. The form is documented in `docs/files.md`.

A trial holds the game, its players and options, the seed and every move, so that playing it again gives the same
states. Reading and writing files is not done here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from attrs import frozen

from gdl.interpreter.errors import BadSave, IllegalMove
from gdl.interpreter.game import Game
from gdl.interpreter.moves import Move
from gdl.interpreter.state import State
from gdl.load_context import shortened
from gdl.model import option_text
from gdl.values import portable, read_whole

FORMAT: Final = "gdl-trial/1"
LARGEST_SEED: Final = (1 << 64) - 1
Options = Mapping[str, str | int | bool]


@frozen
class TrialMove:
    """One move of a match: whose it was, and its text."""

    seat: int
    move: str


@frozen
class TrialResult:
    """How a match ended. `hash` is that of the last state, as 16 hexadecimal digits."""

    winners: tuple[int, ...]
    ranking: tuple[tuple[int, ...], ...]
    scores: tuple[Mapping[str, int], ...]
    hash: str


@frozen
class Trial:
    """The record of a match, or of its beginning; `result` is there once the match has ended."""

    game: str
    spec_hash: str
    players: int
    options: Options
    seed: int
    moves: tuple[TrialMove, ...]
    result: TrialResult | None = None


# --- recording --------------------------------------------------------------------------------------------------------


def record_trial(state: State, seed: int, moves: Sequence[TrialMove]) -> Trial:
    """The record of a match that began with `seed` and came to `state` by `moves`."""
    game = state.game
    result = record_result(state) if state.is_terminal() else None
    return Trial(game.name, game.spec_hash, game.players, dict(game.options), seed, tuple(moves), result)


def record_result(state: State) -> TrialResult:
    """How a match stands, in the words of a record."""
    return TrialResult(state.winners(), state.ranking(), tuple(state.score_parts()), f"{state.hash():016x}")


def replay(game: Game, trial: Trial, watch: Callable[[State, Move], None] | None = None) -> State:
    """The state to which a trial leads.

    `watch` is told of every move before it is carried out. Raises BadSave if the trial is of another game, has a move
    that is not legal, or ends otherwise than it says; GameFault if a rule fails.
    """
    check_trial(game, trial)
    state = game.new_state(trial.seed)
    for number, entry in enumerate(trial.moves, start=1):
        move = read_move_of(state, entry, number)
        if watch is not None:
            watch(state, move)
        state.apply(move)
    check_result(state, trial)
    return state


def check_trial(game: Game, trial: Trial) -> None:
    """Raise BadSave, saying what differs, unless the trial is of this very game."""
    if trial.game != game.name:
        raise BadSave(f"this record is of the game `{shortened(trial.game)}`, not of `{game.name}`")
    if trial.spec_hash != game.spec_hash:
        theirs = shortened(trial.spec_hash)
        raise BadSave(f"this record was made with another version of the spec: its hash is {theirs}, not {game.spec_hash}")
    if trial.players != game.players:
        raise BadSave(f"this record has {trial.players} players, not {game.players}")
    for name in sorted({*trial.options, *game.options}):
        kept, wanted = trial.options.get(name), game.options.get(name)
        if kept != wanted or isinstance(kept, bool) is not isinstance(wanted, bool):
            raise BadSave(f"this record was made with the option {name}={_shown(kept)}, not {name}={_shown(wanted)}")


def read_move_of(state: State, entry: TrialMove, number: int) -> Move:
    """The legal move that an entry of a record means; `number` counts from 1.

    Raises BadSave, with the entry's place.
    """
    where = f"move {number} of the record, `{shortened(entry.move)}` by seat {shortened(str(entry.seat))},"
    if state.is_terminal():
        raise BadSave(f"{where} comes after the end of the match")
    if entry.seat not in state.deciders():
        seats = " or ".join(str(seat) for seat in state.deciders())
        raise BadSave(f"{where} is out of order: seat {seats} decides there")
    try:
        return state.parse_move(f"{entry.seat}: {entry.move}")
    except IllegalMove as error:
        raise BadSave(f"{where} can't be played: {error}") from None


def check_result(state: State, trial: Trial) -> None:
    """Raise BadSave if a trial with a result did not lead to it."""
    if trial.result is None:
        return
    if not state.is_terminal():
        raise BadSave("this record has a result, but its moves do not end the match")
    reached = f"{state.hash():016x}"
    if trial.result.hash and trial.result.hash != reached:
        raise BadSave(f"this record ends in another situation than its moves lead to: its hash is {trial.result.hash}, not {reached}")


# --- data -------------------------------------------------------------------------------------------------------------


def write_trial(trial: Trial) -> dict[str, Any]:
    """A trial as data for JSON."""
    data: dict[str, Any] = {
        "format": FORMAT,
        "game": trial.game,
        "spec_hash": trial.spec_hash,
        "players": trial.players,
        "options": dict(trial.options),
        "seed": portable(trial.seed),
        "moves": [{"seat": entry.seat, "move": entry.move} for entry in trial.moves],
    }
    if trial.result is not None:
        data["result"] = write_result(trial.result)
    return data


def write_result(result: TrialResult) -> dict[str, Any]:
    """A result as data for JSON."""
    return {
        "winners": list(result.winners),
        "ranking": [list(seats) for seats in result.ranking],
        "scores": [{name: portable(score) for name, score in parts.items()} for parts in result.scores],
        "hash": result.hash,
    }


def read_trial(data: object) -> Trial:
    """The trial that `write_trial` made data of. Raises BadSave, naming the entry that is wrong."""
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise BadSave(f"this is no record of a match: `format` should be {FORMAT}")
    options = data.get("options", {})
    if not isinstance(options, dict) or not all(isinstance(value, str | int | bool) for value in options.values()):
        raise BadSave("this record is broken: `options` should be a map from names to values")
    moves = data.get("moves")
    if not isinstance(moves, list):
        raise BadSave("this record is broken: `moves` should be a list")
    entries = tuple(_read_entry(entry, index) for index, entry in enumerate(moves))
    result = _read_result(data["result"]) if data.get("result") is not None else None
    return Trial(
        _text(data, "game"),
        _text(data, "spec_hash"),
        _number(data, "players"),
        options,
        _read_seed(data),
        entries,
        result,
    )


def _read_entry(entry: object, index: int) -> TrialMove:
    where = f"moves[{index}]"
    if not isinstance(entry, dict):
        raise BadSave(f"this record is broken: `{where}` should be a map with `seat` and `move`")
    return TrialMove(_number(entry, "seat", f"{where}."), _text(entry, "move", f"{where}."))


def _read_seed(data: Mapping[str, object]) -> int:
    seed = data.get("seed")
    if isinstance(seed, str):
        seed = read_whole(seed)
    if isinstance(seed, bool) or not isinstance(seed, int) or not 0 <= seed <= LARGEST_SEED:
        raise BadSave("this record is broken: `seed` should be a number from 0 to 2^64 - 1")
    return seed


def _read_result(data: object) -> TrialResult:
    """A result; of its entries only the hash has a meaning when the match is played again."""
    broken = BadSave("this record is broken: `result` should hold `winners`, `ranking`, `scores` and `hash`")
    if not isinstance(data, dict):
        raise broken
    winners, ranking, scores, digest = (data.get(key, missing) for key, missing in _RESULT)
    if not isinstance(winners, list) or not isinstance(ranking, list) or not isinstance(scores, list):
        raise broken
    if not isinstance(digest, str) or not all(isinstance(seats, list) for seats in ranking):
        raise broken
    if not all(isinstance(parts, dict) for parts in scores):
        raise broken
    return TrialResult(tuple(winners), tuple(tuple(seats) for seats in ranking), tuple(scores), digest)


_RESULT: Final[tuple[tuple[str, object], ...]] = (("winners", []), ("ranking", []), ("scores", []), ("hash", ""))


def _text(data: Mapping[str, object], key: str, prefix: str = "") -> str:
    value = data.get(key)
    if not isinstance(value, str):
        raise BadSave(f"this record is broken: `{prefix}{key}` should be text")
    return value


def _number(data: Mapping[str, object], key: str, prefix: str = "") -> int:
    value = data.get(key)
    if isinstance(value, bool) or not isinstance(value, int):
        raise BadSave(f"this record is broken: `{prefix}{key}` should be a number")
    return value


def _shown(value: str | int | bool | None) -> str:
    """An option's value as the command line takes it."""
    return "…" if value is None else option_text(value)
