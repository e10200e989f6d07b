"""YAML text → positioned nodes.

libyaml reads the text and gives events; this module builds nodes from them, without tags, constructors or recursion,
and reports whatever the language does not allow in its files. Nesting, aliases and size are checked while reading, so
no text can make it crash. Knows nothing of the language's keys.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NoReturn

import yaml
from attrs import Factory, define, frozen
from yaml.events import (
    AliasEvent,
    CollectionStartEvent,
    DocumentStartEvent,
    Event,
    MappingEndEvent,
    MappingStartEvent,
    NodeEvent,
    ScalarEvent,
    SequenceEndEvent,
)

from gdl.diagnostics import Related, Report
from gdl.source import SourceFile, Span
from gdl.yaml_errors import report_yaml_error
from gdl.yaml_split import repair_entries, repair_items, repair_mapping
from gdl.yaml_tree import Entry, Mapping, Node, Scalar, Sequence, Style, describe, joined

__all__ = ["Entry", "Mapping", "Node", "Scalar", "Sequence", "Style", "describe", "joined", "parse_yaml"]

MAXIMUM_CHARACTERS = 4 * 1024 * 1024
MAXIMUM_DEPTH = 64
MAXIMUM_ALIASES = 1_000
MAXIMUM_EXPANDED = 200_000

_BYTE_ORDER_MARK = "\ufeff"
_UNREADABLE = re.compile("\r(?!\n)|[^\t\n\r\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_PROPERTIES = re.compile(r"(?:[&!]\S*(?:\s+|$))+")
_TAG = re.compile(r"!\S*")


def parse_yaml(source: SourceFile, report: Report) -> Node | None:
    """The root node of a file, or none after reporting why there is none."""
    if not _is_readable(source, report):
        return None
    try:
        return _Composer(source, report).compose()
    except _UnusableError:
        return None


class _UnusableError(Exception):
    """Reading can't go on; the reason has been reported."""


@frozen
class _Anchor:
    """A node that has a name, with what an alias to it adds."""

    node: Node
    size: int
    aliases: int
    height: int


@define
class _Open:
    """A collection whose end has not come yet. `nodes` alternates keys and values in a mapping."""

    event: CollectionStartEvent
    nodes: list[Node] = Factory(list)
    size: int = 1
    aliases: int = 0
    height: int = 0


