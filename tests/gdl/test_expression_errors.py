"""What is said about texts that can't be read: one message for each, with the place it is about.

The place stands between « and » in the text.
"""

from __future__ import annotations

import random

import pytest
from attrs import frozen

from gdl import expression_parser
from gdl.diagnostics import Diagnostic, Report
from gdl.expression_scan import scan
from gdl.source import Fragment, SourceFile

PARSERS = {
    name.removeprefix("parse_"): getattr(expression_parser, name)
    for name in expression_parser.__all__
    if name.startswith("parse_")
}


@frozen
class Case:
    """A text of some kind and what is said about it."""

    kind: str
    marked: str
    message: str
    help: str = ""
    suggestion: str | None = None
    code: str = "syntax"


def diagnostics(kind: str, text: str) -> list[Diagnostic]:
    report = Report()
    tree = PARSERS[kind](Fragment(text, SourceFile("test.yaml", text), 0), report)
    assert (tree is None) == bool(report.items)
    return report.items


# A list operator behind what is looser than postfix.
TWO_READINGS = [
    Case(
        "expression",
        "if a then b else ys «where» c",
        "`where` after `if a then b else ys` can be read in two ways, so parentheses are needed",
        "write `if a then b else (ys where c)` or `(if a then b else ys) where c`",
    ),
    Case(
        "expression",
        "a + xs «where» c",
        "`where` after `a + xs` can be read in two ways, so parentheses are needed",
        "write `a + (xs where c)` or `(a + xs) where c`",
    ),
    Case(
        "expression",
        "-xs «where» c",
        "`where` after `-xs` can be read in two ways, so parentheses are needed",
        "write `-(xs where c)` or `(-xs) where c`",
    ),
    Case(
        "expression",
        "a + xs «as» n where n",
        "`as` after `a + xs` can be read in two ways, so parentheses are needed",
        "write `a + (xs as n where n)` or `(a + xs) as n where n`",
    ),
    Case(
        "expression",
        "x in xs «where» c",
        "`where` after `x in xs` can be read in two ways, so parentheses are needed",
        "write `x in (xs where c)` or `(x in xs) where c`",
    ),
    Case(
        "expression",
        "a ?? xs «where» c",
        "`where` after `a ?? xs` can be read in two ways, so parentheses are needed",
        "write `a ?? (xs where c)` or `(a ?? xs) where c`",
    ),
    Case(
        "expression",
        "not xs «where» c",
        "`where` after `not xs` can be read in two ways, so parentheses are needed",
        "write `not (xs where c)` or `(not xs) where c`",
    ),
    Case(
        "expression",
        "a or f(x).b[0] «by» c select d",
        "`by` after `a or f(x).b[0]` can be read in two ways, so parentheses are needed",
        "write `a or (f(x).b[0] by c select d)` or `(a or f(x).b[0]) by c select d`",
    ),
    Case(
        "expression",
        "f(k=a * b «where» c, d)",
        "`where` after `a * b` can be read in two ways, so parentheses are needed",
        "write `a * (b where c)` or `(a * b) where c`",
    ),
    Case(
        "expression",
        "if a then b + xs «where» c else d",
        "`where` after `b + xs` can be read in two ways, so parentheses are needed",
        "write `b + (xs where c)` or `(b + xs) where c`",
    ),
    Case("expression", "sum(a + b «as» n, n.x)", "`as` after `a + b` needs parentheses", "write `(a + b) as n`"),
    Case(
        "expression",
        "{a: b + c «where» d}",
        "`where` after `b + c` can be read in two ways, so parentheses are needed",
        "write `b + (c where d)` or `(b + c) where d`",
    ),
    Case(
        "step",
        "x = a + ys «where» c",
        "`where` after `a + ys` can be read in two ways, so parentheses are needed",
        "write `a + (ys where c)` or `(a + ys) where c`",
    ),
    Case(
        "binders",
        "x in a + xs «where» c",
        "`where` after `a + xs` can be read in two ways, so parentheses are needed",
        "write `a + (xs where c)` or `(a + xs) where c`",
    ),
    Case(
        "binders",
        "x in y in xs «where» c, z in zs",
        "`where` after `y in xs` can be read in two ways, so parentheses are needed",
        "write `y in (xs where c)` or `(y in xs) where c`",
    ),
    Case(
        "expression",
        "a + some_long_name «where» another_long_name(it) == a_third_long_name(it)",
        "`where` after `a + some_long_name` can be read in two ways, so parentheses are needed",
        "write `a + (some_long_name where …)` or `(a + some_long_name) where …`",
    ),
    Case(
        "expression",
        "f(with, many, words) + g(with, more, words) + h(with, all, the, words) «where» c",
        "`where` after `f(with, many, words) + g(with, more, wor…` can be read in two ways, so parentheses are needed",
        "put parentheses around the list and its `where c`, or around all that stands before",
    ),
]

