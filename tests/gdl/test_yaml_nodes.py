"""YAML text → nodes: exact places, what is refused, what YAML cut apart, and texts that try to make reading crash."""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from gdl.diagnostics import Report
from gdl.source import Fragment, SourceFile
from gdl.yaml_nodes import Mapping, Node, Scalar, Sequence, Style, parse_yaml


def parse(text: str) -> tuple[Node | None, Report]:
    report = Report()
    return parse_yaml(SourceFile("spec.yaml", text), report), report


def parsed(text: str) -> Node:
    node, report = parse(text)
    assert report.items == []
    assert node is not None
    return node


def value_of(text: str, key: str = "x") -> Scalar:
    root = parsed(text)
    assert isinstance(root, Mapping)
    value = root.get(key)
    assert isinstance(value, Scalar)
    return value


def characters(fragment: Fragment) -> str:
    """What stands in the file at the place of each character of a fragment."""
    spans = [fragment.span(index, index + 1) for index in range(len(fragment.text))]
    return "".join(span.source.text[span.start] for span in spans)


def found(text: str) -> list[tuple[str, str]]:
    """The codes of all findings, with the text that they point at."""
    return [(item.code, item.span.text) for item in parse(text)[1].sorted()]


def plain(node: Node) -> object:
    """A node as Python data, from the fragments that expressions are read from."""
    match node:
        case Scalar():
            return node.fragment.text
        case Sequence(items=items):
            return [plain(item) for item in items]
        case Mapping(entries=entries):
            return {entry.name: plain(entry.value) for entry in entries}
    raise AssertionError(node)


class TestPlaces:
    def test_of_a_plain_scalar_is_its_raw_slice(self) -> None:
        scalar = value_of("a: b\nx: sent.clan == faction  # why\n")
        assert scalar.fragment.text == "sent.clan == faction"
        assert str(scalar.span) == "spec.yaml:2:4"
        assert characters(scalar.fragment) == scalar.fragment.text
        assert str(scalar.fragment.span(5, 9)) == "spec.yaml:2:9"

    def test_of_a_plain_scalar_over_lines_keep_the_line_ends(self) -> None:
        scalar = value_of("x: a and\n   b\n")
        assert scalar.fragment.text == "a and\n   b"
        assert scalar.value == "a and b"
        assert str(scalar.fragment.span(9, 10)) == "spec.yaml:2:4"
        assert characters(scalar.text)[:5] == "a and"
        assert str(scalar.text.span(6, 7)) == "spec.yaml:2:4"

    def test_count_characters_not_bytes(self) -> None:
        scalar = value_of("é: ü\n'漢😀': 1\nx: a\n")
        assert str(scalar.span) == "spec.yaml:3:4"

    def test_with_carriage_returns(self) -> None:
        scalar = value_of("é: b # c\r\nx: >\r\n  a\r\n  b\r\ny: 1\r\n")
        assert scalar.fragment.text == "a\r\n  b"
        assert str(scalar.fragment.span(5, 6)) == "spec.yaml:4:3"
        assert str(scalar.text.span(2, 3)) == "spec.yaml:4:3"

    def test_behind_a_byte_order_mark(self) -> None:
        scalar = value_of("\ufeffx: abc\n")
        assert scalar.span.text == "abc"

    @pytest.mark.parametrize("quote", ["'", '"'])
    def test_inside_quotes(self, quote: str) -> None:
        scalar = value_of(f"x: {quote}a[b, c]{quote}\n")
        assert scalar.fragment.offsets is None
        assert str(scalar.fragment.span(2, 3)) == "spec.yaml:1:7"
        assert scalar.span.text == f"{quote}a[b, c]{quote}"

    def test_behind_escapes_of_single_quotes(self) -> None:
        scalar = value_of("x: 'a''b c'\n")
        assert scalar.fragment.text == "a'b c"
        assert str(scalar.fragment.span(2, 3)) == "spec.yaml:1:8"

    def test_behind_escapes_of_double_quotes(self) -> None:
        scalar = value_of('x: "a\\"b\\u00e9c\\x41 d"\n')
        assert scalar.fragment.text == 'a"béc\x41 d'
        columns = [scalar.fragment.span(index, index + 1).column for index in range(8)]
        assert columns == [5, 6, 8, 9, 15, 16, 20, 21]

    def test_behind_folded_lines_in_quotes(self) -> None:
        scalar = value_of('x: "a  \n\n   b\\\n   c d"\n')
        assert scalar.fragment.text == "a\nbc d"
        assert str(scalar.fragment.span(2, 3)) == "spec.yaml:3:4"
        assert str(scalar.fragment.span(3, 4)) == "spec.yaml:4:4"
        assert str(scalar.fragment.span(5, 6)) == "spec.yaml:4:6"

    @pytest.mark.parametrize("header", [">", "|", ">-", "|+", "|2-", ">-  # how"])
    def test_in_block_scalars_are_those_of_the_source_lines(self, header: str) -> None:
        scalar = value_of(f"x: {header}\n  a # why\n  and b\n\ny: 1\n")
        assert scalar.style.is_block
        assert scalar.fragment.text == "a # why\n  and b"
        assert str(scalar.fragment.span(10, 13)) == "spec.yaml:3:3"
        assert characters(scalar.fragment) == scalar.fragment.text

    def test_of_text_in_folded_scalars(self) -> None:
        scalar = value_of("x: >\n  One two\n  three.\n\n  Four\n")
        assert scalar.value == "One two three.\nFour\n"
        words = {word: scalar.text.text.index(word) for word in ("One", "three", "Four")}
        places = {word: str(scalar.text.span(at, at + 1)) for word, at in words.items()}
        assert places == {"One": "spec.yaml:2:3", "three": "spec.yaml:3:3", "Four": "spec.yaml:5:3"}

    def test_of_collections_end_with_their_last_item(self) -> None:
        root = parsed("a:\n  - b\n  - {c: d}\n\n# end\n")
        assert root.span.text == "a:\n  - b\n  - {c: d}"

    def test_of_nodes_with_an_anchor_leave_it_out(self) -> None:
        root = parsed("a: &one [b]\nc: &two\n  d: e\nx: &three f\ng: *one\n")
        assert isinstance(root, Mapping)
        texts = [value.span.text for key in "acx" if (value := root.get(key))]
        assert texts == ["[b]", "d: e", "f"]
        assert root.get("g") is root.get("a")


