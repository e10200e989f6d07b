"""Quotation marks in YAML that cannot be read: which one is never closed, and which comment cuts a text in two.

YAML lets a quoted text go on for many lines, so that it notices a forgotten mark only at the next one, far below. What gives
the forgotten one away is a line with a key of its own that the text would have swallowed. Knows nothing of what YAML said.
"""

from __future__ import annotations

import re

from gdl.source import SourceFile

COMMENT_IN_TEXT = "` #` begins a YAML comment, so the text ends before it"
"""What is said where a comment begins inside a string."""

KEY_LINE = re.compile(r"""\s*(?:- |"[^"]*":(?:\s|$)|'[^']*':(?:\s|$)|[^\s"'#:][^"'#:]*:(?:\s|$))""")
"""A line that begins with a dash or a key."""

_BEFORE_VALUE = re.compile(r"""\s*(?:-\s+)*(?:(?:"[^"]*"|'[^']*'|[^\s"'#{\[][^"'#]*?):\s+)?""")
_FLOW_VALUE = re.compile(r"""(?:[{\[,]|(?<=[\w"']):(?=\s))\s*(?=["'])""")
_END = {'"': re.compile(r'(?:[^"\\]|\\.)*"', re.DOTALL), "'": re.compile(r"(?:[^']|'')*'(?!')")}


def never_closed(source: SourceFile, before: int) -> int | None:
    """The first quotation mark before a place that opens a value and swallows a line with a key; none if there is none."""
    number, last = 1, source.position(before)[0]
    while number <= last:
        end_line = number
        start = _opening(source, number)
        if start is not None:
            end = _END[source.text[start]].match(source.text, start + 1)
            end_line = source.position(end.end())[0] if end else number
            if end is None or _swallows_key(source, number, end_line):
                return start
        number = end_line + 1
    return None


def _opening(source: SourceFile, number: int) -> int | None:
    """Where in a line a quoted value begins that does not end in it."""
    line, begin = source.line(number), source.line_starts[number - 1]
    before = _BEFORE_VALUE.match(line)
    start = before.end() if before else 0
    if line[start : start + 1] in ('"', "'"):
        if _END[line[start]].match(line, start + 1) is None:
            return begin + start
    elif line[start : start + 1] in ("{", "["):
        while (value := _FLOW_VALUE.search(line, start)) is not None:
            end = _END[line[value.end()]].match(line, value.end() + 1)
            if end is None:
                return begin + value.end()
            start = end.end()
    return None


def _swallows_key(source: SourceFile, first: int, last: int) -> bool:
    """Whether a quoted text that begins and ends in these lines holds a line with a key, no further in than the first."""
    column = _indent(source.line(first))
    inside = (source.line(number) for number in range(first + 1, last + 1))
    return any(KEY_LINE.match(line) is not None and _indent(line) <= column for line in inside)


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


def cutting_comment(line: str) -> int | None:
    """Where a comment begins inside what the author of a line saw as a string; none if no comment does.

    An apostrophe inside a word opens no string.
    """
    mark = before = ""
    for place, character in enumerate(line):
        if mark:
            if character == "#" and before.isspace():
                return place if mark in line[place:] else None
            mark = "" if character == mark else mark
        elif character == "#" and before.isspace():
            return None
        elif character in "\"'" and not (before.isalnum() or before == "_"):
            mark = character
        before = character
    return None
