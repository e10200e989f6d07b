"""`gdl lint --fix`: findings whose cure is certain → changes of the text, one span each; everything else of a file stays as it is.

Certain are a single name that is one slip away, taking out a comment that silences nothing, and moving keys without comments between
them. What is changed is checked again: an edit at whose place another error is then found is not made, nor is any if there are then more
errors than before.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
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
    edits: tuple[Edit, ...] = ()

    def then(self, more: Change) -> Change:
        """This change and one of the text that comes out of it, as one."""
        return Change(self.source, more.after, self.count + more.count)

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


Check = Callable[[Mapping[str, str]], Sequence[Diagnostic]]
"""Gives what is found if texts stand for files, by their names."""


def settled(made: Sequence[Change], found: Sequence[Diagnostic], check: Check) -> tuple[list[Change], Sequence[Diagnostic]]:
    """The changes without the edits that only make another error of one, as where a name does not fit its place; none if there are more.

    `found` is what is found before; what is found afterwards is given as well.
    """
    errors = errors_of(found)
    known = {(error.code, error.message) for error in errors}
    kept = list(made)
    while kept:
        after = check({change.source.name: change.after for change in kept})
        new = [error for error in errors_of(after) if (error.code, error.message) not in known]
        left = [(change, [e for e in change.edits if not any(_meets(change, e, error) for error in new)]) for change in kept]
        if all(len(edits) == len(change.edits) for change, edits in left):
            return (kept, after) if len(errors_of(after)) <= len(errors) else ([], found)
        kept = [_applied(edits) for _, edits in left if edits]
    return [], found


def errors_of(found: Iterable[Diagnostic]) -> list[Diagnostic]:
    """The errors among findings."""
    return [finding for finding in found if finding.severity is Severity.ERROR]


def _meets(change: Change, edit: Edit, error: Diagnostic) -> bool:
    """Whether an error is found where an edit has set its text."""
    if error.span.source.name != change.source.name:
        return False
    start = edit.span.start + sum(len(e.text) - len(e.span.text) for e in change.edits if e.span.end <= edit.span.start)
    return error.span.start < start + max(len(edit.text), 1) and error.span.end > start


def write_changes(made: Sequence[Change]) -> None:
    """Write changed files, all or none."""
    for change in made:
        check_writable(Path(change.source.name))
    for change in made:
        write_back(change.source, change.after)


def try_changes(made: Sequence[Change], found: Sequence[Diagnostic], check: Callable[[], Iterable[Diagnostic]]) -> list[Change]:
    """Write changed files, and give those that stay changed: if `check` then finds more errors than there were, none does."""
    write_changes(made)
    if not made or len(errors_of(check())) <= len(errors_of(found)):
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
    if finding.suggestion is None or not finding.certain:
        return None
    if finding.wrong is not None and finding.span.text != finding.wrong:
        return None  # the word is written in another way, with an escape in it
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
    made: list[Edit] = []
    for edit in sorted(edits, key=lambda edit: (edit.span.start, edit.span.end)):
        if edit.span.start < done:
            count += edit == made[-1]
            continue
        parts += [source.text[done : edit.span.start], edit.text]
        done = edit.span.end
        made.append(edit)
        count += 1
    return Change(source, "".join(parts) + source.text[done:], count, tuple(made))


def write_back(source: SourceFile, text: str) -> None:
    """Write a file as it was read: with a byte order mark if it has one."""
    path = Path(source.name)
    has_mark = read_bytes(path).startswith(_MARK.encode())
    write_text(path, _MARK + text if has_mark and not text.startswith(_MARK) else text)
