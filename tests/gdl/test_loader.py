"""Specs → declarations: every form of every section, what is refused and how, includes and tables, and exact places."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gdl import ast, model
from gdl.diagnostics import Diagnostic, Report
from gdl.forms import FORMS, STEP_FORMS
from gdl.load_files import Reader, Unreadable, decode_source, folder_reader, no_files, read_source
from gdl.load_tables import parse_cell_block, parse_cell_expression, split_effect_cell
from gdl.loader import load_declarations
from gdl.source import Fragment, SourceFile

HEAD = "gdl: 1\ngame: test\nplayers: 2\n"
PACKAGE = Path(__file__).parents[2] / "gdl"


def reader(files: dict[str, str]) -> Reader:
    def read(path: str) -> SourceFile | Unreadable:
        if path in files:
            return SourceFile(path, files[path])
        return Unreadable("file-missing", f"there is no file `{path}`")

    return read


def load(text: str, files: dict[str, str] | None = None) -> tuple[model.Declarations | None, list[Diagnostic]]:
    report = Report()
    source = SourceFile("spec.yaml", text)
    return load_declarations(source, reader(files or {}), report), report.sorted()


def loaded(body: str, files: dict[str, str] | None = None) -> model.Declarations:
    """The declarations of a spec without mistakes, given without its head."""
    declarations, found = load(HEAD + body, files)
    assert [f"{item.span}: {item.message}" for item in found] == []
    assert declarations is not None
    return declarations


def findings(body: str, files: dict[str, str] | None = None) -> list[tuple[str, str]]:
    """The codes of what is wrong in a spec, with the text that each points at."""
    _, found = load(HEAD + body, files)
    return [(item.code, item.span.text) for item in found]


def finding(body: str, files: dict[str, str] | None = None) -> Diagnostic:
    """The one thing that is wrong in a spec."""
    _, found = load(HEAD + body, files)
    assert len(found) == 1, [f"{item.span}: {item.code}: {item.message}" for item in found]
    return found[0]


def text_of(node: ast.Node | None) -> str:
    assert node is not None
    return node.span.text


def steps(body: str) -> tuple[ast.Step, ...]:
    """The steps of a `setup` given as YAML."""
    indented = "\n".join("  " + line for line in body.split("\n"))
    setup = loaded(f"setup:\n{indented}\n").setup
    assert setup is not None
    return setup.steps


def only_step(body: str) -> ast.Step:
    (step,) = steps(body)
    return step


class TestTop:
    def test_the_smallest_spec(self) -> None:
        spec = loaded("")
        assert (spec.game, spec.players.allowed) == ("test", (2,))
        assert spec.setup is None

    def test_texts(self) -> None:
        spec = loaded("title: 2048\nabout: >\n  One\n  two # three.\nauthors: 'A, B'\nsource: x\n")
        assert (spec.title, spec.about, spec.authors, spec.source) == ("2048", "One two # three.", "A, B", "x")

    @pytest.mark.parametrize(
        ("written", "allowed"),
        [("1", (1,)), ("2..4", (2, 3, 4)), ("[2, 4]", (2, 4)), ("'2..3'", (2, 3)), ("16", (16,))],
    )
    def test_players(self, written: str, allowed: tuple[int, ...]) -> None:
        spec, found = load(f"gdl: 1\ngame: test\nplayers: {written}\n")
        assert not found
        assert spec is not None
        assert spec.players.allowed == allowed

    @pytest.mark.parametrize(
        ("written", "code"),
        [
            ("0", "wrong-players"),
            ("17", "wrong-players"),
            ("4..2", "wrong-players"),
            ("[4, 2]", "wrong-players"),
            ("[]", "wrong-players"),
            ("two", "wrong-form"),
            ("2..x", "wrong-form"),
            ("[2, x]", "wrong-form"),
            ("{}", "wrong-form"),
            ("", "no-value"),
        ],
    )
    def test_wrong_players(self, written: str, code: str) -> None:
        _, found = load(f"gdl: 1\ngame: test\nplayers: {written}\n")
        assert [item.code for item in found] == [code]

    def test_what_is_required(self) -> None:
        _, found = load("title: x\n")
        assert [item.message for item in found] == [
            "a spec needs `game`",
            "a spec needs `gdl`",
            "a spec needs `players`",
        ]

    def test_other_versions(self) -> None:
        _, found = load("gdl: 2\ngame: test\nplayers: 2\n")
        assert [(item.code, item.span.text) for item in found] == [("wrong-version", "2")]

    def test_seats(self) -> None:
        assert [name.name for name in loaded("seats: [white, black]\n").seats] == ["white", "black"]
        assert finding("seats: [white, black, red]\n").code == "wrong-players"
        _, found = load("gdl: 1\ngame: test\nplayers: 2..3\nseats: [white, black]\n")
        assert [item.message for item in found] == ["`seats` needs a fixed number of players"]

    @pytest.mark.parametrize("text", ["- a\n", "just text\n", "[a]"])
    def test_a_spec_that_is_no_map_is_none(self, text: str) -> None:
        declarations, found = load(text)
        assert declarations is None
        assert [item.code for item in found] == ["wrong-form"]

    def test_a_spec_that_is_no_yaml_is_none(self) -> None:
        declarations, found = load("a: [b\n")
        assert declarations is None
        assert [item.code for item in found] == ["unreadable-yaml"]


class TestKeys:
    def test_unknown_ones_come_with_the_nearest(self) -> None:
        item = finding("zones:\n  deck: {stak: true}\n")
        assert (item.code, item.span.text, item.suggestion) == ("unknown-key", "stak", "stack")
        assert item.message == "a zone has no key `stak`"
        assert item.help == "did you mean `stack`?"

    def test_unknown_ones_without_a_near_one_list_what_is_possible(self) -> None:
        item = finding("result: {xyz: 1}\n")
        assert item.help == "possible: `score`, `ranking`"
        assert item.suggestion is None

    def test_known_mistakes_have_an_advice(self) -> None:
        assert finding("setup:\n  repeat: 3\n  as: i\n  do: tie\n").help == "for a counter write `for: i in 1..n`"

    def test_without_value(self) -> None:
        item = finding("setup:\n")
        assert (item.code, item.span.text) == ("no-value", "setup")
        assert findings("zones:\n  deck:\n    per:\n  hand:\n") == [("no-value", "per"), ("no-value", "hand")]

    def test_missing_ones_are_shown_at_the_name(self) -> None:
        item = finding("triggers:\n  full: {do: tie}\n")
        assert (item.code, item.span.text, item.message) == ("missing-key", "full", "a trigger needs `on`")

    def test_that_exclude_each_other(self) -> None:
        item = finding("zones:\n  deck: {track: 3, hex: 2}\n")
        assert (item.code, item.span.text) == ("keys-clash", "hex")
        assert [related.span.text for related in item.related] == ["track"]

    def test_that_need_another(self) -> None:
        item = finding("phases:\n  play: {from: last(players), do: tie}\n")
        assert (item.code, item.span.text) == ("needs-key", "from")

    @pytest.mark.parametrize(
        ("body", "message"),
        [
            ("zones: [deck]\n", "`zones` takes a map with a zone on each line; this is a list"),
            ("zones:\n  deck: 3\n", "expected a zone as a map with keys such as `per`, `stack`"),
            ("enums:\n  suit: red\n", "expected a list of names; this is text"),
            ("end: {when: a}\n", "`end` takes a list of maps; this is a map"),
            ("zones:\n  deck: {stack: {}}\n", "`stack` takes `true` or `false`; this is a map"),
            ("zones:\n  map: {grid: 3}\n", "`grid` takes a list of expressions; this is a number"),
            ("pieces:\n  card: {rows: {a: b}}\n", "`rows` takes a list of maps; this is a map"),
            ("title: [a]\n", "`title` takes text; this is a list"),
            ("seats: white\n", "`seats` takes a list of names; this is text"),
        ],
    )
    def test_of_another_form(self, body: str, message: str) -> None:
        item = finding(body)
        assert item.code == "wrong-form"
        assert item.message.startswith(message)

    def test_of_flags(self) -> None:
        item = finding("zones:\n  deck: {stack: yes}\n")
        assert (item.code, item.span.text) == ("wrong-word", "yes")

    def test_one_mistake_hides_no_other(self) -> None:
        body = """\
