"""Spec and scenario files → what is found in them, printed. Stands apart from its options, which are dear to import."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from attrs import evolve, frozen

from gdl.api import examine_source
from gdl.cli.failures import FAILED, UNUSABLE, report
from gdl.cli.files import SCENARIOS, is_folder
from gdl.cli.output import Unusable, count, visible, wants_color, write_line, write_problem
from gdl.cli.sharing import each_file
from gdl.diagnostics import Diagnostic, Report, SpecError, did_you_mean, nearest
from gdl.load_files import Reader, Unreadable, decode_source, folder_reader, read_source, unreadable_file
from gdl.source import SourceFile, Span
from gdl.validators.config import (
    LEVELS,
    SILENCEABLE,
    Config,
    canonical,
    find_config,
    is_selector,
    is_unsilenceable,
    load_config,
    near_rules,
    selectors,
)
from gdl.validators.formats import FORMATS, render
from gdl.validators.linter import left_out, lint_setups
from gdl.validators.results import FileResults, Results
from gdl.validators.rules import RULES
from gdl.validators.subject import Subject
from gdl.validators.suppressions import silence
from gdl.yaml_nodes import Scalar

if TYPE_CHECKING:
    from gdl.cli.fixing import Change


@frozen
class Asked:
    """What a command line asks for, as it was written: a configuration file, rules, severities."""

    config: Path | None = None
    select: Sequence[str] = ()
    ignore: Sequence[str] = ()
    severity: str | None = None
    fail_level: str | None = None


@frozen
class Fixing:
    """What is done about findings with a certain cure: `write` mends the files, `show` shows how instead."""

    write: bool = False
    show: bool = False


def lint(
    specs: Sequence[Path],
    asked: Asked = Asked(),
    form: str = "text",
    *,
    setup: bool = True,
    stdin_filename: str | None = None,
    fixing: Fixing = Fixing(),
    only_gdl: bool = False,
) -> int:
    """Print what is found in files and folders and give the exit code. Raises `Unusable` and `SpecError` for what can't be used."""
    known_word("format", form, FORMATS)
    try:
        settings = read_settings(specs[0], asked)
        files = wanted_files(specs, settings, only_gdl=only_gdl)
    except (Unusable, SpecError) as error:
        if form != "text":
            write_line(render(form, _in_the_way(error, specs[0])))
        raise
    linter = Linter(settings, setup, stdin_filename)
    if fixing.write or fixing.show:
        if Path("-") in files:
            raise Unusable("`-` can't be mended", help="`--fix` and `--diff` take files")
        _fix(linter, files, fixing)
        if fixing.show:
            return 0
    checked = _once(each_file(linter.check, linter.hand_over, files))
    results = Results(tuple(_shown(file, form) for file in checked), color=form == "text" and wants_color(sys.stdout))
    text = render(form, results)
    if text:
        write_line(text)
    if form == "text":
        for file in checked:
            if file.unreadable is not None:
                write_problem(file.unreadable.message, file.unreadable.code, file.unreadable.help)
            if file.untried:
                write_line(f"{visible(str(file.path))}: {file.untried}", to=sys.stderr)
    crashes = [report(file.crash) for file in checked if file.crash is not None]
    if crashes:
        return max(crashes)
    if any(file.unreadable is not None for file in checked):
        return UNUSABLE
    return FAILED if settings.fails(results.findings) else 0


def _in_the_way(error: Unusable | SpecError, first: Path) -> Results:
    """For programs: what keeps us from looking at files at all. What has no code is no finding, but there is a document all the same."""
    if isinstance(error, SpecError):
        return Results(tuple(FileResults(found.span.source.name, (found,)) for found in error.diagnostics))
    if not error.code:
        return Results(())
    return Results((FileResults(str(first), (unreadable_file(str(first), Unreadable(error.code, error.message, error.help)),)),))


def _once(checked: Iterable[Checked]) -> list[Checked]:
    """The files, each finding with the first in which it was found: a spec's scenarios and its includes lead to the same places."""
    seen: set[tuple[object, ...]] = set()
    result: list[Checked] = []
    for file in checked:
        result.append(evolve(file, findings=tuple(finding for finding in file.findings if finding.identity not in seen)))
        seen.update(finding.identity for finding in file.findings)
    return result


MOST_ROUNDS: Final = 20
"""How often a file is mended and looked at again at most: a cure may bring to light what else is to be mended."""


