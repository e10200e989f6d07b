"""Calls in expressions: builtins by their signatures, functions of the spec, formulas of rows, and the few special forms."""

from __future__ import annotations

from attrs import frozen

from gdl import ast, typed, types
from gdl.check_convert import coerce, element_of, held_by, unwrap, value_of, with_article
from gdl.check_fields import check_field
from gdl.check_scope import Context, Scope, facts_of_elements
from gdl.check_special import SPECIAL
from gdl.check_templates import check_template
from gdl.diagnostics import Diagnostic, Severity, did_you_mean, nearest
from gdl.expression_parser import parse_template
from gdl.registry import Derived, Entry, Parameter, Variable
from gdl.source import Span
from gdl.typed import Local, TExpression
from gdl.types import ERROR, ListType, OptionalType, PieceType, SetType, SpaceType, Type

Bound = dict[str, Type]


def check_call(ctx: Context, scope: Scope, node: ast.Call, expected: Type | None) -> TExpression:
    """`name(arguments)` as a value."""
    if isinstance(node.function, ast.Field):
        return _check_formula(ctx, scope, node, node.function)
    name = node.function.name
    if name in SPECIAL:
        return SPECIAL[name](ctx, scope, node)
    what = ctx.calls.get(name)
    if isinstance(what, typed.Unit) and what.form == "function":
        return check_function_call(ctx, scope, node, what)
    if isinstance(what, typed.Unit):
        ctx.report.error(
            "wrong-type", node.function.span, f"the {what.form} `{name}` does something and has no value",
            help="call it as a step of its own",
        )  # fmt: skip
        return typed.Faulty(node.span, ERROR)
    if name in ctx.registry.builtins:
        return check_builtin(ctx, scope, node, ctx.registry.builtins[name], expected)
    if name in ctx.registry.effects:
        ctx.report.error(
            "wrong-type", node.function.span, f"the effect `{name}` does something: it stands as a step of its own",
            help=f"as a step, or as the whole right side of `let: x = {name}(…)`",
        )  # fmt: skip
        return typed.Faulty(node.span, ERROR)
    functions = [n for n, u in ctx.calls.items() if isinstance(u, typed.Unit) and u.form == "function"]
    label = "is no function: read it without brackets" if name in ctx.values else "not known"
    ctx.unknown(
        "unknown-call", node.function.span, f"no function is called `{name}`", name,
        [*functions, *ctx.registry.builtins, *SPECIAL, *_with_value(ctx), *scope.words], label,
    )  # fmt: skip
    return typed.Faulty(node.span, ERROR)


def _with_value(ctx: Context) -> list[str]:
    """The effects that stand where a value is wanted, such as `pick` in `move`."""
    return [name for name, entries in ctx.registry.effects.items() if any(entry.signature.result is not None for entry in entries)]


# --- functions of the spec --------------------------------------------------------------------------------------------


def check_function_call(ctx: Context, scope: Scope, node: ast.Call, unit: typed.Unit) -> TExpression:
    """A call of a declared function; its result type is found when it is first called."""
    arguments = check_arguments(ctx, scope, node, unit)
    ctx.rules.function(ctx, unit, node.span)
    if arguments is None or unit.value is None:
        return typed.Faulty(node.span, ERROR)
    return typed.FunctionCall(node.span, unit.value.type, unit, arguments)


def check_arguments(
    ctx: Context, scope: Scope, node: ast.Call, unit: typed.Unit, given_names: tuple[str, ...] = ()
) -> tuple[TExpression, ...] | None:
    """The arguments of a call, one for each parameter, defaults filled in. `given_names` are keywords that mean something else."""
    found: dict[str, TExpression] = {}
    names = [p.name for p in unit.parameters]
    positional = 0
    good = True
    wrong: list[_Misfit] = []
    is_short = len(node.arguments) < sum(1 for default in unit.defaults if default is None)
    for argument in node.arguments:
        if argument.binder is not None:
            ctx.report.error("wrong-arguments", argument.span, "`as` has no meaning in a call of a " + unit.form)
            good = False
            continue
        if argument.keyword is not None and argument.keyword.name in given_names:
            continue
        if argument.keyword is None:
            if positional >= len(names):
                positional += 1
                continue
            name = names[positional]
            positional += 1
        else:
            name = argument.keyword.name
            if name not in names:
                ctx.unknown(
                    "wrong-arguments",
                    argument.keyword.span,
                    f"`{unit.name}` has no parameter `{name}`",
                    name,
                    [*names, *given_names],
                )
                good = False
                continue
        if name in found and names.count(name) == 1:
            ctx.report.error("wrong-arguments", argument.span, f"`{name}` is given twice")
        parameter = unit.parameters[names.index(name)]
        raw = ctx.expression(scope, argument.value, parameter.type)
        if is_short:  # which argument is missing can't be told, so that the types of the others tell nothing
            found[name] = raw
            continue
        before = len(ctx.report.items)
        found[name] = coerce(ctx, raw, parameter.type, f"`{name}`")
        if len(ctx.report.items) > before and raw.type != ERROR:
            wrong.append(_Misfit(raw, parameter, ctx.report.items[-1]))
    _check_exchanged(ctx, unit, wrong)
    if positional > len(names):
        ctx.report.error("wrong-arguments", node.span, f"`{unit.name}` takes {_count(len(names))}, not {positional}")
        return None
    result: list[TExpression] = []
    for parameter, default in zip(unit.parameters, unit.defaults, strict=True):
        value = found.get(parameter.name, default)
        if value is None:
            if good:
                ctx.report.error(
                    "wrong-arguments",
                    node.span,
                    f"`{unit.name}` needs a value for `{parameter.name}`",
                    label="too few arguments",
                )
            return None
        result.append(value)
    return tuple(result) if good else None


