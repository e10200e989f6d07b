"""The checker: declarations → checked spec. Names get their meaning, expressions their types; all mistakes are collected."""

from __future__ import annotations

from collections.abc import Mapping

from gdl import model, typed, types
from gdl.check_circles import check_circles
from gdl.check_contents import check_contents
from gdl.check_convert import coerce
from gdl.check_decisions import check_action_keys, check_binders, check_entry, check_given, check_keys
from gdl.check_expressions import check_expression, check_value
from gdl.check_flow import check_flow
from gdl.check_functions import check_constant, check_function, declare_functions, parameters_of
from gdl.check_scope import Context, GeometryFacts, Rules, Scope, facts_of
from gdl.check_sealed import check_sealed
from gdl.check_sections import check_declarations, declare_basics, declare_members, declare_shells
from gdl.check_steps import check_block, check_procedure_call
from gdl.check_templates import check_template
from gdl.check_triggers import check_triggers
from gdl.diagnostics import Report
from gdl.forms import ORDER_WORDS
from gdl.model import Declarations
from gdl.registry import Registry
from gdl.typed import ActionInfo, CheckedSpec, Local, PhaseInfo, TExpression, Unit
from gdl.types import BOOL, INT, ListType
from gdl.walk import nodes_of, spec_nodes


def check(declarations: Declarations, registry: Registry, geometries: Mapping[str, GeometryFacts], report: Report) -> Context:
    """Check a spec. What is wrong goes into the report; the result is only fit for use if that has no errors.

    The context is what later texts (scenarios, moves) are checked with; the spec is in it.
    """
    rules = Rules(check_expression, check_value, check_block, check_entry, check_procedure_call, check_constant, check_function)
    ctx = Context(CheckedSpec(declarations), registry, geometries, report, rules)
    declare_basics(ctx)
    declare_shells(ctx)
    declare_members(ctx)
    _declare_histories(ctx)
    declare_functions(ctx)
    _declare_units(ctx)
    _declare_phases(ctx, declarations.phases, "")
    check_declarations(ctx)
    for unit in ctx.spec.functions.values():
        check_function(ctx, unit, unit.span)
    _check_histories(ctx)
    for unit in ctx.spec.procedures.values():
        _check_procedure(ctx, unit)
    for action in ctx.spec.actions.values():
        _check_action(ctx, action)
    _check_play(ctx)
    _check_players(ctx)
    check_flow(ctx)
    for node in (*spec_nodes(ctx.spec, typed.Convert), *spec_nodes(ctx.spec, typed.BuiltinCall)):
        check_contents(ctx, node)
    _check_display(ctx)
    check_sealed(ctx.spec, ctx.report)
    check_circles(ctx.spec, ctx.report)
    return ctx


def _check_display(ctx: Context) -> None:
    """What is shown are kinds, zones and seats."""
    known = [*ctx.spec.kinds, *(name for name in ctx.spec.zones if "." not in name), *ctx.spec.seats]
    for entry in ctx.spec.declarations.display:
        if entry.name.name not in known:
            message = f"no kind, zone or seat is called `{entry.name.name}`"
            ctx.unknown("unknown-name", entry.name.span, message, entry.name.name, known)


# --- procedures and actions -------------------------------------------------------------------------------------------


def _declare_units(ctx: Context) -> None:
    for procedure in ctx.spec.declarations.procedures:
        locals_, defaults = parameters_of(ctx, procedure.signature)
        unit = Unit("procedure", procedure.name, procedure.span, locals_, defaults)
        unit.player = Local("player", types.PLAYER, procedure.span)
        ctx.spec.procedures[procedure.name] = unit
        ctx.declare("calls", procedure.name, unit, procedure.span)
    for declared in ctx.spec.declarations.actions:
        locals_, defaults = parameters_of(ctx, declared.signature)
        action = ActionInfo("action", declared.name, declared.span, locals_, defaults, declaration=declared)
        action.player = Local("player", types.PLAYER, declared.span)
        ctx.spec.actions[declared.name] = action
        ctx.declare("calls", declared.name, action, declared.span)


def _check_procedure(ctx: Context, unit: Unit) -> None:
    declaration = next(p for p in ctx.spec.declarations.procedures if p.name == unit.name)
    scope = Scope(player=unit.player, unit=unit).child(*unit.parameters)
    unit.body = check_block(ctx, scope, declaration.body)


