"""The language by cases: every fenced block of the pages in this folder is a spec, with what is wrong in it written beside it.

A heading names a test. Its blocks:

- ```` ```yaml ````: a spec. Of the keys `gdl`, `game` and `players` those that it leaves out are added at its end; with ````
```yaml whole ```` none are.
- ```` ```csv cards.csv ````, ```` ```yaml more.yaml ````: a file beside the specs of the same heading.

A comment `# error: code column N` says that the line has this error, `# warning: …` the same of a warning, `# fault: …`
that a random match fails there; several are separated by `;`, and `# error below: …` speaks of the next line.
`<!-- error: cards.csv:2:5 code -->` above the block speaks of places in other files. A spec without errors is set up for
every number of players and played at random five times. `<!-- xfail: reason -->` marks what is known not to work yet,
`<!-- hangs: reason -->` what would go on for ever; `<!-- options: a=1, b=true -->` chooses options.

The full messages are compared with the golden file beside the page; `GDL_UPDATE=1` writes it anew.
"""

from __future__ import annotations

import os
import random
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from attrs import frozen

from gdl.api import Spec, examine_source
from gdl.codes import CATALOGUE
from gdl.diagnostics import Diagnostic, SpecError
from gdl.interpreter.errors import GameFault
from gdl.interpreter.game import Game
from gdl.load_files import folder_reader
from gdl.render import render_text
from gdl.source import SourceFile, Span
from gdl.validators.reference import Block, read_blocks

FOLDER = Path(__file__).parent
PAGES = sorted(FOLDER.glob("*.md"))
SPEC = "spec.yaml"
HEAD = (("gdl", "1"), ("game", "test"), ("players", "2"))
MATCHES = 5
MOST_MOVES = 60

COVERED_ELSEWHERE = {
    "file-too-large": "needs a file of 4 MiB",
    "not-utf8": "needs a file that is no text",
    "bad-character": "needs a character that no page should hold",
    "too-many-aliases": "needs a thousand of them",
    "too-large": "needs a text of several thousand characters",
    "bad-option": "is about what a game is made with",
    "illegal-move": "is about moves, not specs",
    "bad-save": "is about saved matches",
    "bad-scenario": "is about scenarios",
    "bad-config": "is about the linter's settings",
    "not-formatted": "is about the formatter",
    "bad-ignore": "is about comments to the linter",
    "unused-ignore": "is about comments to the linter",
    "unknown-rule": "is about scenarios",
}
"""Codes that no page shows, and why. tests/gdl, tests/interpreter and tests/lint have them."""


@frozen
class Finding:
    """A thing found, or expected to be: a place, and a code; `column` 0 stands for any."""

    file: str
    line: int
    column: int
    severity: str
    code: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column} {self.severity}: {self.code}"


@frozen
class Case:
    """A spec with the files beside it and what is expected of it."""

    name: str
    page: Path
    block: Block
    files: tuple[tuple[str, str], ...]

    @property
    def text(self) -> str:
        """The spec, completed."""
        missing = [(key, value) for key, value in HEAD if not re.search(rf"^{key}:", self.block.text, re.MULTILINE)]
        added = missing if self.block.info == "yaml" else []
        return self.block.text + "".join(f"{key}: {value}\n" for key, value in added)

    @property
    def options(self) -> dict[str, str | int | bool]:
        """The options that the page chooses."""
        pairs = (pair.partition("=") for pair in (self.block.note("options") or "").split(",") if pair.strip())
        return {name.strip(): value.strip() for name, _, value in pairs}

    def load(self, folder: Path) -> tuple[Spec | None, list[Diagnostic]]:
        """Write the files, read the spec, and set it up for all numbers of players if it can be."""
        for name, text in self.files:
            (folder / name).write_text(text, "utf-8")
        spec, report = examine_source(SourceFile(SPEC, self.text), folder_reader(folder))
        if spec is not None and not report.has_errors:
            for count in spec.players:
                try:
                    spec.game(count, self.options)
                except SpecError as error:
                    report.items += error.diagnostics
        return spec, report.sorted()


# --- reading the pages ------------------------------------------------------------------------------------------------


def read_cases(page: Path) -> list[Case]:
    """The cases of a page."""
    blocks = read_blocks(page.read_text("utf-8"))
    cases: list[Case] = []
    for block in blocks:
        if block.info not in ("yaml", "yaml whole"):
            continue
        files = [(b.info.split()[1], b.text) for b in blocks if b.heading == block.heading and is_file(b)]
        number = sum(1 for case in cases if case.block.heading == block.heading)
        name = f"{page.stem}: {block.heading}" + (f" ({number + 1})" if number else "")
        cases.append(Case(name, page, block, tuple(files)))
    return cases


def is_file(block: Block) -> bool:
    """Whether a block is a file beside the specs."""
    return block.info.startswith(("csv ", "yaml ")) and "." in block.info


_EXPECTED = re.compile(r"#\s*(error|warning|fault)( below)?:\s*(.*)$")
_ITEM = re.compile(r"([a-z0-9-]+)(?:\s+column\s+(\d+))?")
_ELSEWHERE = re.compile(r"(error|warning):\s*(\S+?):(\d+):(\d+)\s+([a-z0-9-]+)")