# Comparisons in a row, and tests of a kind.
COMPARISONS = [
    Case("expression", "a == b «==» c", "comparisons do not chain", "write `a == b and b == c`"),
    Case(
        "expression",
        "0 < x + 1 «<=» f(y, z) and more",
        "comparisons do not chain",
        "write `0 < x + 1 and x + 1 <= f(y, z)`",
    ),
    Case("expression", "not a == b «==» c == d", "comparisons do not chain", "write `a == b and b == c and c == d`"),
    Case("expression", "k and (a != b «<» c)", "comparisons do not chain", "write `a != b and b < c`"),
    Case("expression", "a in xs «==» b", "comparisons do not chain", "write `(a in xs) == b`"),
    Case("expression", "a not in xs «in» ys", "comparisons do not chain", "write `(a not in xs) in ys`"),
    Case("expression", "x is not card «==» y", "comparisons do not chain", "write `(x is not card) == y`"),
    Case("expression", "f(a == b «is» c)", "comparisons do not chain", "write `(a == b) is c`"),
    Case("expression", "if a == b then c == d «==» e else f", "comparisons do not chain", "write `c == d and d == e`"),
    Case("expression", "1..2«..»3", "ranges do not chain; a range has two ends"),
    Case("expression", "x «is none»", "`is none` is no test of a kind; expected `== none`", suggestion="== none"),
    Case(
        "expression",
        "f(x «is not none»)",
        "`is not none` is no test of a kind; expected `!= none`",
        suggestion="!= none",
    ),
    Case("expression", "x «is in» xs", "`is in` is no operator; expected `in`", suggestion="in"),
    Case("expression", "x «is not in» xs", "`is not in` is no operator; expected `not in`", suggestion="not in"),
    Case(
        "expression",
        "x is «true»",
        "`true` is no kind; expected the name of one after `is`",
        "write the condition by itself, or with `not` before it",
    ),
    Case(
        "expression",
        "x is not «3»",
        "`3` is no kind; expected the name of one after `is`",
        "values are compared with `!=`",
    ),
]

# `=` and its like where there is nothing to assign.
ASSIGNMENTS = [
    Case("expression", "a «=» b", "`=` does not compare; expected `==`", suggestion="=="),
    Case("expression", "if a «=» 1 then b else c", "`=` does not compare; expected `==`", suggestion="=="),
    Case(
        "expression",
        "f(a.b «=» 1)",
        "`=` does not compare; expected `==`",
        "before the `=` of a named argument stands one bare name",
        suggestion="==",
    ),
    Case(
        "expression",
        "x «+=» 1",
        "`+=` changes a variable and can't stand inside an expression",
        "it is a step of its own: `x += 1`",
    ),
    Case(
        "expression", "x «:=» 3", "`:=` is no sign of this language", "a value is given with `=` and compared with `==`"
    ),
    Case("step", "a = b «=» c", "a step assigns once; expected `==` or a step of its own", suggestion="=="),
    Case(
        "step",
        "x = f(y «+=» 1)",
        "`+=` changes a variable and can't stand inside an expression",
        "it is a step of its own: `x += 1`",
    ),
    Case(
        "step",
        "«a + b» = 3",
        "`a + b` can't be assigned to; expected a variable",
        "a variable is written `name`, `player.name`, `space.name` or `name[key]`",
        code="not-a-step",
    ),
    Case(
        "step",
        "«3» -= x",
        "`3` can't be assigned to; expected a variable",
        "a variable is written `name`, `player.name`, `space.name` or `name[key]`",
        code="not-a-step",
    ),
    Case(
        "step",
        "«f(x)» = 1",
        "`f(x)` can't be assigned to; expected a variable",
        "a variable is written `name`, `player.name`, `space.name` or `name[key]`",
        code="not-a-step",
    ),
]

