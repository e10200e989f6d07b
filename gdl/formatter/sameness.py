"""Two texts of a file → where they do not say the same. What the formatter writes has to pass this."""

from __future__ import annotations

from typing import Final

from attrs import has

from gdl.diagnostics import Report
from gdl.expression_parser import holes
from gdl.expression_scan import scan
from gdl.formatter.spots import Spots, spots_of
from gdl.load_files import no_files
from gdl.loader import load_declarations
from gdl.nodes import names_of
from gdl.source import Fragment, SourceFile, Span
from gdl.yaml_nodes import Mapping, Node, Scalar, Sequence, Style, parse_yaml

_QUOTED: Final = (Style.SINGLE, Style.DOUBLE)


def difference(spots: Spots, before: Node, after: SourceFile, *, scenarios: bool) -> Span | None:
    """Where in the old text something begins that the new one says otherwise; none if both say the same.

    Both have the same tree, whose scalars are the same but for blanks and comments in expressions; and a spec declares the same.
    """
    report = Report()
    root = parse_yaml(after, report)
    start = Span(spots.source, 0, 0)
    if root is None or report.has_errors:
        return start
    found = _different_node(spots, spots_of(after, scenarios=scenarios), before, root)
    if found is not None:
        return found.span
    if not scenarios and not _is_alike(_declared(spots.source), _declared(after)):
        return start
    return None


def _declared(source: SourceFile) -> object:
    """All that a spec declares, and what is wrong with it."""
    report = Report()
    declarations = load_declarations(source, no_files, report)
    return declarations, tuple(item.code for item in report.items)


# --- trees ------------------------------------------------------------------------------------------------------------


def _different_node(spots: Spots, others: Spots, one: Node, other: Node) -> Node | None:
    """The first node of a tree that differs from its partner in another one."""
    match one, other:
        case Scalar(), Scalar():
            return None if _says(spots, one) == _says(others, other) else one
        case Sequence(), Sequence() if len(one.items) == len(other.items):
            pairs = list(zip(one.items, other.items, strict=True))
        case Mapping(), Mapping() if len(one.entries) == len(other.entries):
            entries = zip(one.entries, other.entries, strict=True)
            pairs = [pair for a, b in entries for pair in ((a.key, b.key), (a.value, b.value))]
        case _:
            return one
    return next((found for a, b in pairs if (found := _different_node(spots, others, a, b)) is not None), None)


def _says(spots: Spots, node: Scalar) -> object:
    """What a scalar says: how it is quoted counts no more than that it is."""
    style = Style.DOUBLE if node.style in _QUOTED else node.style
    if not spots.stretches(node):
        return style, node.value
    if not spots.is_text(node):
        return style, _words(node.fragment.text)
    said: list[object] = []
    place = 0
    for start, end in holes(node.value):
        said += [node.value[place:start], _words(node.value[start:end])]
        place = end
    return style, (*said, node.value[place:])


def _words(text: str) -> tuple[tuple[str, str], ...]:
    return tuple((word.kind, word.text) for word in scan(text))


# --- declarations -----------------------------------------------------------------------------------------------------


def _is_alike(one: object, other: object) -> bool:
    """Whether two values are the same, wherever they stand."""
    if type(one) is not type(other):
        return False
    match one, other:
        case (Span(), _) | (SourceFile(), _):
            return True
        case Fragment(), Fragment():
            return _words(one.text) == _words(other.text)
        case Scalar(), Scalar():
            return one.value == other.value
        case tuple(), tuple():
            return len(one) == len(other) and all(map(_is_alike, one, other))
        case _ if has(type(one)):
            return all(_is_alike(getattr(one, name), getattr(other, name)) for name in names_of(type(one)))
        case _:
            return one == other