enums: {suit: red}
constants:
  a: 1 +
  b: (2
zones:
  deck: {stak: true, visible: 1 +, track: }
setup:
  - move(a, )
  - {iff: a}
  - [tie]
"""
        assert [code for code, _ in findings(body)] == [
            "wrong-form",
            "syntax",
            "syntax",
            "unknown-key",
            "syntax",
            "no-value",
            "syntax",
            "not-a-step",
            "wrong-form",
        ]

    def test_every_key_of_every_form_is_read_somewhere(self) -> None:
        sources = "".join(path.read_text(encoding="utf-8") for path in PACKAGE.glob("load*.py"))
        words = set(re.findall(r'"([a-z_]+)"', sources))
        keys = {key.name for form in (*FORMS.values(), *STEP_FORMS) for key in form.keys if form.name != "display"}
        assert keys - words == set()


class TestSections:
    def test_options(self) -> None:
        options = loaded("""\
options:
  variant: {values: [base, expert], default: expert, label: Side of the board}
  cube: {type: bool, default: false}
  width: {range: 3..19, default: 11}
  mode: {values: [true, maybe], default: true}
""").options
        assert [(o.name, o.kind, o.default) for o in options] == [
            ("variant", "values", "expert"),
            ("cube", "bool", False),
            ("width", "range", 11),
            ("mode", "values", "true"),
        ]
        assert [value for value, _ in options[0].values] == ["base", "expert"]
        assert options[0].label == "Side of the board"
        assert (options[2].low, options[2].high) == (3, 19)

    @pytest.mark.parametrize(
        ("option", "code", "place"),
        [
            ("{values: [base, expert], default: exprt}", "wrong-word", "exprt"),
            ("{range: 3..19, default: 20}", "wrong-form", "20"),
            ("{range: 5..3, default: 4}", "wrong-form", "5..3"),
            ("{type: bool, default: on}", "wrong-word", "on"),
            ("{type: int, default: true}", "wrong-word", "int"),
            ("{default: 3}", "missing-key", "x"),
            ("{values: [a]}", "missing-key", "x"),
            ("{values: [a], range: 1..2, default: a}", "keys-clash", "range"),
        ],
    )
    def test_wrong_options(self, option: str, code: str, place: str) -> None:
        assert findings(f"options:\n  x: {option}\n") == [(code, place)]

    def test_enums_and_constants(self) -> None:
        spec = loaded("enums:\n  suit: [red, blue]\nconstants:\n  a: 1 + 2\n  b: [x, 2]\n  c: {red: 1, 2..3: [4]}\n")
        assert [symbol.name for symbol in spec.enums[0].symbols] == ["red", "blue"]
        sum_, list_, table = (constant.value for constant in spec.constants)
        assert isinstance(sum_, ast.Arithmetic)
        assert isinstance(list_, ast.ListLiteral)
        assert [type(item) for item in list_.items] == [ast.Name, ast.Number]
        assert isinstance(table, ast.TableLiteral)
        assert [(type(key), type(value)) for key, value in table.entries] == [
            (ast.Name, ast.Number),
            (ast.Range, ast.ListLiteral),
        ]

    def test_functions(self) -> None:
        functions = loaded("""\
functions:
  "one()": 1
  "two(p: player, n: int = 2)":
    let: a = n + 1
    value: a
  "three()":
    let:
      - a = 1
      - b = a
    value: >-
      a   # first
      + b
  "four()": {red: 1, blue: 2}
""").functions
        assert [function.name for function in functions] == ["one", "two", "three", "four"]
        assert [len(function.bindings) for function in functions] == [0, 1, 2, 0]
        assert [p.name.name for p in functions[1].signature.parameters] == ["p", "n"]
        assert isinstance(functions[2].value, ast.Arithmetic)
        assert isinstance(functions[3].value, ast.TableLiteral)

    def test_functions_and_procedures_are_named_with_brackets(self) -> None:
        item = finding("functions:\n  one: 1\n")
        assert (item.code, item.span.text, item.suggestion) == ("wrong-form", "one", '"one()"')
        assert finding("procedures:\n  one: tie\n").suggestion == '"one()"'

    def test_procedures(self) -> None:
        procedures = loaded(
            'procedures:\n  "one(p: player)": tie\n  "two()": [tie, stop]\n  "three()": []\n'
        ).procedures
        assert [len(procedure.body.steps) for procedure in procedures] == [1, 2, 0]

    def test_history_limits_and_display(self) -> None:
        spec = loaded("""\
history:
  positions: {of: [board, player], keep: 4 * width, wrap: true}
  other: {of: board, keep: 3}
limits: {turns: 400, depth: 64}
display:
  guest: {glyph: o, color: player}
""")
        first, second = spec.histories
        assert ([name.name for name in first.of], first.wrap) == (["board", "player"], True)
        assert ([name.name for name in second.of], second.wrap) == (["board"], False)
        assert text_of(spec.limits.turns) == "400"
        assert spec.limits.fuel is None
        assert spec.display[0].values == (("glyph", "o"), ("color", "player"))

    def test_invariants(self) -> None:
        assert len(loaded("invariants: a == b\n").invariants) == 1
        assert len(loaded("invariants:\n  - a == b\n  - c\n").invariants) == 2

    def test_names_are_declared_once(self) -> None:
        item = finding('functions:\n  "f(a: int)": 1\n  "f(b: int)": 2\n')
        assert (item.code, item.span.line) == ("duplicate-name", 6)
        assert [related.span.line for related in item.related] == [5]


class TestPieces:
    def test_every_key(self) -> None:
        (kind,) = loaded("""\
pieces:
  guest:
    per: [player, suit]
    count: "{2: 6}[count(players)]"
    at: this.owner.supply
    faces: [1, 2, ghost]
    attributes: {color: suit, cost: int = 0, more: {type: int or none, per: sector, default: 3}}
    variables:
      rotation: 0..3 = 0
      done: {type: bool, per: player, start: true, visible: owner, clamp: true, when: expert}
    each: {color: suit, rank: 1..9}
    label: "{this.color} {this.rank}"
    back: guest
    when: tactics
""").kinds
        assert [text_of(type_) for type_ in kind.per] == ["player", "suit"]
        assert [type(part) for part in (kind.count, kind.at, kind.faces)] == [ast.Index, ast.Field, ast.ListLiteral]
        color, cost, more = kind.attributes
        assert (text_of(color.type), color.default, color.per) == ("suit", None, None)
        assert (text_of(cost.type), text_of(cost.default)) == ("int", "0")
        assert (type(more.type), text_of(more.per), text_of(more.default)) == (ast.OptionalType, "sector", "3")
        rotation, done = kind.variables
        assert (type(rotation.type), text_of(rotation.start)) == (ast.RangeType, "0")
        assert (done.clamp, done.visible, text_of(done.start), text_of(done.when)) == (True, "owner", "true", "expert")
        assert [(name.name, text_of(value)) for name, value in kind.each] == [("color", "suit"), ("rank", "1..9")]
        assert kind.label is not None
        assert len(kind.label.parts) == 3
        assert (kind.back, text_of(kind.when)) == ("guest", "tactics")

    def test_unions(self) -> None:
        (kind,) = loaded("pieces:\n  card: {any_of: [clan, tactic]}\n").kinds
        assert [name.name for name in kind.any_of] == ["clan", "tactic"]

    def test_rows(self) -> None:
        (kind,) = loaded("""\
pieces:
  card:
    attributes: {value: int, title: text, does: effect, tags: 'list[tag]'}
    rows:
      - {name: one, value: 1, copies: 2, when: seats > 1}
      - value: 2
        title: >
          Long
          title
        does:
          - tie
          - stop
        tags: [a, b]
      - {value: 3, does: {if: a, then: tie}, title: }
""").kinds
        assert kind.rows is not None
        one, two, three = kind.rows
        assert one.name is not None
        assert (one.name.name, text_of(one.when)) == ("one", "seats > 1")
        assert [column.name for column, _ in one.cells] == ["value", "copies"]
        cells = {column.name: cell for column, cell in two.cells}
        assert cells["title"].text == "Long title\n"
        assert cells["does"].block is not None
        assert isinstance(cells["tags"].expression, ast.ListLiteral)
        assert [column.name for column, _ in three.cells] == ["value", "does"]
        assert isinstance(parse_cell_block(three.cells[1][1], Report()).steps[0], ast.IfStep)

    def test_a_type_that_can_not_be_read_leaves_the_name(self) -> None:
        declarations, found = load(HEAD + "variables:\n  a: 'set['\n  c: bool\n")
        assert [item.code for item in found] == ["syntax"]
        assert declarations is not None
        assert [variable.name for variable in declarations.variables] == ["a", "c"]
        assert isinstance(declarations.variables[0].type, ast.InvalidType)


class TestZones:
    def zone(self, written: str) -> model.Zone:
        (zone,) = loaded(f"zones:\n  z: {written}\n").zones
        return zone

    @pytest.mark.parametrize(
        ("written", "kind", "sizes"),
        [
            ("{}", "single", 0),
            ("{track: 30, loop: true}", "track", 1),
            ("{grid: [rows, 3 + 4]}", "grid", 2),
            ("{hex: width}", "hex", 1),
            ("{graph: {nodes: [a, b, c], edges: [[a, b], [b, c]]}}", "graph", 0),
            ("{spaces: {a: {points: 1}, b: {}}}", "named", 0),
        ],
    )
    def test_geometries(self, written: str, kind: str, sizes: int) -> None:
        geometry = self.zone(written).geometry
        assert (geometry.kind, len(geometry.sizes)) == (kind, sizes)

    def test_tables_alone_and_beside_a_geometry(self) -> None:
        files = {"t.csv": "index,tank\n1,4\n"}
        alone, beside = loaded("zones:\n  a: {table: t.csv}\n  b: {track: 3, table: t.csv}\n", files).zones
        assert (alone.geometry.kind, beside.geometry.kind) == ("table", "track")
        assert alone.rows is not None
        assert len(alone.rows) == 1

    def test_other_keys(self) -> None:
        zone = self.zone("""
    per: player
    stack: true
    holds: [card, tile]
    refill: used[this.color]
    capacity: 4
    grid: [3, 3]
    adjacency: orthogonal
    cells: this.row + this.col < 4
    forward: [north, south]
    label: "{this.row}"
    attributes: {side: player = next(player)}
    variables: {seeds: 0..9 = 0}
    edges: {variables: {tunnel: bool}}
    parts:
      names: [n, e, s, w]
      legend: {■: [n, e, s, w], ◤: [n, w]}
      variables: {taken: bool}
      holds: stone""")
        assert (zone.stack, zone.adjacency, zone.visible, zone.secret) == (True, "orthogonal", "all", False)
        assert [name.name for name in zone.holds or ()] == ["card", "tile"]
        assert [text_of(part) for part in (zone.refill, zone.capacity)] == ["used[this.color]", "4"]
        assert [name.name for name in zone.forward] == ["north", "south"]
        assert (zone.has_edges, [variable.name for variable in zone.edge_variables]) == (True, ["tunnel"])
        assert zone.parts is not None
        assert [(key.value, len(names)) for key, names in zone.parts.legend] == [("■", 4), ("◤", 2)]
        assert [name.name for name in zone.parts.holds or ()] == ["stone"]

    @pytest.mark.parametrize(
        ("written", "visible", "secret"),
        [
            ("none", "none", False),
            ("top", "top", False),
            ("secret", "none", True),
            ("[owner, secret]", "owner", True),
        ],
    )
    def test_who_sees(self, written: str, visible: str, secret: bool) -> None:
        zone = self.zone(f"{{visible: {written}}}")
        assert (zone.visible, zone.secret) == (visible, secret)

    def test_who_sees_by_a_condition(self) -> None:
        assert isinstance(self.zone("{visible: viewer in it.known_to}").visible, ast.Compare)

    def test_holds_left_out_and_empty(self) -> None:
        assert self.zone("{}").holds is None
        assert self.zone("{holds: []}").holds == ()
        assert [name.name for name in self.zone("{holds: card}").holds or ()] == ["card"]

    def test_named_spaces(self) -> None:
        (zone,) = loaded("""\
zones:
  rooms:
    attributes: {door: gallery, points: int = 0}
    spaces:
      armory: {door: "gallery[8]", points: 1}
      salon:
""").zones
        assert zone.rows is not None
        armory, salon = zone.rows
        assert [row.name.name for row in zone.rows if row.name] == ["armory", "salon"]
        assert [(column.name, cell.text) for column, cell in armory.cells] == [("door", "gallery[8]"), ("points", "1")]
        assert salon.cells == ()


class TestSteps:
    def test_text(self) -> None:
        assert isinstance(only_step("- move(a, b)"), ast.Do)
        assert isinstance(only_step("- a.b += 1"), ast.Assign)

    def test_one_alone(self) -> None:
        assert isinstance(loaded("setup: tie\n").setup, ast.Block)
        alone = loaded("setup: {if: a, then: tie}\n").setup
        assert alone is not None
        assert [type(step) for step in alone.steps] == [ast.IfStep]

    def test_if(self) -> None:
        step = only_step("- if: a == b\n  then: tie\n  else: [stop, tie]")
        assert isinstance(step, ast.IfStep)
        assert len(step.then.steps) == 1
        assert step.otherwise is not None
        assert len(step.otherwise.steps) == 2

    def test_match(self) -> None:
        step = only_step("- match: x\n  cases:\n    ghost: tie\n    1..5: [tie]\n    [a, b]: []\n  else: stop")
        assert isinstance(step, ast.MatchStep)
        assert [type(key) for key, _ in step.cases] == [ast.Name, ast.Range, ast.ListLiteral]

    @pytest.mark.parametrize(
        ("written", "kind"),
        [
            ("- for: g in guest where g.at == to\n  do: tie", ast.ForStep),
            ("- repeat: n\n  do: tie", ast.RepeatStep),
            ("- while: a\n  do: tie", ast.WhileStep),
            ("- let: n = 1", ast.LetStep),
            ("- let:\n    - n = 1\n    - m = n", ast.LetStep),
            ("- as: p\n  do: tie", ast.AsStep),
            ("- may: Circle it\n  do: tie", ast.MayStep),
            ("- together: players\n  sealed: true\n  do: tie", ast.TogetherStep),
        ],
    )
    def test_with_a_leading_key(self, written: str, kind: type[ast.Step]) -> None:
        assert isinstance(only_step(written), kind)

    def test_choose(self) -> None:
        step = only_step("""\
- choose: card in player.hand where open(card), stone in stones
  when: fits(card, stone)
  by: next(player)
  most: value(card)
  pass: stop
  name: pay
  prompt: Pay for {card}
  do: tie
  else: []""")
        assert isinstance(step, ast.ChooseStep)
        assert [binder.name.name for binder in step.binders] == ["card", "stone"]
        keys = step.keys
        assert [text_of(part) for part in (keys.by, keys.most)] == ["next(player)", "value(card)"]
        assert keys.name is not None
        assert keys.name.name == "pay"
        assert keys.passing is not None
        assert keys.otherwise is not None
        assert keys.prompt is not None
        assert [len(block.steps) for block in (keys.passing, keys.otherwise)] == [1, 0]

    def test_choose_between_two_counts(self) -> None:
        step = only_step("- choose: a in b\n  count: 1..2\n  do: tie")
        assert isinstance(step, ast.ChooseStep)
        assert [text_of(part) for part in (step.keys.lower, step.keys.upper)] == ["1", "2"]

    def test_choose_with_a_list_and_one_count(self) -> None:
        step = only_step("- choose:\n    - a in b\n    - c in d\n  count: n + 1\n  optional: true\n  do: tie")
        assert isinstance(step, ast.ChooseStep)
        assert len(step.binders) == 2
        assert step.keys.lower is step.keys.upper
        assert step.keys.passing is not None
        assert step.keys.passing.steps == ()

    def test_actions(self) -> None:
        step = only_step("- actions: [explore, equip(0)]\n  by: p")
        assert isinstance(step, ast.ActionsStep)
        assert [call.function.name for call in step.entries] == ["explore", "equip"]
        assert isinstance(only_step("- actions: explore"), ast.ActionsStep)

    def test_place(self) -> None:
        step = only_step("""\
- place:
    board:
      - . K
      - '# .'
    other: |
      a b
      c d
  key:
    K: king(white)
    '#': disc = red
    a: [disc = red, up = 1]""")
        assert isinstance(step, ast.PlaceStep)
        assert [(where.span.text, [text.value for text in rows]) for where, rows in step.rows] == [
            ("board", [". K", "# ."]),
            ("other", ["a b", "c d"]),
        ]
        assert str(step.rows[1][1][1].span) == "spec.yaml:11:9"
        meanings = [meaning for _, meaning in step.legend]
        assert isinstance(meanings[0], ast.Call)
        assert [len(meaning) for meaning in meanings[1:] if isinstance(meaning, tuple)] == [1, 2]

    @pytest.mark.parametrize(
        ("written", "code", "suggestion"),
        [
            ("- {iff: a, then: tie}", "not-a-step", "if"),
            ("- {xyz: a}", "not-a-step", None),
            ("- {}", "not-a-step", None),
            ("- [tie]", "wrong-form", None),
            ("-", "wrong-form", None),
            ("- {if: a, thn: tie, then: stop}", "unknown-key", "then"),
            ("- {if: a}", "missing-key", None),
            ("- {choose: a in b}", "missing-key", None),
            ("- {for: 'a in b, c in d', do: tie}", "wrong-form", None),
            ("- {choose: a in b, optional: true, pass: stop, do: tie}", "keys-clash", None),
        ],
    )
    def test_wrong_ones(self, written: str, code: str, suggestion: str | None) -> None:
        item = finding(f"setup:\n  {written}\n")
        assert (item.code, item.suggestion) == (code, suggestion)

    def test_that_yaml_cut_apart(self) -> None:
        item = finding("setup:\n  - {for: c in rays(a, b), do: tie}\n")
        assert (item.code, item.suggestion) == ("split-by-yaml", '"c in rays(a, b)"')


class TestCourse:
    def test_actions(self) -> None:
        walk, equip, recruit, stay = loaded("""\
actions:
  walk:
    label: "{g} walks"
    choose: [g in guest, "c in rays(g, d)"]
    when: may(g)
    pass: stop
    do: move(g, c)
  "equip(discount: 0..1 = 0)":
    do: tie
  recruit:
    actions: [walk, equip(1)]
    else: []
  stay: {when: party}
""").actions
        assert (len(walk.binders), text_of(walk.guard)) == (2, "may(g)")
        assert walk.keys.passing is not None
        assert [parameter.name.name for parameter in equip.signature.parameters] == ["discount"]
        assert len(recruit.entries) == 2
        assert recruit.keys.otherwise is not None
        assert stay.body.steps == ()

    def test_phases(self) -> None:
        outer, last = loaded("""\
phases:
  round:
    for: number in 1..3
    when: party
    phases:
      hunt:
        turns: cycle
        from: starter
        order: counterclockwise
        skip: player.out
        until: done()
        actions: [walk, stay]
        else: []
        optional: true
      reckoning: {turns: each, order: "[players[1], players[0]]", do: [tie, stop]}
  last:
    together: players
    sealed: true
    do: tie
    triggers:
      full: {on: "enter(gallery)", when: piece is hugo, do: tie}
""").phases
        assert outer.loop is not None
        assert (outer.loop.name.name, text_of(outer.when), outer.body) == ("number", "party", None)
        hunt, reckoning = outer.phases
        assert hunt.turns is not None
        assert (hunt.turns.mode, hunt.turns.order, text_of(hunt.turns.start)) == (
            "cycle",
            "counterclockwise",
            "starter",
        )
        assert hunt.body is not None
        (step,) = hunt.body.steps
        assert isinstance(step, ast.ActionsStep)
        assert (step.keys.passing is not None, step.keys.otherwise is not None) == (True, True)
        assert reckoning.turns is not None
        assert isinstance(reckoning.turns.order, ast.Index | ast.ListLiteral)
        assert last.body is not None
        (together,) = last.body.steps
        assert isinstance(together, ast.TogetherStep)
        assert together.sealed
        assert [trigger.name for trigger in last.triggers] == ["full"]

    @pytest.mark.parametrize(
        ("written", "code", "place"),
        [
            ("{turns: cycl, do: tie}", "wrong-word", "cycl"),
            ("{turns: cycle}", "missing-key", "p"),
            ("{do: tie, actions: walk}", "keys-clash", "actions"),
            ("{do: tie, optional: true}", "needs-key", "optional"),
            ("{together: players}", "needs-key", "together"),
            ("{sealed: true, do: tie}", "needs-key", "sealed"),
            ("{do: tie, triggers: {t: {on: enter(a)}}}", "missing-key", "t"),
        ],
    )
    def test_wrong_phases(self, written: str, code: str, place: str) -> None:
        assert findings(f"phases:\n  p: {written}\n") == [(code, place)]

    def test_triggers(self) -> None:
        (trigger,) = loaded("triggers:\n  t:\n    on: [change(sheet.number), turn_end]\n    do: tie\n").triggers
        assert [call.function.name for call in trigger.events] == ["change", "turn_end"]

    def test_ends(self) -> None:
        ends = loaded("""\
end:
  - when: a
  - {when: b, tie: true, check: at_once}
  - {when: c, winners: players, check: end(claims)}
  - {when: d, losers: "[a, b]", check: turn_end}
  - {when: e, everyone: lose}
  - {when: f, everyone: win}
""").end
        assert [(end.outcome, end.check) for end in ends] == [
            ("rank", "decision"),
            ("tie", "at_once"),
            ("winners", "end"),
            ("losers", "turn_end"),
            ("everyone_lose", "decision"),
            ("everyone_win", "decision"),
        ]
        assert ends[2].phase is not None
        assert ends[2].phase.name == "claims"

    @pytest.mark.parametrize(
        ("written", "code", "place"),
        [
            ("{when: a, check: now}", "wrong-word", "now"),
            ("{when: a, check: end(1)}", "wrong-word", "end(1)"),
            ("{when: a, tie: true, winners: b}", "keys-clash", "winners"),
            ("{when: a, everyone: wins}", "wrong-word", "wins"),
            ("{when: a, tie: false}", "wrong-form", "false"),
            ("{tie: true}", "missing-key", "{tie: true}"),
        ],
    )
    def test_wrong_ends(self, written: str, code: str, place: str) -> None:
        assert findings(f"end:\n  - {written}\n") == [(code, place)]

    def test_results(self) -> None:
        result = loaded("result: {score: a + b, ranking: highest score}\n").result
        assert result is not None
        assert [name for name, _ in result.score] == [""]
        assert [(c.highest, c.value) for c in result.ranking] == [(True, None)]
        result = loaded(
            "result:\n  score: {plants: a, water: b}\n  ranking: [lowest score, highest  player.water]\n"
        ).result
        assert result is not None
        assert [name for name, _ in result.score] == ["plants", "water"]
        assert result.ranking[1].value is not None
        assert str(result.ranking[1].value.span) == "spec.yaml:6:36"

    def test_wrong_rankings(self) -> None:
        assert findings("result: {ranking: [most score, highest]}\n") == [
            ("wrong-word", "most"),
            ("wrong-form", "highest"),
        ]


class TestIncludes:
    def test_are_merged_before_the_spec(self) -> None:
        spec, found = load(
            "gdl: 1\ngame: test\ninclude: common.yaml\nenums: {b: [y]}\nsetup: stop\nend: [{when: b}]\ninvariants: b\n",
            {"common.yaml": "players: 2..3\nenums: {a: [x]}\nsetup: [tie]\nend: [{when: a}]\ninvariants: [a]\n"},
        )
        assert not found
        assert spec is not None
        assert spec.players.allowed == (2, 3)
        assert [enum.name for enum in spec.enums] == ["a", "b"]
        assert [text_of(step) for step in (spec.setup.steps if spec.setup else ())] == ["tie", "stop"]
        assert [text_of(end.when) for end in spec.end] == ["a", "b"]
        assert [text_of(invariant) for invariant in spec.invariants] == ["a", "b"]

    def test_may_include_others_and_are_read_once(self) -> None:
        files = {"a.yaml": "include: c.yaml\n", "b.yaml": "include: c.yaml\n", "c.yaml": "enums: {e: [x]}\n"}
        assert len(loaded("include: [a.yaml, b.yaml]\n", files).enums) == 1

    def test_of_a_circle(self) -> None:
        item = finding("include: a.yaml\n", {"a.yaml": "include: b.yaml\n", "b.yaml": "include: a.yaml\n"})
        assert (item.code, str(item.span)) == ("include-cycle", "b.yaml:1:10")

    def test_that_are_missing_are_shown_at_the_path(self) -> None:
        item = finding("include: [a.yaml]\n")
        assert (item.code, item.span.text) == ("file-missing", "a.yaml")

    def test_mistakes_are_shown_in_their_file(self) -> None:
        item = finding("include: a.yaml\n", {"a.yaml": "zoness: {}\n"})
        assert str(item.span) == "a.yaml:1:1"

    def test_define_names_once(self) -> None:
        item = finding("include: a.yaml\nenums: {e: [x]}\n", {"a.yaml": "enums: {e: [y]}\n"})
        assert (item.code, str(item.span)) == ("duplicate-name", "spec.yaml:5:9")
        assert [str(related.span) for related in item.related] == ["a.yaml:1:9"]

    @pytest.mark.parametrize(
        "section", ["phases: {p: {do: tie}}", "title: x", "result: {score: a}", "limits: {turns: 3}"]
    )
    def test_leave_some_sections_to_one_file(self, section: str) -> None:
        item = finding(f"include: a.yaml\n{section}\n", {"a.yaml": f"{section}\n"})
        assert (item.code, item.span.line) == ("defined-twice", 5)

    def test_in_great_number_end_somewhere(self) -> None:
        files = {f"f{n}.yaml": f"include: f{n + 1}.yaml\n" for n in range(200)}
        assert finding("include: f0.yaml\n", files).message == "a spec has at most 100 files"


class TestTables:
    def rows(self, table: str, name: str = "t.csv", attributes: str = "does: effect") -> tuple[model.Row, ...]:
        body = f"pieces:\n  card: {{attributes: {{{attributes}}}, table: {name}}}\n"
        rows = loaded(body, {name: table}).kinds[0].rows
        assert rows is not None
        return rows

    def test_of_csv(self) -> None:
        one, two = self.rows('name,value,emissions.industry,when\na,1,,\nb,"f(x, 2)",3,p > 1\n')
        assert one.name is not None
        assert [(column.name, cell.text) for column, cell in one.cells] == [("value", "1")]
        cells = {column.name: cell for column, cell in two.cells}
        assert list(cells) == ["value", "emissions.industry"]
        assert text_of(two.when) == "p > 1"
        assert str(cells["value"].span) == "t.csv:3:4"
        assert cells["value"].fragment is not None
        assert str(cells["value"].fragment.span(5, 6)) == "t.csv:3:9"

    def test_of_csv_with_doubled_quotes_blanks_and_carriage_returns(self) -> None:
        (row,) = self.rows('a,b , c\r\n "say(""x"", y)" ,  2 ,3\r\n\r\n')
        cells = {column.name: cell for column, cell in row.cells}
        assert [cell.text for cell in cells.values()] == ['say("x", y)', "2", "3"]
        fragment = cells["a"].fragment
        assert fragment is not None
        assert [fragment.span(at, at + 1).column for at in (0, 4, 5, 6, 7)] == [3, 7, 9, 10, 12]
        assert str(cells["b"].span) == "t.csv:2:21"

    def test_of_csv_with_a_line_end_in_a_cell(self) -> None:
        (row,) = self.rows('a,b\n"x\ny",2\n')
        assert row.cells[0][1].text == "x\ny"
        assert str(row.cells[1][1].span) == "t.csv:3:4"

    @pytest.mark.parametrize(
        ("table", "code", "place"),
        [
            ("", "empty-file", ""),
            ("a,b\n1\n", "bad-table", "1"),
            ("a,b\n1,2,3\n", "bad-table", "1,2,3"),
            ("a,a\n1,2\n", "bad-table", "a"),
            ("a,b c\n1,2\n", "bad-table", "b c"),
            ("a,\n1,2\n", "bad-table", ""),
            ('a,b\n"1,2\n', "bad-table", '"'),
            ('a,b\n"1"x,2\n', "bad-table", "x"),
        ],
    )
    def test_wrong_csv(self, table: str, code: str, place: str) -> None:
        found = findings("pieces:\n  card: {table: t.csv}\n", {"t.csv": table})
        assert found[0] == (code, place)

    def test_of_yaml(self) -> None:
        rows = self.rows("- {name: a, does: [tie, stop]}\n- {name: b, does: tie; stop}\n", "t.yaml")
        assert [row.name.name for row in rows if row.name] == ["a", "b"]
        assert [len(parse_cell_block(row.cells[0][1], Report()).steps) for row in rows] == [2, 2]

    def test_that_are_missing_or_of_another_kind(self) -> None:
        assert finding("pieces:\n  card: {table: t.csv}\n").code == "file-missing"
        assert finding("pieces:\n  card: {table: t.txt}\n", {"t.txt": "a\n"}).code == "wrong-form"

    def test_cells_are_parsed_when_their_type_is_known(self) -> None:
        (row,) = self.rows('value,does\n1 + 2,"move(a, b); log(""x; y"") ;tie"\n')
        report = Report()
        value, does = (cell for _, cell in row.cells)
        assert isinstance(parse_cell_expression(value, report), ast.Arithmetic)
        block = parse_cell_block(does, report)
        assert [text_of(step) for step in block.steps] == ["move(a, b)", 'log(""x; y"")', "tie"]
        assert report.items == []
        assert isinstance(parse_cell_expression(model.Cell(does.span, block=block), report), ast.Invalid)
        assert parse_cell_block(model.Cell(value.span, expression=ast.Invalid(value.span)), report).steps == ()
        assert [item.code for item in report.items] == ["wrong-form", "wrong-form"]

    def test_mistakes_in_cells_are_shown_in_the_table(self) -> None:
        (row,) = self.rows('value\n"f(""a"", b c)"\n')
        report = Report()
        parse_cell_expression(row.cells[0][1], report)
        assert [str(item.span) for item in report.items] == ["t.csv:2:13"]


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("", []),
        (" ; ", []),
        ("a; b", ["a", "b"]),
        ("f(a; b); [c; d]", ["f(a; b)", "[c; d]"]),
        ("log('a; b');c", ["log('a; b')", "c"]),
        ("a)b; c", ["a)b", "c"]),
    ],
)
def test_effect_cells_are_cut_outside_of_brackets_and_quotes(text: str, parts: list[str]) -> None:
    source = SourceFile("t.csv", text)
    found = split_effect_cell(Fragment(text, source, 0))
    assert [part.text for part in found] == parts
    assert [part.whole.text for part in found] == parts


class TestPlaces:
    @pytest.mark.parametrize(
        ("written", "place"),
        [
            ("x: a + zz!\n", "spec.yaml:5:12"),
            ('x: "a + zz!"\n', "spec.yaml:5:13"),
            ("x: 'a == ''b'' !'\n", "spec.yaml:5:18"),
            ("x: >-\n    a   # one\n    + b !\n", "spec.yaml:7:9"),
            ("x: |\n    a\n    + b !\n", "spec.yaml:7:9"),
            ("x: a\n    + b !\n", "spec.yaml:6:9"),
        ],
    )
    def test_of_syntax_errors_are_exact_in_every_style(self, written: str, place: str) -> None:
        item = finding(f"constants:\n  {written}")
        assert item.code == "syntax"
        assert str(item.span) == place

    def test_of_holes_in_templates(self) -> None:
        (kind,) = loaded('pieces:\n  card: {at: deck, label: "a\\tb {this.rank}"}\n').kinds
        assert kind.label is not None
        hole = kind.label.parts[1]
        assert isinstance(hole, ast.Field)
        assert (hole.span.text, hole.span.column) == ("this.rank", 34)


SAMPLE = """\
zones:
  deck: {stack: true, visible: none}
  rooms: {attributes: {door: gallery}, spaces: {salon: {door: "gallery[2]"}, attic: {}}}
pieces:
  card: {attributes: {suit: suit, does: effect}, rows: [{suit: red, does: [tie, stop]}], at: deck}
functions:
  "f(a: int)": {let: b = a, value: b + 1}
actions:
  play:
    choose: [card in player.hand, "n in f(1, 2)"]
    do:
      - if: a == b
        then: {match: n, cases: {1..2: tie, [3, 4]: stop}, else: []}
      - place: {board: [". x"]}
        key: {x: disc = red}
phases: {play: {turns: cycle, actions: play, pass: stop}}
end: [{when: a, winners: players, check: end(play)}]
result: {score: {a: b}, ranking: [highest score]}
"""
PIECES = [
    "[",
    "]",
    "{",
    "}",
    ":",
    ": ",
    ",",
    "- ",
    "\n",
    "\n  ",
    "'",
    '"',
    " # ",
    "*a ",
    "&a ",
    "!x ",
    "| ",
    "> ",
    "é",
    "(",
]


@settings(max_examples=300, deadline=None)
@given(st.lists(st.tuples(st.integers(0, len(SAMPLE)), st.integers(0, 9), st.sampled_from(PIECES)), max_size=4))
def test_no_spec_makes_loading_crash(changes: list[tuple[int, int, str]]) -> None:
    text = SAMPLE
    for place, removed, added in changes:
        text = text[:place] + added + text[place + removed :]
    declarations, found = load(HEAD + text)
    assert declarations is not None or found
    for item in found:
        assert 0 <= item.span.start <= item.span.end <= len(item.span.source.text)


@settings(max_examples=300, deadline=None)
@given(st.lists(st.sampled_from(["a", "b", ",", '"', '""', "\n", "\r\n", " ", "name", "when", ".", "é", ";"])))
def test_no_table_makes_loading_crash(pieces: list[str]) -> None:
    table = "".join(pieces)
    _, found = load(HEAD + "pieces:\n  card: {table: t.csv}\n", {"t.csv": table})
    for item in found:
        assert 0 <= item.span.start <= item.span.end <= len(item.span.source.text)


class TestFiles:
    def test_below_the_folder_are_read(self, tmp_path: Path) -> None:
        (tmp_path / "a").mkdir()
        (tmp_path / "a" / "t.csv").write_bytes(b"\xef\xbb\xbfname\n\xc3\xa9\n")
        found = folder_reader(tmp_path)("a/t.csv")
        assert isinstance(found, SourceFile)
        assert found.text == "name\né\n"

    @pytest.mark.parametrize("path", ["../x.csv", "/etc/passwd", "a/../../x.csv", "a\\b.csv"])
    def test_outside_the_folder_are_not(self, tmp_path: Path, path: str) -> None:
        found = folder_reader(tmp_path)(path)
        assert isinstance(found, Unreadable)
        assert found.code == "file-outside"

    def test_behind_a_link_that_leads_out_are_not(self, tmp_path: Path) -> None:
        folder = tmp_path / "specs"
        folder.mkdir()
        (tmp_path / "secret.csv").write_text("a\n")
        (folder / "t.csv").symlink_to(tmp_path / "secret.csv")
        found = folder_reader(folder)("t.csv")
        assert isinstance(found, Unreadable)
        assert found.code == "file-outside"

    @pytest.mark.parametrize("path", ["none.csv", "", ".", "a\0b.csv", "x" * 5_000])
    def test_that_are_no_files(self, tmp_path: Path, path: str) -> None:
        found = folder_reader(tmp_path)(path)
        assert isinstance(found, Unreadable)
        assert found.code == "file-missing"

    def test_that_are_not_text_or_too_large(self, tmp_path: Path) -> None:
        (tmp_path / "a.csv").write_bytes(b"ok\n\xff\n")
        found = read_source(tmp_path / "a.csv", "a.csv")
        assert isinstance(found, Unreadable)
        assert (found.code, "line 2" in found.message) == ("not-utf8", True)
        large = decode_source("b.csv", b"a" * (4 * 1024 * 1024 + 1))
        assert isinstance(large, Unreadable)
        assert large.code == "file-too-large"

    def test_of_a_spec_given_as_text(self) -> None:
        found = no_files("a.csv")
        assert isinstance(found, Unreadable)
