"""Reading files: the one place that turns a path into a `SourceFile`, or into the reason why there is none.

Specs, included files and tables all come this way. A reader never raises: it gives an `Unreadable`, which becomes a
diagnostic at the place where the path is written.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from attrs import frozen

from gdl.diagnostics import Diagnostic, Report
from gdl.source import SourceFile, Span

MAXIMUM_BYTES = 4 * 1024 * 1024


@frozen
class Unreadable:
    """Why a file can't be had: the name of a code of the catalogue, and the message."""

    code: str
    message: str
    help: str = ""


Reader = Callable[[str], SourceFile | Unreadable]
"""Gives an included file or a table by its path relative to the spec's folder."""


def folder_reader(folder: Path) -> Reader:
    """A reader of the files in and below a folder; paths that lead out of it are refused, links included."""
    root = folder.resolve()

    def read(path: str) -> SourceFile | Unreadable:
        try:
            target = (root / path).resolve()
        except (OSError, ValueError, RuntimeError):
            return Unreadable("file-missing", f"there is no file `{path}`")
        if "\\" in path or not target.is_relative_to(root):
            cure = "paths are written with `/`" if "\\" in path else "files of a spec lie in its folder or below"
            return Unreadable("file-outside", f"`{path}` is no path below the spec's folder", cure)
        return read_source(target, str(folder / path))

    return read


def no_files(path: str) -> Unreadable:
    """The reader of a spec that is given as text and has no folder."""
    return Unreadable("file-missing", f"`{path}` can't be read: this spec was given as text and has no folder")


def read_source(path: Path, name: str) -> SourceFile | Unreadable:
    """Read a file; `name` is what messages call it."""
    try:
        if path.is_dir():
            return Unreadable("file-missing", f"`{name}` is a folder" if _can_be_listed(path) else f"the folder `{name}` can't be read")
        if path.exists() and not path.is_file():
            return Unreadable("file-missing", f"`{name}` is no file")
        with path.open("rb") as file:
            data = file.read(MAXIMUM_BYTES + 1)
    except (FileNotFoundError, NotADirectoryError):
        return Unreadable("file-missing", f"there is no file `{name}`")
    except (OSError, ValueError):
        return Unreadable("file-missing", f"`{name}` can't be read")
    return decode_source(name, data)


def _can_be_listed(folder: Path) -> bool:
    try:
        os.scandir(folder).close()
    except OSError:
        return False
    return True


def decode_source(name: str, data: bytes) -> SourceFile | Unreadable:
    """The content of a file as text; a byte order mark is dropped."""
    if len(data) > MAXIMUM_BYTES:
        return Unreadable("file-too-large", f"`{name}` is larger than 4 MiB")
    try:
        return SourceFile(name, data.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        message = f"`{name}` is not UTF-8: line {line} has the byte 0x{data[error.start]:02X}"
        return Unreadable("not-utf8", message, "save the file as UTF-8")


def unreadable_file(name: str, problem: Unreadable) -> Diagnostic:
    """Why the file of a command line can't be had, as a finding at its beginning."""
    return Diagnostic(problem.code, Span(SourceFile(name, ""), 0, 0), problem.message, help=problem.help)


def report_unreadable(problem: Unreadable, span: Span, report: Report) -> None:
    """Say why a file can't be had, at the place that names it."""
    report.error(problem.code, span, problem.message, help=problem.help)
