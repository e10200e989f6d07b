"""`gdl test`: what it shows, counts and writes, and how it compares scenarios with numbered rules."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from collections.abc import Callable
from pathlib import Path

import pytest

from gdl.cli.rules import rules_of
from tests.cli.conftest import Command

Spec = Callable[[str], Path]

SCENARIOS = """\
spec: race.yaml
tests:
  - name: a step is as long as the die says
    covers: [RACE-1, RACE-2]
    chance: [roll(die) = 2]
    do: [advance]
    expect: ["players[0].place == 2"]
  - name: resting changes nothing
    covers: [RACE-3]
    do: [rest]
    expect: ["players[0].place == 0"]
"""
WRONG = """\
spec: race.yaml
tests:
  - name: a step is longer
    covers: [RACE-4]
    chance: [roll(die) = 2]
    do: [advance]
    expect: ["players[0].place == 3"]
"""
RULES = """\
# Race

Numbers such as **RACE-9** in a text are mentions.

- **RACE-1** A turn begins with a roll.
- **RACE-2** The runner may move on by it, see **RACE-3**.
- **RACE-3** Or rest.
"""


@pytest.fixture
def folder(tmp_path: Path, spec: Spec) -> Path:
    spec("race")
    (tmp_path / "race.test.yaml").write_text(SCENARIOS, "utf-8")
    (tmp_path / "race.md").write_text(RULES, "utf-8")
    return tmp_path


def test_scenarios_that_pass(command: Command, folder: Path) -> None:
    shown = command("test", folder)
    assert (shown.code, shown.err) == (0, "")
    assert shown.out.splitlines()[-1] == "2 passed, 0 failed"


def test_a_scenario_that_fails_shows_the_difference(command: Command, folder: Path) -> None:
    (folder / "wrong.test.yaml").write_text(WRONG, "utf-8")
    shown = command("test", folder)
    assert shown.code == 1
    assert "FAILED  a step is longer" in shown.out
    assert "wrong.test.yaml:" in shown.out
    assert "3" in shown.out
    assert shown.out.splitlines()[-1] == "2 passed, 1 failed"


def test_folders_are_searched_in_order_and_files_run_once(command: Command, folder: Path) -> None:
    inner = folder / "b" / "c"
    inner.mkdir(parents=True)
    (inner / "race.yaml").write_text((folder / "race.yaml").read_text())
    (inner / "inner.test.yaml").write_text(SCENARIOS, "utf-8")
    shown = command("test", folder, folder / "race.test.yaml")
    lines = [line for line in shown.out.splitlines() if "2 of 2 passed" in line]
    assert [Path(line.split(":")[0]).name for line in lines] == ["inner.test.yaml", "race.test.yaml"]
    assert shown.out.splitlines()[-1] == "4 passed, 0 failed"


def test_some_scenarios_by_name(command: Command, folder: Path) -> None:
    shown = command("test", folder, "--only", "resting", "--verbose")
    assert "passed  resting changes nothing" in shown.out
    assert shown.out.splitlines()[-1] == "1 passed, 0 failed"


@pytest.mark.parametrize("content", ["", "spec: race.yaml\ntests: 5\n", "spec: nowhere.yaml\ntests: []\n", "a: [b"])
def test_a_file_that_cannot_be_used(command: Command, folder: Path, content: str) -> None:
    (folder / "odd.test.yaml").write_text(content, "utf-8")
    shown = command("test", folder)
    assert shown.code == 2
    assert "odd.test.yaml" in shown.out
    assert "error[GDL" in shown.out
    assert shown.out.splitlines()[-1] == "2 passed, 0 failed, 1 file with errors"


def test_a_spec_that_cannot_be_used(command: Command, folder: Path) -> None:
    (folder / "race.yaml").write_text("gdl: 1\ngame: race\n", "utf-8")
    shown = command("test", folder)
    assert shown.code == 2
    assert "race.yaml" in shown.out
    assert "Traceback" not in shown.out + shown.err


def test_json(command: Command, folder: Path) -> None:
    (folder / "wrong.test.yaml").write_text(WRONG, "utf-8")
    data = json.loads(command("test", folder, "--json", "--rules", folder / "race.md").out)
    assert (data["passed"], data["failed"]) == (2, 1)
    scenario = data["files"][1]["scenarios"][0]
    assert (scenario["name"], scenario["passed"], scenario["covers"]) == ("a step is longer", False, ["RACE-4"])
    assert scenario["failures"][0]["message"]
    assert data["rules"]["missing"] == []
    assert [citation["number"] for citation in data["rules"]["unknown"]] == ["RACE-4"]


def test_junit(command: Command, folder: Path, tmp_path: Path) -> None:
    (folder / "wrong.test.yaml").write_text(WRONG, "utf-8")
    (folder / "odd.test.yaml").write_text("a: [b", "utf-8")
    report = tmp_path / "report.xml"
    assert command("test", folder, "--junit", report).code == 2
    root = ET.parse(report).getroot()
    assert (root.tag, root.attrib["tests"], root.attrib["failures"], root.attrib["errors"]) == ("testsuites", "4", "1", "1")
    suites = {suite.attrib["name"].rpartition("/")[2]: suite for suite in root}
    assert [case.attrib["name"] for case in suites["race.test.yaml"]] == [
        "a step is as long as the die says",
        "resting changes nothing",
    ]
    failure = suites["wrong.test.yaml"].find("testcase/failure")
    assert failure is not None
    assert failure.text is not None
    assert "wrong.test.yaml:" in failure.text
    assert suites["odd.test.yaml"].find("testcase/error") is not None


# --- numbered rules ---------------------------------------------------------------------------------------------------


def test_rules_are_list_items_that_begin_with_a_number() -> None:
    text = """\
