"""A file's text → its formatted text, or what keeps it from having one: the modules of this package put together."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from attrs import frozen

from gdl.diagnostics import Diagnostic, Report
from gdl.formatter.columns import laid_out
from gdl.formatter.indentation import indents
from gdl.formatter.sameness import difference
from gdl.formatter.spots import Spots, spots_of
from gdl.formatter.tokens import Line, UnknownTextError, lines_of
from gdl.source import SourceFile, Span
from gdl.yaml_nodes import Node, parse_yaml

MOST_ROUNDS: Final = 8


@frozen
class Formatted:
    """What became of a file: its new text (the old one if there are `problems`), and the paths of the files that it names."""

    text: str
    problems: tuple[Diagnostic, ...] = ()
    reads: tuple[str, ...] = ()


def format_source(source: SourceFile, *, scenarios: bool = False) -> Formatted:
    """The formatted text of a spec, an included file, a table or, with `scenarios`, a scenario file.

    Line ends stay what the first one is. A file that is no YAML is not formatted, nor one that would then say something else.
    """
    text = source.text
    report = Report()
    before = _read(SourceFile(source.name, _unix(text)), report, scenarios=scenarios)
    if before is None:
        return Formatted(text, tuple(report.errors()))
    try:
        shown = _settled(before)
    except UnknownTextError as unknown:
        return Formatted(text, (_refused(Span(before.source, unknown.place, unknown.place + 1)),))
    changed = None
    if shown != before.source.text:
        changed = difference(before.spots, before.root, SourceFile(source.name, shown), scenarios=scenarios)
    if changed is not None:
        return Formatted(text, (_refused(changed),))
    is_windows = text[: text.find("\n") + 1].endswith("\r\n")
    return Formatted(shown.replace("\n", "\r\n") if is_windows else shown, reads=before.spots.reads)


def _unix(text: str) -> str:
    """A text with line feeds alone, at its end too."""
    text = text.replace("\r\n", "\n")
    return text if text.endswith("\n") or not text else text + "\n"


@frozen
class _Read:
    """A file that is YAML."""

    source: SourceFile
    root: Node
    spots: Spots
    scenarios: bool


def _read(source: SourceFile, report: Report, *, scenarios: bool) -> _Read | None:
    root = parse_yaml(source, report)
    if root is None or report.has_errors:
        return None
    return _Read(source, root, spots_of(source, scenarios=scenarios), scenarios)


def _settled(read: _Read) -> str:
    """The text of a file laid out so that doing it again changes nothing.

    Tokens can come to stand below each other by chance. The next round takes that for intended or undoes it, and seldom is a third one
    needed; where they go on without end, nothing is aligned.
    """
    now: _Read | None = read
    for _ in range(MOST_ROUNDS):
        assert now is not None
        shown = _shown(now)
        if shown == now.source.text:
            return shown
        now = _read(SourceFile(read.source.name, shown), Report(), scenarios=read.scenarios)
        if now is None:
            return shown  # which will not pass
    return _shown(read, aligned=False)


def _shown(read: _Read, *, aligned: bool = True) -> str:
    lines = lines_of(read.source, read.root, read.spots)
    return "".join(f"{line}\n" for line in _spaced(lines, laid_out(lines, indents(lines), aligned=aligned)))


def _refused(span: Span) -> Diagnostic:
    return Diagnostic(
        "not-formatted",
        span,
        "this can't be formatted without changing what it says",
        help="write it in a simpler form of YAML; until then the file stays as it is",
    )


def _spaced(lines: list[Line], shown: list[str]) -> Iterator[str]:
    """The lines of a file with one blank line where there are several, and none at the start and the end."""
    begun, waiting = False, False
    for line, text in zip(lines, shown, strict=True):
        if not text and not line.kept:
            waiting = begun
            continue
        if waiting:
            yield ""
        begun, waiting = True, False
        yield text
