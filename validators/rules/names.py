"""Names that mean something else than they seem to."""

from __future__ import annotations

from collections.abc import Iterator

from gdl import ast, typed, types
from gdl.check_convert import is_single
from gdl.dependence import Node, children
from gdl.diagnostics import Related, Severity
from gdl.typed import TExpression
from gdl.validators.places import element_of
from gdl.validators.rule import Finding, Rule
from gdl.validators.rules.examples import POINTS, example
from gdl.validators.subject import Subject


def _hidden_its(subject: Subject) -> Iterator[Finding]:
    """An `it` inside the body of a list of which nothing else asks for the outer `it`, and which belongs to an inner list."""
    for node in (*subject.nodes(typed.ListOperator), *subject.nodes(typed.BuiltinCall)):
        for local, source, body in element_of(node):
            if local.name != "it" or _first_use(body, local) is not None:
                continue
            inner = _inner(body)
            if inner is not None:
                use, inner_source = inner
                yield Finding(
                    use.span, f"this `it` is an element of `{_short(inner_source)}`, and nothing asks for that of `{_short(source)}`",
                    help="name one of the two: `list as name where …`",
                    related=(Related(source.span, "whose `it` it hides"),),
                )  # fmt: skip


def _short(node: TExpression) -> str:
    text = " ".join(node.span.text.split())
    return text if len(text) <= 30 else f"{text[:30]}…"


def _first_use(node: Node, local: typed.Local) -> Node | None:
    """Where a local is read inside an expression; functions that it calls can't."""
    if isinstance(node, typed.LocalValue):
        return node if node.local is local else None
    return next((use for child in children(node) if (use := _first_use(child, local)) is not None), None)


def _inner(node: Node) -> tuple[typed.LocalValue, TExpression] | None:
    """The first `it` of a list inside an expression, with its list."""
    for local, source, body in element_of(node) if isinstance(node, TExpression) else ():
        use = _first_use(body, local)
        if local.name == "it" and isinstance(use, typed.LocalValue):
            return use, source
    return next((found for child in children(node) if (found := _inner(child)) is not None), None)


_FIELDS = "variables:\n  points: 0..10 = 0\n  coins: {type: 0..9, per: player, start: 0}\n"

def _lists_in_texts(subject: Subject) -> Iterator[Finding]:
    """Holes in texts that are the name of a whole enum, kind or zone, or `players`."""
    spec = subject.spec
    owners: dict[int, typed.KindInfo | typed.ZoneInfo] = {id(kind.label): kind for kind in spec.kinds.values() if kind.label is not None}
    owners |= {id(zone.label): zone for zone in spec.zones.values() if zone.label is not None}
    for template in subject.nodes(typed.TTemplate):
        written = template.source.parts if template.source is not None else ()
        for value, hole in zip(template.parts, written, strict=False):
            if not isinstance(hole, ast.Name) or isinstance(value, str) or not isinstance(value.type, types.ListType):
                continue
            if isinstance(value, typed.KindPieces) and is_single(subject.context, value):
                continue
            found = _collection(subject, hole.name)
            if found:
                cure = _one_of(hole.name, owners.get(id(template)))
                yield Finding(hole.span, f"`{{{hole.name}}}` shows {found}, not one of them", help=cure)


def _collection(subject: Subject, name: str) -> str:
    """What a name stands for, if it is that of many things."""
    if name == "players":
        return "all players"
    if name in subject.spec.enums:
        return f"all values of `{name}`"
    if name in subject.spec.kinds:
        return f"all pieces of `{name}`"
    return f"all spaces of `{name}`" if name in subject.spec.zones else ""


def _one_of(name: str, owner: typed.KindInfo | typed.ZoneInfo | None) -> str:
    if name == "players":
        return "who acts is `{player}`"
    if owner is not None and (name in owner.attributes or name in owner.variables):
        return f"write `{{this.{name}}}`"
    if owner is not None and owner.name == name:
        return "of the one that is shown, write `{this.…}`"
    return "name the one that is meant"


_CARDS = (
    "enums: {{suit: [clubs, hearts]}}\nzones: {{deck: {{}}}}\npieces:\n  card:\n    attributes: {{suit: suit}}\n"
    "    each: {{suit: suit}}\n    at: deck\n    label: 'a card of {{{}}}'\n"
)

RULES = (
    Rule(
        325,
        "hidden-it",
        Severity.WARNING,
        "An `it` that hides another one",
        "Where lists are nested, `it` is the element of the innermost. Here nothing asks for the element of the outer list, so for all of "
        "them the same comes out: the outer one was probably meant, and has to be named with `as`.",
        example(_FIELDS, {"{when: points > 9,": "{when: \"any(players, all(players, it.coins >= points))\","}),
        example(_FIELDS, {"{when: points > 9,": "{when: \"any(players as p, all(players, p.coins >= it.coins + points))\","}),
        _hidden_its,
    ),
    Rule(
        348,
        "list-in-text",
        Severity.WARNING,
        "A text that shows all of something",
        "A hole in a text is the name of an enum, of a kind, of a zone, or `players`: it shows a list of all of them, always the same. "
        "Of the piece or space whose label it is, `this.name` is meant.",
        example(_CARDS.format("suit") + POINTS),
        example(_CARDS.format("this.suit") + POINTS),
        _lists_in_texts,
    ),
)
