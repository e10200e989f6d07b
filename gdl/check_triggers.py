"""Triggers: their events, the names that an event gives, their bodies."""

from __future__ import annotations

from gdl import ast, model, types
from gdl.check_scope import Context, Scope, facts_of
from gdl.source import Span
from gdl.typed import KindInfo, Local, TEvent, TriggerInfo, VariableInfo, ZoneInfo
from gdl.types import BOOL, PieceType, SpaceType, Type

FORMS = ("enter", "leave", "change", "start", "end", "turn_start", "turn_end", "after", "emptied", "shuffled")
_GIVEN = ("piece", "from", "to", "old", "new", "this")
"""The names that events give."""


def check_triggers(ctx: Context, declared: tuple[model.Trigger, ...], phase: str | None) -> None:
    """Check triggers and add them to the spec, in order of writing."""
    for trigger in declared:
        events = tuple(e for e in (_event(ctx, call) for call in trigger.events) if e is not None)
        info = TriggerInfo("trigger", trigger.name, trigger.span, events=events, phase=phase)
        info.player = Local("player", types.PLAYER, trigger.span)
        info.locals = _locals(ctx, trigger, events)
        scope = Scope(player=info.player, unit=info).child(*info.locals.values())
        if trigger.when is not None:
            info.when = ctx.value(scope, trigger.when, BOOL, "`when`")
            scope = scope.knowing(facts_of(info.when, True))
        info.body = ctx.block(scope, trigger.body)
        ctx.spec.triggers = (*ctx.spec.triggers, info)


def _event(ctx: Context, call: ast.Call) -> TEvent | None:
    form = call.function.name if isinstance(call.function, ast.Name) else ""
    if form not in FORMS:
        ctx.unknown("unknown-name", call.function.span, f"no event is called `{call.function.span.text}`", form, FORMS, "not an event")
        return None
    takes = 0 if form in ("turn_start", "turn_end") else 1
    if len(call.arguments) != takes:
        ctx.report.error(
            "wrong-arguments",
            call.span,
            f"`{form}` takes {'nothing' if not takes else 'one name'} between its brackets",
        )
        return None
    if not takes:
        return TEvent(form, call.span)
    return _named_event(ctx, form, call.span, call.arguments[0].value)


def _named_event(ctx: Context, form: str, span: Span, node: ast.Expression) -> TEvent | None:
    name = node.name if isinstance(node, ast.Name) else ""
    if form in ("enter", "leave", "emptied", "shuffled"):
        if name in ctx.spec.zones:
            return TEvent(form, span, zones=(name,))
        ctx.unknown("unknown-name", node.span, f"no zone is called `{node.span.text}`", name, ctx.spec.zones)
    elif form in ("start", "end"):
        if name in ctx.phases:
            return TEvent(form, span, name=ctx.phases[name].path)
        ctx.unknown("unknown-name", node.span, f"no phase is called `{node.span.text}`", name, ctx.phases)
    elif form == "after":
        action = ctx.spec.actions.get(name)
        if action is not None and action.declaration is not None and action.declaration.entries:
            ctx.report.error("wrong-form", node.span, f"`{name}` is a group, which is never carried out", help="name its actions")
            return None
        if action is not None:
            return TEvent(form, span, name=name)
        ctx.unknown("unknown-name", node.span, f"no action is called `{node.span.text}`", name, ctx.spec.actions)
    else:
        variable = _variable(ctx, node)
        return TEvent(form, span, variable=variable) if variable is not None else None
    return None


def _variable(ctx: Context, node: ast.Expression) -> VariableInfo | None:
    if isinstance(node, ast.Name):
        if node.name in ctx.spec.variables:
            return ctx.spec.variables[node.name]
        ctx.unknown("unknown-name", node.span, f"no variable is called `{node.name}`", node.name, ctx.spec.variables)
        return None
    if isinstance(node, ast.Field) and isinstance(node.target, ast.Name):
        owners: dict[str, ZoneInfo | KindInfo] = {**ctx.spec.kinds, **ctx.spec.zones}
        owner = owners.get(node.target.name)
        if owner is None and node.target.name != "player":
            name = node.target.name
            ctx.unknown("unknown-name", node.target.span, f"no zone or kind is called `{name}`", name, [*owners, "player"])
            return None
        table = owner.variables if owner is not None else {}
        if node.target.name == "player":
            table = {n: v for n, v in ctx.spec.variables.items() if v.per and v.per[0].form == "player"}
        if node.name in table:
            return table[node.name]
        ctx.unknown("unknown-name", node.name_span, f"`{node.target.name}` has no variable `{node.name}`", node.name, table)
        return None
    ctx.report.error("wrong-form", node.span, "`change` names a variable, such as `speed` or `board.mark`")
    return None


def _locals(ctx: Context, trigger: model.Trigger, events: tuple[TEvent, ...]) -> dict[str, Local]:
    """`piece from to` of a move; `old new this` of a change; `this` of a space emptied; the parameters of an action."""
    found: dict[str, Type] = {}
    for event in events:
        for name, type_ in _names(ctx, event).items():
            found[name] = types.join(found[name], type_) or types.ERROR if name in found else type_
    if len(events) < len(trigger.events):  # what a wrong event would have given must not be reported as well
        found = {**dict.fromkeys(_GIVEN, types.ERROR), **found}
    return {name: Local(name, type_, trigger.span) for name, type_ in found.items()}


def _names(ctx: Context, event: TEvent) -> dict[str, Type]:
    match event.form:
        case "enter" | "leave":
            kinds = tuple(k for z in event.zones for k in ctx.spec.zones[z].holds)
            piece = PieceType(kinds)
            held = set(kinds)
            zones = tuple(z for z, info in ctx.spec.zones.items() if not held.isdisjoint(info.holds))
            here, anywhere = SpaceType(event.zones), SpaceType(zones)
            return {
                "piece": piece,
                "from": anywhere if event.form == "enter" else here,
                "to": here if event.form == "enter" else anywhere,
            }
        case "change" if event.variable is not None:
            info = event.variable
            names: dict[str, Type] = {"old": info.domain.type, "new": info.domain.type}
            owner = {"zone": SpaceType((info.holder.name,)), "kind": PieceType((info.holder.name,))}.get(info.holder.form)
            if owner is not None:
                names["this"] = owner
            elif info.per and info.per[0].form == "player":
                names["this"] = types.PLAYER
            return names
        case "emptied" | "shuffled":
            return {"this": SpaceType(event.zones)}
        case "after":
            action = ctx.spec.actions[event.name]
            return {x.name: x.type for x in (*action.parameters, *(b.local for b in action.choices))}
    return {}
