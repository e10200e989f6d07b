"""`gdl lint --fix` and `--diff`: what is mended, and that nothing else changes."""

from __future__ import annotations

from pathlib import Path

import pytest
from attrs import evolve

from gdl.cli.fixing import changes
from gdl.cli.linting import Fixing, lint
from gdl.cli.output import Unusable
from gdl.diagnostics import Diagnostic
from gdl.source import SourceFile, Span

FAULTY = """\
# A game, with a misspelt name and   odd layout.
gdl: 1
game: example
title: Example
source: made up
players: 2
variables: {points:   0..10 = 0}   # kept as it is
phases:
  play: {turns: "cycel", actions: walk}
actions:
  # gdl: ignore[unused-action] it is used
  walk:
    do: [ pionts += 1 ]   # gdl: ignore[unused-zone] nothing to silence
end:
  - {when: points > 9, tie: true}
"""
MENDED = """\
# A game, with a misspelt name and   odd layout.
gdl: 1
game: example
title: Example
source: made up
players: 2
variables: {points:   0..10 = 0}   # kept as it is
phases:
  play: {turns: "cycle", actions: walk}
actions:
  walk:
    do: [ points += 1 ]
end:
  - {when: points > 9, tie: true}
"""


@pytest.mark.parametrize("ends", ["\n", "\r\n"])
@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_only_what_is_wrong_changes(tmp_path: Path, ends: str, mark: bytes) -> None:
    path = tmp_path / "example.yaml"
    path.write_bytes(mark + FAULTY.replace("\n", ends).encode())
    lint([path], setup=False, fixing=Fixing(write=True))
    assert lint([path], setup=False, fixing=Fixing(write=True)) == 0
    assert path.read_bytes() == mark + MENDED.replace("\n", ends).encode()


def test_a_diff_changes_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "example.yaml"
    path.write_text(FAULTY, "utf-8")
    assert lint([path], setup=False, fixing=Fixing(show=True)) == 0
    assert path.read_text("utf-8") == FAULTY
    shown = capsys.readouterr().out.splitlines()
    assert '-  play: {turns: "cycel", actions: walk}' in shown
    assert '+  play: {turns: "cycle", actions: walk}' in shown


def test_of_several_codes_one_goes(tmp_path: Path) -> None:
    path = tmp_path / "example.yaml"
    path.write_text(MENDED.replace("variables:", "# gdl: ignore[unused-zone, unused-variable] a try\nvariables:").replace(
        "0..10 = 0}", "0..10 = 0, more: bool}"), "utf-8")  # fmt: skip
    lint([path], setup=False, fixing=Fixing(write=True))
    assert "# gdl: ignore[unused-variable] a try\n" in path.read_text("utf-8")


def test_what_leaves_a_choice_stays(tmp_path: Path) -> None:
    path = tmp_path / "example.yaml"
    text = MENDED.replace("0..10 = 0}", "0..10 = 0, pointa: 0..9 = 0}").replace("[ points", "[ pointx")
    path.write_text(text, "utf-8")
    lint([path], setup=False, fixing=Fixing(write=True))
    assert path.read_text("utf-8") == text


def test_what_would_be_worse_is_taken_back(tmp_path: Path) -> None:
    path = tmp_path / "example.yaml"
    text = MENDED.replace("points += 1", "walker(3)").replace("actions:\n", 'procedures:\n  "walked(n: player)": points += 1\nactions:\n')
    path.write_text(text, "utf-8")
    before = lint([path], setup=False)
    assert lint([path], setup=False, fixing=Fixing(write=True)) == before == 1


def test_a_file_that_may_not_be_written_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "example.yaml"
    path.write_text(FAULTY, "utf-8")
    path.chmod(0o444)
    with pytest.raises(Unusable, match="can't be written: permission denied"):
        lint([path], setup=False, fixing=Fixing(write=True))
    assert path.read_text("utf-8") == FAULTY


def fixed(folder: Path, text: str) -> str:
    """A spec after mending it until nothing changes any more."""
    path = folder / "example.yaml"
    path.write_text(text, "utf-8")
    before = ""
    while before != path.read_text("utf-8"):
        before = path.read_text("utf-8")
        lint([path], setup=False, fixing=Fixing(write=True))
    return before


