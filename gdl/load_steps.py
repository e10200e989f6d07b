"""Steps: strings and maps with a leading key → `ast.Step`, lists of them → `ast.Block`."""

from __future__ import annotations

from collections.abc import Callable

from gdl import ast
from gdl.diagnostics import did_you_mean, is_certain, nearest
from gdl.expression_parser import parse_step
from gdl.forms import STEP_HINTS, STEPS_BY_KEY
from gdl.load_context import (
    Context,
    Fields,
    is_empty,
    items_of,
    named_entries,
    read_form,
    shortened,
    wrong_form,
    wrong_text,
)
from gdl.load_step_slips import if_on_one_line, legend_beside, let_as_text, rejoined
from gdl.load_values import (
    load_binder,
    load_binders,
    load_bindings,
    load_calls,
    load_expression,
    load_flag,
    load_name,
    load_template,
    load_texts,
)
from gdl.yaml_nodes import Mapping, Node, Scalar, Sequence


def load_block(node: Node, context: Context) -> ast.Block:
    """A list of steps, or one step that stands alone."""
    if is_empty(node):
        wrong_text(
            node.span, "a step or a list of steps, there is nothing", context, help_text="write `[]` for no steps"
        )
        return ast.Block(node.span, ())
    steps = (load_step(item, context) for item in rejoined(items_of(node), context))
    return ast.Block(node.span, tuple(step for step in steps if step is not None))


def load_step(node: Node, context: Context) -> ast.Step | None:
    """One step; none after reporting why it is none."""
    match node:
        case Scalar() if not node.is_empty:
            return parse_step(node.fragment, context.report) or let_as_text(node.fragment)
        case Mapping():
            return _structured(node, context)
        case Sequence():
            wrong_form(node, "a step", context)
        case _:
            wrong_text(node.span, "a step, there is nothing", context)
    return None


def load_decision_keys(fields: Fields) -> ast.DecisionKeys:
    """What a `choose` or `actions` step, an action or a phase says about its decision."""
    form = fields.form
    lower, upper = _bounds(fields)
    return ast.DecisionKeys(
        fields.node.span,
        by=fields.read("by", load_expression) if form.key("by") else None,
        name=fields.read("name", load_name) if form.key("name") else None,
        prompt=fields.read("prompt", load_template) if form.key("prompt") else None,
        passing=_passing(fields),
        otherwise=_otherwise(fields),
        lower=lower,
        upper=upper,
        most=fields.read("most", load_expression) if form.key("most") else None,
    )


def load_body(fields: Fields, name: str = "do") -> ast.Block:
    """The steps of a key, none if it is left out."""
    block = fields.read(name, load_block)
    return block if block is not None else ast.Block(fields.node.span, ())


def actions_block(fields: Fields) -> ast.Block:
    """The steps that `actions:` of a phase is short for."""
    return ast.Block(fields.node.span, (_actions(fields),))


def together_block(fields: Fields) -> ast.Block:
    """The steps that `together:` of a phase is short for; `actions:` beside it is the decision of each branch."""
    body = actions_block(fields) if "actions" in fields else load_body(fields)
    return ast.Block(fields.node.span, (_together_of(fields, body),))


# --- steps with a leading key -----------------------------------------------------------------------------------------


def _structured(node: Mapping, context: Context) -> ast.Step | None:
    leading = next((entry.name for entry in node.entries if entry.name in STEPS_BY_KEY), None)
    if leading is None:
        _not_a_step(node, context)
        return None
    if leading == "place":
        node = legend_beside(node, context)
    if leading == "if" and (step := if_on_one_line(node, context)) is not None:
        return step
    fields = read_form(node, STEPS_BY_KEY[leading], context, node.entries[0].key.span)
    if fields is None or leading not in fields:
        return None
    return _BUILDERS[leading](fields)


def _not_a_step(node: Mapping, context: Context) -> None:
    if not node.entries:
        context.report.error("not-a-step", node.span, "an empty map is no step", help="write `[]` for no steps")
        return
    first = node.entries[0]
    close = [STEP_HINTS[first.name]] if first.name in STEP_HINTS else nearest(first.name or "", STEPS_BY_KEY)
    shown = f"`{shortened(first.name)}`" if first.name else "this"
    leading = ", ".join(f"`{name}`" for name in STEPS_BY_KEY)
    context.report.error(
        "not-a-step",
        first.key.span,
        f"a step is text or a map with a leading key, and {shown} is none",
        help=did_you_mean(close[:1], f"the leading keys are {leading}"),
        suggestion=close[0] if close else None,
        wrong=first.name,
        certain=is_certain(first.name or "", close),
    )


def _expression(fields: Fields, name: str) -> ast.Expression:
    found = fields.read(name, load_expression)
    return found if found is not None else ast.Invalid(fields.node.span)


def _if(fields: Fields) -> ast.Step:
    return ast.IfStep(
        fields.node.span, _expression(fields, "if"), load_body(fields, "then"), fields.read("else", load_block)
    )


def _match(fields: Fields) -> ast.Step:
    cases, context = fields.node_of("cases"), fields.context
    entries = cases.entries if isinstance(cases, Mapping) else ()
    loaded = tuple((load_expression(e.key, context), load_block(e.value, context)) for e in entries)
    return ast.MatchStep(fields.node.span, _expression(fields, "match"), loaded, fields.read("else", load_block))


