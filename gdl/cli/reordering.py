"""Keys in an unusual place → the change of a file that moves them. The text of each key goes along as it is; comments of its line too.

Where a comment or blank line stands between keys of a step, whose it is can't be known; then nothing is moved. At the top of a spec blank
lines stay where they are, and no key goes past a comment: one above a key stays with it.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from attrs import define

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


@define
class _Part:
    """A key with its value as a stretch of text, and what stands between it and the key before: line ends and nothing else."""

    name: str
    lead: str
    text: str


def _head(root: Mapping, index: int) -> Moved | None:
    """Move what a spec says of itself up, before the first key that belongs behind it; among keys without comments between them."""
    source = root.span.source
    first, last = _section(root, index)
    entries = root.entries[first : last + 1]
    parts = [_Part(e.name or "", _between(root, first + i), source.text[e.key.span.start : _line_end(e)]) for i, e in enumerate(entries)]
    fixed = _commented(root, first)
    order = [key.name for key in SPEC.keys]
    for part in tuple(parts):
        if part.name in HEAD_KEYS:
            _move_up(parts, part, order, int(fixed), _break(source))
    span = Span(source, entries[0].key.span.start, _line_end(entries[-1]))
    text = parts[0].text + "".join(part.lead + part.text for part in parts[1:])
    return (span, text) if text != span.text else None


def _move_up(parts: list[_Part], part: _Part, order: list[str], first: int, line_end: str) -> None:
    """Put a key before the first one that belongs behind it; those before `first` keep their place, and so do blank lines."""
    at = parts.index(part)
    behind = (i for i in range(first, at) if parts[i].name in order and order.index(parts[i].name) > order.index(part.name))
    target = next(behind, None)
    if target is not None:
        part.lead, parts[target].lead = parts[target].lead, line_end
        parts.insert(target, parts.pop(at))


def _section(root: Mapping, index: int) -> tuple[int, int]:
    """The first and last of the entries around one between which no comment stands."""
    first = last = index
    while first > 0 and not _commented(root, first):
        first -= 1
    while last + 1 < len(root.entries) and not _commented(root, last + 1):
        last += 1
    return first, last


def _commented(root: Mapping, index: int) -> bool:
    """Whether a comment stands between an entry and the one before it. One above the first entry is about the file."""
    return index > 0 and bool(_gap(root.span.source, root.entries[index - 1], root.entries[index]).strip())


def _between(root: Mapping, index: int) -> str:
    """The line ends before an entry."""
    if index == 0:
        return ""
    source = root.span.source
    return source.text[_line_end(root.entries[index - 1]) : root.entries[index].key.span.start]


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
