"""What each output format says of the same findings, held against the standards that the formats follow."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree.ElementTree import fromstring

import pytest

from tests.cli.conftest import Command

GOOD = """\
gdl: 1
game: example
title: Example
source: made up
players: 2
phases:
  play: {turns: cycle, actions: walk}
actions:
  walk: {do: tie}
"""
BAD = GOOD.replace("phases:", "constants: {a: 1, b: c}\nphases:")


@pytest.fixture
def specs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    (tmp_path / "bad: one.yaml").write_text(BAD, "utf-8")
    (tmp_path / "good.yaml").write_text(GOOD, "utf-8")
    (tmp_path / "warned.yaml").write_text(BAD.replace(", b: c", ""), "utf-8")
    monkeypatch.chdir(tmp_path)
    return ["bad: one.yaml", "good.yaml", "warned.yaml", "missing.yaml"]


def shown(command: Command, specs: list[str], form: str) -> str:
    result = command("lint", *specs, "--format", form)
    assert (result.code, result.err) == (2, "")
    return result.out


def test_a_line_for_each_finding(command: Command, specs: list[str]) -> None:
    lines = [json.loads(line) for line in shown(command, specs, "jsonl").splitlines()]
    assert lines == json.loads(shown(command, specs, "json"))
    assert [line["name"] for line in lines] == ["unknown-name", "unused-constant", "file-missing"]


def test_github_shows_them_beside_the_lines(command: Command, specs: list[str]) -> None:
    lines = shown(command, specs, "github").splitlines()
    assert len(lines) == 3
    place = "file=bad%3A one.yaml,line=6,endLine=6,title=GDL203 unknown-name,col=22,endColumn=23"
    assert lines[0].startswith(f"::error {place}::nothing is called")
    assert lines[1].startswith("::warning file=warned.yaml,line=6,")


def test_junit_has_a_case_for_each_file(command: Command, specs: list[str]) -> None:
    root = fromstring(shown(command, specs, "junit"))
    (suite,) = root
    assert (suite.get("tests"), suite.get("failures")) == ("4", "3")
    assert [case.get("name") for case in suite] == specs
    assert [len(case) for case in suite] == [1, 0, 1, 1]


def test_markdown_has_a_table_for_each_file(command: Command, specs: list[str]) -> None:
    text = shown(command, specs, "markdown")
    assert text.startswith("### GDL: 2 errors, 1 warning\n\n**bad: one.yaml**\n\n| place |")
    assert "| 6:13 | warning | GDL311 `unused-constant` | the constant `a` is never used<br>use it, or take it out |" in text


def test_sarif_describes_its_rules(command: Command, specs: list[str]) -> None:
    log = json.loads(shown(command, specs, "sarif"))
    (run,) = log["runs"]
    rules = run["tool"]["driver"]["rules"]
    assert [rule["name"] for rule in rules] == ["file-missing", "unknown-name", "unused-constant"]
    for result in run["results"]:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
    first = run["results"][0]
    place = first["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == "bad%3A%20one.yaml"
    assert place["region"] == {"startLine": 6, "startColumn": 22, "endLine": 6, "endColumn": 23}


def test_nothing_found(command: Command, tmp_path: Path) -> None:
    path = tmp_path / "good.yaml"
    path.write_text(GOOD, "utf-8")
    assert command("lint", path).out == ""
    assert json.loads(command("lint", path, "--format", "sarif").out)["runs"][0]["results"] == []
    assert command("lint", path, "--format", "jsonl").out == ""
