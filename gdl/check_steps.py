"""Steps: syntax → typed tree. Decisions are in `gdl.check_decisions`."""

from __future__ import annotations

from attrs import evolve

from gdl import ast, typed, types
from gdl.check_calls import call_entry, check_arguments, note_player
from gdl.check_convert import coerce, element_of, held_by, unwrap, value_of, with_article
from gdl.check_decisions import action_step, check_binder, check_decision
from gdl.check_expressions import check_expression, check_value, hides
from gdl.check_names import names_nothing, report_no_variable
from gdl.check_place import check_place
from gdl.check_scope import Context, Scope, facts_of, path_of
from gdl.check_special import history_player
from gdl.diagnostics import Report
from gdl.expression_refusals import shortened
from gdl.typed import Local, TExpression
from gdl.types import BOOL, ERROR, INT, ListType, Type
from gdl.values import NONE
from gdl.walk import nodes_of

CONTROLS = {
    "win": "players", "lose": "players", "tie": "", "end_game": "", "end_phase": "phase", "end_turn": "", "again": "",
    "next_turn": "player", "stop": "", "return": "",
}  # fmt: skip


def check_block(ctx: Context, scope: Scope, block: ast.Block) -> typed.TBlock:
    """A list of steps; names bound by `let` are known in the steps behind."""
    steps: list[typed.TStep] = []
    for step in block.steps:
        if isinstance(step, ast.LetStep):
            for binding in step.bindings:
                checked, local = _check_let(ctx, scope, binding)
                scope = scope.child(local)
                steps.append(checked)
            continue
        result = _check_step(ctx, scope, step)
        if result is not None:
            steps.append(result)
            scope = _forget(scope, step)
        elif (unbound := _without_let(ctx, scope, step)) is not None:
            scope = scope.child(unbound)
    return typed.TBlock(block.span, tuple(steps))


def _without_let(ctx: Context, scope: Scope, step: ast.Step) -> Local | None:
    """The local that `x = value` was to name, `let:` forgotten; that nothing has its name has been reported."""
    if not isinstance(step, ast.Assign) or not names_nothing(ctx, scope, step):
        return None
    return Local(step.target.span.text, ERROR, step.target.span)


def _forget(scope: Scope, step: ast.Step) -> Scope:
    """After a step that may change something, only what is known of locals by themselves still holds."""
    if not scope.facts:
        return scope
    return evolve(
        scope,
        locals={},
        parent=scope,
        facts={p: t for p, t in scope.facts.items() if len(p) == 1 and isinstance(p[0], Local)},
    )


def _check_let(ctx: Context, scope: Scope, binding: ast.Binding) -> tuple[typed.TStep, Local]:
    hides(ctx, scope, binding.name)
    value: TExpression | typed.TEffect = _value_or_random(ctx, scope, binding.value, None)
    type_ = value.value if isinstance(value, typed.TEffect) else value.type
    local = Local(binding.name.name, type_ or ERROR, binding.name.span)
    return typed.TLet(binding.span, local, value), local


def _value_or_random(ctx: Context, scope: Scope, node: ast.Expression, expected: Type | None) -> TExpression | typed.TEffect:
    """The right side of `let` or `=`: a value, or a whole call of an effect that has one."""
    if isinstance(node, ast.Call) and isinstance(node.function, ast.Name) and node.function.name in ctx.registry.effects:
        effect = check_effect(ctx, scope, node)
        if not isinstance(effect, typed.TEffect):
            return typed.Faulty(node.span, ERROR)
        if effect.value is None:
            ctx.report.error("wrong-type", node.span, f"`{node.function.name}` has no value")
        return effect
    return check_expression(ctx, scope, node, expected)


