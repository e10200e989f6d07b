"""The structure of a spec in one place: the keys that each map of the language has, their values, their meaning.

The loader checks maps against these forms and takes its messages from them; the JSON Schema and the reference's
tables are made from the same records. Knows nothing of nodes or of how a value is read.
"""

from __future__ import annotations

from attrs import frozen


@frozen
class Leaf:
    """A value that YAML does not structure. `kind` is a key of `LEAVES`; `words` are those that a `word` may be."""

    kind: str
    words: tuple[str, ...] = ()


@frozen
class ListOf:
    """A list; with `or_one`, a single item may stand alone."""

    item: Shape
    or_one: bool = False


@frozen
class MapOf:
    """A map whose keys are names or expressions of the spec's own; `key` says of what."""

    key: str
    value: Shape


@frozen
class Use:
    """A map of one of the `FORMS`."""

    form: str


@frozen
class Either:
    """One of several shapes: a short and a long form."""

    options: tuple[Shape, ...]


Shape = Leaf | ListOf | MapOf | Use | Either


@frozen
class Key:
    """A key of a form: its name, the shape of its value, and a sentence on what it says."""

    name: str
    shape: Shape
    doc: str
    required: bool = False


@frozen
class Form:
    """A map of the language. `title` is what messages call it (`a zone`).

    Of each tuple in `clashes` one key may be there. `needs` has pairs: the first key makes sense only beside one of the
    keys in the second. `hints` says of keys that the form does not have what to write instead.
    """

    name: str
    title: str
    keys: tuple[Key, ...]
    clashes: tuple[tuple[str, ...], ...] = ()
    needs: tuple[tuple[str, tuple[str, ...]], ...] = ()
    hints: tuple[tuple[str, str], ...] = ()

    def key(self, name: str) -> Key | None:
        """The key of this name, or none."""
        return next((key for key in self.keys if key.name == name), None)


LEAVES: dict[str, str] = {
    "binder": "`name in list`",
    "binding": "`name = value`",
    "call": "a name or a call",
    "declared": "a type, `type = value`",
    "expression": "an expression",
    "flag": "`true` or `false`",
    "name": "a name",
    "number": "a number",
    "path": "the path of a file",
    "range": "a range of numbers such as `2..8`",
    "steps": "a step or a list of steps",
    "template": "text",
    "text": "text",
    "type": "a type",
    "word": "a word",
}

BINDER = Leaf("binder")
BINDERS = ListOf(BINDER, or_one=True)
BINDING = Leaf("binding")
CALL = Leaf("call")
CALLS = ListOf(CALL, or_one=True)
DECLARED = Leaf("declared")
EXPRESSION = Leaf("expression")
EXPRESSIONS = ListOf(EXPRESSION, or_one=True)
FLAG = Leaf("flag")
NAME = Leaf("name")
NAMES = ListOf(NAME, or_one=True)
NUMBER = Leaf("number")
PATH = Leaf("path")
STEPS = Leaf("steps")
TEMPLATE = Leaf("template")
TEXT = Leaf("text")
TYPE = Leaf("type")
TYPES = ListOf(TYPE, or_one=True)

VISIBLE_WORDS = ("all", "owner", "none", "top")
CHECK_WORDS = ("at_once", "turn_end", "decision")
ORDER_WORDS = ("clockwise", "counterclockwise")
TURNS_WORDS = ("cycle", "each")
COLOR_WORDS = (
    "player", "red", "green", "blue", "yellow", "orange", "purple", "pink", "cyan", "magenta", "white", "black",
    "bright_red", "bright_green", "bright_blue", "bright_yellow", "bright_cyan", "bright_magenta",
)  # fmt: skip
LAYOUT_WORDS = ("plain",)
OUTCOME_KEYS = ("winners", "losers", "tie", "everyone")

ATTRIBUTES = MapOf("attribute", Either((DECLARED, Use("attribute"))))
VARIABLES = MapOf("variable", Either((DECLARED, Use("variable"))))
ROW = MapOf("column", Either((EXPRESSION, STEPS)))
ROWS = ListOf(ROW)

_WHEN = Key("when", EXPRESSION, "A condition: without it this does not exist or is passed over.")
_DO = Key("do", STEPS, "What happens.", required=True)
_LABEL = Key("label", TEMPLATE, "How it is shown; `{…}` holds expressions.")