def _for(fields: Fields) -> ast.Step | None:
    binder = fields.read("for", load_binder)
    body = load_body(fields)
    return ast.ForStep(fields.node.span, binder, body) if binder else None


def _repeat(fields: Fields) -> ast.Step:
    return ast.RepeatStep(fields.node.span, _expression(fields, "repeat"), load_body(fields))


def _while(fields: Fields) -> ast.Step:
    return ast.WhileStep(fields.node.span, _expression(fields, "while"), load_body(fields))


def _let(fields: Fields) -> ast.Step:
    return ast.LetStep(fields.node.span, fields.read_all("let", load_bindings))


def _as(fields: Fields) -> ast.Step:
    return ast.AsStep(fields.node.span, _expression(fields, "as"), load_body(fields))


def _choose(fields: Fields) -> ast.Step | None:
    binders = fields.read_all("choose", load_binders)
    guard = fields.read("when", load_expression)
    step = ast.ChooseStep(fields.node.span, binders, guard, load_decision_keys(fields), load_body(fields))
    return _looped(fields, step) if binders else None


def _may(fields: Fields) -> ast.Step:
    label = fields.read("may", load_template) or ast.Template(fields.node.span, ())
    return ast.MayStep(fields.node.span, label, load_decision_keys(fields), load_body(fields))


def _actions(fields: Fields) -> ast.Step:
    return _looped(fields, ast.ActionsStep(fields.node.span, fields.read_all("actions", load_calls), load_decision_keys(fields)))


def _together(fields: Fields) -> ast.Step:
    return _together_of(fields, load_body(fields))


def _together_of(fields: Fields, body: ast.Block) -> ast.Step:
    sealed = fields.read("sealed", load_flag) or False
    return ast.TogetherStep(fields.node.span, _expression(fields, "together"), sealed, body)


def _place(fields: Fields) -> ast.Step:
    rows: list[tuple[ast.Expression, tuple[ast.Text, ...]]] = []
    context = fields.context
    node = fields.node_of("place")
    for entry in named_entries(node, "a zone", context) if node else ():
        if isinstance(entry.value, Mapping):
            wrong_form(entry.value, "rows of characters", context)
        else:
            rows.append((load_expression(entry.key, context), load_texts(entry.value, context)))
    legend = fields.node_of("key")
    return ast.PlaceStep(fields.node.span, tuple(rows), _legend(legend, context) if legend else ())


Legend = tuple[tuple[ast.Text, ast.Expression | tuple[ast.Assign, ...]], ...]


def _legend(node: Node, context: Context) -> Legend:
    """What the characters of a diagram mean: a call for a piece, or assignments to variables of the cell and its parts."""
    result: list[tuple[ast.Text, ast.Expression | tuple[ast.Assign, ...]]] = []
    for entry in named_entries(node, "a character", context):
        key = ast.Text(entry.key.span, entry.name or "")
        block = load_block(entry.value, context)
        match block.steps:
            case (ast.Do(call=call),):
                result.append((key, call))
            case steps if all(isinstance(step, ast.Assign) for step in steps):
                result.append((key, tuple(step for step in steps if isinstance(step, ast.Assign))))
            case _:
                wrong_form(entry.value, "a piece such as `king(white)`, or assignments", context)
    return tuple(result)


# --- decisions --------------------------------------------------------------------------------------------------------


def _passing(fields: Fields) -> ast.Block | None:
    """The steps of `pass`; none at all with `optional: true`. With `until_passed: true` they lead out of its loop."""
    passing = fields.read("pass", load_block)
    if _until_passed(fields):
        return _leaving(fields, passing)
    if passing is None and fields.form.key("optional") and fields.read("optional", load_flag):
        return ast.Block(fields.key_span("optional"), ())
    return passing


def _otherwise(fields: Fields) -> ast.Block | None:
    otherwise = fields.read("else", load_block) if fields.form.key("else") else None
    return _leaving(fields, otherwise) if otherwise is not None and _until_passed(fields) else otherwise


def _looped(fields: Fields, step: ast.Step) -> ast.Step:
    """The step; with `until_passed: true` inside the loop that this is short for."""
    if not _until_passed(fields):
        return step
    return ast.WhileStep(step.span, ast.Literal(fields.key_span("until_passed"), value=True), ast.Block(step.span, (step,)))


def _until_passed(fields: Fields) -> bool:
    return bool(fields.form.key("until_passed") and fields.read("until_passed", load_flag))


def _leaving(fields: Fields, block: ast.Block | None) -> ast.Block:
    """The steps, and then out of the loop of `until_passed: true`."""
    span = fields.key_span("until_passed")
    leave = ast.Do(span, ast.Call(span, ast.Name(span, "stop"), ()))
    return ast.Block(span, (leave,)) if block is None else ast.Block(block.span, (*block.steps, leave))


def _bounds(fields: Fields) -> tuple[ast.Expression | None, ast.Expression | None]:
    """The bounds of `count`: of a range its ends, else twice the same."""
    count = fields.read("count", load_expression) if fields.form.key("count") else None
    if isinstance(count, ast.Range):
        return count.low, count.high
    return count, count


_BUILDERS: dict[str, Callable[[Fields], ast.Step | None]] = {
    "if": _if,
    "match": _match,
    "for": _for,
    "repeat": _repeat,
    "while": _while,
    "let": _let,
    "as": _as,
    "choose": _choose,
    "may": _may,
    "actions": _actions,
    "together": _together,
    "place": _place,
}
