"""Builtins on numbers."""

from __future__ import annotations

from typing import Final

from gdl.interpreter.faults import RuleFault
from gdl.registry import Topic

topic: Final = Topic("numbers")


@topic.builtin("abs(x: int) -> int", emit="abs({x})")
def absolute(x: int) -> int:
    """The number without its sign.

    Example: abs(3 - 5) == 2
    """
    return abs(x)


@topic.builtin("clamp(x: int, low: int, high: int) -> int", emit="max({low}, min({x}, {high}))")
def clamp(x: int, low: int, high: int) -> int:
    """x, or the nearer of the two bounds if it lies outside them. If they are the wrong way round, `low` wins.

    Example: clamp(12, 0, 10) == 10
    """
    return max(low, min(x, high))


@topic.builtin("letter(n: int) -> text", table=True)
def letter(n: int) -> str:
    """The letter with number n, as columns of a board are named: a for 0, b for 1, and aa after z.

    A negative number is an error.

    Example: letter(2) == "c"
    """
    if n < 0:
        raise RuleFault("fault-index", f"there is no letter number {n}, they are counted from 0")
    text = ""
    while n >= 0:
        text = chr(ord("a") + n % 26) + text
        n = n // 26 - 1
    return text
