"""Steps that are written almost right: what was certainly meant is reported, and taken as meant from there on.

`let x = 1` as text, `if: a then b` on one line, and `then:` or `else:` with a dash of its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from gdl import ast
from gdl.diagnostics import Report
from gdl.expression_parser import parse_binding, parse_expression, parse_step
from gdl.forms import STEPS_BY_KEY
from gdl.load_context import Context, is_empty
from gdl.source import Fragment
from gdl.yaml_nodes import Entry, Mapping, Node, Scalar

_LET = re.compile(r"let\s+(?=([A-Za-z_]\w*)\s*=(?!=))", re.ASCII)
_THEN = re.compile(r"\s(then)\s+(?=\S)")
_ELSE = re.compile(r"\s(else)\s+(?=\S)")
_MOST_QUOTED = 60


def rejoined(items: tuple[Node, ...], context: Context) -> Iterator[Node]:
    """The items of a list of steps; one that begins with `then`, `else` or `do` and belongs to the one above is joined to it."""
    waiting: Node | None = None
    for item in items:
        if waiting is not None and (whole := _joined(waiting, item, context)) is not None:
            waiting = whole
            continue
        if waiting is not None:
            yield waiting
        waiting = item
    if waiting is not None:
        yield waiting


def _joined(above: Node, item: Node, context: Context) -> Mapping | None:
    if not isinstance(above, Mapping) or not isinstance(item, Mapping) or not item.entries:
        return None
    leading = next((entry.name for entry in above.entries if entry.name in STEPS_BY_KEY), None)
    names = [entry.name or "" for entry in item.entries]
    if leading is None or any(name in STEPS_BY_KEY or STEPS_BY_KEY[leading].key(name) is None for name in names):
        return None
    if any(above.get(name) is not None for name in names):
        return None
    message = f"`{names[0]}` is no step of its own: it belongs to the `{leading}` above"
    cure = f"leave out its dash, and put it below `{leading}:`"
    context.report.error("not-a-step", item.entries[0].key.span, message, help=cure)
    return Mapping(above.span.to(item.span), (*above.entries, *item.entries), flow=False)


def let_as_text(fragment: Fragment) -> ast.Step | None:
    """What `let x = 1` in one text binds, after it was refused as a step."""
    found = _LET.match(fragment.text)
    if found is None:
        return None
    binding = parse_binding(fragment.part(found.end(), len(fragment.text)), Report())
    if binding is None:
        name = ast.Name(fragment.span(*found.span(1)), found[1])
        binding = ast.Binding(fragment.whole, name, ast.Invalid(fragment.whole))
    return ast.LetStep(fragment.whole, (binding,))


def if_on_one_line(node: Mapping, context: Context) -> ast.Step | None:
    """`if: condition then step` without a key `then`, which is reported; none if this is something else."""
    condition = node.get("if")
    if not isinstance(condition, Scalar) or is_empty(condition) or node.get("then") is not None:
        return None
    fragment = condition.fragment
    then = _THEN.search(fragment.text)
    if then is None or fragment.text.startswith("if ") or any(fragment.text[: then.start()].count(mark) % 2 for mark in "\"'"):
        return None
    otherwise = _ELSE.search(fragment.text, then.end())
    end = otherwise.start() if otherwise else len(fragment.text)
    shown = fragment.text[then.end() : end].strip()
    shown = shown if len(shown) <= _MOST_QUOTED else "…"
    message = "`then` is a key of its own, not part of the condition"
    context.report.error("syntax", fragment.span(*then.span(1)), message, help=f"write `then: {shown}` on the next line, below `if:`")
    parts = [(then.end(), end)] + ([(otherwise.end(), len(fragment.text))] if otherwise else [])
    blocks = [_block(fragment.part(*part), context) for part in parts]
    test = parse_expression(fragment.part(0, then.start()), context.report) or ast.Invalid(fragment.whole)
    return ast.IfStep(node.span, test, blocks[0], blocks[1] if otherwise else None)


def legend_beside(node: Mapping, context: Context) -> Mapping:
    """A `place` step whose `key` was written in the map of its zones, which is reported; any other as it is."""
    place = node.get("place")
    if not isinstance(place, Mapping) or node.get("key") is not None:
        return node
    inside = next((entry for entry in place.entries if entry.name == "key" and isinstance(entry.value, Mapping)), None)
    if inside is None:
        return node
    message = "`key` stands below `place` as if it were a zone; it belongs beside it"
    context.report.error("wrong-form", inside.key.span, message, help="indent it like `place:`")
    zones = Mapping(place.span, tuple(e for e in place.entries if e is not inside), place.flow)
    others = (Entry(e.key, zones) if e.value is place else e for e in node.entries)
    return Mapping(node.span, (*others, inside), node.flow)


def _block(fragment: Fragment, context: Context) -> ast.Block:
    step = parse_step(fragment, context.report)
    return ast.Block(fragment.whole, () if step is None else (step,))
