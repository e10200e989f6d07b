"""The nodes that YAML text becomes: scalars, sequences and mappings, each with its exact span.

A scalar keeps its style, because the style decides which characters of the file are the expression: a plain scalar is
its raw slice, a quoted one its decoded text with a map of escapes, a block scalar its raw source lines, so that a
comment inside an expression ends with its line. Knows nothing of the language's keys.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import Enum

from attrs import field, frozen

from gdl.source import Fragment, SourceFile, Span

_LINE_BREAK = "\r\n\x85\u2028\u2029"
_BREAKS = re.compile("\r\n|[\r\n\x85\u2028\u2029]")
_ESCAPE_LENGTHS = {"x": 4, "u": 6, "U": 10}


class Style(Enum):
    """How a scalar is written."""

    PLAIN = ""
    SINGLE = "'"
    DOUBLE = '"'
    LITERAL = "|"
    FOLDED = ">"

    @property
    def is_block(self) -> bool:
        """Whether the scalar stands on lines of its own below `|` or `>`."""
        return self in (Style.LITERAL, Style.FOLDED)


@frozen(eq=False)
class Node:
    """Anything in a YAML file; nodes compare by identity."""

    span: Span = field(repr=False)


@frozen(eq=False)
class Scalar(Node):
    """A single value. `value` is its decoded text, as YAML means it."""

    value: str
    style: Style

    @property
    def is_empty(self) -> bool:
        """Whether nothing is written here at all (`key:` with no value)."""
        return self.style is Style.PLAIN and not self.value

    @property
    def fragment(self) -> Fragment:
        """The text that an expression is parsed from, with the place of each character."""
        match self.style:
            case Style.PLAIN:
                return Fragment(self.span.text, self.span.source, self.span.start)
            case Style.LITERAL | Style.FOLDED:
                return _block_lines(self.span)
            case _:
                return self.text

    @property
    def text(self) -> Fragment:
        """The decoded text, for titles, labels and other prose, with the place of each character."""
        start, end = self._body
        raw = self.span.source.text[start:end]
        if raw == self.value:
            return Fragment(self.value, self.span.source, start)
        offsets = tuple(_aligned(raw, self.value, start, self.style))
        return Fragment(self.value, self.span.source, start, offsets)

    @property
    def inside(self) -> Span:
        """Where the content stands: without the quotes of a quoted scalar."""
        if self.style in (Style.SINGLE, Style.DOUBLE):
            return Span(self.span.source, *self._body)
        return self.span

    @property
    def _body(self) -> tuple[int, int]:
        """Where the content stands, without quotes or block header."""
        match self.style:
            case Style.PLAIN:
                return self.span.start, self.span.end
            case Style.LITERAL | Style.FOLDED:
                return _block_start(self.span), self.span.end
            case _:
                return self.span.start + 1, self.span.end - 1


@frozen(eq=False)
class Mended(Scalar):
    """A quoted text whose quotation mark closed too early, with what follows it. `offsets`: where each character of `value` stands."""

    offsets: tuple[int, ...] = field(repr=False)

    @property
    def fragment(self) -> Fragment:
        """The text that an expression is parsed from."""
        return self.text

    @property
    def text(self) -> Fragment:
        """The text without the quotation marks."""
        return Fragment(self.value, self.span.source, self.offsets[0], self.offsets)


@frozen(eq=False)
class Sequence(Node):
    """A list; `flow` tells `[a, b]` from a list of dashes."""

    items: tuple[Node, ...]
    flow: bool


@frozen(eq=False)
class Entry:
    """A key and its value in a mapping."""

    key: Node
    value: Node

    @property
    def name(self) -> str | None:
        """The key's text, or none if the key is a list or a map."""
        return self.key.value if isinstance(self.key, Scalar) else None

    @property
    def span(self) -> Span:
        """From the key to the end of the value (the key alone where the value comes from an alias)."""
        return self.key.span.to(self.value.span) if self.value.span.start >= self.key.span.start else self.key.span


