"""The course of a game: actions, phases, triggers, end and result."""

from __future__ import annotations

from gdl import ast
from gdl.expression_parser import parse_call, parse_expression
from gdl.forms import ACTION, CHECK_WORDS, END, ORDER_WORDS, OUTCOME_KEYS, PHASE, RESULT, TRIGGER, TURNS_WORDS
from gdl.load_context import (
    Context,
    Fields,
    is_word,
    items_of,
    named_entries,
    read_form,
    wrong_form,
    wrong_text,
    wrong_word,
)
from gdl.load_steps import actions_block, load_block, load_body, load_decision_keys, together_block
from gdl.load_values import (
    load_binder,
    load_binders,
    load_calls,
    load_condition_or_word,
    load_expression,
    load_flag,
    load_name,
    load_signature,
    load_template,
    load_word,
)
from gdl.model import Action, Criterion, End, Phase, Result, Trigger, Turns
from gdl.yaml_nodes import Entry, Mapping, Node, Scalar

_BODY_KEYS = ("phases", "do", "actions", "together")


# --- actions ----------------------------------------------------------------------------------------------------------


def load_actions(node: Node, context: Context) -> tuple[Action, ...]:
    """The section `actions`."""
    actions = (_action(entry, context) for entry in named_entries(node, "an action", context))
    return tuple(action for action in actions if action)


def _action(entry: Entry, context: Context) -> Action | None:
    signature = load_signature(entry.key, context)
    fields = read_form(entry.value, ACTION, context, entry.key.span)
    if signature is None or fields is None:
        return None
    return Action(
        signature.name.name,
        signature.name.span,
        signature,
        binders=fields.read_all("choose", load_binders),
        guard=fields.read("when", load_expression),
        keys=load_decision_keys(fields),
        body=load_body(fields),
        label=fields.read("label", load_template),
        entries=fields.read_all("actions", load_calls),
    )


# --- phases and triggers ----------------------------------------------------------------------------------------------


def load_phases(node: Node, context: Context) -> tuple[Phase, ...]:
    """The section `phases`, or the nested phases of one."""
    phases = (_phase(entry, context) for entry in named_entries(node, "a phase", context))
    return tuple(phase for phase in phases if phase)


def _phase(entry: Entry, context: Context) -> Phase | None:
    name = load_name(entry.key, context)
    fields = read_form(entry.value, PHASE, context, entry.key.span)
    if name is None or fields is None:
        return None
    if not any(key in fields for key in _BODY_KEYS):
        message = f"nothing happens in the phase `{name.name}`"
        context.report.error("missing-key", name.span, message, help="it needs `do`, `actions`, `together` or `phases`")
    return Phase(
        name.name,
        name.span,
        loop=fields.read("for", load_binder),
        until=fields.read("until", load_expression),
        when=fields.read("when", load_expression),
        turns=_turns(fields),
        phases=fields.read_all("phases", load_phases),
        body=_phase_body(fields),
        triggers=fields.read_all("triggers", load_triggers),
    )


def _phase_body(fields: Fields) -> ast.Block | None:
    if "together" in fields:
        return together_block(fields)
    if "actions" in fields:
        return actions_block(fields)
    return fields.read("do", load_block)


def _turns(fields: Fields) -> Turns | None:
    node = fields.node_of("turns")
    if node is None:
        return None
    return Turns(
        node.span,
        load_word(node, TURNS_WORDS, fields.context, "`turns`"),
        start=fields.read("from", load_expression),
        order=fields.read("order", _order) or "clockwise",
        skip=fields.read("skip", load_expression),
    )


def _order(node: Node, context: Context) -> ast.Expression | str:
    return load_condition_or_word(node, ORDER_WORDS, context)


def load_triggers(node: Node, context: Context) -> tuple[Trigger, ...]:
    """The section `triggers`, or those of a phase."""
    triggers = (_trigger(entry, context) for entry in named_entries(node, "a trigger", context))
    return tuple(trigger for trigger in triggers if trigger)


def _trigger(entry: Entry, context: Context) -> Trigger | None:
    name = load_name(entry.key, context)
    fields = read_form(entry.value, TRIGGER, context, entry.key.span)
    if name is None or fields is None:
        return None
    events = fields.read_all("on", load_calls)
    return Trigger(name.name, name.span, events, fields.read("when", load_expression), load_body(fields))


