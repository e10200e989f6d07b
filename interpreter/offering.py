"""Legal moves as their seat may know them: a piece that it does not see is offered by where it lies, never by what it is.

The hidden pieces of a space are numbered: in a stack whose order is known by their place in it, from the bottom; else those that are
offered, by backs, and among equal backs in an order that comes from the state's generator, so that nobody can tell from a number which
piece it stands for. The list of moves follows these numbers too.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Any

from gdl import types
from gdl.interpreter import cells as c
from gdl.interpreter import view
from gdl.interpreter.chance import mix
from gdl.interpreter.choices import Decision
from gdl.interpreter.disclosure import pieces_in
from gdl.interpreter.memo import Memo
from gdl.interpreter.moves import Move
from gdl.interpreter.plan import Plan
from gdl.types import ListType, Type
from gdl.values import NONE

if TYPE_CHECKING:
    from gdl.interpreter.game import Game

_MASK = (1 << 64) - 1
_STEP = 0x9E3779B97F4A7C15


def blind_order(s: list[int], piece: int) -> int:
    """What hidden pieces of a space are ordered by: it comes from the state's generator and tells nothing of the piece."""
    return mix((s[c.RANDOM] + (piece + 1) * _STEP) & _MASK)


class Concealment:
    """What a seat does not see of the pieces that it is offered in one situation, and how that is written."""

    def __init__(self, game: Game, s: list[int], seat: int, offered: Collection[int]) -> None:
        self.game = game
        self.s = s
        self.seat = seat
        self.offered = offered
        self._seen: dict[int, bool] = {}
        self._numbers: dict[int, dict[int, int]] = {}

    def is_hidden(self, piece: int) -> bool:
        """Whether the seat does not see a piece."""
        if piece not in self._seen:
            self._seen[piece] = piece == NONE or self.game.disclosure.sees(self.s, piece, self.seat)
        return not self._seen[piece]

    def place(self, piece: int) -> tuple[int, int]:
        """Where a hidden piece lies: the space, and its number there."""
        space = self.s[self.game.plan.at + piece]
        if space not in self._numbers:
            self._numbers[space] = self._numbered(space)
        return space, self._numbers[space][piece]

    def _numbered(self, space: int) -> dict[int, int]:
        plan, s = self.game.plan, self.s
        zone = plan.zone_of_space[space]
        pieces = list(self.game.build.module.namespace["pieces_at"](s, space))
        if not zone.stack:
            hidden = sorted((piece for piece in pieces if piece in self.offered and self.is_hidden(piece)), key=self._order)
            return {piece: number for number, piece in enumerate(hidden, start=1)}
        first = zone.contents + (space - zone.base) * zone.stride
        low, high = s[first + 1], s[first + 2]
        pieces[low:high] = sorted(pieces[low:high], key=self._order)
        return {piece: number for number, piece in enumerate(pieces, start=1)}

    def _order(self, piece: int) -> tuple[str, int]:
        return self.game.disclosure.back(piece), blind_order(self.s, piece)

    def rank(self, piece: int) -> tuple[int, int, int]:
        """What pieces are ordered by: those that are seen in their own order, behind them the others by where they lie."""
        return (1, *self.place(piece)) if self.is_hidden(piece) else (0, piece, 0)

    def sign(self, piece: int) -> str:
        """A hidden piece as moves write it."""
        space, number = self.place(piece)
        return f"hidden({self.game.names.space(space)}, {number})"

    def label(self, piece: int) -> str:
        """A hidden piece as people read it."""
        space, number = self.place(piece)
        back = self.game.plan.kind_of_piece[piece].info.declaration.back or "piece"
        return f"{back} {number} of {self.game.names.space_label(space)}"

    # --- moves --------------------------------------------------------------------------------------------------------

    def offer(self, found: Sequence[tuple[Move, Sequence[Type]]]) -> tuple[Move, ...]:
        """Moves, given with the types of their values, as the seat may know them, in an order that tells no more."""
        keys = [self._place_in_list(move, types_) for move, types_ in found]
        orders: list[dict[Any, int]] = [{} for _ in range(max(len(key) for key in keys))]
        for key in keys:
            for order, part in zip(orders, key, strict=False):
                order.setdefault(part, len(order))
        ranks = [tuple(_rank(part, order) for part, order in zip(key, orders, strict=False)) for key in keys]
        ranked = sorted(zip(ranks, found, strict=True), key=lambda entry: entry[0])
        return tuple(self._concealed(move, types_) for _, (move, types_) in ranked)

    def _concealed(self, move: Move, types_: Sequence[Type]) -> Move:
        signs = tuple(self._sign(value, type_) for value, type_ in zip(move.choice[1:], types_, strict=False))
        if all(sign is None for sign in signs):
            return move
        hidden = {piece: self.label(piece) for piece in _pieces_of(move, types_) if self.is_hidden(piece)}
        return Move(move.game, move.decision, move.seat, move.choice, signs, hidden)

    def _place_in_list(self, move: Move, types_: Sequence[Type]) -> tuple[Any, ...]:
        """The parts of a choice that it is ordered by; of a hidden piece only where it lies."""
        return (move.choice[0], *(self._part(value, type_) for value, type_ in zip(move.choice[1:], types_, strict=False)))

    def _part(self, value: Any, type_: Type) -> Any:
        pieces = _pieces(value, type_)
        return tuple(self.rank(piece) for piece in pieces) if any(self.is_hidden(piece) for piece in pieces) else value

    def _sign(self, value: Any, type_: Type) -> str | None:
        pieces = _pieces(value, type_)
        if not any(self.is_hidden(piece) for piece in pieces):
            return None
        ordered = sorted(pieces, key=self.rank)
        written = [self.sign(piece) if self.is_hidden(piece) else self.game.names.piece(piece) for piece in ordered]
        return f"[{', '.join(written)}]" if isinstance(types.without_none(type_), ListType) else written[0]


