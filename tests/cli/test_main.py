"""The command line as a whole: help, version, mistakes on it, pipes, interrupts, and faults of our own."""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import gdl.cli.run
from gdl.cli.options import COMMANDS
from gdl.cli.output import visible
from gdl.validators.catalogue import ALL_CODES
from tests.cli.conftest import Command, start_process

HUGO = "specs/hugo.yaml"
FULL = Path("/dev/full")


# --- help and explanations --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("arguments", [(), ("--help",), ("-h",)])
def test_help_names_every_command(command: Command, arguments: tuple[str, ...]) -> None:
    shown = command(*arguments)
    assert shown.code == 0
    assert all(f"  {name} " in shown.out for name in COMMANDS)
    assert "gdl run specs/hugo.yaml --players 4" in shown.out


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help_with_examples(command: Command, name: str) -> None:
    shown = command(name, "--help")
    assert shown.code == 0
    assert "Examples:" in shown.out
    assert f"gdl {name} " in shown.out
    assert max(len(line) for line in shown.out.splitlines()) <= 100


def test_version(process: Command) -> None:
    shown = process("--version")
    assert (shown.code, shown.err) == (0, "")
    assert shown.out.startswith("gdl 0")


@pytest.mark.parametrize("word", ["GDL203", "gdl203", "203", "unknown-name", "unknown_name"])
def test_explain_takes_numbers_and_names(command: Command, word: str) -> None:
    shown = command("explain", word)
    assert shown.code == 0
    assert shown.out.startswith("GDL203 unknown-name\n")


def test_explain_knows_every_code(command: Command) -> None:
    for code in ALL_CODES:
        assert command("explain", code.label).out.startswith(f"{code.label} {code.name}\n")
    assert len(command("explain").out.splitlines()) == len(ALL_CODES)


def test_explain_offers_what_is_near(command: Command) -> None:
    shown = command("explain", "unknown-nam")
    assert shown.code == 2
    assert "`unknown-name`" in shown.err


# --- mistakes on the command line -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (("run", HUGO, "--players", "x"), ("GDL214", "`x` is no whole number from 1 on")),
        (("run", HUGO, "--players", "9"), ("GDL214", "2 to 8 players, not for 9")),
        (("run", HUGO, "--seed", "-1"), ("GDL214", "`-1` is no whole number")),
        (("run", HUGO, "--option", "varient=classic"), ("GDL214", "no option `varient`", "did you mean `variant`?")),
        (("run", HUGO, "--option", "xyz=1"), ("GDL214", "no option `xyz`", "its options are `variant`")),
        (("run", HUGO, "--option", "variant=clasic"), ("GDL214", "no value `clasic`", "did you mean `classic`?")),
        (("run", HUGO, "--option", "variant"), ("GDL214", "`--option variant` sets nothing")),
        (
            ("run", HUGO, "-o", "variant=classic", "-o", "variant=midnight_party"),
            ("GDL214", "two values, `classic` and `midnight_party`"),
        ),
        (("run", HUGO, "--bots", "randm"), ("GDL214", "no bot `randm`", "did you mean `random`?")),
        (("run", HUGO, "--bots", "random,random,random"), ("GDL214", "3 bots for 2 players")),
        (("run", HUGO, "--playrs", "3"), ("no such option: --playrs", "--players")),
        (("run",), ("missing argument 'SPEC'", "`gdl run --help`")),
        (("run", HUGO, "more"), ("unexpected extra argument", "more")),
        (("rnu", HUGO), ("no such command 'rnu'", "run")),
        (("run", "specs/nowhere.yaml"), ("GDL001", "there is no file `specs/nowhere.yaml`")),
        (("run", "specs"), ("GDL001", "`specs` is a folder")),
        (("run", sys.executable), ("GDL00",)),
        (("run", "README.md"), ("GDL010", "README.md:", "the spec can't be used")),
        (("perft", HUGO), ("missing option '--depth'",)),
        (("perft", HUGO, "--depth", "0"), ("GDL214", "`0` is no whole number from 1 to 200")),
        (("test", "specs/nowhere"), ("GDL001", "there is no file or folder `specs/nowhere`")),
        (("test", "docs/decisions"), ("GDL001", "there is no `*.test.yaml` file in `docs/decisions`")),
    ],
)
def test_what_cannot_be_used_is_said_and_gives_two(command: Command, line: tuple[str, ...], said: tuple[str, ...]) -> None:
    shown = command(*line)
    assert shown.code == 2
    assert shown.err.startswith("error")
    assert "Traceback" not in shown.err
    for part in said:
        assert part in shown.err


