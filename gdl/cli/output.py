"""How the command line prints: with colour where a person reads along, as plain text in pipes and files.

Nothing here knows what is printed. Rich is imported only when there is something to colour, since it takes as long to
import as a small spec to check.
"""

from __future__ import annotations

import json
import os
import sys
import unicodedata
from typing import Final, TextIO

from gdl.codes import CATALOGUE, label_of

LONGEST_PROBLEM: Final = 1000
"""More characters of a message about the command line are not shown: what is wrong with a text need not be all of it."""
Part = str | tuple[str, str]
"""A stretch of a line: text, or text with a style such as `bold`."""


def wants_color(stream: TextIO) -> bool:
    """Whether a stream gets colour: never with NO_COLOR set, always with FORCE_COLOR, else on a terminal."""
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return stream.isatty() and os.environ.get("TERM") != "dumb"


def write_line(*parts: Part, to: TextIO | None = None) -> None:
    """Write a line, on standard output if no stream is given."""
    stream = sys.stdout if to is None else to
    if stream is not sys.stdout:
        sys.stdout.flush()  # so that both come in order where they go to the same place
    if not wants_color(stream) or all(isinstance(part, str) for part in parts):
        print("".join(part if isinstance(part, str) else part[0] for part in parts), file=stream)
        return
    from rich.console import Console  # noqa: PLC0415 - see the module
    from rich.text import Text  # noqa: PLC0415 - see the module

    console = Console(file=stream, force_terminal=True, highlight=False, soft_wrap=True)
    console.print(Text.assemble(*parts))


def write_json(data: object) -> None:
    """Write data as JSON, with line breaks, on standard output."""
    print(json.dumps(data, ensure_ascii=False, indent=2))


def visible(text: str) -> str:
    """Text of a spec in one line, without what could disturb a terminal."""
    if text.isprintable():
        return text
    return "".join(" " if c in "\t\n\r" else "\ufffd" if unicodedata.category(c) in ("Cc", "Cs") else c for c in text)


# --- mistakes without a place in a spec -------------------------------------------------------------------------------


class Unusable(Exception):
    """Something that a command was given can't be used.

    `code` is a name of the catalogue, or empty; `help` the cure.
    """

    def __init__(self, message: str, code: str = "", help: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.code = code
        self.help = help


def write_problem(message: str, code: str = "", help: str = "") -> None:
    """Say on standard error what can't be used, in the form of diagnostics, less the place."""
    name = f"[{label_of(code)} {code}]" if code in CATALOGUE else ""
    write_line((f"error{name}", "bold red"), (f": {_in_short(visible(message))}", "bold"), to=sys.stderr)
    for line in help.splitlines():
        write_line("  ", ("=", "bold blue"), " ", ("help", "bold"), f": {visible(line)}", to=sys.stderr)
    if name:
        write_line("  ", ("=", "bold blue"), " ", ("note", "bold"), f": gdl explain {label_of(code)}", to=sys.stderr)


def _in_short(text: str) -> str:
    """A message with a very long text in it, less the middle."""
    return text if len(text) <= LONGEST_PROBLEM else f"{text[: LONGEST_PROBLEM // 2]} … {text[-LONGEST_PROBLEM // 2 :]}"


def count(number: int, noun: str) -> str:
    """`1 move`, `2 moves`."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
