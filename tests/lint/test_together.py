"""A mistake in one place never hides one in another: specs with several faults of the corpus, and one with a fault in every section."""

from __future__ import annotations

import random
from functools import cache
from itertools import combinations
from pathlib import Path

import pytest

from gdl.api import examine_source
from gdl.diagnostics import Diagnostic, Severity
from gdl.load_files import no_files
from gdl.source import SourceFile

CORPUS = Path(__file__).parent / "corpus"
LAYERS = ("syntax", "shape", "names")
"""What is told while a spec is read and checked. Behind what is no YAML nothing is looked at, and rules need a sound spec."""
HEAD = ("gdl", "game", "title", "source", "players")
PAIRS = 600
CHUNKS = 6

Parts = dict[str, list[str]]


def errors(text: str) -> list[Diagnostic]:
    """The errors of a spec."""
    _, report = examine_source(SourceFile("spec.yaml", text), no_files)
    return [item for item in report.sorted() if item.severity is Severity.ERROR]


# --- pairs of cases ---------------------------------------------------------------------------------------------------


def parts_of(text: str) -> Parts | None:
    """The sections of a spec, each with its entries; none where a section is no block of entries."""
    sections: Parts = {}
    name = ""
    for line in text.split("\n"):
        if not line.strip():
            continue
        if not line.startswith(" "):
            name, _, rest = line.partition(":")
            if name in sections or (rest and name not in HEAD):
                return None
            sections[name] = [rest] if rest else []
        elif line.startswith("   "):
            if not sections[name]:
                return None
            sections[name][-1] += f"\n{line}"
        else:
            sections[name].append(line)
    return sections


def merged(one: Parts, other: Parts) -> str | None:
    """The spec with all entries of both; none where both have an entry of one name in different words."""
    sections = {name: list(entries) for name, entries in one.items()}
    for name, entries in other.items():
        known = sections.setdefault(name, [])
        if name in HEAD:
            continue
        for entry in entries:
            if entry in known:
                continue
            is_item = entry.startswith("  -")
            if any(_name(entry) == _name(present) or is_item is not present.startswith("  -") for present in known) and not (
                is_item and all(present.startswith("  -") for present in known)
            ):
                return None
            known.append(entry)
    lines = [f"{name}:{sections[name][0]}" for name in HEAD if name in sections]
    for name, entries in sections.items():
        if name not in HEAD:
            lines += [f"{name}:", *entries]
    return "\n".join([*lines, ""])


def _name(entry: str) -> str:
    return entry.split(":", maxsplit=1)[0].split("(", maxsplit=1)[0].strip(' "')


@cache
def cases() -> dict[str, Parts]:
    """The cases that consist of blocks."""
    paths = sorted(path for layer in LAYERS for path in (CORPUS / layer).glob("*.yaml"))
    found = {path.relative_to(CORPUS).as_posix(): parts_of(path.read_text("utf-8")) for path in paths}
    return {name: parts for name, parts in found.items() if parts is not None and set(HEAD) <= set(parts) and not _is_apart(name)}


def _is_apart(case: str) -> bool:
    """Whether a fault keeps the file from being read as YAML, or is one of the head, of which a spec has one."""
    return any(item.code == "unreadable-yaml" or item.span.line <= len(HEAD) for item in own(case))


@cache
def pairs() -> list[tuple[str, str, str]]:
    """Pairs of cases that fit into one spec, and that spec."""
    possible = list(combinations(cases(), 2))
    random.Random("pairs").shuffle(possible)
    found = []
    for one, other in possible:
        text = merged(cases()[one], cases()[other])
        if text is not None:
            found.append((one, other, text))
        if len(found) == PAIRS:
            break
    return found


@cache
def own(case: str) -> list[Diagnostic]:
    """What is wrong with a case alone."""
    return errors((CORPUS / case).read_text("utf-8"))


def _what(item: Diagnostic) -> tuple[str, str, int]:
    """A finding by what does not depend on where in the spec it stands, and on which kinds and zones there are."""
    return item.code, item.span.source.line(item.span.line), item.span.column


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_two_faults_are_both_told(chunk: int) -> None:
    hidden = []
    for one, other, text in pairs()[chunk::CHUNKS]:
        told = {_what(item) for item in errors(text)}
        hidden += [(case, f"beside {one if case == other else other}") for case in (one, other)
                   if any(_what(item) not in told for item in own(case))]  # fmt: skip
    assert hidden == []


def test_there_are_enough_pairs() -> None:
    assert len(pairs()) == PAIRS
    assert len({case for one, other, _ in pairs() for case in (one, other)}) > 100


# --- a fault in every section -----------------------------------------------------------------------------------------

EVERYWHERE = """\
gdl: 1
game: all over                                              # syntax
title: {en: Faults}                                         # wrong-form
players: 4..2                                               # wrong-players
options:
  storms: {type: bool, default: perhaps}                    # wrong-word
  goal: {range: 1..5}                                       # missing-key
enums:
  suit: [clubs, hearts, clubs]                              # duplicate-name
constants:
  wage: 2 +                                                 # syntax
  prize: wagee                                              # unknown-name
zones:
  deck: {stak: true}                                        # unknown-key
  hand: {per: player, visible: ownr}                        # unknown-name
  table: {holds: cards}                                     # unknown-name
pieces:
  card:
    attributes: {suit: suit, rank: integer}                 # unknown-name
    each: {suit: suit}
    at: dekc                                                # unknown-name
variables:
  points: {typ: 0..99, per: player, start: 0}               # unknown-key
  trump: suit = spades                                      # unknown-name
history:
  past: {of: [trmp], keep: 3}                               # unknown-name
functions:
  "worth(c: card)": c.color                                 # unknown-field
procedures:
  "score(p: player, c: card)":
    - p.points += worth(p)                                  # wrong-type
    - mov(c, table)                                         # unknown-call
actions:
  draw_one:
    choose: c of deck                                       # syntax
    whn: true                                               # unknown-key
    do: move(c, player.hnd)                                 # unknown-field
setup:
  - shuffle(deck, 3)                                        # wrong-arguments
  - whenever: true                                          # not-a-step
phases:
  play:
    turns: cycles                                           # wrong-word
    do:
      - actions: [draw_two]                                 # unknown-call
      - let: x 3                                            # syntax
triggers:
  rises: {on: enters(deck), do: tie}                        # unknown-name
end:
  - {when: "3 > true", tie: true}                           # wrong-type
  - {tie: true}                                             # missing-key
result:
  score: player.pionts                                      # unknown-field
  ranking: most score                                       # wrong-word
limits: {turns: trump}                                      # not-constant
invariants:
  - count(deck) = 3                                         # syntax
display:
  crad: {glyph: c}                                          # unknown-name
"""


def test_a_fault_in_every_section_is_told_and_nothing_else() -> None:
    lines = EVERYWHERE.split("\n")
    marked = [(number, line.rpartition("# ")[2]) for number, line in enumerate(lines, 1) if " # " in line]
    assert [(item.span.line, item.code) for item in errors(EVERYWHERE)] == marked
