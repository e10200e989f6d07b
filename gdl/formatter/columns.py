"""Lines with tokens and indentation → text. What stands below each other on purpose goes on standing so.

Blanks between tokens are set to what belongs there, unless they put a token below or above another one that stands in the same column, or
the end of a number above that of another. Then the column stays, and moves to the right as far as any of its tokens needs. The same is done
with comments behind lines, which have two blanks before them at least.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from attrs import Factory, define

from gdl.formatter.tokens import Kind, Line, Token

COMMENT_GAP: Final = 2
_OPENING: Final = frozenset({"[", "{"})
_SPACED: Final = frozenset({":", ","})
_CLOSING: Final = frozenset({"]", "}"})


_Place = tuple[int, int]
"""A token by the number of its line and its number there."""


@define
class _Placed:
    """A token on its way from its old column to its new one. `wanted` and `found` are numbers of blanks before it."""

    token: Token
    old: int
    wanted: int
    found: int
    column: int = -1

    @property
    def is_apart(self) -> bool:
        """Whether more blanks stand before it than belong there."""
        return self.found > self.wanted > 0

    @property
    def end(self) -> int:
        """The column behind it."""
        return self.column + len(self.token.text)


@define
class _Row:
    """A line: its tokens from left to right. Lines without a blank line between them have one paragraph."""

    line: Line
    indent: int
    paragraph: int
    placed: list[_Placed] = Factory(list)

    def sign_before(self, index: int) -> str:
        """The sign of YAML before a token; empty if there is none."""
        token = self.placed[index - 1].token if index else None
        return token.text if token is not None and token.kind is Kind.MARK else ""

    def is_movable(self, index: int) -> bool:
        """Whether a token can have more blanks before it than needed: what stands behind a colon or comma of YAML."""
        return self.sign_before(index) in _SPACED and self.placed[index].wanted > 0


def laid_out(lines: list[Line], indents: list[int], *, aligned: bool = True) -> list[str]:
    """The text of every line, without the blanks at its end; `aligned` keeps columns."""
    rows: list[_Row] = []
    paragraph = 0
    for line, indent in zip(lines, indents, strict=True):
        paragraph += not line.tokens and line.comment is None
        rows.append(_row(line, indent, paragraph))
    if aligned:
        _place(rows)
    else:
        _place_close(rows)
    comments = _comment_columns(rows)
    return [_written(row, column) for row, column in zip(rows, comments, strict=True)]


def _row(line: Line, indent: int, paragraph: int) -> _Row:
    row = _Row(line, indent, paragraph)
    previous: Token | None = None
    for token in line.tokens:
        wanted = gap(previous, token) if previous is not None else 0
        found = token.start - previous.end if previous is not None else 0
        row.placed.append(_Placed(token, line.column(token), wanted, found))
        previous = token
    return row


def gap(before: Token, token: Token) -> int:
    """How many blanks belong between two tokens of a line."""
    if token.gap is not None:
        return token.gap
    if before.kind is Kind.MARK and before.text in _OPENING:
        return 0
    if before.kind is Kind.MARK and before.text == ":":
        return 1  # without it, `{a:}` would have a key `a:`
    if token.kind is Kind.MARK and token.text in {",", *_CLOSING}:
        return 0
    if token.kind is Kind.MARK and token.text == ":":
        return 1 if before.kind is Kind.NAME else 0
    return 1


# --- columns ----------------------------------------------------------------------------------------------------------


def _place(rows: list[_Row]) -> None:
    """Give every token its column, those that stood further left first, so that what is left of a token is placed before it."""
    by_column: dict[int, list[_Place]] = {}
    for number, row in enumerate(rows):
        for index, placed in enumerate(row.placed):
            by_column.setdefault(placed.old, []).append((number, index))
    for old in sorted(by_column):
        for run in _runs(rows, by_column[old]):
            _place_run(rows, run)


def _place_close(rows: list[_Row]) -> None:
    """Give every token the column next to the one before it."""
    for row in rows:
        for index, placed in enumerate(row.placed):
            placed.column = _natural(row, index)


def _runs(rows: list[_Row], places: list[_Place]) -> Iterable[list[_Place]]:
    """Tokens of one column, cut where no token stands below another, neither in the next line nor in one of the same kind."""
    run: list[_Place] = []
    for place in places:
        if run and not _is_below(rows, run[-1], place):
            yield run
            run = []
        run.append(place)
    yield run


def _is_below(rows: list[_Row], above: _Place, place: _Place) -> bool:
    """Whether tokens stand in neighbouring lines behind the same sign, or in lines that begin alike without a blank line between them."""
    upper, lower = rows[above[0]], rows[place[0]]
    if place[0] == above[0] + 1:
        return upper.sign_before(above[1]) == lower.sign_before(place[1])
    return upper.paragraph == lower.paragraph and above[1] == place[1] and upper.placed[0].old == lower.placed[0].old


def _place_run(rows: list[_Row], run: list[_Place]) -> None:
    """Place tokens that stood below each other."""
    movable = [place for place in run if rows[place[0]].is_movable(place[1])]
    target = max(_kept(rows[number], index) for number, index in movable) if _is_aligned(rows, movable) else None
    for number, index in run:
        row = rows[number]
        placed = row.placed[index]
        if target is not None and row.is_movable(index):
            placed.column = target
        elif placed.is_apart and _is_number(placed.token) and _ends_aligned(rows, number, placed):
            placed.column = _kept(row, index)
        else:
            placed.column = _natural(row, index)


def _is_aligned(rows: list[_Row], run: list[_Place]) -> bool:
    """Whether tokens stand below each other on purpose: two have more blanks before them than needed, or one that has a neighbour."""
    apart = [number for number, index in run if rows[number].placed[index].is_apart]
    if len(apart) != 1:
        return len(apart) > 1
    return any(abs(number - apart[0]) == 1 for number, _ in run)


def _natural(row: _Row, index: int) -> int:
    """The column of a token with the blanks that belong before it."""
    return row.placed[index - 1].end + row.placed[index].wanted if index else row.indent


def _kept(row: _Row, index: int) -> int:
    """The column that a token had, as far as there is room, moved with its line."""
    return max(_natural(row, index), row.placed[index].old + row.indent - row.placed[0].old)


def _is_number(token: Token) -> bool:
    return token.text.removeprefix("-").isdigit()


def _ends_aligned(rows: list[_Row], number: int, placed: _Placed) -> bool:
    """Whether a number in a line beside this one ends in the same column."""
    return any(
        _is_number(other.token) and other.old + len(other.token.text) == placed.old + len(placed.token.text)
        for near in (number - 1, number + 1)
        if 0 <= near < len(rows)
        for other in rows[near].placed
    )


# --- comments ---------------------------------------------------------------------------------------------------------


def _comment_columns(rows: list[_Row]) -> list[int]:
    """Where each line's comment stands: behind what is there, aligned ones of neighbouring lines as far to the right as one needs."""
    columns = [row.indent for row in rows]
    run: list[int] = []
    for number, row in enumerate(rows):
        old = row.line.column(row.line.comment) if row.line.comment is not None else -1
        goes_on = bool(run) and old >= 0 and rows[run[-1]].line.column(_comment_of(rows[run[-1]])) == old
        if not goes_on:
            _align(rows, run, columns)
            run = []
        if old >= 0 and (goes_on or row.placed):
            run.append(number)
    _align(rows, run, columns)
    return columns


def _align(rows: list[_Row], run: list[int], columns: list[int]) -> None:
    """Put comments below each other: where they were, unless one was close to its line; then as far to the left as there is room."""
    behind = [rows[number] for number in run if rows[number].placed]
    if not behind:
        return
    was_close = any(_comment_of(row).start - row.placed[-1].token.end <= COMMENT_GAP for row in behind)
    old = 0 if was_close else behind[0].line.column(_comment_of(behind[0]))
    column = max([old, *(row.placed[-1].end + COMMENT_GAP for row in behind)])
    for number in run:
        columns[number] = column


def _comment_of(row: _Row) -> Token:
    assert row.line.comment is not None
    return row.line.comment


# --- text -------------------------------------------------------------------------------------------------------------


def _written(row: _Row, comment_column: int) -> str:
    text = ""
    if row.line.raw is not None:
        return " " * row.indent + row.line.raw if row.line.raw else ""
    for placed in row.placed:
        text = text.ljust(placed.column) + placed.token.text
    if row.line.comment is not None:
        text = text.ljust(comment_column) + row.line.comment.text
    return text
