"""What a seat may know of what happens: moves of others, and what chance brings.

An observation says what a seat sees of a situation; this says which part of an event it sees. What can't be told for sure
counts as hidden.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from gdl import typed, types
from gdl.interpreter.choices import Alternative, Chance
from gdl.interpreter.game import Game
from gdl.interpreter.moves import Move
from gdl.interpreter.secrecy import is_hidden
from gdl.interpreter.view import sees_piece
from gdl.source import Span
from gdl.typed import Local, TExpression
from gdl.types import ListType, Type
from gdl.values import NONE
from gdl.walk import nodes_of

UNKNOWN = "?"


class Knowledge:
    """Answers for all matches and seats of one game."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self._secret = _Secrets(game)
        self.has_hidden = self._has_hidden()

    def _has_hidden(self) -> bool:
        """Whether players can know different things at all."""
        spec = self.game.context.spec
        zones = any(zone.info.visible != "all" or zone.info.declaration.secret for zone in self.game.plan.zones.values())
        variables = any(is_hidden(info) for info in self.game.plan.variables)
        return zones or variables or any(isinstance(n, typed.TTogether) and n.sealed for n in nodes_of(spec))

    def seal(self, s: list[int]) -> list[int]:
        """How all was when a sealed `together` began that is still going on, so that one is told from the next; else empty."""
        shadow = self.game.build.shadow
        return s[shadow : shadow + 1 + self.game.build.sealed] if shadow and s[shadow] else []

    # --- moves --------------------------------------------------------------------------------------------------------

    def seen_in(self, move: Move, s: list[int], seat: int | None) -> frozenset[int]:
        """The pieces among a move's values that a seat sees now."""
        pieces = [piece for value, type_ in self._values(move) for piece in _pieces_in(value, type_)]
        return frozenset(piece for piece in pieces if self.sees(s, piece, seat))

    def move_text(self, move: Move, label: str, s: list[int], seat: int | None, seen: frozenset[int]) -> str:
        """A move as a seat may know it after it was made: `label`, or its text with signs for what stays hidden.

        `seen` are the pieces of the move that the seat saw before it was made.
        """
        if move.seat == seat:
            return label
        alternative = self._alternative(move)
        parts, hidden = [], False
        for local, value in zip(alternative.locals, move.choice[1:], strict=False):
            if value == NONE:
                continue
            text = self._shown(local, value, s, seat, seen)
            hidden = hidden or text is None
            parts.append(f"{local.name}={self._sign(value, local.type) if text is None else text}")
        if not hidden and not self._secret.reads_hidden(alternative.template):
            return label
        return f"{alternative.name}({', '.join(parts)})" if parts else alternative.name

    def _shown(self, local: Local, value: Any, s: list[int], seat: int | None, seen: frozenset[int]) -> str | None:
        """A value of a move as text, or none if the seat may not know it."""
        if local in self._secret.locals:
            return None
        if not all(piece in seen or self.sees(s, piece, seat) for piece in _pieces_in(value, local.type)):
            return None
        if isinstance(types.without_none(local.type), types.SpaceType) and self._is_secret_space(value, seat):
            return None
        return self.game.names.exact(value, local.type)

    def _values(self, move: Move) -> list[tuple[Any, Type]]:
        locals_ = self._alternative(move).locals
        return [(value, local.type) for local, value in zip(locals_, move.choice[1:], strict=False)]

    def _alternative(self, move: Move) -> Alternative:
        return self.game.machine.decisions[move.decision].alternatives[move.choice[0]]

    def _sign(self, value: Any, type_: Type) -> str:
        """What stands for a hidden value: a piece's back."""
        for piece in _pieces_in(value, type_):
            return self.back(piece)
        return UNKNOWN

    # --- chance -------------------------------------------------------------------------------------------------------

    def outcome_piece(self, chance: Chance, s: list[int], frame: int, value: int) -> int | None:
        """The piece that an outcome is about, if it is about one that can be hidden."""
        if chance.form == "roll":
            die: int = chance.about(s, frame)
            return die if self.game.plan.kind_of_piece[die].info.at is not None else None
        if chance.form == "piece":
            return value
        element = chance.subject.type.element if chance.subject is not None and isinstance(chance.subject.type, ListType) else types.INT
        return value if isinstance(types.without_none(element), types.PieceType) and value != NONE else None

    def is_secret_chance(self, chance: Chance) -> bool:
        """Whether what a chance event brings goes where nobody sees it."""
        return chance.span in self._secret.chances

    def hidden_outcome(self, chance: Chance, s: list[int], frame: int, piece: int | None) -> str:
        """The text of an outcome that a seat may not know."""
        sign = UNKNOWN if piece is None else self.back(piece)
        if chance.form == "piece" and chance.about is not None:
            return f"draw({self.game.names.space(chance.about(s, frame))}) = {sign}"
        if chance.form == "roll":
            return f"roll({self.game.names.piece(chance.about(s, frame))}) = {UNKNOWN}"
        return f"{chance.name} = {sign}"

    # --- pieces and spaces --------------------------------------------------------------------------------------------

    def sees(self, s: list[int], piece: int, seat: int | None) -> bool:
        """Whether a seat sees the face of a piece."""
        return self.game.plan.kind_of_piece[piece].info.at is None or sees_piece(self.game, s, piece, seat)

    def place_of(self, s: list[int], piece: int) -> int:
        """The space that a piece lies in; -1 for one that lies nowhere."""
        return s[self.game.plan.at + piece] if self.game.plan.kind_of_piece[piece].info.at is not None else -1

    def back(self, piece: int) -> str:
        """What is seen of a piece that lies face down."""
        return self.game.plan.kind_of_piece[piece].info.declaration.back or UNKNOWN

    def is_in_secret(self, s: list[int], piece: int, seat: int | None) -> bool:
        """Whether a piece lies where a seat may not even know how many there are."""
        return self._is_secret_space(self.place_of(s, piece), seat)

    def _is_secret_space(self, space: int, seat: int | None) -> bool:
        if not 0 <= space < len(self.game.plan.zone_of_space):
            return False
        zone = self.game.plan.zone_of_space[space]
        keys = zone.copies[(space - zone.base) // zone.per_copy]
        owns = bool(keys) and zone.info.per[0].form == "player" and keys[0] == seat
        return zone.info.declaration.secret and not owns


def _pieces_in(value: Any, type_: Type) -> Iterable[int]:
    """The pieces that a value of a move is or lists."""
    inner = types.without_none(type_)
    if isinstance(inner, ListType):
        return [piece for each in value for piece in _pieces_in(each, inner.element)] if isinstance(value, tuple) else []
    return [value] if isinstance(inner, types.PieceType) and isinstance(value, int) and value != NONE else []


class _Secrets:
    """What a spec puts where not everybody sees it: parameters that end in hidden variables, and chance events that do.

    Followed through `let`s and the parameters of procedures and actions, whatever the conditions around them.
    """

    def __init__(self, game: Game) -> None:
        self.game = game
        self.locals: set[Local] = set()
        self.chances: set[Span] = set()
        flows: list[tuple[Local, Any]] = []
        for node in nodes_of(game.context.spec):
            match node:
                case typed.TAssign(target=typed.VariableValue(infos=infos) as target, value=value):
                    if any(is_hidden(info) for info in infos):
                        self._note(value)
                        self._note(target.target)
                        self._note(target.keys)
                case typed.TAssign(target=typed.LocalValue(local=local), value=value) | typed.TLet(local=local, value=value):
                    flows.append((local, value))
                case typed.TCall(unit=unit, arguments=arguments):
                    flows += zip(unit.parameters, arguments, strict=False)
        self._follow(flows)

    def _note(self, value: Any) -> bool:
        """A value that is hidden: so are the locals that it is made of. Whether any of them is new."""
        if isinstance(value, typed.TEffect):
            is_new = value.span not in self.chances
            self.chances.add(value.span)
            return is_new
        found = {n.local for n in nodes_of(value) if isinstance(n, typed.LocalValue)} - self.locals
        self.locals |= found
        return bool(found)

    def _follow(self, flows: Sequence[tuple[Local, Any]]) -> None:
        changed = True
        while changed:
            changed = False
            for local, value in flows:
                if local in self.locals and self._note(value):
                    changed = True

    def reads_hidden(self, template: typed.TTemplate | None) -> bool:
        """Whether a label speaks of hidden things other than what was chosen."""
        holes = [part for part in template.parts if isinstance(part, TExpression)] if template is not None else []
        return any(self._is_hidden_place(node) for hole in holes for node in nodes_of(hole))

    def _is_hidden_place(self, node: Any) -> bool:
        match node:
            case typed.VariableValue(infos=infos):
                return any(is_hidden(info) for info in infos)
            case typed.ZoneSpaces(zone=zone) | typed.RowSpace(zone=zone):
                return self.game.plan.zones[zone].info.visible != "all"
        return False
