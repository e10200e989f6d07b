"""A situation as a seat may imagine it: all that it sees as it is, all that it can't see made up. From a state to another one.

What is made up comes from the observation and a stream alone: states that look alike to a seat give the same imagined one. So whatever
is tried on it tells nothing hidden, and nothing of what chance will bring. Hidden pieces with equal backs are dealt anew to the
places where such pieces lie, hidden dice show any face, hidden variables have any value. Under seal the others have not decided,
and will not.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final

from attrs import frozen

from gdl import types
from gdl.interpreter import cells as c
from gdl.interpreter.chance import Stream
from gdl.interpreter.contents import WORD
from gdl.interpreter.game import Game
from gdl.interpreter.hashing import remembering
from gdl.interpreter.moves import Move
from gdl.interpreter.numbering import ZonePlan
from gdl.interpreter.offering import blind_order
from gdl.interpreter.plan import Plan, VariablePlan
from gdl.interpreter.secrecy import is_hidden
from gdl.interpreter.state import State
from gdl.interpreter.view import may_look_into, sealed_cells, sees_piece, sees_value
from gdl.types import Type
from gdl.values import NONE

_ALL: Final = 1 << 64
_SIMPLE: Final = ("bool", "range", "symbol", "player", "direction")
_MANY: Final = 100
"""Of a number that may be anything below this, each value is as likely; greater ones are counts that are rather what they began as."""


@frozen(eq=False)
class World:
    """An imagined situation. `stands_for` has for each hidden piece the one that lies in its place there."""

    state: State
    stands_for: Mapping[int, int] = MappingProxyType({})

    def move(self, move: Move) -> Move:
        """What a move of the real situation is in this one."""
        if not self.stands_for:
            return move
        decision = move.game.machine.decisions[move.decision]
        locals_ = decision.alternatives[move.choice[0]].locals
        values = [self._value(v, local.type) for v, local in zip(move.choice[1:], locals_, strict=False)]
        return Move(move.game, move.decision, move.seat, (move.choice[0], *values))

    def _value(self, value: Any, type_: Type) -> Any:
        inner = types.without_none(type_)
        if isinstance(inner, types.ListType):
            return tuple(self._value(each, inner.element) for each in value) if isinstance(value, tuple) else value
        return self.stands_for.get(value, value) if isinstance(inner, types.PieceType) else value


def imagined(state: State, seat: int, stream: Stream) -> World:
    """A situation that looks to a seat like this one. Chance will bring other things in it."""
    game = state.game
    known = sealed_cells(game, state.cells, seat)
    s = known[:]
    if known is not state.cells:
        _leave_others_out(state, s, seat)
    s[c.RANDOM] = stream.index(_ALL)
    if not game.secrecy.is_needed:
        return World(State(game, s, explicit=False))
    _forget_variables(game, known, s, seat, stream)
    stands_for = _Deal(game, known, seat, stream).deal(s)
    _remember_otherwise(game, s, stands_for)
    return World(State(game, s, explicit=False), stands_for)


def _leave_others_out(state: State, s: list[int], seat: int) -> None:
    """Under seal the others are as they were when it began, and do nothing: what they have decided since is not known."""
    machine, size = state.game.machine, state.game.build.control.branch_size
    s[c.TURNS] = state.cells[c.TURNS]
    s[machine.main : machine.branches.stop] = state.cells[machine.main : machine.branches.stop]
    for branch in machine.branches:
        limit = s[branch + c.THREAD_LIMIT]
        if limit and s[branch + c.THREAD_SEAT] == seat:
            s[c.THREAD] = branch
        elif limit:
            s[branch], s[branch + c.THREAD_FRAME], s[branch + c.THREAD_STATUS] = 0, limit - size, c.DONE
            s[limit - size : limit] = [0] * size


def _forget_variables(game: Game, before: list[int], s: list[int], seat: int, stream: Stream) -> None:
    """Variables that a seat does not see have any value of their type, or, where there are too many, that of the start."""
    first = game.build.first
    for info, plan in game.plan.variables.items():
        if is_hidden(info):
            values = _values_of(game.plan, plan)
            for place in range(plan.owners * plan.key_count):
                owner, key = divmod(place, plan.key_count)
                if not sees_value(game, before, info, plan.owner_base + owner, key, seat):
                    cell = plan.first + place * plan.width
                    s[cell : cell + plan.width] = [values[stream.index(len(values))]] if values else first[cell : cell + plan.width]


def _values_of(plan: Plan, variable: VariablePlan) -> Sequence[int]:
    """The values of a variable's type, where it has few and simple ones."""
    if variable.width > 1 or variable.info.domain.form not in _SIMPLE or variable.high - variable.low >= _MANY:
        return ()
    return plan.domain_values(variable.info.domain, variable.low, variable.high)