ORDERED = MENDED.replace("do: [ points += 1 ]", """do:
      - if: points > 3                 # late
        then:
          - points += 2
        else: points += 1              # early
      - {for: p in players, do: points += 1}
""")


def test_a_spec_begins_with_what_it_says_of_itself(tmp_path: Path) -> None:
    odd = MENDED.replace("gdl: 1\ngame: example\ntitle: Example\nsource: made up\n", "title: Example\ngdl: 1\n").replace(
        "actions:\n", "game: example  # late\nsource: >-\n  made\n  up\nactions:\n"
    )
    wanted = MENDED.replace("game: example\n", "game: example  # late\n").replace("source: made up", "source: >-\n  made\n  up")
    assert fixed(tmp_path, odd) == wanted


@pytest.mark.parametrize("ends", ["\n", "\r\n"])
def test_a_step_begins_with_the_key_that_it_is_called_by(tmp_path: Path, ends: str) -> None:
    odd = ORDERED.replace(
        """\
      - if: points > 3                 # late
        then:
          - points += 2
        else: points += 1              # early
      - {for: p in players, do: points += 1}
""",
        """\
      - else: points += 1              # early
        then:
          - points += 2
        if: points > 3                 # late
      - {do: points += 1, for: p in players}
""",
    )
    assert odd != ORDERED
    path = tmp_path / "example.yaml"
    path.write_bytes(odd.replace("\n", ends).encode())
    lint([path], setup=False, fixing=Fixing(write=True))
    assert path.read_bytes() == ORDERED.replace("\n", ends).encode()


@pytest.mark.parametrize(
    "odd",
    [
        MENDED.replace("players: 2\n", "").replace("actions:\n", "# of whom?\nplayers: 2\nactions:\n"),
        ORDERED.replace("if: points > 3                 # late\n        then:", "then:").replace(
            "        else:", "        # whose?\n        if: points > 3\n        else:"
        ),
    ],
)
def test_keys_with_comments_between_them_stay(tmp_path: Path, odd: str) -> None:
    assert odd not in (MENDED, ORDERED)
    assert fixed(tmp_path, odd) == odd


@pytest.mark.parametrize(
    "step",
    [
        r'''"log(\"{player} has {pionts}\")"''',
        r"""'log(''x {pionts}'')'""",
        r'''"log('\t\u00e4 {pionts}')"''',
        '''"log(\n      'x {pionts}')"''',
        r'''"log('x \"{max(1, pionts)}\"')"''',
    ],
)
def test_holes_behind_escapes_are_mended_where_they_are(tmp_path: Path, step: str) -> None:
    text = MENDED.replace("do: [ points += 1 ]", f"do:\n    - {step}\n    - points += 1")
    right = text.replace("pionts", "points")
    assert right != text
    assert fixed(tmp_path, text) == right


def test_holes_in_cells_with_doubled_quotes_are_mended_where_they_are(tmp_path: Path) -> None:
    table = tmp_path / "cards.csv"
    table.write_text('card,gain\none,"log(""hi {pionts}"")"\n', "utf-8")
    cards = "zones: {deck: {}}\npieces:\n  card: {attributes: {gain: effect}, table: cards.csv, at: deck}\n"
    step = "{for: c in deck, do: [c.gain, points += 1]}"
    text = MENDED.replace("phases:", f"{cards}phases:").replace("[ points += 1 ]", f"[ {step} ]")
    assert fixed(tmp_path, text) == text
    assert table.read_text("utf-8") == 'card,gain\none,"log(""hi {points}"")"\n'


