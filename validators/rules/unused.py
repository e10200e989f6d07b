"""What is declared and used nowhere.

A declaration counts as used as soon as its name is written anywhere else, whatever it means there: so nothing that is
used is ever called unused.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator

from gdl import ast, model
from gdl.diagnostics import Severity, did_you_mean, is_slip
from gdl.validators.rule import Finding, Rule
from gdl.validators.rules.examples import POINTS, example
from gdl.validators.subject import Subject

_CURE = "use it, or take it out"


def _unused(noun: str, of: Callable[[Subject], Iterable[model.Declaration]]) -> Callable[[Subject], Iterator[Finding]]:
    """A check that every declaration is named somewhere."""

    def check(subject: Subject) -> Iterator[Finding]:
        for declaration in of(subject):
            if not subject.is_named(declaration.name):
                yield Finding(declaration.span, f"the {noun} `{declaration.name}` is never used", help=_CURE)

    return check


def _idle_kinds(subject: Subject) -> Iterator[model.Declaration]:
    """The kinds whose pieces do not come into play by themselves: unions, and dice, which lie nowhere."""
    return (kind for kind in subject.declared.kinds if kind.any_of or kind.faces is not None)


def _idle_zones(subject: Subject) -> Iterator[model.Declaration]:
    """The zones of whose parts and edges nothing is said either, and none of whose spaces is called by its own name."""
    zones = (zone for zone in subject.declared.zones if zone.parts is None and not zone.has_edges)
    return (zone for zone in zones if not any(subject.is_named(name.name) for name in _spaces(zone)))


def _spaces(zone: model.Zone) -> Iterator[ast.Name]:
    yield from zone.geometry.nodes
    yield from (row.name for row in zone.rows or () if row.name is not None)


def _all_variables(subject: Subject) -> Iterator[model.Declaration]:
    yield from subject.declared.variables
    for kind in subject.declared.kinds:
        yield from kind.variables
    for zone in subject.declared.zones:
        yield from zone.variables


def _unused_values(subject: Subject) -> Iterator[Finding]:
    """Symbols of enums that are never gone through as a whole, nor a key of anything; faces of dice that are a slip of another word."""
    yield from _misspelt_faces(subject)
    spec = subject.spec
    per = {type_.name for type_ in _keys(subject.declared)}
    included = {symbol.name for enum in subject.declared.enums for symbol in enum.symbols}
    for enum in subject.declared.enums:
        if enum.name in subject.written or enum.name in per or enum.name in included:
            continue
        if enum.name not in subject.typed:
            yield Finding(enum.span, f"the enum `{enum.name}` is never used", help=_CURE)
            continue
        for symbol in enum.symbols:
            if symbol.name not in spec.enums and not subject.is_named(symbol.name):
                yield Finding(symbol.span, f"the value `{symbol.name}` of `{enum.name}` is never used", help=_CURE)


def _misspelt_faces(subject: Subject) -> Iterator[Finding]:
    """Words on dice that nothing asks for, and that are all but a word that something does ask for."""
    for kind in subject.declared.kinds:
        words = [item for item in kind.faces.items if isinstance(item, ast.Name)] if isinstance(kind.faces, ast.ListLiteral) else []
        count = Counter(word.name for word in words)
        asked = [name for name in subject.spec.symbols if subject.written[name] > count[name]]
        for word in words:
            meant = next((name for name in asked if is_slip(word.name, name)), None)
            if subject.written[word.name] == count[word.name] and meant is not None:
                yield Finding(
                    word.span, f"nothing asks for the face `{word.name}`, but something for `{meant}`",
                    help=did_you_mean([meant]), suggestion=meant,
                )  # fmt: skip


def _keys(declared: model.Declarations) -> Iterator[ast.TypeName]:
    """All types whose values are keys: of variables, zones, kinds, attributes."""
    owners: tuple[model.Kind | model.Zone, ...] = (*declared.kinds, *declared.zones)
    keyed = (*owners, *declared.variables, *(v for owner in owners for v in owner.variables))
    for holder in keyed:
        yield from (key for key in holder.per if isinstance(key, ast.TypeName))
    for owner in owners:
        yield from (a.per for a in owner.attributes if isinstance(a.per, ast.TypeName))


RULES = (
    Rule(
        310,
        "unused-option",
        Severity.WARNING,
        "An option that changes nothing",
        "No rule asks for this option, so whoever sets it plays the same game. Often the rule that should ask for it "
        "was forgotten.",
        example("options:\n  quick: {type: bool, default: false}\n" + POINTS),
        example("options:\n  quick: {type: bool, default: false}\nvariables: {points: \"0..10 = if quick then 5 else 0\"}\n"),
        _unused("option", lambda subject: subject.declared.options),
    ),
    Rule(
        311,
        "unused-constant",
        Severity.WARNING,
        "A constant that is never used",
        "The number that this constant names has no effect: perhaps it is written out somewhere, and changing the "
        "constant will not change the game.",
        example("constants: {goal: 9}\n" + POINTS),
        example("constants: {goal: 9}\n" + POINTS, {"points > 9": "points > goal"}),
        _unused("constant", lambda subject: subject.declared.constants),
    ),
    Rule(
        312,
        "unused-function",
        Severity.WARNING,
        "A function that is never called",
        "What this function computes is asked for nowhere.",
        example("functions:\n  \"far(n: int)\": n > 9\n" + POINTS),
        example("functions:\n  \"far(n: int)\": n > 9\n" + POINTS, {"points > 9": "far(points)"}),
        _unused("function", lambda subject: subject.declared.functions),
    ),
    Rule(
        313,
        "unused-procedure",
        Severity.WARNING,
        "A procedure that is never called",
        "These steps never happen. Often the call was forgotten, or stands under another name.",
        example("procedures:\n  advance(): points += 1\n" + POINTS),
        example("procedures:\n  advance(): points += 1\n" + POINTS, {"[points += 1]": "advance()"}),
        _unused("procedure", lambda subject: subject.declared.procedures),
    ),
    Rule(
        314,
        "unused-action",
        Severity.WARNING,
        "An action that is never offered",
        "No phase, step or group offers this action, so no player can ever take it.",
        example(POINTS, {"actions:\n  walk": "actions:\n  rest: {do: [points += 0]}\n  walk"}),
        example(
            POINTS,
            {"actions: walk": "actions: [walk, rest]", "actions:\n  walk": "actions:\n  rest: {do: [points += 0]}\n  walk"},
        ),
        _unused("action", lambda subject: subject.declared.actions),
    ),
    Rule(
        315,
        "unused-zone",
        Severity.WARNING,
        "A zone that nothing names",
        "Nothing is ever put into this zone or taken from it by name.",
        example("zones:\n  shelf: {}\n" + POINTS),
        example(POINTS),
        _unused("zone", _idle_zones),
    ),
    Rule(
        316,
        "unused-kind",
        Severity.WARNING,
        "A kind of pieces that never comes into play",
        "These dice are never rolled or asked for, or the union of kinds is no type of anything. (Other pieces start in a zone "
        "and are in play without being named.)",
        example("pieces:\n  die: {faces: 1..6}\n" + POINTS),
        example("pieces:\n  die: {faces: 1..6}\n" + POINTS, {"[points += 1]": "[roll(die), points += 1]"}),
        _unused("kind", _idle_kinds),
    ),
    Rule(
        317,
        "unused-variable",
        Severity.WARNING,
        "A variable that is neither read nor written",
        "It keeps its first value for ever, and nobody asks for it.",
        example("variables: {points: 0..10 = 0, rounds: 0..9 = 0}\n"),
        example(POINTS),
        _unused("variable", _all_variables),
    ),
    Rule(
        318,
        "unused-value",
        Severity.WARNING,
        "A value of an enum that is never used",
        "No rule gives or asks for this value, and the enum is nowhere gone through as a whole. An enum that no type "
        "and no rule names is reported as such, and a word on a die if it is one letter off a word that rules ask for.",
        example("enums: {mood: [glad, sad]}\nvariables: {points: 0..10 = 0, mine: mood = glad}\n",
                 {"points > 9": "points > 9 or mine == glad"}),
        example("enums: {mood: [glad, sad]}\nvariables: {points: 0..10 = 0, mine: mood = glad}\n",
                 {"points > 9": "points > 9 or mine == sad"}),
        _unused_values,
    ),
)  # fmt: skip
