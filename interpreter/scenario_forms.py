"""The structure of scenario files: which keys their maps have, with their values and meanings."""

from __future__ import annotations

from typing import Final

from gdl.forms import EXPRESSION, EXPRESSIONS, NUMBER, PATH, TEXT, Form, Key, Leaf, ListOf, MapOf

_ANYTHING = MapOf("key", EXPRESSION)
_MOVES = ListOf(TEXT)
_PLAYERS = Key("players", NUMBER, "How many play; the fewest that the spec allows, if left out.")
_OPTIONS = Key("options", MapOf("option", TEXT), "Options with their values; the others have their defaults.")
_LEGEND = Key("key", MapOf("character", EXPRESSION), "What the characters of diagrams mean.")
_JUDGED = (
    Key("legal", _MOVES, "The legal moves: these and no others."),
    Key("illegal", _MOVES, "Moves that are not legal."),
    Key("expect", EXPRESSIONS, "Conditions that hold."),
)

FILE: Final = Form(
    "scenarios",
    "a file of scenarios",
    (
        Key("spec", PATH, "The spec that is tested, as a path from this file's folder.", required=True),
        Key("rules", ListOf(PATH, or_one=True), "Markdown files of the rules that `covers` cites, as paths from this folder."),
        _PLAYERS,
        _OPTIONS,
        _LEGEND,
        Key("tests", ListOf(_ANYTHING), "The scenarios.", required=True),
    ),
)

SCENARIO: Final = Form(
    "scenario",
    "a scenario",
    (
        Key("name", TEXT, "What the scenario shows, in a sentence.", required=True),
        Key("covers", ListOf(TEXT, or_one=True), "The rules that it tests, by their labels."),
        _PLAYERS,
        _OPTIONS,
        Key("seed", NUMBER, "What chance is drawn from where `chance` says nothing; 0 if left out."),
        Key("given", _ANYTHING, "The situation at the start; the game's own start, if left out."),
        Key("chance", ListOf(TEXT), "Outcomes of chance events, in order of use."),
        Key("do", ListOf(EXPRESSION), "The moves that are made."),
        *_JUDGED,
        Key("until", Leaf("word", ("move",)), "`move`: stop behind the effects of the last move."),
        Key("outcomes", MapOf("chance event", MapOf("outcome", NUMBER)), "The outcomes of a chance event, with weights."),
    ),
    hints=(
        ("moves", "the moves that are made are called `do`"),
        ("when", "the moves that are made are called `do`"),
        ("then", "what must hold is called `expect`"),
        ("place", "`place`, `set`, `phase` and `player` stand in `given`"),
        ("set", "`place`, `set`, `phase` and `player` stand in `given`"),
        ("phase", "`place`, `set`, `phase` and `player` stand in `given`"),
        ("player", "`place`, `set`, `phase` and `player` stand in `given`"),
    ),
)

GIVEN: Final = Form(
    "given",
    "a given situation",
    (
        Key("phase", TEXT, "The phase, by its name or its path such as `round.hunt`; the first, if left out."),
        Key("player", EXPRESSION, "Whose turn begins: a player, or a seat's number from 0."),
        Key("place", MapOf("piece, space or zone", EXPRESSION), "Where pieces lie that are not where `at:` puts them."),
        Key("set", MapOf("variable", EXPRESSION), "Values of variables that have not their start value."),
        _LEGEND,
    ),
)

MOVE: Final = Form(
    "move",
    "a line of `do`",
    (Key("move", TEXT, "The move.", required=True), *_JUDGED),
)

SCENARIO_FORMS: Final = (FILE, SCENARIO, GIVEN, MOVE)
"""All maps of a scenario file, from the outside in."""
