"""Declarations: a spec as it was written, section by section, with every string parsed and every place known.

Built by `gdl.loader` from YAML nodes, tables and includes. Names are not resolved and nothing has a type yet: that is the
checker's work. Declarations compare by identity.
"""

from __future__ import annotations

from gdl import ast
from gdl.nodes import node
from gdl.source import Fragment, Span


@node
class Declaration:
    """Something with a name in a spec; `span` is that of the name."""

    name: str
    span: Span


@node
class Players:
    """`players: 2`, `2..8` or `[2, 4]`: the allowed numbers, ascending."""

    span: Span
    allowed: tuple[int, ...]


@node
class Option(Declaration):
    """An option. `kind` is `values`, `bool` or `range`; `error` if what was written makes none, which has been reported.

    `values` are the names, true/false as `"true"`/`"false"`, or (for `range`) empty with `low` and `high` set. `default` is a
    name, bool or int.
    """

    kind: str
    values: tuple[tuple[str, Span], ...] = ()
    low: int = 0
    high: int = 0
    default: str | bool | int = 0
    label: str = ""


def option_text(value: str | bool | int) -> str:
    """An option's value as it is written in a spec and on the command line."""
    return str(value).lower() if isinstance(value, bool) else str(value)


@node
class Enum(Declaration):
    """`suit: [clubs, hearts]`; an entry may be the name of another enum, which is included."""

    symbols: tuple[ast.Name, ...]


@node
class Constant(Declaration):
    """A named constant expression."""

    value: ast.Expression


@node
class Attribute(Declaration):
    """A fixed property of the pieces of a kind or the spaces of a zone. `per` is the index type of `{type:, per:}`, else none."""

    type: ast.TypeExpression
    default: ast.Expression | None = None
    per: ast.TypeExpression | None = None


@node
class Variable(Declaration):
    """A changeable property, global, of pieces, of spaces or of edges and parts.

    `per`: index types, `player` first where it is; `start`: none if left out; `when`, `visible`: conditions, or none.
    """

    type: ast.TypeExpression
    start: ast.Expression | None = None
    per: tuple[ast.TypeExpression, ...] = ()
    clamp: bool = False
    visible: ast.Expression | str | None = None
    visible_span: Span | None = None
    when: ast.Expression | None = None


@node
class Cell:
    """A value in a row or table: what it says depends on the attribute's type, so it is kept as source until the checker knows it.

    Exactly one of: `expression` (a YAML or CSV scalar, or a YAML list/map as literal; not yet parsed if `fragment` is set),
    `block` for steps written as a YAML list or map. `fragment` is the raw text of a scalar, `text` what it says as prose.
    """

    span: Span
    fragment: Fragment | None = None
    expression: ast.Expression | None = None
    block: ast.Block | None = None
    text: str = ""


@node
class Row:
    """One row of `rows:`, `spaces:` or a table: its cells by column, `name` (a symbol) and `when` apart.

    `is_partial`: there are cells whose column has no usable name.
    """

    span: Span
    name: ast.Name | None
    cells: tuple[tuple[ast.Name, Cell], ...]
    when: ast.Expression | None = None
    is_partial: bool = False


@node
class Kind(Declaration):
    """A kind of pieces, or (with `any_of`) a union of kinds."""

    per: tuple[ast.TypeExpression, ...] = ()
    count: ast.Expression | None = None
    at: ast.Expression | None = None
    faces: ast.Expression | None = None
    attributes: tuple[Attribute, ...] = ()
    variables: tuple[Variable, ...] = ()
    each: tuple[tuple[ast.Name, ast.Expression], ...] = ()
    rows: tuple[Row, ...] | None = None
    label: ast.Template | None = None
    back: str | None = None
    any_of: tuple[ast.Name, ...] = ()
    when: ast.Expression | None = None


@node
class Parts:
    """`parts:` of a grid zone: the four parts that the diagonals cut each cell into."""

    span: Span
    names: tuple[ast.Name, ...]
    variables: tuple[Variable, ...]
    holds: tuple[ast.Name, ...] | None
    legend: tuple[tuple[ast.Text, tuple[ast.Name, ...]], ...]


@node
class Geometry:
    """How the spaces of a zone lie to each other: `kind` names a registered geometry, `arguments` are its own keys.

    Kinds: `single` (no geometry), `track` (size, `loop`), `grid` (rows, columns), `hex` (width), `graph` (nodes, edges),
    `named` (`spaces:`), `table` (`table:` alone). Sizes are constant expressions.
    """

    kind: str
    span: Span
    sizes: tuple[ast.Expression, ...] = ()
    loop: bool = False
    nodes: tuple[ast.Name, ...] = ()
    edges: tuple[tuple[ast.Name, ast.Name], ...] = ()


