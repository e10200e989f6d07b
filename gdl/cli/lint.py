"""`gdl lint`: all that can be said about specs without playing them; `gdl.cli.linting` does it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Final

import typer

from gdl.cli.linting import Format, lint

EXAMPLES: Final = """\b
Examples:
  gdl lint specs/hugo.yaml
  gdl lint specs/*.yaml --format json
"""


def command(
    specs: Annotated[list[Path], typer.Argument(metavar="SPEC…", help="The specs: YAML files.", show_default=False)],
    form: Annotated[Format, typer.Option("--format", "-f", help="Text for people, or a JSON list for programs.")] = Format.TEXT,
    setup: Annotated[bool, typer.Option("--setup/--no-setup", help="Also set up the game for all players and options.")] = True,
) -> int:
    """Check specs without playing them; of scenario files (`*.test.yaml`), that they can be run.

    Shows what is wrong and what looks wrong, with its place and a cure; says nothing if all is well. Warnings do not
    fail.

    Exit codes: 0 without errors, 1 with errors, 2 when a file can't be read.
    """
    return lint(specs, form, setup=setup)
