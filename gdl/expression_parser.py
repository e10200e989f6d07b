"""Text of an expression, step, type, template, … → syntax tree.

One function for each kind of text that a spec holds. If the text is not of its kind, it adds exactly one error to the
report and returns None. Knows nothing of YAML or of what names mean.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from threading import Lock
from typing import Final, TypeVar, cast

from attrs import field, frozen
from lark import Lark, Token, UnexpectedCharacters, UnexpectedToken

from gdl import ast
from gdl import expression_refusals as refusals
from gdl.diagnostics import Diagnostic, Report
from gdl.expression_builder import Builder
from gdl.expression_errors import Failure, explain
from gdl.expression_expected import WANTED
from gdl.expression_refusals import MAXIMUM_DEPTH, MAXIMUM_LENGTH, Refused
from gdl.expression_scan import RESERVED, beyond_depth, index_at, scan
from gdl.expression_signs import unknown_character
from gdl.expression_tables import load_parser
from gdl.nodes import parts_of
from gdl.source import Fragment

__all__ = [
    "RESERVED",
    "holes",
    "parse_binders",
    "parse_binding",
    "parse_call",
    "parse_declared",
    "parse_expression",
    "parse_name",
    "parse_signature",
    "parse_step",
    "parse_template",
    "parse_type",
]

_Node = TypeVar("_Node", bound=ast.Node)


# --- one function for each kind of text -------------------------------------------------------------------------------


def parse_expression(fragment: Fragment, report: Report) -> ast.Expression | None:
    """A value or condition: `count(player.hand where open(it)) + 1`."""
    return _parse_as(ast.Expression, "expression", fragment, report)


def parse_step(fragment: Fragment, report: Report) -> ast.Step | None:
    """An assignment or a call; a bare name is a call without arguments: `p.points += 2`, `move(card, hand)`, `tie`."""
    return _parse_as(ast.Step, "step", fragment, report)


def parse_call(fragment: Fragment, report: Report) -> ast.Call | None:
    """A name with or without arguments, as in lists of actions and of events: `walk`, `jump(start=target)`."""
    return _parse_as(ast.Call, "call", fragment, report)


def parse_binders(fragment: Fragment, report: Report) -> tuple[ast.Binder, ...] | None:
    """What `choose:` and `for:` bind: `card in player.hand where open(card), stone in stones`."""
    parsed = _parse("binders", fragment, report)
    return parsed if isinstance(parsed, tuple) else None


def parse_binding(fragment: Fragment, report: Report) -> ast.Binding | None:
    """What `let:` binds: `need = cost(g, room)`."""
    return _parse_as(ast.Binding, "binding", fragment, report)


def parse_name(fragment: Fragment, report: Report) -> ast.Name | None:
    """One name and nothing else. The parser is asked only to say what is wrong: a table or an enum may have very many names."""
    if fragment.text.isascii() and fragment.text.isidentifier() and fragment.text not in RESERVED:
        return ast.Name(fragment.whole, fragment.text)
    return _parse_as(ast.Name, "lone_name", fragment, report)


def parse_type(fragment: Fragment, report: Report) -> ast.TypeExpression | None:
    """A type: `0..46`, `player or none`, `set[suit]`, `list[card, max 5]`, `computed int (p: player)`."""
    return _parse_as(ast.TypeExpression, "type", fragment, report)


def parse_declared(fragment: Fragment, report: Report) -> ast.Declared | None:
    """A type with or without a start: `0..46 = 10`."""
    return _parse_as(ast.Declared, "declared", fragment, report)


def parse_signature(fragment: Fragment, report: Report) -> ast.Signature | None:
    """The key of a function, procedure or action: `stay`, `equip(discount: 0..1 = 0)`."""
    return _parse_as(ast.Signature, "signature", fragment, report)


def parse_template(fragment: Fragment, report: Report) -> ast.Template | None:
    """Text with holes, as in `{player} drops into {slot + 1}`.

    A doubled brace is a brace; a hole ends at the brace that matches its own.
    """
    if len(fragment.text) > MAXIMUM_LENGTH:
        report.add(refusals.too_long(fragment.whole, len(fragment.text)))
        return None
    text = fragment.text
    parts: list[str | ast.Expression] = []
    words = ""
    place = 0
    while match := _BRACE.search(text, place):
        words += text[place : match.start()]
        place = match.end()
        if match[0] in {"{{", "}}"}:
            words += match[0][0]
            continue
        end = _hole_end(text, place) if match[0] == "{" else None
        if end is None:
            report.add(refusals.unbalanced_brace(fragment.span(match.start(), match.end()), match[0]))
            return None
        hole = parse_expression(fragment.part(place, end), report)
        if hole is None:
            return None
        parts += [words, hole] if words else [hole]
        words = ""
        place = end + 1
    words += text[place:]
    return ast.Template(fragment.whole, (*parts, words) if words else tuple(parts))


def holes(text: str) -> list[tuple[int, int]]:
    """Where the holes of a text stand, less their braces. Knows nothing of mistakes: it is for texts that have been parsed."""
    found: list[tuple[int, int]] = []
    place = 0
    while match := _BRACE.search(text, place):
        place = match.end()
        end = _hole_end(text, place) if match[0] == "{" else None
        if end is not None:
            found.append((place, end))
            place = end + 1
    return found


_BRACE = re.compile(r"\{\{|\}\}|\{|\}")
_IN_HOLE = re.compile(r"""'[^'\r\n]*'|"[^"\r\n]*"|\{|\}""")


