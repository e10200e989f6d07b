"""Expressions: syntax → typed tree.

`check_expression` gives the typed node of whatever type it has; `check_value` gives one of the type that is wanted, converted where
the language converts (a space is its pieces, a kind with one piece is that piece, a list literal is a set where a set is wanted).
"""

from __future__ import annotations

from gdl import ast, typed, types
from gdl.check_calls import check_call
from gdl.check_convert import coerce, element_of, is_single, value_of, with_article
from gdl.check_fields import check_field
from gdl.check_names import check_index, check_name
from gdl.check_scope import Context, Scope, facts_of, facts_of_elements, narrowed
from gdl.check_types import named_type
from gdl.source import Span
from gdl.typed import Local, TExpression
from gdl.types import BOOL, ERROR, INT, ListType, OptionalType, PieceType, SetType, SpaceType, Type
from gdl.values import NONE


def check_value(ctx: Context, scope: Scope, node: ast.Expression, target: Type, what: str = "") -> TExpression:
    """A value of the type `target`; anything else is an error at the node."""
    return coerce(ctx, check_expression(ctx, scope, node, target), target, what)


def check_expression(ctx: Context, scope: Scope, node: ast.Expression, expected: Type | None = None) -> TExpression:
    """A typed expression. `expected` helps to find symbols; it does not force the type."""
    return narrowed(scope, _check(ctx, scope, node, expected))


def _check(ctx: Context, scope: Scope, node: ast.Expression, expected: Type | None) -> TExpression:
    match node:
        case ast.Number(value=number):
            return typed.Constant(node.span, INT, number)
        case ast.Text(value=text):
            return typed.Constant(node.span, types.TEXT, text)
        case ast.Literal(value=None):
            return typed.Constant(node.span, types.NONE, NONE)
        case ast.Literal(value=truth):
            return typed.Constant(node.span, BOOL, int(bool(truth)))
        case ast.Name():
            return check_name(ctx, scope, node, expected)
        case ast.Field():
            return check_field(ctx, scope, node)
        case ast.Index():
            return check_index(ctx, scope, node)
        case ast.Call():
            return check_call(ctx, scope, node, expected)
        case ast.Chain():
            return check_chain(ctx, scope, node, None)
        case ast.If():
            return _check_if(ctx, scope, node, expected)
        case ast.Logic(operator=operator, left=left, right=right):
            first = check_value(ctx, scope, left, BOOL, f"the left of `{operator}`")
            known = facts_of(first, operator == "and")
            second = check_value(ctx, scope.knowing(known), right, BOOL, f"the right of `{operator}`")
            return typed.Both(node.span, BOOL, operator, first, second)
        case ast.Not(operand=operand):
            return typed.Negation(node.span, BOOL, check_value(ctx, scope, operand, BOOL, "what follows `not`"))
        case ast.Compare():
            return _check_compare(ctx, scope, node)
        case ast.Is():
            return _check_is(ctx, scope, node)
        case ast.Coalesce():
            return _check_coalesce(ctx, scope, node, expected)
        case ast.Range(low=low, high=high):
            bounds = [_check_bound(ctx, scope, node, bound) for bound in (low, high)]
            return typed.NumberRange(node.span, ListType(INT), *bounds)
        case ast.Arithmetic():
            return _check_arithmetic(ctx, scope, node, expected)
        case ast.Negate(operand=ast.Number(value=number)):
            return typed.Constant(node.span, INT, -number)
        case ast.Negate(operand=operand):
            return typed.Minus(node.span, INT, check_value(ctx, scope, operand, INT, "what follows `-`"))
        case ast.Invalid():
            return typed.Faulty(node.span, ERROR)
        case ast.ListLiteral():
            return _check_list(ctx, scope, node, expected)
        case ast.TableLiteral():
            return _check_table(ctx, scope, node, expected)
    raise TypeError(f"no such expression: {node!r}")


# --- chains -----------------------------------------------------------------------------------------------------------


def check_chain(ctx: Context, scope: Scope, node: ast.Chain, name: ast.Name | None) -> TExpression:
    """A list and its operators. `name` is the element's own name in a binder (`g in guest where g.at == s`), else none."""
    result = value_of(ctx, check_expression(ctx, scope, node.source), "list")
    word = name
    for link in node.links:
        word = link.binder or word
        result = _check_link(ctx, scope, node, result, link, word)
        if link.operator == "select":
            word = None
    return result


def element_local(ctx: Context, scope: Scope, name: ast.Name | None, type_: Type, span: Span) -> Local:
    """The local that stands for the elements of a list: under the name given, else as `it`."""
    if name is None:
        return Local("it", type_, span)
    hides(ctx, scope, name)
    return Local(name.name, type_, name.span)


