"""Wording for what the grammar stumbles over: the word where parsing stopped → one message that says how to go on.

Each of the common mistakes has a function of its own, which looks at the words around and gives a message or None.
They are asked in order, and what none of them knows gets the plain message of what was expected.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from collections.abc import Set as AbstractSet
from itertools import pairwise

from attrs import evolve, frozen

from gdl.diagnostics import Diagnostic, Related
from gdl.expression_expected import FORMS, expected, quoted
from gdl.expression_refusals import not_assignable, shortened, two_readings
from gdl.expression_scan import (
    CLOSING,
    COMPARISONS,
    LIST_OPERATORS,
    OPENING,
    RESERVED,
    Word,
    left_edge,
    operand_start,
    right_edge,
    stretch,
    top_level,
    unclosed,
)
from gdl.expression_signs import wrong_sign
from gdl.source import Fragment, Span

_LOOSE = LIST_OPERATORS | {"and", "or", "if", "then", "else", "as", "=", "+=", "-=", ":"}
"""What ends the reach of a comparison to either side, besides commas and brackets."""

_LONG_CURE = 120
_TERMINALS = {")": "RPAR", "]": "RSQB", "}": "RBRACE"}


@frozen
class Failure:
    """Where parsing stopped: `index` is that of the first word that can't be there, or behind the last word.

    `start` is the grammar's start symbol, `accepts` the terminals that could have gone on.
    """

    fragment: Fragment
    start: str
    words: list[Word]
    index: int
    accepts: AbstractSet[str]

    @property
    def word(self) -> Word | None:
        """The word that can't be there, none at the end."""
        return self.words[self.index] if self.index < len(self.words) else None

    @property
    def previous(self) -> Word | None:
        """The word before it."""
        return self.words[self.index - 1] if self.index else None

    @property
    def mark(self) -> str:
        """The word that can't be there, if it is a sign or reserved word."""
        return self.word.mark if self.word else ""

    @property
    def behind_value(self) -> bool:
        """Whether what stands before is a whole value of an expression."""
        return "AND" in self.accepts

    def span(self, first: Word, last: Word | None = None) -> Span:
        """The place of a word, or of a stretch of words."""
        return self.fragment.span(first.start, (last or first).end)

    def text(self, start: int, end: int) -> str:
        """The text of a stretch of words."""
        return stretch(self.fragment.text, self.words, start, end)

    def error(self, span: Span, message: str, help: str = "", suggestion: str | None = None) -> Diagnostic:
        """A message about the text."""
        return Diagnostic("syntax", span, message, help=help, suggestion=suggestion)


def explain(failure: Failure) -> Diagnostic:
    """The one message for a text that does not parse."""
    for mistake in _MISTAKES:
        if (found := mistake(failure)) is not None:
            return found
    return _plain(failure)


def _plain(failure: Failure) -> Diagnostic:
    wanted = expected(failure.accepts, failure.previous)
    help_ = FORMS.get(failure.start, "")
    if "NAME" not in failure.accepts and "ELSE" in failure.accepts:
        help_ = "an `if` inside a string is a value, so it always has an `else`"
    elif "WHERE" in failure.accepts and not failure.behind_value:
        help_ = "`as` names the elements for the list operators behind it: `xs as n where …`"
    if failure.word is None:
        end = failure.words[-1].end
        message = f"the text ends after {quoted(failure.words[-1].text)}; expected {wanted}"
        return failure.error(failure.fragment.span(end, end), message, help_)
    return failure.error(
        failure.span(failure.word), f"{quoted(failure.word.text)} can't stand here; expected {wanted}", help_
    )


# --- keys of steps ---------------------------------------------------------------------------------------------------


def _let(failure: Failure) -> Diagnostic | None:
    words = failure.words
    if failure.start != "step" or failure.index != 1 or [word.text for word in (words[0], *words[2:3])] != ["let", "="]:
        return None
    binding = failure.text(1, len(words))
    shown = binding if len(binding) <= _LONG_CURE else f"{words[1].text} = …"
    return failure.error(failure.span(words[0]), "`let` is a key and takes a colon", f"write `let: {shown}`", "let:")


# --- numbers and names ------------------------------------------------------------------------------------------------


_SEVERAL_WORDS = re.compile(r"\s*([A-Za-z_]\w*(?:[ -]+\w+)+)\s*", re.ASCII)
_DASH_RANGE = re.compile(r"\s*(\d+)\s*-\s*(\d+)\s*(?=$|=)")


def _several_words(failure: Failure) -> Diagnostic | None:
    found = _SEVERAL_WORDS.fullmatch(failure.fragment.text) if failure.start == "lone_name" else None
    if found is None:
        return None
    return failure.error(
        failure.fragment.span(*found.span(1)), "a name is one word", "words are joined by `_`", re.sub("[ -]+", "_", found[1])
    )


