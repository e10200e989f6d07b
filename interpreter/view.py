"""What a seat can see: the part of a state that it may know, as plain data."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from gdl import typed, types
from gdl.interpreter.moves import Move
from gdl.interpreter.numbering import ZonePlan
from gdl.types import Type
from gdl.values import NONE

if TYPE_CHECKING:
    from gdl.interpreter.game import Game
    from gdl.interpreter.state import State


def observe(state: State, seat: int | None) -> Mapping[str, Any]:
    """The observation of a seat, or of somebody who looks on (none). Pieces that can't be seen stand as their back, or `?`."""
    game = state.game
    cells = sealed_cells(game, state.cells, seat)
    found: dict[str, Any] = {
        "game": game.name,
        "seat": seat,
        "terminal": state.is_terminal(),
        "deciders": _deciders(state, seat, sealed=cells is not state.cells),
        **facts(game, cells, seat),
    }
    if told := state.told(seat):
        found["log"] = list(told)
    return found


def _deciders(state: State, seat: int | None, *, sealed: bool) -> list[int]:
    """Who decides, as far as a seat may know. Under seal: whether it does itself, even while chance is due in another branch."""
    if not sealed:
        return list(state.deciders())
    if state.is_chance():
        return [seat] if seat is not None and state.game.machine.is_asked(state.cells, seat) else []
    return [p for p in state.deciders() if p == seat]


def facts(game: Game, cells: list[int], seat: int | None) -> dict[str, Any]:
    """What a seat sees in cells: variables, dice and what lies where."""
    return {
        "variables": _variables(game, cells, seat),
        "dice": _dice(game, cells),
        "zones": {name: _zone(game, cells, zone, seat) for name, zone in game.plan.zones.items()},
    }


def sealed_cells(game: Game, s: list[int], seat: int | None) -> list[int]:
    """The cells as a seat knows them inside a sealed `together`: all as it was at the fork, but for what the seat owns.

    Its own are its slots of per-player variables, the spaces of its zones with their variables, and the pieces that lie or lay there.
    """
    build = game.build
    if not build.shadow or s[build.shadow] == 0:
        return s
    length = build.sealed
    known = [*s[build.shadow + 1 : build.shadow + 1 + length], *s[length:]]
    if seat is not None:
        for cell in _own_cells(game, s, known, seat):
            known[cell] = s[cell]
    return known


def _own_cells(game: Game, s: list[int], known: list[int], seat: int) -> Iterator[int]:
    """The cells that belong to a seat."""
    plan = game.plan
    for info, variable in plan.variables.items():
        for index in range(variable.owners * variable.key_count):
            owner, key = divmod(index, variable.key_count)
            if _whose(game, info, variable.owner_base + owner, key) == seat:
                first = variable.first + index * variable.width
                yield from range(first, first + variable.width)
    for zone in plan.zones.values():
        for place in range(zone.count):
            if _owner_of_space(zone, place) == seat:
                yield from range(zone.contents + place * zone.stride, zone.contents + (place + 1) * zone.stride)
    for piece in range(plan.piece_count):
        if plan.kind_of_piece[piece].info.at is not None and any(
            _owner_of_space(plan.zone_of_space[at], at - plan.zone_of_space[at].base) == seat
            for at in (s[plan.at + piece], known[plan.at + piece])
        ):
            yield plan.at + piece


