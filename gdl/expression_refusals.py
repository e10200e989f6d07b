"""Wording for what the grammar takes and the language does not: steps that do nothing, sums before `where`, sizes.

One function for each message. The words for what the grammar itself stumbles over stand in `expression_errors`.
"""

from __future__ import annotations

from typing import Final

from attrs import evolve

from gdl import ast
from gdl.diagnostics import Diagnostic, did_you_mean, is_certain, nearest
from gdl.expression_scan import Word, operand_start, right_edge, scan, stretch
from gdl.source import Fragment, Span

MAXIMUM_LENGTH = 20_000
"""Characters of one expression. A longer one is a table in disguise, and parsing it would take a noticeable time."""

MAXIMUM_DEPTH = 100
"""How deeply brackets and operators may be nested, so that walks over trees may be recursive."""

MAXIMUM_NUMBER = 2**63 - 1
NUMBER_DIGITS = len(str(MAXIMUM_NUMBER))

_GENERICS: Final = ("list", "set")
_LONG = 40
"""Characters of a quoted stretch that are still shown whole."""


class Refused(Exception):
    """The text is no expression of the language; `diagnostic` says why."""

    def __init__(self, diagnostic: Diagnostic) -> None:
        super().__init__(diagnostic.message)
        self.diagnostic = diagnostic


# --- bounds -----------------------------------------------------------------------------------------------------------


def nothing(span: Span, wanted: str) -> Diagnostic:
    """A text without a word in it."""
    return Diagnostic("syntax", span, f"nothing stands here; expected {wanted}")


def too_long(span: Span, length: int) -> Diagnostic:
    """More characters than an expression may have."""
    return Diagnostic(
        "too-large",
        span,
        f"{length:,} characters are too long for one expression; at most {MAXIMUM_LENGTH:,} are allowed",
        help="long lists and tables are written as YAML lists and maps, or in a table file",
    )


def too_deep(span: Span) -> Diagnostic:
    """More nesting than an expression may have."""
    return Diagnostic(
        "too-deep",
        span,
        f"nested more than {MAXIMUM_DEPTH} levels deep",
        help="move a part of it into a function or a `let`",
    )


def number_too_large(span: Span) -> Diagnostic:
    """A number that 64 bits can't hold."""
    return Diagnostic("syntax", span, f"this number is too large; the greatest is {MAXIMUM_NUMBER}")


# --- expressions ------------------------------------------------------------------------------------------------------


def loose_source(fragment: Fragment, source: Span, operator: Span) -> Diagnostic:
    """A sum as the left side of a list operator, without parentheses: `a + xs where c`."""
    words = scan(fragment.text)
    return two_readings(fragment, words, _word_at(fragment, words, source), _word_at(fragment, words, operator))


def two_readings(fragment: Fragment, words: list[Word], left: int, operator: int) -> Diagnostic:
    """A list operator (or its `as`) whose left side begins at the word `left` and is looser than postfix."""
    text = fragment.text
    word = words[operator]
    if operator >= 2 and words[operator - 2].mark == "as":
        operator -= 2
    operand = operand_start(words, operator - 1)
    end = right_edge(words, operator, {":"})
    rest = stretch(text, words, operator, end)
    rest = rest if len(rest) <= _LONG else f"{words[operator].text} …"
    before = text[words[left].start : words[operand].start]
    gap = " " if before != before.rstrip() else ""
    tight = f"{stretch(text, words, left, operand)}{gap}({stretch(text, words, operand, operator)} {rest})"
    whole = stretch(text, words, left, operator)
    readings = f"write `{tight}` or `({whole}) {rest}`"
    if (
        words[operator].mark == "as" and end - operator == 2
    ):  # `as n` at the end of an argument, which can only be about all of it
        return Diagnostic(
            "syntax",
            fragment.span(word.start, word.end),
            f"`{word.text}` after `{shortened(whole)}` needs parentheses",
            help=f"write `({shortened(whole)}) {rest}`",
        )
    if len(readings) > 4 * _LONG:
        readings = f"put parentheses around the list and its `{rest}`, or around all that stands before"
    return Diagnostic(
        "syntax",
        fragment.span(word.start, word.end),
        f"`{word.text}` after `{shortened(whole)}` can be read in two ways, so parentheses are needed",
        label="on which list?",
        help=readings,
    )


def not_callable(span: Span) -> Diagnostic:
    """A call of what is neither a name nor a field: `xs[0](y)`, `(f)(y)`."""
    return Diagnostic(
        "syntax",
        span,
        f"`{shortened(span.text)}` can't be called; expected the name of a function or a field before `(`",
        help="a call is written `name(arguments)`, the formula of a row `card.name(arguments)`",
    )