def _dash_range(failure: Failure) -> Diagnostic | None:
    found = _DASH_RANGE.match(failure.fragment.text) if failure.start in ("type", "declared") else None
    if found is None:
        return None
    span = failure.fragment.span(found.start(1), found.end(2))
    return failure.error(span, "this is no type", "a range is written with dots", f"{found[1]}..{found[2]}")


def _decimal(failure: Failure) -> Diagnostic | None:
    words = failure.words
    for first in range(max(failure.index - 2, 0), failure.index + 1):
        three = words[first : first + 3]
        adjacent = all(left.end == right.start for left, right in pairwise(three))
        if adjacent and [word.kind for word in three] == ["number", "sign", "number"] and three[1].text == ".":
            shown = "".join(word.text for word in three)
            low, high = three[0].text, three[2].text
            whole = low if not high.strip("0") else None
            cure = "leave the point out" if whole else f"a range is written `{low}..{high}`" if _is_range(low, high) else ""
            message = f"`{shown}` is no integer, and there are no other numbers"
            return failure.error(failure.span(three[0], three[2]), message, cure, whole)
    return None


def _is_range(low: str, high: str) -> bool:
    """Whether a number written with a point may have been meant as a range."""
    return (len(low), low) < (len(high), high)


def _number_before_name(failure: Failure) -> Diagnostic | None:
    number, name = failure.previous, failure.word
    if number is None or name is None or number.kind != "number" or name.kind != "name" or number.end != name.start:
        return None
    message = f"`{number.text}{name.text}` is neither a number nor a name"
    return failure.error(
        failure.span(number, name), message, "numbers have digits only, and names begin with a letter or `_`"
    )


def _reserved_word(failure: Failure) -> Diagnostic | None:
    word = failure.word
    if failure.accepts == {"EQUAL"} and failure.previous and failure.previous.kind == "reserved":
        word = failure.previous  # as an argument it could have been a keyword
    elif word is None or word.kind != "reserved" or "NAME" not in failure.accepts:
        return None
    if failure.accepts >= {"NAME", "NUMBER"} or word is failure.previous:
        wanted = "a value" if word is failure.previous else expected(failure.accepts, failure.previous)
        message = f"`{word.text}` can't stand here; expected {wanted}"
        return failure.error(failure.span(word), message, f"`{word.text}` is a reserved word and can't be a name")
    message = f"`{word.text}` is a reserved word and can't be a name"
    return failure.error(failure.span(word), message, FORMS.get(failure.start, ""))


# --- comparisons, tests, assignments ----------------------------------------------------------------------------------


def _kind_test(failure: Failure) -> Diagnostic | None:
    place = failure.index - 1
    negated = place > 0 and failure.words[place].mark == "not"
    place -= negated
    word = failure.word
    if word is None or place < 0 or failure.words[place].mark != "is":
        return None
    span = failure.span(failure.words[place], word)
    test = f"is not {word.text}" if negated else f"is {word.text}"
    if word.text == "none":
        right = "!= none" if negated else "== none"
        return failure.error(span, f"`{test}` is no test of a kind; expected `{right}`", suggestion=right)
    if word.text == "in":
        right = "not in" if negated else "in"
        return failure.error(span, f"`{test}` is no operator; expected `{right}`", suggestion=right)
    if word.text in {"true", "false"}:
        cure = "write the condition by itself, or with `not` before it"
    else:
        cure = f"values are compared with `{'!=' if negated else '=='}`"
    shown = quoted(word.text)
    return failure.error(failure.span(word), f"{shown} is no kind; expected the name of one after `is`", cure)


def _assignment(failure: Failure) -> Diagnostic | None:
    if failure.word is None or not failure.behind_value or failure.mark not in {"=", "+=", "-="}:
        return None
    span = failure.span(failure.word)
    at_top = failure.start == "step" and not unclosed(failure.words[: failure.index])
    earlier = {failure.words[place].mark for place in top_level(failure.words, 0, failure.index)}
    if at_top and not earlier & {"=", "+=", "-="}:
        return not_assignable(failure.span(failure.words[0], failure.previous))
    if failure.mark != "=":
        message = f"`{failure.mark}` changes a variable and can't stand inside an expression"
        return failure.error(span, message, "it is a step of its own: `x += 1`")
    if at_top:
        return evolve(failure.error(span, "a step assigns once; expected `==` or a step of its own", suggestion="=="), certain=False)
    help_ = ""
    brackets = unclosed(failure.words[: failure.index])
    if brackets and brackets[-1].text == "(":
        help_ = "before the `=` of a named argument stands one bare name"
    return failure.error(span, "`=` does not compare; expected `==`", help_, "==")


