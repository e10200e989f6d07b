"""The catalogue of diagnostic codes: for every name its number, a title, and a paragraph that explains it.

`gdl explain` and the documentation read it. Numbers say where a mistake belongs: 0 files and YAML, 1 the shape of a
spec, 2 names and types, 3 likely mistakes, 4 style, 5 found by playing, 9 at run time. A number is never used again for
something else.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from attrs import frozen


@frozen
class Code:
    """One entry. `name` is what stages write, `title` is one line, `explanation` one paragraph.

    `unlinted` says of a code that linting never gives when it arises instead.
    """

    number: int
    name: str
    title: str
    explanation: str
    unlinted: str = ""

    @property
    def label(self) -> str:
        """The code as messages show it, such as `GDL203`."""
        return label_of_number(self.number)


_FILES = (
    Code(
        1,
        "file-missing",
        "A file that the spec names can't be read",
        "Included files and tables are looked for from the folder of the main spec, in included files too. The "
        "file does not exist, is a folder, or may not be read.",
    ),
    Code(
        2,
        "file-outside",
        "A path leads out of the spec's folder",
        "A spec and what it includes stay together: paths are relative to the folder of the main spec and may not "
        "leave it, neither with `..` nor as absolute paths nor through links.",
    ),
    Code(
        3,
        "file-too-large",
        "A file is larger than 4 MiB",
        "A spec, an included file or a table may have at most 4 MiB. Rules are short; so large a file is a "
        "mistake, or data that does not belong in a spec.",
    ),
    Code(
        4,
        "not-utf8",
        "A file is not UTF-8 text",
        "All files are read as UTF-8. Save the file in this encoding; most editors show it in the status line.",
    ),
    Code(
        5,
        "empty-file",
        "A file holds nothing",
        "The file is empty or holds nothing but comments. A spec needs at least `gdl`, `game` and `players`; a "
        "table needs its header or a row.",
    ),
    Code(
        6,
        "bad-character",
        "A character that YAML does not allow",
        "Control characters and half characters can't stand in a YAML file. Inside double quotes they can be "
        "written as escapes, such as `\\u0007`.",
    ),
    Code(
        7,
        "include-cycle",
        "A file includes itself",
        "A file is included by one that it includes, directly or through others. Files are merged once, before "
        "the including file's own sections, so a circle has no beginning.",
    ),
    Code(
        8,
        "bad-table",
        "A table can't be read",
        "A CSV table has a header with a name for every column (names, or `attribute.symbol` for an attribute "
        "with `per`), then rows with as many cells. A cell with a comma, a quotation mark or a line end stands in "
        'double quotes, where `""` is one quotation mark. A YAML table is a list of maps.',
    ),
    Code(
        10,
        "unreadable-yaml",
        "The text is not YAML",
        "The file can't be read at the place shown, so nothing behind it was looked at. The usual reasons: an "
        "expression that starts with a bracket or a quotation mark and goes on behind it, a `: ` inside an "
        "expression, a bracket inside `{…}` or `[…]`. Quoting the expression, or writing it on a line of its own "
        "below `>-`, cures all of them.",
    ),
    Code(
        11,
        "split-by-yaml",
        "YAML cut an expression apart",
        "Inside `{…}` and `[…]` YAML ends a value at every comma, and `: ` starts a map everywhere. So `{to: "
        "rays(a, b)}` is read as two entries, `to: rays(a` and `b)`. Quote the expression, or write every key on "
        "a line of its own.",
    ),
    Code(
        12,
        "duplicate-key",
        "A key stands twice in one map",
        "Each key of a map can be written once; YAML readers would otherwise keep only one of them without a word.",
    ),
    Code(
        13,
        "yaml-tag",
        "A YAML tag",
        "`!` at the start of a value asks YAML for a type. Specs know no tags; quote the text if the `!` belongs "
        "to it.",
    ),
    Code(
        14,
        "merge-key",
        "A YAML merge key",
        "`<<` merges maps in older YAML only. Use an anchor and an alias for the whole map, or write the keys out.",
    ),
    Code(
        15,
        "undefined-alias",
        "An alias without an anchor",
        "`*name` at the start of a value repeats what was marked with `&name` before. Nothing was; quote the text "
        "if the `*` belongs to it.",
    ),
    Code(
        16,
        "recursive-alias",
        "An alias inside what it repeats",
        "An alias that stands inside the value with its anchor would go on for ever.",
    ),
    Code(
        17,
        "too-many-aliases",
        "Aliases repeat too much",
        "All aliases of a file together may be expanded at most 1,000 times; a few lines of nested aliases could "
        "otherwise stand for more than any memory holds.",
    ),
    Code(
        18,
        "too-deep",
        "Nested too deeply",
        "YAML may be nested 64 levels deep, and brackets inside an expression have a bound as well. Move inner "
        "parts into functions, procedures or constants of their own.",
    ),
    Code(
        19,
        "many-documents",
        "A second document in a file",
        "`---` starts a second YAML document. A file has one; put the other one into a file of its own.",
    ),
    Code(
        20,
        "no-value",
        "A key without a value",
        "Nothing is written behind the key. Write `[]` for no steps and an empty list, `{}` for an empty map, "
        '`""` for an empty text, or leave the key out.',
    ),
    Code(
        21,
        "syntax",
        "An expression can't be parsed",
        "The text is not an expression, step, type or signature of the language at the place shown. List "
        "operators (`where`, `select`, `by`, `while`, `until`) need brackets on their left side if anything "
        "looser than a call stands there, and comparisons do not chain: write `a == b and b == c`.",
    ),
    Code(
        22,
        "too-large",
        "One text is too long",
        "An expression, a step or a template may have a few thousand characters; the message says how many. Long "
        "lists and tables are written as YAML lists and maps, or in a table file, and long conditions are cut "
        "into functions.",
    ),
)

_SHAPE = (
    Code(
        101,
        "unknown-key",
        "A key that has no meaning here",
        "The map has a key that the language does not know at this place. Keys that stand at the wrong level are "
        "the usual reason: look which map the line belongs to by its indentation.",
    ),
    Code(
        102,
        "missing-key",
        "A required key is left out",
        "Something that has no default is not written. A spec needs `gdl`, `game` and `players`; the message "
        "names the key.",
    ),
    Code(
        103,
        "wrong-form",
        "A value of another form was expected",
        "A list stands where a map belongs, a map where text belongs, and so on; or a text does not have the form "
        "that its key needs. The message says what was expected.",
    ),
    Code(
        104,
        "not-a-step",
        "A map that is no step",
        "In a list of steps a map is a step with one leading key: `if`, `match`, `for`, `repeat`, `while`, `let`, "
        "`as`, `choose`, `may`, `actions`, `together` or `place`. Everything else is one line of text such as "
        "`move(card, player.hand)` or `player.points += 1`.",
    ),
    Code(
        105,
        "keys-clash",
        "Keys that exclude each other",
        "Two keys say two different things about the same matter, such as `grid` and `track` of one zone, or "
        "`rows` and `table` of one kind. Keep one of them.",
    ),
    Code(
        106,
        "defined-twice",
        "A section that may stand in one file only",
        "The file and one that it includes both give a key that can't be joined. `setup`, `end` and `invariants` "
        "are joined and sections with names are merged name by name; all others stand in one file.",
    ),
    Code(
        107,
        "wrong-word",
        "A word that is not one of those possible here",
        "Some keys take one of a few words, such as `turns: cycle` or `check: at_once`. The message lists them.",
    ),
    Code(
        108,
        "wrong-version",
        "A version of the language that is not known",
        "`gdl: 1` says in which version of the language a spec is written. There is only version 1 so far.",
    ),
    Code(
        109,
        "wrong-players",
        "Numbers of players that can't be",
        "`players` is a number, a range such as `2..8`, or a list of numbers, each from 1 to 16, ascending. "
        "`seats` needs a fixed number, and as many names.",
    ),
    Code(
        110,
        "needs-key",
        "A key that makes sense only beside another",
        "A key refines another one that is not there, such as `loop` without `track`, `from` without `turns` or "
        "`sealed` without `together`.",
    ),
)

_NAMES = (
    Code(
        201,
        "wrong-type",
        "A value of another type was expected",
        "The types don't fit: every expression has one type, known before the game is played, and each place says "
        "which it takes.",
    ),
    Code(
        202,
        "unknown-field",
        "A field that the value does not have",
        "Behind the dot stands neither an attribute nor a variable of the value's type, nor one of the fields "
        "that all pieces, spaces or players have. Fields of a union are those that all its members have alike.",
    ),
    Code(
        203,
        "unknown-name",
        "A name that nothing has",
        "No local, symbol, enum, kind, zone, constant, option, seat or variable of this name can be seen here. "
        "What is called (functions, procedures, actions) needs parentheses and has names of its own.",
    ),
    Code(
        204,
        "unknown-call",
        "A call of something that does not exist",
        "No builtin, effect, function, procedure or action has this name.",
    ),
    Code(
        205,
        "ambiguous-name",
        "A symbol that several types have",
        "Two enums (or named rows, or spaces) have a symbol of this name and nothing here says which is meant. "
        "Write `color.red`.",
    ),
    Code(
        206,
        "wrong-arguments",
        "Arguments that do not fit the call",
        "There are too many arguments, one is missing, a keyword is unknown, or one is given twice. The message "
        "shows the signature.",
    ),
    Code(
        207,
        "duplicate-name",
        "A name that is declared twice",
        "What is called and what is a value are two families of names; within each of them, and among phases, "
        "triggers and the fields of one kind or zone, a name is declared once.",
    ),
    Code(
        208,
        "hidden-name",
        "A local that hides another name",
        "A parameter, binder or `let` has the name of something that can be seen here. Only `it` may nest.",
    ),
    Code(
        209,
        "not-constant",
        "A value that must be known before play",
        "Sizes, attributes and conditions that decide whether something exists may read players, options, "
        "constants, spaces and `this`'s attributes, but no variables and no pieces' places.",
    ),
    Code(
        210,
        "no-player",
        "`player` where nobody acts",
        "`player` is set by a turn, a branch of `together`, `by:` and `as:`. In `setup`, in a phase without turns "
        "and in functions nobody acts; take the player as a parameter, or go through `players`.",
    ),
    Code(
        211,
        "recursive-function",
        "A function that calls itself",
        "Functions are tabulated and must end, so they may not call themselves, directly or through others, "
        "nor may `possible` or `after` need their own answer. `reach` follows neighbours as far as they go; procedures may recurse.",
    ),
    Code(
        212,
        "not-assignable",
        "Something that can't be assigned to",
        "The left side of `=`, `+=` or `-=` is a variable: global, or of a player, a space or a piece. "
        "Attributes, constants and parameters keep their values.",
    ),
    Code(
        213,
        "missing-case",
        "A `match` that does not cover all values",
        "Every value that the subject can have needs a case, or there is an `else`.",
    ),
    Code(
        214,
        "bad-option",
        "An option that can't have this value",
        "The value is not among those that the option declares.",
    ),
    Code(
        215,
        "bad-size",
        "A size that a game can't have",
        "With these players and options a zone would have no or too many spaces, a kind too many pieces, or the "
        "whole state too many numbers.",
    ),
    Code(
        216,
        "bad-after",
        "An effect that `after` can't try",
        "`after(effect, condition)` asks what an effect would lead to. The effect may neither wait for a decision "
        "nor draw on chance, end a phase or the game, or call itself.",
    ),
    Code(
        217,
        "not-sealed",
        "A sealed branch that touches what is not its player's",
        "In a `together` with `sealed: true` nobody knows what the others do, so a branch may write only what its player owns (its "
        "values of variables per player, the spaces of zones per player and the pieces in them), and may not read of others what "
        "branches write. What is common to all is done before or behind the `together`, or in one without `sealed`.",
    ),
)

_LIKELY = (
    Code(
        301,
        "none-untested",
        "A value that may be `none` is used untested",
        "The value's type is `T or none`, and nothing on the way here has tested it. Test it with `!= none`, or "
        "give another value with `??`.",
    ),
    Code(
        302,
        "never-none",
        "A test for `none` that never holds",
        "The value always is there, so what stands behind `??` is never used, and a comparison with `none` always has the "
        "same answer. Perhaps another value was meant.",
    ),
    Code(
        390,
        "unused-ignore",
        "A comment that silences nothing",
        "A `# gdl: ignore[CODE]` comment stands where nothing of this code is found any more. Take it out, so that it "
        "does not hide the next mistake.",
    ),
    Code(
        391,
        "bad-ignore",
        "A comment to the linter that it does not understand",
        "A comment that begins with `gdl:` reads `# gdl: ignore[CODE] reason`, with one or more codes or names of rules "
        "between the brackets. The reason has to be there. Mistakes of structure, names and types can't be silenced.",
    ),
)

_SETTINGS = (
    Code(
        30,
        "bad-config",
        "A configuration that can't be used",
        "`gdl.toml`, or the table `tool.gdl` of `pyproject.toml`, is no TOML, or has a key, a rule or a value that the "
        "linter does not know.",
    ),
    Code(
        31,
        "not-formatted",
        "A file that can't be formatted",
        "`gdl fmt` reads what it is about to write and holds it against the file. This file would say something else, or has a "
        "form of YAML that it does not know; so it stays as it is.",
        unlinted="when a file is formatted",
    ),
)

_RUN_TIME = (
    Code(
        901,
        "fault-none",
        "`none` where a value is needed",
        "A rule used the result of something that found nothing, such as `first` of an empty list.",
    ),
    Code(
        902,
        "fault-range",
        "A value outside its range",
        "A variable was given a value that its type does not hold. Widen the range, or declare `clamp: true`.",
    ),
    Code(
        903,
        "fault-index",
        "An index that does not exist",
        "A list, zone or table has no element at the index that a rule computed.",
    ),
    Code(
        904,
        "fault-move",
        "A piece that can't go where it was moved",
        "The space does not hold this kind, or is full.",
    ),
    Code(
        905,
        "fault-fuel",
        "Work without end between two decisions",
        "A loop, a recursion or a chain of triggers went on past the bound of rounds between two decisions, or what is "
        "computed in one go takes too much work. The message names it.",
    ),
    Code(
        906,
        "fault-depth",
        "Calls nested too deeply",
        "Procedures and actions called one another deeper than `limits: depth` allows. "
        "A call that is the last thing a procedure does takes its place and goes no deeper.",
    ),
    Code(
        907,
        "fault-overflow",
        "A number too large for 64 bits",
        "Arithmetic left the range of 64-bit numbers.",
    ),
    Code(
        908,
        "fault-no-move",
        "A decision without a legal move",
        "Somebody must choose and nothing can be chosen. Say what happens then with `else:` or `pass:`.",
    ),
    Code(
        909,
        "fault-candidates",
        "Too many candidates at one decision",
        "The domains of a decision multiply to more than 20,000 candidates. Make the domains narrower, or ask in "
        "two steps.",
    ),
    Code(
        910,
        "fault-division",
        "A division by zero",
        "The right side of `//` or `%` was 0.",
    ),
    Code(
        911,
        "fault-many",
        "Several where one was expected",
        "`sole` was given more than one element, or a space with several pieces was used as its piece.",
    ),
    Code(
        912,
        "illegal-move",
        "A move that is not legal now",
        "The move is not among the legal moves of this decision. The state has not changed.",
        unlinted="when a move is made",
    ),
    Code(
        913,
        "bad-save",
        "A saved match that does not fit",
        "The data was not saved from this game with these options, or has been changed.",
        unlinted="when a saved match is read",
    ),
    Code(
        914,
        "bad-scenario",
        "A scenario that can't be played",
        "A move, a chance outcome or a given situation of the scenario does not fit the game.",
    ),
    Code(
        915,
        "fault-flow",
        "A step that ends what is not running",
        "`end_turn`, `again`, `end_phase` and their like were run where no such turn or phase is running.",
    ),
    Code(
        916,
        "fault-geometry",
        "A question that a geometry can't answer",
        "A builtin was asked for something that the geometry of the spaces does not have, such as the rows of a "
        "track or the rectangles of a hex board.",
    ),
    Code(
        917,
        "fault-players",
        "A builtin for another number of players",
        "`opponent` means one player only in a game of two.",
    ),
    Code(
        918,
        "fault-size",
        "Too much at once",
        "A builtin would have made more than its bound allows, such as all combinations of many elements.",
    ),
    Code(
        919,
        "unknown-rule",
        "A scenario that covers a rule that there is not",
        "None of the files under `rules` of the scenarios' file has a rule of this number. A rule is a list item that begins with its "
        "number in bold.",
    ),
)

CODES: tuple[Code, ...] = (*_FILES, *_SETTINGS, *_SHAPE, *_NAMES, *_LIKELY, *_RUN_TIME)

CATALOGUE: Mapping[str, Code] = MappingProxyType({code.name: code for code in CODES})


def label_of_number(number: int) -> str:
    """The code of a number as messages show it."""
    return f"GDL{number:03d}"


def label_of(name: str) -> str:
    """The code of a name as messages show it; the name itself if the catalogue does not have it."""
    code = CATALOGUE.get(name)
    return code.label if code else name
