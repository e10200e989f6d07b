"""Diagnostics → text and data: excerpts, carets, other places, colour; and the catalogue that they quote."""

from __future__ import annotations

import ast as python
import re
from pathlib import Path

import pytest

from gdl.codes import CATALOGUE, CODES
from gdl.diagnostics import Diagnostic, Related, Severity
from gdl.render import render_diagnostic, render_json, render_text, summary
from gdl.source import SourceFile, Span

ROOT = Path(__file__).parents[2]

SOURCE = SourceFile(
    "specs/oasis.yaml",
    "clan: [green]\n\n      - choose: sent in player.camp where sent.clann == faction\n"
    "\tcol: 漢字 + é̂x\nfirst\n  second\nlast one\n",
)


def span(text: str, source: SourceFile = SOURCE) -> Span:
    start = source.text.index(text)
    return Span(source, start, start + len(text))


def lines_of(diagnostic: Diagnostic) -> list[str]:
    return render_diagnostic(diagnostic).split("\n")


def test_a_diagnostic_shows_line_caret_label_help_and_explanation() -> None:
    found = Diagnostic(
        "unknown-field",
        span("clann"),
        "a companion has no field `clann`",
        label="not a field of companion",
        help="did you mean `clan`?",
        suggestion="clan",
    )
    code = CATALOGUE["unknown-field"].label
    assert render_diagnostic(found) == (
        f"error[{code} unknown-field]: a companion has no field `clann`\n"
        " --> specs/oasis.yaml:3:48\n"
        "  |\n"
        "3 |       - choose: sent in player.camp where sent.clann == faction\n"
        "  |                                                ^^^^^ not a field of companion\n"
        "  |\n"
        "  = help: did you mean `clan`?\n"
        f"  = note: gdl explain {code}"
    )


def test_a_suggestion_that_the_help_does_not_name_is_shown() -> None:
    assert "  = help: write `clan`" in lines_of(Diagnostic("syntax", span("clann"), "wrong", suggestion="clan"))


def test_related_places_follow_with_their_own_excerpt() -> None:
    found = Diagnostic("duplicate-key", span("clann"), "twice", related=(Related(span("clan"), "first here"),))
    assert lines_of(found)[5:9] == [
        " ::: specs/oasis.yaml:1:1",
        "  |",
        "1 | clan: [green]",
        "  | ---- first here",
    ]


def test_tabs_and_wide_and_combining_characters_keep_the_caret_in_place() -> None:
    lines = lines_of(Diagnostic("syntax", span("x\nfirst"), "here", label="up to"))
    assert lines[3] == "4 |     col: 漢字 + é̂x"
    assert lines[4] == "  | " + " " * 17 + "^"
    lines = lines_of(Diagnostic("syntax", span("漢字"), "here", label="two"))
    assert lines[4] == "  |          ^^^^ two"


def test_a_span_over_lines_shows_the_first_and_the_last() -> None:
    lines = lines_of(Diagnostic("syntax", span("first\n  second\nlast"), "here", label="all this"))
    assert lines[3:9] == ["5 | first", "  | ^^^^^", "  …", "7 | last one", "  | ^^^^ all this", "  |"]
    lines = lines_of(Diagnostic("syntax", span("first\n  second\n"), "here", label="both"))
    assert lines[3:7] == ["5 | first", "  | ^^^^^", "6 |   second", "  |   ^^^^^^ both"]


def test_a_span_of_nothing_has_one_caret() -> None:
    source = SourceFile("empty.yaml", "")
    assert lines_of(Diagnostic("empty-file", Span(source, 0, 0), "empty"))[1:5] == [
        " --> empty.yaml:1:1",
        "  |",
        "1 |",
        "  | ^",
    ]


def test_the_margin_is_as_wide_as_the_largest_number() -> None:
    source = SourceFile("a.yaml", "\n" * 120 + "here\n")
    lines = lines_of(Diagnostic("syntax", span("here", source), "wrong"))
    assert lines[1:5] == ["   --> a.yaml:121:1", "    |", "121 | here", "    | ^^^^"]