def _chained_comparison(failure: Failure) -> Diagnostic | None:
    words = failure.words
    if not failure.behind_value or failure.mark not in COMPARISONS | {"in", "is", "not"}:
        return None
    left, right = left_edge(words, failure.index, _LOOSE), right_edge(words, failure.index, _LOOSE)
    while words[left].mark == "not":
        left += 1
    operators = list(_comparisons(words, left, right))
    if len(operators) < 2 or operators[-1][1] >= right:
        return None
    texts = [failure.text(start, end) for start, end in operators]
    bounds = [left, *(bound for operator in operators for bound in operator), right]
    operands = [failure.text(start, end) for start, end in zip(bounds[::2], bounds[1::2], strict=True)]
    if set(texts) <= COMPARISONS:
        pairs = zip(operands, texts, operands[1:], strict=False)
        cure = " and ".join(f"{first} {operator} {second}" for first, operator, second in pairs)
    else:
        cure = f"({operands[0]} {texts[0]} {operands[1]}) {texts[1]} {operands[2]}"
    cure = f"write `{cure}`" if len(cure) <= _LONG_CURE else "join them with `and`, or put one of them in parentheses"
    return failure.error(
        failure.span(words[operators[1][0]], words[operators[1][1] - 1]), "comparisons do not chain", cure
    )


def _comparisons(words: list[Word], left: int, right: int) -> list[tuple[int, int]]:
    """The comparisons of a stretch, each as the indices where it begins and ends; `is not` and `not in` are one."""
    found: list[tuple[int, int]] = []
    for place in top_level(words, left, right):
        mark = words[place].mark
        if mark == "in" and place > left and words[place - 1].mark == "not":
            found.append((place - 1, place + 1))
        elif mark == "is" and place + 1 < right and words[place + 1].mark == "not":
            found.append((place, place + 2))
        elif mark in COMPARISONS | {"in", "is"}:
            found.append((place, place + 1))
    return found


def _chained_range(failure: Failure) -> Diagnostic | None:
    left = left_edge(failure.words, failure.index, _LOOSE | COMPARISONS | {"in", "is", "not", "??"})
    earlier = [failure.words[place].mark for place in top_level(failure.words, left, failure.index)]
    if failure.word is None or failure.mark != ".." or ".." not in earlier:
        return None
    return failure.error(failure.span(failure.word), "ranges do not chain; a range has two ends")


# --- types ------------------------------------------------------------------------------------------------------------


def _element_type(failure: Failure) -> Diagnostic | None:
    word = failure.previous
    if (
        word is None
        or word.text != "of"
        or failure.index < 2
        or failure.words[failure.index - 2].text not in {"set", "list"}
    ):
        return None
    first = failure.words[failure.index - 2]
    message = f"`{first.text} of` is no type; expected `{first.text}[T]`"
    return failure.error(failure.span(first, word), message)


def _parameters(failure: Failure) -> Diagnostic | None:
    names = failure.words[max(failure.index - 2, 0) : failure.index]
    if failure.start != "signature" or failure.mark != ":" or [word.kind for word in names] != ["name", "name"]:
        return None
    message = f"{quoted(names[0].text)} and {quoted(names[1].text)} stand side by side; expected `,` between parameters"
    return failure.error(failure.span(names[1]), message)


def _untyped_parameter(failure: Failure) -> Diagnostic | None:
    name = failure.previous
    if failure.start != "signature" or failure.mark not in {",", ")"} or name is None or name.kind != "name" or failure.index < 2:
        return None
    if failure.accepts & {"COMMA", "RPAR"}:
        return None
    return failure.error(failure.span(name), "a parameter has a type", f"as in `{name.text}: player` or `{name.text}: 1..6`")


def _optional_type(failure: Failure) -> Diagnostic | None:
    if failure.word is None or failure.accepts != {"NONE"}:
        return None
    message = f"{quoted(failure.word.text)} can't stand here; expected `none`"
    return failure.error(
        failure.span(failure.word), message, "a type with several kinds is a kind of its own, with `any_of`"
    )


def _bound(failure: Failure) -> Diagnostic | None:
    if failure.word is None or failure.mark not in {".", "["} or "_RANGE" in failure.accepts or failure.behind_value:
        return None
    if not failure.accepts >= {"PLUS", "STAR"}:
        return None
    message = f"`{failure.mark}` can't stand in the bound of a range"
    return failure.error(failure.span(failure.word), message, "in parentheses all is allowed: `0..(board.size)`")


# --- lists and conditions ---------------------------------------------------------------------------------------------