# Values where steps are expected.
NO_STEPS = [
    Case(
        "step",
        "«x == 3 + y»",
        "`x == 3 + y` compares and does nothing; expected a call or an assignment",
        "a variable is set with a single `=`",
        suggestion="x = 3 + y",
        code="not-a-step",
    ),
    Case(
        "step",
        "«a.b»",
        "`a.b` is a value and does nothing; expected a call or an assignment",
        "to change it: `a.b = …`",
        code="not-a-step",
    ),
    Case(
        "step",
        "«a[1]»",
        "`a[1]` is a value and does nothing; expected a call or an assignment",
        "to change it: `a[1] = …`",
        code="not-a-step",
    ),
    Case(
        "step",
        "«x + 1»",
        "`x + 1` is a value and does nothing; expected a call or an assignment",
        "a step is a call such as `move(card, hand)`, an assignment, or a YAML map such as `if: … then: …`",
        code="not-a-step",
    ),
    Case(
        "step",
        "«xs where c»",
        "`xs where c` is a value and does nothing; expected a call or an assignment",
        "a step is a call such as `move(card, hand)`, an assignment, or a YAML map such as `if: … then: …`",
        code="not-a-step",
    ),
    Case(
        "step",
        "«if a then b else c»",
        "an `if` inside a string is a value and does nothing; expected a call or an assignment",
        "as a step it is a YAML map with the keys `if:`, `then:` and, where needed, `else:`",
        code="not-a-step",
    ),
]

# Signs of other languages.
SIGNS = [
    Case("expression", "a «&&» b", "`&&` is no sign of this language; expected `and`", suggestion="and"),
    Case("expression", "a«&&»b", "`&&` is no sign of this language; expected `and`", suggestion=" and "),
    Case("expression", "a «||» b", "`||` is no sign of this language; expected `or`", suggestion="or"),
    Case("expression", "«!»a", "`!` is no sign of this language; expected `not`", suggestion="not "),
    Case("expression", "a «|» b", "`|` is no sign of this language; expected `or`", suggestion="or"),
    Case("expression", "a «===» b", "`===` is no sign of this language; expected `==`", suggestion="=="),
    Case("expression", "a «!==» b", "`!==` is no sign of this language; expected `!=`", suggestion="!="),
    Case("expression", "a «<>» b", "`<>` is no sign of this language; expected `!=`", suggestion="!="),
    Case("expression", "a «=<» b", "`=<` is no sign of this language; expected `<=`", suggestion="<="),
    Case(
        "expression",
        "f(x «=>» x.y)",
        "`=>` is no sign of this language",
        "there are no anonymous functions; the element of a list is `it`, or the name after `as`",
    ),
    Case(
        "expression",
        "a «->» b",
        "`->` is no sign of this language",
        "there are no anonymous functions; the element of a list is `it`, or the name after `as`",
    ),
    Case(
        "expression",
        "a «/» b",
        "`/` is no sign of this language; expected `//`",
        "`//` divides and rounds down",
        suggestion="//",
    ),
    Case(
        "expression",
        "a«;» b",
        "`;` is no sign of this language",
        "arguments are set apart by commas, and each step is an entry of a YAML list",
    ),
    Case(
        "expression",
        "a «?» b : c",
        "`?` is no sign of this language",
        "a choice between values is written `if condition then a else b`",
    ),
    Case("expression", "a«?.»b", "`?.` is no sign of this language", "`a ?? b` is b where a is none"),
    Case("expression", "a «**» b", "`**` is no sign of this language", "there are no powers; a product is written out"),
    Case("expression", "x«++»", "`++` is no sign of this language", "a step that adds is written `x += 1`"),
    Case("expression", "x «*=» 2", "`*=` is no sign of this language", "written out: `x = x * 2`"),
    Case("expression", "x «/=» 2", "`/=` is no sign of this language", "written out: `x = x // 2`"),
    Case(
        "expression",
        "a«...»b",
        "`...` is no sign of this language; expected `..`",
        "both ends of a range are included",
        suggestion="..",
    ),
    Case("expression", "a «≤» b", "`≤` is no sign of this language; expected `<=`", suggestion="<="),
    Case("expression", "a «−» b", "`−` is no sign of this language; expected `-`", suggestion="-"),
    Case("expression", "«“»a”", '`“` is no sign of this language; expected `"`', suggestion='"'),
    Case("expression", "a«#»b", "`#` is no sign of this language", "a comment begins with `#` after a blank"),
    Case(
        "expression",
        "'it\\'«s»'",
        "`'it\\'` and `s` stand side by side; expected an operator or the end",
        "a text that holds ' stands between the other kind of quotes",
    ),
    Case("expression", "a «@» b", "`@` is no sign of this language"),
    Case(
        "expression",
        "«é»",
        "`é` (U+00E9, latin small letter e with acute) can't stand outside of a string",
        "names have the letters a to z and A to Z, digits and `_`",
    ),
    Case(
        "expression",
        "a«\xa0»b",
        "the invisible character U+00A0 can't stand outside of a string; expected a blank",
        suggestion=" ",
    ),
]