def _rank(part: Any, order: dict[Any, int]) -> tuple[Any, ...]:
    """Parts that can be seen in the order in which they came, the others behind them by their places."""
    return (1, part) if isinstance(part, tuple) and part and isinstance(part[0], tuple) else (0, order[part])


def _pieces(value: Any, type_: Type) -> list[int]:
    """The pieces that a value is or lists."""
    inner = types.without_none(type_)
    if isinstance(inner, ListType):
        inner = types.without_none(inner.element)
    return pieces_in(lambda: (value,)) if isinstance(inner, types.PieceType) else []


def _pieces_of(move: Move, types_: Sequence[Type]) -> list[int]:
    return [piece for value, type_ in zip(move.choice[1:], types_, strict=False) for piece in _pieces(value, type_)]


class Sight:
    """Which moves certainly offer nothing hidden: what makes out most of them at once, from tables of the plan."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self._open: dict[int, tuple[bool, ...]] = Memo(self._open_to)
        self._places: dict[Decision, tuple[tuple[int, tuple[int, ...]], ...]] = Memo(self._places_of)

    def sees_all(self, s: list[int], decision: Decision, seat: int, choices: Sequence[tuple[Any, ...]]) -> bool:
        """Whether all pieces in choices of a seat lie where it sees whatever lies there. If not, it may still see them."""
        asked = self._places[decision]
        if not asked or not choices:
            return True
        open_, at = self._open[seat], self.plan.at
        for alternative, places in asked:
            first = bisect_left(choices, (alternative,))
            for choice in choices[first : bisect_left(choices, (alternative + 1,), first)]:
                for place in places:
                    piece = choice[place]
                    if piece == NONE:
                        continue
                    if not isinstance(piece, int) or (space := s[at + piece]) < 0 or not open_[space]:
                        return False
        return True

    def _open_to(self, seat: int) -> tuple[bool, ...]:
        """For each space whether the seat sees all that lies there, whatever is played."""
        found = []
        for space, zone in enumerate(self.plan.zone_of_space):
            keys = zone.copies[(space - zone.base) // zone.per_copy]
            owns = bool(keys) and zone.info.per[0].form == "player" and keys[0] == seat
            found.append(zone.info.visible == "all" or (zone.info.visible == "owner" and owns))
        return tuple(found)

    def _places_of(self, decision: Decision) -> tuple[tuple[int, tuple[int, ...]], ...]:
        """The alternatives of a decision whose choices hold pieces that may not be seen, and the places of these in a choice."""
        found = []
        for number, each in enumerate(decision.alternatives):
            places = tuple(n for n, local in enumerate(each.locals, start=1) if _holds_pieces(local.type) and local not in each.seen)
            if places:
                found.append((number, places))
        return tuple(found)


def _holds_pieces(type_: Type) -> bool:
    inner = types.without_none(type_)
    if isinstance(inner, ListType):
        inner = types.without_none(inner.element)
    return isinstance(inner, types.PieceType)


def offered(game: Game, s: list[int], decision: Decision, moves: Sequence[Move]) -> tuple[Move, ...]:
    """The moves of a seat at a decision, as it may know them."""
    types_ = [[local.type for local in alternative.locals] for alternative in decision.alternatives]
    if not moves or not any(game.secrecy.is_piece(type_) for each in types_ for type_ in each):
        return tuple(moves)
    pieces = {piece for move in moves for piece in _pieces_of(move, types_[move.choice[0]])}
    concealment = Concealment(game, s, moves[0].seat, pieces)
    if not any(concealment.is_hidden(piece) for piece in pieces):
        return tuple(moves)
    return concealment.offer([(move, types_[move.choice[0]]) for move in moves])


def arranged(game: Game, s: list[int], pieces: Sequence[int], seat: int) -> list[int]:
    """The candidates of a set in the order in which they are offered."""
    concealment = Concealment(game, s, seat, pieces)
    return sorted(pieces, key=concealment.rank) if any(concealment.is_hidden(piece) for piece in pieces) else list(pieces)


def is_hidden(game: Game, s: list[int], piece: int, seat: int) -> bool:
    """Whether a seat does not see a piece."""
    return game.plan.kind_of_piece[piece].info.at is not None and not view.sees_piece(game, s, piece, seat)
