"""Bounds of what rules may do in one go: steps of work, rounds of loops, elements of lists.

Specs are untrusted: whatever they say, setting a game up and going from one decision to the next takes bounded time and memory.
`gdl.interpreter.costs` says which loops and calls have to be counted; those that can only be short are not, and cost nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from itertools import islice
from typing import Any, Final, TypeVar

from gdl.interpreter.faults import RuleFault

WORK: Final = 200
"""Steps of work for each unit of fuel. A step is about a node of an expression that is evaluated, some 30 nanoseconds."""
USUAL_FUEL: Final = 1_000_000
"""What `limits: fuel` is if it is left out, and what there is to set a game up."""
MOST_ELEMENTS: Final = 1_000_000
"""Elements of a list."""
MOST_IN_SET: Final = 1 << 16
"""Values that a set chooses from."""
MOST_FUEL: Final = 5_000_000
"""What `limits: fuel` can be at most."""
EVALUATION: Final = 1_000
"""Steps of work that an expression takes which is written out as text to be evaluated once."""

Items = TypeVar("Items", bound=Collection[Any])


class OutOfWork(RuleFault):
    """The work of one go is used up: nothing that follows can be tried either."""

    def __init__(self, most: int) -> None:
        super().__init__("fault-fuel", f"this takes too much work: more than {most:,} steps in one go, which `limits: fuel` bounds")


class Meter:
    """Counts, for one game. `fuel` is what `limits: fuel` says; a go is the set-up, a move with what follows, or a question.

    `running`: whether rules run now, so that what they call is part of their go.
    """

    def __init__(self) -> None:
        self.most_fuel = USUAL_FUEL
        self.fuel = 0
        self.work = WORK * USUAL_FUEL
        self.running = False

    def functions(self) -> dict[str, Callable[..., Any]]:
        """What emitted text calls."""
        return {name: getattr(self, name) for name in ("burn", "charge", "metered", "counted", "span", "joined", "gathered")}

    def begin(self) -> None:
        """A new go."""
        self.fuel, self.work = self.most_fuel, WORK * self.most_fuel

    def ask(self) -> None:
        """A new go, unless rules run: somebody asks something of them."""
        if not self.running:
            self.begin()

    def burn(self, work: int = 1) -> None:
        """One round of a loop, or one trigger, with the work that is not counted inside."""
        self.fuel -= 1
        self.work -= work
        if self.fuel < 0:
            raise RuleFault("fault-fuel", f"this goes on for more than {self.most_fuel:,} rounds without a decision")
        if self.work < 0:
            raise OutOfWork(WORK * self.most_fuel)

    def charge(self, work: int) -> None:
        """Work that is about to be done."""
        self.work -= work
        if self.work < 0:
            raise OutOfWork(WORK * self.most_fuel)

    def metered(self, items: Items, work: int) -> Items:
        """A list that is about to be gone through, with so much work for each element."""
        self.work -= len(items) * work
        if self.work < 0:  # as `charge` does, without a call: no other function is called as often
            raise OutOfWork(WORK * self.most_fuel)
        return items

    def counted(self, lists: Items) -> Items:
        """A list of lists that are about to be looked at as a whole, for instance compared."""
        self.charge(sum(1 + len(each) for each in lists))
        return lists

    def span(self, low: int, high: int) -> range:
        """The numbers of a range whose length is not known before."""
        length = max(0, high - low + 1)
        self.charge(bounded(length))
        return range(low, high + 1)

    def joined(self, left: tuple[Any, ...], right: tuple[Any, ...]) -> tuple[Any, ...]:
        """`xs + ys`."""
        self.charge(bounded(len(left) + len(right)))
        return left + right

    def gathered(self, items: Iterable[Any]) -> tuple[Any, ...]:
        """Elements one after the other, of which nobody knows how many there are."""
        found = tuple(islice(items, MOST_ELEMENTS + 1))
        self.charge(bounded(len(found)))
        return found


def limited(lists: Iterable[tuple[Any, ...]]) -> Iterator[tuple[Any, ...]]:
    """Lists one after the other, as long as they have no more elements together than one list can have."""
    total = 0
    for each in lists:
        total += 1 + len(each)
        bounded(total)
        yield each


def bounded(length: int) -> int:
    """The length of a list about to be made."""
    if length > MOST_ELEMENTS:
        raise RuleFault("fault-size", f"a list of {length:,} elements is too long, at most {MOST_ELEMENTS:,} are possible")
    return length