# --- end and result ---------------------------------------------------------------------------------------------------


def load_ends(node: Node, context: Context) -> tuple[End, ...]:
    """The section `end`."""
    ends = (_end(item, context) for item in items_of(node))
    return tuple(end for end in ends if end)


def _end(node: Node, context: Context) -> End | None:
    fields = read_form(node, END, context)
    if fields is None:
        return None
    when = fields.read("when", load_expression) or ast.Invalid(node.span)
    outcome, players = _outcome(fields)
    check, phase = fields.read("check", _check) or ("decision", None)
    return End(node.span, when, outcome, players, check, phase)


def _outcome(fields: Fields) -> tuple[str, ast.Expression | None]:
    key = next((key for key in OUTCOME_KEYS if key in fields), None)
    node = fields.node_of(key) if key else None
    context = fields.context
    match key:
        case "winners" | "losers" if node is not None:
            return key, load_expression(node, context)
        case "tie" if node is not None:
            if not load_flag(node, context) and is_word(node, "false"):
                wrong_text(node.span, "`true`", context, help_text="leave `tie` out where `result` should rank")
            return "tie", None
        case "everyone" if node is not None:
            return "everyone_" + load_word(node, ("win", "lose"), context, "`everyone`"), None
        case _:
            return "rank", None


def _check(node: Node, context: Context) -> tuple[str, ast.Name | None]:
    """When an end is tested: a word, or `end(phase)`."""
    if isinstance(node, Scalar) and node.value in CHECK_WORDS:
        return node.value, None
    if not isinstance(node, Scalar):
        return "decision", None
    match parse_call(node.fragment, context.report):
        case ast.Call(
            function=ast.Name(name="end"), arguments=(ast.Argument(value=ast.Name() as phase, keyword=None),)
        ):
            return "end", phase
        case ast.Call(function=ast.Name(name=name) as function, arguments=(_, *_)) if name != "end":
            wrong_word(function.span, name, ("end",), context, "a `check` with brackets")
        case ast.Call():
            wrong_word(node.inside, node.inside.text, (*CHECK_WORDS[:2], "end(phase)"), context, "`check`")
    return "decision", None


def load_result(node: Node, context: Context) -> Result | None:
    """The section `result`."""
    fields = read_form(node, RESULT, context)
    if fields is None:
        return None
    return Result(node.span, fields.read_all("score", _score), fields.read_all("ranking", _ranking))


def _score(node: Node, context: Context) -> tuple[tuple[str, ast.Expression], ...]:
    if not isinstance(node, Mapping):
        return (("", load_expression(node, context)),)
    parts: list[tuple[str, ast.Expression]] = []
    for entry in named_entries(node, "a part of the score", context):
        name = load_name(entry.key, context)
        value = load_expression(entry.value, context)
        if name:
            parts.append((name.name, value))
    return tuple(parts)


def _ranking(node: Node, context: Context) -> tuple[Criterion, ...]:
    criteria = (_criterion(item, context) for item in items_of(node))
    return tuple(criterion for criterion in criteria if criterion)


_RANKING = ("highest", "lowest")
_RANKED_AS = {"most": "highest", "max": "highest", "maximum": "highest", "least": "lowest", "min": "lowest", "minimum": "lowest"}


def _criterion(node: Node, context: Context) -> Criterion | None:
    """`highest score`, `lowest player.water`."""
    if not isinstance(node, Scalar):
        wrong_form(node, "`highest …` or `lowest …`", context)
        return None
    fragment = node.fragment
    word = fragment.text.split(maxsplit=1)[0] if fragment.text.strip() else ""
    start = fragment.text.find(word)
    rest = fragment.text[start + len(word) :]
    if not rest.strip():
        wrong_text(node.span, "`highest …` or `lowest …`, such as `highest score`", context)
        return None
    if word not in _RANKING:
        wrong_word(fragment.span(start, start + len(word)), word, _RANKING, context, "what ranks", _RANKED_AS.get(word.casefold()))
        return None
    if rest.strip() == "score":
        return Criterion(node.span, word == "highest", None)
    start = len(fragment.text) - len(rest.lstrip())
    value = parse_expression(fragment.part(start, len(fragment.text)), context.report)
    return Criterion(node.span, word == "highest", value or ast.Invalid(node.span))