def _fix(linter: Linter, files: Sequence[Path], fixing: Fixing) -> None:
    """Mend files one after the other, or show what would change."""
    from gdl.cli.fixing import try_changes, write_changes  # noqa: PLC0415 - few command lines ask for it

    mended = 0
    shown: set[str] = set()
    for path in files:
        found = linter.check(path).findings
        made = _cures(linter, path, found)
        if fixing.show:
            shown |= {change.diff for change in made}
            continue
        if path.name.endswith(SCENARIOS):
            made = try_changes(made, found, lambda path=path: linter.check(path).findings)  # type: ignore[misc]
        else:
            write_changes(made)
        mended += sum(change.count for change in made)
    for diff in sorted(shown):
        write_line(visible_lines(diff))
    if mended:
        write_line(f"{count(mended, 'finding')} mended", to=sys.stderr)


def _cures(linter: Linter, path: Path, found: Sequence[Diagnostic]) -> list[Change]:
    """What mends a file and those that it reads, until nothing more is to be mended. Scenarios are mended once: they are read from disk."""
    from gdl.cli.fixing import changes, settled  # noqa: PLC0415 - as above

    if path.name.endswith(SCENARIOS):
        return changes(found)
    whole: dict[str, Change] = {}
    for _ in range(MOST_ROUNDS):
        before = {name: change.after for name, change in whole.items()}

        def check(texts: Mapping[str, str], before: Mapping[str, str] = before) -> Sequence[Diagnostic]:
            return linter.check(path, {**before, **texts}).findings

        made, found = settled(changes(found), found, check)
        if not made:
            break
        for change in made:
            name = change.source.name
            whole[name] = whole[name].then(change) if name in whole else change
    return list(whole.values())


def visible_lines(text: str) -> str:
    """A text of several lines as a terminal may show it."""
    return "\n".join(visible(line) for line in text.split("\n"))


def wanted_files(paths: Sequence[Path], settings: Config, *, only_gdl: bool = False) -> list[Path]:
    """The files of a command line to look at: those that it names, and in its folders specs and scenarios. Raises `Unusable`.

    With `only_gdl`, those that it names are passed over if they are neither.
    """
    if only_gdl:
        from gdl.cli.finding_specs import only_specs  # noqa: PLC0415 - as below

        paths = only_specs(paths, settings.exclude)
    if any(is_folder(path) for path in paths):
        from gdl.cli.finding_specs import find_specs  # noqa: PLC0415 - patterns are dear to import and seldom needed

        found = find_specs(paths, settings.exclude)
        if not found:
            raise Unusable(f"there is no spec in `{paths[0]}`", "file-missing", "specs are files `*.yaml` with a key `gdl`")
        return found
    return list(dict.fromkeys(paths))


# --- what is asked for ------------------------------------------------------------------------------------------------


def read_settings(first: Path, asked: Asked) -> Config:
    """The configuration of the first file, with what the command line says instead."""
    found = asked.config or _as_seen_from_here(find_config(_folder(first)))
    settings = Config()
    if found is not None:
        problems = Report()
        settings = load_config(found, problems)
        for problem in problems.errors():
            if problem.code != "bad-config":
                raise Unusable(problem.message, problem.code, problem.help)
        if problems.has_errors:
            raise SpecError(problems.errors())
    if asked.select:
        settings = evolve(settings, select=_selectors("select", asked.select))
    if asked.ignore:
        settings = evolve(settings, ignore=(*settings.ignore, *_selectors("ignore", asked.ignore)))
    if asked.severity is not None:
        settings = evolve(settings, show=LEVELS[known_word("severity", asked.severity, LEVELS)])
    if asked.fail_level is not None:
        settings = evolve(settings, fail_level=LEVELS[known_word("fail-level", asked.fail_level, LEVELS)])
    return settings


def _as_seen_from_here(path: Path | None) -> Path | None:
    """A path as messages name it: relative to the working directory where it lies below that."""
    here = Path.cwd()
    return path.relative_to(here) if path is not None and path.is_relative_to(here) else path


def _folder(path: Path) -> Path:
    place = path.absolute()
    return place if is_folder(place) else place.parent


def _selectors(option: str, texts: Iterable[str]) -> tuple[str, ...]:
    found = tuple(part.strip() for text in texts for part in text.split(",") if part.strip())
    for text in found:
        if not is_selector(text):
            if is_unsilenceable(text):
                raise Unusable(f"`--{option} {text}`: this can't be chosen or silenced, the spec would not play")
            raise Unusable(f"`--{option} {text}`: no rule is called so", help=did_you_mean(near_rules(text, selectors())[:1]))
    return found


def known_word(option: str, value: str, words: Iterable[str]) -> str:
    """The word that an option was given, if it is one of those known; else raises `Unusable`."""
    known = list(words)
    if value in known:
        return value
    cure = did_you_mean(nearest(value, known)[:1], f"one of {', '.join(known)}")
    raise Unusable(f"`--{option} {value}`: there is no such {option.replace('-', ' ')}", help=cure)


# --- looking at files -------------------------------------------------------------------------------------------------