def _list_operator(failure: Failure) -> Diagnostic | None:
    words, word = failure.words, failure.word
    if word is None or word.mark not in LIST_OPERATORS | {"as"}:
        return None
    if failure.accepts >= {"NAME", "STRING"}:
        message = f"a list is missing before `{word.text}`"
        return failure.error(failure.span(word), message, f"`{word.text}` is a reserved word and can't be a name")
    if not failure.behind_value:
        return None
    left = left_edge(words, failure.index, {"=", "+=", "-=", ":"})
    if failure.start == "binders" and words[left].kind == "name" and words[left + 1].mark == "in":
        left += 2
    if operand_start(words, failure.index - 1) <= left:
        return None
    return two_readings(failure.fragment, words, left, failure.index)


def _condition_behind(failure: Failure) -> Diagnostic | None:
    if failure.word is None or not failure.behind_value:
        return None
    span = failure.span(failure.word)
    if failure.mark == "if":
        message = "`if` can't stand behind a value; expected an operator"
        return failure.error(span, message, "a choice between values is written `if condition then a else b`")
    if failure.word.text in {"elif", "elseif", "elsif"}:
        message = f"`{failure.word.text}` can't stand here; expected `else if`"
        return failure.error(span, message, suggestion="else if")
    return None


# --- brackets and commas ----------------------------------------------------------------------------------------------


def _bracket(failure: Failure) -> Diagnostic | None:
    opened = unclosed(failure.words[: failure.index])
    if failure.word is None:
        if not opened or _TERMINALS[CLOSING[opened[-1].text]] not in failure.accepts:
            return None
        opener = opened[-1]
        return failure.error(
            failure.span(opener), f"this `{opener.text}` is never closed; expected `{CLOSING[opener.text]}`"
        )
    if failure.mark not in OPENING:
        return None
    span = failure.span(failure.word)
    if not opened:
        return failure.error(span, f"this `{failure.mark}` closes nothing")
    opener = opened[-1]
    if opener.text == OPENING[failure.mark]:
        return None
    message = f"`{failure.mark}` does not close `{opener.text}`; expected `{CLOSING[opener.text]}`"
    return Diagnostic("syntax", span, message, related=(Related(failure.span(opener), "opened here"),))


def _comma(failure: Failure) -> Diagnostic | None:
    comma = failure.previous
    if comma is None or comma.text != "," or not (failure.word is None or failure.mark in OPENING):
        return None
    return failure.error(failure.span(comma), "nothing follows this comma; expected a value or no comma")


def _table_without_values(failure: Failure) -> Diagnostic | None:
    if failure.word is None or failure.mark not in {",", "}"} or "_COLON" not in failure.accepts:
        return None
    message = f"`{failure.mark}` can't stand here; expected `:` and a value for this key"
    return failure.error(failure.span(failure.word), message, "a table is written `{key: value}`, a list `[a, b]`")


def _side_by_side(failure: Failure) -> Diagnostic | None:
    before, word = failure.previous, failure.word
    if before is None or word is None or not (before.ends_value and word.begins_value and "PLUS" in failure.accepts):
        return None
    wanted = expected(failure.accepts, before)
    shown = f"{quoted(before.text)} and {quoted(word.text)}"
    help_ = ""
    if before.kind == "string" and before.end == word.start:
        help_ = f"a text that holds {before.text[0]} stands between the other kind of quotes"
    elif word.kind == "name" and word.text.lower() in RESERVED:
        return failure.error(
            failure.span(word),
            f"`{word.text}` can't stand here; expected {wanted}",
            "reserved words have small letters",
            word.text.lower(),
        )
    elif before.text == "computed":
        help_ = "the result of `computed` is named, as in `computed int`"
    elif before.kind == "name" and failure.index == 1 and failure.start in {"expression", "step"}:
        given = shortened(failure.text(1, right_edge(failure.words, 1, set())))
        help_ = f"a call has parentheses: `{before.text}({given})`"
    return failure.error(failure.span(word), f"{shown} stand side by side; expected {wanted}", help_)


def _sign(failure: Failure) -> Diagnostic | None:
    return wrong_sign(failure.fragment, failure.words, failure.index)


_MISTAKES: tuple[Callable[[Failure], Diagnostic | None], ...] = (
    _let,
    _several_words,
    _dash_range,
    _sign,
    _decimal,
    _number_before_name,
    _kind_test,
    _untyped_parameter,
    _table_without_values,
    _assignment,
    _chained_comparison,
    _chained_range,
    _list_operator,
    _condition_behind,
    _element_type,
    _parameters,
    _optional_type,
    _bound,
    _bracket,
    _comma,
    _reserved_word,
    _side_by_side,
)
