"""The typed tree: what the checker hands to the engines. Every name is resolved to what it means, every expression has its type.

Nothing behind the checker looks a name up in a spec by string. Nodes keep their spans, so that a fault at run time can point at
the text. Nodes compare by identity.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from attrs import define, field, frozen

from gdl import model
from gdl.ast import Template as SyntaxTemplate
from gdl.nodes import changed, node
from gdl.registry import Entry
from gdl.source import Span
from gdl.types import Type

# --- what declarations become -----------------------------------------------------------------------------------------


@define(eq=False)
class Local:
    """A name that lives in a body: a parameter, a `let`, an element (`it`, a binder), or the acting player.

    `assigned`: a `let` that is given a new value later. `low`, `high`: the bounds of a parameter whose type is a range.
    """

    name: str
    type: Type
    span: Span = field(repr=False)
    assigned: bool = False
    low: TExpression | None = None
    high: TExpression | None = None


@frozen
class Domain:
    """What a variable can hold. `form` is `bool`, `range`, `symbol` (enum), `player`, `piece`, `space`, `direction`, `set` or `list`.

    `none`: none as well. `low`, `high`: constant bounds of a range. `element`: the domain of a set's or list's elements;
    `maximum`: of a list.
    """

    form: str
    type: Type
    none: bool = False
    low: TExpression | None = None
    high: TExpression | None = None
    element: Domain | None = None
    maximum: TExpression | None = None


@define(eq=False)
class Holder:
    """Whose a variable or attribute is: `global`, `kind` or `zone`; `name` of the kind or zone."""

    form: str
    name: str = ""


@define(eq=False)
class VariableInfo:
    """A declared variable. `per`: domains of its keys (player first for `per: player`). `this`: the local of `start`, if it has an owner.

    `seat` is the local that stands for the player in the start value (and in `visible`) of a per-player variable; `visible` is a word,
    or a condition over the local `viewer`.
    """

    name: str
    holder: Holder
    domain: Domain
    per: tuple[Domain, ...]
    span: Span = field(repr=False)
    clamp: bool = False
    start: TExpression | None = None
    this: Local | None = None
    seat: Local | None = None
    when: TExpression | None = None
    visible: TExpression | str = "all"
    viewer: Local | None = None
    declaration: model.Variable | None = field(default=None, repr=False)


@define(eq=False)
class AttributeInfo:
    """A fixed property. `values`: its formula or cell for each row (see `RowInfo`), or the default for all, over `this`."""

    name: str
    holder: Holder
    type: Type
    span: Span = field(repr=False)
    per: Domain | None = None
    default: TExpression | None = None
    this: Local | None = None
    parameters: tuple[Local, ...] = ()


@define(eq=False)
class RowInfo:
    """A row of a table: values by attribute name (or `attribute.symbol`), start values of variables, `at`, `copies`, `when`.

    `place`: for a zone with a geometry, the coordinates (or `index`) of the space that the row is about.
    """

    name: str
    span: Span = field(repr=False)
    values: dict[str, TExpression] = field(factory=dict)
    place: dict[str, TExpression] = field(factory=dict)
    effects: dict[str, Unit] = field(factory=dict)
    starts: dict[str, TExpression] = field(factory=dict)
    at: TExpression | None = None
    copies: TExpression | None = None
    when: TExpression | None = None


@define(eq=False)
class KindInfo:
    """A kind of pieces. `members` are the kinds of a union, or just its own name."""

    name: str
    declaration: model.Kind = field(repr=False)
    members: tuple[str, ...] = ()
    per: tuple[Domain, ...] = ()
    count: TExpression | None = None
    at: TExpression | None = None
    faces: tuple[TExpression, ...] | TExpression | None = None
    each: tuple[tuple[str, TExpression], ...] = ()
    rows: tuple[RowInfo, ...] | None = None
    label: TTemplate | None = None
    when: TExpression | None = None
    this: Local | None = None
    attributes: dict[str, AttributeInfo] = field(factory=dict)
    variables: dict[str, VariableInfo] = field(factory=dict)


@define(eq=False)
class ZoneInfo:
    """A zone. `key_names`: the field of each key. `coordinates`: fields that its geometry gives. `single`: one space per copy.

    The parts of a zone's cells, and the edges between its spaces, are zones of their own, called `board.part` and `board.edge`;
    `base` is then `board`.
    """

    name: str
    declaration: model.Zone = field(repr=False)
    per: tuple[Domain, ...] = ()
    key_names: tuple[str, ...] = ()
    coordinates: tuple[str, ...] = ()
    single: bool = True
    sizes: tuple[TExpression, ...] = ()
    cells: TExpression | None = None
    capacity: TExpression | None = None
    refill: TExpression | None = None
    visible: TExpression | str = "all"
    viewer: Local | None = None
    it: Local | None = None
    holds: tuple[str, ...] = ()
    rows: tuple[RowInfo, ...] | None = None
    label: TTemplate | None = None
    this: Local | None = None
    forward: tuple[int, ...] = ()
    attributes: dict[str, AttributeInfo] = field(factory=dict)
    variables: dict[str, VariableInfo] = field(factory=dict)
    base: str = ""


@define(eq=False)
class Unit:
    """Something that runs or is computed: function, procedure, action, trigger, effect cell, the setup, the phases.

    `player` is the local of the acting player, or none where nothing sets one. A function has `bindings` and `value`; the others `body`.
    """

    form: str
    name: str
    span: Span = field(repr=False)
    parameters: tuple[Local, ...] = ()
    defaults: tuple[TExpression | None, ...] = ()
    player: Local | None = None
    body: TBlock | None = None
    bindings: tuple[tuple[Local, TExpression], ...] = ()
    value: TExpression | None = None
    needs_player: bool = False


@define(eq=False)
class ActionInfo(Unit):
    """An action: what is chosen, the guard (or the condition that is tested first), its keys, its label."""

    choices: tuple[TBinder, ...] = ()
    before: TExpression | None = None
    guard: TExpression | None = None
    label: TTemplate | None = None
    keys: TKeys | None = None
    group: TDecide | None = None
    declaration: model.Action | None = field(default=None, repr=False)


def members(entry: TEntry) -> Iterator[ActionInfo]:
    """The actions that an entry of a decision stands for: of a group its members, and those of groups in it."""
    if entry.action.group is None:
        yield entry.action
    else:
        for each in entry.action.group.entries:
            yield from members(each)


@define(eq=False)
class TriggerInfo(Unit):
    """A trigger: its events; `phase` it lives in (none: always); its locals by name (`piece`, `from`, `to`, `old`, `new`, `this`, …)."""

    events: tuple[TEvent, ...] = ()
    when: TExpression | None = None
    phase: str | None = None
    locals: dict[str, Local] = field(factory=dict)


@frozen
class TEvent:
    """`form` is enter, leave, change, start, end, turn_start, turn_end, after, emptied or shuffled.

    `names`: zones, variable, phase or action.
    """

    form: str
    span: Span
    zones: tuple[str, ...] = ()
    variable: VariableInfo | None = None
    name: str = ""


# --- expressions ------------------------------------------------------------------------------------------------------


@node
class TExpression:
    """Base of all typed expressions."""

    span: Span
    type: Type


@node
class Constant(TExpression):
    """A known value: an int, a string, `NONE`, a tuple of such, or (for a table) a dict."""

    value: Any


@node
class OptionValue(TExpression):
    """The value of an option: known at set-up."""

    name: str


@node
class NamedConstant(TExpression):
    """A constant of the spec: known at set-up."""

    name: str


@node
class AllPlayers(TExpression):
    """`players`."""


@node
class LocalValue(TExpression):
    """The value of a local."""

    local: Local


@node
class KindPieces(TExpression):
    """The pieces of a kind (or union), or of those that belong to the owner given by `keys`.

    `indices` pick one of them: by its number, or (`by_values`) by its `each` attributes and, of several copies, the copy's number.
    """

    kinds: tuple[str, ...]
    keys: tuple[TExpression, ...] = ()
    indices: tuple[TExpression, ...] = ()
    by_values: bool = False


@node
class ZoneSpaces(TExpression):
    """Spaces of a zone: of the copies that `keys` leave open, and of those one if `indices` are given or the copy has only one."""

    zone: str
    keys: tuple[TExpression, ...] = ()
    indices: tuple[TExpression, ...] = ()


@node
class RowPiece(TExpression):
    """The (first) piece of a row that has a name."""

    kind: str
    row: int


@node
class RowSpace(TExpression):
    """A space with a name: of `spaces:`, a table or a graph."""

    zone: str
    row: int


@node
class VariableValue(TExpression):
    """The value of a variable; `infos` has several where the target may be of several kinds or zones. `keys` come after the target."""

    infos: tuple[VariableInfo, ...]
    target: TExpression | None
    keys: tuple[TExpression, ...] = ()


@node
class AttributeValue(TExpression):
    """The value of an attribute, of kinds or zones; `keys`: the index of one with `per`; `arguments`: of a `computed` one."""

    infos: tuple[AttributeInfo, ...]
    target: TExpression
    keys: tuple[TExpression, ...] = ()
    arguments: tuple[TExpression, ...] | None = None


@node
class Property(TExpression):
    """What pieces, spaces, players and placements have by themselves.

    `name`: at owner kind number name face value index zone row col cell out, or a key's field.
    """

    name: str
    target: TExpression


@node
class BuiltinCall(TExpression):
    """A call of a builtin. `arguments` by parameter, none where left out; `each` parameters are `EachBody`."""

    entry: Entry
    arguments: tuple[TExpression | EachBody | TTemplate | None, ...]


@node
class EachBody:
    """An expression evaluated for each element, `local`."""

    local: Local
    body: TExpression


@node
class FunctionCall(TExpression):
    """A call of a function of the spec."""

    unit: Unit
    arguments: tuple[TExpression, ...]


@node
class Possible(TExpression):
    """`possible(action…, p)`: whether `player` has a legal move in one of the entries now."""

    entries: tuple[TEntry, ...]
    cells: tuple[TExpression, ...]
    player: TExpression


@node
class After(TExpression):
    """`after(effect, cond)`."""

    effect: TCall
    condition: TExpression


@node
class Seen(TExpression):
    """`seen(history[, n])`; `player` is the acting player, if the history is of that too."""

    history: str
    last: TExpression | None
    player: TExpression | None = None


@node
class ListOperator(TExpression):
    """`source operator body` for each element `local`: where, select, by, while, until."""

    operator: str
    source: TExpression
    local: Local
    body: TExpression


@node
class Conditional(TExpression):
    """`if condition then … else …`."""

    condition: TExpression
    then: TExpression
    otherwise: TExpression


@node
class Both(TExpression):
    """`left and right` (operator `and`) or `left or right`."""

    operator: str
    left: TExpression
    right: TExpression


@node
class Negation(TExpression):
    """`not operand`."""

    operand: TExpression


@node
class Comparison(TExpression):
    """`== != < <= > >=`. `order` are symbol numbers in the order of their enum, if that isn't their numeric order."""

    operator: str
    left: TExpression
    right: TExpression
    order: tuple[int, ...] | None = None