@frozen
class _Misfit:
    """An argument that its parameter does not take, and what was said about it."""

    value: TExpression
    parameter: Local
    complaint: Diagnostic


def _check_exchanged(ctx: Context, unit: typed.Unit, wrong: list[_Misfit]) -> None:
    """Say of two arguments that each would fit in the other's place only that."""
    match wrong:
        case [one, other] if types.overlap(one.value.type, other.parameter.type) and types.overlap(other.value.type, one.parameter.type):
            ctx.report.items[:] = [item for item in ctx.report.items if item is not one.complaint and item is not other.complaint]
            order = ", ".join(f"{parameter.name}: {parameter.type}" for parameter in unit.parameters)
            ctx.report.error(
                "wrong-arguments", one.value.span.to(other.value.span), "these two arguments have changed places",
                label=f"{with_article(one.value.type)}, then {with_article(other.value.type)}", help=f"it is `{unit.name}({order})`",
            )  # fmt: skip


def _count(number: int) -> str:
    return "no argument" if number == 0 else "1 argument" if number == 1 else f"{number} arguments"


def _check_formula(ctx: Context, scope: Scope, node: ast.Call, function: ast.Field) -> TExpression:
    """`m.condition(p)`: a `computed` attribute."""
    if _is_method(ctx, function.name):
        rest = "".join(f", {argument.span.text}" for argument in node.arguments)
        written = f"{function.name}({function.target.span.text}{rest})"
        message = f"`{function.name}` is no field: what it is about stands between its brackets"
        ctx.report.error("unknown-field", function.name_span, message, help=f"write `{written}`")
        return typed.Faulty(node.span, ERROR)
    value = check_field(ctx, scope, function)
    if not isinstance(value, typed.AttributeValue) or not isinstance(value.type, types.ComputedType):
        if value.type != ERROR:
            ctx.report.error("wrong-type", node.span, f"`{function.name}` is no formula that could be called")
        return typed.Faulty(node.span, ERROR)
    wanted = value.type.parameters
    if len(node.arguments) != len(wanted):
        ctx.report.error("wrong-arguments", node.span, f"`{function.name}` takes {_count(len(wanted))}, not {len(node.arguments)}")
        return typed.Faulty(node.span, ERROR)
    arguments = tuple(ctx.value(scope, argument.value, type_) for argument, type_ in zip(node.arguments, wanted, strict=True))
    return typed.AttributeValue(node.span, value.type.result, value.infos, value.target, (), arguments)


def _is_method(ctx: Context, name: str) -> bool:
    """Whether what is called as if it were a field is a builtin or function, and no attribute has its name."""
    what = ctx.calls.get(name)
    is_function = name in ctx.registry.builtins or (isinstance(what, typed.Unit) and what.form == "function")
    is_attribute = any(name in kind.attributes for kind in ctx.spec.kinds.values())
    return is_function and not is_attribute and not any(name in zone.attributes for zone in ctx.spec.zones.values())


def note_player(ctx: Context, scope: Scope, callee: typed.Unit, span: Span) -> None:
    """Remember who calls whom, so that a use of `player` where nobody acts is found through calls too."""
    inherits = scope.player is not None and scope.unit is not None and scope.player is scope.unit.player
    ctx.player_calls.append((scope.unit if inherits else None, scope.player is not None and not inherits, callee, span))


# --- builtins ---------------------------------------------------------------------------------------------------------