def _hole_end(text: str, start: int) -> int | None:
    depth = 1
    for match in _IN_HOLE.finditer(text, start):
        depth += (match[0] == "{") - (match[0] == "}")
        if depth == 0:
            return match.start()
    return None


# --- parsing ----------------------------------------------------------------------------------------------------------


@frozen
class _Machine:
    """The parser with the builder that it calls; the lock keeps the builder to one text at a time."""

    parser: Lark
    builder: Builder
    lock: Lock = field(factory=Lock)


@cache
def _machine() -> _Machine:
    builder = Builder()
    return _Machine(load_parser(builder), builder)


def _parse_as(kind: type[_Node], start: str, fragment: Fragment, report: Report) -> _Node | None:
    node = _parse(start, fragment, report)
    return node if isinstance(node, kind) else None


def _parse(start: str, fragment: Fragment, report: Report) -> object:
    """What the builder makes of a text, None if it refuses."""
    machine = _machine()
    try:
        _check_size(fragment)
        with machine.lock:
            _BEGIN(machine.builder, fragment)
            try:
                tree = _single(start, fragment.text, machine.builder) or machine.parser.parse(fragment.text, start)
            except (UnexpectedCharacters, UnexpectedToken) as failure:
                raise Refused(_explain(start, fragment, failure, machine.parser)) from failure
        _check_depth(tree, fragment)
    except Refused as refused:
        report.add(refused.diagnostic)
        return None
    return tree


_BEGIN, _NAME, _TYPE_NAME, _NUMBER = Builder.begin, Builder.name, Builder.type_name, Builder.number
_STEP, _DECLARED = Builder.step, Builder.declared
"""Asking an object for a method takes Lark longer than the method itself."""
_NAME_ALONE: Final[dict[str, Callable[[Builder, Token], object]]] = {
    "expression": _NAME,
    "step": lambda builder, word: _STEP(builder, _NAME(builder, word)),
    "call": Builder.lone_call,
    "lone_name": Builder.lone_name,
    "type": _TYPE_NAME,
    "declared": lambda builder, word: _DECLARED(builder, _TYPE_NAME(builder, word)),
    "signature": Builder.signature,
}
"""What the grammar calls for a text that is one name."""


def _single(start: str, text: str, builder: Builder) -> object:
    """The tree of a text that is a name or a number and nothing else, as most texts in tables are; None for any other."""
    if not text.isascii():
        return None
    if text.isidentifier() and text not in RESERVED and start in _NAME_ALONE:
        return _NAME_ALONE[start](builder, Token("NAME", text, 0, end_pos=len(text)))
    if text.isdecimal() and start == "expression":
        return _NUMBER(builder, Token("NUMBER", text, 0, end_pos=len(text)))
    return None


def _explain(
    start: str, fragment: Fragment, failure: UnexpectedCharacters | UnexpectedToken, parser: Lark
) -> Diagnostic:
    words = scan(fragment.text)
    if not words:
        return refusals.nothing(fragment.whole, WANTED[start])
    index = index_at(words, cast("int", failure.pos_in_stream))
    if isinstance(failure, UnexpectedCharacters):
        return unknown_character(fragment, words, index)
    if failure.token.type == "$END":
        index = len(words)
    # What was possible before the word that fails: parsing stops only after reductions which that word made look right.
    before = parser.parse_interactive(fragment.text[: words[index].start if index < len(words) else None], start)
    before.exhaust_lexer()
    accepts: Callable[[], set[str]] = before.accepts
    return explain(Failure(fragment, start, words, index, accepts()))


# --- bounds -----------------------------------------------------------------------------------------------------------


def _check_size(fragment: Fragment) -> None:
    text = fragment.text
    if len(text) > MAXIMUM_LENGTH:
        raise Refused(refusals.too_long(fragment.whole, len(text)))
    if text.count("(") + text.count("[") + text.count("{") > MAXIMUM_DEPTH:
        opener = beyond_depth(scan(text), MAXIMUM_DEPTH)
        if opener is not None:
            raise Refused(refusals.too_deep(fragment.span(opener.start, opener.end)))


def _check_depth(tree: object, fragment: Fragment) -> None:
    """Refuse a tree on which a recursive walk could fail. Each level takes a character, so short texts need no look."""
    if len(fragment.text) <= MAXIMUM_DEPTH:
        return
    waiting: list[tuple[object, int]] = [(tree, 0)]
    while waiting:
        item, depth = waiting.pop()
        if isinstance(item, tuple):
            waiting.extend((part, depth) for part in item)
        elif isinstance(item, ast.Node):
            if depth == MAXIMUM_DEPTH:
                raise Refused(refusals.too_deep(item.span))
            waiting.extend((part, depth + 1) for _, part in parts_of(item))
