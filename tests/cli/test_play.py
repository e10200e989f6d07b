"""`gdl play`: people at the keyboard, in scripts: what they see, what they can type, and the record that is left."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gdl.cli.keyboard import Keyboard
from tests.cli.conftest import CARD_TABLE, Command, Output

Play = Callable[..., Output]

STEPS = """\
gdl: 1
game: steps
players: 2
seats: [ann, bob]
zones: {path: {track: 9, holds: man}}
pieces: {man: {per: player, at: "path[0]"}}
phases:
  play:
    turns: cycle
    do:
      - repeat: 2
        do:
          - choose: n in 0..3
            name: walk
            do: move(player.man[0], step(player.man[0].at, n))
      - if: player.man[0].at.index > 5
        then: win(player)
"""
"""A game without chance in which each turn has two decisions."""

MANY = """\
gdl: 1
game: many
players: 1
variables: {number: 0..99 = 0}
phases: {play: {turns: each, actions: [grab, quit]}}
actions:
  grab:
    label: "grab {n} of {if n % 2 == 0 then 'even' else 'odd'}"
    choose: n in 1..70
    do: number = n
  quit: {do: number = 99}
end: [{when: number == 99}]
"""
"""A game with many moves, one of which is called like a command."""

CARDS = CARD_TABLE + """\
setup:
  - move(card[1], players[0].hand)
  - move(card[2], players[0].hand)
  - move(card[3], players[1].hand)
  - move(card[4], players[1].hand)
phases:
  play: {turns: each, actions: play}
  again: {turns: each, actions: play}
actions:
  play:
    label: "{player} plays {c}"
    choose: c in player.hand
    do: move(c, table)