class _Deal:
    """Deals the pieces that a seat does not see anew to the places where such pieces lie."""

    def __init__(self, game: Game, s: list[int], seat: int, stream: Stream) -> None:
        self.game = game
        self.plan = game.plan
        self.seat = seat
        self.stream = stream
        self.places: dict[str, list[int]] = {}
        self.held: dict[int, list[int]] = {}
        for zone in self.plan.zones.values():
            if zone.holdable and (zone.info.visible != "all" or zone.info.declaration.secret):
                for space in range(zone.base, zone.end):
                    self._look(s, zone, space)

    def _look(self, s: list[int], zone: ZonePlan, space: int) -> None:
        """Note the hidden pieces of a space: by their places in a stack, else in an order that tells nothing of them."""
        pieces = list(self.game.build.module.namespace["pieces_at"](s, space))
        if not zone.stack:
            pieces.sort(key=lambda piece: blind_order(s, piece))
        hidden = [piece for piece in pieces if not sees_piece(self.game, s, piece, self.seat)]
        if hidden:
            self.held[space] = pieces
            for piece in hidden:
                self.places.setdefault(self.game.disclosure.back(piece), []).append(piece)

    def deal(self, s: list[int]) -> dict[int, int]:
        """Change cells so; the answer has for each hidden piece the one that lies in its place."""
        stands_for: dict[int, int] = {}
        for back in sorted(self.places):
            stands_for |= self._dealt(s, self.places[back])
        spaces = {piece: self._space_of(s, piece) for piece in stands_for}
        lying: dict[int, list[int]] = {space: [p for p in pieces if p not in stands_for] for space, pieces in self.held.items()}
        for space, pieces in self.held.items():
            if may_look_into(self.game, space, self.seat):
                lying[space] = [stands_for.get(piece, piece) for piece in pieces]
        for piece, other in stands_for.items():
            space = spaces[piece]
            if not may_look_into(self.game, space, self.seat):
                space = self._any_secret(other, space, lying)
                lying[space].append(other)
            s[self.plan.at + other] = space
        for space, pieces in lying.items():
            self._write(s, space, pieces)
        self._forget(s, sorted(stands_for))
        return stands_for

    def _space_of(self, s: list[int], piece: int) -> int:
        return s[self.plan.at + piece]

    def _dealt(self, s: list[int], places: Sequence[int]) -> dict[int, int]:
        """For each of the pieces one that may lie in its place, all different."""
        pool = sorted(places)
        for place in range(len(pool) - 1, 0, -1):
            other = self.stream.index(place + 1)
            pool[place], pool[other] = pool[other], pool[place]
        zones = [self.plan.zone_of_space[self._space_of(s, piece)] for piece in places]
        if len(set(zones)) == 1:
            return dict(zip(places, pool, strict=True))
        holders = {zone: frozenset(zone.holdable) for zone in zones}
        taken: dict[int, int] = {}
        for number in range(len(places)):
            _match(number, pool, [holders[zone] for zone in zones], taken, set())
        return {places[number]: piece for piece, number in taken.items()}

    def _any_secret(self, piece: int, usual: int, lying: dict[int, list[int]]) -> int:
        """One of the spaces that do not tell how many pieces they hold and have room for a piece."""
        found = [space for space in self._secret_spaces() if self._has_room(piece, space, lying)]
        space = found[self.stream.index(len(found))] if found else usual
        lying.setdefault(space, [])
        return space

    def _secret_spaces(self) -> Iterator[int]:
        for zone in self.plan.zones.values():
            if zone.info.declaration.secret:
                yield from (space for space in range(zone.base, zone.end) if not may_look_into(self.game, space, self.seat))

    def _has_room(self, piece: int, space: int, lying: dict[int, list[int]]) -> bool:
        zone = self.plan.zone_of_space[space]
        return piece in zone.holdable and (zone.capacity is None or len(lying.get(space, ())) < zone.capacity)

    def _write(self, s: list[int], space: int, pieces: list[int]) -> None:
        zone = self.plan.zone_of_space[space]
        first = zone.contents + (space - zone.base) * zone.stride
        if zone.stack:
            low, high = (s[first + 1], s[first + 2]) if s[first] == len(pieces) else (0, 0)
            s[first : first + 3] = [len(pieces), low, high]
            s[first + 3 : first + 3 + len(pieces)] = [*pieces[:low], *sorted(pieces[low:high]), *pieces[high:]]
            return
        s[first : first + zone.words] = [0] * zone.words
        for piece in pieces:
            number = zone.holdable.index(piece)
            s[first + number // WORD] |= 1 << number % WORD

    def _forget(self, s: list[int], pieces: Sequence[int]) -> None:
        """Of a piece that is not seen nothing is known: neither its variables nor its face, nor who else has seen it."""
        plan, start = self.plan, self.game.build.first
        for piece in pieces:
            kind = plan.kind_of_piece[piece].info.name
            for first, width in plan.piece_variables[kind]:
                cell = first + piece * width
                s[cell : cell + width] = start[cell : cell + width]
            if kind in plan.face_values:
                s[plan.faces + piece] = self.stream.index(len(plan.face_values[kind]))
            if plan.revealed:
                s[plan.revealed + piece] = 0


def _match(number: int, pool: Sequence[int], holders: Sequence[frozenset[int]], taken: dict[int, int], tried: set[int]) -> bool:
    """Find a piece for a place, moving on those that others have taken if it must be; `taken` are the places by their pieces."""
    fitting = [piece for piece in pool if piece in holders[number] and piece not in tried]
    for piece in fitting:
        if piece not in taken:
            taken[piece] = number
            return True
    for piece in fitting:
        tried.add(piece)
        if _match(taken[piece], pool, holders, taken, tried):
            taken[piece] = number
            return True
    return False


def _remember_otherwise(game: Game, s: list[int], stands_for: Mapping[int, int]) -> None:
    """Running rules that remember a hidden piece remember the one that lies in its place."""
    if not stands_for:
        return
    for cell in remembering(game.plan, s):
        s[cell] = stands_for.get(s[cell], s[cell]) if s[cell] != NONE else NONE
