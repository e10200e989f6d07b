"""What libyaml says when it can't read a text, in words that help a designer, with a fix where quotes are one."""

from __future__ import annotations

import re
from collections.abc import Iterator

from attrs import frozen

from gdl.diagnostics import Report
from gdl.source import SourceFile, Span
from gdl.yaml_split import quoted


@frozen
class _Wording:
    """What is said about a problem that begins with these words. `quotes` tells whether quoting may be the cure."""

    problem: str
    message: str
    cure: str
    quotes: bool = False


_FLOW = "inside `{…}` and `[…]` an expression with `, [ ] { }` needs quotes; or write one key per line"
_COLON = "indent the line like its neighbours; quote the text if the colon belongs to it"
_START = "quote a value that starts with a bracket, a quotation mark or one of `& * ! | > % @ #`"
_ESCAPE = "use single quotes, or write `\\\\`"
_TAG = "a `!` at the start of a value is a YAML tag"

_TAB = _Wording("found a tab character", "a tab can't be used here", "indent with blanks")

_WORDINGS = (
    _Wording(
        "mapping values are not allowed", "YAML takes `: ` for the end of a key, and here none can be", _COLON, True
    ),
    _Wording("did not find expected ',' or '}'", "the map that starts with this `{` can't be read", _FLOW),
    _Wording("did not find expected ',' or ']'", "the list that starts with this `[` can't be read", _FLOW),
    _Wording("did not find expected node content", "a value was expected here", _FLOW),
    _Wording("did not find expected key", "this is neither a key nor part of what stands before it", _START, True),
    _Wording(
        "did not find expected '-'", "a list goes on with lines that begin with `- `", "check the indentation", True
    ),
    _Wording("block sequence entries", "a list can't start here", "put the list on lines of its own"),
    _Wording("could not find expected ':'", "this line has no `: `", "a line inside a map is `key: value`"),
    _Wording("found character that cannot start", "no value can start with this character", _START, True),
    _TAB,
    _Wording("found unexpected end of stream", "this quotation mark is never closed", "close it on the same line"),
    _Wording("found unexpected document indicator", "a quotation mark before this line is never closed", "close it"),
    _Wording("found unknown escape", "`\\` with this letter means nothing inside double quotes", _ESCAPE),
    _Wording("did not find expected hexdecimal", "this escape needs hexadecimal digits", _ESCAPE),
    _Wording("did not find expected comment or line", "behind `|` or `>` the line must end", _START, True),
    _Wording("did not find expected alphabetic", "`*` and `&` at the start of a value are for aliases", _START, True),
    _Wording("did not find expected the '!'", _TAG, _START, True),
    _Wording("did not find expected tag", _TAG, _START, True),
    _Wording("found undefined tag", _TAG, _START, True),
    _Wording("did not find expected <document start>", "something stands behind the end of the spec", _START),
)

_TOO_DEEP = "exceeded maximum"
"""How libyaml begins what it says of nesting beyond a bound of its own, which some builds have."""

_IN_FLOW = _Wording("", "inside `{…}` and `[…]` YAML takes brackets and quotation marks for its own", _FLOW)

_AT_OPENING = ("did not find expected ',' or", "found unexpected end of stream")

_SIGNATURE_KEY = re.compile(r"^\s*([A-Za-z_]\w*\([^)]*\)):(?=\s|$)")
_VALUE = re.compile(r"""^\s*(?:-\s+)*(?:(?:"[^"]*"|'[^']*'|[\w ]+):\s+)?(\S.*?)\s*(?:\s\#.*)?$""")


def report_yaml_error(problem: str, offset: int, opened: int, source: SourceFile, report: Report) -> None:
    """Say why a text is not YAML: `problem` in libyaml's words, where it stopped, and where what it read began."""
    offset = min(offset, len(source.text))
    if problem.startswith(_TOO_DEEP):
        report.error("too-deep", _around(source, offset), "nested too deeply", help="move inner parts into functions or procedures")
        return
    at_tab = source.text[offset : offset + 1] == "\t"  # which libyaml has three different complaints about
    wording = _TAB if at_tab else next((w for w in _WORDINGS if problem.startswith(w.problem)), None)
    if wording is None:
        wording = _Wording(problem, f"this is not YAML: {problem}", _START)
    whole = _quotable(source, offset) if wording.quotes else None
    if problem.startswith(_AT_OPENING):
        whole, offset = _flow_value(source, opened, offset), opened
        wording = wording if whole is None else _IN_FLOW
    if whole is None:
        report.error("unreadable-yaml", _around(source, offset), wording.message, label="here", help=wording.cure)
        return
    suggestion = quoted(whole.text)
    help_text = f"quote it: `{suggestion}`"
    report.error("unreadable-yaml", whole, wording.message, label="quote it", help=help_text, suggestion=suggestion)


def _quotable(source: SourceFile, offset: int) -> Span | None:
    """The key or value around a place that YAML would read if it were quoted."""
    line, column = source.position(offset)
    text, line_start = source.line(line), source.line_starts[line - 1]
    for pattern in (_SIGNATURE_KEY, _VALUE):
        found = pattern.match(text)
        if found is None:
            continue
        start, end = found.span(1)
        has_key = bool(text[:start].strip())
        if start < column - 1 <= end or (has_key and start == column - 1):
            return Span(source, line_start + start, line_start + end)
    return None


def _flow_value(source: SourceFile, opened: int, stopped: int) -> Span | None:
    """The key or value inside `{…}` or `[…]` that YAML could not read because of a bracket or quotation mark in it."""
    text = source.text
    for begin, end in _flow_pieces(text, opened + 1):
        if end < stopped:
            continue
        piece = text[begin:end]
        start = begin + len(piece) - len(piece.lstrip())
        piece = piece.strip()
        fits = start <= stopped and "\n" not in piece and any(sign in piece for sign in "[]{}\"'")
        return Span(source, start, start + len(piece)) if fits else None
    return None


def _flow_pieces(text: str, start: int) -> Iterator[tuple[int, int]]:
    """The keys and values of a flow collection as its author saw them: no cut inside brackets or quotes."""
    index, depth = start, 0
    while index < len(text):
        character = text[index]
        if character in "\"'" and not text[index - 1].isalnum():
            closing = text.find(character, index + 1)
            index = closing if closing >= 0 else index
        elif character in "([{":
            depth += 1
        elif character in ")]}":
            depth -= 1
        if depth < 0:
            break
        if depth == 0 and (character == "," or text.startswith(": ", index)):
            yield start, index
            start = index + 1
        index += 1
    yield start, index


def _around(source: SourceFile, offset: int) -> Span:
    """A span of one character at a place, or of none at the end of a line or file."""
    at_end = offset >= len(source.text) or source.text[offset] in "\r\n"
    return Span(source, offset, offset if at_end else offset + 1)