def _check_step(ctx: Context, scope: Scope, step: ast.Step) -> typed.TStep | None:
    match step:
        case ast.Assign():
            return _check_assign(ctx, scope, step)
        case ast.Do(call=call):
            return _check_do(ctx, scope, call)
        case ast.IfStep(condition=condition, then=then, otherwise=otherwise):
            test = check_value(ctx, scope, condition, BOOL, "the condition of `if`")
            first = check_block(ctx, scope.knowing(facts_of(test, True)), then)
            known = scope.knowing(facts_of(test, False))
            return typed.TIf(step.span, test, first, check_block(ctx, known, otherwise) if otherwise else None)
        case ast.MatchStep():
            return _check_match(ctx, scope, step)
        case ast.ForStep(binder=binder, body=body):
            local, source = check_binder(ctx, scope, binder)
            inner = scope.child(local, loops=scope.loops + 1)
            return typed.TFor(step.span, local, source, check_block(ctx, inner, body))
        case ast.RepeatStep(count=count, body=body):
            number = check_value(ctx, scope, count, INT, "the number of `repeat`")
            return typed.TRepeat(step.span, number, check_block(ctx, scope.child(loops=scope.loops + 1), body))
        case ast.WhileStep(condition=condition, body=body):
            test = check_value(ctx, scope, condition, BOOL, "the condition of `while`")
            inner = scope.child(loops=scope.loops + 1).knowing(facts_of(test, True))
            return typed.TWhile(step.span, test, check_block(ctx, inner, body))
        case ast.AsStep(player=who, body=body):
            seat = check_value(ctx, scope, who, types.PLAYER, "who acts in `as`")
            local = Local("player", types.PLAYER, who.span)
            return typed.TAs(step.span, seat, local, check_block(ctx, scope.child(player=local), body))
        case ast.TogetherStep(players=who, sealed=sealed, body=body):
            seats = value_of(ctx, check_expression(ctx, scope, who, ListType(types.PLAYER)), "list")
            seats = coerce(ctx, seats, ListType(types.PLAYER), "who acts in `together`")
            local = Local("player", types.PLAYER, who.span)
            return typed.TTogether(step.span, seats, sealed, local, check_block(ctx, scope.child(player=local), body))
        case ast.PlaceStep():
            return check_place(ctx, scope, step)
        case ast.ChooseStep() | ast.MayStep() | ast.ActionsStep():
            return check_decision(ctx, scope, step)
    raise TypeError(f"no such step: {step!r}")


# --- assignment -------------------------------------------------------------------------------------------------------


def _check_assign(ctx: Context, scope: Scope, step: ast.Assign) -> typed.TStep | None:
    if names_nothing(ctx, scope, step):
        ctx.hints_given += 1
        name = step.target.span
        cure = shortened(step.value.span.text)
        message = f"nothing is called `{name.text}`"
        ctx.report.error("unknown-name", name, message, label="not known here", help=f"to name a value, write `let: {name.text} = {cure}`")
        _value_or_random(ctx, scope, step.value, None)
        return None
    target = _check_target(ctx, scope, step.target)
    if isinstance(target, typed.Faulty):
        check_expression(ctx, scope, step.value)
        return None
    if isinstance(target, typed.LocalValue):
        return _assign_local(ctx, scope, step, target)
    if isinstance(target, typed.Conditional):
        target = target.otherwise
    if not isinstance(target, typed.VariableValue) or isinstance(target.type, types.TableType):
        report_no_variable(ctx, step.target, target)
        return None
    wanted = target.type
    if step.operator != "=" and isinstance(wanted, types.SetType):
        value: TExpression | typed.TEffect = _set_operand(ctx, scope, step, wanted)
    elif step.operator != "=":
        if not types.fits(types.without_none(wanted), INT):
            ctx.report.error("wrong-type", step.target.span, f"`{step.operator}` needs a number or a set, this is a {wanted}")
        value = check_value(ctx, scope, step.value, INT, f"the right of `{step.operator}`")
    else:
        value = _assigned_value(ctx, scope, step, wanted)
    return typed.TAssign(step.span, step.operator, target, value)


def _check_target(ctx: Context, scope: Scope, node: ast.Expression) -> TExpression:
    """What is assigned to. What is known of its present value does not bind the one that it gets."""
    if scope.facts:
        unheard = evolve(ctx, report=Report(), player_uses=[], player_calls=[])
        path = path_of(check_expression(unheard, scope, node))
        scope = evolve(scope, facts={p: t for p, t in scope.facts.items() if p != path})
    return check_expression(ctx, scope, node)


