"""Texts with holes (log lines, labels, prompts) → Python text.

What may depend on something hidden becomes a `Hole`, which is read for each seat; all else is a string at once.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from gdl import typed
from gdl.interpreter.emit import Emitter
from gdl.typed import TExpression, TTemplate
from gdl.walk import nodes_of


def emit_parts(emitter: Emitter, template: TTemplate) -> str:
    """The parts of a template as a tuple, in the scope of the emitter."""
    return _tuple(repr(part) if isinstance(part, str) else _part(emitter, part) for part in template.parts)


def _part(emitter: Emitter, node: TExpression) -> str:
    type_ = emitter.module.constant(node.type, "Y")
    sources = emitter.secrecy.sources(node)
    if not sources:
        return f"shown({emitter.expr(node)}, {type_})"
    emitter.reads_state = True
    everything: Sequence[TExpression] = [*sources.pieces, *sources.variables, *sources.spaces]
    opaque = sources.opaque or not all(_in_scope(emitter, each) for each in everything)
    pieces = cells = spaces = "()"
    if not opaque:
        pieces = _tuple(emitter.expr(piece) for piece in sources.pieces)
        cells = _tuple(emitter.variable_place(value) for value in sources.variables)
        spaces = _tuple(emitter.expr(space) for space in sources.spaces)
    return f"hole({emitter.expr(node)}, {type_}, lambda: {pieces}, lambda: {cells}, lambda: {spaces}, {opaque})"


def _in_scope(emitter: Emitter, node: Any) -> bool:
    """Whether the locals of an expression, other than those that it binds itself, have values here."""
    nodes = list(nodes_of(node))
    own = {n.local for n in nodes if isinstance(n, typed.EachBody | typed.ListOperator)}
    return all(n.local in own or n.local in emitter.locals or n.local in emitter.known for n in nodes if isinstance(n, typed.LocalValue))


def _tuple(texts: Iterable[str]) -> str:
    return f"({''.join(text + ', ' for text in texts)})"
