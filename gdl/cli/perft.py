"""`gdl perft`: count the sequences of moves of each length."""

from __future__ import annotations

from enum import Enum
from pathlib import Path
from typing import Annotated, Final

import typer
from attrs import frozen

from gdl.api import Spec
from gdl.cli.files import read_json
from gdl.cli.loading import Options, Players, SpecPath, load_spec, make_game, parse_options, whole_number
from gdl.cli.output import Unusable, write_json, write_line
from gdl.interpreter.errors import BadSave
from gdl.interpreter.perft import Level, divide, perft
from gdl.interpreter.state import State
from gdl.interpreter.trial import LARGEST_SEED
from gdl.testing import given_state


class Unit(Enum):
    """What adds one to the length of a sequence."""

    DECISION = "decision"
    TURN = "turn"


EXAMPLES: Final = """\b
Examples:
  gdl perft specs/classics/othello.yaml --depth 5
  gdl perft specs/classics/english_draughts.yaml --depth 4 --per turn --divide
"""


def command(
    spec: SpecPath,
    depth: Annotated[
        int,
        typer.Option("--depth", "-d", metavar="D", parser=whole_number(1, 200), help="The greatest length.", show_default=False),
    ],
    players: Players = None,
    option: Options = None,
    state: Annotated[
        Path | None,
        typer.Option("--state", metavar="FILE", help="Begin at a saved state, or at `given:` of a scenario.", show_default=False),
    ] = None,
    scenario: Annotated[
        str | None,
        typer.Option("--scenario", metavar="NAME", help="Which scenario of the file; its first, if left out.", show_default=False),
    ] = None,
    per: Annotated[Unit, typer.Option("--per", help="Count single decisions, or whole turns.")] = Unit.DECISION,
    show_divide: Annotated[bool, typer.Option("--divide", help="Also show the count behind each first move.")] = False,
    fast: Annotated[
        bool,
        typer.Option("--fast", help="Don't try the last moves: leaves out how many of the greatest length end the game."),
    ] = False,
    seed: Annotated[
        int | None,
        typer.Option(
            "--seed",
            "-s",
            metavar="S",
            parser=whole_number(0, LARGEST_SEED),
            help="Draw what chance brings before the first decision, instead of counting all of it.",
            show_default=False,
        ),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")] = False,
) -> int:
    """Count the sequences of moves of each length, and those that end the game.

    Outcomes of chance multiply the sequences and add no length. With `--per turn` all that a seat decides in one turn
    counts as one: a multiple jump is one move.
    """
    if scenario is not None and (state is None or state.suffix == ".json"):
        raise Unusable("`--scenario` names a scenario of the file that `--state` gives", help="add `--state FILE.test.yaml`")
    start = _start(load_spec(spec), Start(players, parse_options(option), state, scenario, seed))
    per_turn = per is Unit.TURN
    levels = perft(start, depth, per_turn=per_turn, last_ended=not fast)
    parts = divide(start, depth, per_turn=per_turn) if show_divide else ()
    if as_json:
        write_json(_as_data(start, per, levels, parts if show_divide else None, is_fast=fast))
        return 0
    if show_divide:
        _write_parts(parts, depth)
    _write_levels(levels, is_fast=fast)
    return 0


@frozen
class Start:
    """What the command line says about where to begin."""

    players: int | None
    options: dict[str, str]
    file: Path | None
    scenario: str | None
    seed: int | None


def _start(spec: Spec, start: Start) -> State:
    """The state to begin at; chance is explicit from here on."""
    if start.file is None:
        game = make_game(spec, start.players, start.options)
        if start.seed is None:
            return game.new_state(explicit_chance=True)
        state = game.new_state(start.seed)
    elif start.file.suffix == ".json":
        state = _saved_state(spec, start, start.file)
    else:
        state = _scenario_state(spec, start, start.file)
    state.explicit = True
    return state


def _saved_state(spec: Spec, start: Start, path: Path) -> State:
    data = read_json(path)
    saved = data if isinstance(data, dict) else {}
    players, options = saved.get("players"), saved.get("options")
    known = saved.get("spec_hash") == spec.hash and isinstance(players, int) and isinstance(options, dict)
    game = make_game(
        spec,
        start.players if start.players is not None or not known else players,
        {**options, **start.options} if known and isinstance(options, dict) else start.options,
    )
    try:
        return game.state_from_json(saved)
    except BadSave as error:
        raise Unusable(f"`{path}` can't be used: {error}", error.code) from None


def _scenario_state(spec: Spec, start: Start, path: Path) -> State:
    state = given_state(path, start.scenario)
    game = state.game
    if game.spec_hash != spec.hash:
        raise Unusable(f"`{path}` is about another spec", "bad-scenario")
    wanted = make_game(spec, start.players if start.players is not None else game.players, {**game.options, **start.options})
    if (wanted.players, wanted.options) != (game.players, game.options):
        raise Unusable(f"the scenario in `{path}` has other players or options", "bad-scenario")
    return state


# --- results ----------------------------------------------------------------------------------------------------------


def _write_levels(levels: tuple[Level, ...], *, is_fast: bool) -> None:
    rows = [("length", "sequences", "ended")]
    rows += [(str(level.length), f"{level.sequences:,}", f"{level.ended:,}") for level in levels]
    if is_fast:
        rows[-1] = (*rows[-1][:2], "?")
    widths = [max(len(row[column]) for row in rows) for column in range(3)]
    for number, row in enumerate(rows):
        line = "  ".join(text.rjust(width) for text, width in zip(row, widths, strict=True))
        write_line((line, "bold") if number == 0 else line)
    finished = sum(level.ended for level in levels)
    if finished:
        write_line(f"\nfinished games: {finished:,}")


def _write_parts(parts: tuple[tuple[str, int], ...], depth: int) -> None:
    width = max((len(f"{number:,}") for _, number in parts), default=0)
    write_line((f"sequences of length {depth} by their beginning:", "bold"))
    for text, number in parts:
        write_line(f"  {f'{number:,}'.rjust(width)}  {text}")
    write_line()


def _as_data(
    start: State, per: Unit, levels: tuple[Level, ...], parts: tuple[tuple[str, int], ...] | None, *, is_fast: bool
) -> dict[str, object]:
    game = start.game
    rows: list[dict[str, int | None]] = [{"length": level.length, "sequences": level.sequences, "ended": level.ended} for level in levels]
    if is_fast:
        rows[-1]["ended"] = None
    data: dict[str, object] = {
        "game": game.name,
        "spec_hash": game.spec_hash,
        "players": game.players,
        "options": dict(game.options),
        "per": per.value,
        "levels": rows,
        "finished": sum(level.ended for level in levels),
    }
    if parts is not None:
        data["divide"] = [{"begins": text, "sequences": number} for text, number in parts]
    return data