@frozen
class Checked:
    """A file, and what was found in it, or why it can't be read.

    `crash` is a fault of ours that checking it met; `untried` says which games were not set up, if any.
    """

    path: Path
    findings: tuple[Diagnostic, ...] = ()
    unreadable: Unreadable | None = None
    crash: Exception | None = None
    untried: str = ""


def _shown(file: Checked, form: str) -> FileResults:
    """What a format is given: for programs, why a file can't be read is a finding as well."""
    findings = file.findings
    if file.unreadable is not None and form != "text":
        findings = (unreadable_file(str(file.path), file.unreadable),)
    return FileResults(str(file.path), findings)


@frozen
class Linter:
    """Looks at files, as the settings ask; games are set up only if there are no errors."""

    settings: Config
    setup: bool = True
    stdin_filename: str | None = None

    def check(self, path: Path, texts: Mapping[str, str] | None = None) -> Checked:
        """All findings of a file that are wanted, by file and place; `texts` stand for what files hold, by their names."""
        read = _instead(texts or {})
        source = read(self._read(path))
        if isinstance(source, Unreadable):
            return Checked(path, (), source)
        sources = [source]
        found = Report()
        untried = ""
        try:
            if source.name.endswith(SCENARIOS):
                from gdl.cli.rules import check_citations  # noqa: PLC0415 - about scenarios, which not every linted file has
                from gdl.testing import check_file, run_file  # noqa: PLC0415 - as above

                ran = check_file(path) if self.setup else run_file(path, only=lambda _: False)
                found = Report([*ran.problem, *check_citations(ran)])
            else:
                untried = self._examine(source, sources, found, read)
        except Exception as error:  # noqa: BLE001 - a fault of ours must not hide what was found in this file and others
            return Checked(path, tuple(found.sorted()), crash=error)
        is_whole = not found.has_errors  # else rules have not run, and comments may have something to silence after all
        silenced = silence(
            found.sorted(), sources, canonical, SILENCEABLE, lambda name: is_whole and self.settings.wants(name), _expressions
        )
        return Checked(path, tuple(Report(self.settings.apply(silenced.shown)).sorted()), untried=untried)

    def hand_over(self, path: Path) -> Checked | None:
        """The same for another process; none where our fault should be met there, with all that can be said about it."""
        checked = self.check(path) if str(path) != "-" else None
        return checked if checked is not None and checked.crash is None else None

    def _read(self, path: Path) -> SourceFile | Unreadable:
        if str(path) != "-":
            return read_source(path, str(path))
        return decode_source(self.stdin_filename or "<stdin>", sys.stdin.buffer.read())

    def _examine(self, source: SourceFile, sources: list[SourceFile], found: Report, instead: Instead) -> str:
        """Check a spec; the files that it reads are added to the sources. Gives which games were not set up."""
        read = _collecting(folder_reader(Path(source.name).parent), sources, instead)
        spec, report = examine_source(source, read)
        found.items += report.items
        if spec is None or found.has_errors:
            return ""
        met = lint_setups(spec) if self.setup else []
        subject = Subject(spec.context)
        for rule in RULES:
            if self.settings.wants(rule.name):
                faults = [fault.span for fault in met if fault.code in rule.foretells]
                found.items += [finding for finding in rule.run(subject) if not _is_told(finding, faults)]
        found.items += met
        return left_out(spec) if self.setup else ""


def _is_told(finding: Diagnostic, faults: Sequence[Span]) -> bool:
    """Whether a fault was met at the place of a finding, or at one that it names."""
    places = [finding.span, *(related.span for related in finding.related)]
    return any(place.is_within(fault) for place in places for fault in faults)


Instead = Callable[[SourceFile | Unreadable], SourceFile | Unreadable]
"""What a file is taken to hold."""


def _instead(texts: Mapping[str, str]) -> Instead:
    """Files as they are, but for some that are taken to hold other texts."""

    def reading(source: SourceFile | Unreadable) -> SourceFile | Unreadable:
        if isinstance(source, Unreadable) or source.name not in texts:
            return source
        return SourceFile(source.name, texts[source.name])

    return reading


def _collecting(read: Reader, sources: list[SourceFile], instead: Instead) -> Reader:
    """A reader that keeps what it reads."""

    def reading(path: str) -> SourceFile | Unreadable:
        source = instead(read(path))
        if isinstance(source, SourceFile):
            sources.append(source)
        return source

    return reading


def _expressions(source: SourceFile) -> Callable[[Scalar], bool]:
    """What tells of the scalars of a file whether they are expressions."""
    from gdl.formatter.spots import spots_of  # noqa: PLC0415 - hardly any file has a comment to us in a block scalar

    spots = spots_of(source, scenarios=source.name.endswith(SCENARIOS))
    return lambda scalar: bool(spots.stretches(scalar))
