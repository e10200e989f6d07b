"""The words of an expression → how many blanks stand between two of them. Knows the lexis of the language, not its grammar."""

from __future__ import annotations

from typing import Final

from gdl.expression_scan import CLOSING, OPENING, Word

_TIGHT_BEFORE: Final = frozenset({")", "]", "}", ",", ":", ".", ".."})
_TIGHT_BEHIND: Final = frozenset({"(", "[", "{", ".", ".."})
_SIGNS: Final = frozenset(
    {*_TIGHT_BEFORE, *_TIGHT_BEHIND, "+", "-", "*", "//", "%", "==", "!=", "<", "<=", ">", ">=", "=", "+=", "-=", "??"}
)


def is_formattable(words: list[Word]) -> bool:
    """Whether all words are of the language, so that the blanks between them mean nothing."""
    return all(word.kind != "sign" or word.text in _SIGNS for word in words)


def open_quote(words: list[Word]) -> str:
    """The quotation mark that opens a string literal which is never closed, or nothing. An apostrophe behind a letter opens none."""
    for index, word in enumerate(words):
        is_apostrophe = index > 0 and words[index - 1].end == word.start and words[index - 1].kind in {"name", "number", "reserved"}
        if word.kind == "sign" and word.text in {"'", '"'} and not is_apostrophe:
            return word.text
    return ""


def blanks_between(words: list[Word], index: int, old: int, *, plain: bool) -> int:
    """How many blanks stand between a word and the one before it.

    `old` is how many there are. In a plain scalar a blank behind a colon would end the key for YAML, so it stays as it is.
    """
    before, word = words[index - 1], words[index]
    if before.mark == ":" and plain:
        return old
    if before.mark in _TIGHT_BEHIND or word.mark in _TIGHT_BEFORE:
        return 0
    if before.mark == "-" and _is_prefix(words, index - 1):
        return 0
    if word.mark == "(":
        return 1 if not before.ends_value or _begins_parameters_of_result(words, index) else 0
    if word.mark == "[":
        return 0 if before.ends_value else 1
    if "=" in {word.mark, before.mark}:
        return 0 if _is_keyword(words, index if word.mark == "=" else index - 1) else 1
    return 1


def _is_prefix(words: list[Word], index: int) -> bool:
    """Whether a minus has no left side."""
    return index == 0 or not words[index - 1].ends_value


def _is_keyword(words: list[Word], index: int) -> bool:
    """Whether an `=` is that of `call(keyword=value)`."""
    return index >= 2 and words[index - 2].mark in {"(", ","} and _depth(words, index) > 0


def _begins_parameters_of_result(words: list[Word], index: int) -> bool:
    """Whether a parenthesis is the one of `computed int (p: player)`."""
    return words[0].text == "computed" and index > 1 and _depth(words, index) == 0


def _depth(words: list[Word], index: int) -> int:
    return sum((word.mark in CLOSING) - (word.mark in OPENING) for word in words[:index])
