"""A file's nodes → which of its scalars are expressions, and which texts have holes with expressions in them.

What a text is, the loader knows; so it reads the file, and the syntax trees that come out say by their places what was parsed. A file is
looked at alone, without includes and tables: how it is formatted depends on nothing else. What does not parse is left alone.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from typing import Final

from attrs import Factory, define, has

from gdl import ast
from gdl.diagnostics import Report
from gdl.expression_parser import holes, parse_expression
from gdl.interpreter.scenario_loading import Judged, load_scenarios
from gdl.load_files import Unreadable, no_files
from gdl.loader import load_declarations
from gdl.nodes import names_of
from gdl.source import SourceFile
from gdl.yaml_nodes import Mapping, Node, Scalar, Sequence, Style

Stretch = tuple[int, int]

_WHOLE: Final = (
    ast.Expression,
    ast.TypeExpression,
    ast.Declared,
    ast.Signature,
    ast.Binder,
    ast.Binding,
    ast.Assign,
    ast.Do,
)
"""What is written in one scalar."""


@define
class Spots:
    """Places in a file: where syntax trees start, where something does not parse, where texts with holes start."""

    source: SourceFile
    starts: list[int] = Factory(list)
    invalid: set[int] = Factory(set)
    texts: set[int] = Factory(set)
    paths: list[str] = Factory(list)

    @property
    def reads(self) -> tuple[str, ...]:
        """The paths of the files that the file names, as it writes them."""
        return tuple(dict.fromkeys(self.paths))

    def note_path(self, path: str) -> Unreadable:
        """A reader of files that reads none."""
        self.paths.append(path)
        return no_files(path)

    def is_text(self, scalar: Scalar) -> bool:
        """Whether a scalar is text with holes, no expression."""
        return scalar.inside.start in self.texts

    def stretches(self, scalar: Scalar) -> tuple[Stretch, ...]:
        """The expressions in a scalar, from place to place. A quoted one with escapes is left alone, as is a text of several lines."""
        inside = scalar.inside
        if not scalar.style.is_block and scalar.style is not Style.PLAIN and inside.text != scalar.value:
            return ()
        if self.is_text(scalar):
            return tuple((inside.start + start, inside.start + end) for start, end in holes(inside.text)) if "\n" not in inside.text else ()
        place = bisect_left(self.starts, inside.start)
        if place == len(self.starts) or self.starts[place] >= inside.end or not self.invalid.isdisjoint((scalar.span.start, inside.start)):
            return ()
        return ((scalar.fragment.span(0, 0).start, inside.end),)

    def take(self, value: object) -> None:
        """Note what a declaration or tree was parsed from."""
        match value:
            case tuple():
                for item in value:
                    self.take(item)
            case ast.PlaceStep():
                self._take_place(value)
            case ast.Template():
                self.texts.add(value.span.start)
            case ast.Invalid() | ast.InvalidType():
                self.invalid.add(value.span.start)
            case Node() | SourceFile():
                pass
            case _ if has(type(value)):
                if isinstance(value, _WHOLE):
                    self.starts.append(value.span.start)
                for name in names_of(type(value)):
                    self.take(getattr(value, name))

    def _take_place(self, step: ast.PlaceStep) -> None:
        """A diagram's characters are no expressions, though they may look so."""
        for zone, _ in step.rows:
            self.take(zone)
        for _, meaning in step.legend:
            self.take(meaning)


def spots_of(source: SourceFile, *, scenarios: bool) -> Spots:
    """What of a file is an expression: a spec or what specs include, or a file of scenarios."""
    spots = Spots(source)
    if scenarios:
        _take_scenarios(spots)
    else:
        spots.take(load_declarations(source, spots.note_path, Report()))
    spots.starts.sort()
    return spots


def _take_scenarios(spots: Spots) -> None:
    """The conditions of `expect` and the values of `set` are expressions. Moves and outcomes are texts of their own kind."""
    file = load_scenarios(spots.source, Report())
    for scenario in file.tests if file is not None else ():
        for judged in (scenario.judged, *(line.judged for line in scenario.lines)):
            _take_judged(spots, judged)
        for entry in scenario.given.values if scenario.given is not None else ():
            _take_nodes(spots, entry.value)


def _take_judged(spots: Spots, judged: Judged) -> None:
    for node in judged.expect:
        _take_nodes(spots, node)


def _take_nodes(spots: Spots, node: Node) -> None:
    for scalar in scalars(node):
        if not scalar.is_empty:
            spots.take(parse_expression(scalar.fragment, Report()))


def scalars(node: Node | None) -> Iterator[Scalar]:
    """The scalars of a tree, in order of writing; what an alias repeats comes again."""
    match node:
        case Scalar():
            yield node
        case Sequence():
            for item in node.items:
                yield from scalars(item)
        case Mapping():
            for entry in node.entries:
                yield from scalars(entry.key)
                yield from scalars(entry.value)