"""

FAULTY = """\
gdl: 1
game: faulty
players: 2
variables: {counter: 0..1 = 0}
phases: {play: {turns: cycle, actions: bump}}
actions: {bump: {do: counter += 1}}
"""

SPECS = {"steps": STEPS, "many": MANY, "cards": CARDS, "faulty": FAULTY}


@pytest.fixture
def play(command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Play:
    """Plays a spec, typing lines."""

    def run(spec: str, *typed: str, options: tuple[str | Path, ...] = ()) -> Output:
        path = tmp_path / f"{spec}.yaml"
        path.write_text(SPECS[spec], "utf-8")
        monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in typed)))
        return command("play", path, "--seed", "1", *options)

    return run


def record_of(path: Path) -> dict[str, Any]:
    data: dict[str, Any] = json.loads(path.read_text("utf-8"))
    return data


def moves_of(path: Path) -> list[str]:
    return [f"{entry['seat']}: {entry['move']}" for entry in record_of(path)["moves"]]


# --- a match ----------------------------------------------------------------------------------------------------------


def test_a_match_is_played_to_its_end(play: Play) -> None:
    shown = play("cards", "2", "card 1", "1")
    assert (shown.code, shown.err) == (0, "")
    assert shown.out.startswith("cards (2 players, seed 1)\nat the keyboard: ann; `help` says what can be typed\n\nturn 1, ann, play\n")
    assert "\ndeck   5 face down\ntable  –\n\nann (you)\n  hand  card 1, card 2\n\nbob\n  hand  2 face down\n" in shown.out
    assert "\n  1  ann plays card 1\n  2  ann plays card 2\nann> 2\n  ann plays card 2\n\nturn 2, bob, play\n  bob plays card" in shown.out
    assert "over after 4 decisions, with the seed 1:\nnobody wins\n" in shown.out


def test_the_table_is_drawn_again_only_if_it_looks_different(play: Play) -> None:
    shown = play("steps", "walk(n=0)", "look")
    assert shown.out.count("\npath\n") == 2


def test_several_people_take_turns(play: Play, tmp_path: Path) -> None:
    seats = ("--seat", "bob", "--seat", "ann", "--save", tmp_path / "m.json")
    shown = play("steps", "4", "1", "1", "2", "4", options=seats)
    assert "at the keyboard: ann and bob;" in shown.out
    assert "ann> 4" in shown.out
    assert "bob> 1\n  walk(n=0)\n" in shown.out
    assert "press Enter" not in shown.out
    assert moves_of(tmp_path / "m.json") == ["0: walk(n=3)", "0: walk(n=0)", "1: walk(n=0)", "1: walk(n=1)", "0: walk(n=3)"]


def test_the_record_has_the_result(play: Play, tmp_path: Path) -> None:
    play("steps", "4", "4", options=("--save", tmp_path / "m.json"))
    assert record_of(tmp_path / "m.json")["result"]["winners"] == [0]
    assert moves_of(tmp_path / "m.json") == ["0: walk(n=3)", "0: walk(n=3)"]


@pytest.mark.parametrize("seat", ["2", "an", "-1"])
def test_seats_that_do_not_exist_are_refused(play: Play, seat: str) -> None:
    shown = play("steps", options=("--seat", seat))
    assert shown.code == 2
    assert f"there is no seat `{seat}`" in shown.err


# --- what can be typed ------------------------------------------------------------------------------------------------


def test_words_narrow_the_list_and_numbers_stay(play: Play) -> None:
    shown = play("many", "even 4", "44")
    listed = shown.out.split("> even 4\n")[1].split("player 0>")[0].splitlines()
    assert listed[0] == "   4  grab 4 of even"
    assert len(listed) == 11  # 4, 14, 24, …, 64 and 40, 42, 46, 48
    assert "  grab 44 of even" in listed[6]
    assert "over after 1 decision" in shown.out


def test_a_long_list_comes_in_pages(play: Play) -> None:
    shown = play("many", "more", "more", "more", "", "70")
    assert shown.out.count("  … 41 more: `more` shows them, words narrow the list") == 2
    assert "  … 11 more" in shown.out
    assert "  that were all of them" in shown.out
    assert "  71  quit" in shown.out


def test_a_move_that_is_called_like_a_command_comes_first(play: Play) -> None:
    assert "over after 1 decision" in play("many", "quit").out
    assert "left after 0 decisions" in play("many", "/quit").out


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("99", "there is no move 99 in the list"),
        ("fly", "no move has `fly` in it"),
        ("walk(n=7)", "`walk(n=7)` is not a legal move now"),
        ("walk(m=1)", "is not a legal move now"),
        ("walk(7", "not written like a move"),
    ],
)
def test_what_is_no_move_is_answered(play: Play, typed: str, said: str) -> None:
    shown = play("steps", typed)
    assert said in shown.out
    assert shown.code == 0


def test_moves_can_be_typed_in_full(play: Play, tmp_path: Path) -> None:
    play("steps", "walk(n=3)", "  WALK(N=3)  ", options=("--save", tmp_path / "m.json"))
    assert moves_of(tmp_path / "m.json") == ["0: walk(n=3)", "0: walk(n=3)"]


def test_help_explains_commands_and_signs(play: Play) -> None:
    shown = play("steps", "help")
    assert "  undo         takes your last move back" in shown.out
    assert "  m man\n  a ann, b bob\n" in shown.out


# --- taking back ------------------------------------------------------------------------------------------------------


def test_a_move_can_be_taken_back(play: Play, tmp_path: Path) -> None:
    shown = play("steps", "1", "undo", "4", "4", options=("--save", tmp_path / "m.json"))
    assert "  taken back: walk(n=0)\n" in shown.out
    assert moves_of(tmp_path / "m.json") == ["0: walk(n=3)", "0: walk(n=3)"]
    assert "\n  walk(n=0)\n" in shown.out.split("taken back")[0]
    assert "\n  walk(n=0)\n" not in shown.out.split("taken back")[1]


def test_nothing_can_be_taken_back_at_the_beginning_or_behind_others(play: Play) -> None:
    shown = play("steps", "undo", "1", "1", "undo")
    assert "  not possible: there is no move to take back\n" in shown.out
    assert "  not possible: another player has decided since\n" in shown.out


def test_bots_do_the_same_after_a_move_was_taken_back(play: Play, tmp_path: Path) -> None:
    first, second = tmp_path / "a.json", tmp_path / "b.json"
    play("steps", "1", "1", "1", options=("--save", first))
    play("steps", "4", "undo", "1", "1", "2", "undo", "1", options=("--save", second))
    assert moves_of(first) == moves_of(second)


# --- saving and going on ----------------------------------------------------------------------------------------------


def test_a_match_that_is_left_can_be_gone_on_with(play: Play, tmp_path: Path) -> None:
    whole, part, rest = tmp_path / "whole.json", tmp_path / "part.json", tmp_path / "rest.json"
    play("cards", "1", "1", options=("--save", whole))
    left = play("cards", "1", "quit", options=("--save", part))
    assert f"left after 2 decisions; saved in {part}: `gdl play {tmp_path / 'cards.yaml'} --resume {part}` goes on\n" in left.out
    assert "result" not in record_of(part)
    shown = play("cards", "1", options=("--resume", part, "--save", rest))
    assert "  ann plays card 1\n\nturn 2, bob, play\n  bob plays card" in shown.out
    assert record_of(rest) == record_of(whole)


def test_a_record_can_be_saved_on_the_way(play: Play, tmp_path: Path) -> None:
    path = tmp_path / "m.json"
    shown = play("steps", "1", f"save {path}", "save", f"save {tmp_path / 'no' / 'm.json'}", "1")
    assert f"  saved in {path}\n" in shown.out
    assert "  write `save FILE`\n" in shown.out
    assert "there is no folder" in shown.err
    assert "saved in" in shown.out.splitlines()[-1]
    assert "as it was after 1 decision" in shown.out.splitlines()[-1]
    assert moves_of(path) == ["0: walk(n=0)"]


def test_the_end_of_input_ends_quietly(play: Play) -> None:
    shown = play("steps", "1")
    assert (shown.code, shown.err) == (0, "")
    assert shown.out.endswith("left after 1 decision, with the seed 1; not saved (`save FILE` or `--save FILE` does)\n")


def test_an_interrupt_ends_quietly_and_saves(play: Play, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    answers = iter(["1"])

    def ask(self: Keyboard, prompt: str) -> str:
        del self, prompt
        for answer in answers:
            return answer
        raise KeyboardInterrupt

    monkeypatch.setattr(Keyboard, "ask", ask)
    shown = play("steps", options=("--save", tmp_path / "m.json"))
    assert (shown.code, shown.err) == (130, "")
    assert moves_of(tmp_path / "m.json") == ["0: walk(n=0)"]


class Terminal(io.StringIO):
    """Standard input that says it is one."""

    def isatty(self) -> bool:
        return True


def test_who_leaves_at_a_terminal_is_asked_about_saving(command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "steps.yaml").write_text(STEPS, "utf-8")
    lines = iter(["1", "quit", str(tmp_path / "m.json")])
    asked: list[str] = []

    def answer(prompt: str) -> str:
        asked.append(prompt)
        return next(lines)

    monkeypatch.setattr("sys.stdin", Terminal())
    monkeypatch.setattr("gdl.cli.keyboard._editing", lambda: None)
    monkeypatch.setattr("builtins.input", answer)
    shown = command("play", tmp_path / "steps.yaml")
    assert asked == ["ann> ", "ann> ", "save the match in a file? its name, or nothing: "]
    assert shown.out.endswith("goes on\n")
    assert moves_of(tmp_path / "m.json") == ["0: walk(n=0)"]


def test_a_failing_rule_leaves_the_record(play: Play, tmp_path: Path) -> None:
    shown = play("faulty", "1", options=("--save", tmp_path / "m.json"))
    assert shown.code == 1
    assert "a rule failed after 1 decision, with the seed 1:" in shown.out
    assert "GDL" in shown.err
    assert moves_of(tmp_path / "m.json") == ["0: bump"]


def test_a_record_of_another_game_is_refused(play: Play, tmp_path: Path) -> None:
    play("steps", "1", options=("--save", tmp_path / "m.json"))
    shown = play("cards", options=("--resume", tmp_path / "m.json"))
    assert shown.code == 2
    assert "this record is of the game `steps`, not of `cards`" in shown.err


def test_a_broken_record_is_refused(play: Play, tmp_path: Path) -> None:
    play("steps", "1", options=("--save", tmp_path / "m.json"))
    data = record_of(tmp_path / "m.json")
    data["moves"][0]["move"] = "fly"
    (tmp_path / "m.json").write_text(json.dumps(data), "utf-8")
    shown = play("steps", options=("--resume", tmp_path / "m.json"))
    assert shown.code == 2
    assert "move 1 of the record, `fly` by seat 0," in shown.err


# --- hidden things ----------------------------------------------------------------------------------------------------


def test_the_keyboard_is_passed_on_where_anything_is_hidden(play: Play) -> None:
    shown = play("cards", "", "1", "", "1", "", "1", "", "1", options=("--seat", "ann", "--seat", "bob"))
    assert shown.code == 0
    parts = shown.out.split("now it is for ")
    assert [part.split(" ")[0] for part in parts[1:]] == ["ann", "bob", "ann", "bob"]
    assert all("bob\n  hand  2 face down" in part for part in parts[1:2])
    assert "card 2" not in parts[2]  # what ann still has
    assert "card 4" not in parts[3]


def test_one_can_leave_while_the_keyboard_is_passed_on(play: Play) -> None:
    shown = play("cards", "", "1", "quit", options=("--seat", "ann", "--seat", "bob"))
    assert "left after 1 decision" in shown.out


def test_the_screen_is_cleared_at_a_terminal(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(""))
    Keyboard().hand_over()
    assert capsys.readouterr().out == ""
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    Keyboard().hand_over()
    assert capsys.readouterr().out.startswith("\x1b[2J")


def test_played_over_a_pipe(process: Command, tmp_path: Path) -> None:
    path = tmp_path / "steps.yaml"
    path.write_text(STEPS, "utf-8")
    shown = process("play", path)
    assert shown.code == 0
    assert "left after 0 decisions" in shown.out
