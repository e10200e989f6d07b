"""Running scenarios: the public functions, with the loader of specs put in. Results are records, nothing is printed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from gdl.api import load
from gdl.interpreter import scenario
from gdl.interpreter.scenario import Failure, FileResult, ScenarioResult
from gdl.interpreter.state import State

__all__ = ["Failure", "FileResult", "ScenarioResult", "check_file", "given_state", "run_file"]


def run_file(path: str | Path, only: Callable[[str], bool] | None = None) -> FileResult:
    """Run the scenarios of a file, of which `only` may choose some by their names.

    What is wrong with the file or its spec is in the result's `problem`; scenarios that can't be run because of it are
    not among its `results`.
    """
    return scenario.run_file(Path(path), only, load=load)


def check_file(path: str | Path) -> FileResult:
    """Check the scenarios of a file without playing them; what is wrong is in the result's `problem`."""
    return scenario.check_file(Path(path), load=load)


def given_state(path: str | Path, name: str | None = None) -> State:
    """The situation that a scenario (the first of the file, if left out) gives, at its first decision or chance event.

    The state has explicit chance. Raises SpecError if the file, its spec or the scenario can't be used, GameFault if a
    rule fails on the way to the first decision.
    """
    return scenario.given_state(Path(path), name, load=load)
