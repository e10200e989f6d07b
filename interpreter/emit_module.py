"""The Python text that a game is turned into, and where each line of it comes from.

Expressions become Python expressions, once, at set-up; the interpreter calls the compiled functions. Emitted text carries marks,
a number between two zero characters, at every place that can fail; here each mark becomes a line of its own (inside brackets a
line end means nothing),
so the line number of a Python error tells the span of the GDL text. That costs nothing while a game runs.

A game that is made to be begun and not played, as a linter does, calls few of its functions: a lazy module compiles each when it is first
called.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import lru_cache
from types import CodeType, TracebackType
from typing import Any

from gdl.interpreter.faults import FAILURES, RuleFault, problem
from gdl.interpreter.memo import Memo, settled
from gdl.source import Span

FILE_NAME = "<gdl game>"
_MARK = re.compile("\x00(\\d+)\x00")
Chain = tuple[tuple[str, Span], ...]
"""Rules that are written out in another one, the outermost first, each with the place of its call."""
_OPENING = ("(", "[", "{")
_FEW_BRACKETS = 60
_FEW_BRANCHES = 200
_DEEP = "\n" + " " * (1 + 4 * 12)
"""Python allows 200 brackets and 20 loops inside each other, and 6,000 steps down its grammar: far more than so few brackets, branches
and indents take."""
_SHORT = 1_000
"""Elements of a list that is compared with others for the sake of sharing it."""


@lru_cache(maxsize=1 << 10)
def _expression(text: str) -> CodeType:
    """The code of an expression; many spaces and pieces have attributes by the same one."""
    try:
        return compile(text, "<string>", "eval")
    except (SyntaxError, RecursionError, MemoryError):
        raise RuleFault("fault-depth", "this is nested too deeply") from None


@lru_cache(maxsize=1 << 9)
def _function(text: str, file: str) -> CodeType:
    """The code of a function; games of one spec that differ in players or options have most in common."""
    return compile(text, file, "exec")


def _names_in(code: CodeType) -> Iterator[str]:
    """The names that code looks up, with those of the functions in it."""
    yield from code.co_names
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            yield from _names_in(inner)


def _is_shallow(lines: Sequence[str]) -> bool:
    """Whether Python can certainly compile this text: too little in it for anything to be nested too deeply."""
    text = "\n".join(lines)
    if _DEEP in text or text.count(" elif ") > _FEW_BRANCHES:
        return False
    return all(len(line) <= _FEW_BRACKETS or sum(line.count(sign) for sign in _OPENING) <= _FEW_BRACKETS for line in lines)


def _is_short(value: tuple[Any, ...]) -> bool:
    """Whether comparing a list with others is little work."""
    if len(value) > _SHORT:
        return False
    return tuple not in set(map(type, value)) or sum(len(each) for each in value if isinstance(each, tuple)) <= _SHORT


class Module:
    """Collects functions as text, compiles them together, or each when it is called if `lazy`, and finds the places of failures."""

    def __init__(self, *, lazy: bool = False) -> None:
        self.lazy = lazy
        self.namespace: dict[str, Any] = {}
        self.lines: list[str] = []
        self.places: dict[int, Span] = {}
        self.rules: dict[str, str] = {}
        self._chains: dict[int, Chain] = {}
        self._marks: list[tuple[Span, Chain]] = []
        self._inside: Chain = ()
        self._constants: dict[Any, str] = {}
        self._compiled = 0
        self._ranges: dict[str, tuple[int, int]] = {}

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

    def extent(self) -> tuple[int, int, int]:
        """How much has been written, for `forget`."""
        return len(self._marks), len(self._constants), len(self.lines)

    def forget(self, extent: tuple[int, int, int]) -> None:
        """Drop what has been written since and is used up: marks, and constants, unless a function has been added."""
        marks, constants, lines = extent
        del self._marks[marks:]
        while len(self._constants) > constants and len(self.lines) == lines:
            del self.namespace[self._constants.popitem()[1]]

    def function(self, name: str, parameters: str, body: list[str], rule: str = "") -> str:
        """Add a function; `body` are its lines without the first indent. `rule` is what faults call it."""
        first = len(self.lines)
        self.lines.append(f"def {name}({parameters}):")
        for line in body or ["pass"]:
            if "\x00" in line:
                self._add_marked(line)
            else:
                self.lines.append(" " + line)
        self._ranges[name] = (first, len(self.lines))
        if rule:
            self.rules[name] = rule
        return name

    def _add_marked(self, line: str) -> None:
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
        """From now on nothing fills tables any more: make those that did so by themselves plain lists, which are read faster.

        So is a table of a function that can be asked of few things, unless functions are made only when they are called.
        """
        for name, value in self.namespace.items():
            if isinstance(value, list) and type(value) is not list:
                self.namespace[name] = list(value)
        for name, value in () if self.lazy else list(self.namespace.items()):
            if isinstance(value, Memo) and value.domain is not None:
                self.namespace[name] = settled(value, FAILURES) or value

    def compile(self) -> None:
        """Make the functions; they are then in the namespace."""
        self.late_functions()

    def late_functions(self) -> None:
        """Make the functions that were added since the last time."""
        first, self._compiled = self._compiled, len(self.lines)
        if first == len(self.lines):
            return
        if self.lazy and _is_shallow(self.lines[first:]):
            new = [name for name, (begin, _) in self._ranges.items() if begin >= first]
            self.namespace.update((name, self._made_when_called(name)) for name in new)
        else:
            exec(self._code(first, len(self.lines), FILE_NAME), self.namespace)

    def define(self, name: str) -> None:
        """Make one function now. Its line numbers are its own; the name of its file says where it begins."""
        first, end = self._ranges[name]
        exec(self._code(first, end, f"{FILE_NAME}{first}"), self.namespace)

    def _made_when_called(self, name: str) -> Callable[..., Any]:
        """What stands for a function until it is called."""

        def stand_in(*arguments: Any) -> Any:
            if self.namespace[name] is stand_in:
                self.define(name)
            return self.namespace[name](*arguments)

        return stand_in

    def _code(self, first: int, end: int, file: str) -> CodeType:
        """The text between two lines, compiled; in the game's own file line numbers are those of the whole."""
        above = first if file == FILE_NAME else 0
        text = "\n" * above + "\n".join(self.lines[first:end]) + "\n"
        try:
            return _function(text, file) if self.lazy else compile(text, file, "exec")
        except (SyntaxError, RecursionError, MemoryError) as error:  # Python bounds how deep its blocks and brackets nest
            line = (getattr(error, "lineno", None) or 0) + first - above
            known = [place for place in self.places if first < place <= line] or list(self.places)
            message = "what runs here as one piece is nested too deeply; a procedure or function for the inner part helps"
            raise problem("too-deep", self.places[max(known)], message) from None

    def evaluate(self, text: str, values: Mapping[str, Any]) -> Any:
        """The value of an expression now, with some names bound."""
        clean = _MARK.sub("", text)
        if clean.isdecimal():
            return int(clean)
        return eval(_expression(f"lambda {', '.join(values)}: {clean.strip()}"), self.namespace)(*values.values())

    def evaluated_with(self, names: Sequence[str], text: str) -> Callable[..., Any]:
        """An expression as a function of some names, which keeps the constants that there are now."""
        code = compile(f"lambda {', '.join(names)}: {_MARK.sub('', text).strip()}", "<string>", "eval")
        function: Callable[..., Any] = eval(code, {name: self.namespace[name] for name in _names_in(code) if name in self.namespace})
        return function

    def truths(self, name: str, text: str, count: int) -> list[bool] | None:
        """For the numbers below `count` whether a condition on one of them holds; none if it asks for anything that may change."""
        try:
            code = compile(f"lambda {name}: {_MARK.sub('', text).strip()}", "<string>", "eval")
        except (SyntaxError, RecursionError, MemoryError):  # nested too deeply: told where it is compiled with the rest
            return None
        known = {each: self.namespace.get(each) for each in _names_in(code)}
        if not all(isinstance(value, tuple | int) for value in known.values()):
            return None
        condition = eval(code, known)
        try:
            return [bool(condition(number)) for number in range(count)]
        except (LookupError, TypeError):
            return None

    def trail(self, traceback: TracebackType | None) -> list[tuple[str, Span]]:
        """Which rules were at work when an error was raised, the innermost last, each with its place."""
        found: list[tuple[str, Span]] = []
        while traceback is not None:
            code = traceback.tb_frame.f_code
            if code.co_filename.startswith(FILE_NAME):
                above = int(code.co_filename.removeprefix(FILE_NAME) or 0)
                found += self._at_line(above + traceback.tb_lineno, above + code.co_firstlineno, self.rules.get(code.co_name, ""))
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