def test_a_very_long_line_is_shown_in_part() -> None:
    source = SourceFile("a.yaml", "x" * 100_000 + "here" + "y" * 100_000)
    lines = lines_of(Diagnostic("syntax", span("here", source), "wrong"))
    assert len(lines[3]) < 200
    assert lines[3].index("here") == lines[4].index("^^^^")
    assert lines[3].startswith("1 | …x")
    assert lines[3].endswith("y…")


def test_control_characters_do_not_reach_the_terminal() -> None:
    source = SourceFile("a.yaml", "a \x1b[31m b\n")
    assert "\x1b" not in render_diagnostic(Diagnostic("syntax", span("b", source), "wrong"))


def test_colour_changes_nothing_but_colour() -> None:
    found = Diagnostic("syntax", span("clann"), "wrong", label="here", related=(Related(span("clan"), "there"),))
    colored = render_diagnostic(found, color=True)
    assert "\x1b[1;31m" in colored
    assert re.sub("\x1b\\[[0-9;]*m", "", colored) == render_diagnostic(found)


def test_text_can_be_capped() -> None:
    found = [Diagnostic("syntax", span("clann"), f"number {number}") for number in range(5)]
    text = render_text(found, limit=2)
    assert "number 1" in text
    assert "number 2" not in text
    assert text.endswith("\n\n… and 3 more")
    assert render_text([]) == ""


def test_a_summary_counts_by_severity() -> None:
    error = Diagnostic("syntax", span("clann"), "wrong")
    warning = Diagnostic("none-untested", span("clann"), "hm", severity=Severity.WARNING)
    assert summary([error, warning, error]) == "2 errors, 1 warning"
    assert summary([]) == "no problems"


def test_data_has_numbers_from_one_and_an_exclusive_end() -> None:
    found = Diagnostic("syntax", span("clann"), "wrong", help="do", related=(Related(span("clan"), "there"),))
    (data,) = render_json([found])
    assert data == {
        "code": CATALOGUE["syntax"].label,
        "name": "syntax",
        "severity": "error",
        "message": "wrong",
        "file": "specs/oasis.yaml",
        "line": 3,
        "column": 48,
        "end_line": 3,
        "end_column": 53,
        "suggestion": None,
        "help": "do",
        "related": [
            {
                "message": "there",
                "file": "specs/oasis.yaml",
                "line": 1,
                "column": 1,
                "end_line": 1,
                "end_column": 5,
            }
        ],
    }


class TestCatalogue:
    def test_names_and_numbers_are_unique(self) -> None:
        assert len(CATALOGUE) == len(CODES) == len({code.number for code in CODES})

    def test_numbers_ascend(self) -> None:
        numbers = [code.number for code in CODES]
        assert numbers == sorted(numbers)

    @pytest.mark.parametrize("code", CODES, ids=lambda code: code.name)
    def test_entries_are_complete(self, code: object) -> None:
        entry = CATALOGUE[getattr(code, "name", "")]
        assert entry.label == f"GDL{entry.number:03d}"
        assert entry.title[0].isupper() or entry.title[0] == "`"
        assert not entry.title.endswith(".")
        assert entry.explanation.endswith(".")

    def test_every_code_that_is_written_anywhere_is_there(self) -> None:
        unknown = {
            f"{path.relative_to(ROOT)}:{line}: {name}"
            for folder in ("gdl", "interpreter", "validators")
            for path in (ROOT / folder).rglob("*.py")
            for name, line in codes_in(path)
            if name not in CATALOGUE
        }
        assert unknown == set()


REPORTING = {"error", "warning", "Diagnostic", "RuleFault", "Unreadable", "problem", "_fail"}


def codes_in(path: Path) -> list[tuple[str, int]]:
    """The literal codes with which a module makes diagnostics and faults."""
    result: list[tuple[str, int]] = []
    for node in python.walk(python.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, python.Call) and node.args and isinstance(node.args[0], python.Constant):
            called = node.func
            name = called.attr if isinstance(called, python.Attribute) else getattr(called, "id", "")
            value = node.args[0].value
            if name in REPORTING and isinstance(value, str):
                result.append((value, node.lineno))
    return result
