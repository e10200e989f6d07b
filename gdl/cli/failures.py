"""What stops a command → words on standard error, and the exit code."""

from __future__ import annotations

import os
import sys
import traceback
from collections.abc import Iterable
from typing import Final

from gdl.cli.output import Unusable, count, visible, wants_color, write_line, write_problem
from gdl.diagnostics import Diagnostic, SpecError
from gdl.interpreter.errors import BadOption, BadSave, GameFault, IllegalMove
from gdl.render import render_diagnostic, render_text

FAILED: Final = 1
"""Something was tried and did not go well: a fault while playing, a test, an error found."""
UNUSABLE: Final = 2
"""A spec, an option or a file that can't be used."""
OUR_FAULT: Final = 3
"""Something that must not happen."""
INTERRUPTED: Final = 130
"""Somebody has broken it off; a shell makes this of the signal."""
SHOWN: Final = 20
"""How many errors of a spec are shown in full; `gdl lint` shows them all."""


def report(error: Exception) -> int:
    """Say what stopped a command, and give the exit code."""
    match error:
        case Unusable():
            write_problem(error.message, error.code, error.help)
        case SpecError():
            _report_spec(error.diagnostics)
        case GameFault():
            write_fault(error)
            return FAILED
        case BadOption() | BadSave() | IllegalMove():
            write_problem(str(error), error.code)
        case OSError():
            what = f"`{error.filename}` can't be used" if error.filename else "the output can't be written"
            write_problem(f"{what}: {(error.strerror or str(error)).lower()}")
            return FAILED
        case _:
            _report_our_fault(error)
            return OUR_FAULT
    return UNUSABLE


def write_fault(fault: GameFault) -> None:
    """Say which rule failed while a game ran, where, and which rules led there."""
    finding = Diagnostic(fault.code, fault.span, fault.message)
    write_line(render_diagnostic(finding, color=wants_color(sys.stderr)), to=sys.stderr)
    if fault.chain:
        write_line("the rules at work, the outermost first:", to=sys.stderr)
    for place in fault.chain:
        write_line(f"  {visible(place.rule)}  ", (f"({place.span})", "dim"), to=sys.stderr)


def _report_spec(diagnostics: Iterable[Diagnostic]) -> None:
    found = list(diagnostics)
    write_line(render_text(found, color=wants_color(sys.stderr), limit=SHOWN), to=sys.stderr)
    write_line("", to=sys.stderr)
    what = "configuration" if all(item.code == "bad-config" for item in found) else "spec"
    write_line((f"the {what} can't be used: {count(len(found), 'error')}", "bold"), to=sys.stderr)


def _report_our_fault(error: Exception) -> None:
    if os.environ.get("GDL_DEBUG"):
        write_line("".join(traceback.format_exception(error)).rstrip(), to=sys.stderr)
    text = visible(str(error).split("\n", 1)[0])
    write_line(("error", "bold red"), (f": gdl itself has failed ({type(error).__name__}: {text})", "bold"), to=sys.stderr)
    write_line("  this is a fault of gdl, not of your files; please report it", to=sys.stderr)
    if not os.environ.get("GDL_DEBUG"):
        write_line("  with GDL_DEBUG=1 in the environment, the same command shows where it happened", to=sys.stderr)
