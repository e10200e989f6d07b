"""Output formats for findings, one module each, imported when asked for.

A format turns `Results` into text, by its module's `render`; it neither prints nor decides what is found.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Final

from gdl.validators.results import Results

FORMATS: Final[Mapping[str, str]] = {
    "text": "for people, with excerpts",
    "json": "a JSON list of findings",
    "jsonl": "a JSON object a line",
    "sarif": "SARIF 2.1.0, for code scanning",
    "github": "annotations of GitHub Actions",
    "junit": "JUnit XML, a test case for each file",
    "markdown": "tables for a summary or a comment",
}
"""What each format is for."""


def render(name: str, results: Results) -> str:
    """The text of the results in a format, without a line break at its end."""
    text: str = import_module(f"gdl.validators.formats.{name}").render(results)
    return text
