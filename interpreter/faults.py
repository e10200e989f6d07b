"""Faults: a rule that can't be carried out in the situation it met while a game runs.

Builtins and effects raise `RuleFault` and say only what went wrong; where in the spec it happened is known to the
engine, which catches the fault on its way out and adds the place.
"""

from __future__ import annotations

from typing import Final

from gdl.diagnostics import Diagnostic, SpecError
from gdl.source import Span


class RuleFault(Exception):
    """A rule that failed at run time.

    `code` is the name of the diagnostic that it becomes, such as `fault-many`; `message` says what happened, in lower
    case.
    """

    def __init__(self, code: str, message: str) -> None:
        super().__init__(f"{code}: {message}")
        self.code = code
        self.message = message


FAILURES: Final = (RuleFault, ArithmeticError, LookupError, TypeError, ValueError, RecursionError, MemoryError)
"""All that evaluating a rule may raise: what rules say themselves, and what Python says of values that no rule has looked at."""


def fault_of(error: BaseException) -> RuleFault | None:
    """What an error means that a rule has raised, None if it is none of a rule."""
    match error:
        case RuleFault():
            return error
        case RecursionError():
            return RuleFault("fault-depth", "rules cause each other without end")
        case LookupError():
            return RuleFault("fault-none", "`none`, or a place that does not exist, is used as a value here")
        case OverflowError() | MemoryError():
            return RuleFault("fault-overflow", "a value grew beyond all bounds")
    return None


def problem(code: str, span: Span, message: str, *, help: str = "") -> SpecError:
    """A failure of the set-up as an error to raise."""
    return SpecError([Diagnostic(code, span, message, help=help)])


class Ended(Exception):
    """Raised by emitted text where an entry of `end` with `check: at_once` holds: the machine then ends the game."""
