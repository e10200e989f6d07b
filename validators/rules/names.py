"""Names that mean something else than they seem to."""

from __future__ import annotations

from collections.abc import Iterator

from gdl import typed
from gdl.dependence import Node, children
from gdl.diagnostics import Related, Severity
from gdl.typed import TExpression
from gdl.validators.places import element_of
from gdl.validators.rule import Finding, Rule
from gdl.validators.rules.examples import example
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
)
