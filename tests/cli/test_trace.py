"""`gdl run --trace`: the rules that run, with their places."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import gdl
from gdl.interpreter.tracing import Tracer
from tests.cli.conftest import Command

SPEC = """\
gdl: 1
game: t
players: 2
zones: {a: {}, b: {}, c: {}, deck: {}}
pieces:
  man: {count: 3, at: a}
  card: {attributes: {gain: effect}, at: deck, rows: [{name: x, gain: n += 3}]}
variables: {n: 0..99 = 0, asked: 0..9 = 0}
setup:
  - n = 1
phases:
  play:
    turns: cycle
    do:
      - actions: [stride, ask]
procedures:
  "carry(k: 0..9)": n += k
  "wait()":
    - choose: k in 1..1
      do: carry(k)
actions:
  stride:
    when: after(carry(1), n < 90)
    do:
      - move(first(a), if empty(b) then b else c)
      - carry(2)
      - perform(x.gain)
  ask:
    when: n > 90
    do: wait()
triggers:
  early:
    on: [enter(b), enter(c)]
    when: n < 2
    do: asked += 1
  late: {on: enter(c), do: wait()}
end:
  - when: n > 50
  - when: size(c) == 1
    check: turn_end
"""


@pytest.fixture
def spec(tmp_path: Path) -> Path:
    path = tmp_path / "t.yaml"
    path.write_text(SPEC, "utf-8")
    return path


def line_of(text: str) -> int:
    return SPEC.splitlines().index(text) + 1


def rules_of(spec: Path, *moves: str) -> list[tuple[str, int]]:
    game = gdl.load(spec).game()
    found: list[tuple[str, int]] = []
    Tracer(game, lambda rule, span: found.append((rule, span.line)))
    state = game.new_state(1)
    for move in moves:
        state.legal_moves()
        state.apply(move)
    return found


def test_rules_are_named_in_the_order_in_which_they_run(spec: Path) -> None:
    found = rules_of(spec, "stride")
    assert found[0] == ("setup", line_of("  - n = 1"))
    assert ("action stride", line_of("  stride:")) in found
    assert ("procedure carry", line_of('  "carry(k: 0..9)": n += k')) in found
    names = [rule for rule, _ in found if rule.split()[0] in ("action", "trigger", "procedure")]
    assert names == ["action stride", "trigger early", "procedure carry"]
    assert ("effect gain of x", 7) in found
    assert found[1] == ("phase play", line_of("  play:"))


def test_what_is_only_tried_is_not_named(spec: Path) -> None:
    assert [rule for rule, _ in rules_of(spec) if rule.startswith("procedure")] == []
    assert [rule for rule, _ in rules_of(spec, "stride")].count("procedure carry") == 1


def test_units_that_wait_are_named_when_they_begin(spec: Path) -> None:
    found = rules_of(spec, "stride", "stride")
    assert ("trigger late", line_of("  late: {on: enter(c), do: wait()}")) in found
    assert ("procedure wait", line_of('  "wait()":')) in found
    assert [rule for rule, _ in found].count("trigger early") == 1


def test_the_end_is_named_by_its_entry(spec: Path) -> None:
    found = rules_of(spec, "stride", "stride", "wait(k=1)")
    assert found[-1] == ("end", line_of("  - when: size(c) == 1"))


def test_a_game_that_is_not_traced_has_its_own_functions(spec: Path) -> None:
    game = gdl.load(spec).game()
    assert all(function.__code__.co_filename == "<gdl game>" for function in game.build.code)


def test_traced_and_untraced_matches_are_the_same(command: Command, spec: Path) -> None:
    plain = command("run", spec, "--seed", "3").out.splitlines()
    traced = command("run", spec, "--seed", "3", "--trace").out.splitlines()
    assert [line for line in traced if not line.startswith("    ")] == plain


def test_the_log_has_the_rules_with_their_places(command: Command, spec: Path) -> None:
    shown = command("run", spec, "--seed", "3", "--trace")
    assert shown.code == 0
    assert f"    action stride  ({spec}:{line_of('  stride:')}:3)\n" in shown.out


def test_json_has_the_rules_as_events(command: Command, spec: Path) -> None:
    events = json.loads(command("run", spec, "--seed", "3", "--trace", "--json").out)["events"]
    rules = [event for event in events if event["kind"] == "rule"]
    assert {"text", "place", "turn", "phase", "seat", "kind"} == set(rules[0])
    assert rules[0]["place"].startswith(str(spec))


@pytest.mark.parametrize("other", [("--quiet",), ("--view", "1")])
def test_a_trace_needs_the_whole_log(command: Command, spec: Path, other: tuple[str, ...]) -> None:
    shown = command("run", spec, "--trace", *other)
    assert shown.code == 2
    assert f"`--trace` does not go with `{other[0]}`" in shown.err
