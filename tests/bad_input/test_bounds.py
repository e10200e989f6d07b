"""Rules that ask for more than any machine has. Each runs in a process of its own, with little memory and little time.

A bound that is exceeded is a mistake of the spec like others; running out of memory is none.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from gdl.codes import CATALOGUE, label_of
from tests.bad_input.conftest import HEAD

SECONDS = 15
LIMITED = """\
import resource, sys
resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))
from gdl.cli.main import main
sys.exit(main(sys.argv[1:]))
"""

X = "variables: {x: 0..9 = 0}\n"
DECK = "zones: {deck: {}}\n"
HUGE = "10000000000"


def turn(steps: str) -> str:
    """A spec in which each turn has one decision and then these steps."""
    return f"{X}phases:\n  play:\n    turns: cycle\n    do:\n      - choose: n in 1..2\n        do:\n          - {steps}\n"


def nested(depth: int, items: str) -> str:
    """A spec whose set-up is loops in each other."""
    loops = "".join(f"{'    ' * n}  - for: i{n} in {items}\n{'    ' * n}    do:\n" for n in range(depth))
    return f"{X}setup:\n{loops}{'    ' * depth}  - x = 1\n"


BOUNDED = {
    "a sum": f"constants: {{a: sum(1..{HUGE})}}\n",
    "a loop in the set-up": f"{X}setup:\n  - for: i in 1..{HUGE}\n    do: x = 1\n",
    "a domain": turn(f"choose: m in 1..{HUGE}\n            do: x = 1"),
    "a filtered domain": turn(f"choose: m in 1..{HUGE} where m > n + 9999999990\n            do: x = 1"),
    "a set": "variables:\n  x: set[0..9223372036854775807]\n",
    "keys of a variable": f"variables: {{x: {{type: 0..9, per: 0..{HUGE}, start: 0}}}}\n",
    "pieces by each": f"{DECK}pieces: {{card: {{attributes: {{rank: int}}, each: {{rank: 1..{HUGE}}}, at: deck}}}}\n",
    "faces": f"pieces: {{die: {{faces: 1..{HUGE}}}}}\n",
    "depth": f"{X}limits: {{depth: {HUGE}}}\nprocedures: {{'f(n: 0..9)': [f(n), x = 1]}}\nsetup: [f(1)]\n",
    "doubled lists": "constants:\n  a0: '[1, 2]'\n" + "".join(f"  a{n}: a{n - 1} + a{n - 1}\n" for n in range(1, 60)),
    "lists of lists": f"{X}constants: {{big: 1..1000000}}\nsetup: ['x = count(flat(1..1000000 select big)) % 2']\n",
    "all rectangles": f"zones: {{b: {{grid: [100, 100]}}}}\n{X}setup: ['x = count(rectangles(b)) % 2']\n",
    "combinations": f"{X}setup: ['x = count(combinations(1..100000, 50000)) % 2']\n",
    "many boards": "zones:\n" + "".join(f"  b{n}: {{grid: [100, 100]}}\n" for n in range(20)),
    "boards for each of many keys": "zones: {b: {per: 0..60000, grid: [100, 100]}}\n",
    "keys by keys": "variables: {x: {type: 0..9, per: [0..60000, 0..60000], start: 0}}\n",
    "a list that doubles": turn("let: xs = [n]\n          - repeat: 100\n            do: xs = xs + xs"),
}
"""What takes more memory than there is."""

DEEP = {
    "functions that call each other": (
        2,
        "too-deep",
        f"{X}functions:\n  f0(): x\n" + "".join(f"  f{n}(): f{n - 1}()\n" for n in range(1, 600)) + "setup: [x = f599()]\n",
    ),
    "a grid too wide to lay shapes on": (
        1,
        "fault-size",
        f"zones: {{b: {{grid: [1, 1001]}}}}\n{X}setup: [\"x = count(placements('##', b)) % 2\"]\n",
    ),
}
"""What is deeper or wider than what it is put into."""

ENDLESS = {
    "pieces by copies": f"{DECK}pieces: {{card: {{attributes: {{rank: int}}, at: deck, rows: [{{rank: 1, copies: {HUGE}}}]}}}}\n",
    "fuel": f"{X}limits: {{fuel: {HUGE}}}\nsetup:\n  - while: true\n    do: x = 1\n",
    "a filtered list": turn(f"x = count(1..n * {HUGE} where it % 7 == 3) % 2"),
    "loops in loops": nested(6, "1..1000"),
    "lists in lists": f"{X}setup: ['x = count({'1..100 where any(' * 6}1..100, it > 200{')' * 6}) % 2']\n",
    "procedures that call each other twice": (
        f"{X}procedures:\n  p0(): [x = 1]\n" + "".join(f"  p{n}(): [p{n - 1}(), p{n - 1}()]\n" for n in range(1, 60)) + "setup: [p59()]\n"
    ),
    "functions of the state that call each other twice": (
        f"{X}functions:\n  f0(): x\n" + "".join(f"  f{n}(): f{n - 1}() + f{n - 1}()\n" for n in range(1, 60)) + "setup: [x = f59() % 2]\n"
    ),
    "an attribute that is made of itself": (
        "zones: {b: {track: 3, attributes: {p: {type: int, default: this.q}, q: {type: int, default: this.p}}}}\n"
    ),
    "many loops in each other": nested(25, "1..2"),
    "a long text for a log": turn("for: i in 1..1000000\n            do: log('{1..1000000}')"),
}
"""What takes more time than there is."""

FINE = {
    "a list": (1, "fault-size", turn(f"x = count((1..n * {HUGE}) + [1]) % 2")),
    "a range of a variable": (0, "", "variables: {x: 0..9223372036854775807 = 0}\n" + turn("x = n").partition("\n")[2]),
    "history": (2, "bad-size", f"{X}history: {{p: {{of: [x], keep: {HUGE}}}}}\n"),
    "a step over a ring": (0, "", f"zones: {{ring: {{track: 5, loop: true}}}}\n{X}setup:\n  - x = step(ring[0], {HUGE}).index\n"),
    "functions that call each other twice": (
        0,
        "",
        f"{X}functions:\n  f0(): 1\n" + "".join(f"  f{n}(): f{n - 1}() + f{n - 1}()\n" for n in range(1, 60)) + "setup: [x = f59() % 2]\n",
    ),
}
"""What is bounded already."""


def run(folder: Path, text: str) -> subprocess.CompletedProcess[str]:
    """Begin a match with little memory."""
    spec = folder / "bad.yaml"
    spec.write_text(HEAD + text, "utf-8")
    arguments = [sys.executable, "-c", LIMITED, "run", str(spec), "--seed", "1", "--limit", "3", "--quiet"]
    return subprocess.run(arguments, capture_output=True, text=True, timeout=SECONDS, check=False)


@pytest.mark.parametrize(("code", "name", "text"), FINE.values(), ids=FINE)
def test_what_is_bounded(tmp_path: Path, code: int, name: str, text: str) -> None:
    done = run(tmp_path, text)
    words = done.stdout + done.stderr
    assert "gdl itself has failed" not in words
    assert done.returncode in {code, 1 if "has not ended" in words else code}, words
    assert not name or f"{label_of(name)} {name}" in words


@pytest.mark.parametrize(("code", "name", "text"), DEEP.values(), ids=DEEP)
def test_what_does_not_fit(tmp_path: Path, code: int, name: str, text: str) -> None:
    done = run(tmp_path, text)
    words = done.stdout + done.stderr
    assert done.returncode == code, words
    assert f"{label_of(name)} {name}" in words


@pytest.mark.parametrize("text", BOUNDED.values(), ids=BOUNDED)
def test_what_takes_too_much_memory(tmp_path: Path, text: str) -> None:
    told(run(tmp_path, text))


@pytest.mark.slow
@pytest.mark.parametrize("text", ENDLESS.values(), ids=ENDLESS)
def test_what_takes_too_much_time(tmp_path: Path, text: str) -> None:
    told(run(tmp_path, text))


def told(done: subprocess.CompletedProcess[str]) -> None:
    """A mistake is told by its code."""
    words = done.stdout + done.stderr
    assert "gdl itself has failed" not in words
    assert done.returncode in (1, 2), words
    assert any(f"{code.label} {name}" in words for name, code in CATALOGUE.items())