class TestValues:
    def test_are_text_whatever_they_look_like(self) -> None:
        root = parsed("on: yes\nno: 010\nx: ~\ny: 1.5\nz: null\n")
        assert plain(root) == {"on": "yes", "no": "010", "x": "~", "y": "1.5", "z": "null"}

    def test_of_flow_may_have_question_marks(self) -> None:
        assert plain(parsed("{a: b ?? c, d: player?}")) == {"a": "b ?? c", "d": "player?"}

    def test_that_are_left_out_are_empty(self) -> None:
        scalar = value_of("x:\ny: 1\n")
        assert scalar.is_empty
        assert scalar.style is Style.PLAIN

    def test_of_quotes_without_content_are_not_empty(self) -> None:
        assert not value_of("x: ''\n").is_empty


class TestRefusals:
    @pytest.mark.parametrize(
        ("text", "code", "place"),
        [
            ("", "empty-file", ""),
            ("# nothing\n", "empty-file", ""),
            ("a: 1\nb: 2\na: 3\n", "duplicate-key", "a"),
            ("a: !!str 1\n", "yaml-tag", "!!str"),
            ("a: !x\n  b: c\n", "yaml-tag", "!x"),
            ("<<: {a: b}\n", "merge-key", "<<"),
            ("a: *b\n", "undefined-alias", "*b"),
            ("a: &b [*b]\n", "recursive-alias", "*b"),
            ("a: 1\n---\nb: 2\n", "many-documents", "---"),
            ("a: \x07\n", "bad-character", "\x07"),
            ("a: \ud800\n", "bad-character", "\ud800"),
            ("a: b\rc: d\n", "bad-character", "\r"),
            ("a: b\u2028c\n", "bad-character", "\u2028"),
        ],
    )
    def test_of_what_specs_do_not_have(self, text: str, code: str, place: str) -> None:
        assert found(text) == [(code, place)]

    def test_of_a_duplicate_key_shows_the_first(self) -> None:
        (item,) = parse("a: 1\nb: 2\na: 3\n")[1].items
        assert [related.span.line for related in item.related] == [1]
        assert item.span.line == 3

    @pytest.mark.parametrize(
        ("text", "place", "suggestion"),
        [
            ("x: [a, b][i]\n", "[a, b][i]", '"[a, b][i]"'),
            ("x: 'abc'[col]  # why\n", "'abc'[col]", "\"'abc'[col]\""),
            ("x: {a} marks\n", "{a} marks", '"{a} marks"'),
            ("x: f({2: 6}[n])\n", "f({2: 6}[n])", '"f({2: 6}[n])"'),
            ("f(a: b, c: d): x\n", "f(a: b, c: d)", '"f(a: b, c: d)"'),
            ("- @a\n", "@a", '"@a"'),
            ("x: > 3\n", "> 3", '"> 3"'),
            ("x: {type: set[wing], per: player}\n", "set[wing]", '"set[wing]"'),
            ("x: {a: f(b, c[d]), e: g}\n", "f(b, c[d])", '"f(b, c[d])"'),
            ("x: [p, f(a, 'b'[c])[d], e]\n", "f(a, 'b'[c])[d]", "\"f(a, 'b'[c])[d]\""),
        ],
    )
    def test_of_unquoted_expressions_come_with_the_quotes(self, text: str, place: str, suggestion: str) -> None:
        node, report = parse(text)
        assert node is None
        assert [(i.code, i.span.text, i.suggestion) for i in report.items] == [("unreadable-yaml", place, suggestion)]

    @pytest.mark.parametrize(
        ("text", "place", "message"),
        [
            ("a:\n  b: c\n foo: bar\n", "spec.yaml:3:2", "indented"),
            ('a: "b\n', "spec.yaml:1:4", "never closed"),
            ("a: {b: c\nd: e\n", "spec.yaml:1:4", "`{`"),
            ("a:\n\tb: c\n", "spec.yaml:2:1", "a tab"),
            ('a: "\\q"\n', "spec.yaml:1:5", "double quotes"),
            ("a: b\n  c: d\n", "spec.yaml:2:4", "`: `"),
            ("a: b\nc\nd: e\n", "spec.yaml:2:1", "`: `"),
        ],
    )
    def test_of_other_texts_say_where_and_why(self, text: str, place: str, message: str) -> None:
        _, report = parse(text)
        (item,) = report.items
        assert (item.code, str(item.span)) == ("unreadable-yaml", place)
        assert message in item.message