def hides(ctx: Context, scope: Scope, name: ast.Name) -> None:
    """Report a local that would hide another name."""
    if scope.find(name.name) is not None:
        ctx.report.error("hidden-name", name.span, f"`{name.name}` already names something here", label="hides it")
    elif name.name in ctx.values or name.name in ("players", "player", "it"):
        related = ()
        ctx.report.error(
            "hidden-name", name.span, f"`{name.name}` is the name of something in this spec already",
            label="a local hides nothing: choose another name", related=related,
        )  # fmt: skip


def _check_link(ctx: Context, scope: Scope, node: ast.Chain, source: TExpression, link: ast.Link, name: ast.Name | None) -> TExpression:
    local = element_local(ctx, scope, name, element_of(source.type), link.span)
    inner = scope.child(local).knowing(facts_of_elements(source, local))
    span = node.source.span.to(link.span)
    if link.operator == "select":
        body = check_expression(ctx, inner, link.body)
        return typed.ListOperator(span, ListType(body.type), "select", source, local, body)
    if link.operator == "by":
        key = value_of(ctx, check_expression(ctx, inner, link.body), "sort key")
        return typed.ListOperator(span, source.type, "by", source, local, key)
    body = check_value(ctx, inner, link.body, BOOL, f"the condition of `{link.operator}`")
    result = source.type
    if link.operator in ("where", "while"):
        kept = facts_of(body, True).get((local,))
        result = ListType(kept) if kept is not None else result
    return typed.ListOperator(span, result, link.operator, source, local, body)


# --- operators --------------------------------------------------------------------------------------------------------


def _check_if(ctx: Context, scope: Scope, node: ast.If, expected: Type | None) -> TExpression:
    condition = check_value(ctx, scope, node.condition, BOOL, "the condition of `if`")
    then = check_expression(ctx, scope.knowing(facts_of(condition, True)), node.then, expected)
    otherwise = check_expression(ctx, scope.knowing(facts_of(condition, False)), node.otherwise, expected or then.type)
    type_ = _joined(ctx, node.span, then, otherwise, "the two branches of `if`")
    then, otherwise = (_to_joined(ctx, x, type_) for x in (then, otherwise))
    return typed.Conditional(node.span, type_, condition, then, otherwise)


def _to_joined(ctx: Context, value: TExpression, type_: Type) -> TExpression:
    return value if types.fits(value.type, type_) else coerce(ctx, value, type_)


def _joined(ctx: Context, span: Span, left: TExpression, right: TExpression, what: str) -> Type:
    type_ = types.join(left.type, right.type)
    if type_ is None:
        type_ = _joined_as_lists(left.type, right.type)
    if type_ is None:
        ctx.report.error("wrong-type", span, f"{what} don't go together: {left.type}, {right.type}")
        return ERROR
    return type_


def _joined_as_lists(left: Type, right: Type) -> Type | None:
    """A space beside a list of pieces is its pieces; a set beside a list is a list."""
    lists = [ListType(element_of(t)) if isinstance(t, SetType) else t for t in (left, right)]
    return types.join(lists[0], lists[1]) if lists != [left, right] else None


def _check_compare(ctx: Context, scope: Scope, node: ast.Compare) -> TExpression:
    if node.operator in ("in", "not in"):
        return _check_membership(ctx, scope, node)
    left, right = _both_sides(ctx, scope, node)
    if node.operator in ("==", "!="):
        left, right = _single(ctx, left, right), _single(ctx, right, left)
        if not types.overlap(left.type, right.type):
            message = f"{with_article(left.type)} is never equal to {with_article(right.type)}"
            ctx.report.error("wrong-type", node.span, message, label="always the same")
        for tested, other in ((left, right), (right, left)):
            if other.type == types.NONE and not isinstance(tested.type, OptionalType) and tested.type not in (ERROR, types.NONE):
                message = f"{with_article(tested.type)} is never none"
                ctx.report.warning("never-none", tested.span, message, label="so the answer is always the same")
        return typed.Comparison(node.span, BOOL, node.operator, left, right)
    left, right = value_of(ctx, left, "value"), value_of(ctx, right, "value")
    order = None
    for side in (left.type, right.type):
        if isinstance(side, types.EnumType):
            order = side.symbols if list(side.symbols) != sorted(side.symbols) else None
    ordered = all(t in (INT, ERROR) or isinstance(t, types.EnumType) for t in (left.type, right.type))
    if not ordered or not types.overlap(left.type, right.type):
        ctx.report.error(
            "wrong-type", node.span, f"`{node.operator}` compares two numbers or two symbols of an enum, not "
            f"{with_article(left.type)} with {with_article(right.type)}", help=_shown_by_dice(ctx, left, right),
        )  # fmt: skip
    return typed.Comparison(node.span, BOOL, node.operator, left, right, order)


