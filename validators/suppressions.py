"""Comments that ask the linter to be silent: `# gdl: ignore[CODE, …] reason`.

At the end of a line the comment is about what is found in that line; on a line of its own, about the whole block that begins
below it: that line and all that is indented further. A comment that silences nothing is reported itself. Mistakes of
language or structure can't be silenced: the spec would not play.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Final

from attrs import define, evolve, field, frozen

from gdl.diagnostics import Diagnostic, Report, Severity, did_you_mean, is_certain
from gdl.source import SourceFile, Span
from gdl.validators.config import is_unsilenceable, near_rules
from gdl.yaml_nodes import Mapping, Node, Scalar, Sequence, Style, parse_yaml

_COMMENT: Final = re.compile(r"(?:(?<=\s)|^)#[ \t]*gdl:[ \t]*(?P<what>[^\r\n]*)", re.MULTILINE)
_LIKE: Final = re.compile(r"(?:(?<=\s)|^)#[ \t]*(?i:gdl)[ \t]*:?[ \t]*(?i:ignore)[ \t]*\[[^\r\n]*", re.MULTILINE)
"""What is meant as such a comment, however it is written."""
_FORM: Final = "write `# gdl: ignore[CODE] reason`"
_IGNORE: Final = re.compile(r"ignore\[(?P<codes>[^\]\r\n]*)\](?P<reason>.*)")
CODES: Final = re.compile(r"[^\s,]+")
"""The codes between the brackets of a comment."""

IsExpression = Callable[[Scalar], bool]
"""Whether a block scalar of a file is an expression, in which comments may stand; in a text they are part of it."""
Canonical = Callable[[str], str | None]
"""The name of the rule that a text means, by name, number or label; none if there is no such rule."""


@define(eq=False)
class Suppression:
    """One code of one comment, its only one or not; `first` and `last` are the lines that it is about."""

    name: str
    span: Span
    first: int
    last: int
    is_only: bool
    used: bool = field(default=False)

    def covers(self, diagnostic: Diagnostic) -> bool:
        """Whether a finding is silenced."""
        span = diagnostic.span
        return diagnostic.code == self.name and span.source is self.span.source and self.first <= span.line <= self.last


@frozen
class Silenced:
    """What is left of some findings, and what is wrong with the comments."""

    shown: list[Diagnostic]
    hidden: int


def silence(
    findings: Iterable[Diagnostic],
    sources: Iterable[SourceFile],
    canonical: Canonical,
    names: Iterable[str],
    active: Callable[[str], bool] = lambda _: True,
    expressions: Callable[[SourceFile], IsExpression] = lambda _: lambda _: True,
) -> Silenced:
    """Take out the findings that comments in the sources silence; add what is wrong with the comments.

    `names` are those of all rules that can be silenced; of those that are not `active`, a comment need not silence anything.
    `expressions` tells of a file which block scalars are expressions; it is asked only if that matters.
    """
    report = Report()
    comments = [s for source in sources for s in _suppressions(source, canonical, list(names), report, expressions)]
    shown: list[Diagnostic] = []
    for finding in findings:
        covering = [comment for comment in comments if comment.covers(finding)]
        for comment in covering:
            comment.used = True
        if not covering:
            shown.append(finding)
    for comment in comments:
        if not comment.used and active(comment.name):
            message = f"nothing is found here that `{comment.name}` would silence"
            cure = "take the comment out" if comment.is_only else f"take `{comment.span.text}` out of the brackets"
            report.warning("unused-ignore", comment.span, message, help=cure)
    hidden = sum(1 for comment in comments if comment.used)
    return Silenced([*shown, *report.items], hidden)


def _suppressions(
    source: SourceFile, canonical: Canonical, names: list[str], report: Report, expressions: Callable[[SourceFile], IsExpression]
) -> Iterator[Suppression]:
    found = list(_COMMENT.finditer(source.text))
    starts = {match.start() for match in found}
    alike = [match for match in _LIKE.finditer(source.text) if match.start() not in starts]
    if not found and not alike:
        return
    texts = _Texts(source, expressions)
    for match in found:
        if match.start() not in texts:
            yield from _read(source, match, canonical, names, report)
    for match in alike:
        if match.start() not in texts:
            report.warning("bad-ignore", Span(source, *match.span()), "this comment is not written as one to the linter", help=_FORM)


def _read(source: SourceFile, match: re.Match[str], canonical: Canonical, names: list[str], report: Report) -> Iterator[Suppression]:
    span = Span(source, match.start(), match.end())
    asked = _IGNORE.fullmatch(match["what"])
    if asked is None and match["what"].strip().isdecimal():
        return  # the first line of a spec, commented out
    if asked is None:
        report.warning("bad-ignore", span, "this comment asks for nothing known", help=_FORM)
        return
    words = list(CODES.finditer(asked["codes"]))
    if not words:
        report.warning("bad-ignore", span, "this comment names no rule that it silences", help=_FORM)
        return
    if not asked["reason"].strip():
        report.warning("bad-ignore", span, "this comment does not say why", help="write a reason behind the bracket")
    first, last = _lines(source, match.start())
    base = match.start("what") + asked.start("codes")
    for word in words:
        place = Span(source, base + word.start(), base + word.end())
        name = canonical(word[0])
        if name is not None:
            yield Suppression(name, place, first, last, len(words) == 1)
            continue
        if is_unsilenceable(word[0]):
            message = f"`{word[0]}` can't be silenced: the spec would not play"
            report.warning("bad-ignore", place, message, help="mend what it is about, and take the comment out")
            continue
        close = near_rules(word[0], names)
        cure = did_you_mean(close[:1], "`gdl explain` lists all codes")
        message = f"there is no rule `{word[0]}` that could be silenced"
        found = Diagnostic("bad-ignore", place, message, help=cure, suggestion=close[0] if close else None, severity=Severity.WARNING)
        report.add(evolve(found, wrong=word[0], certain=is_certain(word[0], close)))


def _lines(source: SourceFile, offset: int) -> tuple[int, int]:
    """The lines that a comment is about."""
    line, column = source.position(offset)
    if source.line(line)[: column - 1].strip():
        return line, line
    below = line + 1
    while below <= source.line_count and (not source.line(below).strip() or source.line(below).lstrip().startswith("#")):
        below += 1
    if below > source.line_count:
        return line, line
    depth = _indent(source.line(below))
    last = below
    for number in range(below + 1, source.line_count + 1):
        text = source.line(number)
        if text.strip():
            if _indent(text) <= depth:
                break
            last = number
    return below, last


def _indent(text: str) -> int:
    return len(text) - len(text.lstrip())


class _Texts:
    """The scalars of a file in which no comment can stand: quoted ones, and block scalars that are no expressions."""

    def __init__(self, source: SourceFile, expressions: Callable[[SourceFile], IsExpression]) -> None:
        self.source, self.expressions = source, expressions
        self.scalars = list(_long_scalars(source))
        self.is_expression: IsExpression | None = None

    def __contains__(self, place: int) -> bool:
        return any(self._start(scalar) <= place < scalar.span.end and self._is_text(scalar) for scalar in self.scalars)

    def _start(self, scalar: Scalar) -> int:
        """Where the content begins: beside the header of a block scalar a comment may stand."""
        if not scalar.style.is_block:
            return scalar.span.start
        header = self.source.text.find("\n", scalar.span.start)
        return header if header >= 0 else scalar.span.end

    def _is_text(self, scalar: Scalar) -> bool:
        if not scalar.style.is_block:
            return True
        if self.is_expression is None:
            self.is_expression = self.expressions(self.source)
        return not self.is_expression(scalar)


def _long_scalars(source: SourceFile) -> Iterator[Scalar]:
    """The scalars of a file that are quoted or stand on lines of their own."""
    todo: list[Node | None] = [parse_yaml(source, Report())] if not source.name.endswith(".csv") else []
    while todo:
        match todo.pop():
            case Scalar(style=style) as scalar if style is not Style.PLAIN:
                yield scalar
            case Mapping(entries=entries):
                todo += [part for entry in entries for part in (entry.key, entry.value)]
            case Sequence(items=items):
                todo += items
            case _:
                pass