def _check_action(ctx: Context, action: ActionInfo) -> None:
    declared = action.declaration
    assert declared is not None
    scope = Scope(player=action.player, unit=action).child(*action.parameters)
    if not declared.entries:
        check_action_keys(ctx, declared.keys)
    action.keys = check_keys(ctx, scope, declared.keys)[0]
    action.choices, inner = check_binders(ctx, scope, declared.binders)
    if declared.guard is not None:
        guard = check_value(ctx, inner, declared.guard, BOOL, "`when`")
        if any(reads(guard, b.local) for b in action.choices):
            action.guard = guard
        else:
            action.before = guard
        inner = inner.knowing(facts_of(guard, True))
    if declared.entries and not _part_of_itself(ctx, declared):
        entries = tuple(e for e in (check_entry(ctx, inner, call) for call in declared.entries) if e is not None)
        action.group = typed.TDecide(declared.span, entries, action.keys)
    if declared.label is not None:
        action.label = check_template(ctx, inner, declared.label)
    action.body = check_block(ctx, inner, declared.body)


def _part_of_itself(ctx: Context, group: model.Action) -> bool:
    """Whether a group offers itself, which is reported; through other groups too."""
    actions = {action.name: action for action in ctx.spec.declarations.actions}
    todo, seen = [group], set[str]()
    while todo:
        for call in todo.pop().entries:
            name = call.function.name
            if name == group.name:
                ctx.report.error("recursive-function", call.span, f"the group `{name}` is part of itself", help="leave this entry out")
                return True
            if name in actions and name not in seen:
                seen.add(name)
                todo.append(actions[name])
    return False


def reads(value: object, local: Local) -> bool:
    """Whether a typed tree reads a local."""
    return any(isinstance(node, typed.LocalValue) and node.local is local for node in nodes_of(value))


# --- phases -----------------------------------------------------------------------------------------------------------


def _declare_phases(ctx: Context, phases: tuple[model.Phase, ...], prefix: str) -> tuple[PhaseInfo, ...]:
    result = []
    for phase in phases:
        info = PhaseInfo(phase.name, prefix + phase.name, phase)
        if phase.name in ctx.phases:
            ctx.report.error("duplicate-name", phase.span, f"two phases are called `{phase.name}`")
        ctx.phases[phase.name] = info
        if phase.loop is not None:
            info.counter = Local(phase.loop.name.name, INT, phase.loop.name.span)
        info.phases = _declare_phases(ctx, phase.phases, f"{info.path}.")
        result.append(info)
    if not prefix:
        ctx.spec.phases = tuple(result)
        for counter in (p.counter for p in ctx.phases.values() if p.counter is not None):
            ctx.declare("values", counter.name, typed.LocalValue(counter.span, INT, counter), counter.span)
    return tuple(result)


def _check_phase(ctx: Context, scope: Scope, info: PhaseInfo) -> None:
    declaration = info.declaration
    if declaration.when is not None:
        info.when = check_value(ctx, scope, declaration.when, BOOL, "`when`")
    if declaration.loop is not None and info.counter is not None:
        info.loop = check_expression(ctx, scope, declaration.loop.domain)
        info.loop = coerce(ctx, info.loop, ListType(INT), "what `for` goes through")
    if declaration.until is not None:
        info.until = check_value(ctx, scope, declaration.until, BOOL, "`until`")
    inner = scope
    if declaration.turns is not None:
        inner = _check_turns(ctx, scope, info, declaration.turns)
    for nested in info.phases:
        _check_phase(ctx, inner, nested)
    if declaration.body is not None:
        info.body = check_block(ctx, inner, declaration.body)
    check_triggers(ctx, declaration.triggers, info.path)


def _check_turns(ctx: Context, scope: Scope, info: PhaseInfo, turns: model.Turns) -> Scope:
    if turns.start is not None:
        info.start = check_value(ctx, scope, turns.start, types.PLAYER, "`from`")
    if isinstance(turns.order, str):
        info.order = turns.order
    else:
        info.order = check_value(ctx, scope.child(words=ORDER_WORDS), turns.order, ListType(types.PLAYER), "`order`")
    if turns.skip is not None:
        info.asked = Local("player", types.PLAYER, turns.skip.span)
        info.skip = check_value(ctx, scope.child(player=info.asked), turns.skip, BOOL, "`skip`")
    info.seat = Local("player", types.PLAYER, turns.span)
    return scope.child(player=info.seat)


# --- setup, play, end, result -----------------------------------------------------------------------------------------