def check_builtin(ctx: Context, scope: Scope, node: ast.Call, entries: tuple[Entry, ...], expected: Type | None) -> TExpression:
    """Pick the overload by the number of arguments, then by the types of those that are not evaluated per element."""
    fitting = [e for e in entries if _takes(e, node)]
    if not fitting:
        return typed.Faulty(node.span, ERROR) if _unknown_keyword(ctx, node, entries) else _wrong_arguments(ctx, node, entries)
    if len(fitting) > 1:
        key = (node, *scope.known_types())
        if key not in ctx.overloads:
            ctx.overloads[key] = _by_types(ctx, scope, node, fitting)
        fitting = [ctx.overloads[key]]
    return call_entry(ctx, scope, node, fitting[0], expected)


def _takes(entry: Entry, node: ast.Call) -> bool:
    signature = entry.signature
    keywords = [a.keyword.name for a in node.arguments if a.keyword is not None]
    names = [p.name for p in signature.parameters]
    return signature.required <= len(node.arguments) <= len(names) and all(k in names for k in keywords)


def _by_types(ctx: Context, scope: Scope, node: ast.Call, entries: list[Entry]) -> Entry:
    """The first overload that would take the arguments, else the first with the fewest mistakes; a trial leaves no messages.

    But what it finds elsewhere stays: a function is checked when it is first called, and only then.
    """
    before = len(ctx.report.items)
    mistakes: list[int] = []
    elsewhere: list[Diagnostic] = []
    chosen: Entry | None = None
    for entry in entries:
        call_entry(ctx, scope, node, entry, None)
        found = ctx.report.items[before:]
        del ctx.report.items[before:]
        own = [item for item in found if item.span.is_within(node.span)]
        elsewhere += [item for item in found if not item.span.is_within(node.span)]
        mistakes.append(len(own))
        if not any(item.severity is Severity.ERROR for item in own):
            chosen = entry
            break
    ctx.report.items += elsewhere
    return chosen if chosen is not None else entries[mistakes.index(min(mistakes))]


def _unknown_keyword(ctx: Context, node: ast.Call, entries: tuple[Entry, ...]) -> bool:
    """Report an argument that is given by a name which no overload has."""
    names = list(dict.fromkeys(p.name for entry in entries for p in entry.signature.parameters))
    wrong = next((a.keyword for a in node.arguments if a.keyword is not None and a.keyword.name not in names), None)
    if wrong is None:
        return False
    ctx.unknown("wrong-arguments", wrong.span, f"`{entries[0].name}` has no parameter `{wrong.name}`", wrong.name, names)
    return True


def _wrong_arguments(ctx: Context, node: ast.Call, entries: tuple[Entry, ...]) -> TExpression:
    forms = " or ".join(f"`{e.signature.text}`" for e in entries)
    near = [name for name in nearest(entries[0].name, ctx.registry.builtins) if any(_takes(e, node) for e in ctx.registry.builtins[name])]
    others = f"\n{did_you_mean(near[:1])}" if near else ""
    ctx.report.error(
        "wrong-arguments", node.span, f"`{entries[0].name}` is called with {_count(len(node.arguments))} that it does not take",
        help=f"it is {forms}{others}",
    )  # fmt: skip
    return typed.Faulty(node.span, ERROR)


def call_entry(ctx: Context, scope: Scope, node: ast.Call, entry: Entry, expected: Type | None, *, effect: bool = False) -> TExpression:
    """A call of one overload: arguments by parameter, type variables bound as they go, per-element bodies last."""
    matched = match_arguments(ctx, node, entry)
    bound: Bound = {}
    result: list[TExpression | typed.EachBody | None] = [None] * len(entry.signature.parameters)
    templates: dict[int, typed.TTemplate | None] = {}
    inner: Scope = scope
    element: Local | None = None
    for index, parameter in enumerate(entry.signature.parameters):
        argument = matched.get(parameter.name)
        if argument is None or parameter.each:
            continue
        if parameter.type == types.TEMPLATE:
            templates[index] = _template(ctx, inner, argument.value)
            continue
        value = _plain_argument(ctx, inner, argument, parameter, bound, expected, effect=effect)
        result[index] = value
        binder = argument.binder or _chain_name(argument.value)
        if binder is not None and any(p.each for p in entry.signature.parameters):
            element = Local(binder.name, element_of(value.type), binder.span)
            inner = inner.child(element).knowing(facts_of_elements(value, element))
        elif argument.binder is not None:
            ctx.report.error("wrong-arguments", argument.span, f"`as` has no meaning in `{entry.name}`")
    _bind_elements(ctx, node, entry, matched, result)
    for index, parameter in enumerate(entry.signature.parameters):
        argument = matched.get(parameter.name)
        if argument is not None and parameter.each:
            result[index] = _each_argument(ctx, inner, argument, entry, parameter, result, bound, element)
    type_ = _result_type(ctx, entry, bound)
    if _is_nowhere(type_):
        what = "edges" if "edge" in entry.name else "parts"
        ctx.report.error("wrong-type", node.span, f"the zone of this has no {what}: `{entry.name}` gives nothing")
        type_ = ERROR
    arguments = tuple(templates.get(index, value) for index, value in enumerate(result))
    return typed.BuiltinCall(node.span, type_, entry, arguments)


