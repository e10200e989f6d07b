"""The tutorial and the pages on scenarios and for newcomers: specs are in order and played, scenarios pass, commands exist.

Fenced blocks by what stands behind the fence:

- ```` ```yaml gdl ````: a whole spec, set up for every number of players and played at random.
- ```` ```yaml test ````: scenarios, run with the nearest spec above, which may stand in a chapter before.
- ```` ```yaml shown ````: the same, and the next block is what `gdl test` says of them;
  a block of `markdown` before it holds rules to compare them with.
- ```` ```sh ````: commands; of those of gdl, the words and options exist.

Any other block is an illustration.
"""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from typer.main import get_command

from gdl.cli.main import main
from gdl.cli.options import build_app
from gdl.interpreter.scenario_forms import SCENARIO_FORMS
from gdl.render import render_text
from gdl.testing import run_file
from gdl.validators.reference import Block, read_blocks, rewritten
from tests.documented import ends, loaded

DOCS = Path(__file__).parents[1] / "docs"
CHAPTERS = sorted((DOCS / "tutorial").glob("0*.md"))
SCENARIOS = DOCS / "scenarios.md"
PAGES = [DOCS / "tutorial" / "README.md", *CHAPTERS, DOCS / "coming-from.md", SCENARIOS]
BLOCKS = [(page, block) for page in PAGES for block in read_blocks(page.read_text("utf-8"))]
MATCHES = 10
MOST_MOVES = 1000
WORDS = {"yaml gdl", "yaml test", "yaml shown", "yaml", "sh", "text", "python", "markdown"}


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


def spec_name(block: Block) -> str:
    """The file of the spec that scenarios are about."""
    name = re.search(r"^spec: (\S+)$", block.text, re.MULTILINE)
    assert name is not None
    return name[1]


@pytest.mark.parametrize(("spec", "block"), scenarios())
def test_scenarios_pass(spec: Block, block: Block, tmp_path: Path) -> None:
    (tmp_path / spec_name(block)).write_text(spec.text, "utf-8")
    file = tmp_path / "example.test.yaml"
    file.write_text(block.text, "utf-8")
    result = run_file(file)
    assert not result.problem, render_text(result.problem)
    assert result.results
    assert {scenario.name: scenario.failures for scenario in result.results if scenario.failures} == {}


def shown() -> list[object]:
    """Each block of scenarios whose outcome is shown: the page's spec, the rules above it, itself, and what is shown."""
    result: list[object] = []
    for page in PAGES:
        own = read_blocks(page.read_text("utf-8"))
        for place, block in enumerate(own):
            if block.info == "yaml shown":
                spec = next(each for each in reversed(own[:place]) if each.info == "yaml gdl")
                rules = own[place - 1] if own[place - 1].info == "markdown" else None
                result.append(pytest.param(spec, rules, block, own[place + 1], id=f"{page.name} line {block.line}"))
    return result


@pytest.mark.parametrize(("spec", "rules", "block", "words"), shown())
def test_what_is_shown_is_what_gdl_says(
    spec: Block,
    rules: Block | None,
    block: Block,
    words: Block,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("FORCE_COLOR", raising=False)
    Path(spec_name(block)).write_text(spec.text, "utf-8")
    Path("example.test.yaml").write_text(block.text, "utf-8")
    arguments = ["test", "example.test.yaml"]
    if rules is not None:
        Path("rules.md").write_text(rules.text, "utf-8")
        arguments += ["--rules", "rules.md"]
    assert main(arguments) == 1
    assert capsys.readouterr().out.strip() == words.text.strip()


def test_every_key_of_scenarios_is_in_an_example() -> None:
    examples = "".join(block.text for block in read_blocks(SCENARIOS.read_text("utf-8")) if block.info in ("yaml test", "yaml shown"))
    keys = [key.name for form in SCENARIO_FORMS for key in form.keys]
    assert [key for key in keys if not re.search(rf"(^|[ {{-]){key}:", examples, re.MULTILINE)] == []


def test_the_keys_of_scenarios_are_up_to_date() -> None:
    page = SCENARIOS.read_text("utf-8")
    assert "<!-- generated: scenario_keys -->" in page
    assert rewritten(page) == page, "run `python -m gdl.validators.reference`"


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