_OF_CHOICE = (
    Key("count", EXPRESSION, "How many are chosen: a number or `a..b`."),
    Key("most", EXPRESSION, "Of the legal moves only those with the greatest value stay."),
)
_DECISION = (
    Key("pass", STEPS, "Offers to pass and says what follows."),
    Key("optional", FLAG, "Short for `pass: []`."),
    Key("prompt", TEMPLATE, "What the player is asked."),
    Key("else", STEPS, "What happens when there is nothing to choose."),
)
_UNTIL_PASSED = Key("until_passed", FLAG, "Offers to pass, and comes again after each move until that is done or nothing is left.")
_BY = Key("by", EXPRESSION, "Who decides; of several players whoever enters first.")
_WHO = (_BY, Key("name", NAME, "What the moves of this decision are called."))
_OVER_ACTIONS = (
    ("name", "the moves of a decision over actions are called like their actions"),
    ("count", "`count` belongs to a `choose:` step: of several actions each chooses for itself"),
    ("most", "`most` belongs to a `choose:` step: of several actions each chooses for itself"),
)

SPEC = Form(
    "spec",
    "a spec",
    (
        Key("gdl", NUMBER, "The version of the language, 1.", required=True),
        Key("game", NAME, "The game's identifier.", required=True),
        Key("title", TEXT, "The game's title."),
        Key("about", TEXT, "A sentence or two on the game."),
        Key("authors", TEXT, "Who made the game."),
        Key("source", TEXT, "Where the rules come from."),
        Key(
            "players",
            Either((NUMBER, Leaf("range"), ListOf(NUMBER))),
            "How many can play: `2`, `2..8` or `[2, 4]`.",
            required=True,
        ),
        Key("seats", ListOf(NAME), "Names for the players of a game with a fixed number."),
        Key("include", ListOf(PATH, or_one=True), "Files that are merged in before this one's own sections."),
        Key("options", MapOf("option", Use("option")), "What is settled before play."),
        Key("enums", MapOf("enum", ListOf(NAME)), "Ordered lists of symbols."),
        Key("constants", MapOf("constant", EXPRESSION), "Named constant expressions."),
        Key("pieces", MapOf("kind", Use("kind")), "The kinds of pieces."),
        Key("zones", MapOf("zone", Use("zone")), "The families of spaces."),
        Key("variables", VARIABLES, "What changes: global, or for each player, symbol or piece."),
        Key("history", MapOf("history", Use("history")), "Positions that are remembered."),
        Key("functions", MapOf("signature", Either((EXPRESSION, Use("function")))), "Pure functions."),
        Key("procedures", MapOf("signature", STEPS), "Step lists with parameters."),
        Key("actions", MapOf("signature", Use("action")), "What players may do."),
        Key("setup", STEPS, "What happens before the first phase; it causes no triggers."),
        Key("phases", MapOf("phase", Use("phase")), "The course of the game."),
        Key("triggers", MapOf("trigger", Use("trigger")), "What follows from events, whenever they happen."),
        Key("end", ListOf(Use("end")), "When the game is over; the first entry that holds decides."),
        Key("result", Use("result"), "Scores and ranking."),
        Key("heuristic", EXPRESSION, "How good a situation looks for `player`: a rule of thumb for bots. No rule reads it."),
        Key("limits", Use("limits"), "Bounds of the game."),
        Key("invariants", EXPRESSIONS, "What must hold at every decision and at the end."),
        Key("display", MapOf("kind, zone or seat", Use("display")), "How things are shown."),
    ),
    hints=(
        ("dice", "a die is a kind of pieces with `faces`"),
        ("cards", "a card is a kind of pieces"),
        ("board", "a board is a zone"),
        ("rules", "rules are actions, phases and triggers"),
    ),
)

OPTION = Form(
    "option",
    "an option",
    (
        Key("values", ListOf(NAME), "The names to choose from."),
        Key("type", Leaf("word", ("bool",)), "`bool`, for an option that is on or off."),
        Key("range", Leaf("range"), "The numbers to choose from, `a..b`."),
        Key("default", NAME, "What holds if nothing is chosen.", required=True),
        Key("label", TEXT, "What the option is called on screen."),
    ),
    clashes=(("values", "type", "range"),),
)

ATTRIBUTE = Form(
    "attribute",
    "an attribute",
    (
        Key("type", TYPE, "The type of its values.", required=True),
        Key("per", TYPE, "One value for each of these."),
        Key("default", EXPRESSION, "The value of empty cells."),
    ),
)

VARIABLE = Form(
    "variable",
    "a variable",
    (
        Key("type", TYPE, "The type of its values.", required=True),
        Key("start", EXPRESSION, "Its value at the start."),
        Key("per", TYPES, "One for each of these, such as `player`."),
        Key("clamp", FLAG, "Whether values outside the range become the nearest inside."),
        Key("visible", EXPRESSION, "Who can see it: a word or a condition."),
        _WHEN,
    ),
)

