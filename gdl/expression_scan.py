"""The words of an expression's text, for messages: where its stretches, operands and brackets begin and end.

A syntax error is explained from the text around it, which does not parse; so this module reads words only, takes every
text and never fails. It knows the lexis of `expression.lark`, nothing of its rules, and must agree with it on blanks.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from collections.abc import Set as AbstractSet

from attrs import frozen

LIST_OPERATORS: frozenset[str] = frozenset({"where", "select", "by", "while", "until"})
RESERVED: frozenset[str] = LIST_OPERATORS | {
    *("if", "then", "else", "and", "or", "not", "in", "is", "as", "none", "true", "false"),
}
"""The words of the grammar: no names, but allowed behind a dot and before the `=` of an argument."""

COMPARISONS: frozenset[str] = frozenset({"==", "!=", "<", "<=", ">", ">="})
CLOSING: dict[str, str] = {"(": ")", "[": "]", "{": "}"}
OPENING: dict[str, str] = {closer: opener for opener, closer in CLOSING.items()}

_WORD = re.compile(
    r"""(?P<blank>[ \t\r\n]+|(?<![^ \t\r\n])\#[^\r\n]*)
      | (?P<name>[A-Za-z_][A-Za-z0-9_]*)
      | (?P<number>[0-9]+)
      | (?P<string>'[^'\r\n]*'|"[^"\r\n]*")
      | (?P<sign>\?\?|\.\.|//|==|!=|<=|>=|\+=|-=|.)""",
    re.VERBOSE,
)


@frozen
class Word:
    """A name, reserved word, number, string or sign; `kind` says which. Offsets count in the text that was scanned."""

    kind: str
    text: str
    start: int
    end: int

    @property
    def mark(self) -> str:
        """The text of a sign or reserved word; empty for all others, which have no say in the structure."""
        return self.text if self.kind in {"sign", "reserved"} else ""

    @property
    def ends_value(self) -> bool:
        """Whether a value can end with this word."""
        return self.kind in {"name", "number", "string"} or self.text in {")", "]", "}", "none", "true", "false"}

    @property
    def begins_value(self) -> bool:
        """Whether a value can begin with this word, and nothing that goes on behind a value."""
        return self.kind in {"name", "number", "string"} or self.text in {"{", "none", "true", "false", "if"}


def scan(text: str) -> list[Word]:
    """The words of a text in order, without blanks and comments."""
    words: list[Word] = []
    for match in _WORD.finditer(text):
        kind = match.lastgroup or ""
        if kind == "blank":
            continue
        if kind == "name" and match[0] in RESERVED and not (words and words[-1].text == "."):
            kind = "reserved"
        words.append(Word(kind, match[0], match.start(), match.end()))
    return words


def index_at(words: list[Word], offset: int) -> int:
    """Index of the first word that ends behind an offset; the number of words if none does."""
    return next((index for index, word in enumerate(words) if word.end > offset), len(words))


def unclosed(words: list[Word]) -> list[Word]:
    """The opening brackets among words that none of them closes, outermost first."""
    found: list[Word] = []
    for word in words:
        if word.mark in CLOSING:
            found.append(word)
        elif word.mark in OPENING and found and found[-1].mark == OPENING[word.mark]:
            found.pop()
    return found


def beyond_depth(words: list[Word], limit: int) -> Word | None:
    """The first bracket that is nested more deeply than a limit."""
    depth = 0
    for word in words:
        depth += (word.mark in CLOSING) - (word.mark in OPENING)
        if depth > limit:
            return word
    return None


def left_edge(words: list[Word], index: int, stops: AbstractSet[str]) -> int:
    """Where the stretch that ends before `index` begins: behind an opening bracket, a comma or one of the `stops`.

    What stands in closed brackets is passed over. With `if` not among the stops, so is a whole `if … then … else`, and
    the stretch begins behind a word that belongs to an unfinished one.
    """
    depth = branches = 0
    for place in range(index - 1, -1, -1):
        mark = words[place].mark
        if mark in OPENING:
            depth += 1
        elif mark in CLOSING:
            depth -= 1
            if depth < 0:
                return place + 1
        elif depth == 0:
            branches += mark == "else"
            if mark in stops or mark == "," or (mark in {"if", "then"} and not branches):
                return place + 1
            branches -= mark == "if"
    return 0


def right_edge(words: list[Word], index: int, stops: AbstractSet[str]) -> int:
    """Index of the word that ends the stretch which begins at `index`; the mirror image of `left_edge`."""
    depth = branches = 0
    for place in range(index, len(words)):
        mark = words[place].mark
        if mark in CLOSING:
            depth += 1
        elif mark in OPENING:
            depth -= 1
            if depth < 0:
                return place
        elif depth == 0:
            branches += mark == "if"
            if mark in stops or mark == "," or (mark in {"then", "else"} and not branches):
                return place
            branches -= mark == "else"
    return len(words)


def operand_start(words: list[Word], index: int) -> int:
    """Where the operand begins whose last word is `index`: a postfix expression, or a range of two of them."""
    start = _postfix_start(words, index)
    if start >= 2 and words[start - 1].mark == ".." and words[start - 2].ends_value:
        return _postfix_start(words, start - 2)
    return start


def _postfix_start(words: list[Word], index: int) -> int:
    while index >= 0:
        if words[index].mark in OPENING:
            index = _matching(words, index)
            called = words[index].mark in {"(", "["} and index > 0 and words[index - 1].ends_value
            if not called:
                break
            index -= 1
        elif index >= 2 and words[index - 1].mark == ".":
            index -= 2
        else:
            break
    return max(index, 0)


def _matching(words: list[Word], index: int) -> int:
    depth = 0
    for place in range(index, -1, -1):
        depth += (words[place].mark in OPENING) - (words[place].mark in CLOSING)
        if depth == 0:
            return place
    return 0


def stretch(text: str, words: list[Word], start: int, end: int) -> str:
    """The text of the words from `start` to `end` (exclusive) on one line and without comments."""
    shown: list[str] = []
    for place in range(start, end):
        if place > start and words[place].start > words[place - 1].end:
            shown.append(" ")
        shown.append(text[words[place].start : words[place].end])
    return "".join(shown)


def top_level(words: list[Word], start: int, end: int) -> Iterator[int]:
    """Indices of the words from `start` to `end` (exclusive) that stand in no bracket opened there."""
    depth = 0
    for place in range(start, end):
        depth -= words[place].mark in OPENING
        if depth == 0:
            yield place
        depth += words[place].mark in CLOSING