@node
class Membership(TExpression):
    """`element in collection`; the collection is a list, a set or a range."""

    element: TExpression
    collection: TExpression
    negated: bool


@node
class KindTest(TExpression):
    """`operand is kind`: kinds of pieces, zones of spaces, or symbols of an included enum; false for none."""

    operand: TExpression
    kinds: tuple[str, ...] = ()
    zones: tuple[str, ...] = ()
    symbols: tuple[int, ...] = ()
    negated: bool = False
    enum: Type | None = None


@node
class Coalesce(TExpression):
    """`left ?? right`."""

    left: TExpression
    right: TExpression


@node
class NumberRange(TExpression):
    """`low..high` as a list of numbers."""

    low: TExpression
    high: TExpression


@node
class Arithmetic(TExpression):
    """`+ - * // %` on numbers."""

    operator: str
    left: TExpression
    right: TExpression


@node
class Minus(TExpression):
    """`-operand`."""

    operand: TExpression


@node
class ListJoin(TExpression):
    """Lists (or sets): `left + right`, `left - right`."""

    operator: str
    left: TExpression
    right: TExpression


@node
class MakeList(TExpression):
    """`[a, b]`."""

    items: tuple[TExpression, ...]


@node
class MakeTable(TExpression):
    """`{2: 6, 3..5: 1}`; a key is an expression or a range."""

    entries: tuple[tuple[TExpression, TExpression], ...]