# Numbers and strings.
LITERALS = [
    Case("expression", "«1.5»", "`1.5` is no integer, and there are no other numbers", "a range is written `1..5`"),
    Case(
        "expression",
        "f(2, «0.25»)",
        "`0.25` is no integer, and there are no other numbers",
        "a range is written `0..25`",
    ),
    Case(
        "expression",
        "«3x»",
        "`3x` is neither a number nor a name",
        "numbers have digits only, and names begin with a letter or `_`",
    ),
    Case(
        "expression",
        "«1_000»",
        "`1_000` is neither a number nor a name",
        "numbers have digits only, and names begin with a letter or `_`",
    ),
    Case("expression", "«9223372036854775808»", "this number is too large; the greatest is 9223372036854775807"),
    Case(
        "expression",
        "«'abc»",
        "this string is never closed; expected `'`",
        "a text that holds ' stands between the other kind of quotes",
    ),
    Case(
        "expression",
        'f(«"a, b)»',
        'this string is never closed; expected `"`',
        'a text that holds " stands between the other kind of quotes',
    ),
    Case(
        "expression",
        "«'a»\nb'",
        "a string can't go on to the next line",
        "a text that holds ' stands between the other kind of quotes",
    ),
    Case(
        "expression",
        "f('it'«s»')",
        "`'it'` and `s` stand side by side; expected an operator, `,` or `)`",
        "a text that holds ' stands between the other kind of quotes",
    ),
]

# Brackets and commas.
BRACKETS = [
    Case("expression", "«(»a", "this `(` is never closed; expected `)`"),
    Case("expression", "f«(»a, g(b)", "this `(` is never closed; expected `)`"),
    Case("expression", "[a, {b: c«]»", "`]` does not close `{`; expected `}`"),
    Case("expression", "f(a«]»", "`]` does not close `(`; expected `)`"),
    Case("expression", "a«)»", "this `)` closes nothing"),
    Case("expression", "f(a«,»)", "nothing follows this comma; expected a value or no comma"),
    Case("expression", "[a«,» ", "nothing follows this comma; expected a value or no comma"),
    Case("expression", "f(«,»a)", "`,` can't stand here; expected a value or `)`"),
    Case("expression", "x[«]»", "`]` can't stand here; expected a value"),
    Case(
        "expression",
        "{a«,» b}",
        "`,` can't stand here; expected `:` and a value for this key",
        "a table is written `{key: value}`, a list `[a, b]`",
    ),
    Case(
        "expression",
        "{a«}»",
        "`}` can't stand here; expected `:` and a value for this key",
        "a table is written `{key: value}`, a list `[a, b]`",
    ),
    Case("expression", "{a: «}»", "`}` can't stand here; expected a value"),
    Case(
        "expression",
        "«xs[0]»(y)",
        "`xs[0]` can't be called; expected the name of a function or a field before `(`",
        "a call is written `name(arguments)`, the formula of a row `card.name(arguments)`",
    ),
    Case(
        "expression",
        "«(f)»(y)",
        "`(f)` can't be called; expected the name of a function or a field before `(`",
        "a call is written `name(arguments)`, the formula of a row `card.name(arguments)`",
    ),
]

