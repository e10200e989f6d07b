"""What instructions call to direct the flow: frames, outcomes, fuel, branches. All of it works on the cells of a state alone."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from typing import Any

from gdl.interpreter import cells as c
from gdl.interpreter.faults import RuleFault
from gdl.interpreter.hashing import shown
from gdl.interpreter.plan import Plan
from gdl.values import NONE

State = list[int]
MOST_CANDIDATES = 20_000
MOST_NESTED = 100
"""How deep triggers may cause each other as functions."""


class Control:
    """The functions, for one game. `exits` and `turn_ends` are the instructions at which phases and turns end, by phase number."""

    def __init__(self, plan: Plan, threads: int, root: int) -> None:
        self.plan = plan
        self.threads = threads
        self.root = root
        self.exits: list[int] = []
        self.turn_ends: list[int] = []
        self.parents: list[int] = []
        self.names: list[str] = []
        self.candidates = 0
        self.level = 0
        self.branch_size = 0
        self.shadow = 0
        self.sealed = 0
        self.on_unseal: Callable[[State], None] | None = None
        self.is_hidden: Callable[[State, int, int], bool] | None = None
        self.arranged: Callable[[State, Sequence[int], int], list[int]] | None = None

    def functions(self) -> dict[str, Callable[..., Any]]:
        """All of them by the names that the text uses."""
        names = (
            "set_won set_lost set_tied end_turn end_phase clear kept_list kept_lists clear_list keep_moves keep_move "
            "moves_kept emptied "
            "deeper shallower spend refresh make_room no_move greatest weighed first_of_alike within_or_none seat_after fork "
            "set_choices can_choose"
        )
        named = {name: getattr(self, name) for name in names.split()}
        return {**named, "keep_list": store_list, "keep_lists": store_lists, "store_list": store_list, "store_set": store_set}

    # --- outcomes -----------------------------------------------------------------------------------------------------

    def set_won(self, s: State, players: Iterable[int]) -> None:
        """These have won."""
        for seat in players:
            s[c.OUTCOMES + seat] = 1
        s[c.OVER] = 1

    def set_lost(self, s: State, players: Iterable[int]) -> bool:
        """These have lost; whether that ends the game."""
        plan = self.plan
        for seat in players:
            s[c.OUTCOMES + seat] = -1
            s[plan.out + seat] = 1
        left = [seat for seat in range(plan.players) if not s[plan.out + seat]]
        if len(left) > 1:
            return False
        if len(left) == 1 and plan.players > 1:
            s[c.OUTCOMES + left[0]] = 1
        s[c.OVER] = 1
        return True

    def set_tied(self, s: State) -> None:
        """Nobody has won."""
        s[c.TIED] = 1
        s[c.OVER] = 1

    # --- frames -------------------------------------------------------------------------------------------------------

    def clear(self, s: State, first: int, end: int) -> None:
        """Forget cells."""
        s[first:end] = (0,) * (end - first)

    def unseal(self, s: State) -> None:
        """Forget how all was at the fork: from now on everybody sees everything again."""
        if self.shadow and s[self.shadow]:
            self.clear(s, self.shadow, self.shadow + 1 + self.sealed)
            if self.on_unseal is not None:
                self.on_unseal(s)

    def _unwind(self, s: State, place: int) -> int:
        """Drop all frames and branches and go on in the phases' own frame."""
        self.unseal(s)
        end = len(s)
        self.clear(s, self.root, end)
        main = self.threads
        for branch in range(self.branch_count()):
            first = main + (branch + 1) * c.THREAD_CELLS
            s[first : first + 4] = [0, 0, 0, 0]
        s[c.THREAD] = main
        s[main] = place
        s[main + c.THREAD_FRAME] = self.root
        s[main + c.THREAD_STATUS] = c.RUNNING
        return c.RELOAD

    def branch_count(self) -> int:
        """How many branches there can be at once."""
        return self.plan.players if self.branch_size else 0

    def end_turn(self, s: State) -> int:
        """To the end of the running turn."""
        phase = s[c.PHASE]
        while phase >= 0 and self.turn_ends[phase] < 0:
            phase = self.parents[phase]
        if phase < 0:
            raise RuleFault("fault-flow", "`end_turn` where no turn is running")
        s[c.PHASE] = phase
        return self._unwind(s, self.turn_ends[phase])

    def end_phase(self, s: State, name: str | None) -> int:
        """To the end of the innermost running phase, or of the one named."""
        phase = s[c.PHASE]
        while name is not None and phase >= 0 and self.names[phase] != name:
            phase = self.parents[phase]
        if phase < 0:
            what = f"the phase `{name}` is not running" if name is not None else "no phase is running"
            raise RuleFault("fault-flow", f"`end_phase`, but {what}")
        return self._unwind(s, self.exits[phase])

    def make_room(self, s: State, end: int, name: str) -> None:
        """A call whose frame ends behind the cells that there are, or behind those that its thread may use."""
        if end > s[s[c.THREAD] + c.THREAD_LIMIT]:
            raise RuleFault("fault-depth", f"calls in each other are more than {self.plan.depth} deep, here of `{name}`")
        s += [0] * (end - len(s))

    def no_move(self) -> None:
        """A decision without a legal move, `else` or `pass`."""
        raise RuleFault("fault-no-move", "there is nothing to choose here, and no `else:` says what happens then")

    # --- bounds -------------------------------------------------------------------------------------------------------

    def deeper(self) -> None:
        """A trigger begins inside what caused it."""
        self.level += 1
        if self.level > MOST_NESTED:
            self.level = 0
            raise RuleFault("fault-fuel", f"triggers cause each other more than {MOST_NESTED} deep")

    def shallower(self) -> None:
        """A trigger is done."""
        self.level -= 1

    def refresh(self) -> None:
        """A decision's candidates are about to be listed."""
        self.candidates = 0

    def spend(self) -> None:
        """One more candidate."""
        self.candidates += 1
        if self.candidates > MOST_CANDIDATES:
            raise RuleFault(
                "fault-candidates",
                f"this decision has more than {MOST_CANDIDATES:,} candidates; choose one parameter after the other",
            )

    # --- lists in cells -----------------------------------------------------------------------------------------------

    def kept_list(self, s: State, first: int) -> tuple[int, ...]:
        """Read a list."""
        return tuple(s[first + 1 : first + 1 + s[first]])

    def kept_lists(self, s: State, first: int) -> tuple[tuple[int, ...], ...]:
        """Read a list of lists."""
        found: list[tuple[int, ...]] = []
        place, end = first + 1, first + 1 + s[first]
        while place < end:
            found.append(tuple(s[place + 1 : place + 1 + s[place]]))
            place += 1 + s[place]
        return tuple(found)

    def clear_list(self, s: State, first: int) -> None:
        """Forget a list."""
        self.clear(s, first, first + 1 + s[first])

    def keep_moves(self, s: State, first: int, pairs: Sequence[tuple[int, int]]) -> None:
        """Write what moved: each piece, where it came from, where it is now."""
        flat = [x for piece, source in pairs for x in (piece, source, s[self.plan.at + piece])]
        s[first] = len(flat)
        s[first + 1 : first + 1 + len(flat)] = flat

    def keep_move(self, s: State, first: int, piece: int, to: int) -> None:
        """Move one piece, and write what moved."""
        source = self.plan.mover.move(s, piece, to)
        if source == to:
            s[first] = 0
        else:
            s[first : first + 4] = (3, piece, source, to)

    def moves_kept(self, s: State, first: int) -> list[tuple[int, int, int]]:
        """Read what moved."""
        flat = s[first + 1 : first + 1 + s[first]]
        return list(zip(flat[::3], flat[1::3], flat[2::3], strict=True))

    def emptied(self, s: State, moved: Sequence[tuple[int, int, int]], low: int, high: int) -> tuple[int, ...]:
        """The spaces of a zone that moves have emptied, each once, in order of the moves."""
        sources = dict.fromkeys(source for _, source, _ in moved if low <= source < high)
        return tuple(space for space in sources if not self.plan.mover.count(s, space))

    def within_or_none(self, value: int, low: int, high: int) -> int:
        """A number in a range, or none."""
        if value != NONE and not low <= value <= high:
            raise RuleFault("fault-range", f"the value {value} is outside {low}..{high}")
        return value

    # --- decisions and chance -----------------------------------------------------------------------------------------

    def greatest(self, rated: list[tuple[Any, int]]) -> list[Any]:
        """Of the legal moves only those with the greatest `most:`."""
        best = max((value for _, value in rated), default=0)
        return [move for move, value in rated if value == best]

    def weighed(self, s: State, values: Sequence[int], pieces: bool) -> list[tuple[int, int]]:
        """The outcomes of a `pick`, alike pieces together."""
        if not values:
            raise RuleFault("fault-none", "`pick` from nothing")
        if not pieces:
            return [(value, 1) for value in values]
        weights: dict[Any, list[int]] = {}
        for piece in values:
            weights.setdefault(self._likeness(s, piece), [piece, 0])[1] += 1
        return [(first, weight) for first, weight in weights.values()]

    def set_choices(
        self, s: State, domain: Sequence[int], chosen: Sequence[int], low: int, pieces: bool, passing: int, seat: int
    ) -> list[tuple[int, ...]]:
        """The moves at a decision over a set: elements behind those chosen (0), `done` (1), and `pass` if nothing is chosen yet.

        Of alike pieces the first that are left are chosen first, so that equal sets come once. Pieces that the seat does not see come in
        an order that does not tell what they are; should that be another one by now, what is left is offered in any order.
        """
        if pieces and self.arranged is not None:
            domain = self.arranged(s, domain, seat)
        places = [domain.index(value) for value in chosen]
        in_order = places == sorted(places)
        last = places[-1] if places and in_order else -1
        seen: set[Any] = set()
        found: list[tuple[int, ...]] = []
        for place, value in enumerate(domain):
            likeness = self._likeness_to(s, value, seat) if pieces else value
            is_left = place > last and (in_order or value not in chosen)
            if is_left and likeness not in seen and (not in_order or len(domain) - place >= low - len(chosen)):
                found.append((0, value))
            if value not in chosen:
                seen.add(likeness)
        if found and len(chosen) >= low:
            found.append((1,))
        if found and passing >= 0 and not chosen:
            found.append((passing,))
        return found

    def can_choose(self, s: State, domain: Sequence[int], chosen: Sequence[int], low: int, pieces: bool, seat: int) -> bool:
        """Whether there is an element to choose at a decision over a set."""
        if not chosen:
            return len(domain) >= max(low, 1)
        return any(move[0] == 0 for move in self.set_choices(s, domain, chosen, low, pieces, -1, seat))

    def first_of_alike(self, s: State, pieces: Iterable[int], seat: int) -> list[int]:
        """Pieces without those that are alike one before them. `seat`: who chooses; NONE if nobody does."""
        seen: set[Any] = set()
        found = []
        for piece in pieces:
            likeness = self._likeness_to(s, piece, seat)
            if likeness not in seen:
                seen.add(likeness)
                found.append(piece)
        return found

    def _likeness_to(self, s: State, piece: int, seat: int) -> Any:
        """The same to a seat: what it does not see is like nothing else, since how many are alike would tell."""
        if seat >= 0 and piece >= 0 and self.is_hidden is not None and self.is_hidden(s, piece, seat):
            return ("hidden", piece)
        return self._likeness(s, piece)

    def _likeness(self, s: State, piece: int) -> Any:
        """Equal for pieces that nothing tells apart: of one class, in one unordered space, with equal variables."""
        plain = self._plain_classes[piece] if piece >= 0 else NONE
        if plain != NONE:
            place = s[self.plan.at + piece]
            if place not in self._ordered_spaces:
                return (plain, place, s[self.plan.revealed + piece] if self.plan.revealed else 0)
        plan = self.plan
        if piece < 0 or plan.kind_of_piece[piece].info.name not in plan.alike:
            return piece
        space = s[plan.at + piece]
        if plan.zone_of_space[space].stack:
            return piece
        return (plan.alike_class[piece], space, *shown(plan, s, piece))

    @cached_property
    def _plain_classes(self) -> tuple[int, ...]:
        """For each piece its class, if only its place can tell it from its equals; else NONE."""
        plan = self.plan
        return tuple(plan.alike_class[piece] if plan.is_plain(piece) else NONE for piece in range(plan.piece_count))

    @cached_property
    def _ordered_spaces(self) -> frozenset[int]:
        """The spaces that keep the order of their pieces."""
        return frozenset(space for space, zone in enumerate(self.plan.zone_of_space) if zone.stack)

    def seat_after(self, order: Sequence[int], seat: int) -> int:
        """The seat after a seat in an order given as a list."""
        if seat not in order:
            return order[0] if order else seat
        return order[(order.index(seat) + 1) % len(order)]

    # --- branches -----------------------------------------------------------------------------------------------------

    def fork(self, s: State, frame: int, seats: Sequence[int], branch: int, after: int, slot: int, size: int, sealed: bool) -> None:
        """Make a branch for each seat, with a copy of the running frame whose cell `slot` is the seat."""
        main = self.threads
        if s[c.THREAD] != main:
            raise RuleFault("fault-flow", "`together` inside `together`")
        s[main] = after
        s[main + c.THREAD_STATUS] = c.IDLE
        if sealed:
            s[self.shadow : self.shadow + 1 + self.sealed] = [1, *s[: self.sealed]]
            for cell in (c.RANDOM, c.TURNS):  # neither can be seen, nor is part of what makes two states equal
                s[self.shadow + 1 + cell] = 0
        first_frame = s[main + c.THREAD_LIMIT]
        for number, seat in enumerate(sorted(set(seats))):
            thread = main + (number + 1) * c.THREAD_CELLS
            base = first_frame + number * self.branch_size
            s[base : base + size] = s[frame : frame + size]
            s[base + slot] = seat
            s[thread : thread + c.THREAD_CELLS] = [branch, base, c.RUNNING, seat, base + self.branch_size]


def store_list(s: State, first: int, values: Sequence[int], room: int) -> None:
    """Write a list: its length, then its elements."""
    if len(values) > room:
        raise RuleFault("fault-size", f"a list of {len(values)} is kept where there is room for {room}")
    old = s[first]
    s[first] = len(values)
    s[first + 1 : first + 1 + len(values)] = values
    if old > len(values):
        s[first + 1 + len(values) : first + 1 + old] = [0] * (old - len(values))


def store_lists(s: State, first: int, values: Sequence[Sequence[int]], room: int) -> None:
    """Write a list of lists as one list: of each its length, then its elements."""
    store_list(s, first, [number for each in values for number in (len(each), *each)], room)


def store_set(s: State, first: int, mask: int, words: int) -> None:
    """Write a set: its bits, 63 to a cell."""
    if mask < 0 or mask >> (63 * words):
        raise RuleFault("fault-range", "a set gets an element that its type does not have")
    for word in range(words):
        s[first + word] = mask >> (63 * word) & ((1 << 63) - 1)
