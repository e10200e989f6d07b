"""Faults: a rule that can't be carried out in the situation it met while a game runs.

Builtins and effects raise `RuleFault` and say only what went wrong; where in the spec it happened is known to the
engine, which catches the fault on its way out and adds the place.
"""

from __future__ import annotations


class RuleFault(Exception):
    """A rule that failed at run time.

    `code` is the name of the diagnostic that it becomes, such as `fault-many`; `message` says what happened, in lower
    case.
    """

    def __init__(self, code: str, message: str) -> None:
        super().__init__(f"{code}: {message}")
        self.code = code
        self.message = message


class Ended(Exception):
    """Raised by emitted text where an entry of `end` with `check: at_once` holds: the machine then ends the game."""
