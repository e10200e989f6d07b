"""Texts with holes (log lines, labels, prompts) → Python text.

What may depend on something hidden becomes a `Hole`, which is read for each seat; all else is a string at once.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from gdl import typed, types
from gdl.interpreter.emit import Emitter
from gdl.interpreter.telling import Blank, form_of
from gdl.typed import TExpression, TTemplate
from gdl.walk import nodes_of


def emit_parts(emitter: Emitter, template: TTemplate) -> str:
    """The parts of a template as a tuple, in the scope of the emitter."""
    return _tuple(repr(part) if isinstance(part, str) else _part(emitter, part) for part in template.parts)


def emit_line(emitter: Emitter, template: TTemplate, is_tainted: bool) -> str | None:
    """The form of a log line and the tuple of its values; none if it depends on more than these and on who sees which pieces."""
    parts: list[str | Blank] = []
    values: list[TExpression] = []
    for part in template.parts:
        if isinstance(part, str):
            parts.append(part)
            continue
        sources = emitter.secrecy.sources(part)
        if sources.opaque or sources.variables or sources.spaces or isinstance(types.without_none(part.type), types.ListType):
            return None
        others = [each for each in sources.pieces if each is not part]
        is_piece = isinstance(types.without_none(part.type), types.PieceType)  # of which only counts who sees it
        if others and (is_piece or not all(_is_piece_at_hand(emitter, each) for each in others)):
            return None
        number = len(values)
        values.append(part)
        asked = tuple(range(len(values), len(values) + len(others)))
        values += others
        parts.append(Blank(number, part.type, asked if len(others) == len(sources.pieces) else (number,)))
    form = emitter.module.constant(form_of(parts, is_tainted), "L")
    return f"{form}, {_tuple(emitter.expr(value) for value in values)}"


def _is_piece_at_hand(emitter: Emitter, node: TExpression) -> bool:
    """Whether an expression is a local with one piece, which nothing can go wrong with."""
    is_piece = isinstance(types.without_none(node.type), types.PieceType)
    return is_piece and isinstance(node, typed.LocalValue) and _in_scope(emitter, node)


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