KIND = Form(
    "kind",
    "a kind of pieces",
    (
        Key("per", TYPES, "Pieces for each of these, such as `player`."),
        Key("count", EXPRESSION, "How many there are."),
        Key("at", EXPRESSION, "Where they start."),
        Key("faces", EXPRESSION, "The faces of a die."),
        Key("attributes", ATTRIBUTES, "Properties that never change."),
        Key("variables", VARIABLES, "Properties that change."),
        Key("each", MapOf("attribute", EXPRESSION), "One piece for every combination of these lists of values."),
        Key("table", PATH, "A table with one row for each piece."),
        Key("rows", ROWS, "The pieces, row by row."),
        _LABEL,
        Key("back", NAME, "What a seat sees that may not see the face."),
        Key("any_of", ListOf(NAME), "The kinds that this one is a union of."),
        _WHEN,
    ),
    clashes=(("table", "rows", "each", "any_of"),),
)

GEOMETRIES = ("track", "grid", "hex", "graph", "spaces")

ZONE = Form(
    "zone",
    "a zone",
    (
        Key("per", TYPES, "Spaces for each of these, such as `player`."),
        Key("stack", FLAG, "Whether its spaces are ordered, bottom first."),
        Key("holds", NAMES, "The kinds that may lie here; left out, all."),
        Key(
            "visible",
            Either((EXPRESSION, ListOf(EXPRESSION))),
            "Who sees the pieces: `all`, `owner`, `none`, `top` or a condition; `secret` behind it hides their number too.",
        ),
        Key("refill", EXPRESSION, "The space, or none, that is shuffled in when a piece is needed and none is there."),
        Key("capacity", EXPRESSION, "How many pieces a space may hold."),
        Key("track", EXPRESSION, "A line of so many spaces."),
        Key("loop", FLAG, "Whether the track is a ring."),
        Key("grid", ListOf(EXPRESSION), "Rows and columns."),
        Key("hex", EXPRESSION, "A rhombus of hexagons, so many a side."),
        Key("graph", Use("graph"), "Named spaces and what joins them."),
        Key("spaces", MapOf("space", ROW), "Named spaces with their attributes."),
        Key("table", PATH, "A table with one row for each space."),
        Key("attributes", ATTRIBUTES, "Properties of its spaces that never change."),
        Key("variables", VARIABLES, "Properties of its spaces that change."),
        Key("cells", EXPRESSION, "Which cells of a grid or hex exist, a condition over `this`."),
        Key("adjacency", NAME, "Which spaces are neighbours: `orthogonal`, `diagonal` or `all`."),
        Key("forward", ListOf(NAME), "The direction ahead, for each seat."),
        Key("edges", Use("edges"), "Makes the edges between neighbours spaces of their own."),
        Key("parts", Use("parts"), "Cuts the cells of a grid into four parts."),
        _LABEL,
    ),
    clashes=(GEOMETRIES,),
    needs=(
        ("loop", ("track",)),
        ("cells", ("grid", "hex")),
        ("parts", ("grid",)),
        ("adjacency", GEOMETRIES),
        ("edges", GEOMETRIES),
    ),
)

GRAPH = Form(
    "graph",
    "a graph",
    (
        Key("nodes", ListOf(NAME), "The names of its spaces.", required=True),
        Key("edges", ListOf(ListOf(NAME)), "Pairs of neighbours, `[a, b]`.", required=True),
    ),
)

EDGES = Form("edges", "`edges`", (Key("variables", VARIABLES, "Variables of every edge."),))

PARTS = Form(
    "parts",
    "`parts`",
    (
        Key("names", ListOf(NAME), "The four parts, from the north side clockwise.", required=True),
        Key("holds", NAMES, "The kinds that may lie on parts."),
        Key("variables", VARIABLES, "Variables of every part."),
        Key("legend", MapOf("character", ListOf(NAME)), "Which parts a character of a shape covers."),
    ),
)

HISTORY = Form(
    "history",
    "a history",
    (
        Key("of", NAMES, "The zones and variables that make a position.", required=True),
        Key("keep", EXPRESSION, "How many records there may be.", required=True),
        Key("wrap", FLAG, "Whether a full history forgets its oldest record."),
    ),
)

FUNCTION = Form(
    "function",
    "a function",
    (
        Key("let", ListOf(BINDING, or_one=True), "Values that are used below, each computed when first used."),
        Key("value", EXPRESSION, "The result.", required=True),
    ),
)

