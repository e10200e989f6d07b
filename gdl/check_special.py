"""Calls with a rule of their own: `possible`, `after`, `seen`."""

from __future__ import annotations

from gdl import ast, typed, types
from gdl.check_convert import coerce, unwrap
from gdl.check_scope import Context, Scope
from gdl.source import Span
from gdl.typed import Local, TExpression
from gdl.types import BOOL, ERROR, INT, ListType, Type


def _check_possible(ctx: Context, scope: Scope, node: ast.Call) -> TExpression:
    calls: list[ast.Call] = []
    cells: list[TExpression] = []
    who: TExpression | None = None
    for argument in node.arguments:
        call = _action_call(ctx, argument.value)
        if call is not None:
            calls.append(call)
            continue
        words: tuple[str, ...] = ()
        if isinstance(argument.value, ast.Name | ast.Call):
            words = tuple(name for name, unit in ctx.calls.items() if isinstance(unit, typed.ActionInfo))
        checked = ctx.expression(scope.child(words=words) if words else scope, argument.value, types.PLAYER)
        if checked.type == types.EFFECT or types.without_none(element_or_self(checked.type)) == types.EFFECT:
            cells.append(unwrap(ctx, checked))
        else:
            who = coerce(ctx, checked, types.PLAYER, "what `possible` asks about")
    inner = scope
    if who is None:
        who = ctx.value(scope, ast.Name(node.span, "player"), types.PLAYER)
    else:
        inner = scope.child(player=Local("player", types.PLAYER, node.span))
    found = (ctx.rules.entry(ctx, inner, call) for call in calls)
    entries = tuple(entry for entry in found if entry is not None)
    if not calls and not cells and not isinstance(who, typed.Faulty):
        ctx.report.error("wrong-arguments", node.span, "`possible` needs at least one action or effect")
    return typed.Possible(node.span, BOOL, entries, tuple(cells), who)


def _action_call(ctx: Context, node: ast.Expression) -> ast.Call | None:
    """An action named or called, else none."""
    call = ast.Call(node.span, node, ()) if isinstance(node, ast.Name) else node
    if isinstance(call, ast.Call) and isinstance(call.function, ast.Name):
        return call if isinstance(ctx.calls.get(call.function.name), typed.ActionInfo) else None
    return None


def _check_after(ctx: Context, scope: Scope, node: ast.Call) -> TExpression:
    if len(node.arguments) != 2 or not isinstance(node.arguments[0].value, ast.Call):
        ctx.report.error(
            "wrong-arguments",
            node.span,
            "`after` takes a call of a procedure and a condition",
            help="it is `after(effect, cond)`",
        )
        return typed.Faulty(node.span, ERROR)
    call = ctx.rules.procedure_call(ctx, scope, node.arguments[0].value)
    condition = ctx.value(scope, node.arguments[1].value, BOOL, "the condition of `after`")
    if not isinstance(call, typed.TCall):
        if call is not None:
            ctx.report.error("wrong-type", node.arguments[0].span, "the effect of `after` must be a call of a procedure")
        return typed.Faulty(node.span, ERROR)
    return typed.After(node.span, BOOL, call, condition)


def _check_seen(ctx: Context, scope: Scope, node: ast.Call) -> TExpression:
    arguments = node.arguments
    if not 1 <= len(arguments) <= 2 or not isinstance(arguments[0].value, ast.Name):
        ctx.report.error("wrong-arguments", node.span, "`seen` takes the name of a history and, if wanted, a number")
        return typed.Faulty(node.span, ERROR)
    name = arguments[0].value
    if name.name not in ctx.spec.histories:
        ctx.unknown("unknown-name", name.span, f"no history is called `{name.name}`", name.name, ctx.spec.histories)
        return typed.Faulty(node.span, ERROR)
    last = ctx.value(scope, arguments[1].value, INT) if len(arguments) == 2 else None
    return typed.Seen(node.span, INT, name.name, last, history_player(ctx, scope, name.name, node.span))


def history_player(ctx: Context, scope: Scope, name: str, span: Span) -> TExpression | None:
    """The acting player, for a history that is of `player`."""
    declared = next(h for h in ctx.spec.declarations.histories if h.name == name)
    if not any(part.name == "player" for part in declared.of):
        return None
    return ctx.value(scope, ast.Name(span, "player"), types.PLAYER)


SPECIAL = {"possible": _check_possible, "after": _check_after, "seen": _check_seen}


def element_or_self(type_: Type) -> Type:
    """What a list is of, or the type itself."""
    return type_.element if isinstance(type_, ListType) else type_