@frozen(eq=False)
class Mapping(Node):
    """A map, its entries in order of writing; no two have the same key. `bare` are keys in `{…}` without a value, which are reported."""

    entries: tuple[Entry, ...]
    flow: bool
    bare: tuple[Node, ...] = ()

    def get(self, name: str) -> Node | None:
        """The value of a key, or none."""
        return next((entry.value for entry in self.entries if entry.name == name), None)


_NUMBER = re.compile(r"[-+]?[0-9]+(\.[0-9]+)?")


def describe(node: Node) -> str:
    """What a node is, in the words of messages."""
    match node:
        case Sequence():
            return "a list"
        case Mapping():
            return "a map"
        case Scalar() if node.is_empty:
            return "nothing"
        case Scalar() if node.style is Style.PLAIN and _NUMBER.fullmatch(node.value):
            return "a number"
        case _:
            return "text"


def _block_start(span: Span) -> int:
    """Where the line behind a block scalar's header starts."""
    found = _BREAKS.search(span.source.text, span.start, span.end)
    return found.end() if found else span.end


def _block_lines(span: Span) -> Fragment:
    """The source lines of a block scalar from its first to its last character that is not blank."""
    start = _block_start(span)
    raw = span.source.text[start : span.end]
    lead = len(raw) - len(raw.lstrip())
    return Fragment(raw.strip(), span.source, start + lead)


def _aligned(raw: str, value: str, start: int, style: Style) -> Iterator[int]:
    """For every decoded character, and for the end, where it stands in the file."""
    count = 0
    for offset, length in _pieces(raw, value, style):
        for _ in range(min(length, len(value) - count)):
            yield start + offset
            count += 1
    for _ in range(len(value) - count + 1):
        yield start + len(raw)


def _pieces(raw: str, value: str, style: Style) -> Iterator[tuple[int, int]]:
    """Cut raw text into pieces that decode to a known number of characters: pairs of offset and that number."""
    if style.is_block:
        yield from _block_pieces(raw, value)
        return
    position = 0
    while position < len(raw):
        escape = _escape_length(raw, position, style)
        if escape:
            is_break = style is Style.DOUBLE and raw[position + 1] in _LINE_BREAK
            yield position, len(_BREAKS.findall(raw, position, position + escape)) - 1 if is_break else 1  # empty lines behind it count
            position += escape
            continue
        blank = _blank_run(raw, position)
        breaks = len(_BREAKS.findall(raw, position, blank))
        if breaks:
            yield position, max(1, breaks - 1)
            position = blank
        else:
            yield position, 1
            position += 1


def _escape_length(raw: str, position: int, style: Style) -> int:
    """How many raw characters the escape at this place takes; 0 if there is none."""
    if style is Style.SINGLE:
        return 2 if raw.startswith("''", position) else 0
    if style is not Style.DOUBLE or raw[position] != "\\" or position + 1 >= len(raw):
        return 0
    following = raw[position + 1]
    if following in _LINE_BREAK:
        broken = _BREAKS.match(raw, position + 1)
        end = broken.end() if broken else position + 2
        return _blank_run(raw, end) - position
    return _ESCAPE_LENGTHS.get(following, 2)


def _blank_run(raw: str, position: int) -> int:
    """Where the blanks and line ends that start here are over."""
    while position < len(raw) and (raw[position] in " \t" or raw[position] in _LINE_BREAK):
        position += 1
    return position


def _block_pieces(raw: str, value: str) -> Iterator[tuple[int, int]]:
    """The same for block scalars, where decoding changes nothing but blanks and line ends."""
    position = 0
    for character in value:
        if not character.isspace():
            while position < len(raw) and raw[position].isspace():
                position += 1
        yield min(position, len(raw)), 1
        if position < len(raw):
            position += 1


def joined(source: SourceFile, start: int, end: int) -> Scalar:
    """A plain scalar over a stretch of a file, for text that YAML cut apart."""
    text = source.text[start:end]
    return Scalar(Span(source, start, end), text, Style.PLAIN)
