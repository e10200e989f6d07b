"""`gdl play`: people play at the keyboard, against bots or with each other."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Final

import typer

from gdl.cli.files import check_writable
from gdl.cli.loading import Options, Players, Seed, SpecPath, load_spec, parse_options
from gdl.cli.records import Given, bot_names, choose_game, read_record, read_seat, refused
from gdl.cli.sitting import Sitting
from gdl.interpreter.errors import BadSave

EXAMPLES: Final = """\b
Examples:
  gdl play specs/classics/othello.yaml
  gdl play specs/hugo.yaml --players 4 --seat 2
  gdl play specs/classics/kalah.yaml --seat north --seat south
  gdl play specs/hugo.yaml --save match.json
  gdl play specs/hugo.yaml --resume match.json
"""


def command(
    spec: SpecPath,
    players: Players = None,
    seat: Annotated[
        list[str] | None,
        typer.Option(
            "--seat",
            metavar="SEAT",
            help="A seat that a person has: its name, or its number from 0 on; can be repeated. The first, if left out.",
            show_default=False,
        ),
    ] = None,
    seed: Seed = None,
    option: Options = None,
    bots: Annotated[
        str,
        typer.Option("--bots", metavar="NAME", help="Who decides for the other seats: one for all, or a name for each seat, with commas."),
    ] = "random",
    save: Annotated[
        Path | None,
        typer.Option("--save", metavar="FILE", help="Write the record of the match when it ends or breaks off.", show_default=False),
    ] = None,
    resume: Annotated[
        Path | None, typer.Option("--resume", metavar="FILE", help="Go on with a record that broke off.", show_default=False)
    ] = None,
) -> int:
    """Play at the keyboard.

    Shows the table as your seat sees it and lists your moves; type a number, a move, words that narrow the list, or
    `help`. Where several people play a game with hidden information, nobody sees what is not theirs.

    Exit codes: 0 when the match has ended or you leave, 1 when a rule failed, 2 when something given can't be used.
    """
    if save is not None:
        check_writable(save)
    loaded = load_spec(spec)
    trial = read_record(resume) if resume is not None else None
    game, used = choose_game(loaded, trial, Given(players, parse_options(option), seed), resume)
    people = sorted({read_seat(game, text) for text in seat or ["0"]})
    sitting = Sitting(game, used, people, bot_names(bots, game.players), save, str(spec))
    if trial is not None and resume is not None:
        try:
            sitting.resume(trial)
        except BadSave as error:
            raise refused(resume, error) from None
    return sitting.play()