@node
class Lookup(TExpression):
    """`table[key]`: none where the key is missing."""

    table: TExpression
    key: TExpression


@node
class Element(TExpression):
    """`list[n]`."""

    source: TExpression
    index: TExpression


@node
class Convert(TExpression):
    """A value seen as another type, in the way that `form` says.

    `value` of an optional one (a fault if none); `pieces` of a space; `pieces_of_spaces` of a list; `only_piece` of a kind with
    one piece;
    `set` from a list; `list` from a set; `text` for display.
    """

    form: str
    operand: TExpression


@node
class Faulty(TExpression):
    """Stands where a mistake was reported; never evaluated."""


@node
class TTemplate:
    """Text with holes; parts are strings and expressions."""

    span: Span
    parts: tuple[str | TExpression, ...]
    source: SyntaxTemplate | None = None


# --- steps ------------------------------------------------------------------------------------------------------------


@node
class TStep:
    """Base of all typed steps."""

    span: Span


@node
class TBlock:
    """A list of steps."""

    span: Span
    steps: tuple[TStep, ...]


@node
class TBinder:
    """`name in domain`."""

    local: Local
    domain: TExpression
    given: TExpression | None = None


@node
class TAssign(TStep):
    """Assignment to a variable (`target` a VariableValue) or local (a LocalValue); operator `=`, `+=`, `-=`."""

    operator: str
    target: TExpression
    value: TExpression | TEffect


