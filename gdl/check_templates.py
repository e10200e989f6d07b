"""Templates: text with holes, whose expressions are checked where they stand."""

from __future__ import annotations

from gdl import ast, typed
from gdl.check_expressions import check_expression
from gdl.check_scope import Context, Scope
from gdl.typed import TTemplate


def check_template(ctx: Context, scope: Scope, node: ast.Template) -> TTemplate:
    """The template with its holes checked; a value of any type can be shown."""
    parts: list[str | typed.TExpression] = []
    for part in node.parts:
        parts.append(part if isinstance(part, str) else check_expression(ctx, scope, part))
    return TTemplate(node.span, tuple(parts), node)
