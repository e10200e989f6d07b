"""What is written for a parameter of a move, against the values of legal moves.

A move names values as moves are written: numbers, words, names of pieces and spaces, lists of these, and hidden pieces by where they lie.
Nothing is computed, so what is answered depends on nothing that the seat can't see.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gdl import ast, types
from gdl.interpreter.moves import Move
from gdl.types import ListType, SetType, Type
from gdl.values import DIRECTIONS, NONE

if TYPE_CHECKING:
    from gdl.interpreter.game import Game
    from gdl.interpreter.state import State


class Arguments:
    """Compares for one situation."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.game: Game = state.game
        self.seats = self.game.context.spec.seats

    def is_value(self, move: Move, place: int, node: ast.Expression, type_: Type) -> bool:
        """Whether something written is the value of a move at a place among its parameters, or a piece alike."""
        sign = move.signs[place] if move.signs else None
        if sign is not None:
            return self._written(node) == sign
        return self._names(node, move.choice[1:][place], type_, move.seat)

    def _names(self, node: ast.Expression, value: Any, type_: Type, seat: int) -> bool:
        if isinstance(value, str):
            return isinstance(node, ast.Name | ast.Text) and (node.name if isinstance(node, ast.Name) else node.value) == value
        if value == NONE:
            return isinstance(node, ast.Literal) and node.value is None
        match types.without_none(type_):
            case types.PieceType():
                return self._names_piece(node, value, seat)
            case types.SpaceType():
                return self._names_space(node, value)
            case types.PLAYER:
                return self._seat(node) == int(value)
            case types.INT:
                return self._number(node) == int(value)
            case types.BOOL:
                return isinstance(node, ast.Literal) and node.value is not None and node.value == bool(value)
            case types.DIRECTION:
                return self._written(node) == DIRECTIONS[value]
            case types.EnumType():
                return self._names_symbol(node, value)
            case ListType(element=element):
                return self._lists(node, list(value), element, seat)
            case SetType(element=element):
                return self._lists(node, [n for n in range(value.bit_length()) if value >> n & 1], element, seat)
        return self._written(node) == self.game.names.exact(value, type_)

    def _lists(self, node: ast.Expression, values: list[Any], element: Type, seat: int) -> bool:
        if not isinstance(node, ast.ListLiteral) or len(node.items) != len(values):
            return False
        return all(self._names(item, value, element, seat) for item, value in zip(node.items, values, strict=True))

    def _names_symbol(self, node: ast.Expression, value: int) -> bool:
        """`hearts`, or `suit.hearts`."""
        if isinstance(node, ast.Field) and isinstance(node.target, ast.Name):
            enum = self.game.context.spec.enums.get(node.target.name)
            if not isinstance(enum, types.EnumType) or value not in enum.symbols:
                return False
            return node.name == self.game.plan.symbol_name(value)
        return isinstance(node, ast.Name) and node.name == self.game.plan.symbol_name(value)

    def _names_space(self, node: ast.Expression, value: int) -> bool:
        names = self.game.names
        if isinstance(node, ast.Name | ast.Text):
            return names.space_label(value) == (node.name if isinstance(node, ast.Name) else node.value)
        written = self._written(node)
        return written is not None and written in (names.space(value), names.space_place(value), names.space_path(value))

    def _names_piece(self, node: ast.Expression, value: int, seat: int) -> bool:
        """A piece by its name, or by that of one alike, as far as the seat sees it."""
        written = self._written(node)
        named = None if written is None else self.game.names.numbers_of_pieces().get(written)
        if named is None or named == value:
            return named is not None
        cells, control = self.state.cells, self.game.build.control
        if not self.game.disclosure.sees(cells, named, seat):
            return False
        return bool(control._likeness(cells, named) == control._likeness(cells, value))

    # --- how it is written --------------------------------------------------------------------------------------------

    def _written(self, node: ast.Expression) -> str | None:
        """What was written, in the form in which values print; none if no value is written so."""
        match node:
            case ast.Name(name=name):
                return name
            case ast.Text(value=value):
                return f'"{value}"'
            case ast.Field(target=ast.Name(name=owner), name=name):
                return f"{owner}.{name}"
            case ast.Index(target=ast.Name(name=name), arguments=arguments):
                keys = [self._key(argument) for argument in arguments]
                return None if None in keys else f"{name}[{', '.join(str(key) for key in keys)}]"
            case ast.Call(function=ast.Name(name="hidden"), arguments=arguments):
                parts = [self._written_part(argument) for argument in arguments]
                return None if None in parts else f"hidden({', '.join(str(part) for part in parts)})"
            case ast.ListLiteral(items=items):
                texts = [self._written(item) for item in items]
                return None if None in texts else f"[{', '.join(str(text) for text in texts)}]"
        number = self._number(node)
        return None if number is None else str(number)

    def _written_part(self, argument: ast.Argument) -> str | None:
        return None if argument.keyword is not None or argument.binder is not None else self._written(argument.value)

    def _key(self, node: ast.Expression) -> str | None:
        """Between brackets a seat is a number, whatever it is called."""
        seat = self._seat(node)
        if seat is not None:
            return str(seat)
        if isinstance(node, ast.Literal):
            return "none" if node.value is None else str(node.value).lower()
        return self._written(node)

    def _seat(self, node: ast.Expression) -> int | None:
        match node:
            case ast.Name(name=name) if name in self.seats:
                return self.seats.index(name)
            case ast.Index(target=ast.Name(name="players"), arguments=(ast.Number(value=seat),)):
                return seat
        return None

    @staticmethod
    def _number(node: ast.Expression) -> int | None:
        match node:
            case ast.Number(value=value):
                return value
            case ast.Negate(operand=ast.Number(value=value)):
                return -value
        return None
