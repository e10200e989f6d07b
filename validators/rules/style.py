"""How a spec presents itself: its title and source, and how names are written."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any, Final

from gdl import ast, model
from gdl.diagnostics import Severity
from gdl.forms import SPEC
from gdl.nodes import names_of
from gdl.source import Fragment, Span
from gdl.validators.rule import Finding, Rule
from gdl.validators.rules.examples import HEAD, POINTS, example
from gdl.validators.subject import Subject

_SNAKE: Final = re.compile(r"_?[a-z0-9]+(_[a-z0-9]+)*_?")
_TOP_KEY: Final = re.compile(r"^(?P<name>[a-z]+)[ \t]*:(?=\s)", re.MULTILINE)
HEAD_KEYS: Final = ("gdl", "game", "title", "about", "authors", "source", "players", "seats", "include")
"""What a spec says of itself, before its sections. In which order these come is left to their author."""
_SENTENCES: Final[Mapping[type, tuple[tuple[str, ...], tuple[str, ...]]]] = MappingProxyType(
    {
        ast.IfStep: (("if", "then", "else"), ("condition", "then", "otherwise")),
        ast.MatchStep: (("match", "cases", "else"), ("subject", "cases", "otherwise")),
        ast.ForStep: (("for", "do"), ("binder", "body")),
        ast.RepeatStep: (("repeat", "do"), ("count", "body")),
        ast.WhileStep: (("while", "do"), ("condition", "body")),
        ast.AsStep: (("as", "do"), ("player", "body")),
    }
)
_WITHOUT_STEPS: Final = (ast.Expression, ast.TypeExpression, ast.Template, ast.Binder, Fragment, Span, str, int, type(None))
"""Nodes and values that hold no steps: most of a spec."""
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


# --- the order of keys ------------------------------------------------------------------------------------------------


def _misplaced_keys(subject: Subject) -> Iterator[Finding]:
    source = subject.declared.span.source
    order = [key.name for key in SPEC.keys]
    last = ""
    for found in _TOP_KEY.finditer(source.text):
        name = found["name"]
        if name not in order:
            continue
        if name in HEAD_KEYS and last and order.index(name) < order.index(last):
            cure = f"a spec begins with {', '.join(f'`{key}`' for key in HEAD_KEYS)}, as far as it has them, in this order"
            yield Finding(Span(source, *found.span("name")), f"`{name}` stands behind `{last}`", help=cure)
        elif not last or order.index(name) > order.index(last):
            last = name
    for step, keys, parts in _steps_with_keys(subject):
        starts = [part.span.start for part in parts if part.span.source is step.span.source]
        if starts != sorted(starts):
            shown = ", ".join(f"`{key}`" for key in keys)
            yield Finding(parts[0].span, f"`{keys[0]}` does not come first in this step", help=f"write {shown} in this order")


def _steps_with_keys(subject: Subject) -> Iterator[tuple[ast.Step, tuple[str, ...], list[ast.Node]]]:
    """The steps that read as a sentence, with the keys that make it and what stands behind these."""
    for step in _written_steps(subject.declared):
        sentence = _SENTENCES.get(type(step))
        if sentence is None:
            continue
        keys, fields = sentence
        parts = [getattr(step, field) for field in fields]
        nodes = [part[0][0] if isinstance(part, tuple) else part for part in parts if part]
        if all(node.span.start > step.span.start for node in nodes):  # else the step is short for this one
            yield step, keys[: len(nodes)], nodes


def _written_steps(root: object) -> Iterator[ast.Step]:
    """All steps below a declaration, in order of writing; there are none in expressions."""
    todo: list[Any] = [root]
    while todo:
        value = todo.pop()
        if isinstance(value, tuple):
            todo += reversed(value)
        elif not isinstance(value, _WITHOUT_STEPS):
            if isinstance(value, ast.Step):
                yield value
            todo += [getattr(value, name) for name in reversed(names_of(type(value)))]


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
    Rule(
        404,
        "key-order",
        Severity.NOTE,
        "A key in an unusual place",
        "A spec begins with what it says of itself, and a step with the key that it is called by: so one knows what is read before reading "
        "it. `gdl lint --fix` moves such keys where no comments stand between them.",
        example(head=HEAD.replace("source: made up\nplayers: 2\n", "players: 2\nsource: made up\n")),
        example(),
        _misplaced_keys,
    ),
)