def _owner_of_space(zone: ZonePlan, place: int) -> int:
    keys = zone.copies[place // zone.per_copy]
    return keys[0] if keys and zone.info.per[0].form == "player" else NONE


def _whose(game: Game, info: typed.VariableInfo, owner: int, key: int) -> int:
    """The seat that a value of a variable belongs to, or NONE."""
    variable = game.plan.variables[info]
    if info.per and info.per[0].form == "player":
        return key // (variable.key_count // game.players)
    if info.holder.form == "zone":
        zone = game.plan.zones[info.holder.name]
        return _owner_of_space(zone, owner - zone.base)
    if info.holder.form == "kind":
        kind = game.plan.kinds[info.holder.name]
        keys = kind.keys[owner - kind.base]
        return keys[0] if keys and kind.info.per[0].form == "player" else NONE
    return NONE


def information_state(state: State, seat: int) -> list[dict[str, Any]]:
    """What a seat observed, whenever that changed, and what it did; see `State.information_state`."""
    replay = state.restarted()
    found: list[dict[str, Any]] = [{"observed": observe(replay, seat)}]
    for entry in state.trail():
        if isinstance(entry, Move):
            replay.apply(entry)
            if entry.seat == seat:
                found.append({"did": str(entry)})
        else:
            replay.apply_chance(entry)
        if replay.is_chance() and sealed_cells(state.game, replay.cells, seat) is not replay.cells:
            continue  # that chance is due in a branch is not to be known by the others
        observed = observe(replay, seat)
        last = next(item["observed"] for item in reversed(found) if "observed" in item)
        if observed != last:
            found.append({"observed": observed})
    return found


def _variables(game: Game, s: list[int], seat: int | None) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for info in game.context.spec.variables.values():
        if game.plan.variables[info].owners:
            value = _values(game, s, info, 0, seat)
            if value is not HIDDEN:
                found[info.name] = value
    return found


HIDDEN = object()
"""Stands for a value that a seat may not see, until it is left out (or, in a list, shown as `?`)."""


def _values(game: Game, s: list[int], info: typed.VariableInfo, owner: int, seat: int | None) -> Any:
    """The value of a variable of an owner as a seat sees it; a list of them for one with keys; HIDDEN if it sees none."""
    plan = game.plan.variables[info]
    first = plan.first + owner * plan.key_count * plan.width
    found = [
        _value(game, s, info, first + i * plan.width) if sees_value(game, s, info, plan.owner_base + owner, i, seat) else HIDDEN
        for i in range(plan.key_count)
    ]
    if all(value is HIDDEN for value in found):
        return HIDDEN
    shown = ["?" if value is HIDDEN else value for value in found]
    return shown if plan.sizes else shown[0]


def sees_value(game: Game, s: list[int], info: typed.VariableInfo, owner: int, key: int, seat: int | None) -> bool:
    """Whether a seat may see a variable's value of an owner (a piece's or space's number) at one of its keys."""
    match info.visible:
        case "all":
            return True
        case "none":
            return False
        case "owner":
            return seat is not None and _whose(game, info, owner, key) == seat
    if seat is None or info.viewer is None or isinstance(info.visible, str):
        return False
    known = {info.viewer: seat}
    if info.this is not None:
        known[info.this] = owner
    if info.seat is not None:
        known[info.seat] = _whose(game, info, owner, key)
    return bool(game.evaluate(info.visible, s, known))


def _value(game: Game, s: list[int], info: typed.VariableInfo, first: int) -> Any:
    plan = game.plan.variables[info]
    if info.domain.form == "list":
        element = info.domain.element
        kept = s[first + 1 : first + 1 + s[first]]
        return [_plain(game, v, element.type if element is not None else types.ERROR) for v in kept]
    if info.domain.form == "set":
        mask = 0
        for word in range(plan.width):
            mask |= s[first + word] << (63 * word)
        mask <<= plan.shift
        element = info.domain.element
        type_ = element.type if element is not None else types.ERROR
        return [_plain(game, n, type_) for n in range(mask.bit_length()) if mask >> n & 1]
    return _plain(game, s[first], info.domain.type)


def _plain(game: Game, value: int, type_: Type) -> Any:
    """A value as JSON has it: numbers and truth values as such, none as null, seats as numbers, all else by name."""
    if value == NONE:
        return None
    inner = types.without_none(type_)
    if inner == types.BOOL:
        return bool(value)
    if inner in (types.INT, types.PLAYER):
        return value
    return game.names.exact(value, inner)


def _dice(game: Game, s: list[int]) -> dict[str, Any]:
    """What dice show that lie in no zone."""
    found: dict[str, Any] = {}
    for name, kind in game.plan.kinds.items():
        if name in game.plan.face_values and kind.info.at is None:
            for piece in range(kind.base, kind.end):
                found[game.names.piece(piece)] = _face(game, s, name, piece)
    return found


def _face(game: Game, s: list[int], kind: str, piece: int) -> Any:
    place = s[game.plan.faces + piece]
    value = game.plan.face_values[kind][place]
    return game.plan.symbol_name(game.plan.face_symbols[kind][place]) if value == NONE else value


def _zone(game: Game, s: list[int], zone: ZonePlan, seat: int | None) -> list[dict[str, Any]]:
    found = []
    for space in range(zone.base, zone.end):
        entry: dict[str, Any] = {"space": game.names.space(space)}
        for info in zone.info.variables.values():
            value = _values(game, s, info, space - zone.base, seat)
            if value is not HIDDEN:
                entry[info.name] = value
        pieces = game.build.module.namespace["pieces_at"](s, space)
        if zone.info.declaration.secret and not _may_look(zone, space, seat):
            entry["secret"] = True
        elif zone.holdable and pieces:
            shown = [(p, _piece(game, s, zone, space, p, seat, p == pieces[-1])) for p in pieces]
            if not zone.stack:
                shown.sort(key=lambda item: _order(game, *item))
            entry["pieces"] = [piece for _, piece in shown]
        if len(entry) > 1:
            found.append(entry)
    return found


def _order(game: Game, piece: int, entry: Mapping[str, Any]) -> tuple[int, int, int, str]:
    """In an unordered space: what is seen by number, alike pieces by what they show; what is hidden behind that, by its back."""
    kind = game.plan.kind_of_piece[piece]
    if entry.get("hidden"):
        return (1, 0, 0, str(entry["piece"]))
    if kind.info.name in game.plan.alike:
        return (0, kind.base, game.plan.alike_class[piece], json.dumps(entry, sort_keys=True))
    return (0, kind.base, piece, "")


def _may_look(zone: ZonePlan, space: int, seat: int | None) -> bool:
    """Whether a seat may look into a space whose contents are secret: its owner, or everybody where all is visible."""
    if zone.info.visible == "all":
        return True
    return zone.info.visible == "owner" and seat is not None and _owner_of_space(zone, space - zone.base) == seat


def may_look_into(game: Game, space: int, seat: int | None) -> bool:
    """Whether a seat may know how many pieces a space holds."""
    zone = game.plan.zone_of_space[space]
    return not zone.info.declaration.secret or _may_look(zone, space, seat)


def _piece(game: Game, s: list[int], zone: ZonePlan, space: int, piece: int, seat: int | None, last: bool) -> dict[str, Any]:
    kind = game.plan.kind_of_piece[piece]
    if not sees(game, s, zone, space, piece, seat, last):
        return {"piece": kind.info.declaration.back or "?", "hidden": True}
    name = game.plan.alike_name(piece) if kind.info.name in game.plan.alike else game.names.piece(piece)
    entry: dict[str, Any] = {"piece": name}
    for info in kind.info.variables.values():
        value = _values(game, s, info, piece - kind.base, seat)
        if value is not HIDDEN:
            entry[info.name] = value
    if kind.info.name in game.plan.face_values:
        entry["face"] = _face(game, s, kind.info.name, piece)
    return entry


def sees_piece(game: Game, s: list[int], piece: int, seat: int | None) -> bool:
    """Whether a seat may see the face of a piece where it lies."""
    space = s[game.plan.at + piece]
    zone = game.plan.zone_of_space[space]
    last = zone.info.visible == "top" and game.build.module.namespace["pieces_at"](s, space)[-1] == piece
    return sees(game, s, zone, space, piece, seat, last)


def sees(game: Game, s: list[int], zone: ZonePlan, space: int, piece: int, seat: int | None, last: bool) -> bool:
    """Whether a seat may see the face of a piece in a space; `last`: it lies on top."""
    if game.plan.revealed and s[game.plan.revealed + piece] >> (game.players if seat is None else seat) & 1:
        return True
    match zone.info.visible:
        case "all":
            return True
        case "none":
            return False
        case "top":
            return last
        case "owner":
            keys = zone.copies[(space - zone.base) // zone.per_copy]
            return bool(keys) and keys[0] == seat
    if seat is None or zone.info.viewer is None or zone.info.it is None or isinstance(zone.info.visible, str):
        return False
    return bool(game.evaluate(zone.info.visible, s, {zone.info.viewer: seat, zone.info.it: piece}))