def _shown_by_dice(ctx: Context, *sides: TExpression) -> str:
    """How to read a die that stands where a number is wanted."""
    for side in sides:
        piece = side.type.element if isinstance(side.type, ListType) else side.type
        if isinstance(piece, PieceType) and any(ctx.spec.kinds[kind].declaration.faces is not None for kind in piece.kinds):
            return f"what a die shows is `{side.span.text}.value`"
    return ""


def _both_sides(ctx: Context, scope: Scope, node: ast.Compare) -> tuple[TExpression, TExpression]:
    """Each side helps to find symbols in the other; the one that is more than a bare word goes first."""
    if isinstance(node.left, ast.Name) and not isinstance(node.right, ast.Name):
        right = check_expression(ctx, scope, node.right)
        return check_expression(ctx, scope, node.left, types.without_none(right.type)), right
    left = check_expression(ctx, scope, node.left)
    return left, check_expression(ctx, scope, node.right, types.without_none(left.type))


def _single(ctx: Context, side: TExpression, other: TExpression) -> TExpression:
    """A kind with one piece compared with a piece is that piece; a space beside a list of pieces its pieces."""
    wanted = types.without_none(other.type)
    if isinstance(side, typed.MakeList) and isinstance(wanted, SetType):
        return coerce(ctx, side, wanted)
    if isinstance(side.type, ListType) and isinstance(wanted, PieceType | SpaceType):
        return coerce(ctx, side, wanted)
    return side


def _check_membership(ctx: Context, scope: Scope, node: ast.Compare) -> TExpression:
    if isinstance(node.left, ast.Name) and not isinstance(node.right, ast.ListLiteral):
        collection = value_of(ctx, check_expression(ctx, scope, node.right), "list")
        element = _sole_piece(ctx, check_expression(ctx, scope, node.left, types.without_none(element_of(collection.type))))
    else:
        element = _sole_piece(ctx, check_expression(ctx, scope, node.left))
        wanted = ListType(types.without_none(element.type))
        collection = value_of(ctx, check_expression(ctx, scope, node.right, wanted), "list")
    member = element_of(collection.type)
    if not types.overlap(element.type, member):
        ctx.report.error("wrong-type", node.span, f"{with_article(element.type)} is never in a list of {member}")
    return typed.Membership(node.span, BOOL, element, collection, node.operator == "not in")


def _check_is(ctx: Context, scope: Scope, node: ast.Is) -> TExpression:
    operand = check_expression(ctx, scope, node.operand)
    inner = types.without_none(operand.type)
    if isinstance(inner, ListType):
        operand = coerce(ctx, operand, inner.element)
        inner = types.without_none(operand.type)
    tested = named_type(ctx, node.kind)
    if ERROR in (inner, tested):
        return typed.KindTest(node.span, BOOL, operand, negated=node.negated)
    match inner, tested:
        case PieceType(), PieceType(kinds=kinds) if set(kinds) & set(inner.kinds):
            return typed.KindTest(node.span, BOOL, operand, kinds=kinds, negated=node.negated)
        case SpaceType(), SpaceType(zones=zones) if types.overlap(inner, tested):
            return typed.KindTest(node.span, BOOL, operand, zones=zones or (), negated=node.negated)
        case types.EnumType(), types.EnumType(symbols=symbols) if set(symbols) & set(inner.symbols):
            return typed.KindTest(node.span, BOOL, operand, symbols=symbols, negated=node.negated, enum=tested)
    ctx.report.error("wrong-type", node.span, f"{with_article(operand.type)} is never {with_article(tested)}", label="always the same")
    return typed.KindTest(node.span, BOOL, operand, negated=node.negated)


def _check_coalesce(ctx: Context, scope: Scope, node: ast.Coalesce, expected: Type | None) -> TExpression:
    left = check_expression(ctx, scope, node.left, expected)
    right = check_expression(ctx, scope, node.right, expected or types.without_none(left.type))
    if not isinstance(left.type, OptionalType) and left.type not in (ERROR, types.NONE):
        ctx.report.warning("never-none", node.left.span, f"{with_article(left.type)} is never none", label="so `??` does nothing")
    inner = typed.Convert(left.span, types.without_none(left.type), "as_is", left)
    type_ = _joined(ctx, node.span, inner, right, "the two sides of `??`")
    return typed.Coalesce(node.span, type_, left, _to_joined(ctx, right, type_))