@node
class Zone(Declaration):
    """A family of spaces. `holds` is none where left out; `visible` one of the four words or a condition; `refill` none or an expression.

    `rows` are those of `spaces:` or of a table. `forward` has a direction per seat.
    """

    geometry: Geometry
    per: tuple[ast.TypeExpression, ...] = ()
    stack: bool = False
    holds: tuple[ast.Name, ...] | None = None
    visible: ast.Expression | str = "all"
    secret: bool = False
    visible_span: Span | None = None
    refill: ast.Expression | None = None
    capacity: ast.Expression | None = None
    attributes: tuple[Attribute, ...] = ()
    variables: tuple[Variable, ...] = ()
    rows: tuple[Row, ...] | None = None
    cells: ast.Expression | None = None
    adjacency: str | None = None
    forward: tuple[ast.Name, ...] = ()
    label: ast.Template | None = None
    parts: Parts | None = None
    edge_variables: tuple[Variable, ...] = ()
    has_edges: bool = False


@node
class Function(Declaration):
    """A pure function: parameters, `let` bindings, value."""

    signature: ast.Signature
    bindings: tuple[ast.Binding, ...]
    value: ast.Expression


@node
class Procedure(Declaration):
    """A step list with parameters."""

    signature: ast.Signature
    body: ast.Block


@node
class Action(Declaration):
    """What a player may do: parameters chosen (`binders`), guard, body. `entries` are those of an `actions:` group."""

    signature: ast.Signature
    binders: tuple[ast.Binder, ...]
    guard: ast.Expression | None
    keys: ast.DecisionKeys
    body: ast.Block
    label: ast.Template | None = None
    entries: tuple[ast.Call, ...] = ()


@node
class Trigger(Declaration):
    """`on:` events (calls such as `enter(gallery)`, `change(sheet.number)`, bare names as calls without arguments), `when:`, `do:`."""

    events: tuple[ast.Call, ...]
    when: ast.Expression | None
    body: ast.Block


@node
class Turns:
    """`turns: cycle|each` with `from`, `order` (a word or an expression), `skip`."""

    span: Span
    mode: str
    start: ast.Expression | None = None
    order: ast.Expression | str = "clockwise"
    skip: ast.Expression | None = None


@node
class Phase(Declaration):
    """A phase: repetition (`loop`, `until`), turns, and either nested phases or a body; triggers that live in it."""

    loop: ast.Binder | None = None
    until: ast.Expression | None = None
    when: ast.Expression | None = None
    turns: Turns | None = None
    phases: tuple[Phase, ...] = ()
    body: ast.Block | None = None
    triggers: tuple[Trigger, ...] = ()


@node
class End:
    """An entry of `end`. `outcome` is `winners`, `losers`, `tie`, `everyone_win`, `everyone_lose` or `rank`.

    `check` is `decision` (left out), `at_once`, `turn_end` or `end`, then `phase` names the phase.
    """

    span: Span
    when: ast.Expression
    outcome: str = "rank"
    players: ast.Expression | None = None
    check: str = "decision"
    phase: ast.Name | None = None


@node
class Criterion:
    """`highest score`, `lowest player.water` in a ranking; `value` is none for `score`."""

    span: Span
    highest: bool
    value: ast.Expression | None


@node
class Result:
    """`result:` the parts of a score (one with an empty name if it is not a map) and the ranking."""

    span: Span
    score: tuple[tuple[str, ast.Expression], ...]
    ranking: tuple[Criterion, ...]


@node
class History(Declaration):
    """`position: {of: [board, player], keep: 101}`."""

    of: tuple[ast.Name, ...]
    keep: ast.Expression
    wrap: bool = False


@node
class Limits:
    """`limits:`; each an expression or none where left out."""

    turns: ast.Expression | None = None
    depth: ast.Expression | None = None
    fuel: ast.Expression | None = None


@node
class Display:
    """One entry of `display:`: the presentation keys of a kind, zone or seat, values as plain text."""

    name: ast.Name
    values: tuple[tuple[str, str], ...]


@node
class Declarations:
    """A whole spec as written. Sections are tuples in order of writing, those of includes first."""

    span: Span
    game: str
    players: Players
    title: str = ""
    about: str = ""
    authors: str = ""
    source: str = ""
    seats: tuple[ast.Name, ...] = ()
    options: tuple[Option, ...] = ()
    enums: tuple[Enum, ...] = ()
    constants: tuple[Constant, ...] = ()
    kinds: tuple[Kind, ...] = ()
    zones: tuple[Zone, ...] = ()
    variables: tuple[Variable, ...] = ()
    functions: tuple[Function, ...] = ()
    procedures: tuple[Procedure, ...] = ()
    actions: tuple[Action, ...] = ()
    setup: ast.Block | None = None
    phases: tuple[Phase, ...] = ()
    triggers: tuple[Trigger, ...] = ()
    end: tuple[End, ...] = ()
    result: Result | None = None
    heuristic: ast.Expression | None = None
    histories: tuple[History, ...] = ()
    limits: Limits = Limits()
    invariants: tuple[ast.Expression, ...] = ()
    display: tuple[Display, ...] = ()
