"""The machine: runs instructions until somebody has to decide, chance is asked for, or the game is over.

It keeps nothing of its own between calls: where it stands is in the state's cells.
"""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate
from operator import itemgetter
from typing import Any, Final

from gdl.interpreter import cells as c
from gdl.interpreter.build import Build
from gdl.interpreter.chance import index_below
from gdl.interpreter.choices import Chance, Decision
from gdl.interpreter.faults import FAILURES, Ended
from gdl.interpreter.revealing import Revealing
from gdl.interpreter.told import UNSEALED, Line

_weight: Final = itemgetter(1)
Listed = tuple[list[int], "Decision | None", int, int, list[tuple[int, ...]]]
"""Cells, the one decision that waits in them, its frame, whose it is and what that seat can choose. Every move makes one: a plain tuple."""
_NOT_LISTED: Final[Listed] = ([], None, 0, 0, [])


class Machine:
    """Runs the states of one game."""

    def __init__(self, build: Build) -> None:
        self.code = build.code
        self.decisions = build.decisions
        self.chances = build.chances
        self.main = build.threads
        self.branches = range(
            self.main + c.THREAD_CELLS,
            self.main + c.THREAD_CELLS * (1 + build.control.branch_count()),
            c.THREAD_CELLS,
        )
        self.control = build.control
        self.meter = build.emitter.meter
        self.least = build.least
        self.frame_sizes = build.frame_sizes
        self.on_chance: Any = None
        self.drawn = False
        self.running: list[int] | None = None
        self.told: list[Line | None] = []
        self.listed: Listed = _NOT_LISTED
        self.lists = False
        self.by_number = build.builder.decisions
        build.module.namespace["arrive"] = self._arrive
        self.control.on_unseal = self._unsealed
        self.revealing = build.plan.revealing if build.plan.revealed else None

    # --- running ------------------------------------------------------------------------------------------------------

    def _begin(self, s: list[int]) -> None:
        """Rules begin to run, with all the fuel there is; `told` will be what they tell, in order, and `UNSEALED` where a seal ends."""
        self.running = s
        self.told = []
        self.meter.begin()
        self.meter.running = True
        self.control.level = 0

    def _unsealed(self, s: list[int]) -> None:
        if s is self.running:
            self.told.append(UNSEALED)

    def run(self, s: list[int], explicit: bool) -> None:
        """On to the next decision, explicit chance event or end."""
        self._begin(s)
        try:
            self._go(s, s[s[c.THREAD]], explicit)
        except Ended:
            self._stop(s)
        finally:
            self.meter.running = False
        if len(s) > self.least:
            self.shorten(s)

    def shorten(self, s: list[int]) -> None:
        """Leave out the cells behind the frame that waits, which are all zero, so that equal situations have equally many.

        Where there are branches, none are left out.
        """
        thread = s[c.THREAD]
        end = 0 if s[c.OVER] else s[thread + c.THREAD_FRAME] + self.frame_sizes[s[thread]]
        del s[max(self.least, end) :]

    def _go(self, s: list[int], place: int, explicit: bool) -> None:
        code = self.code
        thread = s[c.THREAD]
        frame = s[thread + c.THREAD_FRAME]
        while True:
            while place >= 0:
                place = code[place](s, frame)
            if place == c.RELOAD:
                thread = s[c.THREAD]
                place, frame = s[thread], s[thread + c.THREAD_FRAME]
                continue
            if place == c.WAIT:
                s[thread + c.THREAD_STATUS] = c.WAITING
                if thread == self.main or not self._next_branch(s):
                    return
            elif place == c.STOP:
                self._stop(s)
                return
            elif place == c.ROLL:
                if explicit:
                    s[thread + c.THREAD_STATUS] = c.CHANCE
                    return
                place = self.draw(s, self.chances[s[thread]], frame)
                continue
            elif place == c.FORK:
                if not self._next_branch(s):
                    self._join(s)
            elif place == c.JOIN:
                s[thread + c.THREAD_STATUS] = c.DONE
                if not self._next_branch(s):
                    if any(s[b + c.THREAD_STATUS] in (c.WAITING, c.CHANCE) for b in self.branches):
                        return
                    self._join(s)
            thread = s[c.THREAD]
            place, frame = s[thread], s[thread + c.THREAD_FRAME]

    def draw(self, s: list[int], chance: Chance, frame: int) -> int:
        """Draw an outcome with the state's generator and go on with it."""
        self.drawn = True
        values = None if chance.equals is None else chance.equals(s, frame)
        if values:
            s[c.RANDOM], index = index_below(s[c.RANDOM], len(values))
            value = values[index]
        else:
            outcomes = chance.outcomes(s, frame)
            ends = list(accumulate(map(_weight, outcomes)))
            s[c.RANDOM], index = index_below(s[c.RANDOM], ends[-1] if ends else 0)
            value = outcomes[bisect_right(ends, index)][0]
        if self.on_chance is not None:
            self.on_chance(s, chance, frame, value)
        place: int = chance.enter(s, frame, value)
        return place

    def _stop(self, s: list[int]) -> None:
        """The game is over: nothing waits any more."""
        s[c.OVER] = 1
        self.control.unseal(s)
        s[c.THREAD] = self.main
        s[self.main] = 0
        s[self.main + c.THREAD_STATUS] = c.DONE
        first = self.control.root
        s[first:] = [0] * (len(s) - first)
        for branch in self.branches:
            s[branch : branch + c.THREAD_CELLS] = [0] * c.THREAD_CELLS

    def _next_branch(self, s: list[int]) -> bool:
        """Make the next branch that can run the running thread."""
        for branch in self.branches:
            if s[branch + c.THREAD_STATUS] == c.RUNNING:
                s[c.THREAD] = branch
                return True
        return False

    def _join(self, s: list[int]) -> None:
        """All branches are done: the main thread goes on."""
        self.control.unseal(s)
        for branch in self.branches:
            base, end = s[branch + c.THREAD_FRAME], s[branch + c.THREAD_LIMIT]
            if end:
                start = end - self.control.branch_size
                s[start:end] = [0] * (end - start)
            del base
            s[branch : branch + c.THREAD_CELLS] = [0] * c.THREAD_CELLS
        s[c.THREAD] = self.main
        s[self.main + c.THREAD_STATUS] = c.RUNNING

    # --- decisions ----------------------------------------------------------------------------------------------------

    def waiting(self, s: list[int]) -> list[tuple[int, Decision, int]]:
        """The threads that wait for somebody: the thread, its decision, its frame. None while a chance event is due in any of them."""
        if s[c.OVER]:
            return []
        main = self.main
        if s[main + c.THREAD_STATUS] == c.WAITING:
            return [(main, self.decisions[s[main]], s[main + c.THREAD_FRAME])]
        if any(s[b + c.THREAD_STATUS] == c.CHANCE for b in self.branches):
            return []
        return [(b, self.decisions[s[b]], s[b + c.THREAD_FRAME]) for b in self.branches if s[b + c.THREAD_STATUS] == c.WAITING]

    def chance(self, s: list[int]) -> tuple[int, Chance, int] | None:
        """The chance event that is asked for: its thread, the event, the frame."""
        for thread in (self.main, *self.branches):
            if not s[c.OVER] and s[thread + c.THREAD_STATUS] == c.CHANCE:
                return thread, self.chances[s[thread]], s[thread + c.THREAD_FRAME]
        return None

    def branch_seat(self, s: list[int], thread: int) -> int | None:
        """The seat whose sealed branch a thread is; none if it is not one."""
        shadow = self.control.shadow
        return s[thread + c.THREAD_SEAT] if shadow and s[shadow] and thread != self.main else None

    def is_asked(self, s: list[int], seat: int) -> bool:
        """Whether a seat's own branch is not done yet, whatever waits in others."""
        return any(s[b + c.THREAD_SEAT] == seat and s[b + c.THREAD_STATUS] in (c.WAITING, c.RUNNING) for b in self.branches)

    def decide(self, s: list[int], seat: int, place: int, move: tuple[int, ...], explicit: bool) -> None:
        """Carry out a legal move of a seat at the decision that waits at `place`, and run on."""
        thread = self.main
        if s[thread + c.THREAD_STATUS] != c.WAITING:
            thread = self._branch_of(s, seat, place)
            self._wake(s)
            s[c.THREAD] = thread
        revealing = self.revealing
        if revealing is not None and s is not revealing.clean and revealing.is_any(s):
            self._hide(s, seat, revealing)
        enter = self.decisions[place].enter[move[0]]
        self._begin(s)
        try:
            self._go(s, enter(s, s[thread + c.THREAD_FRAME], seat, *move[1:]), explicit)
        except Ended:
            self._stop(s)
        finally:
            self.meter.running = False
        if len(s) > self.least:
            self.shorten(s)

    def _hide(self, s: list[int], seat: int, revealing: Revealing) -> None:
        """What was revealed to a seat is no longer before its eyes once it has decided, nor before those who look on."""
        keep = ~(1 << seat | 1 << self.control.plan.players)
        for cell in range(revealing.first, revealing.end):
            s[cell] &= keep

    def _arrive(self, s: list[int], frame: int, seat: int, number: int) -> bool:
        """Whether a seat has a legal move at a decision, which waits if so.

        Outside branches nothing happens any more between here and the move. So where moves were listed the last time, they are listed at
        once, unless that costs much more, and kept for who asks. What fails there fails again when it is asked for.
        """
        decision = self.by_number[number]
        self.listed = _NOT_LISTED
        if self.lists and decision.drawable is None and s[c.THREAD] == self.main and s is self.running:
            work = self.meter.work
            try:
                choices = decision.all(s, frame, seat)
            except FAILURES:
                self.meter.work = work
            else:
                if not choices:
                    return False
                self.listed = s, decision, frame, seat, choices
                self.lists = False
                return True
        found: bool = decision.any(s, frame, seat)
        return found

    def _branch_of(self, s: list[int], seat: int, place: int) -> int:
        """The branch in which a seat decides at a place."""
        for branch in self.branches:
            waits = s[branch] == place and s[branch + c.THREAD_STATUS] == c.WAITING
            if waits and seat in self.decisions[place].seats(s, s[branch + c.THREAD_FRAME]):
                return branch
        raise RuntimeError("no branch waits for this move")

    def _wake(self, s: list[int]) -> None:
        """After a move every other waiting branch looks at its decision again."""
        for branch in self.branches:
            if s[branch + c.THREAD_STATUS] == c.WAITING:
                s[branch + c.THREAD_STATUS] = c.RUNNING

    def settle(self, s: list[int], thread: int, chance: Chance, value: int, explicit: bool) -> None:
        """Go on with an outcome that was given."""
        s[c.THREAD] = thread
        s[thread + c.THREAD_STATUS] = c.RUNNING
        self._begin(s)
        try:
            self._go(s, chance.enter(s, s[thread + c.THREAD_FRAME], value), explicit)
        except Ended:
            self._stop(s)
        finally:
            self.meter.running = False
        if len(s) > self.least:
            self.shorten(s)