class TestSplits:
    @pytest.mark.parametrize(
        ("text", "place", "meant"),
        [
            ("{to: rays(a, b), x: y}", "rays(a, b)", {"to": "rays(a, b)", "x": "y"}),
            ("{to: f(a, g(b, c), d)}", "f(a, g(b, c), d)", {"to": "f(a, g(b, c), d)"}),
            ("{x: y, f(a, b): z}", "f(a, b)", {"x": "y", "f(a, b)": "z"}),
            ("[f(a, b), c]", "f(a, b)", ["f(a, b)", "c"]),
            ("- f({2: 6}[n])\n", "f({2: 6}[n])", ["f({2: 6}[n])"]),
            ('- log("a: b")\n', 'log("a: b")', ['log("a: b")']),
            ('[log("a: b"), c]', 'log("a: b")', ['log("a: b")', "c"]),
            ('{x: a == "b, c"}', 'a == "b, c"', {"x": 'a == "b, c"'}),
            ("{choose: a in b, c in d}", "a in b, c in d", {"choose": "a in b, c in d"}),
            ("{choose: a in b, c in f(d, e)}", "a in b, c in f(d, e)", {"choose": "a in b, c in f(d, e)"}),
            ("{x: (a, y: b)}", "(a, y: b)", {"x": "(a, y: b)"}),
            ('{x: "all(a", b), y: c}', '"all(a", b)', {"x": "all(a, b)", "y": "c"}),
            ("{x: 'f(a', g(b, c))}", "'f(a', g(b, c))", {"x": "f(a, g(b, c))"}),
            ('["f(a", b), c]', '"f(a", b)', ["f(a, b)", "c"]),
        ],
    )
    def test_are_reported_and_put_together_again(self, text: str, place: str, meant: object) -> None:
        node, report = parse(text)
        assert [(item.code, item.span.text) for item in report.items] == [("split-by-yaml", place)]
        assert node is not None
        assert plain(node) == meant

    def test_come_with_the_quoted_text(self) -> None:
        (item,) = parse("{to: rays(a, b)}")[1].items
        assert item.suggestion == '"rays(a, b)"'
        assert item.message.startswith("YAML split this expression at the comma: quote it")
        (item,) = parse('- log("it\'s: b")\n')[1].items
        assert item.suggestion == "'log(\"it''s: b\")'"

    def test_behind_a_quotation_mark_that_closes_too_early(self) -> None:
        node, report = parse('{x: "a\\x62(c", d)}')
        (item,) = report.items
        assert item.suggestion == '"ab(c, d)"'
        assert item.message.startswith("the quotation mark closes too early")
        assert isinstance(node, Mapping)
        value = node.entries[0].value
        assert isinstance(value, Scalar)
        places = [value.fragment.span(n, n + 1).text for n in range(len(value.value))]
        assert "".join(places) == "a\\(c, d)", "each character has its place in the file"

    def test_of_a_word_without_value_are_another_message(self) -> None:
        assert found("{stack, visible: none}") == [("no-value", "stack")]
        assert found("{visible: none, stack}") == [("no-value", "stack")]

    @pytest.mark.parametrize(
        "text",
        [
            "{title: Farmer's, other: it's}",
            "{title: a :), b: c}",
            '{title: 6" gun, b: c}',
            "{a: , b: }",
            "{a: 'f(b, c)', d: e}",
            "[f(a), g(b)]",
            '["(", )]',
            "[f(a), 'f(a', \"b)\"]",
        ],
    )
    def test_are_not_seen_where_there_are_none(self, text: str) -> None:
        assert found(text) == []


