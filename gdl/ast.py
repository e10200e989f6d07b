"""The syntax tree of the language: one small frozen class per form, no behaviour.

Built by `gdl.expression_parser` (everything inside a string) and `gdl.loader` (steps, which YAML structures). Nodes compare by
identity, so that side tables can be keyed on them. Every node has the span of its text.
"""

from __future__ import annotations

from gdl.nodes import node
from gdl.source import Fragment, Span


@node
class Node:
    """Anything with a place in a file."""

    span: Span


# --- expressions ------------------------------------------------------------------------------------------------------


@node
class Expression(Node):
    """Base of all expressions."""


@node
class Invalid(Expression):
    """What stands where an expression could not be read. It has been reported; whatever meets it stays silent."""


@node
class Name(Expression):
    """A bare word: a local, a symbol, a zone, a kind, an option and so on."""

    name: str


@node
class Number(Expression):
    """An integer literal, never negative (`-1` is `Negate(Number(1))`)."""

    value: int


@node
class Text(Expression):
    """A string literal; `value` is what stands between the quotes, `letters` the same with the place of each character.

    There are `letters` in expressions only: a quoted YAML scalar or a cell may have escapes in the middle of them.
    """

    value: str
    letters: Fragment | None = None


@node
class Literal(Expression):
    """`true`, `false` or `none` (value None)."""

    value: bool | None


@node
class Field(Expression):
    """`target.name`."""

    target: Expression
    name: str
    name_span: Span


@node
class Index(Expression):
    """`target[a, b]`."""

    target: Expression
    arguments: tuple[Expression, ...]


@node
class Argument(Node):
    """One argument of a call: `value`, `keyword=value`, or `value as binder`."""

    value: Expression
    keyword: Name | None = None
    binder: Name | None = None


@node
class Call(Expression):
    """`function(arguments)`: a builtin, effect, function, procedure or action, by name; or a row's formula, `m.condition(p)`, by field."""

    function: Name | Field
    arguments: tuple[Argument, ...]


@node
class Link(Node):
    """One list operator of a chain: `where cond`, `select e`, `by e`, `while c`, `until c`. `binder` is the name after `as`."""

    operator: str
    body: Expression
    binder: Name | None = None


@node
class Chain(Expression):
    """`source where … select …`: a list and what is done to it, link by link."""

    source: Expression
    links: tuple[Link, ...]


@node
class If(Expression):
    """`if condition then then else otherwise`."""

    condition: Expression
    then: Expression
    otherwise: Expression


@node
class Logic(Expression):
    """`left and right`, `left or right`; `operator` is the word."""

    operator: str
    left: Expression
    right: Expression


@node
class Not(Expression):
    """`not operand`."""

    operand: Expression


@node
class Compare(Expression):
    """`left operator right` with `== != < <= > >= in not in` (`not in` is written with one blank in `operator`)."""

    operator: str
    left: Expression
    right: Expression


@node
class Is(Expression):
    """`operand is kind`, `operand is not kind`."""

    operand: Expression
    kind: TypeName
    negated: bool


@node
class Coalesce(Expression):
    """`left ?? right`."""

    left: Expression
    right: Expression


@node
class Range(Expression):
    """`low..high`, both ends included."""

    low: Expression
    high: Expression


@node
class Arithmetic(Expression):
    """`left operator right` with `+ - * // %`; `+` and `-` also on lists."""

    operator: str
    left: Expression
    right: Expression


@node
class Negate(Expression):
    """`-operand`."""

    operand: Expression


@node
class ListLiteral(Expression):
    """`[a, b]`, or a YAML list where an expression is expected."""

    items: tuple[Expression, ...]


@node
class TableLiteral(Expression):
    """`{key: value, …}`, or a YAML map where an expression is expected; keys may be ranges."""

    entries: tuple[tuple[Expression, Expression], ...]


@node
class Template(Node):
    """Text with holes: `"{player} marks {cell}"`. Parts are strings (with `{{` already a brace) and expressions in order."""

    parts: tuple[str | Expression, ...]


# --- types, signatures, binders ---------------------------------------------------------------------------------------


@node
class TypeExpression(Node):
    """Base of all written types."""


@node
class InvalidType(TypeExpression):
    """What stands where a type could not be read. It has been reported; whatever meets it stays silent."""


@node
class TypeName(TypeExpression):
    """`int`, `player`, an enum, a kind, a zone, or `zone.part` (then `part` is the word behind the dot)."""

    name: str
    part: str | None = None


