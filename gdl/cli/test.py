"""`gdl test`: run scenarios, and compare what they cover with numbered rules."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, Final

import typer

from gdl.cli.failures import FAILED, UNUSABLE
from gdl.cli.files import SCENARIOS, check_writable, write_text
from gdl.cli.junit import junit_xml
from gdl.cli.loading import given_path
from gdl.cli.output import Unusable, count, visible, wants_color, write_json, write_line
from gdl.cli.rules import Coverage, find_coverage, named_rules, read_rules
from gdl.diagnostics import did_you_mean, nearest
from gdl.interpreter.scenario import Failure, FileResult, ScenarioResult
from gdl.render import render_json, render_text
from gdl.testing import run_file

EXAMPLES: Final = """\b
Examples:
  gdl test specs/
  gdl test specs/hugo.test.yaml --rules rules/hugo.md
  gdl test specs/ --junit report.xml
"""


_MOST_NAMES: Final = 3


def command(
    paths: Annotated[
        list[Path],
        typer.Argument(
            metavar="PATH…",
            parser=given_path,
            help=f"Files of scenarios, or folders with `*{SCENARIOS}` files.",
            show_default=False,
        ),
    ],
    rules: Annotated[
        list[Path] | None,
        typer.Option(
            "--rules",
            metavar="FILE…",
            help="Markdown files of numbered rules: say which no scenario covers.",
            show_default=False,
        ),
    ] = None,
    junit: Annotated[
        Path | None,
        typer.Option("--junit", metavar="FILE", help="Also write the results as JUnit XML.", show_default=False),
    ] = None,
    only: Annotated[
        str | None,
        typer.Option("--only", metavar="TEXT", help="Run only scenarios with this text in their names.", show_default=False),
    ] = None,
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help="Name the scenarios and rules that are in order, too.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")] = False,
) -> int:
    """Run the scenarios of files and folders.

    Shows what is not as a scenario says, and closes with the numbers of those that passed and failed. With `--rules`,
    or where the files of scenarios name them under `rules`, every rule has to be covered by a scenario that passes, and
    every number that is covered has to exist. A rule is a list item that begins with its number in bold:
    `- **NAME-12** …`.

    Exit codes: 0 when all passed, 1 when a scenario failed or a rule is not covered, 2 when a file can't be used or
    `--only` leaves nothing to run.
    """
    if junit is not None:
        check_writable(junit)
    files, rule_files = _sort_paths(paths, rules)
    numbered = read_rules(rule_files) if rule_files else None
    names: list[str] = []
    results = [_run(path, only, names, verbose=verbose, silent=as_json) for path in files]
    named = list(dict.fromkeys(path for file in results for path in named_rules(file)))
    if numbered is None and named:
        numbered = read_rules(named)
    coverage = find_coverage(numbered, results) if numbered is not None else None
    if junit is not None:
        write_text(junit, junit_xml(results))
    if as_json:
        write_json(_as_data(results, coverage))
    elif only is None or any(file.results or file.problem for file in results):
        _write_end(results, coverage, verbose=verbose)
    if any(file.problem for file in results):
        return UNUSABLE
    if only is not None and not any(file.results for file in results):
        close = nearest(only, names) or nearest(only, dict.fromkeys(word for name in names for word in name.split()))
        some = ", ".join(f"`{name}`" for name in names[:_MOST_NAMES]) + (", …" if len(names) > _MOST_NAMES else "")
        raise Unusable(f"no scenario has `{only}` in its name", help=did_you_mean(close, f"scenarios are called {some}" if some else ""))
    is_well = all(file.passed for file in results) and (coverage is None or coverage.is_whole)
    return 0 if is_well else FAILED


# --- files ------------------------------------------------------------------------------------------------------------


def _sort_paths(paths: Sequence[Path], rules: Sequence[Path] | None) -> tuple[list[Path], list[Path]]:
    """The files of scenarios and those of rules; a parser takes all but the first behind `--rules` for paths."""
    rule_files = list(rules or ())
    if rules:
        rule_files += [path for path in paths if path.suffix == ".md"]
        paths = [path for path in paths if path.suffix != ".md"]
    files = list(dict.fromkeys(file for path in paths for file in _scenario_files(path)))
    if not files:
        raise Unusable("there is nothing to test", help=f"name files of scenarios, or folders with `*{SCENARIOS}` files")
    return files, list(dict.fromkeys(rule_files))


def _scenario_files(path: Path) -> Iterator[Path]:
    if not path.is_dir():
        if not path.exists():
            raise Unusable(f"there is no file or folder `{path}`", "file-missing")
        yield path
        return
    found = sorted(file for file in path.rglob(f"*{SCENARIOS}") if file.is_file())
    if not found:
        raise Unusable(f"there is no `*{SCENARIOS}` file in `{path}`", "file-missing")
    yield from found


# --- for people -------------------------------------------------------------------------------------------------------


def _run(path: Path, only: str | None, names: list[str], *, verbose: bool, silent: bool) -> FileResult:
    """Run a file and show at once how it went; the names of all its scenarios are added to `names`."""

    def is_wanted(name: str) -> bool:
        names.append(name)
        return only is None or only in name

    result = run_file(path, is_wanted)
    if silent or (only is not None and not result.results and not result.problem):
        return result
    if result.problem:
        write_line(render_text(result.problem, color=wants_color(sys.stdout)))
        write_line()
    for scenario in result.results:
        if not scenario.passed:
            _write_failed(scenario)
        elif verbose:
            write_line(("passed", "green"), f"  {visible(scenario.name)}  ({scenario.seconds:.2f} s)")
    passed = sum(1 for scenario in result.results if scenario.passed)
    write_line(f"{path}: {passed} of {len(result.results)} passed" + (", with errors" if result.problem else ""))
    return result


def _write_failed(result: ScenarioResult) -> None:
    write_line(("FAILED", "bold red"), (f"  {visible(result.name)}", "bold"), f"  ({result.span.line_place})")
    for failure in result.failures:
        _write_failure(failure)
    write_line()


def _write_failure(failure: Failure) -> None:
    write_line(f"  {visible(failure.message)}", (f"  ({failure.span.line_place})", "dim"))
    for line in failure.details:
        write_line(f"    {visible(line)}")


def _write_end(results: Sequence[FileResult], coverage: Coverage | None, *, verbose: bool) -> None:
    if coverage is not None:
        _write_coverage(coverage, verbose=verbose)
    passed, failed = _totals(results)
    broken = sum(1 for file in results if file.problem)
    more = f", {count(broken, 'file')} with errors" if broken else ""
    write_line((f"{passed} passed, {failed} failed{more}", "bold red" if failed or broken else "bold green"))


def _write_coverage(coverage: Coverage, *, verbose: bool) -> None:
    total = len(coverage.covered) + len(coverage.missing)
    for rule in coverage.covered if verbose else ():
        write_line(f"{rule.number}: covered")
    for rule in coverage.missing:
        write_line(f"{rule.number}: no passing scenario covers it  ", (f"({rule.place})", "dim"))
    for citation in coverage.unknown:
        write_line(f"{citation.number}: covered by a scenario, but there is no such rule  ", (f"({citation.place})", "dim"))
    write_line(f"rules: {len(coverage.covered)} of {total} covered")


def _totals(results: Sequence[FileResult]) -> tuple[int, int]:
    passed = sum(1 for file in results for scenario in file.results if scenario.passed)
    return passed, sum(len(file.results) for file in results) - passed


# --- for programs -----------------------------------------------------------------------------------------------------


def _as_data(results: Sequence[FileResult], coverage: Coverage | None) -> dict[str, object]:
    passed, failed = _totals(results)
    data: dict[str, object] = {"passed": passed, "failed": failed, "files": [_file_data(file) for file in results]}
    if coverage is not None:
        data["rules"] = {
            "covered": [rule.number for rule in coverage.covered],
            "missing": [rule.number for rule in coverage.missing],
            "unknown": [{"number": citation.number, "place": citation.place} for citation in coverage.unknown],
        }
    return data


def _file_data(file: FileResult) -> dict[str, object]:
    return {
        "file": str(file.path),
        "problems": render_json(file.problem),
        "scenarios": [_scenario_data(result) for result in file.results],
    }


def _scenario_data(result: ScenarioResult) -> dict[str, object]:
    return {
        "name": result.name,
        "line": result.span.line,
        "passed": result.passed,
        "covers": list(result.covers),
        "seconds": round(result.seconds, 4),
        "failures": [
            {"message": failure.message, "details": list(failure.details), "line": failure.span.line} for failure in result.failures
        ],
    }
