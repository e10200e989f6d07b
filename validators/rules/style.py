"""How a spec presents itself: its title and source, and how names are written."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from gdl import model
from gdl.diagnostics import Severity
from gdl.validators.rule import Finding, Rule
from gdl.validators.rules.examples import HEAD, POINTS, example
from gdl.validators.subject import Subject

_SNAKE: Final = re.compile(r"_?[a-z0-9]+(_[a-z0-9]+)*_?")
_SHORT: Final = 2
"""Names of so few letters may be capitals: `A` of a board's column, `X`."""


def _missing_title(subject: Subject) -> Iterator[Finding]:
    if not subject.declared.title:
        yield Finding(subject.declared.span, "this game has no title", help="add `title:`, as it stands on the box")


def _missing_source(subject: Subject) -> Iterator[Finding]:
    if not subject.declared.source:
        yield Finding(subject.declared.span, "nothing says where the rules come from", help="add `source:`, a book, a page or a name")


def _names(subject: Subject) -> Iterator[model.Declaration]:
    """Everything that is declared, but for symbols, seats and rows, whose names are the game's own."""
    declared = subject.declared
    yield from (*declared.options, *declared.enums, *declared.constants, *declared.kinds, *declared.zones, *declared.variables)
    yield from (*declared.functions, *declared.procedures, *declared.actions, *declared.phases, *declared.triggers, *declared.histories)
    for kind in declared.kinds:
        yield from (*kind.attributes, *kind.variables)
    for zone in declared.zones:
        yield from (*zone.attributes, *zone.variables)


def _mixed_names(subject: Subject) -> Iterator[Finding]:
    for declaration in _names(subject):
        name = declaration.name
        if len(name) > _SHORT and not _SNAKE.fullmatch(name):
            better = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()
            yield Finding(declaration.span, f"`{name}` is not written as names are", help=f"write `{better}`, here and where it is used")


RULES = (
    Rule(
        401,
        "no-title",
        Severity.NOTE,
        "A game without a title",
        "Programs and logs call a game by its title; without one they show its identifier.",
        example(head=HEAD.replace("title: Example\n", "")),
        example(),
        _missing_title,
    ),
    Rule(
        402,
        "no-source",
        Severity.NOTE,
        "A spec that does not say where its rules come from",
        "Whoever reads a spec wants to hold it against the rules it was written from.",
        example(head=HEAD.replace("source: made up\n", "")),
        example(),
        _missing_source,
    ),
    Rule(
        403,
        "naming-style",
        Severity.NOTE,
        "A name in another style",
        "Names are small letters, words joined by underscores, as the language's own are. Names of symbols, seats and pieces are the "
        "game's own and may look as they like.",
        example("variables: {pointsMade: 0..10 = 0}\n", {"points += 1": "pointsMade += 1", "points > 9": "pointsMade > 9"}),
        example(POINTS),
        _mixed_names,
    ),
)
