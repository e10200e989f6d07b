"""Files that can't be read, and files that are no specs."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from gdl.api import examine_source
from gdl.load_files import no_files
from gdl.source import SourceFile
from tests.bad_input.conftest import HEAD, Bench

# --- text that is no YAML, or YAML that specs don't know --------------------------------------------------------------

BROKEN = {
    "an open list": ("unreadable-yaml", "enums: {suit: [clubs, hearts}\n"),
    "an open quote": ("unreadable-yaml", 'title: "Bad\n'),
    "a tab": ("unreadable-yaml", "enums:\n\tsuit: [clubs]\n"),
    "a wrong indent": ("unreadable-yaml", "zones:\n  board: {}\n hand: {}\n"),
    "an expression cut by YAML": ("split-by-yaml", "zones:\n  board: {grid: [3, 3], cells: any(a, b)}\n"),
    "a key twice": ("duplicate-key", "title: one\ntitle: two\n"),
    "a deep key twice": ("duplicate-key", "zones:\n  board: {grid: [3, 3], grid: [4, 4]}\n"),
    "an unknown key": ("unknown-key", "zone: {board: {}}\n"),
    "an unknown deep key": ("unknown-key", "zones: {board: {gird: [3, 3]}}\n"),
    "a tag": ("yaml-tag", "title: !!python/object/apply:os.system ['touch harmed']\n"),
    "a local tag": ("yaml-tag", "title: !harm x\n"),
    "a merge key": ("merge-key", "zones:\n  a: &a {track: 3}\n  b:\n    <<: *a\n"),
    "an unknown alias": ("undefined-alias", "title: *nothing\n"),
    "an alias in itself": ("recursive-alias", "zones: &z {a: *z}\n"),
    "two documents": ("many-documents", "title: one\n---\ntitle: two\n"),
    "a key without a value": ("no-value", "setup:\n"),
    "a list for a map": ("wrong-form", "zones: [board]\n"),
    "a map for a text": ("wrong-form", "title: {a: b}\n"),
    "a bad step": ("not-a-step", "setup:\n  - whenever: true\n    do: []\n"),
    "a control character": ("bad-character", 'title: "a\x07b"\n'),
}


@pytest.mark.parametrize(("code", "text"), BROKEN.values(), ids=BROKEN)
def test_broken_yaml(bench: Bench, code: str, text: str) -> None:
    bench.refused_by_all(code, bench.spec(text))
    assert not (bench.folder / "harmed").exists()
    assert not Path("harmed").exists()


WHOLE = {
    "nothing": ("empty-file", ""),
    "only comments": ("empty-file", "# gdl: 1\n"),
    "a scalar": ("wrong-form", "just a text\n"),
    "a list": ("wrong-form", "- gdl: 1\n"),
    "no version": ("missing-key", "game: bad\nplayers: 2\n"),
    "a later version": ("wrong-version", "gdl: 2\ngame: bad\nplayers: 2\n"),
    "no players": ("wrong-players", "gdl: 1\ngame: bad\nplayers: 0\n"),
    "a thousand players": ("wrong-players", "gdl: 1\ngame: bad\nplayers: 2..1000\n"),
    "a negative player": ("wrong-players", "gdl: 1\ngame: bad\nplayers: -1\n"),
}


@pytest.mark.parametrize(("code", "text"), WHOLE.values(), ids=WHOLE)
def test_files_that_are_no_specs(bench: Bench, code: str, text: str) -> None:
    bench.refused_by_all(code, bench.write("bad.yaml", text))


def test_aliases_that_multiply(bench: Bench) -> None:
    levels = [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 12)]
    bomb = HEAD + "enums:\n  a0: &a0 [x, y]\n" + "".join(f"  {line}\n" for line in levels)
    bench.refused_by_all("too-many-aliases", bench.write("bad.yaml", bomb))


DEEP = {
    "lists": "[" * 10_000 + "]" * 10_000,
    "open lists": "[" * 10_000,
    "maps": "{a: " * 10_000 + "}" * 10_000,
    "a list of lists by signs": "- " * 10_000 + "x",
}


@pytest.mark.parametrize("text", DEEP.values(), ids=DEEP)
def test_ten_thousand_levels(bench: Bench, text: str) -> None:
    bench.refused_by_all("too-deep", bench.write("bad.yaml", f"{HEAD}enums:\n  a:\n    {text}\n"))


def test_ten_thousand_levels_by_indent(bench: Bench) -> None:
    text = "".join(f"{' ' * n}a:\n" for n in range(1, 1500))
    bench.refused_by_all("too-deep", bench.write("bad.yaml", f"{HEAD}enums:\n{text}"))


DEEP_EXPRESSIONS = {
    "brackets": "(" * 10_000 + "1" + ")" * 10_000,
    "signs": "-" * 10_000 + "1",
    "not": "not " * 5_000 + "true",
    "a long sum": "1" + " + 1" * 5_000,
    "a chain of ifs": "if true then 1 else " * 2_000 + "1",
    "calls": "abs(" * 3_000 + "1" + ")" * 3_000,
    "fields": "players[0]" + ".x" * 9_000,
}


@pytest.mark.parametrize("text", DEEP_EXPRESSIONS.values(), ids=DEEP_EXPRESSIONS)
def test_expressions_without_end(bench: Bench, text: str) -> None:
    spec = bench.spec(f'constants:\n  a: "{text}"\n')
    bench.refused("", 1, "lint", spec)
    bench.refused("", 2, "run", spec)


CALLS_IN_CALLS = {
    "of numbers": "min(" * 40 + "1" + ", 1)" * 40 + " == 1",
    "of spaces": "count(" + "neighbours(" * 40 + "board[0, 0]" + ")" * 40 + ") > 0",
    "of elements": "max(board, " * 12 + "it.row" + ")" * 12 + " > 0",
}
"""Calls of builtins with several signatures: trying them all at every level would double the time with each."""


@pytest.mark.parametrize("text", CALLS_IN_CALLS.values(), ids=CALLS_IN_CALLS)
def test_calls_in_calls_in_calls(text: str) -> None:
    spec = f"{HEAD}zones: {{board: {{grid: [3, 3]}}}}\nphases: {{play: {{turns: each, do: tie}}}}\ninvariants: ['{text}']\n"
    _, report = examine_source(SourceFile("bad.yaml", spec), no_files)
    assert not report.has_errors


def test_a_union_of_kinds_that_there_are_not(bench: Bench) -> None:
    pieces = "pieces: {man: {at: board}, pair: {any_of: [mna], per: player}}\n"
    invariants = "invariants: [pair.at == board, 'pair[0].at == board']\n"
    bench.refused("unknown-name", 1, "lint", bench.spec(f"zones: {{board: {{}}}}\n{pieces}{invariants}"))


# --- files ------------------------------------------------------------------------------------------------------------


CHAINS = {
    "enums": "enums:\n" + "".join(f"  e{n}: [e{n + 1}, w{n}]\n" for n in range(1500)) + "  e1500: [x]\n",
    "constants": "constants:\n" + "".join(f"  c{n}: c{n + 1}\n" for n in range(1500)) + "  c1500: 1\n",
    "functions": "functions:\n" + "".join(f"  f{n}(): f{n + 1}()\n" for n in range(1500)) + "  f1500(): 1\n",
}


@pytest.mark.parametrize("text", CHAINS.values(), ids=CHAINS)
def test_names_that_need_names_that_need_names(bench: Bench, text: str) -> None:
    bench.refused("too-deep", 1, "lint", bench.spec(text))


def test_very_many_words(bench: Bench) -> None:
    """What is looked up for each word of an enum may not depend on how many there are."""
    words = ", ".join(f"w{n}" for n in range(8000))
    bench.refused("duplicate-name", 1, "lint", "--no-setup", bench.spec(f"enums: {{e: [{words}, w7]}}\n"))


def test_fifty_megabytes(bench: Bench) -> None:
    spec = bench.write("bad.yaml", HEAD + "# padding\n" * 5_000_000)
    bench.refused_by_all("file-too-large", spec, lint=2)


def test_text_that_is_not_utf8(bench: Bench) -> None:
    bench.refused_by_all("not-utf8", bench.write("bad.yaml", HEAD.encode() + b"title: caf\xe9\n"), lint=2)


def test_text_in_utf16(bench: Bench) -> None:
    bench.refused_by_all("not-utf8", bench.write("bad.yaml", HEAD.encode("utf-16")), lint=2)


@pytest.mark.parametrize("command", ["lint", "run", "perft", "test"])
def test_no_file(bench: Bench, command: str) -> None:
    more = ["--depth", "1"] if command == "perft" else []
    bench.refused("file-missing", 2, command, bench.folder / "nothing.yaml", *more)


@pytest.mark.parametrize("command", ["lint", "run", "perft"])
def test_a_folder(bench: Bench, command: str) -> None:
    more = ["--depth", "1"] if command == "perft" else []
    bench.refused("file-missing", 2, command, bench.folder, *more)


def test_a_device(bench: Bench) -> None:
    bench.refused("file-missing", 2, "lint", "/dev/zero")


def test_a_pipe(bench: Bench) -> None:
    os.mkfifo(bench.folder / "pipe.yaml")
    bench.refused("file-missing", 2, "lint", bench.folder / "pipe.yaml")


# --- files that a spec names ------------------------------------------------------------------------------------------

OUTSIDE = ["../other.yaml", "/etc/passwd", "sub/../../other.yaml", "..\\other.yaml", "C:\\other.yaml", "link.yaml", "links/other.yaml"]


def outside(bench: Bench) -> Path:
    """A folder for a spec, with something outside that it must not read, and links to it."""
    bench.write("other.yaml", "enums: {stolen: [a, b]}\n")
    bench.write("other.csv", "rank\n1\n")
    folder = bench.folder / "specs"
    (folder / "sub").mkdir(parents=True)
    (folder / "link.yaml").symlink_to(bench.folder / "other.yaml")
    (folder / "links").symlink_to(bench.folder)
    return folder


@pytest.mark.parametrize("path", OUTSIDE)
def test_includes_outside_the_folder(bench: Bench, path: str) -> None:
    outside(bench)
    words = bench.refused("file-outside", 1, "lint", bench.spec(f"include: ['{path}']\n", "specs/bad.yaml"))
    assert "stolen" not in words


@pytest.mark.parametrize("path", [name.replace(".yaml", ".csv") for name in OUTSIDE if name != "link.yaml"])
def test_tables_outside_the_folder(bench: Bench, path: str) -> None:
    outside(bench)
    text = f"zones: {{deck: {{}}}}\npieces: {{card: {{attributes: {{rank: int}}, at: deck, table: '{path}'}}}}\n"
    bench.refused("file-outside", 1, "lint", bench.spec(text, "specs/bad.yaml"))


def test_an_include_that_is_missing(bench: Bench) -> None:
    bench.refused_by_all("file-missing", bench.spec("include: [nothing.yaml]\n"))


def test_an_include_that_is_a_folder(bench: Bench) -> None:
    (bench.folder / "sub").mkdir()
    bench.refused_by_all("file-missing", bench.spec("include: [sub]\n"))


def test_includes_in_a_circle(bench: Bench) -> None:
    bench.write("a.yaml", "include: [b.yaml]\n")
    bench.write("b.yaml", "include: [a.yaml]\n")
    bench.refused_by_all("include-cycle", bench.spec("include: [a.yaml]\n"))


def test_a_spec_that_includes_itself(bench: Bench) -> None:
    bench.refused_by_all("include-cycle", bench.spec("include: [bad.yaml]\n"))


def test_an_include_that_is_too_large(bench: Bench) -> None:
    bench.write("large.yaml", "# padding\n" * 500_000)
    bench.refused_by_all("file-too-large", bench.spec("include: [large.yaml]\n"))


TABLES = {
    "no header": ("empty-file", ""),
    "too many cells": ("bad-table", "rank\n1,2\n"),
    "too few cells": ("bad-table", "rank,name\n1\n"),
    "an open quote": ("bad-table", 'rank\n"1\n'),
    "a column twice": ("bad-table", "rank,rank\n1,2\n"),
    "an unknown column": ("unknown-field", "rank,clolor\n1,2\n"),
    "a wrong type": ("wrong-type", "rank\ntrue\n"),
    "an unknown name": ("unknown-name", "rank\nhigh\n"),
    "no expression": ("syntax", "rank\n1 +\n"),
    "an empty cell": ("missing-key", 'rank,name\n,"a"\n'),
}


@pytest.mark.parametrize(("code", "table"), TABLES.values(), ids=TABLES)
def test_tables(bench: Bench, code: str, table: str) -> None:
    bench.write("cards.csv", table)
    bench.refused_by_all(code, bench.spec("zones: {deck: {}}\npieces: {card: {attributes: {rank: int}, at: deck, table: cards.csv}}\n"))
