"""Constants and functions: checked when they are first used, so that they may be written in any order."""

from __future__ import annotations

from gdl import ast, typed
from gdl.check_expressions import check_expression, check_value, hides
from gdl.check_scope import Context, Scope
from gdl.check_types import written_type
from gdl.diagnostics import Related
from gdl.source import Span
from gdl.typed import Local, TExpression
from gdl.types import ERROR, INT


def check_constant(ctx: Context, name: str, span: Span) -> TExpression:
    """The value of a constant of the spec; constants may use each other, but not in a circle."""
    if name in ctx.spec.constants:
        return ctx.spec.constants[name]
    node = ctx.values.get(name)
    if isinstance(node, typed.Faulty):  # it is declared twice, which has been reported
        return node
    if not isinstance(node, ast.Expression) or ctx.constant_state.get(name) == "running":
        ctx.report.error("not-constant", span, f"the constant `{name}` is made from itself")
        return typed.Faulty(span, ERROR)
    ctx.constant_state[name] = "running"
    try:
        value = check_expression(ctx, Scope(constant=True), node)
    except RecursionError:
        value = ctx.spec.constants[name] = typed.Faulty(span, ERROR)
        _report_too_deep(ctx, name, span)
    finally:
        ctx.constant_state[name] = "done"
    ctx.spec.constants[name] = value
    return value


def _report_too_deep(ctx: Context, name: str, span: Span) -> None:
    """Report that what a name stands for needs others that need others, deeper than Python's stack.

    Only the outermost one is told of, where there is room again; further in the error goes on.
    """
    if any(state == "running" for known, state in {**ctx.constant_state, **ctx.function_state}.items() if known != name):
        raise RecursionError
    ctx.report.error("too-deep", span, f"what `{name}` needs is nested too deeply", help="declare what others need before them")


def parameters_of(ctx: Context, signature: ast.Signature) -> tuple[tuple[Local, ...], tuple[TExpression | None, ...]]:
    """The locals of a signature and their defaults."""
    locals_: list[Local] = []
    defaults: list[TExpression | None] = []
    for parameter in signature.parameters:
        twice = next((x for x in locals_ if x.name == parameter.name.name), None)
        if twice is not None:
            related = (Related(twice.span, "first here"),)
            ctx.report.error("duplicate-name", parameter.name.span, f"two parameters are called `{twice.name}`", related=related)
            twice.type = ERROR  # which of them the name means can't be told
        else:
            hides(ctx, Scope(), parameter.name)
        type_ = written_type(ctx, parameter.type) if twice is None else ERROR
        local = Local(parameter.name.name, type_, parameter.name.span)
        if isinstance(parameter.type, ast.RangeType):
            constant = Scope(constant=True)
            written = parameter.type
            local.low, local.high = (check_value(ctx, constant, bound, INT, "a bound") for bound in (written.low, written.high))
        locals_.append(local)
        default = None
        if parameter.default is not None:
            default = check_value(ctx, Scope(constant=True), parameter.default, type_, f"the default of `{parameter.name.name}`")
        defaults.append(default)
    return tuple(locals_), tuple(defaults)


def declare_functions(ctx: Context) -> None:
    """Functions by name; their bodies are checked when they are first called, or in the end."""
    for declaration in ctx.spec.declarations.functions:
        locals_, defaults = parameters_of(ctx, declaration.signature)
        unit = typed.Unit("function", declaration.name, declaration.span, locals_, defaults)
        ctx.spec.functions[declaration.name] = unit
        ctx.function_bodies.setdefault(declaration.name, declaration)
        ctx.declare("calls", declaration.name, unit, declaration.span)


def check_function(ctx: Context, unit: typed.Unit, span: Span) -> None:
    """The body of a function, once. A function that needs itself is an error at the call that closes the circle."""
    state = ctx.function_state.get(unit.name)
    if state == "done":
        return
    if state == "running":
        ctx.report.error(
            "recursive-function",
            span,
            f"`{unit.name}` needs itself: functions don't recurse",
            help="a procedure may call itself",
        )
        return
    ctx.function_state[unit.name] = "running"
    try:
        _check_body(ctx, unit)
    except RecursionError:
        unit.value = typed.Faulty(span, ERROR)
        _report_too_deep(ctx, unit.name, span)
    finally:
        ctx.function_state[unit.name] = "done"


def _check_body(ctx: Context, unit: typed.Unit) -> None:
    declaration = ctx.function_bodies[unit.name]
    scope = Scope(pure=True, unit=unit).child(*unit.parameters)
    bindings: list[tuple[Local, TExpression]] = []
    for binding in declaration.bindings:
        hides(ctx, scope, binding.name)
        value = check_expression(ctx, scope, binding.value)
        local = Local(binding.name.name, value.type, binding.name.span)
        bindings.append((local, value))
        scope = scope.child(local)
    unit.bindings = tuple(bindings)
    unit.value = check_expression(ctx, scope, declaration.value)
