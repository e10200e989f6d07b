"""`gdl run --view`: what one seat may know of a match."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import CARD_TABLE, Command

SECRETS = CARD_TABLE.replace("at: deck", "at: deck, back: blue") + """\
  purse: {per: player, visible: [owner, secret]}
variables:
  bid: {type: 0..9, per: player, start: 0, visible: none}
  lucky: {type: 0..9, start: 0, visible: none}
setup:
  - shuffle(deck)
  - deal(3, deck, hand)
phases:
  play: {turns: each, actions: play}
  give: {turns: each, actions: give}
  hide: {turns: each, actions: hide}
  bid: {turns: each, actions: bid}
  steal:
    do:
      - move(pick(players[0].hand), players[1].hand)
      - lucky = pick(1..9)
      - log("only for ann", players[0])
      - log("for all")
actions:
  play:
    label: "{player} plays {c}"
    choose: c in player.hand
    do: move(c, table)
  give:
    label: "{player} gives {c}"
    choose: c in player.hand
    do: move(c, opponent(player).hand)
  hide:
    label: "{player} hides {c}"
    choose: c in player.hand
    do: move(c, player.purse)
  bid:
    label: "{player} bids {n}"
    choose: n in 1..9
    do: place_bid(n + 0)
procedures:
  "place_bid(m: 0..9)": player.bid = m
"""

SEALED = """\
gdl: 1
game: sealed
players: 2
variables: {bid: {type: 0..9, per: player, start: 0}}
phases:
  bidding:
    for: turn_number in 1..2
    phases:
      once:
        together: players
        sealed: true
        do:
          - choose: n in 1..9
            name: bid
            do: player.bid = n
      talk: {do: log("done")}
"""


@pytest.fixture
def secrets(tmp_path: Path) -> Path:
    path = tmp_path / "secrets.yaml"
    path.write_text(SECRETS, "utf-8")
    return path


def lines_of(command: Command, *arguments: str | Path) -> list[str]:
    shown = command("run", *arguments, "--seed", "1")
    assert (shown.code, shown.err) == (0, "")
    return [line.strip() for line in shown.out.splitlines()]


def test_moves_are_told_as_far_as_their_pieces_can_be_seen(command: Command, secrets: Path) -> None:
    whole = lines_of(command, secrets)
    ann, bob = lines_of(command, secrets, "--view", "ann"), lines_of(command, secrets, "--view", "bob")
    played = [line for line in whole if " plays " in line]
    assert len(played) == 2
    assert all(line in ann and line in bob for line in played)
    given = [line for line in whole if " gives " in line]
    assert all(line in ann and line in bob for line in given)  # both have seen it: one before, one afterwards
    hidden = [line for line in whole if " hides " in line]
    assert [line for line in ann if "hide" in line and "turn" not in line] == [hidden[0], "hide(c=blue)"]
    assert [line for line in bob if "hide" in line and "turn" not in line] == ["hide(c=blue)", hidden[1]]


def test_what_goes_into_hidden_variables_is_not_told(command: Command, secrets: Path) -> None:
    whole = [line for line in lines_of(command, secrets) if " bids " in line]
    bob = lines_of(command, secrets, "--view", "bob")
    assert whole[1] in bob
    assert "bid(n=?)" in bob
    assert whole[0] not in bob
    assert "pick(1..9) = ?" in bob


def test_chance_is_told_as_far_as_its_pieces_can_be_seen(command: Command, secrets: Path) -> None:
    whole = [line for line in lines_of(command, secrets) if line.startswith("draw(deck)")]
    ann, bob = (lines_of(command, secrets, "--view", seat) for seat in ("ann", "bob"))
    back = "draw(deck) = blue"
    assert len(whole) == 6
    assert [line for line in ann if line.startswith("draw")] == [whole[0], back, whole[2], back, whole[4], back]
    assert [line for line in bob if line.startswith("draw")] == [back, whole[1], back, whole[3], back, whole[5]]


def test_messages_reach_those_they_are_for(command: Command, secrets: Path) -> None:
    ann, bob = (lines_of(command, secrets, "--view", seat) for seat in ("ann", "bob"))
    assert "only for ann  (to ann)" in ann
    assert not [line for line in bob if "only for ann" in line]
    assert "for all" in ann
    assert "for all" in bob


def test_the_table_is_drawn_as_the_seat_sees_it(command: Command, secrets: Path) -> None:
    bob = lines_of(command, secrets, "--view", "bob")
    place = bob.index("bob (you)")
    assert "purse  not to be seen" in bob[:place]
    assert not [line for line in bob[place:] if "not to be seen" in line]


def test_seats_can_be_numbers(command: Command, secrets: Path) -> None:
    assert lines_of(command, secrets, "--view", "1") == lines_of(command, secrets, "--view", "bob")
    shown = command("run", secrets, "--view", "bib")
    assert shown.code == 2
    assert "there is no seat `bib`" in shown.err
    assert "did you mean `bob`?" in shown.err


def test_sealed_moves_are_told_when_all_have_decided(command: Command, tmp_path: Path) -> None:
    path = tmp_path / "sealed.yaml"
    path.write_text(SEALED, "utf-8")
    for seat in ("0", "1"):
        events = json.loads(command("run", path, "--seed", "4", "--view", seat, "--json").out)["events"]
        told = [(event["kind"], event["seat"]) for event in events if event["kind"] in ("move", "log")]
        for start in (0, 3):
            assert {kind for kind, _ in told[start : start + 2]} == {"move"}
            assert told[start + 2][0] == "log"


def test_json_has_the_observation_and_no_hidden_move(command: Command, secrets: Path) -> None:
    shown: dict[str, Any] = json.loads(command("run", secrets, "--seed", "1", "--view", "bob", "--json").out)
    assert shown["observation"]["seat"] == 1
    hidden = [event for event in shown["events"] if event.get("label") in ("hide(c=blue)", "bid(n=?)")]
    assert [event["move"] for event in hidden] == [None, None]
    assert "observation" not in json.loads(command("run", secrets, "--seed", "1", "--json").out)