def _assigned_value(ctx: Context, scope: Scope, step: ast.Assign, wanted: Type) -> TExpression | typed.TEffect:
    value = _value_or_random(ctx, scope, step.value, wanted)
    if isinstance(value, typed.TEffect):
        if value.value is not None and not types.fits(value.value, wanted):
            ctx.report.error("wrong-type", step.value.span, f"a {value.value} can't be put into a {wanted}")
        return value
    return coerce(ctx, value, wanted, "the value")


def _set_operand(ctx: Context, scope: Scope, step: ast.Assign, wanted: types.SetType) -> TExpression:
    """`+=` and `-=` on a set take an element or several."""
    value = check_expression(ctx, scope, step.value, wanted.element)
    if types.fits(value.type, wanted.element):
        return typed.Convert(value.span, wanted, "set", typed.MakeList(value.span, ListType(value.type), (value,)))
    return coerce(ctx, value, wanted, "what is added or taken away")


def _assign_local(ctx: Context, scope: Scope, step: ast.Assign, target: typed.LocalValue) -> typed.TStep | None:
    local = target.local
    if local.name == "player" or local.name in ("it", "piece", "from", "to", "old", "new", "this", "viewer"):
        ctx.report.error("not-assignable", step.target.span, f"`{local.name}` can't be given a value")
        return None
    local.assigned = True
    if step.operator == "=":
        return typed.TAssign(step.span, "=", target, _assigned_value(ctx, scope, step, local.type))
    value = check_value(ctx, scope, step.value, INT, f"the right of `{step.operator}`")
    if local.type not in (INT, ERROR):
        ctx.report.error("wrong-type", step.target.span, f"`{step.operator}` needs a number, `{local.name}` is {with_article(local.type)}")
    return typed.TAssign(step.span, step.operator, target, value)


# --- match ------------------------------------------------------------------------------------------------------------


def _check_match(ctx: Context, scope: Scope, step: ast.MatchStep) -> typed.TStep:
    subject = check_expression(ctx, scope, step.subject)
    wanted = types.without_none(subject.type)
    cases: list[tuple[TExpression, typed.TBlock]] = []
    covered: set[int] = set()
    for key, block in step.cases:
        checked = check_expression(ctx, scope.child(constant=True), key, wanted)
        element = element_of(checked.type) if isinstance(checked.type, ListType) else checked.type
        if not types.overlap(element, subject.type):
            ctx.report.error("wrong-type", key.span, f"{with_article(subject.type)} is never this {element}", label="never matches")
        again = covered & _values_of(checked)
        if again:
            ctx.report.error("duplicate-key", key.span, f"there is a case for {_shown_values(ctx, subject.type, again)} already")
        covered |= _values_of(checked)
        cases.append((checked, check_block(ctx, scope, block)))
    missing = _missing(ctx, subject, covered)
    if step.otherwise is None and missing:
        ctx.report.error("missing-case", step.span, f"`match` has no case for {missing}", help="add the case, or an `else:`")
    otherwise = check_block(ctx, scope, step.otherwise) if step.otherwise else None
    return typed.TMatch(step.span, subject, tuple(cases), otherwise)


def _shown_values(ctx: Context, type_: Type, values: set[int]) -> str:
    """Values of the subject of a `match` in words."""
    named = isinstance(types.without_none(type_), types.EnumType)
    words = [ctx.spec.symbols[n] if named and n != NONE else "none" if n == NONE else str(n) for n in sorted(values)]
    return ", ".join(f"`{word}`" for word in words[:3]) + (", …" if len(words) > 3 else "")


def _values_of(key: TExpression) -> set[int]:
    """The values that a key of `match` stands for, as far as the text shows them."""
    match key:
        case typed.Constant(value=int() as value):
            return {value}
        case typed.MakeList(items=items):
            return {value for item in items for value in _values_of(item)}
        case typed.NumberRange(low=typed.Constant(value=int() as low), high=typed.Constant(value=int() as high)):
            return set(range(low, min(high, low + 100_000) + 1))
    return set()


