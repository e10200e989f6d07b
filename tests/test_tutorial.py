"""The tutorial, docs/tutorial/: every spec in it is in order and can be played, every scenario passes, every command exists.

Fenced blocks by what stands behind the fence:

- ```` ```yaml gdl ````: a whole spec, set up for every number of players and played at random.
- ```` ```yaml test ````: scenarios, run with the nearest spec above, which may stand in a chapter before.
- ```` ```sh ````: commands; of those of gdl, the words and options exist.

Any other block is an illustration.
"""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from typer.main import get_command

from gdl.cli.options import build_app
from gdl.render import render_text
from gdl.testing import run_file
from gdl.validators.reference import Block, read_blocks
from tests.documented import ends, loaded

DOCS = Path(__file__).parents[1] / "docs"
CHAPTERS = sorted((DOCS / "tutorial").glob("0*.md"))
PAGES = [DOCS / "tutorial" / "README.md", *CHAPTERS, DOCS / "coming-from.md"]
BLOCKS = [(page, block) for page in PAGES for block in read_blocks(page.read_text("utf-8"))]
MATCHES = 10
MOST_MOVES = 1000
WORDS = {"yaml gdl", "yaml test", "yaml", "sh", "text", "python"}


def blocks(info: str) -> list[object]:
    """The blocks with this word behind their fence, as parameters."""
    return [pytest.param(block, id=f"{page.name} line {block.line}") for page, block in BLOCKS if block.info == info]


def scenarios() -> list[object]:
    """Each block of scenarios with the latest spec before it, as parameters."""
    result: list[object] = []
    spec: Block | None = None
    for page, block in BLOCKS:
        if block.info == "yaml gdl":
            spec = block
        elif block.info == "yaml test":
            result.append(pytest.param(spec, block, id=f"{page.name} line {block.line}"))
    return result


@pytest.mark.parametrize("block", blocks("yaml gdl"))
def test_spec_is_played(block: Block) -> None:
    spec = loaded(block.text)
    for count in spec.players:
        game = spec.game(count)
        for seed in range(MATCHES):
            assert ends(game, seed, MOST_MOVES), "the match does not end"


@pytest.mark.parametrize(("spec", "block"), scenarios())
def test_scenarios_pass(spec: Block, block: Block, tmp_path: Path) -> None:
    name = re.search(r"^spec: (\S+)$", block.text, re.MULTILINE)
    assert name is not None
    (tmp_path / name[1]).write_text(spec.text, "utf-8")
    file = tmp_path / "example.test.yaml"
    file.write_text(block.text, "utf-8")
    result = run_file(file)
    assert not result.problem, render_text(result.problem)
    assert result.results
    assert {scenario.name: scenario.failures for scenario in result.results if scenario.failures} == {}


@pytest.mark.parametrize("block", blocks("sh"))
def test_commands_exist(block: Block) -> None:
    for line in block.text.splitlines():
        words = shlex.split(line, comments=True)
        if words[:1] != ["gdl"]:
            continue
        commands = vars(get_command(build_app()))["commands"]
        assert words[1] in commands, line
        options = {text for parameter in commands[words[1]].params for text in (*parameter.opts, *parameter.secondary_opts)}
        assert [word for word in words[2:] if word.startswith("-") and word not in options] == [], line


def test_every_block_has_a_word_that_says_what_it_is() -> None:
    assert {block.info for _, block in BLOCKS} <= WORDS


def test_the_index_names_every_chapter_in_order() -> None:
    index = (DOCS / "tutorial" / "README.md").read_text("utf-8")
    assert re.findall(r"\]\((0[^)]+\.md)\)", index) == [chapter.name for chapter in CHAPTERS]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    for target, anchor in re.findall(r"\]\(([^)#:]*)(?:#([^)]*))?\)", page.read_text("utf-8")):
        file = page.parent / target if target else page
        assert file.exists(), target
        if anchor:
            headings = re.findall(r"^#+ (.+)$", file.read_text("utf-8"), re.MULTILINE)
            assert anchor in {re.sub(r"[^a-z0-9 _-]", "", heading.lower()).replace(" ", "-") for heading in headings}, anchor
