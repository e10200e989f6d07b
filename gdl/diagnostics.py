"""Diagnostics: what the front end says about a spec, and the report that collects it.

User mistakes never raise inside the front end: a stage returns a value and adds to a `Report`. All texts of a message
come from the stage that found the mistake; how they look on a screen is `gdl.render`'s business.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from enum import Enum
from itertools import accumulate

from attrs import Factory, define, frozen

from gdl.codes import label_of, label_of_number
from gdl.source import Span


class Severity(Enum):
    """How bad a finding is; only errors make a spec unusable."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


@frozen
class Related:
    """Another place that belongs to a finding, with a word on why."""

    span: Span
    message: str


@frozen
class Diagnostic:
    """One finding.

    `code` is a name of `gdl.codes.CATALOGUE` such as `unknown-name`. `message` says what is wrong, in lower case; `label`
    stands under the caret; `suggestion` is a replacement for the text of the span, if one is nearest; `help` a cure in words.
    Of a word that is none, `wrong` is that word. `certain` says whether a tool may write the suggestion unasked.
    `number` is that of a lint rule's code, which the catalogue does not have.
    """

    code: str
    span: Span
    message: str
    label: str = ""
    help: str = ""
    suggestion: str | None = None
    related: tuple[Related, ...] = ()
    severity: Severity = Severity.ERROR
    number: int | None = None
    wrong: str | None = None
    certain: bool = True

    @property
    def code_label(self) -> str:
        """The code as messages show it, such as `GDL203`."""
        return label_of(self.code) if self.number is None else label_of_number(self.number)

    @property
    def identity(self) -> tuple[str, int, int, str, str]:
        """File, place, code and message: findings that agree in these are one finding, and this is their order."""
        return self.span.source.name, self.span.start, self.span.end, self.code, self.message


@define
class Report:
    """Collects the findings of all stages."""

    items: list[Diagnostic] = Factory(list)

    def add(self, diagnostic: Diagnostic) -> None:
        """Take a finding in."""
        self.items.append(diagnostic)

    def error(
        self,
        code: str,
        span: Span,
        message: str,
        *,
        label: str = "",
        help: str = "",
        suggestion: str | None = None,
        related: tuple[Related, ...] = (),
        wrong: str | None = None,
        certain: bool = True,
    ) -> None:
        """Take an error in, given by its parts."""
        self.add(Diagnostic(code, span, message, label, help, suggestion, related, wrong=wrong, certain=certain))

    def warning(self, code: str, span: Span, message: str, *, label: str = "", help: str = "") -> None:
        """Take a warning in, given by its parts."""
        self.add(Diagnostic(code, span, message, label, help, severity=Severity.WARNING))

    @property
    def has_errors(self) -> bool:
        """Whether anything was found that makes the spec unusable."""
        return self.failed_since(0)

    def failed_since(self, before: int) -> bool:
        """Whether there is an error among the findings behind the first `before`."""
        return any(item.severity is Severity.ERROR for item in self.items[before:])

    def errors(self) -> list[Diagnostic]:
        """The errors alone, sorted."""
        return [item for item in self.sorted() if item.severity is Severity.ERROR]

    def sorted(self) -> list[Diagnostic]:
        """All findings by file and place, each once."""
        unique = {finding.identity: finding for finding in self.items}
        return [unique[key] for key in sorted(unique)]


class SpecError(Exception):
    """A spec that can't be used; `diagnostics` says why. Raised by `gdl.load`, `gdl.loads` and `Spec.game`."""

    def __init__(self, diagnostics: Iterable[Diagnostic]) -> None:
        self.diagnostics = tuple(diagnostics)
        first = self.diagnostics[0]
        more = f" (and {len(self.diagnostics) - 1} more)" if len(self.diagnostics) > 1 else ""
        super().__init__(f"{first.span}: {first.code}: {first.message}{more}")


MOST_COMPARED = 1_000
"""Of more candidates, only so many that begin alike are compared: comparing takes longer than all other checks of a name."""


def nearest(word: str, candidates: Iterable[str]) -> list[str]:
    """The candidates most like `word`, the nearest first, at most three: for "did you mean".

    Alike are those that share much of their letters; nearest is what the fewest slips of a finger lead to. One that differs in
    capitals alone leaves no doubt.
    """
    pool = sorted(set(candidates))
    if len(pool) > MOST_COMPARED:
        pool = [c for c in pool if c[:1].casefold() == word[:1].casefold()][:MOST_COMPARED]
    found = difflib.get_close_matches(word, pool, n=40, cutoff=0.6)
    exact = [c for c in pool if _is_same(word, c)]
    alike = sorted((c for c in found if c not in exact), key=lambda c: _slips(word, c))  # stable: among equals the more alike
    return exact or alike[:3]


def _slips(wrong: str, right: str) -> int:
    """How far apart words are: four for each letter left out, added or changed, three for one doubled, halved or exchanged with the next.

    Such a slip keeps the letters that are there, so it is likelier than a change (optimal string alignment, with these weights).
    """
    before: list[int] = []
    row = list(accumulate((3 if right[j - 1 : j] == right[j : j + 1] else 4 for j in range(len(right))), initial=0))
    for i, a in enumerate(wrong, 1):
        added = 3 if wrong[i - 2 : i - 1] == a else 4
        before, last, row = row, before, [row[0] + added]
        for j, b in enumerate(right, 1):
            left_out = 3 if right[j - 2 : j - 1] == b else 4
            least = min(before[j] + added, row[j - 1] + left_out, before[j - 1] + 4 * (a != b))
            if i > 1 and j > 1 and a == right[j - 2] and b == wrong[i - 2]:
                least = min(least, last[j - 2] + 3)
            row.append(least)
    return row[-1]


ONE_SLIP = 4
"""What one letter that is wrong, too many or left out counts."""


def is_slip(wrong: str, right: str) -> bool:
    """Whether a word of some length is another one but for one slip of a finger."""
    return wrong != right and min(len(wrong), len(right)) > 3 and _slips(wrong, right) <= ONE_SLIP


def is_close(wrong: str, right: str) -> bool:
    """Whether words differ in capitals alone, or by one slip of a finger, however short they are."""
    return _is_same(wrong, right) or _slips(wrong, right) <= ONE_SLIP


def is_certain(wrong: str, near: Iterable[str]) -> bool:
    """Whether only one of the words that are near can be meant: it alone is one slip of a finger or a difference in capitals away.

    Digits are no slips: `row11` is not `row12` misspelt.
    """
    close = [word for word in near if is_close(wrong, word)]
    if len(close) != 1 or _digits(wrong) != _digits(close[0]):
        return False
    return _is_same(wrong, close[0]) or is_slip(wrong, close[0])


def _is_same(wrong: str, right: str) -> bool:
    """Whether words differ in capitals and hyphens alone."""
    return wrong.casefold().replace("-", "_") == right.casefold()


def _digits(word: str) -> str:
    return "".join(filter(str.isdigit, word))


def did_you_mean(words: Iterable[str], otherwise: str = "") -> str:
    """The question whether one of these was meant; `otherwise` if there are none."""
    shown = " or ".join(f"`{word}`" for word in words)
    return f"did you mean {shown}?" if shown else otherwise
