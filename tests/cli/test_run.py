"""`gdl run`: the log, the result, records, limits and faults."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import RACE, Command

Spec = Callable[[str], Path]


def saved(path: Path) -> dict[str, Any]:
    data: dict[str, Any] = json.loads(path.read_text("utf-8"))
    return data


def test_the_log_tells_a_match(command: Command, spec: Spec) -> None:
    shown = command("run", spec("race"), "--players", "3", "--seed", "1")
    assert (shown.code, shown.err) == (0, "")
    assert shown.out == (
        "A short race (3 players, goal=5, style=walking, loud=true, seed 1)\n"
        "\nturn 1, player 0\n  roll(die) = 3\n  player 0 moves on by 3\n"
        "\nturn 2, player 1\n  roll(die) = 2\n  rest\n"
        "\nturn 3, player 2\n  roll(die) = 2\n  rest\n"
        "\nturn 4, player 0\n  roll(die) = 3\n  player 0 moves on by 3\n  player 0 arrives\n"
        "\nover after 4 decisions, with the seed 1:\n"
        "player 0 wins\n"
        "  1. player 0  6 (distance 6, bonus 0)\n"
        "  2. player 1  0 (distance 0, bonus 0)\n"
        "  2. player 2  0 (distance 0, bonus 0)\n"
    )


def test_quiet_shows_the_result_only(command: Command, spec: Spec) -> None:
    shown = command("run", spec("race"), "-p", "3", "-s", "1", "-q")
    assert "turn" not in shown.out
    assert "player 0 wins" in shown.out
    assert "seed 1" in shown.out


def test_a_seed_is_drawn_and_shown(command: Command, spec: Spec) -> None:
    first = json.loads(command("run", spec("race"), "--json").out)
    again = json.loads(command("run", spec("race"), "--json", "--seed", str(first["seed"])).out)
    assert again == first


def test_the_fewest_players_are_the_default(command: Command, spec: Spec) -> None:
    assert "(2 players" in command("run", spec("race"), "-q").out


def test_options_are_read_by_their_kinds(command: Command, spec: Spec) -> None:
    chosen = ("-o", "goal=3", "-o", "loud=false", "--option", "style=running")
    shown = json.loads(command("run", spec("race"), "--json", *chosen).out)
    assert shown["options"] == {"goal": 3, "loud": False, "style": "running"}
    assert [event for event in shown["events"] if event["kind"] == "log"] == []
    assert shown["result"]["scores"][0]["bonus"] == 1


def test_json_tells_the_same_as_the_log(command: Command, spec: Spec) -> None:
    shown = json.loads(command("run", spec("race"), "-p", "3", "-s", "1", "--json").out)
    assert shown["events"][:2] == [
        {"kind": "chance", "turn": 1, "phase": "play", "seat": 0, "text": "roll(die) = 3"},
        {
            "kind": "move",
            "turn": 1,
            "phase": "play",
            "seat": 0,
            "move": "advance",
            "label": "player 0 moves on by 3",
        },
    ]
    assert shown["events"][-1] == {
        "kind": "log",
        "turn": 4,
        "phase": "play",
        "seat": 0,
        "text": "player 0 arrives",
        "to": None,
    }
    assert shown["seats"] == ["player 0", "player 1", "player 2"]
    assert shown["result"]["ranking"] == [[0], [1, 2]]
    assert shown["result"]["winners"] == [0]
    assert shown["fault"] is None


def test_a_tie_is_called_so(command: Command, tmp_path: Path) -> None:
    path = tmp_path / "drawn.yaml"
    path.write_text(RACE.replace("- end_game", "- tie"), "utf-8")
    assert "\na tie\n" in command("run", path, "-s", "1").out


def test_a_loss_of_all_is_called_so(command: Command, tmp_path: Path) -> None:
    path = tmp_path / "lost.yaml"
    path.write_text(RACE.replace("- end_game", "- lose(players)"), "utf-8")
    shown = command("run", path, "-s", "1").out
    assert "\nthe game is lost\n" in shown
    assert "a tie" not in shown
    assert json.loads(command("run", path, "-s", "1", "--json").out)["result"]["winners"] == []


@pytest.mark.parametrize("players", [2, 5])
@pytest.mark.parametrize("variant", ["classic", "midnight_party"])
def test_a_published_game_ends(command: Command, players: int, variant: str) -> None:
    shown = command("run", "specs/hugo.yaml", "-p", str(players), "-o", f"variant={variant}", "-s", "3")
    assert (shown.code, shown.err) == (0, "")
    assert shown.out.count("\n  ") > 10


# --- records ----------------------------------------------------------------------------------------------------------


def test_a_record_plays_the_same_match(command: Command, spec: Spec, tmp_path: Path) -> None:
    record, copy = tmp_path / "match.json", tmp_path / "copy.json"
    first = command("run", spec("race"), "-p", "4", "-o", "goal=9", "--save", record)
    again = command("run", spec("race"), "--moves", record, "--save", copy)
    assert again == first
    assert copy.read_text() == record.read_text()
    assert saved(record)["players"] == 4
    assert saved(record)["options"] == {"goal": 9, "style": "walking", "loud": True}


def test_a_match_that_breaks_off_goes_on_as_it_would_have(command: Command, spec: Spec, tmp_path: Path) -> None:
    whole, part = tmp_path / "whole.json", tmp_path / "part.json"
    command("run", spec("race"), "-o", "goal=12", "-s", "8", "--save", whole)
    broken = command("run", spec("race"), "-o", "goal=12", "-s", "8", "--save", part, "--limit", "3")
    assert broken.code == 1
    assert len(saved(part)["moves"]) == 3
    assert "result" not in saved(part)
    assert command("run", spec("race"), "--moves", part, "--save", part).code == 0
    assert part.read_text() == whole.read_text()


def test_a_record_may_be_cut_by_hand(command: Command, spec: Spec, tmp_path: Path) -> None:
    record = tmp_path / "match.json"
    command("run", spec("race"), "-s", "8", "--save", record)
    data = saved(record)
    first = data["moves"][0]["move"]
    data["moves"] = [{"seat": 0, "move": "rest" if first == "advance" else "advance"}]
    del data["result"]
    record.write_text(json.dumps(data), "utf-8")
    shown = json.loads(command("run", spec("race"), "--moves", record, "--json").out)
    assert next(event for event in shown["events"] if event["kind"] == "move")["move"] != first


def change(data: dict[str, Any], key: str, value: object) -> dict[str, Any]:
    return {**data, key: value}


@pytest.mark.parametrize(
    ("key", "value", "said"),
    [
        ("format", "gdl-trial/9", "this is no record of a match"),
        ("game", "chess", "this record is of the game `chess`, not of `race`"),
        ("spec_hash", "0" * 16, "another version of the spec"),
        ("players", 9, "2 to 4 players, not for 9"),
        ("players", "two", "`players` should be a number"),
        ("options", {"goal": 99}, "a number from 3 to 12, not `99`"),
        ("seed", -1, "`seed` should be a number"),
        ("seed", None, "`seed` should be a number"),
        ("moves", {}, "`moves` should be a list"),
        ("moves", [{"seat": 0}], "`moves[0].move` should be text"),
        ("moves", [{"seat": 1, "move": "rest"}], "move 1 of the record, `rest` by seat 1, is out of order: seat 0 decides"),
        ("moves", [{"seat": 0, "move": "rset"}], "move 1 of the record, `rset` by seat 0, can't be played"),
        ("moves", [{"seat": 0, "move": "rest"}] * 2, "move 2 of the record, `rest` by seat 0, is out of order"),
        ("result", {"hash": "0" * 16}, "ends in another situation"),
        ("result", 5, "`result` should hold"),
    ],
)
def test_a_record_that_does_not_fit_is_refused(command: Command, spec: Spec, tmp_path: Path, key: str, value: object, said: str) -> None:
    record = tmp_path / "match.json"
    command("run", spec("race"), "-s", "8", "--save", record)
    record.write_text(json.dumps(change(saved(record), key, value)), "utf-8")
    shown = command("run", spec("race"), "--moves", record)
    assert shown.code == 2
    assert said in shown.err
    assert "GDL" in shown.err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--players", "3"), "this record has 2 players, not 3"),
        (("--option", "goal=7"), "the option goal=5, not goal=7"),
        (("--option", "loud=false"), "the option loud=true, not loud=false"),
        (("--seed", "9"), "this record has the seed 8, not 9"),
    ],
)
def test_the_command_line_may_not_contradict_a_record(
    command: Command, spec: Spec, tmp_path: Path, arguments: tuple[str, str], said: str
) -> None:
    record = tmp_path / "match.json"
    command("run", spec("race"), "-s", "8", "--save", record)
    shown = command("run", spec("race"), "--moves", record, *arguments)
    assert shown.code == 2
    assert said in shown.err


def test_a_changed_spec_refuses_its_records(command: Command, spec: Spec, tmp_path: Path) -> None:
    record = tmp_path / "match.json"
    path = spec("race")
    command("run", path, "--save", record)
    path.write_text(RACE.replace("default: 5", "default: 6"), "utf-8")
    shown = command("run", path, "--moves", record)
    assert shown.code == 2
    assert "another version of the spec" in shown.err


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b"\xff\xfe", b"[" * 5000])
def test_a_broken_record_is_refused(command: Command, spec: Spec, tmp_path: Path, content: bytes) -> None:
    record = tmp_path / "match.json"
    record.write_bytes(content)
    shown = command("run", spec("race"), "--moves", record)
    assert shown.code == 2
    assert "match.json" in shown.err


def test_moves_behind_the_end_are_refused(command: Command, spec: Spec, tmp_path: Path) -> None:
    record = tmp_path / "match.json"
    command("run", spec("race"), "-s", "8", "--save", record)
    data = saved(record)
    data["moves"].append({"seat": 0, "move": "rest"})
    record.write_text(json.dumps(data), "utf-8")
    shown = command("run", spec("race"), "--moves", record)
    assert shown.code == 2
    assert "comes after the end of the match" in shown.err


def test_nothing_is_saved_where_nothing_was_played(command: Command, spec: Spec, tmp_path: Path) -> None:
    record = tmp_path / "match.json"
    record.write_text("kept", "utf-8")
    assert command("run", spec("race"), "--players", "7", "--save", record).code == 2
    assert command("run", tmp_path / "missing.yaml", "--save", record).code == 2
    assert record.read_text() == "kept"


@pytest.mark.parametrize("place", ["nowhere/match.json", "."])
def test_a_place_that_cannot_be_written_is_said_before_playing(command: Command, spec: Spec, tmp_path: Path, place: str) -> None:
    shown = command("run", spec("race"), "--save", tmp_path / place)
    assert (shown.code, shown.out) == (2, "")


# --- limits and faults ------------------------------------------------------------------------------------------------


def test_a_match_without_end_is_stopped(command: Command, spec: Spec) -> None:
    shown = command("run", spec("endless"), "--quiet", "--limit", "1234", "--seed", "5")
    assert shown.code == 1
    assert "has not ended after 1,234 decisions (seed 5)" in shown.err


def test_a_failing_rule_is_shown_in_its_place(command: Command, spec: Spec) -> None:
    shown = command("run", spec("faulty"), "--seed", "1")
    assert shown.code == 1
    assert "a rule failed after 3 decisions, with the seed 1" in shown.out
    assert "error[GDL902 fault-range]: the value 4 is outside 0..3" in shown.err
    assert "faulty.yaml:10:9" in shown.err
    assert "     do: counter += 1\n   |         ^" in shown.err
    assert "action bump" in shown.err


def test_the_moves_before_a_fault_are_saved(command: Command, spec: Spec, tmp_path: Path) -> None:
    record = tmp_path / "match.json"
    assert command("run", spec("faulty"), "--save", record).code == 1
    assert len(saved(record)["moves"]) == 3
    assert command("run", spec("faulty"), "--moves", record).code == 1


def test_json_tells_of_a_fault(command: Command, spec: Spec) -> None:
    shown = command("run", spec("faulty"), "--json")
    assert shown.code == 1
    data = json.loads(shown.out)
    assert data["fault"]["code"] == "GDL902"
    assert data["fault"]["line"] == 10
    assert data["result"] is None