# Reserved words, and words side by side.
WORDS = [
    Case(
        "expression", "«where» c", "a list is missing before `where`", "`where` is a reserved word and can't be a name"
    ),
    Case(
        "expression",
        "xs where «where» c",
        "a list is missing before `where`",
        "`where` is a reserved word and can't be a name",
    ),
    Case("expression", "a == «by»", "a list is missing before `by`", "`by` is a reserved word and can't be a name"),
    Case(
        "expression",
        "f(«by»)",
        "`by` can't stand here; expected a value",
        "`by` is a reserved word and can't be a name",
    ),
    Case(
        "expression",
        "count(«in», 3)",
        "`in` can't stand here; expected a value",
        "`in` is a reserved word and can't be a name",
    ),
    Case(
        "expression",
        "a + «else»",
        "`else` can't stand here; expected a value",
        "`else` is a reserved word and can't be a name",
    ),
    Case(
        "expression",
        "a «b»",
        "`a` and `b` stand side by side; expected an operator or the end",
        "a call has parentheses: `a(b)`",
    ),
    Case("expression", "f(a «b»)", "`a` and `b` stand side by side; expected an operator, `,` or `)`"),
    Case(
        "expression",
        "count «xs»",
        "`count` and `xs` stand side by side; expected an operator or the end",
        "a call has parentheses: `count(xs)`",
    ),
    Case(
        "expression",
        "a «AND» b",
        "`AND` can't stand here; expected an operator or the end",
        "reserved words have small letters",
        suggestion="and",
    ),
    Case(
        "expression",
        "x «if» c else y",
        "`if` can't stand behind a value; expected an operator",
        "a choice between values is written `if condition then a else b`",
    ),
    Case(
        "expression",
        "if a then b «elif» c then d else e",
        "`elif` can't stand here; expected `else if`",
        suggestion="else if",
    ),
    Case(
        "expression",
        "if a then b«»",
        "the text ends after `b`; expected an operator or `else`",
        "an `if` inside a string is a value, so it always has an `else`",
    ),
    Case("expression", "if a«»", "the text ends after `a`; expected an operator or `then`"),
    Case("expression", "if a«:» b", "`:` can't stand here; expected an operator or `then`"),
    Case("expression", "a.«»", "the text ends after `.`; expected the name of a field"),
    Case("expression", "a.«5»", "`5` can't stand here; expected the name of a field"),
    Case("expression", "a +«»", "the text ends after `+`; expected a value"),
    Case(
        "expression",
        "xs as n«»",
        "the text ends after `n`; expected a list operator such as `where`",
        "`as` names the elements for the list operators behind it: `xs as n where …`",
    ),
    Case(
        "expression",
        "xs where c as n«»",
        "the text ends after `n`; expected a list operator such as `where`",
        "`as` names the elements for the list operators behind it: `xs as n where …`",
    ),
    Case(
        "expression",
        "xs as n «as» m where c",
        "`as` can't stand here; expected a list operator such as `where`",
        "`as` names the elements for the list operators behind it: `xs as n where …`",
    ),
    Case("expression", "f(xs as «3»)", "`3` can't stand here; expected a name"),
    Case("expression", "f(xs as «by»)", "`by` is a reserved word and can't be a name"),
    Case("expression", "a«:» b", "`:` can't stand here; expected an operator or the end"),
    Case(
        "step",
        "win «players»",
        "`win` and `players` stand side by side; expected an operator or the end",
        "a call has parentheses: `win(players)`",
    ),
]