@node
class TLet(TStep):
    """A local gets its value."""

    local: Local
    value: TExpression | TEffect


@node
class TEffect(TStep):
    """A call of an elementary effect; `arguments` by parameter, none where left out. `value`: what it evaluates to, none for nothing."""

    entry: Entry
    arguments: tuple[Any, ...]
    value: Type | None = None


@node
class TMoveRandom(TStep):
    """`move(pick(xs), s)`: a random effect as the first argument of `move`."""

    effect: TEffect
    move: TEffect
    local: Local


@node
class TCall(TStep):
    """A call of a procedure. `arguments` by parameter."""

    unit: Unit
    arguments: tuple[TExpression, ...]
    player: TExpression | None


@node
class TPerform(TStep):
    """`perform(cell[, p])`: the steps of an effect attribute (or a list of such)."""

    cell: TExpression
    player: TExpression | None


@node
class TControl(TStep):
    """What directs the flow: win, lose, tie, end_game, end_phase, end_turn, again, next_turn, stop, return.

    `phase` for `end_phase(name)`.
    """

    form: str
    argument: TExpression | None = None
    phase: str | None = None


@node
class TRecord(TStep):
    """`record(history)` (form record) and `forget(history)`; `player` as in `Seen`."""

    form: str
    history: str
    player: TExpression | None


@node
class TSwap(TStep):
    """`swap(a, b)` of two variables."""

    first: VariableValue
    second: VariableValue


@node
class TIf(TStep):
    """`if`."""

    condition: TExpression
    then: TBlock
    otherwise: TBlock | None


@node
class TMatch(TStep):
    """`match`: keys are constants or ranges (`NumberRange`) or lists of such."""

    subject: TExpression
    cases: tuple[tuple[TExpression, TBlock], ...]
    otherwise: TBlock | None


@node
class TFor(TStep):
    """`for`."""

    local: Local
    source: TExpression
    body: TBlock


@node
class TRepeat(TStep):
    """`repeat`."""

    count: TExpression
    body: TBlock


@node
class TWhile(TStep):
    """`while`."""

    condition: TExpression
    body: TBlock


@node
class TAs(TStep):
    """`as: p`: `player` is the local inside."""

    player: TExpression
    local: Local
    body: TBlock


@node
class TTogether(TStep):
    """`together`: a branch for each of the players, whose acting player is `local`."""

    players: TExpression
    sealed: bool
    local: Local
    body: TBlock


@node
class TPlace(TStep):
    """A diagram: for each zone, or copy of one, its rows of characters, and what each character means."""

    rows: tuple[tuple[ZoneSpaces, tuple[str, ...]], ...]
    legend: dict[str, TPlaceMeaning]


@node
class TPlaceMeaning:
    """A piece of a kind (with owner and variable values) or assignments to the variables of a cell and, by number, of its parts."""

    span: Span
    kind: str = ""
    keys: tuple[TExpression, ...] = ()
    values: tuple[tuple[VariableInfo | AttributeInfo, TExpression], ...] = ()
    parts: tuple[tuple[int, VariableInfo, TExpression], ...] = ()


@node
class TEntry:
    """An action in a decision, with the arguments of its parameters and the choices that are given."""

    span: Span
    action: ActionInfo
    arguments: tuple[TExpression, ...]
    given: dict[str, TExpression]


@node
class TKeys:
    """The keys that decisions share. `acting` is the local of the player who decides, bound when `by` is given."""

    span: Span
    name: str = ""
    by: TExpression | None = None
    acting: Local | None = None
    prompt: TTemplate | None = None
    passing: TBlock | None = None
    otherwise: TBlock | None = None
    lower: TExpression | None = None
    upper: TExpression | None = None
    most: TExpression | None = None