@define
class _Composer:
    """Builds the nodes of one file, with a stack of its own instead of recursion."""

    source: SourceFile
    report: Report
    base: int = 0
    stack: list[_Open] = Factory(list)
    anchors: dict[str, _Anchor | None] = Factory(dict)
    root: Node | None = None
    documents: int = 0

    def compose(self) -> Node | None:
        """Read all events."""
        text = self.source.text
        if text.startswith(_BYTE_ORDER_MARK):
            text, self.base = text[1:], 1
        try:
            for event in _events(text):
                self._take(event)
        except yaml.YAMLError as error:
            self._explain(error)
            return None
        if self.root is None:
            self.report.error("empty-file", Span(self.source, 0, 0), "this file is empty")
        return self.root

    def _take(self, event: Event) -> None:
        match event:
            case ScalarEvent():
                self._check_tag(event)
                node = self._scalar(event)
                self._finish(node, event.anchor, _Anchor(node, 1, 0, 0))
            case AliasEvent():
                self._alias(event)
            case CollectionStartEvent():
                self._open(event)
            case MappingEndEvent() | SequenceEndEvent():
                self._close(event)
            case DocumentStartEvent():
                self.documents += 1
                if self.documents > 1:
                    self._fail("many-documents", event, "a file has one document, a second one starts here")

    def _open(self, event: CollectionStartEvent) -> None:
        if len(self.stack) >= MAXIMUM_DEPTH:
            self._fail("too-deep", event, f"nested more than {MAXIMUM_DEPTH} levels deep")
        self._check_tag(event)
        if event.anchor is not None:
            self.anchors[event.anchor] = None
        self.stack.append(_Open(event))

    def _close(self, event: Event) -> None:
        frame = self.stack.pop()
        is_mapping = isinstance(frame.event, MappingStartEvent)
        span = self._collection_span(frame, event)
        flow = bool(frame.event.flow_style)
        node = self._mapping(frame.nodes, flow, span) if is_mapping else self._sequence(frame.nodes, flow, span)
        anchor = _Anchor(node, frame.size, frame.aliases, frame.height)
        self._finish(node, frame.event.anchor, anchor)

    def _finish(self, node: Node, name: str | None, anchor: _Anchor) -> None:
        """Give a finished node to the collection that it stands in."""
        if name is not None:
            self.anchors[name] = anchor
        if not self.stack:
            self.root = node
            return
        frame = self.stack[-1]
        frame.nodes.append(node)
        frame.size += anchor.size
        frame.aliases += anchor.aliases
        frame.height = max(frame.height, anchor.height + 1)

    def _alias(self, event: AliasEvent) -> None:
        name = event.anchor or ""
        if name not in self.anchors:
            self._fail("undefined-alias", event, f"`*{name[:60]}` is an alias, and no anchor has that name")
        anchor = self.anchors[name]
        if anchor is None:
            self._fail("recursive-alias", event, f"`*{name[:60]}` stands inside what it repeats")
        if len(self.stack) + anchor.height > MAXIMUM_DEPTH:
            self._fail("too-deep", event, f"with this alias, nested more than {MAXIMUM_DEPTH} levels deep")
        self._finish(anchor.node, None, _Anchor(anchor.node, anchor.size, anchor.aliases + 1, anchor.height))
        frame = self.stack[-1]
        if frame.aliases > MAXIMUM_ALIASES or frame.size > MAXIMUM_EXPANDED:
            self._fail(
                "too-many-aliases", event, f"aliases repeat too much: at most {MAXIMUM_ALIASES:,} may be expanded"
            )

    def _scalar(self, event: ScalarEvent) -> Scalar:
        start, end = self._start(event), self._place(event)[1]
        style = Style(event.style or "")
        if event.tag is not None and not style.value and not event.value:
            first, last = self._place(event)
            tag = _TAG.search(self.source.text, first, last)
            if tag:  # `!open(door)` is all tag: what was meant as a value stands in it
                return joined(self.source, tag.start() + 1, tag.end())
        if style.is_block:
            end = start + len(self.source.text[start:end].rstrip())
        return Scalar(Span(self.source, min(start, end), end), event.value, style)

    def _sequence(self, nodes: list[Node], flow: bool, span: Span) -> Node:
        return Sequence(span, tuple(repair_items(nodes, self.report) if flow else nodes), flow)

    def _mapping(self, nodes: list[Node], flow: bool, span: Span) -> Node:
        entries = [Entry(key, value) for key, value in zip(nodes[::2], nodes[1::2], strict=True)]
        bare: list[Node] = []
        if flow:
            entries, bare = repair_entries(entries, self.report)
        mapping = Mapping(span, tuple(self._unique(entries)), flow, tuple(bare))
        return mapping if flow and self.source.text[span.start] == "{" else repair_mapping(mapping, self.report)

    def _unique(self, entries: list[Entry]) -> Iterator[Entry]:
        """The entries without those whose key has come before, and without merge keys."""
        seen: dict[str, Node] = {}
        merged: list[Entry] = []
        for entry in entries:
            name, span = entry.name, entry.key.span
            if name == "<<" and span.text == "<<":
                self.report.error(
                    "merge-key", span, "merge keys `<<` are not part of YAML 1.2", help="write the keys out"
                )
                merged += entry.value.entries if isinstance(entry.value, Mapping) else ()
            elif name is not None and name in seen:
                related = (Related(seen[name].span, "first here"),)
                self.report.error(
                    "duplicate-key", span, f"the key `{name[:60]}` stands twice in one map", related=related
                )
            else:
                if name is not None:
                    seen[name] = entry.key
                yield entry
        yield from (entry for entry in merged if entry.name not in seen)  # so that what was meant is not missing as well

    def _collection_span(self, frame: _Open, end: Event) -> Span:
        if frame.event.flow_style:
            return Span(self.source, self._start(frame.event), self._place(end)[1])
        start = self._start(frame.event)
        last = max((node.span.end for node in frame.nodes), default=start)
        return Span(self.source, start, min(max(start, last), self._place(end)[1]))

    def _start(self, event: NodeEvent) -> int:
        """Where a node starts, an anchor and tag in front of it left out."""
        start, end = self._place(event)
        if event.anchor is None and getattr(event, "tag", None) is None:
            return start
        properties = _PROPERTIES.match(self.source.text, start)
        return min(properties.end(), end) if properties and end > start else start

    def _check_tag(self, event: ScalarEvent | CollectionStartEvent) -> None:
        if event.tag is not None:
            start = self._place(event)[0]
            tag = _TAG.search(self.source.text, start)
            self.report.error(
                "yaml-tag",
                Span(self.source, *(tag.span() if tag else (start, start + 1))),
                "a `!` at the start of a value is a YAML tag, which specs do not have",
                help="quote the text if the `!` belongs to it; in an expression write `not`",
            )

    def _explain(self, error: yaml.YAMLError) -> None:
        """Report what libyaml stumbled over."""
        stopped = getattr(error, "problem_mark", None)
        opened = getattr(error, "context_mark", None) or stopped
        offset = self.base + (stopped.index if stopped else 0)
        start = self.base + (opened.index if opened else 0)
        problem = getattr(error, "problem", None) or str(error)
        found = Report()
        report_yaml_error(problem, offset, start, self.source, found)
        for diagnostic in found.items:
            span = diagnostic.span
            self.report.items[:] = [item for item in self.report.items if not _is_inside(item.span, span)]
            self.report.add(diagnostic)

    def _place(self, event: Event) -> tuple[int, int]:
        """Where libyaml says that an event starts and ends, as offsets in the file."""
        assert event.start_mark is not None
        assert event.end_mark is not None
        return self.base + event.start_mark.index, self.base + event.end_mark.index

    def _fail(self, code: str, event: Event, message: str) -> NoReturn:
        start, end = self._place(event)
        self.report.error(code, Span(self.source, start, max(start, end)), message)
        raise _UnusableError


def _events(text: str) -> Iterator[Event]:
    yield from yaml.parse(text, Loader=yaml.CSafeLoader)


def _is_inside(inner: Span, outer: Span) -> bool:
    return inner.source is outer.source and outer.start <= inner.start and inner.end <= outer.end


def _is_readable(source: SourceFile, report: Report) -> bool:
    """Whether a text may be given to libyaml: neither too large nor with characters that YAML does not know."""
    if len(source.text) > MAXIMUM_CHARACTERS:
        report.error("file-too-large", Span(source, 0, 0), "this file is larger than 4 MiB")
        return False
    text = source.text
    found = _UNREADABLE.search(text, 1 if text.startswith(_BYTE_ORDER_MARK) else 0)
    if found:
        number = ord(found.group())
        span = Span(source, found.start(), found.end())
        report.error("bad-character", span, f"the character U+{number:04X} can't stand in a spec")
        return False
    return True