# --- faults of our own ------------------------------------------------------------------------------------------------


def break_loading(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make `gdl run` fail as it must not."""

    def fail(path: Path) -> None:
        raise LookupError(f"lost {path}")

    monkeypatch.setattr(gdl.cli.run, "load_spec", fail)


def test_a_fault_of_ours_is_admitted_in_short(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    break_loading(monkeypatch)
    shown = command("run", HUGO)
    assert shown.code == 3
    assert "gdl itself has failed (LookupError: lost specs/hugo.yaml)" in shown.err
    assert "GDL_DEBUG=1" in shown.err
    assert "Traceback" not in shown.err


def test_a_fault_of_ours_is_traced_on_request(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    break_loading(monkeypatch)
    monkeypatch.setenv("GDL_DEBUG", "1")
    shown = command("run", HUGO)
    assert shown.code == 3
    assert "Traceback" in shown.err


# --- pipes and terminals ----------------------------------------------------------------------------------------------


def test_pipes_get_plain_text(process: Command) -> None:
    for shown in (process("run", HUGO, "--seed", "1"), process("run", "README.md"), process("--help")):
        assert "\x1b" not in shown.out + shown.err


def test_colour_can_be_forced_and_refused(process: Command) -> None:
    assert "\x1b[" in process("run", HUGO, "--seed", "1", env={"FORCE_COLOR": "1"}).out
    assert "\x1b[" in process("run", "README.md", env={"FORCE_COLOR": "1"}).err
    refused = process("run", HUGO, "--seed", "1", env={"FORCE_COLOR": "1", "NO_COLOR": "1"})
    assert "\x1b" not in refused.out


def test_colour_changes_no_text(process: Command) -> None:
    plain = process("run", HUGO, "--seed", "1").out
    bright = process("run", HUGO, "--seed", "1", env={"FORCE_COLOR": "1", "COLUMNS": "20"}).out
    for code in ("\x1b[0m", "\x1b[1m", "\x1b[1;32m", "\x1b[36m", "\x1b[3m", "\x1b[2m"):
        bright = bright.replace(code, "")
    assert bright == plain


def test_a_closed_pipe_ends_quietly(spec: Callable[[str], Path]) -> None:
    with start_process("run", spec("endless"), "--limit", "50000") as started:
        assert started.stdout is not None
        assert started.stderr is not None
        started.stdout.readline()
        started.stdout.close()
        assert started.wait(timeout=60) == 141
        assert started.stderr.read() == ""


@pytest.mark.skipif(not FULL.exists(), reason="needs a device that is always full")
def test_a_full_disk_is_said(spec: Callable[[str], Path]) -> None:
    for limit in ("3", "20000"):
        with FULL.open("w") as full, start_process("run", spec("endless"), "--limit", limit, out=full) as started:
            assert started.stderr is not None
            assert "the output can't be written: no space left on device" in started.stderr.read()
            assert started.wait(timeout=60) == 1


def test_an_interrupt_ends_quietly(spec: Callable[[str], Path]) -> None:
    with start_process("run", spec("endless"), "--quiet", "--limit", "1000000000") as started:
        assert started.stdout is not None
        assert started.stderr is not None
        started.stdout.readline()
        started.send_signal(signal.SIGINT)
        assert started.wait(timeout=60) == 130
        assert started.stderr.read() == ""


def test_a_narrow_encoding_does_not_stop_the_output(process: Command) -> None:
    shown = process("lint", "README.md", env={"PYTHONIOENCODING": "ascii"})
    assert shown.code == 1
    assert "Traceback" not in shown.err


def test_texts_of_a_spec_cannot_steer_the_terminal() -> None:
    assert visible("a\x1b[31mb\nc\td – é") == "a\ufffd[31mb c d – é"