- **A-1** a rule
* **A-2** another
  1. **A-3b** one in a list inside
- see **A-4**: a mention
**A-5** no list item
- **A-6 and more** no number
```
- **A-7** in a block
```
- **LONG_1-12** at the end"""
    assert [(rule.number, rule.prefix, rule.line) for rule in rules_of(text, Path("a.md"))] == [
        ("A-1", "A", 1),
        ("A-2", "A", 2),
        ("A-3b", "A", 3),
        ("LONG_1-12", "LONG_1", 10),
    ]


def test_rules_that_are_all_covered(command: Command, folder: Path) -> None:
    shown = command("test", folder, "--rules", folder / "race.md")
    assert shown.code == 0
    assert shown.out.splitlines()[-2:] == ["rules: 3 of 3 covered", "2 passed, 0 failed"]


def test_a_rule_that_nothing_covers(command: Command, folder: Path) -> None:
    (folder / "race.md").write_text(RULES + "- **RACE-4** Nobody waits.\n", "utf-8")
    shown = command("test", folder, "--rules", folder / "race.md")
    assert shown.code == 1
    assert f"RACE-4: no passing scenario covers it  ({folder / 'race.md'}:8)" in shown.out
    assert "rules: 3 of 4 covered" in shown.out


def test_a_scenario_that_fails_covers_nothing(command: Command, folder: Path) -> None:
    (folder / "race.md").write_text(RULES + "- **RACE-4** Steps are longer.\n", "utf-8")
    (folder / "wrong.test.yaml").write_text(WRONG, "utf-8")
    shown = command("test", folder, "--rules", folder / "race.md")
    assert "RACE-4: no passing scenario covers it" in shown.out


def test_a_number_that_no_rule_has(command: Command, folder: Path) -> None:
    path = folder / "race.test.yaml"
    path.write_text(path.read_text().replace("[RACE-3]", "[RACE-3, RACE-33, OTHER-1]"), "utf-8")
    shown = command("test", folder, "--rules", folder / "race.md")
    assert shown.code == 1
    assert "RACE-33: covered by a scenario, but there is no such rule" in shown.out
    assert "OTHER-1" not in shown.out


def test_rules_that_the_scenarios_name(command: Command, folder: Path) -> None:
    path = folder / "race.test.yaml"
    path.write_text("rules: race.md\n" + path.read_text("utf-8"), "utf-8")
    assert command("lint", path).code == 0
    shown = command("test", folder)
    assert shown.code == 0
    assert shown.out.splitlines()[-2:] == ["rules: 3 of 3 covered", "2 passed, 0 failed"]


def test_a_citation_of_no_rule_that_the_scenarios_name(command: Command, folder: Path) -> None:
    path = folder / "race.test.yaml"
    path.write_text("rules: [race.md]\n" + path.read_text("utf-8").replace("[RACE-3]", '[RACE-3, "RACE33"]'), "utf-8")
    shown = command("lint", path)
    assert shown.code == 1
    line = path.read_text("utf-8").split("\n").index('    covers: [RACE-3, "RACE33"]') + 1
    assert "error[GDL919 unknown-rule]: there is no rule `RACE33`" in shown.out
    assert f"race.test.yaml:{line}:23" in shown.out
    assert "did you mean `RACE-3`" in shown.out


def test_named_rules_that_cannot_be_read(command: Command, folder: Path) -> None:
    path = folder / "race.test.yaml"
    path.write_text("rules: races.md\n" + path.read_text("utf-8"), "utf-8")
    shown = command("lint", path)
    assert shown.code == 1
    assert "race.test.yaml:1:8" in shown.out
    assert command("test", folder).code == 2


def test_several_rule_files(command: Command, folder: Path) -> None:
    more = folder / "more.md"
    more.write_text("- **MORE-1** Another rule.\n", "utf-8")
    for line in (("--rules", folder / "race.md", more), ("--rules", folder / "race.md", "--rules", more)):
        shown = command("test", folder, *line)
        assert shown.code == 1
        assert "MORE-1: no passing scenario covers it" in shown.out
        assert "rules: 3 of 4 covered" in shown.out


def test_rule_files_that_cannot_be_used(command: Command, folder: Path) -> None:
    assert command("test", folder, "--rules", folder / "missing.md").code == 2
    empty = folder / "empty.md"
    empty.write_text("no rules\n", "utf-8")
    assert "has no numbered rules" in command("test", folder, "--rules", empty).err
    empty.write_text("- **RACE-1** again\n", "utf-8")
    shown = command("test", folder, "--rules", folder / "race.md", empty)
    assert shown.code == 2
    assert "RACE-1 is there twice" in shown.err


def test_a_name_of_no_scenario_is_refused(command: Command, folder: Path) -> None:
    shown = command("test", folder, "--only", "zzz")
    assert (shown.code, shown.out) == (2, "")
    assert "no scenario has `zzz` in its name" in shown.err
    shown = command("test", folder, "--only", "zzz", "--json")
    assert (shown.code, json.loads(shown.out)["passed"]) == (2, 0)
