"""Numbered rules in Markdown, and which of them scenarios cover.

A rule is a list item that begins with its number in bold, `- **HUGO-12** …`; a number anywhere else is only a mention.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from os.path import normpath
from pathlib import Path
from typing import Final

from attrs import frozen

from gdl.cli.files import read_text
from gdl.cli.output import Unusable
from gdl.diagnostics import Diagnostic, Report, did_you_mean, nearest
from gdl.interpreter.scenario import FileResult

_RULE: Final = re.compile(r"\s*(?:[-*+]|\d+[.)])\s+\*\*(?P<number>(?P<prefix>[A-Z][A-Z0-9_]*)-\d+[a-z]?)\*\*")
_FENCE: Final = re.compile(r"\s*(?:```|~~~)")


@frozen
class Rule:
    """A numbered rule and where it stands; `prefix` is the part of its number that all rules of its file share."""

    number: str
    prefix: str
    path: Path
    line: int

    @property
    def place(self) -> str:
        """File and line."""
        return f"{self.path}:{self.line}"


@frozen
class Citation:
    """A rule number that a scenario covers but no file has."""

    number: str
    place: str


@frozen
class Coverage:
    """What scenarios cover: rules with and without a scenario that passes, and numbers that do not exist."""

    covered: tuple[Rule, ...]
    missing: tuple[Rule, ...]
    unknown: tuple[Citation, ...]

    @property
    def is_whole(self) -> bool:
        """Whether every rule is covered and every number exists."""
        return not self.missing and not self.unknown


def read_rules(paths: Iterable[Path]) -> tuple[Rule, ...]:
    """The rules of files, in order. Raises Unusable for a file without any, and for a number given twice."""
    found: dict[str, Rule] = {}
    for path in paths:
        rules = rules_of(read_text(path), path)
        if not rules:
            raise Unusable(
                f"`{path}` has no numbered rules",
                help="a rule begins a list item: `- **NAME-12** …`",
            )
        for rule in rules:
            if rule.number in found:
                raise Unusable(f"the rule {rule.number} is there twice, at {found[rule.number].place} and {rule.place}")
            found[rule.number] = rule
    return tuple(found.values())


def rules_of(text: str, path: Path) -> tuple[Rule, ...]:
    """The rules of one text; what stands in fenced blocks is none."""
    found = []
    is_fenced = False
    for number, line in enumerate(text.splitlines(), start=1):
        if _FENCE.match(line):
            is_fenced = not is_fenced
        elif not is_fenced and (match := _RULE.match(line)):
            found.append(Rule(match["number"], match["prefix"], path, number))
    return tuple(found)


def named_rules(file: FileResult) -> list[Path]:
    """The files of rules that a file of scenarios names."""
    return [Path(normpath(file.path.parent / name)) for name, _ in file.rules]


def check_citations(file: FileResult) -> list[Diagnostic]:
    """What is wrong with the files of rules that a file of scenarios names, and which rules it cites that they do not have."""
    report = Report()
    known: set[str] = set()
    for path, (name, span) in zip(named_rules(file), file.rules, strict=True):
        try:
            known |= {rule.number for rule in read_rules([path])}
        except Unusable as problem:
            report.error(problem.code or "unknown-rule", span, problem.message or f"`{name}` can't be read", help=problem.help)
    if file.rules and not report.has_errors:
        for number, span in file.cited:
            if number not in known:
                close = nearest(number, known)
                message = f"there is no rule `{number}`"
                suggestion = close[0] if close else None
                report.error("unknown-rule", span, message, help=did_you_mean(close), suggestion=suggestion, certain=False)
    return report.sorted()


def find_coverage(rules: tuple[Rule, ...], files: Iterable[FileResult]) -> Coverage:
    """Compare rules with what scenarios cover; only those that pass count."""
    known = {rule.number for rule in rules}
    prefixes = {rule.prefix for rule in rules}
    passing: set[str] = set()
    unknown: dict[tuple[str, str], Citation] = {}
    for file in files:
        for result in file.results:
            if result.passed:
                passing.update(result.covers)
            for number in result.covers:
                if number not in known and number.rpartition("-")[0] in prefixes:
                    place = result.span.line_place
                    unknown[number, place] = Citation(number, place)
    covered = tuple(rule for rule in rules if rule.number in passing)
    missing = tuple(rule for rule in rules if rule.number not in passing)
    return Coverage(covered, missing, tuple(unknown.values()))
