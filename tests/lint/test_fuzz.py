"""Whatever stands in a file, the linter answers with findings: it does not fail, and it does not go on for ever.

Files are made by slips (`slips.py`) from the corpus and the small shipped specs, and by Hypothesis from the forms of the language. 2,000
are tried in every run, always the same; `GDL_FUZZ=20000` tries as many. A number that fails is one text: `text_of("specs", NUMBER)`.
"""

from __future__ import annotations

import os
import random
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, seed, settings
from hypothesis import strategies as st

from gdl.cli.linting import Linter
from gdl.diagnostics import Report
from gdl.forms import FORMS, STEP_FORMS, Either, Form, Leaf, ListOf, MapOf, Shape, Use
from gdl.render import render_json, render_text
from gdl.validators.config import Config, load_config
from gdl.validators.rules import RULES
from tests.lint.slips import mutated

ROOT = Path(__file__).parents[2]
CORPUS = Path(__file__).parent / "corpus"
SPEC = (CORPUS / "scenarios/shared/ring.yaml").read_text("utf-8")
ASKED = int(os.environ.get("GDL_FUZZ", "2000"))
CHUNKS = 20
SHARES = {"specs": 0.65, "scenarios": 0.1, "tables": 0.1, "settings": 0.05}
"""How many of all files are of which kind; the rest is made by Hypothesis."""
MADE = round(ASKED * (1 - sum(SHARES.values())))
MOST_SECONDS = 20.0
LONGEST = 20_000
TABLE_SPEC = """\
gdl: 1
game: table
players: 2
enums: {suit: [clubs, hearts], mood: [glad, sad]}
zones: {deck: {stack: true}, ring: {track: 5, table: cards.csv, attributes: {rank: int = 0, text: text = ''}}}
variables: {points: 0..9 = 0}
pieces:
  card:
    attributes: {rank: int, suit: suit, gain: effect, met: "computed bool (p: player)", cost: {type: int, per: mood, default: 0}}
    at: deck
    table: cards.csv
phases: {play: {turns: each, do: tie}}
"""
TABLE = "name,rank,suit,gain,met,cost.glad,cost.sad,index,copies\nace,1,clubs,points += 1; tie,p == players[0],1,2,0,1\n" * 1 + (
    'king,13,hearts,"points = {1: 2}[rank], move(this, deck)",true,,,1,2\n'
)


class _TooLongError(BaseException):
    """Not an `Exception`, so that nothing takes it for a fault of the linter and goes on."""


@contextmanager
def bounded() -> Iterator[None]:
    """Stop what takes too much of the processor's time."""

    def stop(*_: object) -> None:
        raise _TooLongError

    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, MOST_SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


# --- texts ------------------------------------------------------------------------------------------------------------


@cache
def sources(kind: str) -> tuple[str, ...]:
    """The texts of which slips are made."""
    patterns = {
        "specs": ("*/*.yaml", "*/*/spec.yaml"),
        "scenarios": ("scenarios/*.test.yaml",),
        "tables": ("tables/*/*.csv",),
        "settings": ("settings/*/gdl.toml",),
    }
    paths = sorted(path for pattern in patterns[kind] for path in CORPUS.glob(pattern))
    if kind == "specs":
        paths = [path for path in paths if not path.name.endswith(".test.yaml")]
    texts = [path.read_bytes().decode("utf-8", "replace") for path in paths if path.stat().st_size < LONGEST]
    return (*texts, TABLE) if kind == "tables" else tuple(texts)


@cache
def sound() -> tuple[str, ...]:
    """Specs that can be played, of which slips get further: into rules and the setting up of games."""
    paths = sorted(path for path in (ROOT / "specs/classics").glob("*.yaml") if not path.name.endswith(".test.yaml"))
    classics = [path.read_text("utf-8") for path in paths if path.stat().st_size < LONGEST]
    examples = [text for rule in RULES for text in (rule.faulty, rule.mended)]
    return (SPEC, TABLE_SPEC.replace("table: cards.csv", "rows: []"), *classics, *examples)


def text_of(kind: str, number: int) -> str:
    """The text that a number stands for."""
    generator = random.Random(f"{kind} {number}")
    base = sound() if kind == "specs" and generator.random() < 0.6 else sources(kind)
    return mutated(generator.choice(base), generator, (*sources(kind), *base))[: 2 * LONGEST]


def written(folder: Path, kind: str, text: str) -> Path:
    """The file to be linted."""
    data = text.encode("utf-8", "surrogatepass")
    match kind:
        case "specs":
            (folder / "spec.yaml").write_bytes(data)
        case "scenarios":
            (folder / "shared").mkdir(exist_ok=True)
            (folder / "shared/ring.yaml").write_text(SPEC, "utf-8")
            (folder / "spec.test.yaml").write_bytes(data)
            return folder / "spec.test.yaml"
        case "tables":
            (folder / "spec.yaml").write_text(TABLE_SPEC, "utf-8")
            (folder / "cards.csv").write_bytes(data)
        case "settings":
            (folder / "gdl.toml").write_bytes(data)
            return folder / "gdl.toml"
    return folder / "spec.yaml"


def lint(path: Path) -> None:
    """Lint a file and print what is found, in both forms."""
    if path.name == "gdl.toml":
        report = Report()
        load_config(path, report)
        findings = report.sorted()
    else:
        checked = Linter(Config()).check(path)
        if checked.crash is not None:
            raise checked.crash
        findings = list(checked.findings)
    render_text(findings)
    render_json(findings)


