"""The Python text that a game is turned into, and where each line of it comes from.

Expressions become Python expressions, once, at set-up; the interpreter calls the compiled functions. Emitted text carries marks,
a number between two zero characters, at every place that can fail; here each mark becomes a line of its own (inside brackets a
line end means nothing),
so the line number of a Python error tells the span of the GDL text. That costs nothing while a game runs.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import lru_cache
from types import CodeType, TracebackType
from typing import Any

from gdl.interpreter.faults import RuleFault, problem
from gdl.source import Span

FILE_NAME = "<gdl game>"
_MARK = re.compile("\x00(\\d+)\x00")
Chain = tuple[tuple[str, Span], ...]
"""Rules that are written out in another one, the outermost first, each with the place of its call."""
_SHORT = 1_000
"""Elements of a list that is compared with others for the sake of sharing it."""


@lru_cache(maxsize=1 << 10)
def _expression(text: str) -> CodeType:
    """The code of an expression; many spaces and pieces have attributes by the same one."""
    try:
        return compile(text.strip(), "<string>", "eval")
    except (SyntaxError, RecursionError, MemoryError):
        raise RuleFault("fault-depth", "this is nested too deeply") from None


def _is_short(value: tuple[Any, ...]) -> bool:
    """Whether comparing a list with others is little work."""
    return len(value) <= _SHORT and sum(len(each) for each in value if isinstance(each, tuple)) <= _SHORT


class Module:
    """Collects functions as text, compiles them together, and finds the places of failures."""

    def __init__(self) -> None:
        self.namespace: dict[str, Any] = {}
        self.lines: list[str] = []
        self.places: dict[int, Span] = {}
        self.rules: dict[str, str] = {}
        self._chains: dict[int, Chain] = {}
        self._marks: list[tuple[Span, Chain]] = []
        self._inside: Chain = ()
        self._constants: dict[Any, str] = {}
        self._compiled = 0

    def mark(self, span: Span) -> str:
        """A mark to put in front of text that can fail."""
        self._marks.append((span, self._inside))
        return f"\x00{len(self._marks) - 1}\x00"

    @contextmanager
    def inside(self, rule: str, call: Span) -> Iterator[None]:
        """What is written now belongs to a rule whose call is not in the text; `call` is where it stands."""
        outer = self._inside
        self._inside = (*outer, (rule, call))
        try:
            yield
        finally:
            self._inside = outer

    def constant(self, value: Any, prefix: str = "K") -> str:
        """A global name for a value; equal tuples share one."""
        key = (prefix, value) if isinstance(value, tuple) and _is_short(value) else (prefix, id(value))
        if key not in self._constants:
            name = f"{prefix}{len(self._constants)}"
            self._constants[key] = name
            self.namespace[name] = value
        return self._constants[key]

    @contextmanager
    def scratch(self) -> Iterator[None]:
        """What is written inside is used at once: its marks are dropped behind it, and its constants, unless a function has been added."""
        marks, constants, lines = len(self._marks), len(self._constants), len(self.lines)
        try:
            yield
        finally:
            del self._marks[marks:]
            while len(self._constants) > constants and len(self.lines) == lines:
                del self.namespace[self._constants.popitem()[1]]

    def function(self, name: str, parameters: str, body: list[str], rule: str = "") -> str:
        """Add a function; `body` are its lines without the first indent. `rule` is what faults call it."""
        self.lines.append(f"def {name}({parameters}):")
        for line in body or ["pass"]:
            self._add(line)
        if rule:
            self.rules[name] = rule
        return name

    def _add(self, line: str) -> None:
        if "\x00" not in line:
            self.lines.append(" " + line)
            return
        indent = line[: len(line) - len(line.lstrip())]
        parts = _MARK.split(" " + line)
        text = parts[0]
        for number, following in zip(parts[1::2], parts[2::2], strict=True):
            if text.strip():
                self.lines.append(text)
            text = f" {indent}{following}"
            span, chain = self._marks[int(number)]
            self.places[len(self.lines) + 1] = span
            if chain:
                self._chains[len(self.lines) + 1] = chain
        self.lines.append(text)

    def settle_tables(self) -> None:
        """From now on nothing fills tables any more: make those that did so by themselves plain lists, which are read faster."""
        for name, value in self.namespace.items():
            if isinstance(value, list) and type(value) is not list:
                self.namespace[name] = list(value)

    def compile(self) -> None:
        """Make the functions; they are then in the namespace."""
        self.late_functions()

    def late_functions(self) -> None:
        """Make the functions that were added since the last time."""
        if self._compiled < len(self.lines):
            exec(self._code(self._compiled), self.namespace)
            self._compiled = len(self.lines)

    def _code(self, first: int) -> CodeType:
        """The text from a line on, compiled; line numbers stay those of the whole."""
        try:
            return compile("\n" * first + "\n".join(self.lines[first:]) + "\n", FILE_NAME, "exec")
        except (SyntaxError, RecursionError, MemoryError) as error:  # Python bounds how deep its blocks and brackets nest
            line = getattr(error, "lineno", None) or 0
            known = [place for place in self.places if first < place <= line] or list(self.places)
            message = "what runs here as one piece is nested too deeply; a procedure or function for the inner part helps"
            raise problem("too-deep", self.places[max(known)], message) from None

    def evaluate(self, text: str, values: Mapping[str, Any]) -> Any:
        """The value of an expression now, with some names bound."""
        clean = _MARK.sub("", text)
        return int(clean) if clean.isdecimal() else eval(_expression(clean), {**self.namespace, **values})

    def trail(self, traceback: TracebackType | None) -> list[tuple[str, Span]]:
        """Which rules were at work when an error was raised, the innermost last, each with its place."""
        found: list[tuple[str, Span]] = []
        while traceback is not None:
            code = traceback.tb_frame.f_code
            if code.co_filename == FILE_NAME:
                found += self._at_line(traceback.tb_lineno, code.co_firstlineno, self.rules.get(code.co_name, ""))
            traceback = traceback.tb_next
        return found

    def _at_line(self, line: int, first: int, rule: str) -> list[tuple[str, Span]]:
        """The place of the nearest marked line at or above a line, within its function, behind the calls that are not in the text."""
        while line >= first:
            if line in self.places:
                chain = self._chains.get(line, ())
                rules = (rule, *(inner for inner, _ in chain))
                return list(zip(rules, (*(call for _, call in chain), self.places[line]), strict=True))
            line -= 1
        return []

    def import_(self, *functions: Callable[..., Any], **named: Any) -> None:
        """Make Python functions usable in the text under their names."""
        for function in functions:
            self.namespace[function.__name__.strip("_")] = function
        self.namespace.update(named)
