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


@topic.effect("pick(n: int, xs: list[T]) -> list[T]", random=True)
def pick_several() -> None:
    """N different elements of a list, in the order in which they were picked; all of them if there are no more.

    Example: let: x = pick(2, xs)
    """


@topic.effect("shuffle(s: space)", random=True)
def shuffle() -> None:
    """Bring the pieces of a stack into an order that nobody knows.

    There is no chance event for that: which piece lies on top is found out when it is drawn. Only a stack that somebody can look
    into, or whose order a rule
    reads, is settled at once, piece by piece from the top.
    Example: shuffle(deck)
    """


@topic.effect("draw(n: int, from: S, to: space) -> list[held S]", random=True)
def draw() -> None:
    """Move n pieces from the top of a stack to a space, the top first, as many as there are.

    An empty stack is refilled from where its zone's `refill` says. The value is the list of what was drawn.

    Example: draw(1, deck, player.hand)
    """


@topic.effect("deal(n: int, from: space, zone: list[S])", random=True)
def deal() -> None:
    """Move pieces from the top of a stack, one to each space of the list in turn, n rounds; as many as there are.

    Example: deal(5, deck, hand)
    """