def _numbers_of(subject: TExpression) -> set[int] | None:
    """All values of a variable that is a number with constant bounds."""
    if not isinstance(subject, typed.VariableValue):
        return None
    found: set[int] = set()
    for info in subject.infos:
        low, high = info.domain.low, info.domain.high
        if not (isinstance(low, typed.Constant) and isinstance(high, typed.Constant)):
            return None
        found |= set(range(low.value, min(high.value, low.value + 100_000) + 1))
    return found


def _missing(ctx: Context, subject: TExpression, covered: set[int]) -> str:
    type_ = subject.type
    numbers = _numbers_of(subject)
    inner = types.without_none(type_)
    missing: list[str] = []
    if isinstance(inner, types.EnumType):
        missing = [f"`{ctx.spec.symbols[n]}`" for n in inner.symbols if n not in covered]
    elif inner == BOOL:
        missing = [word for n, word in enumerate(("`false`", "`true`")) if n not in covered]
    elif inner != ERROR:
        whole = numbers is not None and numbers <= covered
        missing = [] if whole else ["all other numbers"] if inner == INT else [f"every {inner}"]
    if isinstance(type_, types.OptionalType) and NONE not in covered:
        missing.append("`none`")
    return ", ".join(missing)


# --- calls as steps ---------------------------------------------------------------------------------------------------


def _check_do(ctx: Context, scope: Scope, call: ast.Call) -> typed.TStep | None:
    if isinstance(call.function, ast.Field):
        ctx.report.error("not-a-step", call.span, "a value alone does nothing")
        return None
    name = call.function.name
    if name in CONTROLS:
        return _check_control(ctx, scope, call, name)
    what = ctx.calls.get(name)
    if isinstance(what, typed.ActionInfo):
        return action_step(ctx, scope, call)
    if isinstance(what, typed.Unit) and what.form == "procedure":
        return check_procedure_call(ctx, scope, call)
    if name in _SPECIAL:
        return _SPECIAL[name](ctx, scope, call)
    if name in ctx.registry.effects:
        return check_effect(ctx, scope, call)
    if isinstance(what, typed.Unit) or name in ctx.registry.builtins:
        ctx.report.error(
            "not-a-step",
            call.span,
            f"`{name}` gives a value and does nothing",
            help="use its value: `let: x = …`, or in a condition",
        )
        return None
    candidates = [*CONTROLS, "perform", *ctx.registry.effects]
    candidates += [n for n, u in ctx.calls.items() if isinstance(u, typed.Unit) and u.form != "function"]
    ctx.unknown(
        "unknown-call",
        call.function.span,
        f"no effect, procedure or action is called `{name}`",
        name,
        candidates,
        "not known",
    )
    return None


def check_procedure_call(ctx: Context, scope: Scope, call: ast.Call) -> typed.TStep | None:
    """A call of a procedure."""
    name = call.function.name
    unit = ctx.calls.get(name)
    if not isinstance(unit, typed.Unit) or unit.form not in ("procedure", "action"):
        candidates = [n for n, u in ctx.calls.items() if isinstance(u, typed.Unit) and u.form == "procedure"]
        ctx.unknown("unknown-call", call.function.span, f"no procedure is called `{name}`", name, candidates)
        return None
    arguments = check_arguments(ctx, scope, call, unit)
    note_player(ctx, scope, unit, call.span)
    if arguments is None:
        return None
    who = typed.LocalValue(call.span, types.PLAYER, scope.player) if scope.player is not None else None
    return typed.TCall(call.span, unit, arguments, who)


def _check_record(ctx: Context, scope: Scope, call: ast.Call) -> typed.TStep | None:
    """`record(history)`, `forget(history)`."""
    form = call.function.name if isinstance(call.function, ast.Name) else ""
    node = call.arguments[0].value if len(call.arguments) == 1 else None
    if not isinstance(node, ast.Name):
        ctx.report.error("wrong-arguments", call.span, f"`{form}` takes the name of a history")
        return None
    if node.name not in ctx.spec.histories:
        ctx.unknown("unknown-name", node.span, f"no history is called `{node.name}`", node.name, ctx.spec.histories)
        return None
    player = history_player(ctx, scope, node.name, call.span) if form == "record" else None
    return typed.TRecord(call.span, form, node.name, player)