def _check_bound(ctx: Context, scope: Scope, node: ast.Range, bound: ast.Expression) -> TExpression:
    """A bound of a range; a list that was to be joined with the range belongs outside of it."""
    if not isinstance(bound, ast.Arithmetic):
        return check_value(ctx, scope, bound, INT, "a bound of `..`")
    left, right = _operands(ctx, scope, bound, INT)
    lists = [isinstance(side.type, ListType | SetType) for side in (left, right)]
    is_high = bound is node.high
    if bound.operator in "+-" and lists == [not is_high, is_high]:
        meant = f"(a..b) {bound.operator} xs" if is_high else f"xs {bound.operator} (a..b)"
        ctx.report.error(
            "wrong-type", bound.span, f"a bound of `..` should be an int, but this joins lists: `{bound.operator}` comes before `..`",
            label="taken together first", help=f"put the range in parentheses: `{meant}`",
        )  # fmt: skip
        return typed.Faulty(bound.span, ERROR)
    return coerce(ctx, _calculated(ctx, bound, left, right), INT, "a bound of `..`")


def _check_arithmetic(ctx: Context, scope: Scope, node: ast.Arithmetic, expected: Type | None) -> TExpression:
    return _calculated(ctx, node, *_operands(ctx, scope, node, expected))


def _operands(ctx: Context, scope: Scope, node: ast.Arithmetic, expected: Type | None) -> tuple[TExpression, TExpression]:
    left = check_expression(ctx, scope, node.left, expected)
    return left, check_expression(ctx, scope, node.right, expected or left.type)


def _calculated(ctx: Context, node: ast.Arithmetic, left: TExpression, right: TExpression) -> TExpression:
    list_like = (ListType, SetType, SpaceType)
    if node.operator in "+-" and (isinstance(left.type, list_like) or isinstance(right.type, list_like)):
        return _check_list_join(ctx, node, left, right)
    left, right = (
        coerce(ctx, left, INT, f"the left of `{node.operator}`"),
        coerce(ctx, right, INT, f"the right of `{node.operator}`"),
    )
    return typed.Arithmetic(node.span, INT, node.operator, left, right)


def _check_list_join(ctx: Context, node: ast.Arithmetic, left: TExpression, right: TExpression) -> TExpression:
    left, right = value_of(ctx, left, "list"), value_of(ctx, right, "list")
    if isinstance(left.type, SetType):
        right = coerce(ctx, right, left.type)
        return typed.ListJoin(node.span, left.type, node.operator, left, right)
    type_ = _joined(ctx, node.span, left, right, f"the two sides of `{node.operator}`")
    if node.operator == "-":
        type_ = left.type
    return typed.ListJoin(node.span, type_, node.operator, left, right)


def _check_list(ctx: Context, scope: Scope, node: ast.ListLiteral, expected: Type | None) -> TExpression:
    wanted = types.without_none(expected) if expected is not None else None
    hint = element_of(wanted) if isinstance(wanted, ListType | SetType) else None
    items = tuple(_sole_piece(ctx, check_expression(ctx, scope, item, hint)) for item in node.items)
    type_: Type = types.NEVER
    for item in items:
        joined = types.join(type_, item.type)
        if joined is None and isinstance(item.type, ListType):
            joined = types.join(type_, item.type.element)
        if joined is None:
            ctx.report.error("wrong-type", item.span, f"{with_article(item.type)} beside {type_} in one list")
            return typed.Faulty(node.span, ERROR)
        type_ = joined
    return typed.MakeList(node.span, ListType(type_), items)


def _sole_piece(ctx: Context, item: TExpression) -> TExpression:
    """A kind with one piece stands for that piece among others."""
    if isinstance(item, typed.KindPieces) and not item.indices and isinstance(item.type, ListType) and is_single(ctx, item):
        return coerce(ctx, item, item.type.element)
    return item


def _check_table(ctx: Context, scope: Scope, node: ast.TableLiteral, expected: Type | None) -> TExpression:
    hint = expected.value if isinstance(expected, types.TableType) else expected
    entries: list[tuple[TExpression, TExpression]] = []
    key_type: Type = types.NEVER
    value_type: Type = types.NEVER
    for key, value in node.entries:
        checked_key = check_expression(ctx, scope, key)
        single = checked_key.type.element if isinstance(checked_key.type, ListType) else checked_key.type
        checked_value = check_expression(ctx, scope, value, hint)
        for old, new, what, span in ((key_type, single, "key", key.span), (value_type, checked_value.type, "value", value.span)):
            if types.join(old, new) is None:
                ctx.report.error("wrong-type", span, f"a {what} that is {with_article(new)} beside one that is {with_article(old)}")
        key_type = types.join(key_type, single) or ERROR
        value_type = types.join(value_type, checked_value.type) or ERROR
        entries.append((checked_key, checked_value))
    return typed.MakeTable(node.span, types.TableType(key_type, value_type), tuple(entries))
