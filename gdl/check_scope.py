"""Names while checking: what a spec declares, what is in reach at a place, and what is known of it there.

The checker's modules share one `Context` (the whole spec, the registry, the report) and pass `Scope`s down.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from attrs import Factory, define, evolve, field, frozen

from gdl import ast, model, typed
from gdl.diagnostics import Related, Report, did_you_mean, is_certain, is_close, is_slip, nearest
from gdl.nodes import changed
from gdl.registry import Registry
from gdl.source import Span
from gdl.typed import CheckedSpec, Local, TExpression
from gdl.types import ERROR, PLAYER, EnumType, OptionalType, PieceType, SpaceType, Type, without_none

PREDECLARED = ("player", "players", "it", "this", "viewer", "piece", "from", "to", "old", "new", "pass", "done")
"""Names with a meaning of their own, as far as they are no fields."""
SPECIAL_CALLS = ("possible", "after", "seen", "perform")
OWN_FIELDS = ("at", "owner", "kind", "number", "name", "copies")
"""Fields that every piece has, and columns that every table of pieces may have."""

Path = tuple[Any, ...]
Facts = Mapping[Path, Type]


@frozen(eq=False)
class Symbol:
    """What a bare word may stand for where its type is expected: an enum's symbol, a named space or row, a direction."""

    name: str
    type: Type
    make: Callable[[Span], TExpression]


@define(eq=False)
class GeometryFacts:
    """What the checker has to know of a geometry: the fields of its spaces and how many sizes it takes."""

    coordinates: tuple[str, ...]
    size_count: int


@frozen(eq=False)
class Rules:
    """The checks that lower modules need of higher ones: expressions contain calls, calls contain expressions."""

    expression: Callable[..., TExpression]
    value: Callable[..., TExpression]
    block: Callable[..., typed.TBlock]
    entry: Callable[..., typed.TEntry | None]
    procedure_call: Callable[..., typed.TStep | None]
    constant: Callable[..., TExpression]
    function: Callable[..., None]


MOST_HINTS = 50
"""For more unknown names nothing near is looked for: each is compared with all names there are."""
LITERALS = ("none", "true", "false")
"""Words of the grammar that stand where a name can."""
NAMES_ELSEWHERE = {
    "null": "none",
    "nil": "none",
    "None": "none",
    "True": "true",
    "False": "false",
    "self": "this",
    "len": "size",
    "length": "size",
}
"""What other languages call things, where no similarity of letters leads to what they are called here."""


@define(eq=False)
class Context:
    """Everything that the checker's modules share.

    `overloads`: which entry each call of several was found to mean, so that calls in calls are not tried again for every trial outside.
    """

    spec: CheckedSpec
    registry: Registry
    geometries: Mapping[str, GeometryFacts]
    report: Report
    rules: Rules
    values: dict[str, Any] = Factory(dict)
    value_spans: dict[str, Span] = Factory(dict)
    calls: dict[str, Any] = Factory(dict)
    call_spans: dict[str, Span] = Factory(dict)
    symbols: dict[str, list[Symbol]] = Factory(dict)
    phases: dict[str, typed.PhaseInfo] = Factory(dict)
    function_state: dict[str, str] = Factory(dict)
    constant_state: dict[str, str] = Factory(dict)
    function_bodies: dict[str, model.Function] = Factory(dict)
    player_calls: list[tuple[typed.Unit | None, bool, typed.Unit, Span]] = Factory(list)
    player_uses: list[tuple[typed.Unit, Span]] = Factory(list)
    hints_given: int = 0
    overloads: dict[tuple[object, ...], Any] = Factory(dict)

    def expression(self, scope: Scope, node: ast.Expression, expected: Type | None = None) -> TExpression:
        """A typed expression; `expected` helps to find symbols."""
        return self.rules.expression(self, scope, node, expected)

    def value(self, scope: Scope, node: ast.Expression, target: Type, what: str = "") -> TExpression:
        """A value of a type; anything else is an error at the node."""
        return self.rules.value(self, scope, node, target, what)

    def block(self, scope: Scope, block: ast.Block) -> typed.TBlock:
        """A typed list of steps."""
        return self.rules.block(self, scope, block)

    def declare(self, table: str, name: str, what: Any, span: Span) -> None:
        """Put a name into the namespace `values` or `calls`; a second declaration is an error that shows the first."""
        names, spans = (self.values, self.value_spans) if table == "values" else (self.calls, self.call_spans)
        if table == "values" and name in PREDECLARED:
            self.report.error("duplicate-name", span, f"`{name}` has a meaning of its own everywhere", help="choose another name")
            return
        if table == "calls" and (name in self.registry.builtins or name in self.registry.effects or name in SPECIAL_CALLS):
            self.report.error("duplicate-name", span, f"`{name}` is built in", help="choose another name")
            return
        if name in names:
            related = (Related(spans[name], "first declared here"),) if name in spans else ()
            self.report.error("duplicate-name", span, f"`{name}` is declared twice", related=related)
            if table == "values":  # which of them the name means can't be told
                names[name] = typed.Faulty(span, ERROR)
            return
        names[name] = what
        spans[name] = span

    def add_symbol(self, symbol: Symbol) -> None:
        """Make a symbol known."""
        self.symbols.setdefault(symbol.name, []).append(symbol)

    def unknown(
        self,
        code: str,
        span: Span,
        message: str,
        name: str,
        candidates: Iterable[str],
        label: str = "",
        otherwise: str = "",
        fitting: Iterable[str] | None = None,
    ) -> None:
        """Report a name that nothing has, with the nearest that something has; `otherwise` is the cure if nothing is near.

        `fitting` are those that belong at the place, as far as that is known: of others only one that is a slip away is suggested.
        """
        found: list[str] = []
        certain = False
        if self.hints_given < MOST_HINTS:
            self.hints_given += 1
            possible = [*candidates]
            here = NAMES_ELSEWHERE.get(name)
            found = nearest(name, possible)
            if fitting is not None:
                found = _likeliest(name, found, nearest(name, fitting))
            if here is not None and here in (*LITERALS, *possible) and not any(is_slip(name, word) for word in found):
                found = [here]
            certain = found == [here] or is_certain(name, found)
        suggestion = found[0] if found else None
        cure = did_you_mean(found, otherwise)
        self.report.error(code, span, message, label=label, help=cure, suggestion=suggestion, wrong=name, certain=certain)