# --- slips ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("chunk", range(CHUNKS))
@pytest.mark.parametrize("kind", SHARES)
def test_slips(kind: str, chunk: int, tmp_path: Path) -> None:
    for number in range(chunk, int(ASKED * SHARES[kind]), CHUNKS):
        path = written(tmp_path, kind, text_of(kind, number))
        try:
            with bounded():
                lint(path)
        except (Exception, _TooLongError) as error:
            raise AssertionError(f"{kind} {number} fails with {type(error).__name__}: {error}") from error


# --- made from the forms ----------------------------------------------------------------------------------------------

_EXPRESSIONS = st.recursive(
    st.sampled_from(
        ["0", "3", "true", "none", "it", "this", "player", "players", "a", "b", "c", "a.b", "'x'", "a[0]", "players[0]", "1..3"]
    ),
    lambda inner: st.one_of(
        st.builds("({} {} {})".format, inner, st.sampled_from(["+", "-", "*", "//", "==", "<", "and", "or", "??", "in", "is"]), inner),
        st.builds("{}({})".format, st.sampled_from(["count", "first", "sum", "any", "all", "max", "neighbours", "a", "step"]), inner),
        st.builds("({} where {})".format, inner, inner),
        st.builds("(if {} then {} else {})".format, inner, inner, inner),
        st.builds("[{}, {}]".format, inner, inner),
        st.builds("{{{}: {}}}[{}]".format, inner, inner, inner),
    ),
    max_leaves=6,
)
_LEAVES = {
    "binder": st.builds("{} in {}".format, st.sampled_from("xyz"), _EXPRESSIONS),
    "binding": st.builds("{} = {}".format, st.sampled_from("xyz"), _EXPRESSIONS),
    "call": st.sampled_from(["a", "b", "a(1)", "enter(a)", "change(b)", "turn_end"]),
    "declared": st.sampled_from(
        ["int", "bool", "0..9 = 0", "a", "player or none", "set[a]", "list[int, max 3]", "text", "direction", "shape = '##'"]
    ),
    "expression": _EXPRESSIONS,
    "flag": st.sampled_from(["true", "false"]),
    "name": st.sampled_from("abcd"),
    "number": st.sampled_from(["1", "2", "3"]),
    "path": st.just("none.yaml"),
    "range": st.sampled_from(["1..3", "2..2"]),
    "template": st.builds("x {{{}}}".format, _EXPRESSIONS),
    "text": st.sampled_from(["x", "highest score", "a.b"]),
    "type": st.sampled_from(["int", "a", "b", "player", "0..3", "effect", "computed int (p: player)"]),
}
_STEPS = st.one_of(
    _EXPRESSIONS.map("a = {}".format),
    _EXPRESSIONS.map("b += {}".format),
    st.builds("{}({}, {})".format, st.sampled_from(["move", "a", "deal", "swap", "reveal"]), _EXPRESSIONS, _EXPRESSIONS),
    st.sampled_from(["tie", "stop", "return", "end_turn", "again", "roll(a)", "shuffle(a)", "win(player)"]),
)


def _value(shape: Shape, depth: int) -> st.SearchStrategy[object]:
    """Values of a shape, as YAML holds them."""
    match shape:
        case Leaf(kind="word", words=words):
            return st.sampled_from(words)
        case Leaf(kind="steps"):
            steps = _STEPS if depth <= 0 else st.one_of(_STEPS, *(_map(form, depth - 1) for form in STEP_FORMS))
            return st.lists(steps, max_size=3)
        case Leaf(kind=kind):
            return _LEAVES[kind]
        case ListOf(item=item):
            return st.lists(_value(item, depth - 1), max_size=3)
        case MapOf(key=key, value=value):
            keys = st.sampled_from(["a()", "b(p: player)", "c(n: 0..3 = 1)"]) if key == "signature" else st.sampled_from("abcd")
            return st.dictionaries(keys, _value(value, depth - 1), max_size=3)
        case Use(form=form):
            return _map(FORMS[form], depth - 1)
        case Either(options=options):
            return st.one_of([_value(option, depth) for option in options])


def _map(form: Form, depth: int) -> st.SearchStrategy[object]:
    """Maps of a form; deep inside only with the keys that it needs."""

    def of(keys: list[str]) -> st.SearchStrategy[object]:
        chosen = [key for key in form.keys if key.required or (key.name in keys and depth > 0)]
        return st.fixed_dictionaries({key.name: _value(key.shape, depth) for key in chosen})

    return st.lists(st.sampled_from([key.name for key in form.keys]), max_size=4, unique=True).flatmap(of)


def _as_yaml(value: object) -> str:
    """YAML in which every text is quoted, so that it arrives as it is."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_as_yaml(key)}: {_as_yaml(inner)}" for key, inner in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_as_yaml, value)) + "]"
    return "'" + str(value).replace("'", "''") + "'"


_SECTIONS = [key for key in FORMS["spec"].keys if key.name not in ("gdl", "game", "include")]


@st.composite
def specs(draw: st.DrawFn) -> str:
    """Specs of which every map has its form, and hardly anything fits together."""
    keys = draw(st.lists(st.sampled_from(_SECTIONS), min_size=2, max_size=7, unique_by=lambda key: key.name))
    lines = [f"{key.name}: {_as_yaml(draw(_value(key.shape, 3)))}" for key in keys]
    return "\n".join(["gdl: 1", "game: made", *lines, ""])


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_specs_made_from_the_forms(chunk: int, tmp_path: Path) -> None:
    @seed(chunk)
    @settings(max_examples=max(1, MADE // CHUNKS), deadline=None, database=None, suppress_health_check=list(HealthCheck))
    @given(specs())
    def check(text: str) -> None:
        with bounded():
            lint(written(tmp_path, "specs", text))

    check()
