"""A file's text and nodes → its lines, each with its tokens and the blanks that belong before them.

Scalars have their places from the YAML reader; between them only signs, comments, anchors and blanks can stand. Expressions are cut into
their words, so that the blanks between these can be set; text of any other kind stays one token for each of its lines.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import Enum
from typing import Final

from attrs import Factory, define, frozen

from gdl.expression_scan import scan
from gdl.formatter.spots import Spots, Stretch, scalars
from gdl.formatter.words import blanks_between, is_formattable, open_quote
from gdl.source import SourceFile
from gdl.yaml_nodes import Node, Scalar, Style

_GAP: Final = re.compile(
    r"""(?P<blank>[ \t\n]+)
      | (?P<comment>\#[^\n]*)
      | (?P<mark>---(?=\s|$)|\.\.\.(?=\s|$)|[-?:,\[\]{}])
      | (?P<name>[&*][^\s,\[\]{}]+)
      | (?P<directive>%[^\n]*)""",
    re.VERBOSE,
)
_COMMENT: Final = re.compile(r"(?<![^ \t\n])#[^\n]*")
_HEADER: Final = re.compile(r"[|>][-+0-9]*")


class Kind(Enum):
    """What a token is."""

    MARK = "a sign of YAML"
    NAME = "an anchor or alias"
    TEXT = "a scalar or the first piece of it"
    WORD = "a further piece of a scalar, with a fixed number of blanks before it"
    LINE = "what a further line of a text begins with"
    BLOCK = "what a line of a block scalar begins with"
    COMMENT = "a comment"


@frozen
class Token:
    """A stretch of one line. `gap` is how many blanks belong before it; none where the tokens around it decide."""

    kind: Kind
    start: int
    text: str
    gap: int | None = None

    @property
    def end(self) -> int:
        """Where it ends in the file."""
        return self.start + len(self.text)


@define
class Line:
    """A line of a file: where it starts, its tokens, and the comment behind them.

    `depth`: how many flow collections are open where it begins; `kept`: whether it belongs to a scalar, blank or not; `block`: to a block
    scalar. Of block scalars `base` is their indentation and `fixed` says whether their header gives it; `raw` is what stands behind it,
    where that is no expression.
    """

    start: int
    tokens: list[Token] = Factory(list)
    comment: Token | None = None
    depth: int = 0
    kept: bool = False
    block: bool = False
    base: int = 0
    fixed: bool = False
    raw: str | None = None

    def column(self, token: Token) -> int:
        """Where a token stands, from 0."""
        return token.start - self.start


class UnknownTextError(Exception):
    """Something between scalars that is not understood; `place` is where."""

    def __init__(self, place: int) -> None:
        super().__init__(place)
        self.place = place


def lines_of(source: SourceFile, root: Node, spots: Spots) -> list[Line]:
    """The lines of a file."""
    return _Cutter(source, spots).cut(root)


@define
class _Cutter:
    source: SourceFile
    spots: Spots
    lines: list[Line] = Factory(list)
    depth: int = 0

    def cut(self, root: Node) -> list[Line]:
        self.lines = [Line(start) for start in self.source.line_starts]
        found = {node.span.start: node for node in scalars(root) if not node.is_empty}
        place = 0
        for start in sorted(found):
            self._gap(place, start)
            place = self._scalar(found[start])
        self._gap(place, len(self.source.text))
        return self.lines

    def _line_at(self, place: int) -> Line:
        return self.lines[self.source.position(place)[0] - 1]

    def _add(self, token: Token) -> None:
        line = self._line_at(token.start)
        if token.kind is Kind.COMMENT:
            line.comment = token
        else:
            line.tokens.append(token)

    # --- between scalars ----------------------------------------------------------------------------------------------

    def _gap(self, start: int, end: int) -> None:
        text = self.source.text
        place = start
        while place < end:
            match = _GAP.match(text, place, end)
            if match is None:
                raise UnknownTextError(place)
            place = match.end()
            match match.lastgroup:
                case "blank":
                    self._begin_lines(match.start(), place)
                case "comment":
                    self._add(Token(Kind.COMMENT, match.start(), _comment(match[0])))
                case "mark":
                    self.depth += (match[0] in {"[", "{"}) - (match[0] in {"]", "}"})
                    self._add(Token(Kind.MARK, match.start(), match[0]))
                case _:
                    self._add(Token(Kind.NAME, match.start(), match[0].rstrip()))

    def _begin_lines(self, start: int, end: int) -> None:
        """Note how deep in flow collections the lines are that begin here."""
        for place in range(start, end):
            if self.source.text[place] == "\n":
                self._line_at(place + 1).depth = self.depth

    # --- scalars ------------------------------------------------------------------------------------------------------

    def _scalar(self, node: Scalar) -> int:
        """Cut a scalar, and give the place behind it."""
        stretches = [stretch for stretch in self.spots.stretches(node) if is_formattable(scan(self._text(stretch)))]
        if node.style.is_block:
            return self._block(node, stretches[0] if stretches else None)
        start, end = node.span.start, node.span.end
        pieces = list(self._pieces(start, end, stretches, plain=node.style is Style.PLAIN))
        pieces[0] = Token(Kind.TEXT, pieces[0].start, pieces[0].text)
        if node.style is Style.SINGLE and not set(node.span.text[1:-1]) & {'"', "\\", "'", "\n"}:
            pieces = _requoted(pieces)
        cut_off = self._cut_off(node)
        for piece in (*pieces, *cut_off):
            self._add(piece)
        self._keep_lines(start, end)
        return self._line_end(end) if cut_off else end

    def _cut_off(self, node: Scalar) -> list[Token]:
        """The rest of a string literal that a ` #` cuts off in a plain scalar: for YAML it is a comment, but nobody meant one."""
        quote = open_quote(scan(node.span.text)) if node.style is Style.PLAIN else ""
        if not quote:
            return []
        end = node.span.end
        behind = self.source.text[end : self._line_end(end)]
        rest = behind.strip()
        if not rest.startswith("#") or quote not in rest:
            return []
        gap = len(behind) - len(behind.lstrip())
        return [Token(Kind.WORD, end + gap, rest, gap)]

    def _text(self, stretch: Stretch) -> str:
        return self.source.text[stretch[0] : stretch[1]]

    def _pieces(self, start: int, end: int, stretches: list[Stretch], *, plain: bool) -> Iterator[Token]:
        """The tokens of a scalar that is no block: its expressions word by word, all else as it is."""
        place = start
        for begin, stop in stretches:
            words = list(self._words(begin, stop, plain=plain))
            if words:
                yield from self._verbatim(place, words[0].start, first=place == start)
                yield from words
                place = stop
        yield from self._verbatim(place, end, first=place == start)

    def _verbatim(self, start: int, end: int, *, first: bool) -> Iterator[Token]:
        """Text that stays as it is, line by line, less blanks at the ends of lines, which YAML drops, and before expressions."""
        place = start
        for number, piece in enumerate(self.source.text[start:end].split("\n")):
            shown = piece if piece.endswith("\\ ") else piece.rstrip(" \t")
            if number:
                shown = shown.lstrip(" \t")
            if shown:
                kind = Kind.LINE if number else Kind.TEXT if first else Kind.WORD
                yield Token(kind, place + piece.index(shown), shown, 0 if kind is Kind.WORD else None)
            place += len(piece) + 1

    def _words(self, start: int, end: int, *, plain: bool) -> Iterator[Token]:
        """The words and comments of an expression; the first has no blank before it."""
        text = self.source.text[start:end]
        words = scan(text)
        last = 0
        for index, word in enumerate(words):
            between = text[last : word.start]
            yield from self._comments(start, last, word.start)
            if "\n" in between:
                yield Token(Kind.LINE, start + word.start, word.text)
            else:
                gap = blanks_between(words, index, len(between), plain=plain) if index else 0
                yield Token(Kind.WORD, start + word.start, word.text, gap)
            last = word.end
        yield from self._comments(start, last, len(text))

    def _comments(self, base: int, start: int, end: int) -> Iterator[Token]:
        for match in _COMMENT.finditer(self.source.text, base + start, base + end):
            yield Token(Kind.COMMENT, match.start(), _comment(match[0]))

    def _keep_lines(self, start: int, end: int) -> None:
        first, last = self.source.position(start)[0], self.source.position(end)[0]
        for number in range(first, last):
            self.lines[number].kept = True
            self.lines[number].depth = self.depth

    # --- block scalars ------------------------------------------------------------------------------------------------

    def _block(self, node: Scalar, stretch: Stretch | None) -> int:
        """Cut a block scalar: its header, and its lines by what they hold."""
        text = self.source.text
        start, end = node.span.start, node.span.end
        header = _HEADER.match(text, start)
        assert header is not None
        self._add(Token(Kind.TEXT, start, header[0]))
        comment = _COMMENT.search(text, header.end(), self._line_end(start))
        if comment is not None:
            self._add(Token(Kind.COMMENT, comment.start(), _comment(comment[0])))
        if "+" in header[0]:
            end = len(text) - len(text[end:].lstrip(" \n")) if text[end:].strip(" \n") else len(text)
            end = text.rfind("\n", start, end) if end < len(text) else end
        first, last = self.source.position(start)[0], self.source.position(max(start, end - 1))[0]
        inside = self.lines[first:last]
        base = min((_indent(text, line.start) for line in inside if not self._is_blank(line)), default=0)
        for line in inside:
            line.kept, line.block, line.base = True, True, base
            line.fixed = any(character.isdigit() for character in header[0])
            if stretch is None:
                line.raw = text[min(line.start + base, self._line_end(line.start)) : self._line_end(line.start)]
        if stretch is not None:
            for token in self._words(stretch[0], stretch[1], plain=False):
                is_first = not self._line_at(token.start).tokens and token.kind is not Kind.COMMENT
                self._add(Token(Kind.BLOCK, token.start, token.text) if is_first else token)
        return max(end, self._line_end(start)) if not inside else end

    def _line_end(self, place: int) -> int:
        found = self.source.text.find("\n", place)
        return found if found >= 0 else len(self.source.text)

    def _is_blank(self, line: Line) -> bool:
        return not self.source.text[line.start : self._line_end(line.start)].strip()


def _requoted(pieces: list[Token]) -> list[Token]:
    """A scalar in single quotes with double ones in their place."""
    first = pieces[0]
    pieces[0] = Token(first.kind, first.start, '"' + first.text[1:])
    last = pieces[-1]
    pieces[-1] = Token(last.kind, last.start, last.text[:-1] + '"', last.gap)
    return pieces


def _comment(text: str) -> str:
    """A comment with a blank behind its sign."""
    text = text.rstrip()
    return f"# {text[1:]}" if len(text) > 1 and text[1].isalnum() else text


def _indent(text: str, start: int) -> int:
    place = start
    while place < len(text) and text[place] == " ":
        place += 1
    return place - start
