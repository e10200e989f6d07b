"""Spec and scenario files → what is found in them, printed. Stands apart from its options, which are dear to import."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from enum import Enum
from pathlib import Path

from attrs import frozen

from gdl.api import examine_source
from gdl.cli.failures import FAILED, UNUSABLE, report
from gdl.cli.files import SCENARIOS
from gdl.cli.output import wants_color, write_json, write_line, write_problem
from gdl.diagnostics import Diagnostic, Report, Severity
from gdl.load_files import Unreadable, folder_reader, read_source, unreadable_file
from gdl.render import render_json, render_text, summary
from gdl.validators.linter import lint_setups


class Format(Enum):
    """How findings are printed."""

    TEXT = "text"
    JSON = "json"


def lint(specs: Sequence[Path], form: Format = Format.TEXT, *, setup: bool = True) -> int:
    """Print what is found in files and give the exit code."""
    checked = [check(path, setup=setup) for path in dict.fromkeys(specs)]
    findings = [diagnostic for file in checked for diagnostic in file.findings]
    if form is Format.JSON:
        unread = [unreadable_file(str(file.path), file.unreadable) for file in checked if file.unreadable is not None]
        write_json(render_json([*unread, *findings]))
    else:
        _write_text(checked, findings)
    crashes = [report(file.crash) for file in checked if file.crash is not None]
    if crashes:
        return max(crashes)
    if any(file.unreadable is not None for file in checked):
        return UNUSABLE
    return FAILED if any(d.severity is Severity.ERROR for d in findings) else 0


@frozen
class Checked:
    """A file, and what was found in it, or why it can't be read; `crash` is a fault of ours that checking it met."""

    path: Path
    findings: tuple[Diagnostic, ...] = ()
    unreadable: Unreadable | None = None
    crash: Exception | None = None


def check(path: Path, *, setup: bool = True) -> Checked:
    """All findings of a file, by file and place; games are set up only if there are no errors."""
    source = read_source(path, str(path))
    if isinstance(source, Unreadable):
        return Checked(path, (), source)
    found = Report()
    try:
        if path.name.endswith(SCENARIOS):
            from gdl.testing import run_file  # noqa: PLC0415 - what plays scenarios, which not every linted file has

            return Checked(path, tuple(run_file(path, only=lambda _: False).problem))
        spec, found = examine_source(source, folder_reader(path.parent))
        if setup and spec is not None and not found.has_errors:
            found = Report([*found.items, *lint_setups(spec)])
    except Exception as error:  # noqa: BLE001 - a fault of ours must not hide what was found in this file and others
        return Checked(path, tuple(found.sorted()), crash=error)
    return Checked(path, tuple(found.sorted()))


def _write_text(checked: list[Checked], findings: list[Diagnostic]) -> None:
    if findings:
        write_line(render_text(findings, color=wants_color(sys.stdout)))
        write_line()
        write_line((summary(findings), "bold"))
    for file in checked:
        if file.unreadable is not None:
            write_problem(file.unreadable.message, file.unreadable.code, file.unreadable.help)
