"""However a file is laid out, formatting keeps what it says, and formatting again changes nothing."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Final

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gdl.formatter.layout import format_source
from gdl.source import SourceFile
from tests.cli.conftest import ROOT

SPECS: Final = ROOT / "specs"
FILES: Final = sorted(SPECS.rglob("*.yaml"))
SAMPLES: Final = [
    path.read_text("utf-8")
    for path in (
        SPECS / "classics" / "chess.yaml",
        SPECS / "classics" / "backgammon.yaml",
        SPECS / "moon" / "turn.yaml",
        SPECS / "oasis" / "companions.yaml",
    )
]
SCENARIOS: Final = (SPECS / "classics" / "kuhn_poker.test.yaml").read_text("utf-8")
NOISE: Final = " \t\n#:-,'\"[]{}()&*!|>+?%\\ax1"

seeds = st.integers(0, 10**9)
variations = settings(max_examples=15, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(SPECS).as_posix())
def test_shipped_files_are_formatted(path: Path) -> None:
    text = path.read_text("utf-8")
    formatted = format_source(SourceFile(path.name, text), scenarios=path.name.endswith(".test.yaml"))
    assert formatted.problems == ()
    assert formatted.text == text


def checked(text: str, *, scenarios: bool = False) -> str | None:
    """The formatted text, which is its own formatted text; none if there are problems, which leave it as it is."""
    formatted = format_source(SourceFile("sample.yaml", text), scenarios=scenarios)
    if formatted.problems:
        assert formatted.text == text
        return None
    again = format_source(SourceFile("sample.yaml", formatted.text), scenarios=scenarios)
    assert again.problems == ()
    assert again.text == formatted.text
    return formatted.text


def loosened(text: str, random: Random) -> str:
    """A text with more blanks, blank lines and indentation, at places where they mean nothing (but in texts, where they stay)."""
    factor = random.choice((1, 2, 3))
    lines: list[str] = []
    for line in text.split("\n"):
        body = line.lstrip("- ")
        head = line[: len(line) - len(body)]
        joined = "".join(word + " " * random.choice((1, 1, 1, 2, 4)) for word in body.split(" ")).rstrip()
        wide = "".join(sign + " " * (factor - 1) for sign in head)  # a dash and its blank grow as two blanks do
        lines.append(wide + joined + random.choice(("", "", "", "  ")))
        if body and random.random() < 0.05:
            lines += [""] * random.randint(1, 3)
    return "\n".join(lines)


@variations
@given(sample=st.sampled_from(SAMPLES), seed=seeds)
def test_a_loose_layout_is_set(sample: str, seed: int) -> None:
    loose = loosened(sample, Random(seed))
    formatted = checked(loose)
    assert formatted is not None
    assert formatted.split() == loose.split()


@variations
@given(seed=seeds)
def test_a_loose_layout_of_scenarios_is_set(seed: int) -> None:
    loose = loosened(SCENARIOS, Random(seed))
    formatted = checked(loose, scenarios=True)
    assert formatted is not None
    assert formatted.split() == loose.split()


@variations
@given(sample=st.sampled_from(SAMPLES), seed=seeds)
def test_a_broken_text_is_formatted_or_left_alone(sample: str, seed: int) -> None:
    random = Random(seed)
    lines = sample.split("\n")
    start = random.randrange(len(lines))
    text = list("\n".join(lines[start : start + 30]))
    for _ in range(random.randint(1, 6)):
        place = random.randrange(len(text) + 1)
        text[place : place + random.choice((0, 1))] = random.choice(NOISE)
    checked("".join(text))


@variations
@given(text=st.text(alphabet=NOISE, max_size=40))
def test_any_text_is_formatted_or_left_alone(text: str) -> None:
    checked(text)
