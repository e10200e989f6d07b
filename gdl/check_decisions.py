"""Decisions: `choose`, `may`, `actions` and calls of actions → typed tree."""

from __future__ import annotations

from gdl import ast, typed, types
from gdl.check_calls import check_arguments, note_player
from gdl.check_convert import coerce, element_of, value_of
from gdl.check_expressions import check_chain, hides
from gdl.check_scope import Context, Scope, facts_of, facts_of_elements
from gdl.check_templates import check_template
from gdl.nodes import changed
from gdl.source import Span
from gdl.typed import Local, TExpression
from gdl.types import BOOL, INT, ListType


def check_decision(ctx: Context, scope: Scope, step: ast.ChooseStep | ast.MayStep | ast.ActionsStep) -> typed.TStep | None:
    """A decision as a step."""
    if isinstance(step, ast.ActionsStep):
        keys, inner = check_keys(ctx, scope, step.keys)
        entries = [check_entry(ctx, inner, call) for call in step.entries]
        found = tuple(e for e in entries if e is not None)
        return typed.TDecide(step.span, found, _keys_of_group(ctx, inner, found, keys))
    if isinstance(step, ast.MayStep):
        keys, inner = check_keys(ctx, scope, step.keys)
        if keys.passing is None:
            keys = typed.with_passing(keys, typed.TBlock(step.span, ()))
        label = check_template(ctx, inner, step.label)
        return typed.TChoose(step.span, (), None, keys, _body(ctx, inner, step.body), None, label)
    return _check_choose(ctx, scope, step)


def _body(ctx: Context, scope: Scope, block: ast.Block) -> typed.TBlock:
    return ctx.block(scope, block)


def check_keys(ctx: Context, scope: Scope, keys: ast.DecisionKeys) -> tuple[typed.TKeys, Scope]:
    """The keys of a decision, and the scope in which its domains and body stand: `by` sets the player."""
    by: TExpression | None = None
    acting: Local | None = None
    inner = scope
    if keys.by is not None:
        by = ctx.expression(scope, keys.by, types.PLAYER)
        if isinstance(by.type, ListType):
            by = coerce(ctx, by, ListType(types.PLAYER), "`by`")
        else:
            by = coerce(ctx, by, types.PLAYER, "`by`")
        acting = Local("player", types.PLAYER, keys.by.span)
        inner = scope.child(player=acting)
    elif scope.player is None:
        ctx.report.error("no-player", keys.span, "nobody is acting here, so nobody can decide", help="say who with `by:`")
    else:
        ctx.value(scope, ast.Name(keys.span, "player"), types.PLAYER)
    bounds = [ctx.value(inner, bound, INT, "`count`") if bound else None for bound in (keys.lower, keys.upper)]
    result = typed.TKeys(
        keys.span,
        keys.name.name if keys.name else "",
        by,
        acting,
        check_template(ctx, inner, keys.prompt) if keys.prompt else None,
        _body(ctx, inner, keys.passing) if keys.passing is not None else None,
        _body(ctx, inner, keys.otherwise) if keys.otherwise is not None else None,
        *bounds,
    )
    return result, inner


def _with_most(ctx: Context, scope: Scope, keys: ast.DecisionKeys, checked: typed.TKeys) -> typed.TKeys:
    if keys.most is None:
        return checked
    return typed.with_most(checked, ctx.value(scope, keys.most, INT, "`most`"))


def _check_choose(ctx: Context, scope: Scope, step: ast.ChooseStep) -> typed.TStep:
    keys, inner = check_keys(ctx, scope, step.keys)
    binders, bound = check_binders(ctx, inner, step.binders)
    chosen: Local | None = None
    if keys.upper is not None:
        if len(binders) != 1:
            ctx.report.error("wrong-form", step.span, "with `count` a decision has one parameter")
        element = binders[0].local
        if isinstance(types.without_none(element.type), ListType):
            span = step.keys.upper.span if step.keys.upper else step.span
            ctx.report.error("wrong-type", span, "lists are chosen one by one, without `count`")
        chosen = Local(element.name, ListType(element.type), element.span)
        bound = inner.child(chosen)
    guard = ctx.value(bound, step.guard, BOOL, "`when`") if step.guard else None
    keys = _with_most(ctx, bound, step.keys, keys)
    known = bound.knowing(facts_of(guard, True)) if guard is not None else bound
    return typed.TChoose(step.span, binders, guard, keys, _body(ctx, known, step.body), chosen)


def check_binders(ctx: Context, scope: Scope, binders: tuple[ast.Binder, ...]) -> tuple[tuple[typed.TBinder, ...], Scope]:
    """Parameters, each of whose domains may use those before it."""
    result: list[typed.TBinder] = []
    for binder in binders:
        local, domain = check_binder(ctx, scope, binder)
        if types.without_none(local.type) == types.TEXT:
            message = "texts can't be chosen: a move is kept as numbers"
            ctx.report.error("wrong-type", binder.domain.span, message, help="make them the symbols of an enum")
        result.append(typed.TBinder(local, domain))
        scope = scope.child(local).knowing(facts_of_elements(domain, local))
    return tuple(result), scope


