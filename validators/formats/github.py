"""Findings as workflow commands, which GitHub Actions shows beside the lines of a change.

The commands and what has to be escaped in them: GitHub's documentation of workflow commands.
"""

from __future__ import annotations

from typing import Final

from gdl.diagnostics import Diagnostic
from gdl.validators.results import Results

_COMMANDS: Final = {"error": "error", "warning": "warning", "note": "notice"}


def render(results: Results) -> str:
    """A command a line."""
    return "\n".join(_command(finding) for finding in results.findings)


def _command(finding: Diagnostic) -> str:
    span = finding.span
    place = {
        "file": span.source.name,
        "line": str(span.line),
        "endLine": str(span.end_line),
        "title": f"{finding.code_label} {finding.code}",
    }
    if span.line == span.end_line:  # columns are only understood within one line
        place |= {"col": str(span.column), "endColumn": str(span.end_column)}
    properties = ",".join(f"{key}={_escaped(value, more=True)}" for key, value in place.items())
    message = "\n".join(part for part in (finding.message, finding.help) if part)
    return f"::{_COMMANDS[finding.severity.value]} {properties}::{_escaped(message)}"


def _escaped(text: str, *, more: bool = False) -> str:
    """Text without what would end a command; `more` for properties, which commas and colons end too."""
    text = text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
    return text.replace(":", "%3A").replace(",", "%2C") if more else text
