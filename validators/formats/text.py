"""Findings for people: excerpts with carets, and a count at the end; nothing at all if nothing was found."""

from __future__ import annotations

from gdl.render import render_text, summary
from gdl.validators.results import Results


def render(results: Results) -> str:
    """The text, without a line break at its end."""
    findings = list(results.findings)
    if not findings:
        return ""
    count = summary(findings)
    return f"{render_text(findings, color=results.color)}\n\n" + (f"\x1b[1m{count}\x1b[0m" if results.color else count)
