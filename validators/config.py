"""What the linter is asked to look for: from `gdl.toml` or `[tool.gdl]` of `pyproject.toml`, and from the command line.

A configuration is looked for in the folder of the first file and above it; `gdl.toml` comes before `pyproject.toml`.
Mistakes in it are diagnostics with a place, and nothing in it is ignored.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Final

from attrs import evolve, frozen

from gdl.codes import CATALOGUE, Code
from gdl.diagnostics import Diagnostic, Report, Severity, did_you_mean, nearest
from gdl.load_files import Unreadable, read_source, unreadable_file
from gdl.source import SourceFile, Span
from gdl.validators.rules import RULES

LEVELS: Final = {"error": Severity.ERROR, "warning": Severity.WARNING, "note": Severity.NOTE}
_RANK: Final = {Severity.ERROR: 2, Severity.WARNING: 1, Severity.NOTE: 0}
_KEYS: Final = ("select", "ignore", "severity", "show", "fail-level", "exclude")

SILENCEABLE: Final[Mapping[str, Code]] = {
    **{code.name: code for code in CATALOGUE.values() if 300 <= code.number < 500},
    **{rule.name: rule.code for rule in RULES},
}
"""The codes that can be chosen, silenced or given another severity; all others say that a spec does not play."""


@frozen
class Config:
    """The choice of rules.

    `select` and `ignore` hold names, labels (`GDL310`), or their beginnings (`GDL3`); of both, the longer one that fits counts.
    `severity` has other severities by name of rule; `show` is the least severity that is shown, `fail_level` the least that fails.
    `exclude` are patterns, as in `.gitignore`, of files that are not looked for in folders.
    """

    select: tuple[str, ...] = ("all",)
    ignore: tuple[str, ...] = ()
    severity: Mapping[str, Severity] = {}
    show: Severity = Severity.NOTE
    fail_level: Severity = Severity.ERROR
    exclude: tuple[str, ...] = ()

    def wants(self, name: str) -> bool:
        """Whether findings of this code are wanted."""
        code = SILENCEABLE.get(name)
        if code is None:
            return True
        return _fit(code, self.select) > _fit(code, self.ignore)

    def apply(self, findings: Iterable[Diagnostic]) -> list[Diagnostic]:
        """The findings that are wanted, with the severities that are wanted."""
        wanted = [finding for finding in findings if self.wants(finding.code)]
        changed = [self._changed(finding) for finding in wanted]
        return [finding for finding in changed if _RANK[finding.severity] >= _RANK[self.show]]

    def _changed(self, finding: Diagnostic) -> Diagnostic:
        severity = self.severity.get(finding.code)
        return finding if severity is None or finding.code not in SILENCEABLE else evolve(finding, severity=severity)

    def fails(self, findings: Iterable[Diagnostic]) -> bool:
        """Whether one of the findings is bad enough to fail."""
        return any(_RANK[finding.severity] >= _RANK[self.fail_level] for finding in findings)


def canonical(text: str) -> str | None:
    """The name of the rule that a text means: its name, its label or its number; none if there is none."""
    wanted = text.strip().casefold().replace("_", "-")
    if wanted in SILENCEABLE:
        return wanted
    return next((name for name, code in SILENCEABLE.items() if code.label.casefold() == wanted), None)


def is_selector(text: str) -> bool:
    """Whether a text chooses any rule: `all`, a name, a label, or the beginning of labels."""
    return text == "all" or any(_fit(code, (text,)) for code in SILENCEABLE.values())


def selectors() -> list[str]:
    """What can be written to choose a rule, for hints."""
    return ["all", *SILENCEABLE, *(code.label for code in SILENCEABLE.values())]


def near_rules(text: str, candidates: Iterable[str]) -> list[str]:
    """What was meant by a text that chooses no rule: what it is the beginning of, or else what is nearest."""
    known = list(candidates)
    wanted = text.strip().casefold().replace("_", "-")
    begun = [name for name in known if name.casefold().startswith(wanted.removesuffix("s"))] if wanted else []
    return begun if len(begun) == 1 else nearest(text, known)


def is_unsilenceable(text: str) -> bool:
    """Whether a text is a code of a mistake with which no spec plays, by its name or label."""
    wanted = text.strip().casefold().replace("_", "-")
    return any(wanted in (code.name, code.label.casefold()) for code in CATALOGUE.values() if code.name not in SILENCEABLE)


def _fit(code: Code, texts: Iterable[str]) -> int:
    """How exactly the best of some selectors means a code; 0 if none does."""
    best = 0
    for text in texts:
        wanted = text.strip().casefold().replace("_", "-")
        if wanted == "all":
            best = max(best, 1)
        elif wanted in (code.name, code.label.casefold()):
            best = 100
        elif re.fullmatch(r"gdl\d*", wanted) and code.label.casefold().startswith(wanted):
            best = max(best, len(wanted))
    return best


# --- files ------------------------------------------------------------------------------------------------------------


def find_config(folder: Path) -> Path | None:
    """The nearest configuration of a folder."""
    for place in (folder, *folder.parents):
        if _is_file(place / "gdl.toml"):
            return place / "gdl.toml"
        project = place / "pyproject.toml"
        if _is_file(project) and "[tool.gdl" in _text(project):
            return project
    return None


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError:
        return False  # nothing can be read in that folder


def _text(path: Path) -> str:
    source = read_source(path, str(path))
    return source.text if isinstance(source, SourceFile) else ""


def load_config(path: Path, report: Report) -> Config:
    """The configuration in a file; mistakes go into the report."""
    source = read_source(path, str(path))
    if isinstance(source, Unreadable):
        report.add(unreadable_file(str(path), source))
        return Config()
    import tomllib  # noqa: PLC0415 - most folders have no configuration

    try:
        data = tomllib.loads(source.text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        report.error("bad-config", _error_place(source, str(error)), f"this is no TOML: {str(error).partition(' (at ')[0].lower()}")
        return Config()
    reader = _Reader(source, report)
    own = data if path.name != "pyproject.toml" else reader.table(reader.table(data, "tool"), "gdl")
    reader.only(own, ("lint",))
    return reader.config(reader.table(own, "lint"))


def _error_place(source: SourceFile, message: str) -> Span:
    place = re.search(r"at line (\d+), column (\d+)", message)
    offset = source.offset(int(place[1]) - 1, int(place[2]) - 1) if place else 0
    offset = min(offset, len(source.text))
    return Span(source, offset, min(offset + 1, len(source.text)))


@frozen
class _Reader:
    """Takes a configuration apart."""

    source: SourceFile
    report: Report

    def place(self, word: str) -> Span:
        """Where a key or value is written, as nearly as TOML's reader lets us know."""
        found = re.search(rf"(?<![\w-]){re.escape(word)}(?![\w-])", self.source.text)
        return Span(self.source, found.start(), found.end()) if found else Span(self.source, 0, 0)

    def wrong(self, word: str, message: str, candidates: Iterable[str] = ()) -> None:
        """Report a key or value."""
        self.mistaken(word, message, nearest(word, candidates))

    def mistaken(self, word: str, message: str, close: Sequence[str]) -> None:
        """Report a key or value, with what was probably meant."""
        self.report.error("bad-config", self.place(word), message, help=did_you_mean(close[:1]), suggestion=close[0] if close else None)

    def only(self, table: Mapping[str, object], known: tuple[str, ...]) -> None:
        """Report keys that mean nothing."""
        for key in table:
            if key not in known:
                self.wrong(key, f"there is no setting `{key}`", known)

    def table(self, data: Mapping[str, object], key: str) -> Mapping[str, object]:
        """The table under a key."""
        found = data.get(key, {})
        if isinstance(found, dict):
            return found
        self.wrong(key, f"`{key}` is a table")
        return {}

    def config(self, table: Mapping[str, object]) -> Config:
        """The settings of the linter."""
        self.only(table, _KEYS)
        default = Config()
        return Config(
            select=self.chosen(table, "select", default.select),
            ignore=self.chosen(table, "ignore", default.ignore),
            severity=self.severities(self.table(table, "severity")),
            show=self.level("show", table.get("show", default.show.value)),
            fail_level=self.level("fail-level", table.get("fail-level", default.fail_level.value)),
            exclude=self.texts(table, "exclude", default.exclude),
        )

    def severities(self, table: Mapping[str, object]) -> dict[str, Severity]:
        """The severities of rules."""
        found = {}
        for name, level in table.items():
            rule = canonical(name)
            if rule is None:
                told = f"there is no rule `{name}` whose severity can be set"
                fatal = f"the severity of `{name}` can't be set: the spec would not play"
                self.mistaken(name, *((fatal, []) if is_unsilenceable(name) else (told, near_rules(name, SILENCEABLE))))
            else:
                found[rule] = self.level(name, level)
        return found

    def texts(self, table: Mapping[str, object], key: str, default: tuple[str, ...]) -> tuple[str, ...]:
        """A list of texts."""
        value = table.get(key, list(default))
        if isinstance(value, list) and all(isinstance(item, str) for item in value):
            return tuple(str(item) for item in value)
        self.wrong(key, f"`{key}` is a list of texts, such as `[\"{value if isinstance(value, str) else '…'}\"]`")
        return ()

    def chosen(self, table: Mapping[str, object], key: str, default: tuple[str, ...]) -> tuple[str, ...]:
        """A list of selectors."""
        texts = self.texts(table, key, default)
        for text in texts:
            if not is_selector(text):
                fatal = f"`{text}` can't be chosen or silenced: the spec would not play"
                told = f"no rule is called `{text}`"
                self.mistaken(text, *((fatal, []) if is_unsilenceable(text) else (told, near_rules(text, selectors()))))
        return texts

    def level(self, key: str, value: object) -> Severity:
        """A severity."""
        if isinstance(value, str) and value in LEVELS:
            return LEVELS[value]
        if isinstance(value, str):
            self.wrong(value or key, f"`{key}` is `error`, `warning` or `note`, not `{value}`", LEVELS)
        else:
            self.wrong(key, f"`{key}` is `error`, `warning` or `note`")
        return Severity.ERROR
