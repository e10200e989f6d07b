"""What libyaml says when it can't read a text, in words that help a designer, with a fix where quotes are one."""

from __future__ import annotations

import re
from collections.abc import Iterator

from attrs import frozen

from gdl.diagnostics import Report
from gdl.source import SourceFile, Span
from gdl.yaml_quotes import COMMENT_IN_TEXT, KEY_LINE, cutting_comment, never_closed
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

_NO_BLANK = "this line has no `: `"

_TAB = _Wording("found a tab character", "a tab can't be used here", "indent with blanks")

_COLON_INSIDE = "mapping values are not allowed"

_WORDINGS = (
    _Wording(
        _COLON_INSIDE, "YAML takes `: ` for the end of a key, and here none can be", _COLON, True
    ),
    _Wording("did not find expected ',' or '}'", "the map that starts with this `{` can't be read", _FLOW),
    _Wording("did not find expected ',' or ']'", "the list that starts with this `[` can't be read", _FLOW),
    _Wording("did not find expected node content", "a value was expected here", _FLOW),
    _Wording("did not find expected key", "this is neither a key nor part of what stands before it", _START, True),
    _Wording(
        "did not find expected '-'", "a list goes on with lines that begin with `- `", "check the indentation", True
    ),
    _Wording("block sequence entries", "a list can't start here", "put the list on lines of its own"),
    _Wording("could not find expected ':'", _NO_BLANK, "a line inside a map is `key: value`"),
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

_CLOSE = "close it where the list or map ends"
_QUOTE_NEVER_CLOSED = _Wording("", "this quotation mark is never closed", "close it on the same line")
_GOES_ON = _Wording("", "this value ends at its closing bracket for YAML, and here it goes on", _START)
_QUOTE_GOES_ON = _Wording("", "this value ends at its closing quotation mark for YAML, and here it goes on", _START)
_INDENT = _Wording("", "this line is indented otherwise than its neighbours", "indent it like the lines that it belongs to")
_DASH = _Wording("", "a line with a dash can't stand among the keys of a map", "leave out the dash, or indent the line below a key")
_COMMENT = _Wording("", "the text above this line has ended where a comment began", "quote the text, or leave the comment out")

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
    quote = None if at_tab else never_closed(source, offset)
    if quote is not None:
        report.error("unreadable-yaml", _around(source, quote), _QUOTE_NEVER_CLOSED.message, label="here", help=_QUOTE_NEVER_CLOSED.cure)
        return
    if _report_comment(source, opened, offset, report):
        return
    if problem.startswith(_COLON_INSIDE):
        above = _line_without_key(source, source.position(offset)[0])
        if above is not None:
            _report_no_blank(source, above, "a line inside a map is `key: value`", report)
            return
        if _report_second_key(source, offset, report):
            return
    wording = _TAB if at_tab else next((w for w in _WORDINGS if problem.startswith(w.problem)), None)
    if wording is None:
        wording = _Wording(problem, f"this is not YAML: {problem}", _START)
    whole = _quotable(source, offset) if wording.quotes else None
    if wording.message == _NO_BLANK:
        _report_no_blank(source, source.position(opened)[0], wording.cure, report)
        return
    if problem.startswith(_AT_OPENING):
        whole, wording, offset = _in_flow(source, opened, offset, wording)
    elif whole is not None and whole.text[0] in "\"'":
        wording = _QUOTE_GOES_ON
    elif problem.startswith(_LINES):
        offset, wording = _of_line(source, offset, wording, is_quotable=whole is not None)
        whole = whole if wording.quotes else None
    if whole is None:
        report.error("unreadable-yaml", _around(source, offset), wording.message, label="here", help=wording.cure)
        return
    suggestion = quoted(whole.text[1:-1] if _is_apostrophe(whole.text) else whole.text)
    help_text = f"quote it: `{suggestion}`"
    report.error("unreadable-yaml", whole, wording.message, label="quote it", help=help_text, suggestion=suggestion)


_TWO_KEYS = re.compile(r"""\s*(?:-\s+)?([a-z_]+):\s+[^\s"'][^"']*?\s(then|else|do|cases):(?=\s|$)""")


def _report_second_key(source: SourceFile, offset: int, report: Report) -> bool:
    """Report a key of a step behind the value of another one, as in `if: a then: b`."""
    number = source.position(offset)[0]
    found = _TWO_KEYS.match(source.line(number))
    if found is None:
        return False
    start = source.line_starts[number - 1]
    message = f"`{found[2]}:` is a key of its own and can't follow the value of `{found[1]}:`"
    span = Span(source, start + found.start(2), start + found.end(2))
    report.error("unreadable-yaml", span, message, help=f"put `{found[2]}:` on the next line, below `{found[1]}:`")
    return True


def _report_comment(source: SourceFile, opened: int, stopped: int, report: Report) -> bool:
    """Report a comment that begins inside a string, as in `log("card # 3")`, between where a value was opened and reading stopped."""
    for number in range(source.position(opened)[0], source.position(stopped)[0] + 1):
        at = cutting_comment(source.line(number))
        if at is not None and opened <= source.line_starts[number - 1] + at <= stopped:
            span = _around(source, source.line_starts[number - 1] + at)
            cure = "quote the value that holds it, from its start to its end"
            report.error("unreadable-yaml", span, COMMENT_IN_TEXT, label="here", help=cure)
            return True
    return False


def _is_apostrophe(text: str) -> bool:
    """Whether a text in single quotes ends early for YAML only because of an apostrophe in it."""
    return len(text) > 1 and text[0] == text[-1] == "'" and re.search(r"\w'\w", text) is not None and '"' not in text


_LINES = ("did not find expected key", "did not find expected '-'")
"""What libyaml says of a line that does not go on as the ones before it."""


def _of_line(source: SourceFile, offset: int, wording: _Wording, *, is_quotable: bool) -> tuple[int, _Wording]:
    """What is wrong with a line, or above it, that does not go on as the ones before it; and where."""
    line, column = source.position(offset)
    text = source.line(line)
    if source.text[offset - 1 : offset] in ('"', "'"):
        quote = _open_quote(source, line, source.text[offset - 1])
        if quote is not None:
            return quote, _QUOTE_NEVER_CLOSED
    if is_quotable or text[: column - 1].strip():
        return offset, wording
    above = next((source.line(number) for number in range(line - 1, 0, -1) if source.line(number).strip()), "")
    if text.lstrip().startswith("- ") and len(above) - len(above.lstrip()) == len(text) - len(text.lstrip()):
        return offset, _DASH
    if KEY_LINE.match(text):
        return offset, _INDENT
    return offset, _COMMENT if " #" in above else wording


_FARTHEST = 200
"""So many lines above a quotation mark the one that it was taken to close is looked for."""


def _open_quote(source: SourceFile, line: int, quote: str) -> int | None:
    """The first quotation mark above that stands alone in its line, so that it goes on to the one in this line."""
    for number in range(line - 1, max(0, line - _FARTHEST), -1):
        text = source.line(number)
        if text.count(quote) % 2 == 1:
            return source.line_starts[number - 1] + text.rindex(quote)
    return None


def _in_flow(source: SourceFile, opened: int, stopped: int, wording: _Wording) -> tuple[Span | None, _Wording, int]:
    """What to quote of a list or map in brackets, what to say of it, and where."""
    closed = _closing_bracket(source.text, opened)
    sign = source.text[opened : opened + 1]
    if closed is None and sign in ("[", "{"):
        return None, _Wording("", f"this `{sign}` is never closed", _CLOSE), opened
    if closed is not None:
        rest = source.line(source.position(closed)[0])[source.position(closed)[1] :].strip()
        whole = _quotable(source, closed) if rest and rest[0] not in ",]}#:" else None
        if whole is not None:
            return whole, _GOES_ON, opened
    whole = _flow_value(source, opened, stopped)
    return whole, wording if whole is None else _IN_FLOW, opened


_FLOW_SIGN = re.compile(r"""(?<![\w)\]])"[^"\n]*"|(?<![\w)\]])'[^'\n]*'|[\[\]{}]|(?<=\s)\#[^\n]*""")


def _closing_bracket(text: str, opened: int) -> int | None:
    """Where the bracket is closed that opens here; none if it never is."""
    depth = 0
    for sign in _FLOW_SIGN.finditer(text, opened):
        if sign[0] in "[{":
            depth += 1
        elif sign[0] in "]}":
            depth -= 1
            if depth == 0:
                return sign.start()
    return None


_GLUED = re.compile(r"([A-Za-z_]\w*):(\S.*)")
_EQUALS = re.compile(r"([A-Za-z_]\w*)\s*=\s*(.+)")
_NO_BREAK_SPACE = "\u00a0"


def _report_no_blank(source: SourceFile, number: int, cure: str, report: Report) -> None:
    """A line that YAML can't take for a key with its value, perhaps for want of a blank."""
    line = source.line(number)
    text = line.strip()
    start = source.line_starts[number - 1] + len(line) - len(line.lstrip())
    span = Span(source, start, start + len(text))
    message, suggestion = _NO_BLANK, None
    if f":{_NO_BREAK_SPACE}" in text:
        message = "the blank behind the colon is a no-break space (U+00A0), which is none for YAML"
        cure, suggestion = "type a plain blank instead", text.replace(_NO_BREAK_SPACE, " ")
    elif (glued := _GLUED.fullmatch(text)) is not None:
        cure, suggestion = "a blank belongs behind the colon", f"{glued[1]}: {glued[2]}"
    elif (equals := _EQUALS.fullmatch(text)) is not None:
        cure, suggestion = "a declaration has a colon: `x: 0..3 = 0`", f"{equals[1]}: {equals[2]}"
    report.error("unreadable-yaml", span, message, help=cure, suggestion=suggestion)


def _line_without_key(source: SourceFile, number: int) -> int | None:
    """The line above one with a key that stands beside it and has none, so that YAML took both for one text; none if there is none."""
    text = source.line(number)
    above = next((n for n in range(number - 1, 0, -1) if source.line(n).strip()), None)
    if above is None or KEY_LINE.match(text) is None or text.lstrip().startswith("- "):
        return None
    before = source.line(above)
    alike = len(before) - len(before.lstrip()) == len(text) - len(text.lstrip())
    return above if alike and KEY_LINE.match(before) is None and not before.lstrip().startswith("#") else None


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
