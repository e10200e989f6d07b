"""What YAML cut apart: finds it, says so, and puts the pieces together again so that reading can go on.

Inside `{…}` and `[…]` YAML ends a value at a comma, and everywhere it starts a map at a colon with a blank behind it.
An expression that holds one of these arrives in pieces; a bracket or quotation mark that is left open in one piece
and closed in a later one gives it away, and so does a key of `{…}` without a value.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import takewhile

from attrs import define

from gdl.diagnostics import Report
from gdl.source import Span
from gdl.yaml_tree import Entry, Mapping, Mended, Node, Scalar, Sequence, Style, joined

_MOST_PIECES = 20
_LONGEST_EXPRESSION = 2_000
_OPENING = "([{"
_CLOSING = ")]}"


def repair_items(items: list[Node], report: Report) -> list[Node]:
    """Join the items of a flow sequence that were one expression."""
    result: list[Node] = []
    index = 0
    while index < len(items):
        following = items[index + 1 : index + 1 + _MOST_PIECES]
        last = _closing(items[index], following) or _behind_quotes(items[index], following)
        if last is None:
            result.append(items[index])
            index += 1
        else:
            result.append(_whole(items[index], last, report))
            index += 1
            while items[index - 1] is not last:
                index += 1
    return result


def repair_entries(entries: list[Entry], report: Report) -> tuple[list[Entry], list[Node]]:
    """Join the entries of a flow mapping that were one expression, and take out the keys without a value, which come second."""
    result: list[Entry] = []
    bare: list[Node] = []
    index = 0
    while index < len(entries):
        entry, index = _whole_key(entries, index, report)
        if _is_bare(entry):
            _report_bare(entry, report)
            bare.append(entry.key)
            continue
        taken = _cut_value(entry, entries, index)
        if taken > index:
            pieces = (entry.value, *(_end(later) for later in entries[index:taken]))
            if all(isinstance(piece, Scalar) and piece.value.isdecimal() for piece in pieces):
                span = entry.value.span.to(pieces[-1].span)
                _report_list(span, report)
                whole: Node = Sequence(span, pieces, flow=True)
            else:
                whole = _whole(entry.value, pieces[-1], report)
            entry, index = Entry(entry.key, whole), taken
        result.append(entry)
    return result, bare


def repair_mapping(mapping: Mapping, report: Report) -> Node:
    """A map of one entry that was an expression with a colon inside, such as `f({2: 6}[n])`, becomes text again."""
    if len(mapping.entries) != 1:
        return mapping
    entry = mapping.entries[0]
    last = _end(entry)
    if not is_open(entry.key) or _is_nested(last):
        return mapping
    whole = _join(entry.key, last)
    if is_open(whole):
        return mapping
    report_split(whole.span, "colon", report)
    return whole


def is_open(node: Node) -> bool:
    """Whether a plain scalar leaves a bracket or a quotation mark open."""
    if not isinstance(node, Scalar) or node.style is not Style.PLAIN:
        return False
    scan = _Scan()
    scan.feed(node.value)
    return scan.is_open


@define
class _Scan:
    """Goes through text and knows how many brackets and which quotation mark are open."""

    depth: int = 0
    quote: str = ""
    before: str = " "

    @property
    def is_open(self) -> bool:
        return self.depth > 0 or bool(self.quote)

    def feed(self, text: str) -> None:
        """Go on with some text. An apostrophe inside a word opens nothing."""
        for character in text:
            if self.quote:
                self.quote = "" if character == self.quote else self.quote
            elif character in "\"'" and not (self.before.isalnum() or self.before == "_"):
                self.quote = character
            elif character in _OPENING:
                self.depth += 1
            elif character in _CLOSING:
                self.depth -= 1
            self.before = character


def quoted(text: str) -> str:
    """The text as a quoted YAML scalar."""
    text = " ".join(text.split())
    if '"' not in text and "\\" not in text:
        return f'"{text}"'
    return "'" + text.replace("'", "''") + "'"


def report_split(span: Span, at: str, report: Report) -> None:
    """The one message about text that was cut apart."""
    suggestion = quoted(span.text)
    report.error(
        "split-by-yaml",
        span,
        f"YAML split this expression at the {at}: quote it, or write it on a line of its own",
        label=f"cut at the {at}",
        help=f"write `{suggestion}`",
        suggestion=suggestion,
    )


def _report_list(span: Span, report: Report) -> None:
    """The one message about numbers with commas between them that are a list without its brackets."""
    suggestion = f"[{span.text}]"
    report.error("split-by-yaml", span, "a list stands in brackets, or YAML cuts it at the comma", label="cut at the comma",
                 help=f"write `{suggestion}`", suggestion=suggestion)  # fmt: skip


def _report_bare(entry: Entry, report: Report) -> None:
    key, colon, value = entry.key.span.text.partition(":")
    without_blank = bool(colon) and key.isidentifier() and bool(value)
    suggestion = f"{key}: {value}" if without_blank else None
    report.error(
        "no-value",
        entry.key.span,
        f"`{(entry.name or '')[:60]}` has no value: in `{{…}}` every entry is `key: value`",
        help="a blank belongs behind the colon" if without_blank else "a comma inside `{…}` ends an entry; quote a value that has one",
        suggestion=suggestion,
    )


def _is_bare(entry: Entry) -> bool:
    """Whether this is a key of a flow mapping without colon and value."""
    value = entry.value
    return isinstance(value, Scalar) and value.is_empty and value.span.start == entry.key.span.end


def _whole_key(entries: list[Entry], index: int, report: Report) -> tuple[Entry, int]:
    """The entry at `index`, its key joined with later ones if it was cut, and the index behind it."""
    entry = entries[index]
    last = (
        _closing(entry.key, (later.key for later in entries[index + 1 : index + 1 + _MOST_PIECES]))
        if _is_bare(entry)
        else None
    )
    if last is None:
        return entry, index + 1
    whole = _join(entry.key, last)
    report_split(whole.span, "comma", report)
    while entries[index].key is not last:
        index += 1
    return Entry(whole, entries[index].value), index + 1


def _cut_value(entry: Entry, entries: list[Entry], index: int) -> int:
    """The index behind the last entry that belongs to the value of `entry`; `index` if it was not cut."""
    value = entry.value
    taken = index
    if _is_quoted(value):
        last = _behind_quotes(value, [later.key for later in takewhile(_is_bare, entries[index : index + _MOST_PIECES])])
        while last is not None and entries[taken].key is not last:
            taken += 1
        return taken + (last is not None)
    if not isinstance(value, Scalar) or value.style is not Style.PLAIN or value.is_empty:
        return index
    if is_open(value):
        last = _closing(value, (_end(later) for later in entries[index : index + _MOST_PIECES]))
        while last is not None and _end(entries[taken]) is not last:
            taken += 1
        taken += last is not None
    while taken < len(entries) and (behind := _behind_bare(entries, taken)) is not None:
        taken = behind
    return taken


def _behind_bare(entries: list[Entry], index: int) -> int | None:
    """The index behind a key without value, or behind the pieces of one; none if there is a value in the end.

    A single word is no piece of an expression but a key whose value was forgotten.
    """
    if not _is_bare(entries[index]) or (entries[index].name or "").isidentifier():
        return None
    key = entries[index].key
    last = _closing(key, (later.key for later in entries[index + 1 : index + 1 + _MOST_PIECES])) or key
    while entries[index].key is not last:
        index += 1
    return index + 1 if _is_bare(entries[index]) else None


def _closing(first: Node, following: Iterable[Node]) -> Node | None:
    """The item that closes what the first one leaves open, if it comes soon."""
    if not is_open(first):
        return None
    text, start, end = first.span.source.text, first.span.start, first.span.start
    scan = _Scan()
    for item in (first, *following):
        if not end <= item.span.end <= start + _LONGEST_EXPRESSION:
            return None
        scan.feed(text[end : item.span.end])
        end = item.span.end
        if not scan.is_open:
            return item
    return None


def _is_quoted(node: Node) -> bool:
    return isinstance(node, Scalar) and node.style in (Style.SINGLE, Style.DOUBLE)


def _behind_quotes(first: Node, following: Iterable[Node]) -> Node | None:
    """The item that closes the brackets which a quoted text leaves open, if its quotation mark closed too early: `"f(a", b)`."""
    if not isinstance(first, Scalar) or not _is_quoted(first) or not any(map(str.isalnum, first.value)):
        return None
    scan = _Scan()
    scan.feed(first.value)
    if not scan.depth > 0 or scan.quote:
        return None
    end = first.span.end
    for item in following:
        is_plain = isinstance(item, Scalar) and item.style is Style.PLAIN
        if not is_plain or not end <= item.span.end <= first.span.start + _LONGEST_EXPRESSION:
            return None
        scan.feed(first.span.source.text[end : item.span.end])
        end = item.span.end
        if not scan.is_open:
            return item
    return None


def _whole(first: Node, last: Node, report: Report) -> Scalar:
    """The text from a piece to the last one of it, which is reported."""
    if not isinstance(first, Scalar) or not _is_quoted(first):
        whole = _join(first, last)
        report_split(whole.span, "comma", report)
        return whole
    span = first.span.to(last.span)
    rest = Span(span.source, first.span.end, last.span.end)
    text = first.text
    offsets = (*(text.span(n, n + 1).start for n in range(len(first.value))), *range(rest.start, rest.end + 1))
    mended = Mended(span, first.value + rest.text, first.style, offsets)
    suggestion = quoted(mended.value)
    report.error(
        "split-by-yaml",
        span,
        "the quotation mark closes too early, so YAML split this expression at the comma",
        label="cut at the comma",
        help=f"write `{suggestion}`",
        suggestion=suggestion,
    )
    return mended


def _join(first: Node, last: Node) -> Scalar:
    return joined(first.span.source, first.span.start, last.span.end)


def _end(entry: Entry) -> Node:
    """The last piece of an entry that is written."""
    return entry.key if isinstance(entry.value, Scalar) and entry.value.is_empty else entry.value


def _is_nested(node: Node) -> bool:
    return isinstance(node, Mapping | Sequence) and not node.flow