# Texts of other kinds.
KINDS = [
    Case("call", "walk «+» 1", "`+` can't stand here; expected `(` or the end", "written `name` or `name(arguments)`"),
    Case("call", "a«.»b", "`.` can't stand here; expected `(` or the end", "written `name` or `name(arguments)`"),
    Case("call", "walk«(»", "this `(` is never closed; expected `)`"),
    Case(
        "binders",
        "card«»",
        "the text ends after `card`; expected `in`",
        "a choice is written `name in list`, several are set apart by commas",
    ),
    Case(
        "binders",
        "player«.»hand",
        "`.` can't stand here; expected `in`",
        "a choice is written `name in list`, several are set apart by commas",
    ),
    Case("binders", "card in hand«,» ", "nothing follows this comma; expected a value or no comma"),
    Case(
        "binders",
        "card «of» hand",
        "`of` can't stand here; expected `in`",
        "a choice is written `name in list`, several are set apart by commas",
    ),
    Case(
        "binding",
        "n«»",
        "the text ends after `n`; expected `=`",
        "written `name = value`, several as entries of a YAML list",
    ),
    Case(
        "binding",
        "n «==» 3",
        "`==` can't stand here; expected `=`",
        "written `name = value`, several as entries of a YAML list",
    ),
    Case(
        "binding",
        "n «+=» 1",
        "`+=` can't stand here; expected `=`",
        "written `name = value`, several as entries of a YAML list",
    ),
    Case(
        "binding",
        "n = 3«,» m = 4",
        "`,` can't stand here; expected an operator or the end",
        "written `name = value`, several as entries of a YAML list",
    ),
    Case(
        "type",
        "int or «card»",
        "`card` can't stand here; expected `none`",
        "a type with several kinds is a kind of its own, with `any_of`",
    ),
    Case("type", "«array»[int]", "`array` has no element type; expected `set[T]` or `list[T, max n]`"),
    Case(
        "type",
        "«lsit»[int, max 3]",
        "`lsit` has no element type; expected `set[T]` or `list[T, max n]`",
        "did you mean `list`?",
        suggestion="list",
    ),
    Case(
        "type",
        "list[int, «maxi» 3]",
        "`maxi` says nothing of a list; expected `list[T, max n]`",
        "did you mean `max`?",
        suggestion="max",
    ),
    Case("type", "list[int, «upto» 3]", "`upto` says nothing of a list; expected `list[T, max n]`"),
    Case("type", "«set[int, max 3]»", "`set[int, max 3]` is no type; expected `set[T]` or `list[T, max n]`"),
    Case("type", "«list of» card", "`list of` is no type; expected `list[T]`"),
    Case("type", "0..«»", "the text ends after `..`; expected a number or name"),
    Case("type", "3«»", "the text ends after `3`; expected `..`"),
    Case(
        "type",
        "0..a«.»b",
        "`.` can't stand in the bound of a range",
        "in parentheses all is allowed: `0..(board.size)`",
    ),
    Case("type", "0..46 «=» 10", "`=` can't stand here; expected `or none` or the end"),
    Case(
        "type", "«where»", "`where` can't stand here; expected a type", "`where` is a reserved word and can't be a name"
    ),
    Case("type", "list«[»card", "this `[` is never closed; expected `]`"),
    Case(
        "type",
        "computed «0»..3",
        "`computed` and `0` stand side by side; expected `or none`, `..` or the end",
        "the result of `computed` is named, as in `computed int`",
    ),
    Case(
        "type",
        "«positive int»",
        "`positive int` is no type; expected one name, a range, `set[T]`, `list[T]` or `computed T`",
    ),
    Case("declared", "0..46 «==» 10", "`==` can't stand here; expected `or none`, `=` or the end"),
    Case("declared", "int «3»", "`int` and `3` stand side by side; expected `or none`, `..`, `=` or the end"),
    Case("declared", "«=» 3", "`=` can't stand here; expected a type"),
    Case("signature", "f(«a»)", "a parameter has a type", "as in `a: player` or `a: 1..6`"),
    Case("signature", "f(«a», b: 1..6)", "a parameter has a type", "as in `a: player` or `a: 1..6`"),
    Case("signature", "f(b: 1..6, «a»)", "a parameter has a type", "as in `a: player` or `a: 1..6`"),
    Case("signature", "f(a:«)»", "`)` can't stand here; expected a type", "written `name` or `name(parameter: type)`"),
    Case("signature", "f(a: int «b»: int)", "`int` and `b` stand side by side; expected `,` between parameters"),
    Case("signature", "f()«x»", "`x` can't stand here; expected the end", "written `name` or `name(parameter: type)`"),
    Case(
        "name",
        "«a b»",
        "a name is one word",
        "words are joined by `_`",
        suggestion="a_b",
    ),
    Case("declared", "«0-6» = 0", "this is no type", "a range is written with dots", suggestion="0..6"),
    Case(
        "name",
        "«'a'»",
        "`'a'` can't stand here; expected a name",
        "a name has letters, digits and `_`, and begins with no digit",
    ),
    Case(
        "name",
        "«3»",
        "`3` can't stand here; expected a name",
        "a name has letters, digits and `_`, and begins with no digit",
    ),
    Case("template", "«{»a", "this `{` is never closed; expected `}`", "a brace as such is written `{{`"),
    Case("template", "a«}»", "this `}` closes nothing", "a brace as such is written `}}`"),
    Case("template", "{«»}", "nothing stands here; expected an expression"),
    Case(
        "template",
        "{a «b»}",
        "`a` and `b` stand side by side; expected an operator or the end",
        "a call has parentheses: `a(b)`",
    ),
    Case(
        "template",
        "{player«'s»}",
        "this string is never closed; expected `'`",
        "a text that holds ' stands between the other kind of quotes",
    ),
]

