"""Other situations made from one: cells in which pieces have changed places, or hidden things are otherwise.

Works on the layout of cells directly and shares no code with what moves pieces in play, so that one is a test of the other.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import combinations

import gdl
from gdl import types
from gdl.interpreter.numbering import ZonePlan
from gdl.interpreter.plan import Plan, VariablePlan
from gdl.interpreter.view import sees_piece
from gdl.values import DIRECTIONS, NONE

WORD = 63
"""Pieces to a cell of an unordered space."""


def state_of(state: gdl.State, cells: list[int]) -> gdl.State:
    """Another situation of the same game, in which the same has been told."""
    return gdl.State(state.game, cells, state.explicit, told=state._told)


# --- where pieces lie -------------------------------------------------------------------------------------------------


def contents(plan: Plan, cells: list[int], space: int) -> list[int]:
    """The pieces in a space, as its own cells say."""
    zone = plan.zone_of_space[space]
    first = first_cell(zone, space)
    if zone.stack:
        return cells[first + 3 : first + 3 + cells[first]]
    return [piece for place, piece in enumerate(zone.holdable) if cells[first + place // WORD] >> place % WORD & 1]


def first_cell(zone: ZonePlan, space: int) -> int:
    """The first of the cells that hold the contents of a space."""
    return zone.contents + (space - zone.base) * zone.stride


def placed_pieces(plan: Plan) -> Iterator[int]:
    """The pieces that lie somewhere."""
    return (piece for piece in range(plan.piece_count) if plan.kind_of_piece[piece].info.at is not None or _has_row_place(plan, piece))


def _has_row_place(plan: Plan, piece: int) -> bool:
    kind = plan.kind_of_piece[piece]
    row = kind.rows[piece - kind.base]
    return row is not None and row.at is not None


def can_trade_places(plan: Plan, cells: list[int], one: int, other: int) -> bool:
    """Whether each of two pieces may lie where the other does."""
    here, there = cells[plan.at + one], cells[plan.at + other]
    return one in plan.zone_of_space[there].holdable and other in plan.zone_of_space[here].holdable


def with_places_traded(plan: Plan, cells: list[int], one: int, other: int) -> list[int]:
    """The cells in which each of two pieces lies where the other did."""
    result = cells[:]
    here, there = cells[plan.at + one], cells[plan.at + other]
    result[plan.at + one], result[plan.at + other] = there, here
    if here == there and not plan.zone_of_space[here].stack:
        return result
    for space in dict.fromkeys([here, there]):
        zone = plan.zone_of_space[space]
        trade = {one: other, other: one}
        _write(zone, result, space, [trade.get(piece, piece) for piece in contents(plan, cells, space)])
    return result


def _write(zone: ZonePlan, cells: list[int], space: int, pieces: list[int]) -> None:
    first = first_cell(zone, space)
    if zone.stack:
        low, high = cells[first + 1], cells[first + 2]
        cells[first + 3 : first + 3 + len(pieces)] = [*pieces[:low], *sorted(pieces[low:high]), *pieces[high:]]
        return
    for word in range(zone.words):
        cells[first + word] = 0
    for piece in pieces:
        place = zone.holdable.index(piece)
        cells[first + place // WORD] |= 1 << place % WORD


# --- alike pieces -----------------------------------------------------------------------------------------------------


def alike_pairs(plan: Plan, cells: list[int]) -> list[tuple[int, int]]:
    """Pieces that lie in different places and that no rule tells apart but by their place, face and variables."""
    found = []
    for kind in plan.kinds.values():
        if kind.info.name in plan.merged:
            pieces = range(kind.base, kind.end)
            found += [
                (one, other)
                for one, other in combinations(pieces, 2)
                if plan.alike_class[one] == plan.alike_class[other] and cells[plan.at + one] != cells[plan.at + other]
            ]
    return found


def with_pieces_traded(plan: Plan, cells: list[int], one: int, other: int) -> list[int]:
    """The cells in which two pieces have changed places, variables and faces: all but their numbers."""
    result = with_places_traded(plan, cells, one, other)
    for first, width in _variable_cells(plan, one):
        second = first + (other - one) * width
        result[first : first + width], result[second : second + width] = result[second : second + width], result[first : first + width]
    for first in (plan.faces, plan.revealed):
        if first:
            result[first + one], result[first + other] = result[first + other], result[first + one]
    return result


def _variable_cells(plan: Plan, piece: int) -> Iterator[tuple[int, int]]:
    """For each variable of a piece the first of its cells, and how many it has."""
    for info in plan.kind_of_piece[piece].info.variables.values():
        variable = plan.variables[info]
        width = variable.key_count * variable.width
        yield variable.first + (piece - variable.owner_base) * width, width


# --- what a seat can't see --------------------------------------------------------------------------------------------


def other_worlds(state: gdl.State, seat: int | None, generator: random.Random, most: int = 6) -> Iterator[gdl.State]:
    """Situations that a seat can't tell from this one: what it does not see is otherwise."""
    makers = [*hidden_pairs(state, seat), *hidden_moves(state, seat), *hidden_faces(state, seat), *hidden_variables(state, seat)]
    for cells in generator.sample(makers, min(most, len(makers))):
        yield state_of(state, cells)


