"""The smaller sections of a spec: players, options, enums, constants, functions, procedures, history and others."""

from __future__ import annotations

from itertools import pairwise

from gdl import ast
from gdl.diagnostics import nearest
from gdl.forms import DISPLAY, FUNCTION, HISTORY, LIMITS, OPTION, Leaf
from gdl.load_context import Context, Fields, is_word, items_of, named_entries, read_form, shortened, wrong_form, wrong_text, wrong_word
from gdl.load_steps import load_block
from gdl.load_values import (
    is_range,
    load_bindings,
    load_expression,
    load_flag,
    load_name,
    load_names,
    load_number,
    load_range,
    load_signature,
    load_text,
    load_word,
)
from gdl.model import Constant, Display, Enum, Function, History, Limits, Option, Players, Procedure
from gdl.source import Span
from gdl.yaml_nodes import Entry, Mapping, Node, Scalar, Sequence

VERSION = 1
MOST_PLAYERS = 16
MOST_GLYPHS = 2


def check_version(node: Node, context: Context) -> None:
    """`gdl: 1`."""
    if load_number(node, context) not in (VERSION, None):
        context.report.error("wrong-version", node.span, f"only version {VERSION} of the language is known")


def load_players(node: Node, context: Context) -> Players | None:
    """`2`, `2..8` or `[2, 4]`."""
    numbers: tuple[int | None, ...]
    if isinstance(node, Sequence):
        numbers = tuple(load_number(item, context) for item in node.items)
    elif is_range(node):
        bounds = load_range(node, context)
        numbers = (None,) if bounds is None else bounds
    else:
        numbers = (load_number(node, context),)
    known = [number for number in numbers if number is not None]
    if len(known) < len(numbers):
        return None
    ascending = all(low < high for low, high in pairwise(known))
    if not known or not ascending or known[0] < 1 or known[-1] > MOST_PLAYERS:
        message = f"the numbers of players are from 1 to {MOST_PLAYERS}, ascending"
        context.report.error("wrong-players", node.span, message)
        return None
    allowed = range(known[0], known[-1] + 1) if is_range(node) else known
    return Players(node.span, tuple(allowed))


# --- options ----------------------------------------------------------------------------------------------------------


def load_options(node: Node, context: Context) -> tuple[Option, ...]:
    """The section `options`."""
    options = (_option(entry, context) for entry in named_entries(node, "an option", context, OPTION))
    return tuple(option for option in options if option)


def _option(entry: Entry, context: Context) -> Option | None:
    name = load_name(entry.key, context)
    fields = read_form(entry.value, OPTION, context, entry.key.span)
    if name is None:
        return None
    faulty = Option(name.name, name.span, "error")
    if fields is None or not fields.faulty.isdisjoint(("values", "range", "type")):
        return faulty
    label = fields.read("label", load_text) or ""
    default = fields.node_of("default")
    if "values" in fields:
        return faulty if _are_numbers(fields) else _named_option(name, fields, default, label)
    if "range" in fields:
        return _range_option(name, fields, default, label) or faulty
    kind = fields.node_of("type")
    if kind is not None:
        if not is_word(kind, "bool"):
            _wrong_kind(kind, context)
            return faulty
        value = load_flag(default, context) if default else False
        return Option(name.name, name.span, "bool", default=value, label=label)
    message = f"the option `{name.name}` needs `values`, `range` or `type: bool`"
    context.report.error("missing-key", name.span, message)
    return faulty


def _wrong_kind(node: Node, context: Context) -> None:
    """Report a `type` of an option that is not `bool`."""
    span = node.inside if isinstance(node, Scalar) else node.span
    cure = "a number is an option with `range: 10..30`, a word one with `values: [short, long]`"
    context.report.error("wrong-word", span, f"`type` can't be `{shortened(span.text)}`: `bool`", help=cure)


def _are_numbers(fields: Fields) -> bool:
    """Whether the values of an option are numbers, which is reported."""
    node = fields.node_of("values")
    numbers = [item for item in items_of(node) if isinstance(item, Scalar) and item.value.isdecimal()] if node else []
    if not numbers:
        return False
    cure = "numbers are an option with `range: 10..30`, or words such as `short` that an `if … then … else …` turns into numbers"
    fields.context.report.error("wrong-form", numbers[0].span, "the values of an option are names, not numbers", help=cure)
    return True


def _named_option(name: ast.Name, fields: Fields, default: Node | None, label: str) -> Option:
    values = fields.read_all("values", _option_values)
    words = tuple(word for word, _ in values)
    chosen = default.value if isinstance(default, Scalar) else ""
    if default is not None and words and chosen not in words:
        wrong_word(default.inside if isinstance(default, Scalar) else default.span, chosen, words, fields.context, "`default`")
    return Option(name.name, name.span, "values", values, default=chosen, label=label)


def _option_values(node: Node, context: Context) -> tuple[tuple[str, Span], ...]:
    """Names; `true` and `false` may stand among them."""
    result: list[tuple[str, Span]] = []
    for item in node.items if isinstance(node, Sequence) else ():
        if isinstance(item, Scalar) and item.value in ("true", "false"):
            result.append((item.value, item.span))
        else:
            name = load_name(item, context)
            if name:
                result.append((name.name, item.span))
    return tuple(result)


