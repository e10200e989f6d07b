"""Frames of rules that call themselves: a state has cells for those that there are, and no more."""

from __future__ import annotations

import gdl

DIGGING = """\
gdl: 1
game: digging
players: 2
variables: {deepest: "0..99 = 0"}
procedures:
  "dig(n: 0..99)":
    - choose: step in 1..2
      name: down
      optional: true
      do:
        - dig(n + step)
        - deepest = max(deepest, n)
phases:
  play: {turns: cycle, do: [dig(0)]}
"""


def test_cells_come_and_go_with_frames() -> None:
    state = gdl.loads(DIGGING).game(2).new_state(1)
    start = len(state.cells)
    hashes, lengths = [], []
    for _ in range(20):
        hashes.append(state.hash())
        lengths.append(len(state.cells))
        loaded = state.game.state_from_json(state.to_json())
        assert loaded.cells == state.cells
        assert loaded.hash() == state.hash()
        state.apply("down(step=1)")
    assert lengths == sorted(lengths)
    assert start < lengths[-1] < len(state.to_json()["cells"])
    assert len(set(hashes)) == len(hashes)
    state.apply("pass")
    assert len(state.cells) == start


def test_undo_gives_the_cells_back() -> None:
    state = gdl.loads(DIGGING).game(2).new_state(1)
    for _ in range(9):
        state.apply("down(step=1)")
    before = state.cells[:]
    state.apply("down(step=2)")
    assert state.undo()
    assert state.cells == before