def _template(ctx: Context, scope: Scope, node: ast.Expression) -> typed.TTemplate | None:
    """A text with holes, written as a string literal."""
    if not isinstance(node, ast.Text) or node.letters is None:
        ctx.report.error("wrong-type", node.span, "expected a text in quotes, with holes in braces")
        return None
    template = parse_template(node.letters, ctx.report)
    return check_template(ctx, scope, template) if template is not None else None


def _chain_name(node: ast.Expression) -> ast.Name | None:
    """The name that a chain gives its elements, as far as it still holds at its end."""
    name = None
    for link in node.links if isinstance(node, ast.Chain) else ():
        name = None if link.operator == "select" else link.binder or name
    return name


def match_arguments(ctx: Context, node: ast.Call, entry: Entry) -> dict[str, ast.Argument]:
    """Arguments by parameter name."""
    names = [p.name for p in entry.signature.parameters]
    found: dict[str, ast.Argument] = {}
    free = iter(names)
    for argument in node.arguments:
        name = argument.keyword.name if argument.keyword is not None else next(free, "")
        if argument.keyword is not None and name not in names:
            ctx.unknown("wrong-arguments", argument.keyword.span, f"`{entry.name}` has no parameter `{name}`", name, names)
            continue
        if name in found or name not in names:
            ctx.report.error(
                "wrong-arguments",
                argument.span,
                f"`{entry.name}` has no place for this argument",
                help=f"it is `{entry.signature.text}`",
            )
            continue
        found[name] = argument
    return found


def _plain_argument(
    ctx: Context,
    scope: Scope,
    argument: ast.Argument,
    parameter: Parameter,
    bound: Bound,
    expected: Type | None,
    *,
    effect: bool,
) -> TExpression:
    hint = substitute(ctx, parameter.type, bound)
    value = ctx.expression(scope, argument.value, None if isinstance(hint, Variable) else hint)
    wanted = parameter.type
    if isinstance(wanted, ListType) and not isinstance(wanted.element, ListType):
        value = _as_list(ctx, value, wanted, effect=effect)
    elif not isinstance(wanted, OptionalType) and str(wanted) != "any" and not (isinstance(wanted, Variable) and wanted.name in "TU"):
        value = unwrap(ctx, value)
    if isinstance(wanted, Variable) and isinstance(value.type, ListType):
        value = _only(ctx, value, wanted)
    if not bind(wanted, value.type, bound):
        target = substitute(ctx, wanted, bound)
        return coerce(ctx, value, target, f"`{parameter.name}`")
    return value


def _only(ctx: Context, value: TExpression, wanted: Variable) -> TExpression:
    """A kind with one piece where a piece is wanted."""
    element = element_of(value.type)
    return coerce(ctx, value, element) if wanted.name == "K" and isinstance(element, PieceType) else value


def _as_list(ctx: Context, value: TExpression, wanted: ListType, *, effect: bool) -> TExpression:
    """A list: a space is its pieces (its own self where spaces are wanted and the call is an effect), a set is its elements."""
    spaces = isinstance(wanted.element, Variable) and wanted.element.name == "S"
    inner = types.without_none(value.type)
    anything = isinstance(wanted.element, Variable) and wanted.element.name == "T"
    alone = effect and not anything and not isinstance(inner, ListType | SetType | SpaceType) and inner != ERROR
    if alone or (spaces and isinstance(inner, SpaceType)):
        value = unwrap(ctx, value)
        return typed.MakeList(value.span, ListType(value.type), (value,))
    value = value_of(ctx, value, "list")
    pieces = isinstance(wanted.element, Variable) and wanted.element.name == "K"
    if pieces and isinstance(value.type, ListType) and isinstance(value.type.element, SpaceType):
        held = ListType(PieceType(held_by(ctx, value.type.element)))
        return typed.Convert(value.span, held, "pieces_of_spaces", value)
    return value


