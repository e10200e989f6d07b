"""Zones: nodes → `model.Zone` with its geometry, rows, edges and parts."""

from __future__ import annotations

from gdl import ast
from gdl.forms import EDGES, GEOMETRIES, GRAPH, PARTS, VISIBLE_WORDS, ZONE
from gdl.load_context import Context, Fields, is_word, named_entries, read_form, wrong_form, wrong_text
from gdl.load_pieces import effect_columns, load_attributes, load_row_source, load_variables
from gdl.load_tables import Columns, load_spaces
from gdl.load_values import (
    load_condition_or_word,
    load_expression,
    load_expressions,
    load_flag,
    load_name,
    load_names,
    load_template,
    load_types,
)
from gdl.model import Geometry, Parts, Row, Variable, Zone
from gdl.yaml_nodes import Entry, Node, Sequence

_SECRET = "secret"
_PAIR = 2
_PARTS = 4


def load_zones(node: Node, context: Context) -> tuple[Zone, ...]:
    """The section `zones`."""
    zones = (_zone(entry, context) for entry in named_entries(node, "a zone", context, ZONE))
    return tuple(zone for zone in zones if zone)


def _zone(entry: Entry, context: Context) -> Zone | None:
    name = load_name(entry.key, context)
    fields = read_form(entry.value, ZONE, context, entry.key.span)
    if name is None or fields is None:
        return None
    attributes = fields.read_all("attributes", load_attributes)
    visible, secret = fields.read("visible", _visible) or ("all", False)
    adjacency = fields.read("adjacency", load_name)
    return Zone(
        name.name,
        name.span,
        _geometry(fields),
        per=fields.read_all("per", load_types),
        stack=fields.read("stack", load_flag) or False,
        holds=fields.read("holds", load_names),
        visible=visible,
        secret=secret,
        visible_span=fields.value_span("visible"),
        refill=fields.read("refill", load_expression),
        capacity=fields.read("capacity", load_expression),
        attributes=attributes,
        variables=fields.read_all("variables", load_variables),
        rows=_rows(fields, effect_columns(attributes)),
        cells=fields.read("cells", load_expression),
        adjacency=adjacency.name if adjacency else None,
        forward=fields.read_all("forward", load_names),
        label=fields.read("label", load_template),
        parts=fields.read("parts", _parts),
        edge_variables=fields.read_all("edges", _edge_variables),
        has_edges="edges" in fields,
    )


def _rows(fields: Fields, columns: Columns) -> tuple[Row, ...] | None:
    spaces = fields.node_of("spaces")
    if spaces is not None:
        return load_spaces(spaces, columns, fields.context)
    return load_row_source(fields, columns)


def _visible(node: Node, context: Context) -> tuple[ast.Expression | str, bool]:
    """Who sees the pieces, and whether their number is secret as well: `secret`, or `[owner, secret]`."""
    if is_word(node, _SECRET):
        return "none", True
    if not isinstance(node, Sequence):
        return load_condition_or_word(node, VISIBLE_WORDS, context), False
    others = [item for item in node.items if not is_word(item, _SECRET)]
    if len(others) != 1 or len(node.items) != _PAIR:
        wrong_form(node, "`all`, `owner`, `none`, `top` or a condition, with `secret` as second entry", context)
        return "all", False
    return load_condition_or_word(others[0], VISIBLE_WORDS, context), True


# --- geometry ---------------------------------------------------------------------------------------------------------


def _geometry(fields: Fields) -> Geometry:
    """The geometry that the keys of a zone say; `table` alone is one too."""
    kind = next((name for name in GEOMETRIES if name in fields or name in fields.faulty), None)
    if kind is None:
        only_table = "table" in fields
        span = fields.key_span("table") if only_table else fields.node.span
        return Geometry("table" if only_table else "single", span)
    if kind not in fields:
        unknown = ast.Invalid(fields.node.span)
        return Geometry(kind, fields.node.span, sizes=(unknown,) * {"grid": _PAIR, "track": 1, "hex": 1}.get(kind, 0))
    span = fields.key_span(kind)
    match kind:
        case "spaces":
            return Geometry("named", span)
        case "graph":
            return fields.read("graph", _graph) or Geometry("graph", span)
        case "grid":
            return Geometry("grid", span, sizes=fields.read_all("grid", _grid_sizes))
        case "track":
            loop = fields.read("loop", load_flag) or False
            return Geometry("track", span, sizes=fields.read_all("track", _size), loop=loop)
        case _:
            return Geometry("hex", span, sizes=fields.read_all("hex", _size))


def _size(node: Node, context: Context) -> tuple[ast.Expression, ...]:
    return (load_expression(node, context),)


def _grid_sizes(node: Node, context: Context) -> tuple[ast.Expression, ...]:
    sizes = load_expressions(node, context)
    if len(sizes) != _PAIR:
        wrong_text(node.span, "rows and columns, `[6, 7]`", context)
        return (ast.Invalid(node.span), ast.Invalid(node.span))
    return sizes


def _graph(node: Node, context: Context) -> Geometry | None:
    fields = read_form(node, GRAPH, context)
    if fields is None:
        return None
    nodes = fields.read_all("nodes", load_names)
    return Geometry("graph", node.span, nodes=nodes, edges=fields.read_all("edges", _graph_edges))


def _graph_edges(node: Node, context: Context) -> tuple[tuple[ast.Name, ast.Name], ...]:
    result: list[tuple[ast.Name, ast.Name]] = []
    for item in node.items if isinstance(node, Sequence) else ():
        names = load_names(item, context) if isinstance(item, Sequence) else ()
        if len(names) == _PAIR:
            result.append((names[0], names[1]))
        elif not isinstance(item, Sequence) or len(item.items) != _PAIR:
            wrong_form(item, "a pair of names, `[a, b]`", context)
    return tuple(result)


# --- edges and parts --------------------------------------------------------------------------------------------------


def _edge_variables(node: Node, context: Context) -> tuple[Variable, ...]:
    fields = read_form(node, EDGES, context)
    return fields.read_all("variables", load_variables) if fields else ()


def _parts(node: Node, context: Context) -> Parts | None:
    fields = read_form(node, PARTS, context)
    if fields is None:
        return None
    names = fields.read_all("names", load_names)
    written = fields.node_of("names")
    if isinstance(written, Sequence) and len(written.items) != _PARTS:
        wrong_text(written.span, "the names of four parts, from the north side clockwise", context)
    return Parts(
        node.span,
        names=names,
        variables=fields.read_all("variables", load_variables),
        holds=fields.read("holds", load_names),
        legend=fields.read_all("legend", _legend),
    )


def _legend(node: Node, context: Context) -> tuple[tuple[ast.Text, tuple[ast.Name, ...]], ...]:
    entries = named_entries(node, "a character", context)
    return tuple((ast.Text(e.key.span, e.name or ""), load_names(e.value, context)) for e in entries)
