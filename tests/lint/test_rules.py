"""Every rule finds its own example and nothing else there, and nothing in what mends it; its page says what its entry says."""

from __future__ import annotations

from pathlib import Path

import pytest

from gdl.cli.linting import Linter
from gdl.codes import CODES
from gdl.diagnostics import Diagnostic
from gdl.validators.config import Config
from gdl.validators.rule import Rule
from gdl.validators.rule_pages import FOLDER, pages
from gdl.validators.rules import RULES
from gdl.validators.rules.examples import POINTS, example

ROOT = Path(__file__).parents[2]
EVERY_RULE = pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)


def found_in(text: str, folder: Path) -> list[Diagnostic]:
    path = folder / "example.yaml"
    path.write_text(text, "utf-8")
    checked = Linter(Config()).check(path)
    assert checked.crash is None
    return list(checked.findings)


@EVERY_RULE
def test_the_faulty_example_has_this_fault_alone(rule: Rule, tmp_path: Path) -> None:
    findings = found_in(rule.faulty, tmp_path)
    assert [(f.code, f.severity) for f in findings] == [(rule.name, rule.severity)]
    assert findings[0].code_label == rule.code.label
    assert findings[0].help


@EVERY_RULE
def test_the_mended_example_is_clean(rule: Rule, tmp_path: Path) -> None:
    assert found_in(rule.mended, tmp_path) == []


@EVERY_RULE
def test_a_comment_silences_it(rule: Rule, tmp_path: Path) -> None:
    (finding,) = found_in(rule.faulty, tmp_path)
    lines = rule.faulty.split("\n")
    line = lines[finding.span.line - 1]
    indent = line[: len(line) - len(line.lstrip())]
    lines.insert(finding.span.line - 1, f"{indent}# gdl: ignore[{rule.code.label}] as an example")
    assert found_in("\n".join(lines), tmp_path) == []


def test_a_zone_is_used_by_the_names_of_its_spaces(tmp_path: Path) -> None:
    zones = "zones:\n  quay: {spaces: {north: {}, south: {}}}\n  pier: {graph: {nodes: [head, foot], edges: [[head, foot]]}}\n"
    pieces = "pieces:\n  ship: {per: player, at: north}\n  tug: {at: head}\n"
    assert found_in(example(zones + pieces + POINTS), tmp_path) == []
    assert [f.code for f in found_in(example(zones + POINTS), tmp_path)] == ["unused-zone", "unused-zone"]


def test_numbers_and_names_are_unique() -> None:
    names = [rule.name for rule in RULES] + [code.name for code in CODES]
    numbers = [rule.number for rule in RULES] + [code.number for code in CODES]
    assert len(set(names)) == len(names)
    assert len(set(numbers)) == len(numbers)
    assert all(300 <= rule.number < 500 for rule in RULES)


def test_the_pages_are_those_of_the_entries() -> None:
    folder = ROOT / FOLDER
    assert {path.name: path.read_text("utf-8") for path in folder.glob("*.md")} == pages(), "run python -m gdl.validators.rule_pages"