def _likeliest(name: str, found: list[str], fitting: list[str]) -> list[str]:
    """The names that belong at a place, unless only others are a slip away."""
    others = [other for other in found if other not in fitting and is_close(name, other)]
    return fitting if fitting and (not others or any(is_close(name, word) for word in fitting)) else others


@define(eq=False)
class Scope:
    """The names in reach at a place and what is known of them.

    `player`: the local of the acting player, or none; `why_no_player` says why not. `constant`: nothing that changes may be read.
    `facts`: narrowed types by path.
    `unit`: the body that the place belongs to. `words`: what could stand here instead of an expression, for hints.
    """

    locals: dict[str, Local] = field(factory=dict)
    parent: Scope | None = None
    player: Local | None = None
    unit: typed.Unit | None = None
    constant: bool = False
    pure: bool = False
    facts: Facts = field(factory=dict)
    loops: int = 0
    words: tuple[str, ...] = ()

    def nearest_player(self) -> str:
        """The name of the innermost local that is a player; `player` if there is none."""
        scope: Scope | None = self
        while scope is not None:
            for name, local in scope.locals.items():
                if local.type == PLAYER:
                    return name
            scope = scope.parent
        return "player"

    def chosen(self) -> str | None:
        """The name of the innermost local that is neither a player who acts nor predeclared; none if there is none."""
        scope: Scope | None = self
        while scope is not None:
            for name in scope.locals:
                if name not in PREDECLARED:
                    return name
            scope = scope.parent
        return None

    def find(self, name: str) -> Local | None:
        """The local of that name, from the innermost scope outwards."""
        scope: Scope | None = self
        while scope is not None:
            if name in scope.locals:
                return scope.locals[name]
            scope = scope.parent
        return None

    def names(self) -> list[str]:
        """All locals in reach."""
        result: list[str] = []
        scope: Scope | None = self
        while scope is not None:
            result += list(scope.locals)
            scope = scope.parent
        return result

    def known_types(self) -> tuple[object, ...]:
        """What types depend on here: the locals in reach with their types, and what is known beyond that."""
        result: list[object] = list(self.facts.values())
        scope: Scope | None = self
        while scope is not None:
            result += [(name, local.type) for name, local in scope.locals.items()]
            scope = scope.parent
        return tuple(result)

    def child(self, *locals_: Local, **changes: Any) -> Scope:
        """A scope inside this one, with more locals."""
        return evolve(self, locals={x.name: x for x in locals_}, parent=self, **changes)

    def knowing(self, facts: Facts) -> Scope:
        """The same scope where more is known."""
        return evolve(self, locals={}, parent=self, facts={**self.facts, **facts}) if facts else self


