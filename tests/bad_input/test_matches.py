"""Matches that are asked for in a wrong way: options, players, moves, records and saved states."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

import gdl
from gdl.cli.main import main
from gdl.interpreter.state import State
from tests.bad_input.conftest import Bench
from tests.cli.conftest import RACE_HEAD

RACE = RACE_HEAD + """\
actions:
  advance:
    choose: n in 1..die.value
    do:
      - player.place += n
      - if: player.place >= goal
        then: win(player)
  rest: {do: []}
"""


@pytest.fixture
def race(bench: Bench) -> Path:
    """A spec with options of each form."""
    return bench.spec(RACE, "race.yaml")


# --- options and players ----------------------------------------------------------------------------------------------

ARGUMENTS = {
    "an unknown option": ["--option", "gaol=5"],
    "a number out of range": ["--option", "goal=99"],
    "a number with letters": ["--option", "goal=5x"],
    "a fraction": ["--option", "goal=5.0"],
    "an unknown value": ["--option", "style=flying"],
    "no value": ["--option", "style="],
    "no name": ["--option", "=5"],
    "no equals sign": ["--option", "goal"],
    "no truth value": ["--option", "loud=maybe"],
    "two values": ["--option", "goal=5", "--option", "goal=6"],
    "too many players": ["--players", "5"],
    "too few players": ["--players", "1"],
    "no players": ["--players", "0"],
    "fewer than no players": ["--players", "-2"],
    "players in words": ["--players", "two"],
    "very many players": ["--players", "9" * 50],
    "a seed in words": ["--seed", "lucky"],
    "a seed that is too large": ["--seed", str(2**64)],
    "a negative seed": ["--seed", "-1"],
}


@pytest.mark.parametrize("arguments", ARGUMENTS.values(), ids=ARGUMENTS)
@pytest.mark.parametrize("command", ["run", "perft"])
def test_wrong_arguments(bench: Bench, race: Path, command: str, arguments: list[str]) -> None:
    more = ["--depth", "1"] if command == "perft" else []
    bench.refused("bad-option", 2, command, race, *arguments, *more)


LOOK_LIKE_NUMBERS = {
    "very many digits": "9" * 5000,
    "a raised two": "²",
    "two signs": "--5",
    "other digits": "\u0661\u0660",
    "an underscore": "1_0",
    "a plus": "+10",
    "an exponent": "1e1",
    "a fraction": "10.0",
}


@pytest.mark.parametrize("value", LOOK_LIKE_NUMBERS.values(), ids=LOOK_LIKE_NUMBERS)
def test_options_that_only_look_like_numbers(bench: Bench, race: Path, value: str) -> None:
    bench.refused("bad-option", 2, "run", race, f"--option=goal={value}")
    bench.refused("bad-option", 2, "run", race, f"--players={value}")
    bench.refused("bad-option", 2, "run", race, f"--seed={value}x")
    bench.refused("", 2, "run", race, f"--limit={value}x")
    bench.refused("", 2, "perft", race, f"--depth={value}x")


@pytest.mark.parametrize(
    "arguments", [["--bots", "genius"], ["--bots", "random,random,random"], ["--bots", ""], ["--limit", "0"], ["--nothing"], ["extra"]]
)
def test_wrong_arguments_of_run(bench: Bench, race: Path, arguments: list[str]) -> None:
    bench.refused("", 2, "run", race, *arguments)


@pytest.mark.parametrize("arguments", [[], ["--depth", "-1"], ["--depth", "x"], ["--depth", "1", "--per", "move"]])
def test_wrong_arguments_of_perft(bench: Bench, race: Path, arguments: list[str]) -> None:
    bench.refused("", 2, "perft", race, *arguments)


def test_a_misspelt_command(bench: Bench, race: Path) -> None:
    bench.refused("", 2, "rnu", race)


@pytest.mark.parametrize(
    ("players", "options"),
    [(5, {}), (0, {}), (-1, {}), (2, {"goal": 99}), (2, {"goal": True}), (2, {"loud": 1}), (2, {"style": ""}), (2, {"x": 1})],
)
def test_wrong_options_in_python(race: Path, players: int, options: Mapping[str, str | int | bool]) -> None:
    with pytest.raises(gdl.BadOption):
        gdl.load(race).game(players, options)


# --- moves ------------------------------------------------------------------------------------------------------------

MOVES = [
    *("", "advance", "advance(n=4)", "advance(n=0)", "advance(m=1)", "advnace(n=1)", "advance(n=none)"),
    *("rest()x", "rest; rest", "1: rest", "x" * 10_000),
]


@pytest.mark.parametrize("move", MOVES)
def test_a_wrong_move_of_a_record(bench: Bench, race: Path, move: str) -> None:
    record = recorded(bench, race)
    record["moves"][0]["move"] = move
    words = bench.refused("bad-save", 2, "run", race, "--moves", bench.write("match.json", json.dumps(record)))
    assert "move 1" in words


@pytest.mark.parametrize("seat", [1, 2, -1, 99])
def test_a_wrong_seat_of_a_record(bench: Bench, race: Path, seat: int) -> None:
    record = recorded(bench, race)
    record["moves"][0]["seat"] = seat
    bench.refused("bad-save", 2, "run", race, "--moves", bench.write("match.json", json.dumps(record)))


@pytest.mark.parametrize("move", MOVES)
def test_a_wrong_move_in_python(race: Path, move: str) -> None:
    state = gdl.load(race).game().new_state(4)
    before = state.cells[:]
    with pytest.raises(gdl.IllegalMove) as caught:
        state.apply(move)
    assert str(caught.value)
    assert state.cells == before


ILLEGAL = ["advance", "advance(n=4)", "advance(n=0)", "1: rest"]
MALFORMED = ["", "rest()x", "rest; rest", "[", "- rest", "advance(n=", "~", "5", "{a: b}"]
UNKNOWN = ["advnace(n=1)", "x" * 10_000]


@pytest.mark.parametrize("move", ILLEGAL)
def test_an_illegal_move_of_a_scenario(bench: Bench, race: Path, move: str) -> None:
    assert f"can't play `{move}`" in bench.refused("", 1, "test", scenario(bench, move))
    assert race.exists()


@pytest.mark.parametrize(("code", "move"), [*(("syntax", move) for move in MALFORMED), *(("unknown-name", move) for move in UNKNOWN)])
def test_a_misspelt_move_of_a_scenario(bench: Bench, race: Path, code: str, move: str) -> None:
    bench.refused(code, 2, "test", scenario(bench, move))
    assert race.exists()


def scenario(bench: Bench, move: str) -> Path:
    """A scenario with one move, in a match in which the die has shown 3."""
    text = f"spec: race.yaml\ntests:\n  - name: wrong\n    players: 2\n    chance: ['roll(die) = 3']\n    do: [{json.dumps(move)}]\n"
    return bench.write("race.test.yaml", text + "    expect: [true]\n")


def recorded(bench: Bench, spec: Path) -> dict[str, Any]:
    """The record of a match."""
    path = bench.folder / "match.json"
    assert main(["run", str(spec), "--seed", "1", "--save", str(path), "--quiet"]) == 0
    record: dict[str, Any] = json.loads(path.read_text("utf-8"))
    assert record["moves"]
    return record


# --- records ----------------------------------------------------------------------------------------------------------

Change = Callable[[dict[str, Any]], object]
RECORDS: dict[str, Change] = {
    "another form": lambda data: data.update(format="gdl-trial/2"),
    "no form": lambda data: data.pop("format"),
    "another game": lambda data: data.update(game="chess"),
    "another spec": lambda data: data.update(spec_hash="0" * 16),
    "other players": lambda data: data.update(players=3),
    "too many players": lambda data: data.update(players=99),
    "players in words": lambda data: data.update(players="two"),
    "another option": lambda data: data["options"].update(goal=99),
    "an unknown option": lambda data: data["options"].update(speed=1),
    "options of a wrong form": lambda data: data.update(options=[1]),
    "an option of a wrong form": lambda data: data["options"].update(goal=[1]),
    "no seed": lambda data: data.pop("seed"),
    "a negative seed": lambda data: data.update(seed=-1),
    "a seed in words": lambda data: data.update(seed="x"),
    "a seed that is too large": lambda data: data.update(seed=str(2**64)),
    "another seed": lambda data: data.update(seed=data["seed"] + 1),
    "no moves": lambda data: data.pop("moves"),
    "moves of a wrong form": lambda data: data.update(moves={"a": 1}),
    "a move of a wrong form": lambda data: data["moves"].insert(0, "rest"),
    "a move of a wrong type": lambda data: data["moves"].insert(0, {"seat": "0", "move": 5}),
    "one move less": lambda data: data["moves"].pop(0),
    "one move more": lambda data: data["moves"].append(data["moves"][-1]),
    "another hash": lambda data: data["result"].update(hash="0" * 16),
    "a result of a wrong form": lambda data: data.update(result=[1]),
    "another winner": lambda data: data["result"].update(winners=["x"], ranking=5),
}


@pytest.mark.parametrize("change", RECORDS.values(), ids=RECORDS)
def test_wrong_records(bench: Bench, race: Path, change: Change) -> None:
    record = recorded(bench, race)
    change(record)
    bench.refused("", 2, "run", race, "--moves", bench.write("match.json", json.dumps(record)))


CONTENTS = {
    "nothing": b"",
    "no JSON": b"moves: [rest]\n",
    "half a record": b'{"format": "gdl-trial/1", "game": "race", "moves": [{"seat": 0,',
    "a list": b"[]",
    "a number": b"5",
    "null": b"null",
    "not UTF-8": b'{"format": "\xff"}',
    "ten thousand levels": b"[" * 10_000 + b"]" * 10_000,
    "a hundred thousand levels": b'{"a":' * 100_000,
    "a very long number": b'{"seed": ' + b"9" * 100_000 + b"}",
    "no number": b'{"seed": NaN, "players": Infinity}',
}


@pytest.mark.parametrize("content", CONTENTS.values(), ids=CONTENTS)
def test_files_that_are_no_records(bench: Bench, race: Path, content: bytes) -> None:
    bench.refused("", 2, "run", race, "--moves", bench.write("match.json", content))
    bench.refused("", 2, "perft", race, "--depth", "1", "--state", bench.write("state.json", content))


def test_a_record_that_is_no_file(bench: Bench, race: Path) -> None:
    bench.refused("file-missing", 2, "run", race, "--moves", bench.folder / "nothing.json")
    bench.refused("file-missing", 2, "run", race, "--moves", bench.folder)


def test_a_record_is_not_written_over_when_it_is_refused(bench: Bench, race: Path) -> None:
    record = recorded(bench, race)
    record["moves"][0]["move"] = "fly"
    path = bench.write("match.json", json.dumps(record))
    bench.refused("bad-save", 2, "run", race, "--moves", path, "--save", path)


def test_a_record_at_the_end_of_links_in_a_circle(bench: Bench, race: Path) -> None:
    (bench.folder / "loop").symlink_to("loop")
    bench.refused("", 2, "run", race, "--seed", "1", "--quiet", "--save", bench.folder / "loop")


@pytest.mark.parametrize("name", ["x" * 300, "/".join(["x" * 200] * 30)])
def test_a_record_whose_name_no_file_can_have(bench: Bench, race: Path, name: str) -> None:
    bench.refused("", 2, "run", race, "--seed", "1", "--save", name)
    assert len(bench.refused("file-missing", 2, "run", race, "--moves", name)) < 2000


@pytest.mark.parametrize("stop", [KeyboardInterrupt, BrokenPipeError])
def test_a_match_that_is_interrupted_is_saved(bench: Bench, race: Path, monkeypatch: pytest.MonkeyPatch, stop: type[BaseException]) -> None:
    apply = State.apply
    applied: list[Any] = []

    def once(self: State, *arguments: Any) -> Any:  # noqa: ANN401 - whatever is given
        if applied:
            raise stop
        applied.append(arguments)
        return apply(self, *arguments)

    path = bench.folder / "match.json"
    with monkeypatch.context() as patched:
        patched.setattr(State, "apply", once)
        assert main(["run", str(race), "--seed", "1", "--quiet", "--save", str(path)]) in (130, 141)
    assert len(json.loads(path.read_text("utf-8"))["moves"]) == 1
    assert main(["run", str(race), "--moves", str(path)]) == 0


def test_a_record_with_a_nul_in_its_name(bench: Bench, race: Path) -> None:
    assert "Value error" not in bench.refused("bad-option", 2, "run", race, "--moves", "a\0b")


def test_a_record_that_can_not_be_written(bench: Bench, race: Path) -> None:
    bench.refused("", 2, "run", race, "--save", bench.folder / "nowhere" / "match.json")
    bench.refused("", 2, "run", race, "--save", bench.folder)


# --- saved states -----------------------------------------------------------------------------------------------------

STATES: dict[str, Change] = {
    "another form": lambda data: data.update(format="gdl-trial/1"),
    "another game": lambda data: data.update(game="chess"),
    "another spec": lambda data: data.update(spec_hash="0" * 16),
    "other players": lambda data: data.update(players=3),
    "fewer cells": lambda data: data["cells"].pop(),
    "more cells": lambda data: data["cells"].append(0),
    "a changed cell": lambda data: data["cells"].__setitem__(-1, 5),
    "a cell of a wrong type": lambda data: data["cells"].__setitem__(5, "0"),
    "a truth value": lambda data: data["cells"].__setitem__(5, True),
    "a fraction": lambda data: data["cells"].__setitem__(5, 0.5),
    "a huge cell": lambda data: data["cells"].__setitem__(5, 3**300),
    "no cells": lambda data: data.pop("cells"),
    "another generator": lambda data: data.update(random="5"),
    "a generator of a wrong type": lambda data: data.update(random=5),
    "a generator in words": lambda data: data.update(random="x"),
    "a generator of very many digits": lambda data: data.update(random="9" * 5000),
    "another sum": lambda data: data.update(check="0" * 16),
    "no sum": lambda data: data.pop("check"),
    "a sum of a wrong type": lambda data: data.update(check=[1]),
}


@pytest.mark.parametrize("change", STATES.values(), ids=STATES)
def test_wrong_states(bench: Bench, race: Path, change: Change) -> None:
    game = gdl.load(race).game()
    data = game.new_state(1).to_json()
    assert game.state_from_json(data).cells
    change(data)
    with pytest.raises(gdl.BadSave):
        game.state_from_json(data)
    bench.refused("bad-save", 2, "perft", race, "--depth", "1", "--state", bench.write("state.json", json.dumps(data)))


def test_a_state_of_other_options(race: Path) -> None:
    spec = gdl.load(race)
    data = spec.game().new_state(1).to_json()
    with pytest.raises(gdl.BadSave):
        spec.game(2, {"goal": 6}).state_from_json(data)


def test_a_cell_of_more_than_64_bits(race: Path) -> None:
    game = gdl.load(race).game()
    data = game.new_state(1).to_json()
    data["cells"][5] += 2**64
    with pytest.raises(gdl.BadSave):
        game.state_from_json(data)


def test_a_cell_of_another_sign(race: Path) -> None:
    game = gdl.load(race).game()
    data = game.new_state(1).to_json()
    place = next(n for n, value in enumerate(data["cells"]) if value == 0)
    data["cells"][place] = -5
    with pytest.raises(gdl.BadSave):
        game.state_from_json(data)
    data["cells"][place] = str(2**64 - 5)
    with pytest.raises(gdl.BadSave):
        game.state_from_json(data)


def test_a_state_of_another_version(bench: Bench, race: Path) -> None:
    data = gdl.load(race).game().new_state(1).to_json()
    data["format"] = "gdl-state/1"
    words = bench.refused("bad-save", 2, "perft", race, "--depth", "1", "--state", bench.write("state.json", json.dumps(data)))
    assert "another version of gdl" in words


def test_cells_that_fit_their_sum_but_not_each_other(bench: Bench, race: Path) -> None:
    game = gdl.load(race).game()
    for cell in range(len(game.build.first)):
        for value in (-7, 2**62):
            state = game.new_state(1)
            state.cells[cell] = value
            path = bench.write("state.json", json.dumps(state.to_json()))
            bench.read()
            assert main(["perft", str(race), "--depth", "2", "--state", str(path)]) in (0, 1, 2)
            assert "gdl itself has failed" not in "".join(bench.read())


@pytest.mark.parametrize("data", [None, 5, [], {}, {"format": []}, {"format": "gdl-state/2"}, "gdl-state/2"])
def test_what_is_no_state_in_python(race: Path, data: Any) -> None:  # noqa: ANN401 - anything that a file could hold
    with pytest.raises(gdl.BadSave):
        gdl.load(race).game().state_from_json(data)


def test_a_state_of_impossible_options(bench: Bench, race: Path) -> None:
    data = gdl.load(race).game().new_state(1).to_json()
    data["options"]["goal"] = 99
    bench.refused("bad-option", 2, "perft", race, "--depth", "1", "--state", bench.write("state.json", json.dumps(data)))
