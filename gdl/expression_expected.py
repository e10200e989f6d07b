"""Terminals of the grammar in human words: "a value", "an operator", "`)`"."""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet

from gdl.expression_scan import RESERVED, Word

FORMS: dict[str, str] = {
    "binders": "a choice is written `name in list`, several are set apart by commas",
    "binding": "written `name = value`, several as entries of a YAML list",
    "signature": "written `name` or `name(parameter: type)`",
    "call": "written `name` or `name(arguments)`",
    "lone_name": "a name has letters, digits and `_`, and begins with no digit",
}
"""How a text of each start symbol is written, where that is a help."""

WANTED: dict[str, str] = {
    "expression": "an expression",
    "step": "a call or an assignment",
    "call": "a name or a call",
    "binders": "`name in list`",
    "binding": "`name = value`",
    "type": "a type",
    "declared": "a type",
    "signature": "`name` or `name(parameter: type)`",
    "lone_name": "a name",
}
"""What a text of each start symbol is."""

_RESERVED = {word.upper() for word in RESERVED}
_VALUE = {"NAME", "NUMBER", "STRING", "MINUS", "LPAR", "LSQB", "LBRACE"}
_BOUND_OPERATORS = {"PLUS", "MINUS", "STAR", "FLOOR", "PERCENT", "LPAR", "LSQB", "_DOT"}
_COMPARISONS = {"EQUALS", "DIFFERS", "LESS", "AT_MOST", "GREATER", "AT_LEAST"}
_OPERATORS = _BOUND_OPERATORS | _COMPARISONS | {"_COALESCE", "_RANGE", "EQUAL", "PLUS_EQUAL", "MINUS_EQUAL"}
_SHOWN: dict[str, str] = {
    "NONE": "`none`",
    "OR": "`or none`",
    "IN": "`in`",
    "THEN": "`then`",
    "ELSE": "`else`",
    "_RANGE": "`..`",
    "_COLON": "`:`",
    "EQUAL": "`=`",
    "LPAR": "`(`",
    "LSQB": "`[`",
    "_COMMA": "`,`",
    "RPAR": "`)`",
    "RSQB": "`]`",
    "RBRACE": "`}`",
    "$END": "the end",
}
_QUOTED_LENGTH = 30


def expected(accepts: AbstractSet[str], previous: Word | None) -> str:
    """What could have gone on, from the terminals that the parser accepts and the word before."""
    rest = set(accepts)
    phrases: list[str] = []
    if "OR" in rest and "AND" not in rest:  # behind a whole type, whose first word may still be one of several things
        rest -= {"NAME", *_BOUND_OPERATORS}
    elif {"NAME", "STRING"} <= rest:
        phrases.append("a value")
        rest -= _VALUE | _RESERVED
    elif {"NAME", "NUMBER"} <= rest:
        number = previous is not None and previous.text in {"..", "+", "-", "*", "//", "%", "max"}
        phrases.append("a number or name" if number else "a type")
        rest -= _VALUE
    elif "NAME" in rest:
        phrases.append("the name of a field" if "IF" in rest else "a name")
        rest -= {"NAME", *_RESERVED}
    elif rest >= {"PLUS", "AND"}:
        phrases.append("an operator")
        rest -= _OPERATORS | (_RESERVED - {"THEN", "ELSE"})
    elif "WHERE" in rest:
        phrases.append("a list operator such as `where`")
        rest -= _RESERVED
    elif "PLUS" in rest:
        rest -= _BOUND_OPERATORS
    phrases += [shown for terminal, shown in _SHOWN.items() if terminal in rest]
    return alternatives(phrases) or "nothing more"


def alternatives(phrases: Sequence[str]) -> str:
    """`a, b or c`."""
    return f"{', '.join(phrases[:-1])} or {phrases[-1]}" if len(phrases) > 1 else "".join(phrases)


def quoted(text: str) -> str:
    """A word as messages show it, cut if it is long."""
    return f"`{text}`" if len(text) <= _QUOTED_LENGTH else f"`{text[:_QUOTED_LENGTH]}…`"
