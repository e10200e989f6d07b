"""Keys in an unusual place → the change of a file that moves them. The text of each key goes along as it is; comments of its line too.

Where a comment or blank line stands between keys, whose it is can't be known; then nothing is moved.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from gdl.diagnostics import Report
from gdl.forms import SPEC, STEPS_BY_KEY
from gdl.source import SourceFile, Span
from gdl.validators.rules.style import HEAD_KEYS
from gdl.yaml_nodes import Entry, Mapping, Node, Sequence, parse_yaml

Moved = tuple[Span, str]
"""A stretch of a file, and what stands there afterwards."""


def moved(place: Span) -> Moved | None:
    """What puts the keys into their order around a place that the rule `key-order` has found."""
    root = parse_yaml(place.source, Report())
    if not isinstance(root, Mapping) or root.flow:
        return None
    for index, entry in enumerate(root.entries):
        if entry.key.span.start == place.start:
            return _head(root, index)
    found = [node for node in _maps(root) if _leads(node, place)]
    return _step(found[-1]) if found else None


def _maps(node: Node) -> Iterator[Mapping]:
    """All maps of a tree, outer ones first."""
    if isinstance(node, Sequence):
        for item in node.items:
            yield from _maps(item)
    elif isinstance(node, Mapping):
        yield node
        for entry in node.entries:
            yield from _maps(entry.value)


def _leads(node: Mapping, place: Span) -> bool:
    """Whether a map is a step that is called by a key whose value stands at a place."""
    return any(entry.name in STEPS_BY_KEY and _holds(entry.value.span, place) for entry in node.entries)


def _holds(outer: Span, inner: Span) -> bool:
    return outer.source is inner.source and outer.start <= inner.start and inner.end <= outer.end


# --- at the top of a spec ---------------------------------------------------------------------------------------------


def _head(root: Mapping, index: int) -> Moved | None:
    """Move what a spec says of itself up, before the first key that belongs behind it."""
    order = [key.name for key in SPEC.keys]
    entry = root.entries[index]
    name = entry.name or ""
    before = [other for other in root.entries[:index] if other.name in order and order.index(other.name) > order.index(name)]
    if name not in HEAD_KEYS or not before:
        return None
    source = entry.span.source
    target, start, end = before[0].key.span.start, entry.key.span.start, _line_end(entry)
    between = source.text[target:start]
    if _gap(source, root.entries[index - 1], entry).strip() or _gap(source, *_around(root, before[0])).strip():
        return None
    return Span(source, target, end), f"{source.text[start:end]}{_break(source)}{between.rstrip()}"


def _around(root: Mapping, entry: Entry) -> tuple[Entry, Entry]:
    """The entry before one, and it; at the start it stands for both."""
    index = root.entries.index(entry)
    return root.entries[max(index - 1, 0)], entry


# --- steps ------------------------------------------------------------------------------------------------------------


def _step(node: Mapping) -> Moved | None:
    """The entries of a step in the order of its form."""
    form = next(STEPS_BY_KEY[entry.name] for entry in node.entries if entry.name in STEPS_BY_KEY)
    order = [key.name for key in form.keys]
    source = node.span.source
    if any(entry.name not in order or entry.span.source is not source for entry in node.entries):
        return None
    entries = sorted(node.entries, key=lambda entry: order.index(entry.name or ""))
    ends = {entry: entry.span.end if node.flow else _line_end(entry) for entry in node.entries}
    span = Span(source, node.entries[0].key.span.start, max(ends.values()))
    texts = [source.text[entry.key.span.start : ends[entry]] for entry in entries]
    if node.flow:
        return None if "#" in span.text or "\n" in span.text else (span, ", ".join(texts))
    if any(_gap(source, one, other) for one, other in pairwise(node.entries)):
        return None
    return span, f"{_break(source)}{' ' * (span.column - 1)}".join(texts)


# --- lines ------------------------------------------------------------------------------------------------------------


def _break(source: SourceFile) -> str:
    return "\r\n" if "\r\n" in source.text else "\n"


def _line_end(entry: Entry) -> int:
    """The end of the line in which an entry ends, a comment behind it included."""
    text = entry.span.source.text
    found = text.find("\n", entry.span.end)
    end = found if found >= 0 else len(text)
    return end - text[:end].endswith("\r")


def _gap(source: SourceFile, one: Entry, other: Entry) -> str:
    """What stands between the line in which an entry ends and the key of the next one, less the end of the line and the indentation."""
    return source.text[_line_end(one) : other.key.span.start].removeprefix("\r").removeprefix("\n").strip(" ")