def hidden_pieces(state: gdl.State, seat: int | None) -> list[int]:
    """The pieces whose faces a seat does not see."""
    return [piece for piece in placed_pieces(state.game.plan) if not sees_piece(state.game, state.cells, piece, seat)]


def hidden_pairs(state: gdl.State, seat: int | None) -> Iterator[list[int]]:
    """Two hidden pieces with the same back have changed places."""
    plan, cells = state.game.plan, state.cells
    for one, other in combinations(hidden_pieces(state, seat), 2):
        backs = {plan.kind_of_piece[piece].info.declaration.back for piece in (one, other)}
        if len(backs) == 1 and can_trade_places(plan, cells, one, other):
            made = with_places_traded(plan, cells, one, other)
            if made != cells and not any(sees_piece(state.game, made, piece, seat) for piece in (one, other)):
                yield made


def hidden_moves(state: gdl.State, seat: int | None) -> Iterator[list[int]]:
    """A hidden piece has gone from a space to another one, where both do not tell how many they hold."""
    plan, cells = state.game.plan, state.cells
    secret = [space for space in range(plan.space_count) if is_secret(plan, space, seat)]
    for here in secret:
        for piece in contents(plan, cells, here):
            for there in secret:
                if there != here and piece in plan.zone_of_space[there].holdable and not plan.zone_of_space[there].capacity:
                    made = cells[:]
                    made[plan.at + piece] = there
                    _write(plan.zone_of_space[here], made, here, [p for p in contents(plan, cells, here) if p != piece])
                    _write(plan.zone_of_space[there], made, there, sorted([*contents(plan, cells, there), piece]))
                    if not sees_piece(state.game, cells, piece, seat) and not sees_piece(state.game, made, piece, seat):
                        yield made


def is_secret(plan: Plan, space: int, seat: int | None) -> bool:
    """Whether a space hides from a seat how many pieces it holds. Stacks are left aside."""
    zone = plan.zone_of_space[space]
    keys = zone.copies[(space - zone.base) // zone.per_copy]
    owner = keys[0] if keys and zone.info.per[0].form == "player" else None
    return zone.info.declaration.secret and not zone.stack and (seat is None or owner != seat)


def hidden_faces(state: gdl.State, seat: int | None) -> Iterator[list[int]]:
    """A hidden die shows its next face."""
    plan = state.game.plan
    for piece in hidden_pieces(state, seat):
        faces = plan.face_values.get(plan.kind_of_piece[piece].info.name)
        if faces is not None and len(faces) > 1:
            made = state.cells[:]
            made[plan.faces + piece] = (made[plan.faces + piece] + 1) % len(faces)
            yield made


def hidden_variables(state: gdl.State, seat: int | None) -> Iterator[list[int]]:
    """A variable that the seat may not see has another value."""
    plan = state.game.plan
    for info, variable in plan.variables.items():
        visible = info.declaration.visible if info.declaration is not None else None
        if visible not in ("none", "owner") or info.holder.form == "kind":
            continue
        for place in range(variable.owners * variable.key_count):
            is_own = visible == "owner" and owner_of(state.game, variable, place) == seat
            first = variable.first + place * variable.width
            if not is_own and variable.width == 1 and info.domain.form in ("range", "bool", "symbol", "player"):
                made = state.cells[:]
                made[first] = next_value(plan, variable, made[first])
                if made != state.cells:
                    yield made


def owner_of(game: gdl.Game, variable: VariablePlan, place: int) -> int:
    """The seat whose value of a variable it is; NONE if it is nobody's."""
    owner, key = divmod(place, variable.key_count)
    info = variable.info
    if info.per and info.per[0].form == "player":
        return key // (variable.key_count // game.players)
    if info.holder.form == "zone":
        zone = game.plan.zones[info.holder.name]
        keys = zone.copies[owner // zone.per_copy]
        return keys[0] if keys and zone.info.per[0].form == "player" else NONE
    return NONE


def next_value(plan: Plan, variable: VariablePlan, value: int) -> int:
    """The value of its type that follows a value."""
    values = values_of(plan, variable)
    return values[(values.index(value) + 1) % len(values)] if value in values else values[0]


def values_of(plan: Plan, variable: VariablePlan) -> range | tuple[int, ...]:
    """The values of a variable's type, without `none`."""
    match types.without_none(variable.info.domain.type):
        case types.BOOL:
            return range(2)
        case types.PLAYER:
            return range(plan.players)
        case types.DIRECTION:
            return range(len(DIRECTIONS))
        case types.EnumType(symbols=symbols):
            return tuple(symbols)
        case types.PieceType(kinds=kinds):
            chosen = [plan.kinds[name] for name in kinds or plan.kinds]
            return tuple(piece for kind in chosen for piece in range(kind.base, kind.end))
        case types.SpaceType(zones=zones):
            return tuple(space for name in zones or plan.zones for space in range(plan.zones[name].base, plan.zones[name].end))
    return range(variable.low, variable.high + 1)