def expected(case: Case) -> Iterator[Finding]:
    """What the page says is wrong with a spec."""
    for number, line in enumerate(case.block.text.split("\n"), 1):
        found = _EXPECTED.search(line)
        for item in found[3].split(";") if found else ():
            parts = _ITEM.fullmatch(item.strip())
            assert parts is not None, f"{case.page.name}:{case.block.line + number - 1}: unreadable: {line}"
            assert found is not None
            yield Finding(SPEC, number + bool(found[2]), int(parts[2] or 0), found[1], parts[1])
    for note in case.block.notes:
        elsewhere = _ELSEWHERE.fullmatch(note)
        if elsewhere is not None:
            severity, file, line_number, column, code = elsewhere.groups()
            yield Finding(file, int(line_number), int(column), severity, code)


ALL_CASES = [case for page in PAGES for case in read_cases(page)]


def parameters() -> list[object]:
    """A parameter for each case, those that are known to fail marked."""
    result: list[object] = []
    for case in ALL_CASES:
        marks = []
        if reason := case.block.note("xfail"):
            marks.append(pytest.mark.xfail(reason=reason, strict=True))
        if reason := case.block.note("hangs"):
            marks.append(pytest.mark.xfail(reason=reason, run=False))
        result.append(pytest.param(case, id=case.name, marks=marks))
    return result


# --- tests ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("case", parameters())
def test_case(case: Case, tmp_path: Path) -> None:
    wanted = list(expected(case))
    spec, diagnostics = case.load(tmp_path)
    found = [place(item.span, item.severity.value, item.code) for item in diagnostics]
    if spec is not None and not any(item.severity == "error" for item in found):
        found += play(spec, case.options)
    assert shown(unmatched(found, wanted)) == [], "found, and the page does not say so"
    assert shown(unmatched(wanted, found)) == [], "the page says so, and it was not found"


def place(span: Span, severity: str, code: str) -> Finding:
    """A finding, with its file as the pages name it."""
    return Finding(Path(span.source.name).name, span.line, span.column, severity, code)


def unmatched(some: list[Finding], others: list[Finding]) -> list[Finding]:
    """Those of `some` that have no partner among the others."""
    left = list(others)
    result: list[Finding] = []
    for item in some:
        partner = next((other for other in left if alike(item, other)), None)
        if partner is None:
            result.append(item)
        else:
            left.remove(partner)
    return result


def alike(one: Finding, other: Finding) -> bool:
    """Whether two findings agree; an unstated column agrees with any."""
    same = (one.file, one.line, one.severity, one.code) == (other.file, other.line, other.severity, other.code)
    return same and (one.column == other.column or 0 in (one.column, other.column))


def shown(findings: list[Finding]) -> list[str]:
    """Findings as text."""
    return [str(item) for item in findings]


def play(spec: Spec, options: dict[str, str | int | bool]) -> list[Finding]:
    """Play at random, with every number of players; the faults met, each once."""
    faults: dict[Finding, None] = {}
    for count in spec.players:
        game = spec.game(count, options)
        for seed in range(MATCHES):
            try:
                play_match(game, seed)
            except GameFault as fault:
                faults[place(fault.span, "fault", fault.code)] = None
    return list(faults)


def play_match(game: Game, seed: int) -> None:
    """One random match, at most so many moves; what is true of every state is looked at in each."""
    generator = random.Random(seed)
    state = game.new_state(seed)
    for _ in range(MOST_MOVES):
        broken = game.invariants_broken(state.cells)
        assert broken == [], "an invariant does not hold"
        if state.is_terminal():
            return
        assert state.hash() == state.clone().hash()
        assert state.observation(0)["game"] == game.name
        moves = [move for seat in state.deciders() for move in state.legal_moves(seat)]
        assert moves, "nobody can move, and the match is not over"
        texts = [(move.seat, str(move)) for move in moves]
        assert len(set(texts)) == len(texts), "two moves print alike"
        state.apply(generator.choice(moves))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_messages(page: Path, tmp_path: Path) -> None:
    golden = page.with_suffix(".txt")
    parts = []
    for number, case in enumerate(read_cases(page)):
        if case.block.note("xfail") or case.block.note("hangs"):
            continue
        folder = tmp_path / str(number)
        folder.mkdir()
        _, diagnostics = case.load(folder)
        if diagnostics:
            messages = render_text(diagnostics).replace(f"{folder}{os.sep}", "")
            parts.append(f"=== {case.name.partition(': ')[2]}\n\n{messages}\n")
    text = "\n".join(parts)
    if os.environ.get("GDL_UPDATE") == "1":
        golden.write_text(text, "utf-8")
    assert golden.exists(), f"{golden.name} is missing: set GDL_UPDATE=1 to write it"
    assert text == golden.read_text("utf-8")


def test_every_code_has_a_case() -> None:
    written = {finding.code for case in ALL_CASES for finding in expected(case)}
    unknown = written - set(CATALOGUE)
    assert not unknown
    assert set(CATALOGUE) - written - set(COVERED_ELSEWHERE) == set()


def test_no_golden_file_is_left_over() -> None:
    assert {page.stem for page in PAGES} == {golden.stem for golden in FOLDER.glob("*.txt")}
