"""What a lint rule is: its code, how bad a finding is, why it matters, an example of it, and the check itself.

Everything about a rule stands in its one entry, in a module of `validators/rules/`. `gdl explain`, the pages of
docs/lint/ and the tests read the entries; adding a rule touches nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from attrs import frozen

from gdl.codes import Code
from gdl.diagnostics import Diagnostic, Related, Severity
from gdl.source import Span
from gdl.validators.subject import Subject


@frozen
class Finding:
    """A place that breaks a rule, and what to say there; the rule adds its code and severity.

    `label` stands under the caret; `help` is the cure in words; `suggestion` replaces the text of the span where that is
    the cure and nothing else can be meant.
    """

    span: Span
    message: str
    label: str = ""
    help: str = ""
    suggestion: str | None = None
    related: tuple[Related, ...] = ()


Check = Callable[[Subject], Iterable[Finding]]


@frozen
class Rule:
    """One rule.

    `number` and `name` are its code: 3xx for likely mistakes, 4xx for style. `title` is a line, `why` a paragraph or two.
    `faulty` is a whole spec with this one mistake, `mended` the same without it. `foretells` is the fault that the rule warns of:
    where setting the game up has met that, there is nothing left to warn of.
    """

    number: int
    name: str
    severity: Severity
    title: str
    why: str
    faulty: str
    mended: str
    check: Check
    foretells: tuple[str, ...] = ()

    @property
    def code(self) -> Code:
        """The rule as an entry of the catalogue of codes."""
        return Code(self.number, self.name, self.title, self.why)

    def run(self, subject: Subject) -> list[Diagnostic]:
        """All that breaks the rule in a spec."""
        return [self.diagnostic(finding) for finding in self.check(subject)]

    def diagnostic(self, found: Finding) -> Diagnostic:
        """A finding as a diagnostic of this rule."""
        return Diagnostic(
            self.name, found.span, found.message, found.label, found.help, found.suggestion, found.related,
            severity=self.severity, number=self.number,
        )  # fmt: skip
