"""Effects on histories: what a position was, for repetition rules."""

from __future__ import annotations

from gdl.registry import Topic

topic = Topic("histories")


@topic.effect("record(h: history)", special=True)
def record() -> None:
    """Add the present position to a history: the zones and variables that it is of. A full history is a fault, unless it has `wrap: true`.

    Example: record(position)
    """


@topic.effect("forget(h: history)", special=True)
def forget() -> None:
    """Drop all records of a history: positions that can't come back need not be compared.

    Example: forget(position)
    """