def _range_option(name: ast.Name, fields: Fields, default: Node | None, label: str) -> Option | None:
    context = fields.context
    bounds = fields.read("range", load_range)
    chosen = load_number(default, context) if default else None
    if bounds is None:
        return None
    low, high = bounds
    if low > high:
        wrong_text(fields.entries["range"].value.span, "a range that ends behind its start", context)
    elif chosen is not None and default is not None and not low <= chosen <= high:
        wrong_text(default.span, f"a number in {low}..{high}", context)
    return Option(
        name.name, name.span, "range", low=low, high=high, default=low if chosen is None else chosen, label=label
    )


# --- enums, constants -------------------------------------------------------------------------------------------------


def load_enums(node: Node, context: Context) -> tuple[Enum, ...]:
    """The section `enums`."""
    result: list[Enum] = []
    for entry in named_entries(node, "an enum", context):
        name = load_name(entry.key, context)
        symbols = entry.value
        if isinstance(symbols, Mapping):  # its keys are what the names were meant to be
            symbols = Sequence(symbols.span, tuple(each.key for each in symbols.entries), flow=symbols.flow)
        if not isinstance(entry.value, Sequence):
            wrong_form(entry.value, "a list of names", context)
        if name:
            result.append(Enum(name.name, name.span, load_names(symbols, context)))
    return tuple(result)


def load_constants(node: Node, context: Context) -> tuple[Constant, ...]:
    """The section `constants`."""
    result: list[Constant] = []
    for entry in named_entries(node, "a constant", context):
        name = load_name(entry.key, context)
        value = load_expression(entry.value, context)
        if name:
            result.append(Constant(name.name, name.span, value))
    return tuple(result)


# --- functions, procedures --------------------------------------------------------------------------------------------


def load_functions(node: Node, context: Context) -> tuple[Function, ...]:
    """The section `functions`."""
    functions = (_function(entry, context) for entry in named_entries(node, "a function", context, FUNCTION))
    return tuple(function for function in functions if function)


def _function(entry: Entry, context: Context) -> Function | None:
    signature = _called(entry.key, "a function", context)
    node = entry.value
    bindings: tuple[ast.Binding, ...] = ()
    if isinstance(node, Mapping) and (any(node.get(key) is not None for key in ("value", "let")) or _misses_value(node)):
        fields = read_form(node, FUNCTION, context, entry.key.span)
        bindings = fields.read_all("let", load_bindings) if fields else ()
        value = fields.read("value", load_expression) if fields else None
    else:
        value = load_expression(node, context)
    if signature is None:
        return None
    return Function(signature.name.name, signature.name.span, signature, bindings, value or ast.Invalid(node.span))


_WORDS_FOR_VALUE = ("return", "returns", "result", "yield", "do")


def _misses_value(node: Mapping) -> bool:
    """Whether a map is none of a table but has one key, which was certainly meant to be `value`."""
    name = node.entries[0].name if len(node.entries) == 1 else None
    return name is not None and (name in _WORDS_FOR_VALUE or bool(nearest(name, ("value",))))


def load_procedures(node: Node, context: Context) -> tuple[Procedure, ...]:
    """The section `procedures`."""
    result: list[Procedure] = []
    for entry in named_entries(node, "a procedure", context):
        signature = _called(entry.key, "a procedure", context)
        body = load_block(entry.value, context)
        if signature:
            result.append(Procedure(signature.name.name, signature.name.span, signature, body))
    return tuple(result)


def _called(node: Node, what: str, context: Context) -> ast.Signature | None:
    """The signature of something whose name is always written with brackets."""
    signature = load_signature(node, context)
    if signature and not signature.parenthesised:
        written = f'"{signature.name.name}()"'
        wrong_text(node.span, f"the name of {what} with its parameters, {written}", context, suggestion=written)
    return signature


# --- history, limits, display -----------------------------------------------------------------------------------------


def load_histories(node: Node, context: Context) -> tuple[History, ...]:
    """The section `history`."""
    result: list[History] = []
    for entry in named_entries(node, "a history", context):
        name = load_name(entry.key, context)
        fields = read_form(entry.value, HISTORY, context, entry.key.span)
        if name and fields:
            keep = fields.read("keep", load_expression) or ast.Invalid(entry.key.span)
            wrap = fields.read("wrap", load_flag) or False
            result.append(History(name.name, name.span, fields.read_all("of", load_names), keep, wrap))
    return tuple(result)


def load_limits(node: Node, context: Context) -> Limits:
    """The section `limits`."""
    fields = read_form(node, LIMITS, context)
    if fields is None:
        return Limits()
    return Limits(
        turns=fields.read("turns", load_expression),
        depth=fields.read("depth", load_expression),
        fuel=fields.read("fuel", load_expression),
    )


def load_displays(node: Node, context: Context) -> tuple[Display, ...]:
    """The section `display`."""
    result: list[Display] = []
    for entry in named_entries(node, "a kind, zone or seat", context):
        name = load_name(entry.key, context)
        fields = read_form(entry.value, DISPLAY, context, entry.key.span)
        if name and fields:
            values = tuple((key, _display_value(fields, key, found.value)) for key, found in fields.entries.items())
            result.append(Display(name, values))
    return tuple(result)


def _display_value(fields: Fields, name: str, node: Node) -> str:
    """Text, or one of the words that the form lists."""
    key = fields.form.key(name)
    if key is not None and isinstance(key.shape, Leaf) and key.shape.words:
        return load_word(node, key.shape.words, fields.context, f"`{name}`")
    text = load_text(node, fields.context)
    if name == "glyph" and len(text) > MOST_GLYPHS:
        wrong_text(node.span, f"a character, at most {MOST_GLYPHS}: it stands in a cell of a board", fields.context)
    return text