def bind(wanted: Type, given: Type, bound: Bound) -> bool:
    """Whether a value of type `given` may stand for `wanted`; binds the type variables in `wanted`."""
    match wanted:
        case Variable(name=name):
            if name == "S" and not isinstance(given, SpaceType) and given not in (ERROR, types.NEVER):
                return False
            if name == "K" and not isinstance(given, PieceType) and given not in (ERROR, types.NEVER):
                return False
            joined = types.join(bound[name], given) if name in bound else given
            if joined is None:
                return False
            bound[name] = joined
            return True
        case ListType(element=element):
            return (isinstance(given, ListType) and bind(element, given.element, bound)) or (given == ERROR and bind(element, ERROR, bound))
        case SetType(element=element):
            return (isinstance(given, SetType) and bind(element, given.element, bound)) or (given == ERROR and bind(element, ERROR, bound))
        case OptionalType(inner=inner):
            return given == types.NONE or bind(inner, types.without_none(given), bound)
        case types.Basic(name="any"):
            return True
        case types.PlacementType():
            return isinstance(given, types.PlacementType)
    return types.fits(given, wanted)


def substitute(ctx: Context, type_: Type, bound: Bound) -> Type:
    """The type with its variables replaced by what they are bound to."""
    match type_:
        case Variable(name=name):
            return bound.get(name, {"S": types.SPACE, "K": PieceType(())}.get(name, type_))
        case ListType(element=element):
            return ListType(substitute(ctx, element, bound))
        case SetType(element=element):
            return SetType(substitute(ctx, element, bound))
        case OptionalType(inner=inner, soft=soft):
            return types.optional(substitute(ctx, inner, bound), soft=soft)
        case Derived(form=form, inner=inner):
            return _derived(ctx, form, substitute(ctx, inner, bound))
    return type_


def _is_nowhere(type_: Type) -> bool:
    """Whether a type says: spaces of no zone at all."""
    inner = types.without_none(type_)
    element = element_of(inner) if isinstance(inner, ListType) else inner
    return isinstance(element, SpaceType) and element.zones == ()


def _derived(ctx: Context, form: str, base: Type) -> Type:
    """What is made of a space: its parts, edges, whole cell, contents, or ways to lay a shape on its zone."""
    if not isinstance(base, SpaceType):
        return ERROR
    if form == "held":
        return PieceType(held_by(ctx, base))
    zones = base.zones or ()
    if form == "placement":
        return types.PlacementType(zones[0] if zones else "")
    if form == "whole":
        return SpaceType(tuple(z.partition(".")[0] for z in zones))
    return SpaceType(tuple(f"{z}.{form}" for z in zones if f"{z}.{form}" in ctx.spec.zones))


def _bind_elements(
    ctx: Context,
    node: ast.Call,
    entry: Entry,
    matched: dict[str, ast.Argument],
    result: list[TExpression | typed.EachBody | None],
) -> None:
    """Nothing may be bound with `as` but a list whose elements a per-element parameter uses."""
    for parameter, value in zip(entry.signature.parameters, result, strict=True):
        argument = matched.get(parameter.name)
        binder = argument.binder if argument is not None else None
        if binder is not None and isinstance(value, TExpression) and not isinstance(value.type, ListType) and value.type != ERROR:
            ctx.report.error("wrong-type", binder.span, "`as` names the elements of a list; this is none")


def _each_argument(
    ctx: Context, scope: Scope, argument: ast.Argument, entry: Entry, parameter: Parameter,
    result: list[TExpression | typed.EachBody | None], bound: Bound, element: Local | None,
) -> typed.EachBody:  # fmt: skip
    source = next((v for v in result if isinstance(v, TExpression) and isinstance(v.type, ListType)), None)
    local = element or Local("it", element_of(source.type) if source is not None else ERROR, argument.span)
    known = facts_of_elements(source, local) if source is not None else {}
    inner = scope if element is not None else scope.child(local).knowing(known)
    wanted = substitute(ctx, parameter.type, bound)
    if isinstance(parameter.type, Variable):
        body = ctx.expression(inner, argument.value)
        bind(parameter.type, body.type, bound)
    elif isinstance(parameter.type, ListType):
        body = value_of(ctx, ctx.expression(inner, argument.value, wanted), "list")
        if not types.fits(body.type, wanted):
            coerce(ctx, body, wanted, f"`{parameter.name}`")
    else:
        body = ctx.value(inner, argument.value, wanted, f"`{parameter.name}` of `{entry.name}`")
    return typed.EachBody(local, body)


def _result_type(ctx: Context, entry: Entry, bound: Bound) -> Type:
    if entry.signature.result is None:
        return types.NONE
    return substitute(ctx, entry.signature.result, bound)
