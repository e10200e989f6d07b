"""Diagnostics → text with excerpts of the source, or plain data for JSON.

Gives strings and never prints. Knows nothing of stages or of the language. Columns on screen count the width of
characters, so a caret stands below what it means behind tabs and wide characters too; lines and columns in numbers
count characters from 1.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence

from attrs import frozen

from gdl.diagnostics import Diagnostic, Related, Severity
from gdl.source import Span

TAB_WIDTH = 4
WIDEST_EXCERPT = 160
_CONTEXT_BEFORE = 40

_RESET = "\x1b[0m"
_STYLES = {
    "error": "\x1b[1;31m",
    "warning": "\x1b[1;33m",
    "note": "\x1b[1;36m",
    "frame": "\x1b[1;34m",
    "strong": "\x1b[1m",
}


def render_text(diagnostics: Iterable[Diagnostic], *, color: bool = False, limit: int | None = None) -> str:
    """All diagnostics with blank lines between; at most `limit` of them, and then a count of the rest."""
    found = list(diagnostics)
    shown = found if limit is None else found[:limit]
    blocks = [render_diagnostic(diagnostic, color=color) for diagnostic in shown]
    if len(found) > len(shown):
        blocks.append(f"… and {len(found) - len(shown)} more")
    return "\n\n".join(blocks)


def render_diagnostic(diagnostic: Diagnostic, *, color: bool = False) -> str:
    """One diagnostic: what is wrong, where, the lines with carets, other places, and the cure."""
    paint = _Paint(color)
    severity = diagnostic.severity.value
    excerpts = [(diagnostic.span, diagnostic.label, "^", severity)]
    excerpts += [(related.span, related.message, "-", "frame") for related in diagnostic.related]
    margin = max(len(str(_last_line(span))) for span, _, _, _ in excerpts)
    code = diagnostic.code_label
    name = "" if code == diagnostic.code else f" {diagnostic.code}"
    head = paint(f"{severity}[{code}{name}]", severity) + paint(f": {_visible(diagnostic.message)}", "strong")
    lines = [head]
    for number, (span, label, mark, style) in enumerate(excerpts):
        lines.append(f"{' ' * margin}{paint('-->' if number == 0 else ':::', 'frame')} {_visible(str(span))}")
        lines += _excerpt(span, label, margin, _Marker(mark, style, paint))
    lines += _footer(diagnostic, margin, paint)
    return "\n".join(lines)


def render_json(diagnostics: Iterable[Diagnostic]) -> list[dict[str, object]]:
    """The diagnostics as data for JSON; lines and columns from 1, in characters, the end exclusive."""
    return [_as_data(diagnostic) for diagnostic in diagnostics]


def summary(diagnostics: Sequence[Diagnostic]) -> str:
    """`2 errors, 1 warning`, or `no problems`."""
    parts: list[str] = []
    for severity in Severity:
        count = sum(1 for diagnostic in diagnostics if diagnostic.severity is severity)
        if count:
            parts.append(f"{count} {severity.value}{'s' if count > 1 else ''}")
    return ", ".join(parts) or "no problems"


# --- text -------------------------------------------------------------------------------------------------------------


@frozen
class _Paint:
    """Puts colour around text, if colour is wanted."""

    color: bool

    def __call__(self, text: str, style: str) -> str:
        return f"{_STYLES[style]}{text}{_RESET}" if self.color and text else text


@frozen
class _Marker:
    """How a stretch of source is underlined."""

    mark: str
    style: str
    paint: _Paint


def _footer(diagnostic: Diagnostic, margin: int, paint: _Paint) -> list[str]:
    equals = f"{' ' * margin} {paint('=', 'frame')} "
    notes = [("help", part) for part in diagnostic.help.splitlines()]
    if diagnostic.suggestion is not None and diagnostic.suggestion not in diagnostic.help:
        notes.append(("help", f"write `{diagnostic.suggestion}`"))
    code = diagnostic.code_label
    if code != diagnostic.code:
        notes.append(("note", f"gdl explain {code}"))
    bar = [f"{' ' * margin} {paint('|', 'frame')}"] if notes else []
    return bar + [f"{equals}{paint(kind, 'strong')}: {_visible(text)}" for kind, text in notes]


def _excerpt(span: Span, label: str, margin: int, marker: _Marker) -> list[str]:
    """The first line of a span, and its last one if that is another, each with carets below."""
    bar = marker.paint("|", "frame")
    lines = [f"{' ' * margin} {bar}"]
    first, last = span.line, _last_line(span)
    text = span.source.line(first)
    end = span.end_column if first == last else len(text) + 1
    lines += _marked_line(first, text, (span.column, end), "" if first != last else label, margin, marker)
    if first == last:
        return lines
    if last > first + 1:
        lines.append(f"{' ' * margin} {marker.paint('…', 'frame')}")
    text = span.source.line(last)
    start = len(text) - len(text.lstrip()) + 1
    end = span.end_column if span.end_line == last else len(text) + 1
    return lines + _marked_line(last, text, (start, end), label, margin, marker)


def _marked_line(
    number: int, text: str, columns: tuple[int, int], label: str, margin: int, marker: _Marker
) -> list[str]:
    """A line of source with its number, and the carets below it. A very long line is shown in part."""
    start, end = columns
    is_wide = len(text) > WIDEST_EXCERPT or _width(text) > WIDEST_EXCERPT
    cut = max(0, start - 1 - _CONTEXT_BEFORE) if is_wide else 0
    lead = "…" if cut else ""
    rest = text[cut : cut + WIDEST_EXCERPT + 1]
    shown = _fitting(rest)
    tail = "…" if len(shown) < len(rest) else ""
    before = _width(lead) + _width(_visible(shown[: start - 1 - cut]))
    marked = _visible(shown)[len(_visible(shown[: start - 1 - cut])) : len(_visible(shown[: end - 1 - cut]))]
    carets = marker.mark * max(1, _width(marked))
    below = f"{' ' * before}{marker.paint(carets + (f' {label}' if label else ''), marker.style)}"
    bar = marker.paint("|", "frame")
    numbered = marker.paint(str(number).rjust(margin), "frame")
    return [f"{numbered} {bar} {lead}{_visible(shown)}{tail}".rstrip(), f"{' ' * margin} {bar} {below}"]


def _last_line(span: Span) -> int:
    """The line of a span's last character: a span that ends with a line end does not reach into the next line."""
    return span.source.position(max(span.start, span.end - 1))[0]


