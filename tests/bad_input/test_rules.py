"""Rules with mistakes: those that the checker finds, and those that fail only while a game is played."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import gdl
from tests.bad_input.conftest import HEAD, Bench

# --- found without playing --------------------------------------------------------------------------------------------

MISTAKES = {
    "a wrong type": ("wrong-type", "constants: {a: 1 + true}\n"),
    "a wrong type of an argument": ("wrong-type", "constants: {a: abs(true)}\n"),
    "an unknown name": ("unknown-name", "constants: {a: nothing + 1}\n"),
    "an unknown field": ("unknown-field", "zones: {deck: {}}\nconstants: {a: deck.size}\n"),
    "an unknown call": ("unknown-call", "constants: {a: nothing(1)}\n"),
    "an unknown step": ("unknown-call", "setup: [explode()]\n"),
    "a missing argument": ("wrong-arguments", "constants: {a: abs()}\n"),
    "too many arguments": ("wrong-arguments", "constants: {a: 'abs(1, 2)'}\n"),
    "a name twice": ("duplicate-name", "enums: {a: [x, y]}\nzones: {a: {}}\n"),
    "a value that changes as a size": ("not-constant", "variables: {x: 1..9 = 3}\nzones: {board: {grid: [x, 3]}}\n"),
    "a player where nobody acts": ("no-player", "variables: {x: {type: 0..9, per: player, start: 0}}\nsetup: [player.x = 1]\n"),
    "a function that calls itself": ("recursive-function", "functions: {'f(n: int)': f(n - 1)}\n"),
    "functions that call each other": ("recursive-function", "functions: {'f(n: int)': g(n), 'g(n: int)': f(n)}\n"),
    "an assigned constant": ("not-assignable", "constants: {a: 1}\nsetup: [a = 2]\n"),
    "an open bracket": ("syntax", "constants: {a: '(1 + 2'}\n"),
    "an open hole": ("syntax", "phases: {play: {turns: cycle, actions: go}}\nactions: {go: {label: 'goes {player', do: []}}\n"),
    "code of another language": ("unknown-call", "constants: {a: '__import__(\"os\").system(\"touch harmed\")'}\n"),
    "a huge board": ("bad-size", "zones: {board: {grid: [100000, 100000]}}\n"),
    "a board without size": ("bad-size", "zones: {board: {grid: [0, 3]}}\n"),
    "very many pieces": ("bad-size", "zones: {deck: {}}\npieces: {card: {count: 1000000000, at: deck}}\n"),
    "an empty range": ("fault-range", "variables: {x: 5..3 = 4}\n"),
    "a start outside the range": ("fault-range", "variables: {x: 0..3 = 9}\n"),
    "a huge range of lists": ("bad-size", "variables: {x: 'list[0..9, max 1000000000]'}\n"),
    "division by zero": ("fault-division", "constants: {a: 1 // 0}\n"),
    "overflow": ("fault-overflow", "constants: {a: 9223372036854775807 + 1}\n"),
    "a number of very many digits": ("syntax", f"constants: {{a: {'9' * 5000}}}\n"),
}


@pytest.mark.parametrize(("code", "text"), MISTAKES.values(), ids=MISTAKES)
def test_mistakes(bench: Bench, code: str, text: str) -> None:
    bench.refused_by_all(code, bench.spec(text))
    assert not Path("harmed").exists()


def test_a_constant_that_fails_inside_a_list_operator(bench: Bench) -> None:
    spec = bench.spec(play("x = count(1..3 where 1 // 0 == it)", "variables: {x: 0..9 = 0}\n"))
    bench.refused("fault-division", 1, "run", spec, "--seed", "1")


TABLE = HEAD.replace("players: 2", "players: 2..4")


def test_a_table_without_an_entry_for_some_players(bench: Bench) -> None:
    spec = bench.spec(TABLE + "zones: {deck: {}}\npieces: {card: {count: '{2: 6, 3: 5}[count(players)]', at: deck}}\n")
    words = bench.refused("", 1, "lint", spec)
    assert "4 players" in words
    bench.refused("", 2, "run", spec, "--players", "4")


def test_a_table_without_an_entry_while_playing(bench: Bench) -> None:
    text = "variables: {x: 0..9 = 0}\nphases: {play: {do: ['x = {2: 6, 3: 5}[count(players)]']}}\n"
    words = bench.refused("", 1, "run", bench.spec(TABLE + text), "--players", "4")
    assert "bad.yaml:5:" in words


# --- found while playing ----------------------------------------------------------------------------------------------


def play(steps: str, more: str = "") -> str:
    """A spec in which each turn has one decision and then these steps."""
    body = "".join(f"          - {line}\n" if not line.startswith(" ") else f"          {line}\n" for line in steps.strip("\n").split("\n"))
    return f"{more}phases:\n  play:\n    turns: cycle\n    do:\n      - choose: n in 1..2\n        do:\n{body}"


X = "variables: {x: 0..9 = 0}\n"
TWO = "zones: {a: {}, b: {capacity: 1}}\npieces: {man: {count: 3, at: a}}\n"
BIG = "zones: {board: {grid: [30, 30], variables: {x: 0..9 = 0}}}\n"
FAULTS = {
    "none as a value": ("fault-none", play("x = first(1..3 where it > n + 7)", X)),
    "none as a piece": ("fault-none", play("move(first(b), a)", TWO)),
    "none as a player": ("fault-none", play("x = seat(first(players where seat(it) > n + 3))", X)),
    "a value out of range": ("fault-range", play("x = n + 12", X)),
    "an index out of range": ("fault-index", play("x = [1, 2][n + 5]", X)),
    "a place that does not exist": ("fault-index", play("board[n, n + 50].x = 1", BIG)),
    "a full space": ("fault-move", play("move(first(a), b)\nmove(first(a), b)", TWO)),
    "a loop without end": ("fault-fuel", play("while: n > 0\n  do: x = 1", X)),
    "a loop without end and without steps": ("fault-fuel", play("while: n > 0\n  do: []", X)),
    "a loop of very many rounds": ("fault-fuel", play("repeat: 1000000000\n  do: x = 1", X)),
    "triggers that cause each other": (
        "fault-fuel",
        play("x = 1 - x", X + "triggers: {flip: {on: change(x), do: x = 1 - x}}\n"),
    ),
    "a procedure that calls itself": ("fault-depth", play("f(n)", X + "procedures: {'f(n: 0..9)': [x = 1, f(n), x = 2]}\n")),
    "procedures that call each other": (
        "fault-depth",
        play("f(n)", X + "procedures: {'f(n: 0..9)': [g(n), x = 1], 'g(n: 0..9)': [f(n), x = 2]}\n"),
    ),
    "a call of itself at the end": ("fault-fuel", play("f(n)", X + "procedures: {'f(n: 0..9)': [x = n, f(n)]}\n")),
    "very many candidates": ("fault-candidates", play("choose: [c in board, d in board]\n  do: c.x = 1", BIG)),
    "no legal move": ("fault-no-move", play("choose: m in 1..3 where m > n + 5\n  do: x = m", X)),
    "overflow": ("fault-overflow", play("let: big = n + 1\nrepeat: 90\n  do: big = big * 3\nx = big % 10", X)),
    "division by zero": ("fault-division", play("x = 9 // (n - n)", X)),
    "several where one is expected": ("fault-many", play("move(sole(a), b)", TWO)),
    "another number of players": ("fault-players", "gdl: 1\ngame: bad\nplayers: 3\n" + play("x = seat(opponent(player))", X)),
    "very many combinations": ("fault-size", play("x = count(combinations(1..60, 20 + n)) % 10", X)),
    "a phase that is not running": (
        "fault-flow",
        play("x += 1", X + "triggers: {t: {on: change(x), do: end_phase(later)}}\n")
        + "  later: {turns: cycle, actions: go}\nactions: {go: {do: []}}\n",
    ),
}


@pytest.mark.parametrize(("code", "text"), FAULTS.values(), ids=FAULTS)
def test_faults(bench: Bench, code: str, text: str) -> None:
    spec = bench.spec(text)
    words = bench.refused(code, 1, "run", spec, "--seed", "1")
    assert "bad.yaml:" in words, "the message has no place"
    bench.refused(code, 1, "perft", spec, "--depth", "2")
    state_is_as_it_was(spec, code)


def state_is_as_it_was(spec: Path, code: str) -> None:
    """Play to the fault, in what can be asked or in what can be done; the state has not changed by it."""
    state = gdl.load(spec).game().new_state(1)
    before = json.dumps(state.to_json())
    for move in state.legal_moves():
        found = None
        try:
            state.apply(move)
            before = json.dumps(state.to_json())
            state.legal_moves()
        except gdl.GameFault as fault:
            found = fault.code
        if found is not None:
            assert found == code
            assert json.dumps(state.to_json()) == before
            return
    pytest.fail("no rule has failed")


FAULTS_AT_ONCE = {
    "a loop without end": ("fault-fuel", X + "setup:\n  - while: x == 0\n    do: []\n"),
    "none as a value": ("fault-none", X + "setup: [x = first(1..3 where it > 5)]\n"),
    "rounds without a decision": ("fault-fuel", X + "phases: {play: {until: x > 5, do: []}}\n"),
    "turns without a decision": ("fault-fuel", X + "phases: {play: {turns: cycle, do: []}}\n"),
}


@pytest.mark.parametrize(("code", "text"), FAULTS_AT_ONCE.values(), ids=FAULTS_AT_ONCE)
def test_faults_before_the_first_decision(bench: Bench, code: str, text: str) -> None:
    spec = bench.spec(text)
    bench.refused(code, 1, "lint", spec)
    bench.refused(code, 1, "run", spec, "--seed", "1")
    with pytest.raises(gdl.GameFault):
        gdl.load(spec).game().new_state(1)


def test_a_scenario_that_meets_a_fault(bench: Bench) -> None:
    bench.spec(FAULTS["no legal move"][1])
    scenario = "spec: bad.yaml\ntests:\n  - name: fails\n    players: 2\n    do: [play(n=1)]\n    expect: [true]\n"
    words = bench.refused("fault-no-move", 1, "test", bench.write("bad.test.yaml", scenario))
    assert "bad.test.yaml" in words
