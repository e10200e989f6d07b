"""With our schema the language server of editors completes, explains and underlines as a GDL editor should, and never cries wolf."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import pytest

from gdl.forms import FORMS
from gdl.validators.schema import scenario_schema, schema_text, spec_schema
from tests.editors.language_server import LanguageServer, installed_server
from tests.lint.test_schema import SCENARIOS, SPECS

SPEC_TEXT: Final = """\
gdl: 1
game: example
players: 2
phases:
  play:
    turns: cycle
    \

actions:
  walk:
    lable: walks
    do:
      - if: true
        \

"""
SCENARIO_TEXT: Final = """\
spec: example.yaml
tests:
  - name: one
    expects: true
    \

"""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LanguageServer]:
    folder = tmp_path_factory.mktemp("editor")
    script = installed_server(folder)
    schemas = {"spec": spec_schema(), "scenarios": scenario_schema()}
    paths = {name: folder / f"{name}.schema.json" for name in schemas}
    for name, schema in schemas.items():
        paths[name].write_text(schema_text(schema), "utf-8")
    running = LanguageServer(script, {paths["spec"].as_uri(): ["*.yaml", "!*.test.yaml"], paths["scenarios"].as_uri(): ["*.test.yaml"]})
    yield running
    running.close()


def place_of(text: str, line: str) -> tuple[int, int]:
    """Line and column, from 0, of the end of the first line that reads so."""
    return text.split("\n").index(line), len(line)


def test_it_offers_our_keys_with_what_they_mean(server: LanguageServer) -> None:
    uri = "file:///game/offered.yaml"
    server.open(uri, SPEC_TEXT)
    offered = server.completions(uri, *place_of(SPEC_TEXT, "    "))
    keys = {key.name: key.doc for key in FORMS["phase"].keys if key.name != "turns"}
    assert {label: offered[label]["documentation"] for label in keys if label in offered} == keys
    assert sorted(offered) == sorted(keys)


def test_it_knows_which_step_is_written(server: LanguageServer) -> None:
    uri = "file:///game/step.yaml"
    server.open(uri, SPEC_TEXT)
    offered = server.completions(uri, *place_of(SPEC_TEXT, "        "))
    assert {"then", "else"} <= set(offered) <= {"then", "else", "an `if` step"}


def test_it_explains_keys(server: LanguageServer) -> None:
    uri = "file:///game/explained.yaml"
    server.open(uri, SPEC_TEXT)
    shown = server.hover(uri, 5, 6)
    doc = next(key.doc for key in FORMS["phase"].keys if key.name == "turns")
    assert "a phase" in shown
    assert doc in shown.replace("\\", "")


def test_it_underlines_a_wrong_key(server: LanguageServer) -> None:
    (finding,) = server.open("file:///game/wrong.yaml", SPEC_TEXT.replace("        \n", "        then: end_game\n"))
    line, end = place_of(SPEC_TEXT, "    lable: walks")
    assert finding["range"] == {"start": {"line": line, "character": 4}, "end": {"line": line, "character": end - len(": walks")}}
    assert "lable" in finding["message"]


def test_it_knows_scenario_files(server: LanguageServer) -> None:
    uri = "file:///game/example.test.yaml"
    (finding,) = server.open(uri, SCENARIO_TEXT)
    assert "expects" in finding["message"]
    offered = server.completions(uri, *place_of(SCENARIO_TEXT, "    "))
    assert {"given", "chance", "do", "expect"} <= set(offered)
    assert "name" not in offered


def test_it_finds_nothing_in_shipped_files(server: LanguageServer) -> None:
    found = {}
    for path in SPECS:
        found[path.name] = server.open(f"file:///shipped/{path.stem}.yaml", path.read_text("utf-8"))
    for path in SCENARIOS:
        found[path.name] = server.open(f"file:///shipped/{path.name}", path.read_text("utf-8"))
    assert {name: findings for name, findings in found.items() if findings} == {}
