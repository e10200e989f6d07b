"""Random effects: each is one chance event or several, which the machine draws or, with explicit chance, asks for."""

from __future__ import annotations

from gdl.registry import Topic

topic = Topic("random")


@topic.effect("roll(d: K)", random=True)
def roll() -> None:
    """Roll a die: each face is as likely as it has places among the faces.

    Example: roll(die)
    """


@topic.effect("pick(xs: list[T]) -> T", random=True)
def pick() -> None:
    """One element of a list, each as likely. A fault if the list is empty.

    Example: let: x = pick(xs)
    """
