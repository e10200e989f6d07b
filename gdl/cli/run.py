"""`gdl run`: play a match to its end, or go on with a recorded one."""

from __future__ import annotations

import json
import secrets
from pathlib import Path
from typing import Annotated, Final

import typer
from attrs import Factory, define, frozen

from gdl.api import Spec
from gdl.cli.failures import FAILED
from gdl.cli.files import check_writable, read_json, write_text
from gdl.cli.loading import Options, Players, Seed, SpecPath, load_spec, make_game, parse_options, whole_number
from gdl.cli.match_log import Event, Narrator, TextLog, event_data, seat_name, write_heading, write_outcome
from gdl.cli.output import Unusable, count, write_json, write_line, write_problem
from gdl.diagnostics import Diagnostic, nearest
from gdl.interpreter.bots import BOTS, Table
from gdl.interpreter.errors import BadSave, GameFault
from gdl.interpreter.game import Game
from gdl.interpreter.state import State
from gdl.interpreter.trial import (
    Trial,
    TrialMove,
    check_result,
    check_trial,
    read_move_of,
    read_trial,
    record_result,
    record_trial,
    write_result,
    write_trial,
)
from gdl.render import render_json

MOST_DECISIONS: Final = 100_000
EXAMPLES: Final = """\b
Examples:
  gdl run specs/hugo.yaml --players 4 --seed 1
  gdl run specs/hugo.yaml --option variant=midnight_party --quiet
  gdl run specs/hugo.yaml --save match.json
  gdl run specs/hugo.yaml --moves match.json
"""


def command(
    spec: SpecPath,
    players: Players = None,
    seed: Seed = None,
    option: Options = None,
    bots: Annotated[
        str,
        typer.Option("--bots", metavar="NAME", help="Who decides: `random` for every seat, or a name for each, with commas."),
    ] = "random",
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Show the result only.")] = False,
    save: Annotated[Path | None, typer.Option("--save", metavar="FILE", help="Write the record of the match.", show_default=False)] = None,
    moves: Annotated[
        Path | None,
        typer.Option("--moves", metavar="FILE", help="Play the moves of a record first, then go on.", show_default=False),
    ] = None,
    limit: Annotated[
        int, typer.Option("--limit", metavar="N", parser=whole_number(1), help="Stop after so many decisions.")
    ] = MOST_DECISIONS,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document instead of text.")] = False,
) -> int:
    """Play a match to its end.

    Bots decide for every seat. The same seed always gives the same match. `--save` keeps its record, from which
    `--moves` plays it again; a record that breaks off is played on.

    Exit codes: 0 when the match has ended, 1 when a rule failed or the limit came first, 2 when something given can't
    be used.
    """
    if save is not None:
        check_writable(save)
    loaded = load_spec(spec)
    trial = _read_trial(moves) if moves is not None else None
    game, used = _choose_game(loaded, trial, Given(players, parse_options(option), seed), moves)
    match = Match(game, used, Table(_bot_names(bots, game.players), used), trial)
    return _play(match, Wishes(quiet, as_json, save, limit, moves))


@frozen
class Given:
    """What the command line says about the game."""

    players: int | None
    options: dict[str, str]
    seed: int | None


@frozen
class Wishes:
    """What the command line says about the rest."""

    quiet: bool
    as_json: bool
    save: Path | None
    limit: int
    moves: Path | None


@define
class Match:
    """A match that is being played: recorded moves first, then those of the bots. `moves` is what has been played."""

    game: Game
    seed: int
    table: Table
    trial: Trial | None
    narrator: Narrator | None = None
    state: State | None = None
    moves: list[TrialMove] = Factory(list)

    def play(self, limit: int) -> None:
        """On to the end, or to the limit.

        Raises BadSave for a recorded move that is not legal, GameFault for a rule that fails.
        """
        state = self.state = self.game.new_state(self.seed)
        recorded = self.trial.moves if self.trial is not None else ()
        while not state.is_terminal() and len(self.moves) < max(limit, len(recorded)):
            self._step(state, recorded)
        if len(recorded) > len(self.moves):
            read_move_of(state, recorded[len(self.moves)], len(self.moves) + 1)
        if self.trial is not None:
            check_result(state, self.trial)

    def _step(self, state: State, recorded: tuple[TrialMove, ...]) -> None:
        number = len(self.moves)
        if number < len(recorded):
            move = read_move_of(state, recorded[number], number + 1)
            self.table.follow(state, move)
        else:
            move = self.table.choose(state)
        if self.narrator is not None:
            self.narrator.move(state, move)
        entry = TrialMove(move.seat, str(move))
        state.apply(move)
        self.moves.append(entry)