def path_of(expression: TExpression) -> Path | None:
    """The chain of a local and fields that an expression is, or none: what narrowing can remember."""
    match expression:
        case typed.LocalValue(local=local):
            return (local,)
        case (
            typed.Property(name=name, target=target)
            | typed.AttributeValue(infos=[typed.AttributeInfo(name=name), *_], target=target, keys=())
        ):
            inner = path_of(target)
            return None if inner is None else (*inner, name)
        case typed.VariableValue(infos=[info, *_], target=None, keys=()):
            return (info,)
        case typed.VariableValue(infos=[info, *_], target=target, keys=()) if target is not None:
            inner = path_of(target)
            return None if inner is None else (*inner, info.name)
        case typed.VariableValue(infos=[info, *_], target=None, keys=[typed.LocalValue(local=local)]):
            return (info, local)
        case typed.Convert(form="only_piece", operand=typed.KindPieces(kinds=kinds, keys=())):
            return kinds
    return None


def narrowed(scope: Scope, expression: TExpression) -> TExpression:
    """The expression with the type that is known of it at this place."""
    path = path_of(expression)
    if path is not None and path in scope.facts:
        return changed(expression, type=scope.facts[path])
    return expression


def facts_of(condition: TExpression, truth: bool) -> dict[Path, Type]:
    """What is known where the condition is true (or false)."""
    match condition:
        case typed.Negation(operand=operand):
            return facts_of(operand, not truth)
        case typed.Both(operator=operator, left=left, right=right) if (operator == "and") == truth:
            return {**facts_of(left, truth), **facts_of(right, truth)}
        case typed.Comparison(operator=operator, left=left, right=right) if operator in ("==", "!="):
            return _facts_of_equality(left, right, equal=(operator == "==") == truth)
        case typed.KindTest(operand=operand, negated=negated):
            return _facts_of_test(condition, operand, truth != negated)
        case typed.Membership(element=element, negated=negated, collection=collection) if truth != negated:
            if not isinstance(_element_type(collection.type), OptionalType):
                return _known(element, without_none(element.type))
    return {}


def facts_of_elements(source: TExpression, local: typed.Local) -> dict[Path, Type]:
    """What is known of every element of a list, under the name `local`: what the conditions of `where` and `while` in it say."""
    match source:
        case typed.ListOperator(operator="where" | "while", source=inner, local=own, body=body):
            facts = facts_of(body, True)
            here = {(local, *path[1:]): type_ for path, type_ in facts.items() if path[0] is own and len(path) > 1}
            return facts_of_elements(inner, local) | here
        case typed.ListOperator(operator="by" | "until", source=inner):
            return facts_of_elements(inner, local)
    return {}


def _element_type(type_: Type) -> Type:
    return getattr(type_, "element", ERROR)


def _known(expression: TExpression, type_: Type) -> dict[Path, Type]:
    path = path_of(expression)
    return {} if path is None or type_ == expression.type else {path: type_}


def _facts_of_equality(left: TExpression, right: TExpression, *, equal: bool) -> dict[Path, Type]:
    none_left, none_right = _is_none(left), _is_none(right)
    if none_left or none_right:
        tested = right if none_left else left
        return {} if equal else _known(tested, without_none(tested.type))
    if not equal:
        return {}
    facts: dict[Path, Type] = {}
    if not isinstance(right.type, OptionalType):
        facts |= _known(left, without_none(left.type))
    if not isinstance(left.type, OptionalType):
        facts |= _known(right, without_none(right.type))
    return facts


def _is_none(expression: TExpression) -> bool:
    return str(expression.type) == "none"


def _facts_of_test(test: typed.KindTest, operand: TExpression, holds: bool) -> dict[Path, Type]:
    inner = without_none(operand.type)
    if isinstance(inner, PieceType) and test.kinds:
        kinds = tuple(k for k in inner.kinds if (k in test.kinds) == holds)
        return _known(operand, PieceType(kinds)) if kinds and (holds or inner == operand.type) else {}
    if isinstance(inner, SpaceType) and test.zones:
        if holds:
            zones = test.zones if inner.zones is None else tuple(z for z in inner.zones if z in test.zones)
        else:
            zones = () if inner.zones is None else tuple(z for z in inner.zones if z not in test.zones)
        return _known(operand, SpaceType(zones)) if zones and (holds or inner == operand.type) else {}
    if isinstance(inner, EnumType) and test.symbols and holds:
        return _known(operand, test.enum or inner)
    return {}