def check_binder(ctx: Context, scope: Scope, binder: ast.Binder) -> tuple[Local, TExpression]:
    """`name in domain`: in the domain's `where`, `by`, `while` and `until` the element has its name already."""
    node = binder.domain
    if not isinstance(node, ast.Invalid):
        hides(ctx, scope, binder.name)
    if isinstance(node, ast.Chain):
        domain = check_chain(ctx, scope, node, binder.name)
    else:
        domain = ctx.expression(scope, node)
    domain = value_of(ctx, domain, "list")
    return Local(binder.name.name, element_of(domain.type), binder.name.span), domain


def check_entry(ctx: Context, scope: Scope, call: ast.Call) -> typed.TEntry | None:
    """An action in a decision: arguments for its parameters, values given for its choices."""
    name = call.function.name
    action = ctx.calls.get(name)
    if not isinstance(action, typed.ActionInfo):
        action = ctx.spec.actions.get(name)  # whose name is that of something else as well, which has been reported
    if action is None:
        candidates = [n for n, u in ctx.calls.items() if isinstance(u, typed.ActionInfo)]
        ctx.unknown("unknown-call", call.function.span, f"no action is called `{name}`", name, candidates, "not an action")
        return None
    choices = {b.name.name: b for b in ctx_binders(action)}
    arguments = check_arguments(ctx, scope, call, action, tuple(choices))
    given: dict[str, TExpression] = {}
    for argument in call.arguments:
        if argument.keyword is not None and argument.keyword.name in choices:
            given[argument.keyword.name] = ctx.expression(scope, argument.value)
    note_player(ctx, scope, action, call.span)
    return None if arguments is None else typed.TEntry(call.span, action, arguments, given)


def _given_keys(keys: ast.DecisionKeys) -> dict[str, Span]:
    """The keys of a decision that an action says, with their places."""
    values: dict[str, ast.Node | None] = {"pass": keys.passing, "else": keys.otherwise, "prompt": keys.prompt}
    return {name: value.span for name, value in values.items() if value is not None}


def check_action_keys(ctx: Context, keys: ast.DecisionKeys) -> None:
    """What a decision asks belongs to the decision, not to one of its actions."""
    for name, span in _given_keys(keys).items():
        ctx.report.error(
            "wrong-form",
            span,
            f"`{name}` belongs to a decision, not to an action that may be one of several in it",
            help=f"write it beside `actions:`, or put a `choose:` step with `{name}` into the action's `do:`",
        )


def _keys_of_group(ctx: Context, scope: Scope, entries: tuple[typed.TEntry, ...], keys: typed.TKeys) -> typed.TKeys:
    """The keys of a decision over a single group, filled up with those of the group; beside others a group can't have any."""
    for entry in entries:
        declared = entry.action.declaration
        written = _given_keys(declared.keys) if declared is not None and declared.entries else {}
        if len(entries) > 1 and written:
            name = next(iter(written))
            message = f"`{entry.action.name}` says `{name}` for a decision of its own, and here it is offered beside others"
            ctx.report.error("wrong-form", entry.span, message, help=f"write `{name}` beside `actions:`, and leave it out of the group")
        elif written and declared is not None:
            own, _ = check_keys(ctx, scope, declared.keys)
            keys = changed(
                keys,
                prompt=keys.prompt or own.prompt,
                passing=keys.passing or own.passing,
                otherwise=keys.otherwise or own.otherwise,
            )
    return keys


def ctx_binders(action: typed.ActionInfo) -> tuple[ast.Binder, ...]:
    """The declared choices of an action (its typed ones may not be checked yet)."""
    return action.declaration.binders if action.declaration is not None else ()


def action_step(ctx: Context, scope: Scope, call: ast.Call) -> typed.TStep | None:
    """An action called as a step: a decision over its moves, skipped if it has none."""
    entry = check_entry(ctx, scope, call)
    if entry is None:
        return None
    if scope.player is None:
        ctx.report.error("no-player", call.span, "nobody is acting here, so nobody can decide", help="say who with `as:`")
        return None
    keys = _keys_of_group(ctx, scope, (entry,), typed.TKeys(call.span))
    if keys.otherwise is None and keys.passing is None:
        keys = typed.with_otherwise(keys, typed.TBlock(call.span, ()))
    return typed.TDecide(call.span, (entry,), keys)


def check_given(ctx: Context, entry: typed.TEntry) -> None:
    """After all actions are checked: the given values must be of the types of their choices."""
    for binder in entry.action.choices:
        value = entry.given.get(binder.local.name)
        if value is not None:
            entry.given[binder.local.name] = coerce(ctx, value, binder.local.type, f"`{binder.local.name}`")
