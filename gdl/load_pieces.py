"""Attributes, variables and kinds of pieces: nodes → `model.Attribute`, `model.Variable`, `model.Kind`."""

from __future__ import annotations

from gdl import ast
from gdl.forms import ATTRIBUTE, KIND, VARIABLE, VISIBLE_WORDS
from gdl.load_context import Context, Fields, empty_keys, named_entries, read_form
from gdl.load_tables import Columns, load_rows, load_table
from gdl.load_values import (
    load_condition_or_word,
    load_declared,
    load_expression,
    load_flag,
    load_name,
    load_names,
    load_template,
    load_type,
    load_types,
)
from gdl.model import Attribute, Kind, Row, Variable
from gdl.yaml_nodes import Entry, Node, Scalar


def load_kinds(node: Node, context: Context) -> tuple[Kind, ...]:
    """The section `pieces`."""
    kinds = (_kind(entry, context) for entry in named_entries(node, "a kind of pieces", context, KIND))
    return tuple(kind for kind in kinds if kind)


def load_attributes(node: Node, context: Context) -> tuple[Attribute, ...]:
    """`attributes:` of a kind or zone."""
    attributes = (_attribute(entry, context) for entry in named_entries(node, "an attribute", context))
    return tuple(attribute for attribute in attributes if attribute)


def load_variables(node: Node, context: Context) -> tuple[Variable, ...]:
    """`variables:` of the spec, a kind, a zone, edges or parts."""
    variables = (_variable(entry, context) for entry in named_entries(node, "a variable", context))
    empty = (_of_unknown_type(key, context) for key in empty_keys(node))
    return tuple(variable for variable in (*variables, *empty) if variable)


def _of_unknown_type(key: Node, context: Context) -> Variable | None:
    """A variable for whose type nothing is written, which has been reported."""
    name = load_name(key, context)
    return Variable(name.name, name.span, ast.InvalidType(key.span)) if name else None


def effect_columns(attributes: tuple[Attribute, ...]) -> Columns:
    """Which columns of a table hold steps."""
    effects = (a.name for a in attributes if isinstance(a.type, ast.TypeName) and a.type.name == "effect")
    return Columns(frozenset(effects))


def load_row_source(fields: Fields, columns: Columns) -> tuple[Row, ...] | None:
    """The rows of `table:` or `rows:`, none if neither is there."""
    context = fields.context
    table = fields.node_of("table")
    if table is not None:
        return load_table(table, columns, context)
    rows = fields.node_of("rows") if fields.form.key("rows") else None
    return load_rows(rows, columns, context) if rows is not None else None


def _kind(entry: Entry, context: Context) -> Kind | None:
    name = load_name(entry.key, context)
    fields = read_form(entry.value, KIND, context, entry.key.span)
    if name is None or fields is None:
        return None
    attributes = fields.read_all("attributes", load_attributes)
    back = fields.read("back", load_name)
    return Kind(
        name.name,
        name.span,
        per=fields.read_all("per", load_types),
        count=fields.read("count", load_expression),
        at=fields.read("at", load_expression),
        faces=fields.read("faces", load_expression),
        attributes=attributes,
        variables=fields.read_all("variables", load_variables),
        each=fields.read_all("each", _each),
        rows=load_row_source(fields, effect_columns(attributes)),
        label=fields.read("label", load_template),
        back=back.name if back else None,
        any_of=fields.read_all("any_of", load_names),
        when=fields.read("when", load_expression),
    )


def _each(node: Node, context: Context) -> tuple[tuple[ast.Name, ast.Expression], ...]:
    result: list[tuple[ast.Name, ast.Expression]] = []
    for entry in named_entries(node, "an attribute", context):
        name = load_name(entry.key, context)
        value = load_expression(entry.value, context)
        if name:
            result.append((name, value))
    return tuple(result)


def _attribute(entry: Entry, context: Context) -> Attribute | None:
    name = load_name(entry.key, context)
    if isinstance(entry.value, Scalar):
        declared = load_declared(entry.value, context)
        return Attribute(name.name, name.span, declared.type, declared.default) if name else None
    fields = read_form(entry.value, ATTRIBUTE, context, entry.key.span)
    if name is None or fields is None:
        return None
    type_ = fields.read("type", load_type) or ast.InvalidType(entry.key.span)
    default = fields.read("default", load_expression)
    return Attribute(name.name, name.span, type_, default, fields.read("per", load_type))


def _variable(entry: Entry, context: Context) -> Variable | None:
    name = load_name(entry.key, context)
    if isinstance(entry.value, Scalar):
        declared = load_declared(entry.value, context)
        return Variable(name.name, name.span, declared.type, declared.default) if name else None
    fields = read_form(entry.value, VARIABLE, context, entry.key.span)
    if name is None or fields is None:
        return _of_unknown_type(entry.key, context) if name else None
    return Variable(
        name.name,
        name.span,
        fields.read("type", load_type) or ast.InvalidType(entry.key.span),
        start=fields.read("start", load_expression),
        per=fields.read_all("per", load_types),
        clamp=fields.read("clamp", load_flag) or False,
        visible=fields.read("visible", _visible),
        visible_span=fields.value_span("visible"),
        when=fields.read("when", load_expression),
    )


def _visible(node: Node, context: Context) -> ast.Expression | str:
    return load_condition_or_word(node, VISIBLE_WORDS, context)