# --- what is played ---------------------------------------------------------------------------------------------------


def _read_trial(path: Path) -> Trial:
    data = read_json(path)
    try:
        return read_trial(data)
    except BadSave as error:
        raise _refused(path, error) from None


def _refused(path: Path, error: BadSave) -> Unusable:
    return Unusable(f"`{path}` can't be played: {error}", error.code)


def _choose_game(spec: Spec, trial: Trial | None, given: Given, path: Path | None) -> tuple[Game, int]:
    """The game and the seed: those of the command line, or of the record, which must not contradict it."""
    if trial is None or path is None:
        seed = given.seed if given.seed is not None else secrets.randbits(48)
        return make_game(spec, given.players, given.options), seed
    if trial.game != spec.name:
        raise _refused(path, BadSave(f"this record is of the game `{trial.game}`, not of `{spec.name}`"))
    if given.seed is not None and given.seed != trial.seed:
        raise _refused(path, BadSave(f"this record has the seed {trial.seed}, not {given.seed}"))
    options = {**trial.options, **given.options} if trial.spec_hash == spec.hash else given.options
    game = make_game(spec, given.players if given.players is not None else trial.players, options)
    try:
        check_trial(game, trial)
    except BadSave as error:
        raise _refused(path, error) from None
    return game, trial.seed


def _bot_names(text: str, players: int) -> list[str]:
    names = [name.strip() for name in text.split(",")]
    for name in names:
        if name not in BOTS:
            near = nearest(name, BOTS)
            cure = f"did you mean `{near[0]}`?" if near else f"there are {', '.join(f'`{bot}`' for bot in BOTS)}"
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


# --- playing ----------------------------------------------------------------------------------------------------------


def _play(match: Match, wishes: Wishes) -> int:
    events: list[Event] = []
    if wishes.as_json and not wishes.quiet:
        match.narrator = Narrator(match.game, events.append)
    elif not wishes.as_json and not wishes.quiet:
        match.narrator = Narrator(match.game, TextLog(match.game))
    if not wishes.as_json:
        write_heading(match.game, match.seed)
    fault: GameFault | None = None
    try:
        match.play(wishes.limit)
    except GameFault as error:
        fault = error
    except BadSave as error:
        raise _refused(wishes.moves or Path(), error) from None
    if wishes.save is not None:
        _save(match, wishes.save)
    if wishes.as_json:
        write_json(_as_data(match, None if wishes.quiet else events, fault))
    return _finish(match, fault, silent=wishes.as_json)


def _save(match: Match, path: Path) -> None:
    """Write the record, also of a match that broke off: what was played can then be played again."""
    if match.state is not None:
        trial = record_trial(match.state, match.seed, match.moves)
        write_text(path, json.dumps(write_trial(trial), ensure_ascii=False, indent=1) + "\n")


def _finish(match: Match, fault: GameFault | None, *, silent: bool) -> int:
    played = count(len(match.moves), "decision")
    if fault is not None:
        if not silent:
            write_line(f"\na rule failed after {played}, with the seed {match.seed}:")
        raise fault
    if match.state is None or not match.state.is_terminal():
        write_problem(
            f"the match has not ended after {played} (seed {match.seed})",
            help="if the game can go on without end, give it `limits: {turns: …}`; `--limit` allows more decisions",
        )
        return FAILED
    if not silent:
        write_line(f"\nover after {played}, with the seed {match.seed}:")
        write_outcome(match.game, record_result(match.state))
    return 0


def _as_data(match: Match, events: list[Event] | None, fault: GameFault | None) -> dict[str, object]:
    game, state = match.game, match.state
    data: dict[str, object] = {
        "game": game.name,
        "title": game.title,
        "spec_hash": game.spec_hash,
        "players": game.players,
        "seats": [seat_name(game, seat) for seat in range(game.players)],
        "options": dict(game.options),
        "seed": match.seed,
        "decisions": len(match.moves),
    }
    if events is not None:
        data["events"] = event_data(events)
    is_over = state is not None and state.is_terminal()
    data["result"] = write_result(record_result(state)) if state is not None and is_over else None
    data["fault"] = None if fault is None else _fault_data(fault)
    return data


def _fault_data(fault: GameFault) -> dict[str, object]:
    found = render_json([Diagnostic(fault.code, fault.span, fault.message)])[0]
    return found | {"rules": [{"rule": place.rule, "place": str(place.span)} for place in fault.chain]}