@node
class TDecide(TStep):
    """A decision over the moves of `entries` (an `actions:` step)."""

    entries: tuple[TEntry, ...]
    keys: TKeys


@node
class TChoose(TStep):
    """A decision over the values of binders.

    With `count:`, `chosen` is the list of what was chosen and the only binder's local its element.
    """

    binders: tuple[TBinder, ...]
    guard: TExpression | None
    keys: TKeys
    body: TBlock
    chosen: Local | None = None
    label: TTemplate | None = None


# --- phases and the whole ---------------------------------------------------------------------------------------------


@define(eq=False)
class PhaseInfo:
    """A phase. `path` is `round.hunt`. `counter` is its `for` local, `seat` the local of whose turn it is, `asked` that of `skip`."""

    name: str
    path: str
    declaration: model.Phase = field(repr=False)
    counter: Local | None = None
    loop: TExpression | None = None
    until: TExpression | None = None
    when: TExpression | None = None
    start: TExpression | None = None
    order: TExpression | str = "clockwise"
    skip: TExpression | None = None
    asked: Local | None = None
    seat: Local | None = None
    phases: tuple[PhaseInfo, ...] = ()
    body: TBlock | None = None


@define(eq=False)
class EndInfo:
    """An entry of `end`."""

    declaration: model.End
    when: TExpression
    players: TExpression | None


@define(eq=False)
class ResultInfo:
    """`result`: formulas over the local `seat`."""

    seat: Local
    score: tuple[tuple[str, TExpression], ...]
    ranking: tuple[tuple[bool, TExpression | None], ...]


@define(eq=False)
class HeuristicInfo:
    """`heuristic`: a formula over the local `seat`."""

    seat: Local
    value: TExpression


@define(eq=False)
class OptionInfo:
    """An option; `type` is a number, a boolean or an enum of its own."""

    name: str
    declaration: model.Option
    type: Type


@define(eq=False)
class CheckedSpec:
    """A whole spec after the checker. `symbols[n]` is the name of symbol n.

    Facts that do not depend on players or options are kept here, once somebody asked for them: `walked` are the nodes by class (see
    `gdl.walk`), `dependences` is what expressions depend on (see `gdl.dependence`), `children` are the nodes right below a node,
    `found` is what the interpreter has found out, by name.
    """

    declarations: model.Declarations
    symbols: list[str] = field(factory=list)
    enums: dict[str, Type] = field(factory=dict)
    options: dict[str, OptionInfo] = field(factory=dict)
    constants: dict[str, TExpression] = field(factory=dict)
    kinds: dict[str, KindInfo] = field(factory=dict)
    zones: dict[str, ZoneInfo] = field(factory=dict)
    variables: dict[str, VariableInfo] = field(factory=dict)
    seats: tuple[str, ...] = ()
    functions: dict[str, Unit] = field(factory=dict)
    procedures: dict[str, Unit] = field(factory=dict)
    actions: dict[str, ActionInfo] = field(factory=dict)
    setup: Unit | None = None
    phases: tuple[PhaseInfo, ...] = ()
    triggers: tuple[TriggerInfo, ...] = ()
    end: tuple[EndInfo, ...] = ()
    result: ResultInfo | None = None
    heuristic: HeuristicInfo | None = None
    histories: dict[str, tuple[tuple[VariableInfo | str, ...], TExpression]] = field(factory=dict)
    turn_limit: TExpression | None = None
    depth_limit: TExpression | None = None
    fuel_limit: TExpression | None = None
    invariants: tuple[TExpression, ...] = ()
    walked: dict[type, list[Any]] = field(factory=dict, repr=False)
    children: dict[Any, list[Any]] = field(factory=dict, repr=False)
    found: dict[str, Any] = field(factory=dict, repr=False)
    dependences: dict[Any, Any] = field(factory=dict, repr=False)


def evolve_span(expression: TExpression, span: Span) -> TExpression:
    """The same expression, at another place."""
    return changed(expression, span=span)


def with_passing(keys: TKeys, block: TBlock) -> TKeys:
    """The keys with another `pass:`."""
    return changed(keys, passing=block)


def with_otherwise(keys: TKeys, block: TBlock) -> TKeys:
    """The keys with another `else:`."""
    return changed(keys, otherwise=block)


def with_most(keys: TKeys, most: TExpression) -> TKeys:
    """The keys with `most:`."""
    return changed(keys, most=most)
