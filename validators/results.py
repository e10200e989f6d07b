"""What a run of the linter found, file by file: what output formats are given."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import frozen

from gdl.diagnostics import Diagnostic


@frozen
class FileResults:
    """A file that was looked at, by the name that messages call it, and what is shown of it."""

    name: str
    findings: tuple[Diagnostic, ...] = ()


@frozen
class Results:
    """All files in order. `color`: whether text may be coloured."""

    files: tuple[FileResults, ...]
    color: bool = False

    @property
    def findings(self) -> Iterator[Diagnostic]:
        """The findings of all files."""
        for file in self.files:
            yield from file.findings