CARDS = """\
gdl: 1
game: example
title: Example
source: made up
players: 2
seats: [north, south]
enums: {suit: [spades, hearts]}
zones:
  deck: {stack: true}
  won: {per: player, visible: owner}
pieces:
  card: {attributes: {suit: suit}, each: {suit: suit}, at: deck}
variables: {points: 0..10 = 0}
phases: {play: {turns: cycle, order: clockwise, actions: walk}}
actions:
  walk:
    do:
      - if: any(deck, it.suit == spades)
        then: points += 1
      - {choose: c in deck where c.suit == spades, count: 2, do: "move(c, player.won)"}
end:
  - {when: points > 9, tie: true}
"""


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("- if: any(", "- repeat\n      - if: any("),
        ("if: any(", "if: contains("),
        ("visible: owner", "visible: own"),
        ("clockwise", "backwards"),
        ("count: 2", "count: two"),
        ("enums: {suit: [spades, hearts]}\n", ""),
        ("c.suit == spades", "c.suit == south1"),
        ("points += 1", "points == 1"),
        ("- if:", "- unless:"),
    ],
)
def test_a_word_that_only_looks_a_little_alike_or_does_not_fit_stays(tmp_path: Path, right: str, wrong: str) -> None:
    assert right in CARDS
    assert fixed(tmp_path, CARDS) == CARDS
    text = CARDS.replace(right, wrong)
    assert fixed(tmp_path, text) == text


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("== spades)", "== Spades)"),
        ("== spades,", "== sapdes,"),
        ("clockwise", "clockwice"),
        ("owner", "owwner"),
        ("any(", "Any("),
        ("visible", "visibel"),
        ("choose", "chose"),
        ("turns: cycle", "turns: cycel"),
        ("when: points", "when: poits"),
        ("actions:\n", "acttions:\n"),
    ],
)
def test_a_slip_of_a_finger_is_mended(tmp_path: Path, right: str, wrong: str) -> None:
    text = CARDS.replace(right, wrong)
    assert text != CARDS
    assert fixed(tmp_path, text) == CARDS


def test_one_run_mends_what_a_cure_brings_to_light(tmp_path: Path) -> None:
    path = tmp_path / "example.yaml"
    path.write_text(CARDS.replace("acti", "acit", 2).replace("points += 1", "poinst += 1"), "utf-8")
    lint([path], setup=False, fixing=Fixing(write=True))
    assert path.read_text("utf-8") == CARDS


def test_a_word_that_is_not_at_its_place_is_not_replaced() -> None:
    source = SourceFile("example.yaml", "do: pionts")
    finding = Diagnostic("unknown-name", Span(source, 4, 10), "nothing", suggestion="points", wrong="pionts")
    assert [change.after for change in changes([finding])] == ["do: points"]
    assert changes([evolve(finding, span=Span(source, 3, 9))]) == []
    assert changes([evolve(finding, certain=False)]) == []


@pytest.mark.parametrize(
    ("odd", "right"),
    [
        (
            "players: 2\n# about game\ngdl: 1\ngame: ko\nsource: own\ntitle: T\n",
            "players: 2\n# about game\ngdl: 1\ngame: ko\ntitle: T\nsource: own\n",
        ),
        (
            "# file\nplayers: 2\nsource: own\n\ntitle: T  # ours\ngdl: 1\ngame: ko\n",
            "# file\ngdl: 1\ngame: ko\ntitle: T  # ours\nsource: own\nplayers: 2\n",
        ),
        (
            "gdl: 1\n# of the source\nsource: own\ntitle: T\ngame: ko\nplayers: 2\n",
            "gdl: 1\n# of the source\nsource: own\ngame: ko\ntitle: T\nplayers: 2\n",
        ),
        (
            "gdl: 1\ngame: ko\n\nplayers: 2\n\nsource: own\ntitle: T\n",
            "gdl: 1\ngame: ko\n\ntitle: T\nsource: own\nplayers: 2\n",
        ),
    ],
)
@pytest.mark.parametrize("ends", ["\n", "\r\n"])
def test_keys_at_the_top_go_past_no_comment_and_all_at_once(tmp_path: Path, odd: str, right: str, ends: str) -> None:
    rest = MENDED[MENDED.index("variables:") :]
    path = tmp_path / "example.yaml"
    path.write_bytes((odd + rest).replace("\n", ends).encode())
    lint([path], setup=False, fixing=Fixing(write=True))
    assert path.read_bytes().decode().replace("\r\n", "\n") == right + rest
    lint([path], setup=False, fixing=Fixing(write=True))
    assert path.read_bytes() == (right + rest).replace("\n", ends).encode()
