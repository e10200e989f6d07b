"""Slips of beginners, and what is offered instead: habits from other languages, from prose, and from other YAML."""

from __future__ import annotations

import pytest

from tests.bad_input.conftest import Bench

ALIKE = ", ".join(f"J_yellow_{n}_2, {letter}_yellow_2, J_yellow_{n}" for n, letter in enumerate("STUVWXYZ", 3))
SLIPS = {
    "null": ("unknown-name", "did you mean `none`?", "constants: {a: null == 1}\n"),
    "len": ("unknown-call", "did you mean `size`?", "zones: {b: {}}\nconstants: {a: len(b)}\n"),
    "True": ("unknown-name", "did you mean `true`?", "constants: {a: True}\n"),
    "letters exchanged": ("unknown-key", "did you mean `stack`?", "zones: {b: {tsack: true}}\n"),
    "letters exchanged among many alike": (
        "unknown-name", "did you mean `J_yellwo_2`",
        f"enums: {{card: [J_yellwo_2, {ALIKE}]}}\nconstants: {{a: J_yellow_2}}\n",
    ),
    "the cell of a part": (
        "unknown-field", "did you mean `cell`?",
        "zones: {b: {grid: [1, 1], parts: {names: [n, e, s, w]}}}\ninvariants: [\"parts(b[0, 0])[0].celll == b[0, 0]\"]\n",
    ),
    "a letter doubled": ("unknown-name", "did you mean `b_3`", "enums: {card: [b_5_3, b_4_3, b_2_3, b_3]}\nconstants: {a: b__3}\n"),
    "a type": ("unknown-name", "did you mean `placement`", "functions: {\"f(p: placemnt)\": 1}\n"),
    "a word of a type": ("syntax", "did you mean `computed`?", "pieces: {c: {attributes: {a: comuted int}, count: 0, at: none}}\n"),
    "an effect's parameter": ("wrong-arguments", "did you mean `to`?", "setup: [\"log('x', too=players)\"]\n"),
    "a builtin's parameter": (
        "wrong-arguments", "did you mean `turned`?", "zones: {b: {grid: [2, 2]}}\ninvariants: [\"any(placements('#', b, turnd=true))\"]\n",
    ),
    "an effect with a value": (
        "unknown-call", "did you mean `pick`?", "zones: {b: {}}\npieces: {c: {at: b}}\nsetup: [\"move(pik(c), b)\"]\n",
    ),
    "a function called as elsewhere": (
        "unknown-call", "did you mean `lengthy`", "functions: {lengthy(): 1}\nconstants: {a: length()}\n",
    ),
    "an action in possible": (
        "unknown-call", "did you mean `act`",
        "actions: {\"act(n: int)\": {do: []}}\nphases: {p: {turns: each, do: {if: possible(actt(1)), then: []}}}\n",
    ),
    "a tab": ("unreadable-yaml", "indent with blanks", "zones:\n\tb: {}\n"),
    "no blank behind the colon": ("no-value", "write `track: 5`", "zones: {b: {track:5}}\n"),
    "a range with a hyphen": ("wrong-form", "write `2..4`", "gdl: 1\ngame: bad\nplayers: 2-4\n"),
}  # fmt: skip


@pytest.mark.parametrize(("code", "cure", "text"), SLIPS.values(), ids=SLIPS)
def test_slips(bench: Bench, code: str, cure: str, text: str) -> None:
    assert cure in bench.refused(code, 1, "lint", "--no-setup", bench.spec(text))


def test_a_game_that_can_not_be_begun(bench: Bench) -> None:
    assert "gdl new game NAME" in bench.refused("bad-option", 2, "new", "games", "river")
    assert "too long" in bench.refused("", 2, "new", "game", "x" * 300, "--folder", bench.folder)


def test_thousands_of_unknown_names(bench: Bench) -> None:
    lines = "".join(f"  name_{number}: nome_{number}\n" for number in range(2500))
    assert "did you mean `name_1`" in bench.refused("unknown-name", 1, "lint", bench.spec(f"constants:\n{lines}"))