def _check_play(ctx: Context) -> None:
    spec, declared = ctx.spec, ctx.spec.declarations
    if declared.setup is not None:
        spec.setup = Unit("setup", "setup", declared.setup.span)
        spec.setup.body = check_block(ctx, Scope(unit=spec.setup), declared.setup)
    main = Unit("phases", "phases", declared.span)
    for info in spec.phases:
        _check_phase(ctx, Scope(unit=main), info)
    check_triggers(ctx, declared.triggers, None)
    for node in nodes_of(spec):
        if isinstance(node, typed.TEntry):
            check_given(ctx, node)
    spec.end = tuple(_check_end(ctx, entry) for entry in declared.end)
    if declared.result is not None:
        _check_result(ctx, declared.result)
    if declared.heuristic is not None:
        seat = Local("player", types.PLAYER, declared.heuristic.span)
        value = check_value(ctx, Scope(player=seat), declared.heuristic, INT, "a heuristic value")
        spec.heuristic = typed.HeuristicInfo(seat, value)
    spec.invariants = tuple(check_value(ctx, Scope(), node, BOOL, "an invariant") for node in declared.invariants)
    constant = Scope(constant=True)
    limits = declared.limits
    spec.turn_limit, spec.depth_limit, spec.fuel_limit = (
        check_value(ctx, constant, node, INT, "a limit") if node is not None else None for node in (limits.turns, limits.depth, limits.fuel)
    )


def _check_end(ctx: Context, entry: model.End) -> typed.EndInfo:
    when = check_value(ctx, Scope(), entry.when, BOOL, "`when`")
    players: TExpression | None = None
    if entry.players is not None:
        players = check_expression(ctx, Scope(), entry.players, ListType(types.PLAYER))
        if types.fits(types.without_none(players.type), types.PLAYER):
            players = typed.MakeList(players.span, ListType(types.PLAYER), (coerce(ctx, players, types.PLAYER),))
        players = coerce(ctx, players, ListType(types.PLAYER), f"`{entry.outcome}`")
    if entry.phase is not None and entry.phase.name not in ctx.phases:
        ctx.unknown("unknown-name", entry.phase.span, f"no phase is called `{entry.phase.name}`", entry.phase.name, ctx.phases)
    return typed.EndInfo(entry, when, players)


def _check_result(ctx: Context, result: model.Result) -> None:
    seat = Local("player", types.PLAYER, result.span)
    scope = Scope(player=seat)
    score = tuple((name, check_value(ctx, scope, node, INT, "a score")) for name, node in result.score)
    ranked = scope.child(words=("score",))
    ranking = tuple(
        (c.highest, check_value(ctx, ranked, c.value, INT, "what ranks") if c.value is not None else None) for c in result.ranking
    )
    ctx.spec.result = typed.ResultInfo(seat, score, ranking)


def _declare_histories(ctx: Context) -> None:
    for history in ctx.spec.declarations.histories:
        ctx.declare("values", history.name, history, history.span)
        ctx.spec.histories[history.name] = ((), typed.Faulty(history.span, types.ERROR))


def _check_histories(ctx: Context) -> None:
    for history in ctx.spec.declarations.histories:
        parts: list[typed.VariableInfo | str] = []
        for name in history.of:
            if name.name in ctx.spec.variables:
                parts.append(ctx.spec.variables[name.name])
            elif name.name in ctx.spec.zones or name.name in ctx.spec.kinds or name.name == "player":
                parts.append(name.name)
            else:
                candidates = [*ctx.spec.variables, *ctx.spec.zones, "player"]
                ctx.unknown(
                    "unknown-name",
                    name.span,
                    f"a history is of variables and zones: `{name.name}` is none",
                    name.name,
                    candidates,
                )
        keep = check_value(ctx, Scope(constant=True), history.keep, INT, "`keep`")
        ctx.spec.histories[history.name] = (tuple(parts), keep)


# --- who acts ---------------------------------------------------------------------------------------------------------


def _check_players(ctx: Context) -> None:
    """A procedure, action or trigger that reads `player` may only be called where somebody acts."""
    changed = True
    while changed:
        changed = False
        for caller, _, callee, _ in ctx.player_calls:
            if callee.needs_player and caller is not None and not caller.needs_player:
                caller.needs_player = changed = True
    for caller, provided, callee, span in ctx.player_calls:
        if callee.needs_player and caller is None and not provided:
            ctx.report.error(
                "no-player", span, f"`{callee.name}` reads `player`, and nobody is acting here",
                help="put the call under `as: p`, or give the player as a parameter",
            )  # fmt: skip
