"""The reference, docs/language.md: its examples hold, and its generated chapters are those of the registries.

Fenced blocks by what stands behind the fence:

- ```` ```yaml gdl ````: a spec, which is set up for every number of players and played at random.
- ```` ```yaml gdl-part ````: sections of a spec, or (where the frame has room for them) steps. `<!-- frame: NAME -->` above names the
  spec of `FRAMES` that completes them; without it, what every spec needs is added.
- ```` ```gdl ````: an expression on each line that is true in its frame.
- ```` ```yaml gdl-wrong ````: a spec with a mistake; the next block shows the message.

A block with any other word behind `yaml` is an illustration.
"""

from __future__ import annotations

import re
from textwrap import indent

import pytest

from gdl.api import examine_source, loads
from gdl.check_expressions import check_expression
from gdl.check_scope import Scope
from gdl.codes import CODES
from gdl.diagnostics import Report
from gdl.expression_parser import parse_call, parse_expression, parse_step
from gdl.forms import FORMS, STEP_FORMS
from gdl.interpreter.builtins import BUILTINS
from gdl.interpreter.effects import EFFECTS
from gdl.interpreter.geometry import GEOMETRIES
from gdl.load_files import no_files
from gdl.registry import Entry
from gdl.render import render_text
from gdl.source import Fragment, SourceFile
from gdl.validators.reference import CHAPTERS, PAGE, Block, documentation, read_blocks, rewritten
from tests.documented import ends, loaded

MATCHES = 20
MOST_MOVES = 100
UPDATE = "run `python -m gdl.validators.reference`"

HEAD = {"gdl": "1", "game": "example", "players": "2"}
HOLE = "STEPS"

BOARD = """
players: 2
zones:
  supply: {per: player}
  box: {}
  board: {grid: [3, 3], variables: {height: 0..99 = 0}}
pieces:
  man: {per: player, count: 3, at: this.owner.supply}
variables:
  points: {type: 0..99, per: player, start: 0}
procedures:
  "mark_all(n: 0..9)":
    - for: c in board
      do: c.height = n
"""

FRAMES = {
    "setup": f"{BOARD}setup:\n{HOLE}",
    "turn": f"{BOARD}phases:\n  play:\n    turns: cycle\n    do:\n{HOLE}",
    "values": """
enums:
  color: [red, blue]
constants:
  primes: [2, 3, 5, 7]
variables:
  leader: player or none
""",
}
"""What completes the parts. Where a frame has a hole, the part is a list of steps."""

TEXT = PAGE.read_text("utf-8") if PAGE.exists() else ""
BLOCKS = read_blocks(TEXT)


def blocks(*infos: str) -> list[object]:
    """The blocks with one of these words behind their fence, as parameters; `<!-- xfail: reason -->` marks what does not work yet."""
    result: list[object] = []
    for block in (block for block in BLOCKS if block.info in infos):
        reason = block.note("xfail")
        marks = [pytest.mark.xfail(reason=reason, strict=True)] if reason else []
        result.append(pytest.param(block, id=f"line {block.line}", marks=marks))
    return result


def completed(block: Block) -> str:
    """The spec that a block is, or is a part of."""
    frame = FRAMES.get(block.note("frame") or "", "")
    if HOLE in frame:
        depth = 6 if "    do:\n" in frame.partition(HOLE)[0][-12:] else 2
        text = frame.replace(HOLE, indent(block.text, " " * depth))
    else:
        text = block.text
    return text + "".join(f"{key}: {value}\n" for key, value in HEAD.items() if not has_key(text, key))


def has_key(text: str, key: str) -> bool:
    """Whether a spec has a key at top level."""
    return re.search(rf"^{key}:", text, re.MULTILINE) is not None


# --- examples ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("block", blocks("yaml gdl", "yaml gdl-part"))
def test_example_is_played(block: Block) -> None:
    spec = loaded(completed(block))
    for count in spec.players:
        game = spec.game(count)
        for seed in range(MATCHES):
            ends(game, seed, MOST_MOVES)


@pytest.mark.parametrize("block", blocks("gdl"))
def test_lines_are_true(block: Block) -> None:
    frame = FRAMES[block.note("frame") or ""]
    lines = [line for line in block.text.splitlines() if line.strip()]
    spec = loads(frame + "".join(f"{key}: {value}\n" for key, value in HEAD.items()))
    game = spec.game()
    state = game.new_state(1)
    for line in lines:
        report = Report()
        tree = parse_expression(Fragment(line, SourceFile("line", line), 0), report)
        assert tree is not None, line
        typed = check_expression(spec.context, Scope(), tree)
        assert not report.items
        assert game.evaluate(typed, state.cells), line


def test_the_message_is_what_the_checker_says() -> None:
    place = next(number for number, block in enumerate(BLOCKS) if block.info == "yaml gdl-wrong")
    _, report = examine_source(SourceFile("slip.yaml", BLOCKS[place].text), no_files)
    assert BLOCKS[place + 1].text.strip() == render_text(report.sorted())


def test_every_block_has_a_word_that_says_what_it_is() -> None:
    known = {"yaml gdl", "yaml gdl-part", "gdl", "yaml gdl-wrong", "text", "yaml"}
    assert {block.info for block in BLOCKS} <= known


def test_all_frames_are_used() -> None:
    assert {block.note("frame") for block in BLOCKS} - {None} == set(FRAMES)


# --- generated chapters -----------------------------------------------------------------------------------------------


def test_generated_chapters_are_up_to_date() -> None:
    assert rewritten(TEXT) == TEXT, UPDATE


def test_every_chapter_is_on_the_page() -> None:
    assert set(re.findall(r"<!-- generated: (\w+) -->", TEXT)) == set(CHAPTERS) - {"scenario_keys"}


def test_the_page_knows_everything() -> None:
    signatures = [e.signature.text for table in (BUILTINS.builtins, EFFECTS.effects) for o in table.values() for e in o]
    assert [text for text in signatures if f"`{text}`" not in TEXT] == []
    assert [key.name for form in (*FORMS.values(), *STEP_FORMS) for key in form.keys if f"`{key.name}`" not in TEXT] == []
    assert [name for name in GEOMETRIES if f"`{name}`" not in TEXT] == []
    assert [code.name for code in CODES if f"`{code.name}`" not in TEXT] == []


def test_links_lead_somewhere() -> None:
    headings = re.findall(r"^#+ (.+)$", TEXT, re.MULTILINE)
    anchors = {re.sub(r"[^a-z0-9 -]", "", heading.lower()).replace(" ", "-") for heading in headings}
    assert set(re.findall(r"\]\(#([^)]+)\)", TEXT)) <= anchors


@pytest.mark.parametrize(
    "entry", [e for overloads in EFFECTS.effects.values() for e in overloads], ids=lambda entry: entry.signature.text
)
def test_example_of_effect_is_a_step(entry: Entry) -> None:
    _, example = documentation(entry)
    report = Report()
    text = example.removeprefix("let: ")
    step = parse_step(Fragment(text, SourceFile("example", text), 0), report) or parse_call(
        Fragment(text, SourceFile("example", text), 0), report
    )
    assert step is not None
    assert not report.items
