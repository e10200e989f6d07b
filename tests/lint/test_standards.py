"""What the output formats write is valid by the schemas that others have published for them; `standards/README.md` says which."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final
from xml.etree.ElementTree import fromstring, tostring

import pytest
import xmlschema
from jsonschema import Draft4Validator

from gdl.diagnostics import Diagnostic, Related
from gdl.source import SourceFile, Span
from gdl.validators.formats import render
from gdl.validators.results import FileResults, Results
from tests.cli.conftest import RACE, Command
from tests.lint.test_formats import shown, specs

__all__ = ["specs"]

STANDARDS: Final = Path(__file__).parent / "standards"
SARIF: Final = Draft4Validator(json.loads((STANDARDS / "sarif-2.1.0-rtm.5.json").read_text("utf-8")))
JUNIT: Final = xmlschema.XMLSchema(STANDARDS / "junit-10.xsd")
EXTENSIONS: Final = ("file", "line")
"""What test cases have beyond the schema, since CI systems link a case to its file by it."""

SOURCE: Final = SourceFile("odd, 100%: ü\r\n.yaml", "a: b\nc: d\n")
ODD: Final = (
    Diagnostic("unknown-name", Span(SOURCE, 3, 4), "::error::50%25, a\nb\x1b[1m <&>\r\x00", help="x::y", suggestion="z\n"),
    Diagnostic("syntax", Span(SOURCE, 0, 9), "two lines", related=(Related(Span(SOURCE, 5, 6), "here\ufffe"),)),
    Diagnostic("empty-file", Span(SourceFile("empty.yaml", ""), 0, 0), "nothing"),
)
RESULTS: Final = Results((FileResults(SOURCE.name, ODD[:2]), FileResults("empty.yaml", ODD[2:]), FileResults("/abs/good.yaml")))


def sarif_errors(text: str) -> list[str]:
    return [f"{error.json_path}: {error.message}" for error in SARIF.iter_errors(json.loads(text))]


def junit_errors(text: str) -> list[str]:
    root = fromstring(text)
    for case in root.iter("testcase"):
        for name in EXTENSIONS:
            case.attrib.pop(name, None)
    return [str(error.reason) for error in JUNIT.iter_errors(tostring(root, encoding="unicode"))]


def test_the_schemas_find_mistakes() -> None:
    log = json.loads(render("sarif", RESULTS))
    log["runs"][0]["results"][0]["level"] = "fatal"
    assert len(sarif_errors(json.dumps(log))) == 1
    assert len(junit_errors(render("junit", RESULTS).replace(' name="gdl lint"', ""))) == 1


def test_findings_as_sarif(command: Command, specs: list[str]) -> None:
    assert sarif_errors(shown(command, specs, "sarif")) == []
    assert sarif_errors(render("sarif", RESULTS)) == []
    assert sarif_errors(render("sarif", Results(()))) == []


def test_findings_as_junit(command: Command, specs: list[str]) -> None:
    assert junit_errors(shown(command, specs, "junit")) == []
    assert junit_errors(render("junit", RESULTS)) == []
    assert junit_errors(render("junit", Results(()))) == []


def test_scenarios_as_junit(command: Command, tmp_path: Path) -> None:
    (tmp_path / "race.yaml").write_text(RACE, "utf-8")
    (tmp_path / "odd.test.yaml").write_text("a: [b", "utf-8")
    tests = '- {name: "odd <&> \\x1b", do: [rest]}\n- {name: wrong, do: [rest], expect: "players[0].place == 3"}\n'
    (tmp_path / "race.test.yaml").write_text(f"spec: race.yaml\ntests:\n{tests}", "utf-8")
    report = tmp_path / "report.xml"
    assert command("test", tmp_path, "--junit", report).code == 2
    text = report.read_text("utf-8")
    assert junit_errors(text) == []
    assert [len(suite) for suite in fromstring(text)] == [1, 2]


# --- workflow commands of GitHub Actions, which have no schema --------------------------------------------------------


def command_read(line: str) -> tuple[str, dict[str, str], str]:
    """A workflow command as the runner of GitHub Actions reads it: kind, properties, message."""
    head, _, message = line.removeprefix("::").partition("::")
    kind, _, properties = head.partition(" ")
    pairs = (part.partition("=") for part in properties.split(","))
    return kind, {key: unescaped(value) for key, _, value in pairs}, unescaped(message)


def unescaped(text: str) -> str:
    for code, sign in (("%2C", ","), ("%3A", ":"), ("%0A", "\n"), ("%0D", "\r"), ("%25", "%")):
        text = text.replace(code, sign)
    return text


@pytest.mark.parametrize("finding", ODD, ids=lambda finding: finding.code)
def test_nothing_ends_or_begins_a_workflow_command(finding: Diagnostic) -> None:
    text = render("github", Results((FileResults(finding.span.source.name, (finding,)),)))
    assert "\n" not in text
    assert "\r" not in text
    kind, properties, message = command_read(text)
    assert kind == "error"
    assert properties["file"] == finding.span.source.name
    assert properties["title"] == f"{finding.code_label} {finding.code}"
    assert message == "\n".join(part for part in (finding.message, finding.help) if part)
