"""`gdl lint`: all that can be said about specs without playing them; `gdl.cli.linting` does it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Final

import typer

from gdl.cli.linting import Asked, Fixing, lint
from gdl.cli.loading import given_path
from gdl.validators.formats import FORMATS

EXAMPLES: Final = """\b
Examples:
  gdl lint specs/hugo.yaml
  gdl lint specs --format sarif > gdl.sarif
  gdl lint specs --select unused-option,GDL32 --fail-level warning
  gdl lint games --fix
  gdl lint - --stdin-filename specs/hugo.yaml < changed.yaml
"""


def command(
    specs: Annotated[
        list[Path],
        typer.Argument(
            metavar="SPEC…",
            parser=given_path,
            help="Specs, scenarios, or folders of them; `-` is standard input.",
            show_default=False,
        ),
    ],
    form: Annotated[str, typer.Option("--format", "-f", help=f"One of {', '.join(FORMATS)}.")] = "text",
    select: Annotated[list[str] | None, typer.Option("--select", help="Only these rules: names, codes, or beginnings of codes.")] = None,
    ignore: Annotated[list[str] | None, typer.Option("--ignore", help="Not these rules.")] = None,
    severity: Annotated[str | None, typer.Option("--severity", help="Show only what is at least this bad: error, warning, note.")] = None,
    fail_level: Annotated[str | None, typer.Option("--fail-level", help="Exit with 1 from this severity on; error if left out.")] = None,
    config: Annotated[Path | None, typer.Option("--config", help="A configuration instead of the nearest one.", show_default=False)] = None,
    setup: Annotated[bool, typer.Option("--setup/--no-setup", help="Also set up the game for all players and options.")] = True,
    stdin_filename: Annotated[
        str | None, typer.Option("--stdin-filename", help="What `-` is called, and where its includes are.", show_default=False)
    ] = None,
    fix: Annotated[bool, typer.Option("--fix", help="Mend what has a certain cure: one near name, comments that silence nothing.")] = False,
    diff: Annotated[bool, typer.Option("--diff", help="Only show what `--fix` would change.")] = False,
    only_gdl: Annotated[bool, typer.Option("--only-gdl", help="Pass over named files that are neither specs nor scenarios.")] = False,
) -> int:
    """Check specs without playing them; of scenario files (`*.test.yaml`), that they can be run.

    Shows what is wrong and what looks wrong, with its place and a cure; says nothing if all is well. Warnings do not
    fail.

    Exit codes: 0 without errors, 1 with errors, 2 when a file or option can't be used.
    """
    asked = Asked(config, select or (), ignore or (), severity, fail_level)
    return lint(specs, asked, form, setup=setup, stdin_filename=stdin_filename, fixing=Fixing(fix, diff), only_gdl=only_gdl)
