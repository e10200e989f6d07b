"""Findings as Markdown: a table for each file, for the summary of a build or a comment on a change."""

from __future__ import annotations

from gdl.diagnostics import Diagnostic
from gdl.render import summary
from gdl.validators.results import FileResults, Results


def render(results: Results) -> str:
    """A heading, then a table for each file with findings."""
    parts = [f"### GDL: {summary(list(results.findings))}"]
    parts += [_table(file) for file in results.files if file.findings]
    return "\n\n".join(parts)


def _table(file: FileResults) -> str:
    rows = [f"| {_place(file, finding)} | {finding.severity.value} | {finding.code_label} `{finding.code}` | {_text(finding)} |"
            for finding in file.findings]  # fmt: skip
    return "\n".join([f"**{_escaped(file.name)}**", "", "| place | | code | finding |", "| --- | --- | --- | --- |", *rows])


def _place(file: FileResults, finding: Diagnostic) -> str:
    span = finding.span
    place = f"{span.line}:{span.column}"
    return place if span.source.name == file.name else f"{_escaped(span.source.name)}:{place}"


def _text(finding: Diagnostic) -> str:
    return "<br>".join(_escaped(part) for part in (finding.message, *finding.help.splitlines()) if part)


def _escaped(text: str) -> str:
    """Text that can't end its cell or be read as HTML."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace("|", "\\|").replace("\n", " ")
