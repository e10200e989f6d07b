"""What running scenarios gives."""

from __future__ import annotations

from pathlib import Path

from attrs import Factory, define, frozen

from gdl.diagnostics import Diagnostic
from gdl.source import Span


@frozen
class Failure:
    """One thing that is not as a scenario says.

    `details` are lines below the message; `span` is the place in the scenario's file.
    """

    message: str
    details: list[str]
    span: Span


@frozen
class ScenarioResult:
    """A scenario that was run. `covers` are the rules that it tests, `span` is where its name stands."""

    name: str
    covers: tuple[str, ...]
    failures: list[Failure]
    span: Span
    seconds: float

    @property
    def passed(self) -> bool:
        """Whether all was as the scenario says."""
        return not self.failures


@define
class FileResult:
    """A file of scenarios: what is wrong with it or with its spec, and how each scenario went that could be run.

    `rules` are the files of rules that it names, as it names them, and `cited` the rules that its scenarios cover, each with its place.
    """

    path: Path
    problem: list[Diagnostic] = Factory(list)
    results: list[ScenarioResult] = Factory(list)
    rules: list[tuple[str, Span]] = Factory(list)
    cited: list[tuple[str, Span]] = Factory(list)

    @property
    def passed(self) -> bool:
        """Whether nothing is wrong with the file and every scenario passed."""
        return not self.problem and all(result.passed for result in self.results)