def _fitting(text: str) -> str:
    """As much of a line as an excerpt shows."""
    width = 0
    for index, character in enumerate(text):
        width += TAB_WIDTH if character == "\t" else _width(character)
        if width > WIDEST_EXCERPT:
            return text[:index]
    return text


def _visible(text: str) -> str:
    """The text with tabs as blanks and without what would disturb a terminal."""
    result: list[str] = []
    width = 0
    for character in text:
        if character == "\t":
            blanks = TAB_WIDTH - width % TAB_WIDTH
            result.append(" " * blanks)
            width += blanks
        elif unicodedata.category(character) in ("Cc", "Cf", "Cs", "Zl", "Zp") and character != "\u200d":
            result.append("\ufffd")
            width += 1
        else:
            result.append(character)
            width += _width(character)
    return "".join(result)


def _width(text: str) -> int:
    """How many columns a terminal needs."""
    return sum(_character_width(character) for character in text)


def _character_width(character: str) -> int:
    if unicodedata.combining(character) or unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in ("W", "F") else 1


# --- data -------------------------------------------------------------------------------------------------------------


def _as_data(diagnostic: Diagnostic) -> dict[str, object]:
    data: dict[str, object] = {
        "code": diagnostic.code_label,
        "name": diagnostic.code,
        "severity": diagnostic.severity.value,
        "message": diagnostic.message,
        **_place(diagnostic.span),
        "suggestion": diagnostic.suggestion,
        "help": diagnostic.help,
    }
    if diagnostic.related:
        data["related"] = [_related_data(related) for related in diagnostic.related]
    return data


def _related_data(related: Related) -> dict[str, object]:
    return {"message": related.message, **_place(related.span)}


def _place(span: Span) -> dict[str, object]:
    return {
        "file": span.source.name,
        "line": span.line,
        "column": span.column,
        "end_line": span.end_line,
        "end_column": span.end_column,
    }
