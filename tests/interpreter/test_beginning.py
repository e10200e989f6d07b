"""Finding out whether a game can be begun, as the linter does, goes like making and beginning it: the same faults, with the same places."""

from __future__ import annotations

from collections.abc import Callable

import pytest

import gdl

SPEC = """
gdl: 1
game: beginning
players: 2..3
zones:
  shelf: {track: 5, holds: book}
pieces:
  book:
    attributes: {weight: int}
    variables:
      worth: 0..9 = WORTH
    each: {weight: 1..5}
    at: shelf[this.weight - 1]
variables:
  total: 0..99 = 0
functions:
  "heavy(n: int)": shelf where n // (it.index - DIVISOR) > 0
procedures:
  "weigh(n: int)":
    - for: space in heavy(n)
      do:
        - total += 1
  "outer()": weigh(10)
setup: outer()
phases:
  play:
    turns: each
    do:
      - actions: [done]
actions:
  done: {do: total += 1}
"""


def spec(*, worth: str = "this.weight", divisor: str = "9") -> gdl.Spec:
    return gdl.loads(SPEC.replace("WORTH", worth).replace("DIVISOR", divisor), "beginning.yaml")


def worths(beginning: gdl.Spec) -> list[int]:
    """What the books are worth at first."""
    game = beginning.game()
    (first,) = (plan.first for info, plan in game.plan.variables.items() if info.name == "worth")
    return game.build.first[first : first + 5]


def test_what_can_be_begun_is_begun() -> None:
    spec().begin(2, {})
    assert worths(spec()) == [1, 2, 3, 4, 5]


def test_a_fault_has_the_same_place_and_the_same_rules_above_it() -> None:
    faulty = spec(divisor="3")
    with pytest.raises(gdl.GameFault) as played:
        faulty.game(2).new_state(seed=0)
    with pytest.raises(gdl.GameFault) as begun:
        faulty.begin(2, {})
    one, other = played.value, begun.value
    assert (one.code, one.message, one.span) == (other.code, other.message, other.span)
    assert one.chain == other.chain
    assert [place.rule for place in one.chain[:3]] == ["setup", "procedure outer", "procedure weigh"]


@pytest.mark.parametrize(
    ("worth", "code", "about"),
    [
        ("this.weight * 3", "fault-range", "starts at 12"),
        ("8 // (5 - this.weight)", "fault-division", ""),
        ("if this.weight < 5 then this.weight else 5 // (this.weight - 5)", "fault-division", ""),
    ],
)
def test_a_start_that_one_piece_of_many_can_not_have_is_found_at_it(worth: str, code: str, about: str) -> None:
    with pytest.raises(gdl.SpecError) as failed:
        spec(worth=worth).set_up(2, {})
    (found,) = failed.value.diagnostics
    assert found.code == code
    assert about in found.message
    assert found.span.text == worth


def test_a_branch_that_no_piece_takes_may_be_at_fault() -> None:
    assert worths(spec(worth="if this.weight < 9 then this.weight else 5 // 0")) == [1, 2, 3, 4, 5]


def test_what_is_nested_too_deeply_for_python_is_found_when_a_game_is_begun() -> None:
    lines = ["setup:"]
    for n in range(25):
        lines += [f"{'  ' * n}  - for: x{n} in 1..2", f"{'  ' * n}    do:"]
    text = SPEC.replace("WORTH", "1").replace("DIVISOR", "9").replace("setup: outer()", "\n".join([*lines, "  " * 26 + "- total += 1"]))
    found = [_refused(lambda: gdl.loads(text).begin(2, {})), _refused(lambda: gdl.loads(text).game(2))]
    assert found[0] == found[1]
    assert [code for code, _, _ in found[0]] == ["too-deep"]


def _refused(action: Callable[[], object]) -> list[tuple[str, str, int]]:
    with pytest.raises(gdl.SpecError) as failed:
        action()
    return [(each.code, each.message, each.span.start) for each in failed.value.diagnostics]
