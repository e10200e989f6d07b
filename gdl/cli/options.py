"""The command line with options → a call of its command, by Typer.

Only the module of the command that was asked for is imported.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from typing import Annotated, Final

import typer

from gdl.cli.failures import INTERRUPTED, UNUSABLE, report
from gdl.cli.output import write_line, write_problem

COMMANDS: Final = ("new", "lint", "fmt", "run", "play", "test", "perft", "explain", "schema")
"""The commands, each in a module of its name."""

_USAGE: Final = typer.BadParameter.__mro__[1]
"""Click's `UsageError`: newer versions of typer have a copy of their own of it, older ones use that of click."""

EPILOG: Final = """\b
Examples:
  gdl lint specs/hugo.yaml                 is the spec in order?
  gdl fmt specs/hugo.yaml                  set its layout
  gdl run specs/hugo.yaml --players 4      let bots play it
  gdl play specs/hugo.yaml                 play it at the keyboard
  gdl test specs/                          run all scenarios
  gdl perft specs/classics/othello.yaml --depth 4
  gdl explain GDL203                       what a code means
"""


def run(given: Sequence[str]) -> int:
    """Run a command line and give the exit code. What must not happen is reported too: no user should see a traceback."""
    try:
        result = build_app(given)(args=list(given), prog_name="gdl", standalone_mode=False)
    except SystemExit:  # typer ends the program where nobody reads its output any more
        raise BrokenPipeError from None
    except OSError:
        raise
    except typer.Abort:
        return INTERRUPTED
    except Exception as error:  # noqa: BLE001 - the safety net
        if isinstance(error, _USAGE):
            return _report_usage(error)
        return report(error)
    return result if isinstance(result, int) else 0


def build_app(given: Iterable[str] = ()) -> typer.Typer:
    """The command that a command line names, or all of them, ready to be run."""
    app = typer.Typer(
        add_completion=False,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["--help", "-h"], "max_content_width": 100},
        epilog=EPILOG,
    )
    app.callback()(_options)
    for name in _named_commands(list(given)):
        module = import_module(f"gdl.cli.{name}")
        app.command(name, epilog=module.EXAMPLES)(module.command)
    return app


def _named_commands(given: Sequence[str]) -> Sequence[str]:
    """The commands that have to be known for a command line: the one it names, any one for the version, else all."""
    named = next((word for word in given if not word.startswith("-")), "")
    if named in COMMANDS:
        return (named,)
    return COMMANDS[-1:] if "--version" in given else COMMANDS


def _show_version(wanted: bool) -> None:
    if wanted:
        try:
            write_line(f"gdl {version('tabletop-gdl')}")
        except PackageNotFoundError:
            write_line("gdl (not installed)")
        raise typer.Exit


def _options(
    *,
    version: Annotated[bool, typer.Option("--version", help="Show the version.", callback=_show_version, is_eager=True)] = False,
) -> None:
    """GDL, the rules of a tabletop game in one file: check them, play them, test them.

    Exit codes of all commands: 0 all is well, 1 something failed that was tried, 2 something given can't be used, 3 gdl
    itself has failed. Output has no colour in pipes and files, and none where NO_COLOR is set.
    """
    del version


def _report_usage(error: Exception) -> int:
    """Say what is wrong with the command line itself."""
    text = str(getattr(error, "message", error))
    if hasattr(error, "format_message"):
        text = str(error.format_message())
    context = getattr(error, "ctx", None)
    command = "gdl" if context is None else str(context.command_path)
    code = "bad-option" if type(error) is typer.BadParameter else ""
    text = text.replace("Value error, ", "")  # typer's words for what a reader of values has said
    write_problem(text[:1].lower() + text[1:].rstrip("."), code, f"`{command} --help` says what there is")
    return UNUSABLE
