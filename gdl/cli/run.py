"""`gdl run`: play a match to its end, or go on with a recorded one."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Final

import typer
from attrs import Factory, define, frozen

from gdl.cli.failures import FAILED
from gdl.cli.files import check_writable
from gdl.cli.loading import Options, Players, Seed, SpecPath, load_spec, parse_options, whole_number
from gdl.cli.match_log import Event, Narrator, Sink, TextLog, event_data, seat_name, write_heading, write_outcome
from gdl.cli.output import Unusable, count, write_json, write_line, write_problem
from gdl.cli.picture import screen_width, write_lines
from gdl.cli.records import MOST_DECISIONS, Given, bot_names, choose_game, read_record, read_seat, refused, save_record
from gdl.cli.seat_log import Account, SeatNarrator
from gdl.diagnostics import Diagnostic
from gdl.interpreter.bots import Table
from gdl.interpreter.drawing import Drawer
from gdl.interpreter.errors import BadSave, GameFault
from gdl.interpreter.game import Game
from gdl.interpreter.knowledge import Knowledge
from gdl.interpreter.state import State
from gdl.interpreter.tracing import Tracer
from gdl.interpreter.trial import Trial, TrialMove, check_result, read_move_of, record_result, write_result
from gdl.render import render_json
from gdl.values import portable

EXAMPLES: Final = """\b
Examples:
  gdl run specs/hugo.yaml --players 4 --seed 1
  gdl run specs/hugo.yaml --option variant=midnight_party --quiet
  gdl run specs/hugo.yaml --save match.json
  gdl run specs/hugo.yaml --moves match.json
  gdl run specs/hugo.yaml --bots greedy,random --players 2
  gdl run specs/hugo.yaml --view 2
"""


def command(
    spec: SpecPath,
    players: Players = None,
    seed: Seed = None,
    option: Options = None,
    bots: Annotated[
        str,
        typer.Option("--bots", metavar="NAME", help="Who decides: `random`, `greedy`, or a name for each seat, with commas."),
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
    view: Annotated[
        str | None,
        typer.Option(
            "--view", metavar="SEAT", help="Show only what a seat may know: its name, or its number from 0 on.", show_default=False
        ),
    ] = None,
    trace: Annotated[bool, typer.Option("--trace", help="Name every rule and trigger that runs, with its place.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document instead of text.")] = False,
) -> int:
    """Play a match to its end.

    Bots decide for every seat. The same seed always gives the same match. `--save` keeps its record, from which
    `--moves` plays it again; a record that breaks off is played on. `--view` leaves out or hides what a seat can't see,
    and shows the table as the seat sees it at the end.

    Exit codes: 0 when the match has ended, 1 when a rule failed or the limit came first, 2 when something given can't
    be used.
    """
    if trace and (quiet or view is not None):
        other = "--quiet" if quiet else "--view"
        raise Unusable(
            f"`--trace` does not go with `{other}`", "bad-option", "a trace belongs to the whole log, with what no seat may know"
        )
    if save is not None:
        check_writable(save)
    loaded = load_spec(spec)
    trial = read_record(moves) if moves is not None else None
    game, used = choose_game(loaded, trial, Given(players, parse_options(option), seed), moves)
    match = Match(game, used, Table(bot_names(bots, game.players), used), trial)
    seat = None if view is None else read_seat(game, view)
    return _play(match, Wishes(quiet, as_json, save, limit, moves, seat, trace))


@frozen
class Wishes:
    """What the command line says about the rest."""

    quiet: bool
    as_json: bool
    save: Path | None
    limit: int
    moves: Path | None
    view: int | None
    trace: bool


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

    def save_what_there_is(self, path: Path | None) -> None:
        """Keep a match that is broken off from outside, unless a record that is played again has more than that."""
        recorded = self.trial.moves if self.trial is not None else ()
        if path is not None and self.state is not None and len(self.moves) >= len(recorded):
            save_record(path, self.state, self.seed, self.moves, amid=True)


# --- playing ----------------------------------------------------------------------------------------------------------


def _play(match: Match, wishes: Wishes) -> int:
    events: list[Event] = []
    if not wishes.quiet:
        match.narrator = _narrator(match.game, wishes, events.append if wishes.as_json else TextLog(match.game))
    if not wishes.as_json:
        write_heading(match.game, match.seed)
    fault: GameFault | None = None
    try:
        match.play(wishes.limit)
    except GameFault as error:
        fault = error
    except BadSave as error:
        raise refused(wishes.moves or Path(), error) from None
    except (KeyboardInterrupt, BrokenPipeError):
        match.save_what_there_is(wishes.save)
        raise
    if match.narrator is not None and match.state is not None:
        match.narrator.finish(match.state)
    if wishes.save is not None and match.state is not None:
        save_record(wishes.save, match.state, match.seed, match.moves)
    if wishes.as_json:
        write_json(_as_data(match, None if wishes.quiet else events, fault, wishes.view))
    elif wishes.view is not None and match.state is not None:
        write_line()
        write_lines(Drawer(match.game).draw(match.state, wishes.view, screen_width()))
    return _finish(match, fault, silent=wishes.as_json)


def _narrator(game: Game, wishes: Wishes, sink: Sink) -> Narrator:
    """Who tells what happens: all of it, with the rules that ran if they are wanted, or what a seat may know."""
    if wishes.view is not None:
        return SeatNarrator(game, [Account(wishes.view, Knowledge(game), sink)])
    narrator = Narrator(game, sink)
    if wishes.trace:
        Tracer(game, narrator.rule)
    return narrator


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
        write_outcome(match.state)
    return 0


def _as_data(match: Match, events: list[Event] | None, fault: GameFault | None, view: int | None) -> dict[str, object]:
    game, state = match.game, match.state
    data: dict[str, object] = {
        "game": game.name,
        "title": game.title,
        "spec_hash": game.spec_hash,
        "players": game.players,
        "seats": [seat_name(game, seat) for seat in range(game.players)],
        "options": dict(game.options),
        "seed": portable(match.seed),
        "decisions": len(match.moves),
    }
    if events is not None:
        data["events"] = event_data(events)
    if view is not None and state is not None:
        data["observation"] = dict(state.observation(view))
    is_over = state is not None and state.is_terminal()
    data["result"] = write_result(record_result(state)) if state is not None and is_over else None
    data["fault"] = None if fault is None else _fault_data(fault)
    return data


def _fault_data(fault: GameFault) -> dict[str, object]:
    found = render_json([Diagnostic(fault.code, fault.span, fault.message)])[0]
    return found | {"rules": [{"rule": place.rule, "place": str(place.span)} for place in fault.chain]}