@node
class OptionalType(TypeExpression):
    """`T or none`."""

    inner: TypeExpression


@node
class RangeType(TypeExpression):
    """`low..high` as a type."""

    low: Expression
    high: Expression


@node
class SetType(TypeExpression):
    """`set[T]`."""

    element: TypeExpression


@node
class ListType(TypeExpression):
    """`list[T]`, `list[T, max n]`."""

    element: TypeExpression
    maximum: Expression | None = None


@node
class ComputedType(TypeExpression):
    """`computed T (p: player)`."""

    result: TypeExpression
    parameters: tuple[Parameter, ...]


@node
class Declared(Node):
    """A type with a start or default: `0..46 = 10`. `effect` is the type name `effect`."""

    type: TypeExpression
    default: Expression | None


@node
class Parameter(Node):
    """`name: type = default` in a signature."""

    name: Name
    type: TypeExpression
    default: Expression | None = None


@node
class Signature(Node):
    """`name(parameters)`, the key of a function, procedure or action. `parenthesised` tells `stay` from `stay()`."""

    name: Name
    parameters: tuple[Parameter, ...]
    parenthesised: bool


@node
class Binder(Node):
    """`name in domain`, of `choose` and `for`."""

    name: Name
    domain: Expression


@node
class Binding(Node):
    """`name = value`, of `let`."""

    name: Name
    value: Expression


# --- steps ------------------------------------------------------------------------------------------------------------


@node
class Step(Node):
    """Base of all steps."""


@node
class Block(Node):
    """A list of steps (a single step that stands alone is a list of one)."""

    steps: tuple[Step, ...]


@node
class Assign(Step):
    """`target = value`, `+=`, `-=`."""

    operator: str
    target: Expression
    value: Expression


@node
class Do(Step):
    """A call that stands as a step: an effect, a procedure or an action, with or without parentheses."""

    call: Call


@node
class IfStep(Step):
    """`if: … then: … else: …`."""

    condition: Expression
    then: Block
    otherwise: Block | None


@node
class MatchStep(Step):
    """`match: x` with `cases:` (a key may be a symbol, number, range or list) and `else:`."""

    subject: Expression
    cases: tuple[tuple[Expression, Block], ...]
    otherwise: Block | None


@node
class ForStep(Step):
    """`for: g in xs` with `do:`."""

    binder: Binder
    body: Block


@node
class RepeatStep(Step):
    """`repeat: n` with `do:`."""

    count: Expression
    body: Block


@node
class WhileStep(Step):
    """`while: cond` with `do:`."""

    condition: Expression
    body: Block


@node
class LetStep(Step):
    """`let: n = e`, or a list of such: values for the rest of the step list."""

    bindings: tuple[Binding, ...]


@node
class AsStep(Step):
    """`as: p` with `do:`: `player` is p inside."""

    player: Expression
    body: Block


@node
class DecisionKeys(Node):
    """What `choose:` and `actions:` steps (and actions and phases that are short for one) have in common.

    `passing` is the block of `pass:`, empty for `optional: true`; `lower`, `upper` are the bounds of `count:` (equal for one number).
    """

    by: Expression | None = None
    name: Name | None = None
    prompt: Template | None = None
    passing: Block | None = None
    otherwise: Block | None = None
    lower: Expression | None = None
    upper: Expression | None = None
    most: Expression | None = None


@node
class ChooseStep(Step):
    """`choose: card in player.hand` with its guard, keys and `do:`."""

    binders: tuple[Binder, ...]
    guard: Expression | None
    keys: DecisionKeys
    body: Block


@node
class MayStep(Step):
    """`may: "Circle an Energy"` with `do:`: yes or pass."""

    label: Template
    keys: DecisionKeys
    body: Block


@node
class ActionsStep(Step):
    """`actions: [explore, equip(0)]`: one decision over the moves of all. A bare name is a call without arguments."""

    entries: tuple[Call, ...]
    keys: DecisionKeys


@node
class TogetherStep(Step):
    """`together: players` with `sealed:` and `do:`."""

    players: Expression
    sealed: bool
    body: Block


@node
class PlaceStep(Step):
    """`place:` a diagram: for each zone, or copy of one, its rows of characters, and what the characters mean.

    A key's meaning is a call such as `man(white, figure=king)` (take such a piece) or a block of assignments to the variables of the cell
    and of its parts.
    """

    rows: tuple[tuple[Expression, tuple[Text, ...]], ...]
    legend: tuple[tuple[Text, Expression | tuple[Assign, ...]], ...]
