"""Signs that are not in the language, and what stands for them: `&&`, `/`, `=>`, curly quotes, invisible blanks."""

from __future__ import annotations

import unicodedata
from itertools import pairwise

from gdl.diagnostics import Diagnostic
from gdl.expression_scan import Word
from gdl.source import Fragment, Span
from gdl.yaml_quotes import COMMENT_IN_TEXT
from gdl.yaml_split import quoted

# Sign → what is written instead, if one thing is, and a word more.
_SIGNS: dict[str, tuple[str, str]] = {
    "&&": ("and", ""),
    "&": ("and", ""),
    "||": ("or", ""),
    "|": ("or", ""),
    "!": ("not", ""),
    "~": ("not", ""),
    "===": ("==", ""),
    "!==": ("!=", ""),
    "<>": ("!=", ""),
    "=<": ("<=", ""),
    "...": ("..", "both ends of a range are included"),
    "/": ("//", "`//` divides and rounds down"),
    ":=": ("", "a value is given with `=` and compared with `==`"),
    ";": ("", "arguments are set apart by commas, and each step is an entry of a YAML list"),
    "=>": ("", "there are no anonymous functions; the element of a list is `it`, or the name after `as`"),
    "->": ("", "there are no anonymous functions; the element of a list is `it`, or the name after `as`"),
    "?": ("", "a choice between values is written `if condition then a else b`"),
    "?.": ("", "`a ?? b` is b where a is none"),
    "**": ("", "there are no powers; a product is written out"),
    "^": ("", "there are no powers; a product is written out"),
    "++": ("", "a step that adds is written `x += 1`"),
    "*=": ("", "written out: `x = x * 2`"),
    "/=": ("", "written out: `x = x // 2`"),
    "//=": ("", "written out: `x = x // 2`"),
    "%=": ("", "written out: `x = x % 2`"),
    "#": ("", "a comment begins with `#` after a blank"),
    "\\": ("", "strings have no escapes; a text that holds a quote stands between the other kind of quotes"),
    "≤": ("<=", ""),
    "≥": (">=", ""),
    "≠": ("!=", ""),
    "×": ("*", ""),
    "÷": ("//", "`//` divides and rounds down"),
    "−": ("-", ""),
    "–": ("-", ""),
    "—": ("-", ""),
    "…": ("..", ""),
    "“": ('"', ""),
    "”": ('"', ""),
    "„": ('"', ""),
    "\u2018": ("'", ""),
    "’": ("'", ""),
}


def wrong_sign(fragment: Fragment, words: list[Word], index: int) -> Diagnostic | None:
    """The message for a word that belongs to a sign which other languages have, and this one has not."""
    for first, last in ((index - 1, index + 2), (index - 1, index + 1), (index, index + 2), (index, index + 1)):
        run = words[max(first, 0) : last]
        if len(run) != last - first or any(one.end != two.start for one, two in pairwise(run)):
            continue
        sign = "".join(word.text for word in run)
        if sign in _SIGNS:
            instead, more = _SIGNS[sign]
            wanted = f"; expected `{instead}`" if instead else ""
            return Diagnostic(
                "syntax",
                fragment.span(run[0].start, run[-1].end),
                f"`{sign}` is no sign of this language{wanted}",
                help=more,
                suggestion=_set_apart(fragment.text, run[0].start, run[-1].end, instead) if instead else None,
            )
    return None


def _set_apart(text: str, start: int, end: int, instead: str) -> str:
    """A replacement with blanks where it would run together with its neighbours."""
    if not instead.isalpha():
        return instead
    return f"{' ' if text[:start][-1:].isalnum() else ''}{instead}{' ' if text[end:][:1].isalnum() else ''}"


def unknown_character(fragment: Fragment, words: list[Word], index: int) -> Diagnostic:
    """The message for a character that no word of the language begins with."""
    word = words[index]
    span = fragment.span(word.start, word.end)
    if word.text in {"'", '"'}:
        return _open_string(fragment, word)
    if (found := wrong_sign(fragment, words, index)) is not None:
        return found
    code = f"U+{ord(word.text):04X}"
    if word.text.isspace() or not word.text.isprintable():
        return Diagnostic(
            "syntax",
            span,
            f"the invisible character {code} can't stand outside of a string; expected a blank",
            suggestion=" ",
        )
    if word.text.isascii():
        return Diagnostic("syntax", span, f"`{word.text}` is no sign of this language")
    name = unicodedata.name(word.text, "no name").lower()
    return Diagnostic(
        "syntax",
        span,
        f"`{word.text}` ({code}, {name}) can't stand outside of a string",
        help="names have the letters a to z and A to Z, digits and `_`",
    )


def _cut_by_comment(fragment: Fragment, quote: Word) -> Diagnostic | None:
    """The message for a string that a YAML comment cuts in two, as in `log("card # 3")`."""
    source, whole = fragment.source, fragment.whole
    line = source.line(whole.line)
    behind = line[whole.end_column - 1 :]
    if whole.end_line != whole.line or not behind.lstrip().startswith("#") or quote.text not in behind:
        return None
    span = Span(source, whole.start, source.line_starts[whole.line - 1] + len(line.rstrip()))
    suggestion = quoted(span.text)
    return Diagnostic("syntax", span, COMMENT_IN_TEXT, help=f"quote all of it: `{suggestion}`", suggestion=suggestion)


def _open_string(fragment: Fragment, quote: Word) -> Diagnostic:
    if (cut := _cut_by_comment(fragment, quote)) is not None:
        return cut
    text = fragment.text
    end = min(
        (place for place in (text.find("\n", quote.start), text.find("\r", quote.start)) if place >= 0),
        default=len(text),
    )
    goes_on = text.find(quote.text, end) >= 0
    return Diagnostic(
        "syntax",
        fragment.span(quote.start, end),
        "a string can't go on to the next line" if goes_on else f"this string is never closed; expected `{quote.text}`",
        help=f"a text that holds {quote.text} stands between the other kind of quotes",
    )
