"""What all loading functions share: the report, reading a map by its form, and the messages about forms.

Loading never stops at a mistake: it reports, leaves the value out or puts `ast.Invalid` in its place, and goes on.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import TypeVar

from attrs import frozen

from gdl.diagnostics import Related, Report, did_you_mean, is_certain, nearest
from gdl.forms import Either, Form, Key, Leaf, ListOf, MapOf, Shape, Use, describe_shape
from gdl.load_files import Reader
from gdl.source import Span
from gdl.yaml_nodes import Entry, Mapping, Node, Scalar, Sequence, Style, describe, joined

T = TypeVar("T")

_MOST_SHOWN = 10
_MOST_GUESSES = 20
_LONGEST_SHOWN = 60


@frozen
class Context:
    """What a loading function needs besides its node: where to report, and how to read the tables that a spec names."""

    report: Report
    read: Reader


@frozen
class Fields:
    """The entries of a map that was checked against its form.

    An entry may have been written under another key that certainly meant this one. `faulty` are the keys that are there, but
    with values that can't be used.
    """

    context: Context
    form: Form
    node: Mapping
    entries: dict[str, Entry]
    faulty: frozenset[str] = frozenset()

    def __contains__(self, name: str) -> bool:
        return name in self.entries

    def node_of(self, name: str) -> Node | None:
        """The value of a key of the form, or none if it is left out."""
        assert self.form.key(name) is not None, f"{self.form.name} has no key {name}"
        entry = self.entries.get(name)
        return entry.value if entry else None

    def read(self, name: str, load: Callable[[Node, Context], T]) -> T | None:
        """The value of a key, loaded, or none if it is left out."""
        node = self.node_of(name)
        return None if node is None else load(node, self.context)

    def read_all(self, name: str, load: Callable[[Node, Context], tuple[T, ...]]) -> tuple[T, ...]:
        """The values of a key, loaded, or none of them if it is left out."""
        node = self.node_of(name)
        return () if node is None else load(node, self.context)

    def key_span(self, name: str) -> Span:
        """Where a key that is there stands."""
        return self.entries[name].key.span

    def value_span(self, name: str) -> Span | None:
        """Where the value of a key stands, or none if it is left out."""
        node = self.node_of(name)
        return None if node is None else node.span


def read_form(node: Node, form: Form, context: Context, title_span: Span | None = None) -> Fields | None:
    """The entries of a map that should have this form; none if it is no map.

    `title_span` is where a missing key is reported, the name of what is declared; left out, the start of the map.
    """
    if not isinstance(node, Mapping):
        keys = ", ".join(f"`{key.name}`" for key in form.keys[:_MOST_SHOWN])
        wrong_form(node, f"{form.title} as a map with keys such as {keys}", context)
        return None
    entries: dict[str, Entry] = {}
    faulty: set[str] = set()
    strange: list[Entry] = []
    for entry in node.entries:
        key = form.key(entry.name or "")
        if key is None:
            strange.append(entry)
        elif (fitting := _fitting(entry, key, context)) is not None:
            entries[key.name] = fitting
        else:
            faulty.add(key.name)
    for number, entry in enumerate(strange):
        missing = _missing(form, {*entries, *faulty}) if len(strange) == 1 else []
        meant = _unknown_key(entry, form, missing, context, guess=number < _MOST_GUESSES)
        if meant is not None and meant.name not in entries and meant.name not in faulty:
            if _fits(entry.value, meant.shape) and not is_empty(entry.value):
                entries[meant.name] = entry
            else:
                faulty.add(meant.name)
    fields = Fields(context, form, node, entries, frozenset(faulty))
    _check_combination(fields, title_span)
    return fields


def _fitting(entry: Entry, key: Key, context: Context) -> Entry | None:
    """The entry of a key, if its value looks as it should; a map that was written as a list of maps is taken as the map."""
    if is_empty(entry.value):
        no_value(entry.key, context)
        return None
    if _fits(entry.value, key.shape):
        return entry
    meant: Node | None = None
    cure = ""
    if isinstance(key.shape, ListOf) and isinstance(entry.value, Mapping) and _fits(entry.value, key.shape.item):
        cure = "a list of maps begins each with a dash: write `- ` before the first key"
        meant = Sequence(entry.value.span, (entry.value,), flow=False)
    elif isinstance(key.shape, ListOf) and (meant := _without_brackets(entry.value)) is not None:
        cure = f"a list stands in brackets: `[{entry.value.span.text}]`"
    elif isinstance(key.shape, MapOf) and (meant := _without_dashes(entry.value)) is not None:
        cure = "leave the dashes out: each name is a key of its own"
    elif isinstance(key.shape, MapOf) and (lone := _without_colon(entry.value)) is not None:
        cure = f"a colon and a blank belong behind the name: `{lone.name}: {lone.value.span.text}`"
        meant = Mapping(entry.value.span, (lone,), flow=False)
    wrong_form(entry.value, describe_shape(key.shape), context, f"`{key.name}`", cure)
    return Entry(entry.key, meant) if meant is not None else None


def _without_dashes(node: Node) -> Mapping | None:
    """The map that a list of maps stands for; none if its items are no maps."""
    if not isinstance(node, Sequence) or not node.items or not all(isinstance(item, Mapping) for item in node.items):
        return None
    entries: dict[str | None, Entry] = {}
    for item in node.items:
        for entry in item.entries if isinstance(item, Mapping) else ():
            entries.setdefault(entry.name, entry)
    return Mapping(node.span, tuple(entries.values()), flow=False)


_NAME_AND_VALUE = re.compile(r"([A-Za-z_]\w*)(?:\s*=\s*|\s+)(\S.*)", re.ASCII)
_WORD = re.compile(r"\w+")
_WORDS = re.compile(r"\w+(?:, *\w+)+")


def _without_brackets(node: Node) -> Sequence | None:
    """The list that words or numbers with commas between them stand for; none if this is no such text."""
    if not isinstance(node, Scalar) or node.style is not Style.PLAIN or _WORDS.fullmatch(node.span.text) is None:
        return None
    source, start = node.span.source, node.span.start
    return Sequence(node.span, tuple(joined(source, start + w.start(), start + w.end()) for w in _WORD.finditer(node.span.text)), flow=True)


def _without_colon(node: Node) -> Entry | None:
    """The entry that `name value` stands for; none if this is no such text."""
    found = _NAME_AND_VALUE.fullmatch(node.span.text) if isinstance(node, Scalar) and node.style is Style.PLAIN else None
    if found is None:
        return None
    source, start = node.span.source, node.span.start
    value: Node = joined(source, start + found.start(2), start + found.end(2))
    if found[2].startswith("["):
        words = (joined(source, start + word.start(), start + word.end()) for word in _WORD.finditer(found[0], found.start(2)))
        value = Sequence(value.span, tuple(words), flow=True)
    return Entry(joined(source, start, start + found.end(1)), value)


def _missing(form: Form, known: set[str]) -> list[Key]:
    """The required keys that are left out."""
    return [key for key in form.keys if key.required and key.name not in known]


def _check_combination(fields: Fields, title_span: Span | None) -> None:
    """Report keys that are missing, exclude each other, or lack the key that they refine."""
    form, report = fields.form, fields.context.report
    for key in _missing(form, {*fields.entries, *fields.faulty}):
        missing_key(form, key, title_span or _head(fields.node), fields.context)
    for names in form.clashes:
        present = sorted((fields.key_span(name).start, name) for name in names if name in fields)
        for _, name in present[1:]:
            first = present[0][1]
            related = (Related(fields.key_span(first), "the other one"),)
            message = f"{form.title} has either `{first}` or `{name}`, not both"
            report.error("keys-clash", fields.key_span(name), message, related=related)
    for name, others in form.needs:
        if name in fields and not any(other in fields or other in fields.faulty for other in others):
            wanted = " or ".join(f"`{other}`" for other in others)
            report.error("needs-key", fields.key_span(name), f"`{name}` makes sense only beside {wanted}")


def is_empty(node: Node) -> bool:
    """Whether nothing is written for a value."""
    return isinstance(node, Scalar) and node.is_empty


def is_word(node: Node, word: str) -> bool:
    """Whether a node is this plain word."""
    return isinstance(node, Scalar) and node.value == word


def items_of(node: Node) -> tuple[Node, ...]:
    """The items of a list, or the single item that stands alone."""
    return node.items if isinstance(node, Sequence) else (node,)


def named_entries(node: Node, what: str, context: Context, form: Form | None = None) -> Iterable[Entry]:
    """The entries of a section that have a text as key; others and entries without value are reported.

    With a `form`, keys of it that stand beside a name instead of below it are reported, and taken for what the name lacks.
    """
    if not isinstance(node, Mapping):
        wrong_form(node, f"a map with {what} on each line", context)
        return
    for entry in node.entries if form is None else _indented(node.entries, form, context):
        if not isinstance(entry.key, Scalar) or is_empty(entry.key):
            wrong_form(entry.key, f"the name of {what}", context)
        elif is_empty(entry.value):
            no_value(entry.key, context)
        else:
            yield entry


def _indented(entries: tuple[Entry, ...], form: Form, context: Context) -> Iterable[Entry]:
    """The entries, those with keys of the form joined to the name above them behind which nothing stands."""
    index = 0
    while index < len(entries):
        entry, end = entries[index], index + 1
        while is_empty(entry.value) and end < len(entries) and form.key(entries[end].name or "") is not None:
            end += 1
        inner = entries[index + 1 : end]
        index = end
        if inner:
            message = f"`{inner[0].name}` stands beside `{shortened(entry.name or '')}` and belongs to it"
            context.report.error("wrong-form", inner[0].key.span, message, help="indent it further than the name")
            entry = Entry(entry.key, Mapping(inner[0].span.to(inner[-1].span), inner, flow=False))
        yield entry


def empty_keys(node: Node) -> Iterable[Node]:
    """The keys of a section behind which nothing stands, which has been reported."""
    if not isinstance(node, Mapping):
        return ()
    return (*node.bare, *(entry.key for entry in node.entries if is_empty(entry.value) and isinstance(entry.key, Scalar)))


# --- messages ---------------------------------------------------------------------------------------------------------


def wrong_form(node: Node, wanted: str, context: Context, place: str = "", help_text: str = "") -> None:
    """A node that does not look as it should."""
    found = describe(node)
    subject = f"{place} takes " if place else "expected "
    context.report.error("wrong-form", _head(node), f"{subject}{wanted}; this is {found}", label=found, help=help_text)


def wrong_text(span: Span, wanted: str, context: Context, suggestion: str | None = None, help_text: str = "") -> None:
    """A text that has not the form it should have."""
    context.report.error("wrong-form", span, f"expected {wanted}", suggestion=suggestion, help=help_text)


def wrong_word(span: Span, word: str, words: Iterable[str], context: Context, place: str, meant: str | None = None) -> None:
    """A word that is not one of those possible; `meant` is the one that is, if it is known."""
    possible = tuple(words)
    close = nearest(word, possible) if meant is None else [meant]
    context.report.error(
        "wrong-word",
        span,
        f"{place} can't be `{shortened(word)}`: {_either(possible)}",
        help=did_you_mean(close[:1]),
        suggestion=close[0] if close else None,
        wrong=word,
        certain=meant is not None or is_certain(word, close),
    )


def no_value(key: Node, context: Context) -> None:
    """A key behind which nothing stands."""
    name = f"`{shortened(key.value)}`" if isinstance(key, Scalar) else "this key"
    context.report.error("no-value", key.span, f"{name} has no value", help="give it one, or leave the key out; an empty list is `[]`")


def missing_key(form: Form, key: Key, span: Span, context: Context) -> None:
    """A required key that is left out."""
    context.report.error(
        "missing-key", span, f"{form.title} needs `{key.name}`", help=f"`{key.name}`: {_lower(key.doc)}"
    )


def _unknown_key(entry: Entry, form: Form, missing: list[Key], context: Context, *, guess: bool) -> Key | None:
    """Report a key that the form does not have; gives the key that is meant, as far as can be told."""
    if entry.name is None:
        wrong_form(entry.key, f"a key of {form.title}", context)
        return None
    possible = [key.name for key in form.keys]
    hint = dict(form.hints).get(entry.name)
    close = nearest(entry.name, possible) if guess and hint is None else []
    if not close and hint is None and len(missing) == 1 and _fits(entry.value, missing[0].shape):
        close = [missing[0].name]
    shown = close + [name for name in possible if name not in close]
    listed = ", ".join(f"`{name}`" for name in shown[:_MOST_SHOWN]) + (", …" if len(shown) > _MOST_SHOWN else "")
    context.report.error(
        "unknown-key",
        entry.key.inside if isinstance(entry.key, Scalar) else entry.key.span,
        f"{form.title} has no key `{shortened(entry.name)}`",
        label="unknown",
        help=hint or did_you_mean(close[:1], f"possible: {listed}"),
        suggestion=close[0] if close else None,
        wrong=entry.name,
        certain=is_certain(entry.name, close),
    )
    return form.key(close[0]) if close else None


def shortened(text: str) -> str:
    """A name or value as messages quote it."""
    line = " ".join(text.split())
    return line if len(line) <= _LONGEST_SHOWN else line[: _LONGEST_SHOWN - 1] + "…"


def _either(words: tuple[str, ...]) -> str:
    shown = [f"`{word}`" for word in words]
    return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} or {shown[-1]}"


def _lower(sentence: str) -> str:
    return sentence[:1].lower() + sentence[1:].rstrip(".") if sentence[1:2].islower() else sentence.rstrip(".")


def _head(node: Node) -> Span:
    """The part of a node that a message points at: all of it if it stands on one line, else its beginning."""
    if isinstance(node, Scalar) or node.span.line == node.span.end_line:
        return node.span
    match node:
        case Mapping(entries=(first, *_)):
            return first.key.span
        case Sequence(items=(Scalar() as item, *_)) if item.span.start >= node.span.start:
            return node.span.to(item.span)
        case _:
            return Span(node.span.source, node.span.start, node.span.start + 1)


def _fits(node: Node, shape: Shape) -> bool:
    """Whether a node is a scalar, list or map as the shape wants it; what is inside is not looked at."""
    match shape:
        case Leaf(kind="expression" | "steps"):
            return True
        case Leaf():
            return isinstance(node, Scalar)
        case ListOf(item=item, or_one=True):
            return isinstance(node, Sequence) or _fits(node, item)
        case ListOf():
            return isinstance(node, Sequence)
        case MapOf() | Use():
            return isinstance(node, Mapping)
        case Either(options=options):
            return any(_fits(node, option) for option in options)
