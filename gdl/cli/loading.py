"""Paths and options of a command line → a spec and a game, for the commands that play."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Annotated

import typer

from gdl.api import Spec, examine_source, usable
from gdl.cli.output import Unusable
from gdl.diagnostics import did_you_mean
from gdl.interpreter.errors import BadOption
from gdl.interpreter.game import Game
from gdl.interpreter.trial import LARGEST_SEED
from gdl.load_files import Unreadable, folder_reader, read_source
from gdl.values import read_whole


def whole_number(low: int, high: int | None = None) -> Callable[[str | int], int]:
    """A reader of a number on the command line, from `low` to `high`."""
    bounds = f"from {low} to {high}" if high is not None else f"from {low} on"

    def read(text: str | int) -> int:
        number = read_whole(str(text).strip())
        if number is not None and number >= low and (high is None or number <= high):
            return number
        raise typer.BadParameter(f"`{text}` is no whole number {bounds}")

    return read


def given_path(text: str | Path) -> Path:
    """A path of the command line. An empty one, as an unset variable of a script leaves, would mean the working directory."""
    if text == "":
        raise typer.BadParameter("a path is empty", param_hint="PATH")
    return Path(text)


SpecPath = Annotated[Path, typer.Argument(metavar="SPEC", help="The spec: a YAML file.", show_default=False)]
Players = Annotated[
    int | None,
    typer.Option(
        "--players",
        "-p",
        metavar="N",
        parser=whole_number(1),
        help="Number of players; the fewest, if left out.",
        show_default=False,
    ),
]
Options = Annotated[
    list[str] | None,
    typer.Option("--option", "-o", metavar="NAME=VALUE", help="Sets an option of the spec; can be repeated.", show_default=False),
]
Seed = Annotated[
    int | None,
    typer.Option(
        "--seed",
        "-s",
        metavar="S",
        parser=whole_number(0, LARGEST_SEED),
        help="Decides all chance; a fresh one, if left out.",
        show_default=False,
    ),
]
Values = Mapping[str, str | int | bool]


def load_spec(path: Path) -> Spec:
    """The spec in a file. Raises Unusable if there is none, SpecError with all that is wrong in it."""
    source = read_source(path, str(path))
    if isinstance(source, Unreadable):
        raise Unusable(source.message, source.code, source.help)
    spec, report = examine_source(source, folder_reader(path.parent))
    return usable(spec, report)


def parse_options(given: Sequence[str] | None) -> dict[str, str]:
    """`--option name=value …` as a map."""
    found: dict[str, str] = {}
    for text in given or ():
        name, equals, value = text.partition("=")
        name = name.strip()
        if not equals or not name:
            raise Unusable(f"`--option {text}` sets nothing", "bad-option", "write it as `--option name=value`")
        if found.get(name, value.strip()) != value.strip():
            raise Unusable(f"the option `{name}` is given two values, `{found[name]}` and `{value.strip()}`", "bad-option")
        found[name] = value.strip()
    return found


def make_game(spec: Spec, players: int | None, options: Values) -> Game:
    """The game for these players and options.

    Raises Unusable for what the spec does not allow, SpecError where it can't be set up so.
    """
    try:
        return spec.game(players, options)
    except BadOption as error:
        raise Unusable(error.message, error.code, _cure(spec, error)) from None


def _cure(spec: Spec, error: BadOption) -> str:
    unknown = "has no option" in error.message and spec.options
    return did_you_mean(error.suggestions, "its options are " + ", ".join(f"`{name}`" for name in spec.options) if unknown else "")