class TestRobustness:
    @pytest.mark.parametrize("unit", ["[", "{a: ", "- ", "? ", "[[", "{? "])
    def test_deep_nesting_is_refused(self, unit: str) -> None:
        _, report = parse(unit * 10_000)
        assert [item.code for item in report.items] == ["too-deep"]

    def test_nesting_up_to_the_bound_is_read(self) -> None:
        assert found("[" * 64 + "]" * 64) == []
        assert found("[" * 65 + "]" * 65) == [("too-deep", "[")]

    def test_aliases_count_for_depth(self) -> None:
        chain = "a0: &a0 [x]\n" + "".join(f"a{n}: &a{n} [*a{n - 1}]\n" for n in range(1, 100))
        assert [code for code, _ in found(chain)] == ["too-deep"]

    def test_alias_bombs_are_refused(self) -> None:
        bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x]\n"
        bomb += "".join(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]\n" for n in range(1, 10))
        assert [code for code, _ in found(bomb)] == ["too-many-aliases"]

    def test_aliases_up_to_the_bound_are_read(self) -> None:
        assert found("a: &a b\nc: [" + ", ".join(["*a"] * 1_000) + "]\n") == []
        assert [code for code, _ in found("a: &a b\nc: [" + ", ".join(["*a"] * 1_001) + "]\n")] == ["too-many-aliases"]

    def test_large_anchors_may_not_be_repeated_without_end(self) -> None:
        text = "a: &a [" + "x, " * 10_000 + "x]\nb: [" + ", ".join(["*a"] * 500) + "]\n"
        assert [code for code, _ in found(text)] == ["too-many-aliases"]

    def test_large_files_are_not_even_read(self) -> None:
        assert [code for code, _ in found("[" * 50_000_000)] == ["file-too-large"]

    @settings(max_examples=300, deadline=None)
    @given(st.lists(st.sampled_from(list("ab'\"[]{}(),:#&*!|>?-% \n\t\\é") + [": ", "- ", "\n  ", "&a ", "*a"])))
    def test_no_text_makes_it_crash(self, pieces: list[str]) -> None:
        text = "".join(pieces)
        node, report = parse(text)
        assert node is not None or report.has_errors
        for item in report.sorted():
            assert 0 <= item.span.start <= item.span.end <= len(text)

    @settings(max_examples=300, deadline=None)
    @given(st.text(alphabet="ab'\"\\\n x41u00e9#: ", max_size=30), st.sampled_from(["'", '"', ">\n  ", "|\n  ", ""]))
    @example("\\\n\n0", '"')
    def test_every_scalar_has_a_place_for_each_character(self, content: str, opening: str) -> None:
        closing = opening if opening in ("'", '"') else "\n"
        node, _ = parse(f"x: {opening}{content}{closing}")
        value = node.get("x") if isinstance(node, Mapping) else None
        if isinstance(value, Scalar):
            for fragment in (value.fragment, value.text):
                offsets = [fragment.span(index, index + 1).start for index in range(len(fragment.text))]
                assert offsets == sorted(offsets)
                assert all(0 <= offset <= len(value.span.source.text) for offset in offsets)
                for offset, character in zip(offsets, fragment.text, strict=True):
                    assert character.isspace() or value.span.source.text[offset] in (character, "\\")