# Empty texts.
NOTHING = [
    Case("binders", "«»", "nothing stands here; expected `name in list`"),
    Case("binding", "«»", "nothing stands here; expected `name = value`"),
    Case("call", "«»", "nothing stands here; expected a name or a call"),
    Case("declared", "«»", "nothing stands here; expected a type"),
    Case("expression", "«»", "nothing stands here; expected an expression"),
    Case("name", "«»", "nothing stands here; expected a name"),
    Case("signature", "«»", "nothing stands here; expected `name` or `name(parameter: type)`"),
    Case("step", "«»", "nothing stands here; expected a call or an assignment"),
    Case("type", "«»", "nothing stands here; expected a type"),
    Case("expression", "« # only a comment»", "nothing stands here; expected an expression"),
]

CASES = [
    *TWO_READINGS,
    *COMPARISONS,
    *ASSIGNMENTS,
    *NO_STEPS,
    *SIGNS,
    *LITERALS,
    *BRACKETS,
    *WORDS,
    *KINDS,
    *NOTHING,
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.kind} {case.marked}")
def test_messages(case: Case) -> None:
    text = case.marked.replace("«", "").replace("»", "")
    (found,) = diagnostics(case.kind, text)
    start, end = found.span.start, found.span.end
    marked = f"{text[:start]}«{text[start:end]}»{text[end:]}"
    assert (marked, found.message, found.help) == (case.marked, case.message, case.help)
    assert (found.suggestion, found.code) == (case.suggestion, case.code)


@pytest.mark.parametrize("case", [case for case in CASES if case.suggestion and case.code == "syntax"], ids=str)
def test_suggestions_take_the_mistake_away(case: Case) -> None:
    before, rest = case.marked.split("«")
    mended = before + str(case.suggestion) + rest.split("»")[1]
    assert case.message not in [found.message for found in diagnostics(case.kind, mended)]


def test_the_bracket_that_does_not_match_is_shown() -> None:
    (found,) = diagnostics("expression", "[a, {b: c]")
    assert [(related.span.text, related.message) for related in found.related] == [("{", "opened here")]


def test_any_row_of_words_gives_a_tree_or_one_message() -> None:
    words = [word.text for case in CASES for word in scan(case.marked) if word.text not in {"«", "»"}]
    chance = random.Random(1)
    for _ in range(300):
        text = " ".join(chance.choices(words, k=chance.randint(1, 12)))
        for kind in PARSERS:
            found = diagnostics(kind, text)
            assert len(found) <= 1
            assert all(0 <= item.span.start <= item.span.end <= len(text) for item in found)
            assert all(len(item.message) < 250 and len(item.help) < 300 for item in found)
