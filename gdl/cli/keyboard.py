"""Lines that a person types, or that stand in a pipe: then they are shown, so that what is printed reads like a session."""

from __future__ import annotations

import contextlib
import sys
from types import ModuleType
from typing import Final

_CLEAR: Final = "\x1b[2J\x1b[3J\x1b[H"
"""Empties the terminal and what was scrolled out of it, and goes to the top."""


class Keyboard:
    """Standard input, line by line."""

    def __init__(self) -> None:
        self.is_person = sys.stdin.isatty()
        if hasattr(sys.stdin, "reconfigure"):
            sys.stdin.reconfigure(errors="replace")
        self._readline = _editing() if self.is_person else None

    def ask(self, prompt: str) -> str:
        """One line, without blanks around it. Raises EOFError where there is none, KeyboardInterrupt on Ctrl-C."""
        if self.is_person:
            try:
                return input(prompt).strip()
            except EOFError:
                print()
                raise
        print(prompt, end="", flush=True)
        line = sys.stdin.readline()
        print(line.strip())
        if not line:
            raise EOFError
        return line.strip()

    def hand_over(self) -> None:
        """Somebody else comes to the keyboard: take away what was shown and typed."""
        if self._readline is not None:
            self._readline.clear_history()
        if sys.stdout.isatty():
            print(_CLEAR, end="", flush=True)


def _editing() -> ModuleType | None:
    """Line editing and a history, where Python has it."""
    with contextlib.suppress(ImportError):
        import readline  # noqa: PLC0415 - only terminals need it, and not all systems have it

        return readline
    return None
