"""Single values: nodes → expressions, types, names, texts, numbers.

What can't be read is reported; in the place of an expression or type `ast.Invalid` or `ast.InvalidType` then stands,
other values are left out.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import TypeVar

from gdl import ast
from gdl.diagnostics import Report, did_you_mean
from gdl.expression_parser import (
    RESERVED,
    parse_binders,
    parse_binding,
    parse_call,
    parse_declared,
    parse_expression,
    parse_name,
    parse_signature,
    parse_template,
    parse_type,
)
from gdl.load_context import Context, is_empty, items_of, shortened, wrong_form, wrong_text, wrong_word
from gdl.source import Fragment
from gdl.yaml_nodes import Mapping, Node, Scalar, Sequence

T = TypeVar("T")

_NUMBER = re.compile(r"-?[0-9]+")
_HYPHENATED = re.compile(r"([0-9]{1,9})\s*[-\u2013]\s*([0-9]{1,9})")
_RANGE = re.compile(r"(-?[0-9]+)\s*\.\.\s*(-?[0-9]+)")
_MAXIMUM_DIGITS = 18
_FLAGS = {
    **dict.fromkeys(("true", "yes", "on", "y", "1"), "true"),
    **dict.fromkeys(("false", "no", "off", "n", "0"), "false"),
}
_BOUND = re.compile(r"(?:^|,)\s*([A-Za-z_]\w*)(?=\s*(?:,|:|$|\s(?:in|of|from)\s))", re.ASCII)
_FIRST_NAME = re.compile(r"\s*([A-Za-z_]\w*)", re.ASCII)
_PARAMETER = re.compile(r"[(,]\s*([A-Za-z_]\w*)", re.ASCII)


# --- expressions ------------------------------------------------------------------------------------------------------


def load_expression(node: Node, context: Context) -> ast.Expression:
    """A text that is parsed, a list that is a list literal, or a map that is a table literal."""
    match node:
        case Scalar() if node.is_empty:
            wrong_text(node.span, "an expression, there is nothing", context)
            return ast.Invalid(node.span)
        case Scalar():
            return parse_expression(node.fragment, context.report) or ast.Invalid(node.span)
        case Sequence(items=items):
            return ast.ListLiteral(node.span, tuple(load_expression(item, context) for item in items))
        case Mapping(entries=entries):
            pairs = ((load_expression(e.key, context), load_expression(e.value, context)) for e in entries)
            return ast.TableLiteral(node.span, tuple(pairs))
    raise TypeError(node)


def load_expressions(node: Node, context: Context) -> tuple[ast.Expression, ...]:
    """Expressions of a list, or one that stands alone."""
    return tuple(load_expression(item, context) for item in items_of(node))


def load_condition_or_word(node: Node, words: Iterable[str], context: Context) -> ast.Expression | str:
    """One of a few words, or an expression."""
    if isinstance(node, Scalar) and node.value in words:
        return node.value
    return load_expression(node, context)


def load_template(node: Node, context: Context) -> ast.Template | None:
    """Text with holes."""
    scalar = _scalar(node, "text", context)
    return parse_template(scalar.text, context.report) if scalar else None


def load_binders(node: Node, context: Context) -> tuple[ast.Binder, ...]:
    """`name in domain`, several by commas or as a list."""
    result: list[ast.Binder] = []
    for item in items_of(node):
        scalar = _scalar(item, "`name in list`", context)
        if scalar:
            result.extend(parse_binders(scalar.fragment, context.report) or _bound_names(scalar.fragment))
    return tuple(result)


def _bound_names(fragment: Fragment) -> Iterable[ast.Binder]:
    """What an unreadable text was to bind, so that its names are not unknown below as well."""
    for found in _BOUND.finditer(fragment.text):
        name = ast.Name(fragment.span(*found.span(1)), found[1])
        yield ast.Binder(name.span, name, ast.Invalid(fragment.whole))


def load_binder(node: Node, context: Context) -> ast.Binder | None:
    """One `name in domain`."""
    binders = load_binders(node, context)
    if len(binders) > 1:
        wrong_text(node.span, "one `name in list`, there are several", context)
    return binders[0] if binders else None


def load_bindings(node: Node, context: Context) -> tuple[ast.Binding, ...]:
    """`name = value`, one or a list."""
    return _all(node, "`name = value`", _load_binding, context)


def _load_binding(fragment: Fragment, report: Report) -> ast.Binding | None:
    parsed = parse_binding(fragment, report)
    found = _FIRST_NAME.match(fragment.text) if parsed is None else None
    if found is None:
        return parsed
    name = ast.Name(fragment.span(*found.span(1)), found[1])
    return ast.Binding(fragment.whole, name, ast.Invalid(fragment.whole))


def load_calls(node: Node, context: Context) -> tuple[ast.Call, ...]:
    """Names or calls, one or a list."""
    return _all(node, "a name or a call", parse_call, context)


def load_types(node: Node, context: Context) -> tuple[ast.TypeExpression, ...]:
    """Types, one or a list."""
    return tuple(load_type(item, context) for item in items_of(node))


def load_type(node: Node, context: Context) -> ast.TypeExpression:
    """A type."""
    scalar = _scalar(node, "a type", context)
    parsed = parse_type(scalar.fragment, context.report) if scalar else None
    return parsed or ast.InvalidType(node.span)


def load_declared(node: Scalar, context: Context) -> ast.Declared:
    """A type with its start or default."""
    return parse_declared(node.fragment, context.report) or ast.Declared(node.span, ast.InvalidType(node.span), None)


def load_signature(node: Node, context: Context) -> ast.Signature | None:
    """The key of a function, procedure or action."""
    scalar = _scalar(node, "a name with parameters", context)
    if scalar is None:
        return None
    return parse_signature(scalar.fragment, context.report) or _likely_signature(scalar.fragment)


def _likely_signature(fragment: Fragment) -> ast.Signature | None:
    """What an unreadable signature was to declare, so that calls of it are not unknown as well."""
    found = _FIRST_NAME.match(fragment.text)
    if found is None or found[1] in RESERVED:
        return None
    parameters = []
    for word in _PARAMETER.finditer(fragment.text, found.end()):
        name = ast.Name(fragment.span(*word.span(1)), word[1])
        parameters.append(ast.Parameter(name.span, name, ast.InvalidType(fragment.whole)))
    name = ast.Name(fragment.span(*found.span(1)), found[1])
    return ast.Signature(fragment.whole, name, tuple(parameters), parenthesised=True)


# --- names, texts, numbers --------------------------------------------------------------------------------------------


def load_name(node: Node, context: Context) -> ast.Name | None:
    """A name."""
    scalar = _scalar(node, "a name", context)
    return parse_name(scalar.fragment, context.report) if scalar else None


def load_names(node: Node, context: Context) -> tuple[ast.Name, ...]:
    """Names, one or a list."""
    return _all(node, "a name", parse_name, context)


def load_text(node: Node, context: Context) -> str:
    """Prose: the decoded text."""
    scalar = _scalar(node, "text", context)
    return scalar.value.strip() if scalar else ""


def load_texts(node: Node, context: Context) -> tuple[ast.Text, ...]:
    """Lines of text: a list, or the lines of a block."""
    if isinstance(node, Scalar) and node.style.is_block:
        return tuple(_lines(node))
    scalars = (_scalar(item, "a line of text", context) for item in items_of(node))
    return tuple(ast.Text(scalar.span, scalar.value) for scalar in scalars if scalar)


def load_flag(node: Node, context: Context) -> bool:
    """`true` or `false`; anything else is reported, and false unless it certainly means true."""
    if isinstance(node, Scalar) and node.value in ("true", "false"):
        return node.value == "true"
    if isinstance(node, Scalar):
        meant = _FLAGS.get(node.value.casefold())
        message = f"`{shortened(node.value)}` is neither `true` nor `false`"
        context.report.error("wrong-word", node.inside, message, help=did_you_mean([meant] if meant else []), suggestion=meant)
        return meant == "true"
    wrong_form(node, "`true` or `false`", context)
    return False


def load_word(node: Node, words: tuple[str, ...], context: Context, place: str) -> str:
    """One of a few words; anything else is reported and the first of them."""
    if isinstance(node, Scalar) and node.value in words:
        return node.value
    if isinstance(node, Scalar):
        wrong_word(node.inside, node.value, words, context, place)
    else:
        wrong_form(node, "a word", context, place)
    return words[0]


def load_number(node: Node, context: Context) -> int | None:
    """A whole number."""
    if isinstance(node, Scalar) and _NUMBER.fullmatch(node.value) and len(node.value) <= _MAXIMUM_DIGITS:
        return int(node.value)
    if isinstance(node, Scalar):
        meant, cure = _with_dots(node.value)
        wrong_text(node.span, f"a number, this is `{shortened(node.value)}`", context, meant, cure)
    else:
        wrong_form(node, "a number", context)
    return None


def _with_dots(text: str) -> tuple[str | None, str]:
    """The range that a text such as `2-8` means, and what is said of it; none and nothing if it is no such text."""
    hyphenated = _HYPHENATED.fullmatch(text)
    return (f"{hyphenated[1]}..{hyphenated[2]}", "a range is written with dots") if hyphenated else (None, "")


def load_range(node: Node, context: Context) -> tuple[int, int] | None:
    """`a..b` of plain numbers."""
    found = _RANGE.fullmatch(node.value) if isinstance(node, Scalar) else None
    if found and len(found[0]) <= 2 * _MAXIMUM_DIGITS:
        return int(found[1]), int(found[2])
    if isinstance(node, Scalar):
        meant, cure = _with_dots(node.value)
        wrong_text(node.span, f"a range of numbers such as `2..8`, this is `{shortened(node.value)}`", context, meant, cure)
    else:
        wrong_form(node, "a range of numbers such as `2..8`", context)
    return None


def is_range(node: Node) -> bool:
    """Whether a node looks like `a..b`."""
    return isinstance(node, Scalar) and ".." in node.value


# --- pieces of the above ----------------------------------------------------------------------------------------------


def _scalar(node: Node, wanted: str, context: Context) -> Scalar | None:
    """The node, if it is a text; else a message."""
    if not isinstance(node, Scalar):
        wrong_form(node, wanted, context)
        return None
    if is_empty(node):
        wrong_text(node.span, f"{wanted}, there is nothing", context)
        return None
    return node


def _all(node: Node, wanted: str, parse: Callable[..., T | None], context: Context) -> tuple[T, ...]:
    """Every item of a list, or the one that stands alone, parsed."""
    result: list[T] = []
    for item in items_of(node):
        scalar = _scalar(item, wanted, context)
        parsed = parse(scalar.fragment, context.report) if scalar else None
        if parsed is not None:
            result.append(parsed)
    return tuple(result)


def _lines(node: Scalar) -> Iterable[ast.Text]:
    """The lines of a block scalar that are not blank."""
    fragment = node.fragment
    start = 0
    for line in fragment.text.split("\n"):
        text = line.strip()
        if text:
            at = start + line.index(text)
            yield ast.Text(fragment.span(at, at + len(text)), text)
        start += len(line) + 1
