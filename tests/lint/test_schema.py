"""The JSON Schema and the loader are of one mind: about every shipped file, and about every key of it that is misspelt."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from gdl.diagnostics import Report
from gdl.source import SourceFile
from gdl.validators.schema import scenario_schema, spec_schema
from gdl.yaml_nodes import Mapping, Node, Scalar, Sequence, Style, parse_yaml
from tests.cli.conftest import Command

ROOT = Path(__file__).parents[2]
SPECS = sorted(path for path in (ROOT / "specs").rglob("*.yaml") if "\ngdl:" in "\n" + path.read_text("utf-8"))
SCENARIOS = sorted((ROOT / "specs").rglob("*.test.yaml"))
VALIDATORS = {"spec": Draft202012Validator(spec_schema()), "scenarios": Draft202012Validator(scenario_schema())}


Json = Any  # what a JSON file may hold


def data_of(node: Node | None) -> Json:
    """What YAML 1.2 makes of a node."""
    match node:
        case Mapping(entries=entries):
            return {str(data_of(entry.key)): data_of(entry.value) for entry in entries}
        case Sequence(items=items):
            return [data_of(item) for item in items]
        case Scalar(value=value, style=Style.PLAIN):
            plain = {"true": True, "false": False, "": None, "null": None}
            if value in plain:
                return plain[value]
            return int(value) if value.lstrip("-").isascii() and value.lstrip("-").isdigit() else value
        case Scalar(value=value):
            return value
    return None


def read(path: Path) -> Json:
    return data_of(parse_yaml(SourceFile(path.name, path.read_text("utf-8")), Report()))


def test_the_schemas_are_schemas() -> None:
    for validator in VALIDATORS.values():
        Draft202012Validator.check_schema(validator.schema)


@pytest.mark.parametrize("name", VALIDATORS)
def test_all_that_a_schema_refers_to_is_there(name: str) -> None:
    schema: Json = VALIDATORS[name].schema
    assert set(references(schema)) <= {f"#/$defs/{kind}" for kind in schema["$defs"]}


def references(schema: Json) -> Iterator[str]:
    """Everything that a schema refers to; editors follow all of it, validators what they need."""
    if isinstance(schema, dict):
        yield from [value for key, value in schema.items() if key == "$ref"]
    for part in schema.values() if isinstance(schema, dict) else schema if isinstance(schema, list) else ():
        yield from references(part)


@pytest.mark.parametrize("path", SPECS, ids=lambda path: path.stem)
def test_every_spec_is_valid(path: Path) -> None:
    assert list(VALIDATORS["spec"].iter_errors(read(path))) == []


@pytest.mark.parametrize("path", SCENARIOS, ids=lambda path: path.stem)
def test_every_scenario_file_is_valid(path: Path) -> None:
    assert list(VALIDATORS["scenarios"].iter_errors(read(path))) == []


def steps(value: Json) -> Iterator[dict[str, Json]]:
    """All maps inside."""
    if isinstance(value, dict):
        yield value
        for part in value.values():
            yield from steps(part)
    elif isinstance(value, list):
        for part in value:
            yield from steps(part)


def test_a_wrong_key_in_a_step_is_told_as_just_that() -> None:
    data = read(ROOT / "specs" / "hugo.yaml")
    step = next(step for step in steps(data["actions"]) if "if" in step and "then" in step)
    step["thenn"] = []
    (error,) = VALIDATORS["spec"].iter_errors(data)
    assert error.validator == "additionalProperties"
    assert "'thenn' was unexpected" in error.message


@pytest.mark.parametrize(
    "change",
    [
        {"gmae": "x"},
        {"phases": {"play": {"turns": "circle", "actions": "walk"}}},
        {"phases": {"play": {"for": "n in 1..3", "until": "true", "do": []}}},
        {"phases": {"play": {"skip": "true", "actions": "walk"}}},
        {"zones": {"board": {"track": 3, "grid": [1, 2]}}},
        {"actions": {"walk": {"do": [{"if": "true"}]}}},
        {"actions": {"walk": {"do": [{"fi": "true", "then": []}]}}},
        {"end": [{"tie": True}]},
    ],
)
def test_what_the_loader_refuses_the_schema_refuses(change: dict[str, object], command: Command, tmp_path: Path) -> None:
    sound: dict[str, object] = {
        "gdl": 1, "game": "x", "title": "X", "players": 2, "phases": {"play": {"turns": "cycle", "actions": "walk"}},
        "actions": {"walk": {"do": "end_game"}},
    }  # fmt: skip
    assert VALIDATORS["spec"].is_valid(sound)
    assert not VALIDATORS["spec"].is_valid(sound | change)
    path = tmp_path / "spec.yaml"
    path.write_text(json.dumps(sound | change), "utf-8")
    assert command("lint", path).code == 1


@pytest.mark.parametrize(("words", "name"), [([], "spec"), (["--scenarios"], "scenarios")])
def test_the_command_prints_it(command: Command, tmp_path: Path, words: list[str], name: str) -> None:
    shown = command("schema", *words)
    assert json.loads(shown.out) == VALIDATORS[name].schema
    path = tmp_path / "out.json"
    assert command("schema", *words, "-o", path).code == 0
    assert path.read_text("utf-8") == shown.out
