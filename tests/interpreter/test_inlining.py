"""Functions that are written out where they are called: a rule that fails in one tells of it and of its call, as any other does."""

from __future__ import annotations

import pytest

import gdl

SPEC = """
gdl: 1
game: written_out
players: 2
zones:
  board: {track: 3, variables: {mark: bool, next: board or none}}
functions:
  "short(c: board)": next_mark(c) and not c.mark
  "next_mark(c: board)": c.next.mark
  "long(c: board)": not c.mark and all(board, short(it))
phases:
  main:
    turns: cycle
    do:
      - choose: n in 1..3
        do: CHECK
"""


@pytest.mark.parametrize(
    ("check", "functions"),
    [
        ("board[0].mark = short(board[n - 1])", ["short", "next_mark"]),
        ("board[0].mark = long(board[n - 1])", ["long", "short", "next_mark"]),
    ],
)
def test_the_chain_of_a_fault_names_functions_that_are_written_out(check: str, functions: list[str]) -> None:
    state = gdl.loads(SPEC.replace("CHECK", check)).game().new_state(seed=1)
    with pytest.raises(gdl.GameFault) as caught:
        state.apply(state.legal_moves()[0])
    rules = [place.rule for place in caught.value.chain if place.rule]
    assert rules[-len(functions) :] == [f"function {name}" for name in functions]
    assert caught.value.span.text == "c.next"
    assert [place.span.text for place in caught.value.chain][-2:-1] == ["next_mark(c)"]


def test_what_is_written_out_is_true_where_the_function_is() -> None:
    spec = SPEC.replace("c.next.mark", "c.index > 0").replace("CHECK", "board[n - 1].mark = short(board[n - 1])")
    state = gdl.loads(spec).game().new_state(seed=1)
    for number in ("1", "2", "3", "2"):
        state.apply(f"main(n={number})")
    assert all(type(cell) is int for cell in state.cells)
    marks = [space["mark"] for space in state.observation(None)["zones"]["board"]]
    assert marks == [False, False, True]
