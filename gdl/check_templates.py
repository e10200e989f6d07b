"""Templates: text with holes, whose expressions are checked where they stand."""

from __future__ import annotations

from gdl import ast
from gdl.check_scope import Context, Scope
from gdl.typed import TTemplate


def check_template(ctx: Context, scope: Scope, node: ast.Template) -> TTemplate:
    """The template with its holes checked; a value of any type can be shown."""
    parts = tuple(part if isinstance(part, str) else ctx.expression(scope, part) for part in node.parts)
    return TTemplate(node.span, parts, node)
