"""CSV text → cells with the place of each character.

The usual rules: cells are cut at commas; a cell in double quotes may hold commas and line ends, and `""` in it is one
quotation mark. Blanks around a cell do not count, and neither do lines without any text.
"""

from __future__ import annotations

from attrs import define

from gdl.diagnostics import Report
from gdl.source import Fragment, SourceFile, Span


def read_csv(source: SourceFile, report: Report) -> list[list[Fragment]]:
    """The lines of a table, each a list of cells."""
    reader = _Reader(source, report)
    lines: list[list[Fragment]] = []
    while reader.position < len(source.text):
        line = reader.line()
        if reader.is_open:  # all up to the end of the file is in this cell: nothing can be said of the row
            break
        if len(line) > 1 or line[0].text or reader.was_quoted:
            lines.append(line)
    return lines


@define
class _Reader:
    """Goes through the text once."""

    source: SourceFile
    report: Report
    position: int = 0
    was_quoted: bool = False
    is_open: bool = False

    def __attrs_post_init__(self) -> None:
        if self.source.text.startswith("\ufeff"):
            self.position = 1

    def line(self) -> list[Fragment]:
        """The cells up to the end of the line, which is passed over."""
        self.was_quoted = False
        cells = [self._cell()]
        while self._next() == ",":
            self.position += 1
            cells.append(self._cell())
        if self._next() == "\r":
            self.position += 1
        if self._next() == "\n":
            self.position += 1
        return cells

    def _next(self) -> str:
        return self.source.text[self.position : self.position + 1]

    def _cell(self) -> Fragment:
        text = self.source.text
        while self._next() in (" ", "\t"):
            self.position += 1
        if self._next() == '"':
            return self._quoted()
        start = self.position
        while self.position < len(text) and text[self.position] not in ",\r\n":
            self.position += 1
        return Fragment(text[start : self.position].rstrip(), self.source, start)

    def _quoted(self) -> Fragment:
        """A cell in double quotes; what follows the closing quotation mark up to the next comma is reported."""
        self.was_quoted = True
        text, opening = self.source.text, self.position
        self.position += 1
        offsets: list[int] = []
        while True:
            if self.position >= len(text):
                span = Span(self.source, opening, opening + 1)
                self.report.error("bad-table", span, "a quotation mark is opened here and never closed")
                self.is_open = True
                break
            if text[self.position] != '"':
                offsets.append(self.position)
                self.position += 1
            elif text.startswith('""', self.position):
                offsets.append(self.position)
                self.position += 2
            else:
                break
        fragment = self._fragment(offsets, opening)
        self.position = min(self.position + 1, len(text))
        self._skip_rest()
        return fragment

    def _fragment(self, offsets: list[int], opening: int) -> Fragment:
        content = "".join(self.source.text[offset] for offset in offsets)
        if len(content) == self.position - opening - 1:
            return Fragment(content, self.source, opening + 1)
        return Fragment(content, self.source, opening + 1, (*offsets, self.position))

    def _skip_rest(self) -> None:
        text, start = self.source.text, self.position
        while self.position < len(text) and text[self.position] not in ",\r\n":
            self.position += 1
        rest = text[start : self.position]
        if rest.strip():
            start += len(rest) - len(rest.lstrip())
            span = Span(self.source, start, start + len(rest.strip()))
            self.report.error("bad-table", span, "after the closing quotation mark a cell is over")
