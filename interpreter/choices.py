"""Decisions and chance events at run time: what the program builder leaves for the machine."""

from __future__ import annotations

from typing import Any

from attrs import define, field

from gdl.source import Span
from gdl.typed import Local, TExpression, TTemplate


@define(eq=False)
class Alternative:
    """One way to decide. `form`: action, choose, may, pick (an element of a subset), pass or done. `template`: its label, over `locals`.

    `seen`: those of the locals that are pieces which who chooses certainly sees.
    """

    form: str
    name: str
    locals: tuple[Local, ...] = ()
    template: TTemplate | None = None
    fixed: tuple[tuple[Local, TExpression], ...] = ()
    seen: frozenset[Local] = frozenset()


@define(eq=False)
class Decision:
    """A point of choice. `label`: of the instruction that waits there; `after`: of the one behind the effects of all its moves.

    `joint`: several seats may decide, whoever does first. `drawable` lists candidates of which `holds` says whether they are legal, where
    it costs much to know that of all.
    """

    number: int
    span: Span
    label: str
    prompt: TTemplate | None
    joint: bool = False
    alternatives: list[Alternative] = field(factory=list)
    any: Any = None
    all: Any = None
    drawable: Any = None
    holds: Any = None
    enter: list[Any] = field(factory=list)
    seats: Any = None
    acting: Local | None = None
    kept: dict[Local, str] = field(factory=dict)
    after: str = ""


@define(eq=False)
class Chance:
    """A chance event. `outcomes(s, f)` gives values with weights, in a fixed order; `enter(s, f, x)` goes on with one of them.

    `equals(s, f)`, where there is one, gives the values alone if each is as likely, else None: so most draws make no list of pairs.

    `form` says how an outcome is written: roll (a face of `kind`), piece or value. `name` is the call as scenarios write it.
    """

    number: int
    span: Span
    label: str
    form: str = "value"
    name: str = ""
    subject: TExpression | None = None
    outcomes: Any = None
    equals: Any = None
    enter: Any = None
    about: Any = None
