"""`gdl explain`: what a diagnostic code means."""

from __future__ import annotations

import textwrap
from typing import Annotated, Final

import typer

from gdl.cli.output import Unusable, write_line
from gdl.codes import Code
from gdl.diagnostics import did_you_mean, nearest
from gdl.validators.catalogue import ALL_CODES, entry_of

WIDTH = 100
EXAMPLES: Final = """\b
Examples:
  gdl explain GDL203
  gdl explain unknown-name
"""


def command(
    code: Annotated[
        str | None,
        typer.Argument(metavar="CODE", help="A code such as GDL203, or its name; all are listed, if left out.", show_default=False),
    ] = None,
) -> int:
    """Explain a code of a message."""
    if code is None:
        for entry in ALL_CODES:
            write_line((entry.label, "bold"), f"  {entry.name:20} {entry.title}")
        return 0
    entry = _find(code)
    write_line((f"{entry.label} {entry.name}", "bold"))
    write_line(entry.title)
    write_line()
    for paragraph in entry.explanation.split("\n\n"):
        write_line(textwrap.fill(paragraph, WIDTH, break_on_hyphens=False, break_long_words=False))
    return 0


def _find(text: str) -> Code:
    """The entry that a label, a number or a name means."""
    wanted = text.strip().casefold().removeprefix("error[").rstrip("]").replace("_", "-")
    named = entry_of(wanted)
    if named is not None:
        return named
    digits = wanted.removeprefix("gdl")
    if digits.isascii() and digits.isdigit() and len(digits) < 6:
        for code in ALL_CODES:
            if code.number == int(digits):
                return code
    near = nearest(wanted, [*(code.name for code in ALL_CODES), *(code.label.casefold() for code in ALL_CODES)])
    words = [word.upper() if word.startswith("gdl") else word for word in near]
    cure = did_you_mean(words, "`gdl explain` lists all codes")
    raise Unusable(f"there is no code `{text}`", help=cure)
