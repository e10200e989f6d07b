"""Whether anything is revealed just now: asked at every decision, and hardly ever so."""

from __future__ import annotations


class Revealing:
    """Answers for the cells of one plan, `first` to `end`; `first` is 0 where nothing can be revealed.

    `clean` are the cells in which nothing was when they were last asked; whoever reveals something in them puts None there.
    """

    def __init__(self, first: int, end: int) -> None:
        self.first = first
        self.end = end
        self.none = [0] * (end - first)
        self.clean: list[int] | None = None

    def is_any(self, s: list[int]) -> bool:
        """Whether any piece is revealed to anybody."""
        if s is self.clean or not self.first:
            return False
        if s[self.first : self.end] != self.none:
            return True
        self.clean = s
        return False
