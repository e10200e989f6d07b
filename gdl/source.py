"""Source files and spans: where every piece of a spec stands.

Knows text, lines and columns; knows nothing of YAML or of the language. Every node, diagnostic and run-time fault carries a
`Span`, so a message can always point at the characters it is about.
"""

from __future__ import annotations

from bisect import bisect_right
from functools import cached_property

from attrs import field, frozen


@frozen(eq=False, slots=False)
class SourceFile:
    """One file as it was read. `name` is the path as messages show it; `text` is its whole content, decoded."""

    name: str
    text: str = field(repr=False)

    @cached_property
    def line_starts(self) -> tuple[int, ...]:
        """Offset of the first character of every line."""
        starts = [0]
        for offset, character in enumerate(self.text):
            if character == "\n":
                starts.append(offset + 1)
        return tuple(starts)

    def position(self, offset: int) -> tuple[int, int]:
        """Line and column of an offset, both counted from 1, in characters."""
        line = bisect_right(self.line_starts, offset)
        return line, offset - self.line_starts[line - 1] + 1

    def offset(self, line: int, column: int) -> int:
        """Offset of a line and column that count from 0, as YAML marks do."""
        return self.line_starts[line] + column

    def line(self, number: int) -> str:
        """Text of a line (counted from 1) without its line end."""
        start = self.line_starts[number - 1]
        end = self.text.find("\n", start)
        return self.text[start : end if end >= 0 else len(self.text)].rstrip("\r")

    @property
    def line_count(self) -> int:
        """Number of lines, the last unended one included."""
        return len(self.line_starts)


@frozen
class Span:
    """A stretch of a source file; `end` is exclusive. Offsets count characters."""

    source: SourceFile
    start: int
    end: int

    @property
    def line(self) -> int:
        """Line of the first character, from 1."""
        return self.source.position(self.start)[0]

    @property
    def column(self) -> int:
        """Column of the first character, from 1."""
        return self.source.position(self.start)[1]

    @property
    def end_line(self) -> int:
        """Line of the place behind the last character, from 1."""
        return self.source.position(self.end)[0]

    @property
    def end_column(self) -> int:
        """Column behind the last character, from 1 (exclusive)."""
        return self.source.position(self.end)[1]

    @property
    def text(self) -> str:
        """The characters of the span."""
        return self.source.text[self.start : self.end]

    @property
    def line_place(self) -> str:
        """File and line, as lists of places show it."""
        return f"{self.source.name}:{self.line}"

    def is_within(self, other: Span) -> bool:
        """Whether another span holds all of this one."""
        return self.source is other.source and other.start <= self.start and self.end <= other.end

    def to(self, other: Span) -> Span:
        """The stretch from this span's start to the other's end."""
        return Span(self.source, self.start, max(self.end, other.end))

    def __str__(self) -> str:
        return f"{self.line_place}:{self.column}"


@frozen
class Fragment:
    """Text of an expression together with where each of its characters stands.

    For raw slices of a file the offset is constant and `offsets` is none; for quoted YAML scalars with escapes and for CSV
    cells with doubled quotes, `offsets` holds the file offset of every character and one more for the end.
    """

    text: str
    source: SourceFile
    start: int
    offsets: tuple[int, ...] | None = None

    def span(self, start: int, end: int) -> Span:
        """The span in the file of the characters `start` to `end` (exclusive) of this text."""
        if self.offsets is None:
            return Span(self.source, self.start + start, self.start + end)
        last = self.offsets[end - 1] + 1 if end > start else self.offsets[start]
        return Span(self.source, self.offsets[start], last)

    @property
    def whole(self) -> Span:
        """The span of the whole text."""
        return self.span(0, len(self.text))

    def part(self, start: int, end: int) -> Fragment:
        """A fragment of this fragment."""
        if self.offsets is None:
            return Fragment(self.text[start:end], self.source, self.start + start)
        return Fragment(self.text[start:end], self.source, self.offsets[start], self.offsets[start : end + 1])