def _word_at(fragment: Fragment, words: list[Word], span: Span) -> int:
    return next(place for place, word in enumerate(words) if fragment.span(word.start, word.end).start >= span.start)


# --- steps ------------------------------------------------------------------------------------------------------------


def no_step(fragment: Fragment, expression: ast.Expression, span: Span) -> Diagnostic:
    """An expression that is neither a call nor an assignment, as a step."""
    words = scan(fragment.text)
    shown = stretch(fragment.text, words, 0, len(words))
    match expression:
        case ast.Compare(operator="==", left=ast.Name() | ast.Field() | ast.Index() as left, right=right):
            return Diagnostic(
                "not-a-step",
                span,
                f"`{shortened(shown)}` compares and does nothing; expected a call or an assignment",
                help="a variable is set with a single `=`",
                suggestion=f"{left.span.text} = {right.span.text}",
                certain=False,
            )
        case ast.If():
            return Diagnostic(
                "not-a-step",
                span,
                "an `if` inside a string is a value and does nothing; expected a call or an assignment",
                help="as a step it is a YAML map with the keys `if:`, `then:` and, where needed, `else:`",
            )
        case ast.Name() | ast.Field() | ast.Index():
            cure = f"to change it: `{shown} = …`"
        case _ if fragment.text.startswith("-") and not fragment.text.startswith("- "):
            cure = "in a list a blank belongs behind the dash: `- move(card, hand)`"
        case _:
            cure = "a step is a call such as `move(card, hand)`, an assignment, or a YAML map such as `if: … then: …`"
    return Diagnostic(
        "not-a-step",
        span,
        f"`{shortened(shown)}` is a value and does nothing; expected a call or an assignment",
        help=cure,
    )


def not_assignable(span: Span) -> Diagnostic:
    """An assignment to what is no variable: `f(x) = 1`, `3 = x`, `a + b = 1`."""
    return Diagnostic(
        "not-a-step",
        span,
        f"`{shortened(span.text)}` can't be assigned to; expected a variable",
        help="a variable is written `name`, `player.name`, `space.name` or `name[key]`",
    )


# --- types ------------------------------------------------------------------------------------------------------------


def unknown_generic(span: Span, name: Span, word: str) -> Diagnostic:
    """`array[int]`, `set[T, max 3]`."""
    if word in _GENERICS:
        return Diagnostic("syntax", span, f"`{shortened(span.text)}` is no type; expected `set[T]` or `list[T, max n]`")
    message = f"`{word}` has no element type; expected `set[T]` or `list[T, max n]`"
    return _misspelt(Diagnostic("syntax", name, message), word, _GENERICS)


def unknown_maximum(name: Span, word: str) -> Diagnostic:
    """`list[T, min 3]`."""
    return _misspelt(Diagnostic("syntax", name, f"`{word}` says nothing of a list; expected `list[T, max n]`"), word, ("max",))


def _misspelt(diagnostic: Diagnostic, word: str, known: tuple[str, ...]) -> Diagnostic:
    """The diagnostic with the right word, if one is near."""
    near = nearest(word, known)
    if not near:
        return diagnostic
    return evolve(diagnostic, help=did_you_mean(near), suggestion=near[0], wrong=word, certain=is_certain(word, near))


def two_words_as_type(span: Span, name: Span, second: str) -> Diagnostic:
    """Two words in a row where a type is expected, the first of which is not `computed`."""
    if nearest(name.text, ("computed",)):
        message = f"`{name.text}` is no word of a type; expected `computed T`"
        return _misspelt(Diagnostic("syntax", name, message), name.text, ("computed",))
    return Diagnostic(
        "syntax",
        span,
        f"`{name.text} {second}` is no type; expected one name, a range, `set[T]`, `list[T]` or `computed T`",
    )


# --- templates --------------------------------------------------------------------------------------------------------


def unbalanced_brace(span: Span, brace: str) -> Diagnostic:
    """A `{` in a template that nothing closes, or a `}` that closes nothing."""
    message = "this `{` is never closed; expected `}`" if brace == "{" else "this `}` closes nothing"
    return Diagnostic("syntax", span, message, help=f"a brace as such is written `{brace}{brace}`")


def shortened(text: str) -> str:
    """A stretch of text on one line, cut if it is long."""
    text = " ".join(text.split())
    return text if len(text) <= _LONG else f"{text[:_LONG]}…"
