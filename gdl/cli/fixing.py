"""`gdl lint --fix`: findings whose cure is certain → changes of the text, one span each; everything else of a file stays as it is.

Certain are a single nearest name, taking out a comment that silences nothing, and moving keys without comments between them. What is
changed is checked again: a file that then has more errors than before gets its text back.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Final

from attrs import frozen

from gdl.cli.files import check_writable, read_bytes, write_text
from gdl.cli.reordering import moved
from gdl.diagnostics import Diagnostic, Severity
from gdl.source import SourceFile, Span
from gdl.validators.suppressions import CODES

_MARK: Final = "\ufeff"
_COMMENT: Final = re.compile(r"#[ \t]*gdl:[ \t]*ignore\[[^\]\r\n]*\][^\r\n]*")
_OTHERS: Final = "` or `"
"""Stands in a cure that leaves a choice."""


@frozen
class Edit:
    """A stretch of a file, and what stands there afterwards."""

    span: Span
    text: str


@frozen
class Change:
    """A file's text before and after, and how many findings that cures."""

    source: SourceFile
    after: str
    count: int

    @property
    def diff(self) -> str:
        """The change as a unified diff, without the line end at its close."""
        name = self.source.name
        lines = difflib.unified_diff(self.source.text.splitlines(), self.after.splitlines(), name, name, lineterm="")
        return "\n".join(lines)


def changes(findings: Iterable[Diagnostic]) -> list[Change]:
    """What cures the findings that can be cured, file by file; of edits that overlap the first is made."""
    by_file: dict[str, list[Edit]] = {}
    for finding in findings:
        edit = _edit(finding)
        if edit is not None:
            by_file.setdefault(edit.span.source.name, []).append(edit)
    return [_applied(edits) for edits in by_file.values()]


def apply_changes(made: Sequence[Change], check: Callable[[], Iterable[Diagnostic]], errors: int) -> list[Change]:
    """Write changed files, and give those that stay changed: if `check` then finds more errors than before, none does."""
    for change in made:
        check_writable(Path(change.source.name))  # before the first is changed
    for change in made:
        write_back(change.source, change.after)
    if sum(1 for finding in check() if finding.severity is Severity.ERROR) <= errors:
        return list(made)
    for change in made:
        write_back(change.source, change.source.text)
    return []


def _edit(finding: Diagnostic) -> Edit | None:
    if finding.code == "unused-ignore":
        return _without(finding.span)
    if finding.code == "key-order":
        change = moved(finding.span)
        return Edit(*change) if change is not None else None
    if finding.suggestion is None or _OTHERS in finding.help:
        return None
    return Edit(finding.span, finding.suggestion)


def _without(code: Span) -> Edit | None:
    """A comment without one of its codes; without all of it where that is its only one, and without the line if nothing else is there."""
    text = code.source.text
    comment = next((found for found in _COMMENT.finditer(text) if found.start() < code.start < found.end()), None)
    if comment is None:
        return None
    opening, closing = text.index("[", comment.start()) + 1, text.index("]", comment.start())
    codes = text[opening:closing]
    others = [word for word in CODES.finditer(codes) if opening + word.start() != code.start]
    if others:
        return Edit(Span(code.source, opening, closing), ", ".join(word[0] for word in others))
    start = text.rfind("\n", 0, comment.start()) + 1
    before = text[start : comment.start()]
    if before.strip():
        return Edit(Span(code.source, start + len(before.rstrip()), comment.end()), "")
    end = text.find("\n", comment.end())
    return Edit(Span(code.source, start, end + 1 if end >= 0 else len(text)), "")


def _applied(edits: list[Edit]) -> Change:
    source = edits[0].span.source
    parts: list[str] = []
    done = count = 0
    for edit in sorted(edits, key=lambda edit: (edit.span.start, edit.span.end)):
        if edit.span.start < done:
            continue
        parts += [source.text[done : edit.span.start], edit.text]
        done = edit.span.end
        count += 1
    return Change(source, "".join(parts) + source.text[done:], count)


def write_back(source: SourceFile, text: str) -> None:
    """Write a file as it was read: with a byte order mark if it has one."""
    path = Path(source.name)
    has_mark = read_bytes(path).startswith(_MARK.encode())
    write_text(path, _MARK + text if has_mark and not text.startswith(_MARK) else text)