ACTION = Form(
    "action",
    "an action",
    (
        _LABEL,
        Key("choose", BINDERS, "The parameters that are chosen, and from what."),
        Key("when", EXPRESSION, "When the action is possible; over its parameters, which choices are."),
        *_DECISION,
        Key("actions", CALLS, "The actions that this one stands for."),
        Key("do", STEPS, "What happens."),
    ),
    clashes=(("choose", "actions"), ("do", "actions"), ("label", "actions"), ("pass", "optional")),
    hints=_OVER_ACTIONS,
)

PHASE = Form(
    "phase",
    "a phase",
    (
        Key("for", BINDER, "Rounds, with a name for their number: `number in 1..3`."),
        Key("until", EXPRESSION, "Tested before every round or turn; ends the phase."),
        _WHEN,
        Key("turns", Leaf("word", TURNS_WORDS), "`cycle`: turns go round; `each`: one turn for every seat."),
        Key("from", EXPRESSION, "Who takes the first turn."),
        Key("order", Either((Leaf("word", ORDER_WORDS), EXPRESSION)), "`clockwise`, `counterclockwise` or players."),
        Key("skip", EXPRESSION, "Whether the player in question is passed over."),
        Key("phases", MapOf("phase", Use("phase")), "Nested phases, in order."),
        Key("do", STEPS, "What happens, in each turn if there are turns."),
        Key("actions", CALLS, "Short for one decision over the moves of these."),
        Key("together", EXPRESSION, "Short for one such step: these players, all at once."),
        Key("sealed", FLAG, "Whether each sees only its own changes until all are done."),
        _BY,
        *_DECISION,
        Key("triggers", MapOf("trigger", Use("trigger")), "Triggers that live only in this phase."),
    ),
    clashes=(("for", "until"), ("phases", "do", "actions"), ("phases", "together"), ("phases", "turns"), ("pass", "optional")),
    needs=(
        ("from", ("turns",)),
        ("order", ("turns",)),
        ("skip", ("turns",)),
        ("sealed", ("together",)),
        ("together", ("do", "actions")),
        *((key.name, ("actions",)) for key in (_BY, *_DECISION)),
    ),
    hints=_OVER_ACTIONS,
)

TRIGGER = Form(
    "trigger",
    "a trigger",
    (Key("on", CALLS, "The event or events, such as `enter(gallery)`.", required=True), _WHEN, _DO),
)

END = Form(
    "end",
    "an entry of `end`",
    (
        Key("when", EXPRESSION, "When the game is over.", required=True),
        Key("check", CALL, "When it is tested: `at_once`, `turn_end` or `end(phase)`."),
        Key("winners", EXPRESSION, "Who wins."),
        Key("losers", EXPRESSION, "Who loses."),
        Key("tie", FLAG, "`true`: nobody wins."),
        Key("everyone", Leaf("word", ("win", "lose")), "`win` or `lose`: all together."),
    ),
    clashes=(OUTCOME_KEYS,),
)

RESULT = Form(
    "result",
    "`result`",
    (
        Key("score", Either((EXPRESSION, MapOf("part", EXPRESSION))), "For each player; of a map the sum counts."),
        Key("ranking", ListOf(TEXT, or_one=True), "`highest score`, `lowest …`, the first first."),
    ),
)

LIMITS = Form(
    "limits",
    "`limits`",
    (
        Key("turns", EXPRESSION, "After so many turns the game ends and `result` ranks."),
        Key("depth", EXPRESSION, "How deep procedures and actions may call one another; 32 if left out."),
        Key("fuel", EXPRESSION, "How much may happen between two decisions."),
    ),
)

DISPLAY = Form(
    "display",
    "an entry of `display`",
    (
        Key("glyph", TEXT, "A character, at most two, that stands for it."),
        Key("color", Leaf("word", COLOR_WORDS), "Its colour; `player` is that of its owner."),
        Key("layout", Leaf("word", LAYOUT_WORDS), "How its spaces are laid out; `plain` is as when left out."),
        Key("label", TEXT, "What it is called on screen."),
    ),
)

_CASES = MapOf("value", STEPS)
_PLACE = MapOf("zone", ListOf(TEXT))