def _check_swap(ctx: Context, scope: Scope, call: ast.Call) -> typed.TStep | None:
    """`swap(a, b)`: two variables of one type, or two pieces."""
    if len(call.arguments) == 2:
        first, second = (check_expression(ctx, evolve(scope, facts={}), a.value) for a in call.arguments)
        if isinstance(first, typed.VariableValue) and isinstance(second, typed.VariableValue):
            if not (types.fits(first.type, second.type) and types.fits(second.type, first.type)):
                kinds = f"{with_article(first.type)} can't change places with {with_article(second.type)}"
                ctx.report.error("wrong-type", call.span, kinds)
            return typed.TSwap(call.span, first, second)
    return check_effect(ctx, scope, call)


def _check_perform(ctx: Context, scope: Scope, call: ast.Call) -> typed.TStep | None:
    if not 1 <= len(call.arguments) <= 2:
        ctx.report.error("wrong-arguments", call.span, "`perform` takes an effect and, if wanted, who performs it")
        return None
    cell = check_expression(ctx, scope, call.arguments[0].value)
    if cell.type not in (types.EFFECT, ERROR, ListType(types.EFFECT)):
        ctx.report.error("wrong-type", cell.span, f"`perform` takes an effect, this is {with_article(cell.type)}")
    who: TExpression | None = None
    if len(call.arguments) == 2:
        who = check_value(ctx, scope, call.arguments[1].value, types.PLAYER)
    elif scope.player is not None:
        who = typed.LocalValue(call.span, types.PLAYER, scope.player)
    if len(call.arguments) == 1:
        for unit in _cells_of(ctx, cell):
            note_player(ctx, scope, unit, call.span)
    return typed.TPerform(call.span, cell, who)


def _cells_of(ctx: Context, cell: TExpression) -> list[typed.Unit]:
    """The effect cells that an expression may stand for, as far as they are checked already."""
    infos = [i for node in nodes_of(cell) if isinstance(node, typed.AttributeValue) for i in node.infos]
    found: list[typed.Unit] = []
    for info in infos:
        owner = ctx.spec.kinds[info.holder.name] if info.holder.form == "kind" else ctx.spec.zones[info.holder.name]
        found += [row.effects[info.name] for row in owner.rows or () if info.name in row.effects]
    return found


def _check_control(ctx: Context, scope: Scope, call: ast.Call, name: str) -> typed.TStep | None:
    form = CONTROLS[name]
    allowed = 0 if not form else 1
    if len(call.arguments) > allowed or (form in ("players", "player") and not call.arguments):
        wanted = "nothing between its brackets" if not form else f"one {form.rstrip('s')}"
        ctx.report.error("wrong-arguments", call.span, f"`{name}` takes {wanted}")
        return None
    if name == "stop" and not scope.loops:
        ctx.report.error("not-a-step", call.span, "`stop` leaves a loop, and there is none around it")
    if not call.arguments:
        return typed.TControl(call.span, name)
    value = call.arguments[0].value
    if form == "phase":
        word = value.name if isinstance(value, ast.Name) else ""
        if word not in ctx.phases:
            ctx.unknown("unknown-name", value.span, f"no phase is called `{value.span.text}`", word, ctx.phases)
            return None
        return typed.TControl(call.span, name, phase=word)
    if form == "player":
        return typed.TControl(call.span, name, check_value(ctx, scope, value, types.PLAYER))
    who = check_expression(ctx, scope, value, types.PLAYER)
    if types.fits(types.without_none(who.type), types.PLAYER):
        who = unwrap(ctx, who)
        who = typed.MakeList(who.span, ListType(types.PLAYER), (who,))
    return typed.TControl(call.span, name, coerce(ctx, who, ListType(types.PLAYER), f"who `{name}` is about"))


