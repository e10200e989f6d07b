"""Texts → trees: what is read as what, where every node stands, and what bounds hold."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from importlib import resources

import pytest

from gdl import ast, expression_tables
from gdl.diagnostics import Report
from gdl.expression_builder import Builder
from gdl.expression_parser import (
    RESERVED,
    parse_binders,
    parse_binding,
    parse_call,
    parse_declared,
    parse_expression,
    parse_name,
    parse_signature,
    parse_step,
    parse_template,
    parse_type,
)
from gdl.expression_refusals import MAXIMUM_DEPTH, MAXIMUM_LENGTH
from gdl.nodes import parts_of
from gdl.source import Fragment, SourceFile

PARSERS = {
    "binders": parse_binders,
    "binding": parse_binding,
    "call": parse_call,
    "declared": parse_declared,
    "expression": parse_expression,
    "name": parse_name,
    "signature": parse_signature,
    "step": parse_step,
    "template": parse_template,
    "type": parse_type,
}


def fragment(text: str) -> Fragment:
    return Fragment(text, SourceFile("test.yaml", text), 0)


def parsed(kind: str, text: str) -> object:
    report = Report()
    tree = PARSERS[kind](fragment(text), report)
    assert not report.items, [item.message for item in report.items]
    assert tree is not None
    return tree


def dump(node: object) -> str:
    """A tree as one line: the form first, then its parts."""
    match node:
        case None:
            return "-"
        case str() | bool():
            return repr(node)
        case tuple():
            return " ".join(map(dump, node))
        case ast.Name() | ast.TypeName(part=None):
            return node.name
        case ast.Number():
            return str(node.value)
        case ast.Text():
            return repr(node.value)
        case ast.Literal():
            return "none" if node.value is None else str(node.value).lower()
        case ast.Field():
            return f"(. {dump(node.target)} {node.name})"
        case ast.Index():
            return f"(at {dump(node.target)} {dump(node.arguments)})"
        case ast.Argument():
            keyword = f"{node.keyword.name}=" if node.keyword else ""
            return f"{keyword}{dump(node.value)}" + (f":{node.binder.name}" if node.binder else "")
        case ast.Call():
            return f"(call {' '.join([dump(node.function), *map(dump, node.arguments)])})"
        case ast.Link():
            return f"[{f'as {node.binder.name} ' if node.binder else ''}{node.operator} {dump(node.body)}]"
        case ast.Chain():
            return f"(list {dump(node.source)} {dump(node.links)})"
        case ast.Is():
            return f"({'is-not' if node.negated else 'is'} {dump(node.operand)} {dump(node.kind)})"
        case ast.TypeName():
            return f"{node.name}.{node.part}"
        case ast.Logic() | ast.Compare() | ast.Arithmetic():
            return f"({node.operator} {dump(node.left)} {dump(node.right)})"
        case ast.Not() | ast.Negate():
            return f"({'not' if isinstance(node, ast.Not) else 'neg'} {dump(node.operand)})"
        case ast.If():
            return f"(if {dump(node.condition)} {dump(node.then)} {dump(node.otherwise)})"
        case ast.Coalesce():
            return f"(?? {dump(node.left)} {dump(node.right)})"
        case ast.Range() | ast.RangeType():
            return f"(.. {dump(node.low)} {dump(node.high)})"
        case ast.ListLiteral():
            return f"[{dump(node.items)}]"
        case ast.TableLiteral():
            return "{" + " ".join(f"{dump(key)}:{dump(value)}" for key, value in node.entries) + "}"
        case ast.Assign():
            return f"({node.operator} {dump(node.target)} {dump(node.value)})"
        case ast.Do():
            return f"(do {dump(node.call)})"
    assert isinstance(node, ast.Node)
    return f"({type(node).__name__} {' '.join(map(dump, parts(node)))})"


def parts(node: ast.Node) -> list[object]:
    return [part for name, part in parts_of(node) if name != "span"]


# --- expressions ------------------------------------------------------------------------------------------------------

EXPRESSIONS = [
    # atoms
    ("x", "x"),
    ("_x9", "_x9"),
    ("0", "0"),
    ("9223372036854775807", "9223372036854775807"),
    ("'a \"b\" ◤'", "'a \"b\" ◤'"),
    ('""', "''"),
    ("none", "none"),
    ("true", "true"),
    ("false", "false"),
    ("(((x)))", "x"),
    ("iffy", "iffy"),
    ("nonesuch", "nonesuch"),
    # postfix
    ("a.b.c", "(. (. a b) c)"),
    ("a.b[c, d].e", "(. (at (. a b) c d) e)"),
    ("f()", "(call f)"),
    ("card.useful(player)", "(call (. card useful) player)"),
    ("f(a, k=b, xs as n)", "(call f a k=b xs:n)"),
    ("f(xs where c as n, n.v)", "(call f (list xs [where c]):n (. n v))"),
    ("f(xs as m where m.a as n)", "(call f (list xs [as m where (. m a)]):n)"),
    ("f(1..3 as i, i)", "(call f (.. 1 3):i i)"),
    ("f((a + b) as n, n)", "(call f (+ a b):n n)"),
    ("f(flipped=side == green)", "(call f flipped=(== side green))"),
    # reserved words behind a dot and as keywords
    ("card.done[player]", "(at (. card done) player)"),
    ("a.where.by.none", "(. (. (. a where) by) none)"),
    ("f(to=p, by=q, in=none)", "(call f to=p by=q in=none)"),
    ("f(not a, if b then c else d)", "(call f (not a) (if b c d))"),
    # literals
    ("[]", "[]"),
    ("[a, [b], 1..3]", "[a [b] (.. 1 3)]"),
    ("{}", "{}"),
    ("{2: 6, 3..5: a + b}[n]", "(at {2:6 (.. 3 5):(+ a b)} n)"),
    ("{1: [], 2: xs where c}", "{1:[] 2:(list xs [where c])}"),
    # precedence, tightest first: each line one level against the next
    ("-a.b", "(neg (. a b))"),
    ("-f(a)", "(neg (call f a))"),
    ("--a", "(neg (neg a))"),
    ("-a * b", "(* (neg a) b)"),
    ("a * -b", "(* a (neg b))"),
    ("a * b + c", "(+ (* a b) c)"),
    ("a + b * c", "(+ a (* b c))"),
    ("a // b % c * d", "(* (% (// a b) c) d)"),
    ("a - b - c", "(- (- a b) c)"),
    ("a - (b - c)", "(- a (- b c))"),
    ("a..b + 1", "(.. a (+ b 1))"),
    ("-2..2", "(.. (neg 2) 2)"),
    ("a ?? 1..3", "(?? a (.. 1 3))"),
    ("a ?? b + 1", "(?? a (+ b 1))"),
    ("a ?? b ?? c", "(?? a (?? b c))"),
    ("a ?? b == c ?? d", "(== (?? a b) (?? c d))"),
    ("x in 1..3", "(in x (.. 1 3))"),
    ("x not in xs + ys", "(not in x (+ xs ys))"),
    ("a + 1 <= b - 1", "(<= (+ a 1) (- b 1))"),
    ("a != b", "(!= a b)"),
    ("(a < b) == (c > d)", "(== (< a b) (> c d))"),
    ("a.b is card", "(is (. a b) card)"),
    ("x is not board.part", "(is-not x board.part)"),
    ("x is card and y", "(and (is x card) y)"),
    ("not x in xs", "(not (in x xs))"),
    ("not a == b", "(not (== a b))"),
    ("not not a", "(not (not a))"),
    ("not a and b", "(and (not a) b)"),
    ("a and b and c", "(and (and a b) c)"),
    ("a or b and c", "(or a (and b c))"),
    ("a and b or c", "(or (and a b) c)"),
    ("(a or b) and c", "(and (or a b) c)"),
    ("if a or b then c else d or e", "(if (or a b) c (or d e))"),
    ("if a then b else if c then d else e", "(if a b (if c d e))"),
    ("if a then if b then c else d else e", "(if a (if b c d) e)"),
    ("(if a then b else c) + 1", "(+ (if a b c) 1)"),
    ("1 + (if a then b else c)", "(+ 1 (if a b c))"),
    # list operators
    ("xs where c", "(list xs [where c])"),
    ("xs where a or b", "(list xs [where (or a b)])"),
    ("xs where if a then b else c", "(list xs [where (if a b c)])"),
    ("xs where if a then b else ys where d", "(list xs [where (if a b ys)] [where d])"),
    ("if a then xs where b else c", "(if a (list xs [where b]) c)"),
    ("if a then b else (xs where c)", "(if a b (list xs [where c]))"),
    ("xs where a select b by -c while d until e", "(list xs [where a] [select b] [by (neg c)] [while d] [until e])"),
    ("xs as n where n.a select n.b", "(list xs [as n where (. n a)] [select (. n b)])"),
    ("xs where a as n select n.b", "(list xs [where a] [as n select (. n b)])"),
    ("p.hand[0] where c", "(list (at (. p hand) 0) [where c])"),
    ("f(x) by y", "(list (call f x) [by y])"),
    ("0..6 as c select last(column(c))", "(list (.. 0 6) [as c select (call last (call column c))])"),
    ("0..a + 1 where c", "(list (.. 0 (+ a 1)) [where c])"),
    ("[a, b] where c", "(list [a b] [where c])"),
    ("(a + b) where c", "(list (+ a b) [where c])"),
    ("(-a) where c", "(list (neg a) [where c])"),
    ("(xs where a) where b", "(list (list xs [where a]) [where b])"),
    ("x in (xs where c)", "(in x (list xs [where c]))"),
    ("xs where it in (ys where it.a)", "(list xs [where (in it (list ys [where (. it a)]))])"),
    ("(xs where a) + ys", "(+ (list xs [where a]) ys)"),
    ("board[xs where c]", "(at board (list xs [where c]))"),
    # blanks and comments
    ("a\n  and b", "(and a b)"),
    ("a # and c\nand b # the end", "(and a b)"),
    ("# first\na", "a"),
    ("'a # b'", "'a # b'"),
    ("\r\n\ta\r\n", "a"),
]


@pytest.mark.parametrize(("text", "tree"), EXPRESSIONS)
def test_expressions(text: str, tree: str) -> None:
    assert dump(parsed("expression", text)) == tree


# --- other texts ------------------------------------------------------------------------------------------------------

TEXTS = [
    ("step", "x = 1", "(= x 1)"),
    ("step", "p.sheet[3].number += 1", "(+= (. (at (. p sheet) 3) number) 1)"),
    ("step", "card.done[player] -= f(a)", "(-= (at (. card done) player) (call f a))"),
    ("step", "x = xs where c", "(= x (list xs [where c]))"),
    ("step", "x = a == b", "(= x (== a b))"),
    ("step", "move(card, hand)", "(do (call move card hand))"),
    ("step", "tie", "(do (call tie))"),
    ("step", "pass", "(do (call pass))"),
    ("step", "(tie)", "(do (call tie))"),
    ("call", "walk", "(call walk)"),
    ("call", "walk()", "(call walk)"),
    ("call", "jump(start=target)", "(call jump start=target)"),
    ("call", "change(sheet.number)", "(call change (. sheet number))"),
    ("call", "end(phase)", "(call end phase)"),
    (
        "binders",
        "card in player.hand where open(card), stone in stones",
        "(Binder card (list (. player hand) [where (call open card)])) (Binder stone stones)",
    ),
    ("binders", "n in max(quantity, 1)..count(dice)", "(Binder n (.. (call max quantity 1) (call count dice)))"),
    ("binders", "p in if a then b else c", "(Binder p (if a b c))"),
    ("binding", "n = e", "(Binding n e)"),
    ("binding", "caught = s where it is guest", "(Binding caught (list s [where (is it guest)]))"),
    ("name", " bring_back ", "bring_back"),
    ("type", "int", "int"),
    ("type", "city.part", "city.part"),
    ("type", "0..46", "(.. 0 46)"),
    ("type", "-2..count(players) * 2 - 1", "(.. (neg 2) (- (* (call count players) 2) 1))"),
    ("type", "1..(if a then b.c else 3)", "(.. 1 (if a (. b c) 3))"),
    ("type", "player or none", "(OptionalType player)"),
    ("type", "0..46 or none", "(OptionalType (.. 0 46))"),
    ("type", "set[suit]", "(SetType suit)"),
    ("type", "set[1..9]", "(SetType (.. 1 9))"),
    ("type", "list[card]", "(ListType card -)"),
    ("type", "list[card or none, max 2 * n]", "(ListType (OptionalType card) (* 2 n))"),
    ("type", "set[card] or none", "(OptionalType (SetType card))"),
    ("type", "computed int", "(ComputedType int )"),
    ("type", "computed int or none", "(ComputedType (OptionalType int) )"),
    ("type", "computed bool (p: player)", "(ComputedType bool (Parameter p player -))"),
    ("type", "computed set[card] ()", "(ComputedType (SetType card) )"),
    ("declared", "0..46 = 10", "(Declared (.. 0 46) 10)"),
    ("declared", "bool", "(Declared bool -)"),
    ("declared", "effect", "(Declared effect -)"),
    ("declared", "player or none = players[0]", "(Declared (OptionalType player) (at players 0))"),
    (
        "declared",
        "computed bool (p: player) = p.a or b",
        "(Declared (ComputedType bool (Parameter p player -)) (or (. p a) b))",
    ),
    ("declared", "int = if a then 1 else 2", "(Declared int (if a 1 2))"),
    ("signature", "stay", "(Signature stay  False)"),
    ("signature", "stay()", "(Signature stay  True)"),
    ("signature", "equip(discount: 0..1 = 0)", "(Signature equip (Parameter discount (.. 0 1) 0) True)"),
    (
        "signature",
        "f(a: int, b: set[card] or none = none)",
        "(Signature f (Parameter a int -) (Parameter b (OptionalType (SetType card)) none) True)",
    ),
    ("template", "", "(Template )"),
    ("template", "no holes", "(Template 'no holes')"),
    ("template", "{player} drops into {slot + 1}", "(Template player ' drops into ' (+ slot 1))"),
    ("template", "{{{x}}} }}{{", "(Template '{' x '} }{')"),
    ("template", "{ {1: 2}[x] }: {f('}', \"{\")}", "(Template (at {1:2} x) ': ' (call f '}' '{'))"),
    ("template", "◤ it's {x}", '(Template "◤ it\'s " x)'),
]


@pytest.mark.parametrize(("kind", "text", "tree"), TEXTS)
def test_other_texts(kind: str, text: str, tree: str) -> None:
    assert dump(parsed(kind, text)) == tree


def test_a_step_without_brackets_is_a_call_without_arguments() -> None:
    step = parsed("step", "tie")
    assert isinstance(step, ast.Do)
    assert (step.call.function.span, step.call.span, step.span) == (step.span,) * 3


@pytest.mark.parametrize("word", sorted(RESERVED))
def test_reserved_words_are_no_names(word: str) -> None:
    report = Report()
    assert parse_name(fragment(word), report) is None
    assert parse_binding(fragment(f"{word} = 1"), report) is None
    assert parse_binders(fragment(f"{word} in xs"), report) is None
    assert {item.message for item in report.items} == {f"`{word}` is a reserved word and can't be a name"}
    assert dump(parsed("expression", f"x.{word}")) == f"(. x {word})"
    assert dump(parsed("expression", f"f({word}=1)")) == f"(call f {word}=1)"


# --- places -----------------------------------------------------------------------------------------------------------


def places(node: object) -> list[str]:
    """The text of every node, outer nodes first."""
    if isinstance(node, tuple):
        return [text for part in node for text in places(part)]
    if not isinstance(node, ast.Node):
        return []
    return [node.span.text, *(text for part in parts(node) for text in places(part))]


PLACES = [
    ("expression", " a + b.c ", ["a + b.c", "a", "b.c", "b"]),
    ("expression", "(a + b) * (c)", ["(a + b) * (c)", "a + b", "a", "b", "c"]),
    ("expression", "((a)).b", ["((a)).b", "a"]),
    ("expression", "not (a)", ["not (a)", "a"]),
    ("expression", "f( a, k = (b) )", ["f( a, k = (b) )", "f", "a", "a", "k = (b)", "b", "k"]),
    ("expression", "a[ b ][c]", ["a[ b ][c]", "a[ b ]", "a", "b", "c"]),
    ("expression", "[ ]", ["[ ]"]),
    ("expression", "{a: (b)}", ["{a: (b)}", "a", "b"]),
    ("expression", "if a then b else (c)", ["if a then b else (c)", "a", "b", "c"]),
    ("expression", "x is not a.b", ["x is not a.b", "x", "a.b"]),
    (
        "expression",
        "(xs) as n where (n) by m",
        ["(xs) as n where (n) by m", "xs", "as n where (n)", "n", "n", "by m", "m"],
    ),
    ("expression", "f(xs as n)", ["f(xs as n)", "f", "xs as n", "xs", "n"]),
    ("step", "(a).b += (c)", ["(a).b += (c)", "(a).b", "a", "c"]),
    ("call", "walk()", ["walk()", "walk"]),
    ("binders", "a in (b), c in d", ["a in (b)", "a", "b", "c in d", "c", "d"]),
    (
        "type",
        "list[ 0..(n), max 3 ] or none",
        ["list[ 0..(n), max 3 ] or none", "list[ 0..(n), max 3 ]", "0..(n)", "0", "n", "3"],
    ),
    ("declared", "0..3 = (1)", ["0..3 = (1)", "0..3", "0", "3", "1"]),
    ("signature", "f(a: int = (1))", ["f(a: int = (1))", "f", "a: int = (1)", "a", "int", "1"]),
    ("template", "a {b} c", ["a {b} c", "b"]),
]


@pytest.mark.parametrize(("kind", "text", "expected"), PLACES)
def test_places(kind: str, text: str, expected: list[str]) -> None:
    assert places(parsed(kind, text)) == expected


def test_the_name_of_a_field_has_a_place() -> None:
    field = parsed("expression", "a . b")
    assert isinstance(field, ast.Field)
    assert (field.name_span.text, field.name_span.start) == ("b", 4)


def test_places_in_a_slice_of_a_file() -> None:
    source = SourceFile("test.yaml", "when: a and b  # both")
    tree = parse_expression(Fragment("a and b", source, 6), Report())
    assert tree is not None
    assert (tree.span.start, tree.span.end, str(tree.span)) == (6, 13, "test.yaml:1:7")


def test_places_in_a_scalar_with_escapes() -> None:
    source = SourceFile("test.yaml", r'when: "f(\"a\") and b"')
    text = 'f("a") and b'
    offsets = (7, 8, 9, 11, 12, 14, 15, 16, 17, 18, 19, 20, 21)
    tree = parse_expression(Fragment(text, source, 7, offsets), Report())
    assert tree is not None
    assert places(tree)[:2] == [r"f(\"a\") and b", r"f(\"a\")"]
    report = Report()
    parse_expression(Fragment('f("a") an b', source, 7, offsets[:12]), report)
    assert (report.items[0].span.start, report.items[0].span.end) == (16, 18)
    parse_expression(Fragment('f("a") and', source, 7, offsets[:11]), report)
    assert (report.items[1].span.start, report.items[1].span.end) == (19, 19)


def test_places_in_the_hole_of_a_template_with_escapes() -> None:
    source = SourceFile("test.yaml", r'"\"{a} {b +}"')
    report = Report()
    assert parse_template(Fragment('"{a} {b +}', source, 1, (1, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12)), report) is None
    assert [item.span.start for item in report.items] == [11]


# --- bounds -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "inside", "text"),
    [
        ("expression", MAXIMUM_DEPTH, "({})"),
        ("expression", MAXIMUM_DEPTH - 1, "[{}]"),
        ("expression", MAXIMUM_DEPTH - 1, "not {}"),
        ("expression", MAXIMUM_DEPTH - 1, "-{}"),
        ("expression", MAXIMUM_DEPTH - 1, "{}.a"),
        ("expression", MAXIMUM_DEPTH - 1, "{} + 1"),
        ("expression", MAXIMUM_DEPTH - 1, "if a then b else {}"),
        ("type", MAXIMUM_DEPTH - 1, "set[{}]"),
    ],
)
def test_depth_is_bounded(kind: str, inside: int, text: str) -> None:
    def nested(times: int) -> str:
        result = "x"
        for _ in range(times):
            result = text.replace("{}", result)
        return result

    parsed(kind, nested(inside))
    for times in (inside + 1, 5 * inside, (MAXIMUM_LENGTH - 1) // (len(text) - 2)):
        report = Report()
        assert PARSERS[kind](fragment(nested(times)), report) is None
        assert [(item.code, item.message) for item in report.items] == [
            ("too-deep", "nested more than 100 levels deep")
        ]


@pytest.mark.parametrize("kind", sorted(PARSERS))
def test_length_is_bounded(kind: str) -> None:
    report = Report()
    assert PARSERS[kind](fragment("a+" * 2_000_000), report) is None
    assert [(item.code, item.message) for item in report.items] == [
        ("too-large", "4,000,000 characters are too long for one expression; at most 20,000 are allowed")
    ]


# --- the tables -------------------------------------------------------------------------------------------------------


def test_the_tables_are_those_of_the_grammar() -> None:
    """The grammar has no conflict, and `python -m gdl.expression_tables` has been run since it was changed."""
    pytest.importorskip("interegular", reason="Lark's strict mode needs it")
    written = resources.files("gdl").joinpath(expression_tables.TABLES_FILE).read_text(encoding="utf-8")
    assert written == expression_tables.render_tables()


@pytest.mark.parametrize("name", ["no_such_file.json", "expression.lark"])
def test_without_fitting_tables_the_parser_is_built(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(expression_tables, "TABLES_FILE", name)
    builder = Builder()
    parser = expression_tables.load_parser(builder)
    builder.begin(fragment("a + b"))
    assert dump(parser.parse("a + b", "expression")) == "(+ a b)"


def test_threads_do_not_disturb_each_other() -> None:
    texts = [f"({name} + {number}) * {name}" for name in ("a", "b") for number in range(200)]
    with ThreadPoolExecutor(4) as pool:
        trees = list(pool.map(lambda text: dump(parsed("expression", text)), texts))
    assert trees == [f"(* (+ {name} {number}) {name})" for name in ("a", "b") for number in range(200)]