STEP_FORMS: tuple[Form, ...] = (
    Form(
        "if",
        "an `if` step",
        (
            Key("if", EXPRESSION, "The condition.", required=True),
            Key("then", STEPS, "What happens if it holds.", required=True),
            Key("else", STEPS, "What happens if not."),
        ),
    ),
    Form(
        "match",
        "a `match` step",
        (
            Key("match", EXPRESSION, "The value that decides.", required=True),
            Key("cases", _CASES, "What happens for which values.", required=True),
            Key("else", STEPS, "What happens for all others."),
        ),
    ),
    Form("for", "a `for` step", (Key("for", BINDER, "Each element in turn, by name.", required=True), _DO)),
    Form(
        "repeat",
        "a `repeat` step",
        (Key("repeat", EXPRESSION, "How often.", required=True), _DO),
        hints=(("as", "for a counter write `for: i in 1..n`"),),
    ),
    Form("while", "a `while` step", (Key("while", EXPRESSION, "As long as this holds.", required=True), _DO)),
    Form(
        "let",
        "a `let` step",
        (Key("let", ListOf(BINDING, or_one=True), "Values for the rest of the steps.", required=True),),
    ),
    Form("as", "an `as` step", (Key("as", EXPRESSION, "Who `player` is inside.", required=True), _DO)),
    Form(
        "choose",
        "a `choose` step",
        (
            Key("choose", BINDERS, "What is chosen, and from what.", required=True),
            Key("when", EXPRESSION, "Which choices are legal, over all that is chosen."),
            *_WHO,
            *_OF_CHOICE,
            *_DECISION,
            _UNTIL_PASSED,
            _DO,
        ),
        clashes=(("count", "when"), ("count", "most"), ("pass", "optional"), ("optional", "until_passed")),
    ),
    Form(
        "may",
        "a `may` step",
        (
            Key("may", TEMPLATE, "What the player may do, in words.", required=True),
            *_WHO,
            Key("pass", STEPS, "What follows if the player does not."),
            _DO,
        ),
    ),
    Form(
        "actions",
        "an `actions` step",
        (Key("actions", CALLS, "The actions whose moves are offered.", required=True), _BY, *_DECISION, _UNTIL_PASSED),
        clashes=(("pass", "optional"), ("optional", "until_passed")),
        hints=_OVER_ACTIONS,
    ),
    Form(
        "together",
        "a `together` step",
        (
            Key("together", EXPRESSION, "The players, all at once.", required=True),
            Key("sealed", FLAG, "Whether each sees only its own changes until all are done."),
            _DO,
        ),
    ),
    Form(
        "place",
        "a `place` step",
        (
            Key("place", _PLACE, "For each zone its rows of characters.", required=True),
            Key("key", MapOf("character", Either((CALL, STEPS))), "What the characters mean.", required=True),
        ),
    ),
)

STEP_HINTS: dict[str, str] = {
    "select": "choose",
    "pick": "choose",
    "when": "if",
    "unless": "if",
    "switch": "match",
    "case": "match",
    "foreach": "for",
    "loop": "repeat",
    "until": "while",
    "set": "let",
    "optional": "may",
    "simultaneous": "together",
}
"""What other languages call the leading keys of steps."""

FORMS: dict[str, Form] = {
    form.name: form
    for form in (
        SPEC,
        OPTION,
        ATTRIBUTE,
        VARIABLE,
        KIND,
        ZONE,
        GRAPH,
        EDGES,
        PARTS,
        HISTORY,
        FUNCTION,
        ACTION,
        PHASE,
        TRIGGER,
        END,
        RESULT,
        LIMITS,
        DISPLAY,
    )
}

STEPS_BY_KEY: dict[str, Form] = {form.name: form for form in STEP_FORMS}


def describe_shape(shape: Shape) -> str:
    """What a value of this shape looks like, in the words of messages."""
    match shape:
        case Leaf(kind="word", words=words):
            return " or ".join(f"`{word}`" for word in words)
        case Leaf(kind=kind):
            return LEAVES[kind]
        case ListOf(item=Leaf() as item, or_one=True):
            return f"{describe_shape(item)} or a list of them"
        case ListOf(item=item):
            return f"a list of {_plural(item)}"
        case MapOf(key=key):
            article = "an" if key[0] in "aeiou" else "a"
            return f"a map with {article} {key} on each line"
        case Use(form=name):
            return f"a map: {', '.join(f'`{key.name}`' for key in FORMS[name].keys[:5])}, …"
        case Either(options=options):
            return " or ".join(dict.fromkeys(describe_shape(option) for option in options))


def _plural(shape: Shape) -> str:
    plurals = {
        "name": "names",
        "expression": "expressions",
        "number": "numbers",
        "text": "lines of text",
        "path": "paths",
    }
    match shape:
        case Leaf(kind=kind) if kind in plurals:
            return plurals[kind]
        case ListOf(item=item):
            return f"lists of {_plural(item)}"
        case MapOf() | Use():
            return "maps"
        case _:
            return f"entries, each {describe_shape(shape)}"
