"""What lives across decisions lies in the state as plain numbers: it survives a file, and play goes on as it would have."""

from __future__ import annotations

import json

import pytest

import gdl

HEAD = "gdl: 1\ngame: kept\nplayers: 2\nvariables: {x: 0..9999 = 0}\nzones: {board: {grid: [3, 3], variables: {mark: bool}}}\n"
BODIES = {
    "a list of lists": """
      - let: rows = lines(board, 3) where any(it, not it.mark)
      - choose: n in 1..2
        do: x += n
      - x += sum(rows, count(it)) + count(rows)
""",
    "a list of lists that is assigned again": """
      - let: rows = lines(board, 3) where any(it, not it.mark)
      - choose: n in 1..2
        do:
          - rows = first(rows, n)
          - x += n
      - choose: m in 1..2
        do: x += m * count(rows)
""",
    "a list that is assigned again": """
      - let: spaces = board where not it.mark
      - choose: c in spaces
        do: spaces = spaces - [c]
      - choose: c in spaces
        do: c.mark = true
      - x += count(spaces)
""",
    "the lists of a loop": """
      - for: line in lines(board, 3) where any(line, not it.mark)
        do:
          - choose: c in line
            do: x += c.index + count(line)
""",
    "the lists of a loop, each assigned again": """
      - for: line in lines(board, 3) where any(line, not it.mark)
        do:
          - choose: c in line
            do: line = line - [c]
          - x += count(line)
""",
    "a chosen list": """
      - choose: line in lines(board, 3) where any(line, not it.mark)
        do:
          - choose: c in line
            do: c.mark = true
          - x += count(line, it.mark)
""",
    "a list as an argument": """
      - walk(board where not it.mark)
""",
    "a long loop": """
      - repeat: 30 + 70 * (1 - seat(player))
        do:
          - choose: n in 1..2
            do: x += n
""",
}
PROCEDURES = """
procedures:
  "walk(way: list[board])":
    - choose: c in way
      do: c.mark = true
    - x += count(way)
"""


@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES)
def test_what_is_kept_survives_a_file(body: str) -> None:
    game = gdl.loads(f"{HEAD}{PROCEDURES}phases:\n  play:\n    turns: each\n    do:{body}").game()
    state = game.new_state(1)
    decisions = 0
    while not state.is_terminal():
        assert all(type(cell) is int for cell in state.cells)
        again = game.state_from_json(json.loads(json.dumps(state.to_json())))
        (seat,) = state.deciders()
        moves = [str(move) for move in state.legal_moves(seat)]
        assert [str(move) for move in again.legal_moves(seat)] == moves
        move = moves[decisions % len(moves)]
        for each in (state, again):
            each.apply(move)
        assert again.cells == state.cells
        assert again.hash() == state.hash()
        state = again
        decisions += 1
    assert decisions > 1


def test_a_text_is_refused_with_its_place() -> None:
    body = "\n      - let: word = if seat(player) == 0 then 'a' else 'b'\n      - choose: n in 1..2\n        do: log('{word}')\n"
    with pytest.raises(gdl.SpecError, match="a text can't be kept across a decision"):
        gdl.loads(f"{HEAD}phases:\n  play:\n    turns: each\n    do:{body}").game()
