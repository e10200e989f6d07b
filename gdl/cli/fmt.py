"""`gdl fmt`: specs and scenario files in the project's layout; `gdl.formatter` does it."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, Final

import typer
from attrs import evolve, frozen

from gdl.cli.failures import FAILED, UNUSABLE
from gdl.cli.files import SCENARIOS, SUFFIXES
from gdl.cli.fixing import Change, write_back
from gdl.cli.linting import Asked, read_settings, visible_lines, wanted_files
from gdl.cli.loading import given_path
from gdl.cli.output import Unusable, count, visible, wants_color, write_line, write_problem
from gdl.diagnostics import Diagnostic
from gdl.formatter.layout import Formatted, format_source
from gdl.load_files import Unreadable, decode_source, read_source
from gdl.render import render_text
from gdl.source import SourceFile

EXAMPLES: Final = """\b
Examples:
  gdl fmt specs/hugo.yaml
  gdl fmt specs --check
  gdl fmt specs --diff
  gdl fmt - --stdin-filename specs/hugo.test.yaml < changed.yaml
"""


def command(
    files: Annotated[
        list[Path],
        typer.Argument(
            metavar="FILE…",
            parser=given_path,
            help="Specs, scenarios, tables, or folders of them; `-` is standard input.",
            show_default=False,
        ),
    ],
    check: Annotated[bool, typer.Option("--check", help="Change nothing; name what is not formatted, and exit with 1.")] = False,
    diff: Annotated[bool, typer.Option("--diff", help="Change nothing; show what would change.")] = False,
    config: Annotated[Path | None, typer.Option("--config", help="A configuration instead of the nearest one.", show_default=False)] = None,
    stdin_filename: Annotated[
        str | None, typer.Option("--stdin-filename", help="What `-` is called; `*.test.yaml` are scenarios.", show_default=False)
    ] = None,
    only_gdl: Annotated[bool, typer.Option("--only-gdl", help="Pass over named files that are neither specs nor scenarios.")] = False,
) -> int:
    """Set the layout of specs and scenario files: indentation, blanks, blank lines, quotes. Their meaning stays.

    Comments stay where they are, lines are neither joined nor split. Of standard input the formatted text is printed.

    Exit codes: 0 all is well, 1 with `--check` if something is not formatted, 2 if a file can't be formatted.
    """
    wish = Wish(writes=not (check or diff), names=check, shows=diff)
    if Path("-") in files:
        if len(files) > 1:
            raise Unusable("`-` can't be formatted together with files", help="format them one after the other")
        return _format_input(stdin_filename or "<stdin>", wish)
    settings = read_settings(files[0], Asked(config))
    wanted = wanted_files(files, settings, only_gdl=only_gdl)
    follow = only_gdl or any(path.is_dir() for path in files)
    return max((_format_file(file, wish) for file in _with_parts(wanted, follow=follow)), default=0)


@frozen
class Wish:
    """What is done with files that are not formatted: written, named, shown."""

    writes: bool
    names: bool
    shows: bool


@frozen
class _File:
    """A file and what came out."""

    source: SourceFile | Unreadable
    formatted: Formatted


def _with_parts(paths: Sequence[Path], *, follow: bool) -> Iterator[_File]:
    """The files formatted, each once; with `follow` also the included files and tables that they name."""
    waiting = [(path, path.parent) for path in paths]
    done: set[Path] = set()
    while waiting:
        path, root = waiting.pop(0)
        if path.resolve() in done:
            continue
        done.add(path.resolve())
        source = read_source(path, str(path))
        formatted = _formatted(source)
        if follow:
            waiting += [(part, root) for part in _parts(root, formatted.reads)]
        yield _File(source, formatted)


def _parts(root: Path, reads: Sequence[str]) -> list[Path]:
    """The YAML files among those that a spec reads, as far as they are there and below its folder."""
    found = [root / name for name in reads if name.endswith(SUFFIXES) and "\0" not in name]
    return [path for path in found if path.is_file() and path.resolve().is_relative_to(root.resolve())]


def _formatted(source: SourceFile | Unreadable) -> Formatted:
    return Formatted("") if isinstance(source, Unreadable) else format_source(source, scenarios=source.name.endswith(SCENARIOS))


def _format_file(file: _File, wish: Wish) -> int:
    source = file.source
    if isinstance(source, Unreadable):
        write_problem(source.message, source.code, source.help)
        return UNUSABLE
    if wish.writes and not file.formatted.problems and file.formatted.text != source.text:
        write_back(source, file.formatted.text)
        write_line(f"{visible(source.name)}: formatted")
        return 0
    return _tell(source, file.formatted, wish)


def _tell(source: SourceFile, formatted: Formatted, wish: Wish) -> int:
    """Say what is asked of a file that stays as it is, and give the exit code for it."""
    if formatted.problems:
        _write_problems(formatted.problems)
        return UNUSABLE
    if formatted.text == source.text:
        return 0
    if wish.shows:
        diff = Change(source, formatted.text, 1).diff
        write_line(visible_lines(diff) if diff else f"{visible(source.name)}: only ends of lines would change")
    elif wish.names:
        write_line(f"{visible(source.name)}: not formatted")
    return FAILED if wish.names else 0


def _write_problems(problems: Sequence[Diagnostic]) -> None:
    write_line(render_text(problems, color=wants_color(sys.stderr)), to=sys.stderr)
    write_line("", to=sys.stderr)
    write_line((f"the file can't be formatted: {count(len(problems), 'error')}", "bold"), to=sys.stderr)


def _format_input(name: str, wish: Wish) -> int:
    source = decode_source(name, sys.stdin.buffer.read())
    formatted = _formatted(source)
    if isinstance(source, SourceFile) and wish.writes and not formatted.problems:
        _print_text(formatted.text)
        return 0
    return _format_file(_File(source, formatted), evolve(wish, writes=False))


def _print_text(text: str) -> None:
    """Print a text as it would stand in a file: in UTF-8, with its own line ends."""
    stream = getattr(sys.stdout, "buffer", None)
    if stream is None:
        sys.stdout.write(text)
        return
    sys.stdout.flush()
    stream.write(text.encode())