def check_effect(ctx: Context, scope: Scope, call: ast.Call) -> typed.TStep | None:
    """A call of an elementary effect."""
    name = call.function.name
    entries = [e for e in ctx.registry.effects[name] if e.signature.required <= len(call.arguments) <= len(e.signature.parameters)]
    if not entries:
        forms = " or ".join(f"`{e.signature.text}`" for e in ctx.registry.effects[name])
        ctx.report.error(
            "wrong-arguments",
            call.span,
            f"`{name}` is called with the wrong number of arguments",
            help=f"it is {forms}",
        )
        return None
    if name == "move":
        random = _random_move(ctx, scope, call, entries[0])
        if random is not None:
            return random
    before = len(ctx.report.items)
    checked = call_entry(ctx, scope, call, entries[0], None, effect=True)
    for other in entries[1:]:
        if not ctx.report.failed_since(before):
            break
        del ctx.report.items[before:]
        checked = call_entry(ctx, scope, call, other, None, effect=True)
    assert isinstance(checked, typed.BuiltinCall)
    _check_places(ctx, call, checked)
    value = None if checked.entry.signature.result is None else checked.type
    return typed.TEffect(call.span, checked.entry, checked.arguments, value)


def _check_places(ctx: Context, call: ast.Call, checked: typed.BuiltinCall) -> None:
    """Pieces go only where their kind may lie; only stacks are shuffled and drawn from."""
    name = checked.entry.name
    stack = checked.arguments[0 if name == "shuffle" else 1] if name in ("shuffle", "draw", "deal") else None
    if isinstance(stack, TExpression) and isinstance(stack.type, types.SpaceType) and stack.type.zones is not None:
        zones = [z for z in stack.type.zones if z in ctx.spec.zones]
        if zones and not any(ctx.spec.zones[z].declaration.stack for z in zones):
            message = f"`{zones[0]}` keeps no order: only a zone with `stack: true` is shuffled and drawn from"
            ctx.report.error("wrong-type", stack.span, message)
    moved, to = _moved(ctx, checked)
    if moved is not None and moved.kinds and to is not None:
        held = held_by(ctx, to)
        if not set(moved.kinds) & set(held):
            ctx.report.error("wrong-type", call.span, f"`{to}` does not hold a {moved}", help=f"add it to `holds` of `{to}`")


def _moved(ctx: Context, checked: typed.BuiltinCall) -> tuple[types.PieceType | None, types.SpaceType | None]:
    """What an effect moves, and where to; none where it moves nothing or that is not known."""
    match checked.entry.name, checked.arguments:
        case "move", [TExpression(type=pieces), TExpression(type=to), *_]:
            moved = element_of(pieces)
        case "draw" | "deal", [_, TExpression(type=types.SpaceType() as source), TExpression(type=to)]:
            moved = types.PieceType(held_by(ctx, source))
        case _:
            return None, None
    space = to.element if isinstance(to, ListType) else to
    return moved if isinstance(moved, types.PieceType) else None, space if isinstance(space, types.SpaceType) else None


def _random_move(ctx: Context, scope: Scope, call: ast.Call, entry: object) -> typed.TStep | None:
    """`move(pick(xs), s)`."""
    first = call.arguments[0].value
    if not (isinstance(first, ast.Call) and isinstance(first.function, ast.Name) and first.function.name in ctx.registry.effects):
        return None
    effect = check_effect(ctx, scope, first)
    if not isinstance(effect, typed.TEffect) or effect.value is None:
        ctx.report.error("wrong-type", first.span, f"`{first.function.name}` has no value that could be moved")
        return None
    local = Local("(drawn)", effect.value, first.span)
    name = ast.Name(first.span, "(drawn)")
    drawn = ast.Argument(first.span, name, call.arguments[0].keyword)
    rest = ast.Call(call.span, call.function, (drawn, *call.arguments[1:]))
    moved = check_effect(ctx, scope.child(local), rest)
    assert isinstance(moved, typed.TEffect)
    return typed.TMoveRandom(call.span, effect, moved, local)


_SPECIAL = {"perform": _check_perform, "record": _check_record, "forget": _check_record, "swap": _check_swap}
