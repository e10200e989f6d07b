"""Moves: what a seat can do at a decision, written and compared; outcomes of chance events likewise."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from gdl.interpreter.game import Game

_NONE_HIDDEN: Final[Mapping[int, str]] = MappingProxyType({})


class Move:
    """A legal move of a seat. Two moves are equal if they are the same choice at the same decision.

    `str(move)` is its text, which `State.parse_move` reads again; `label` is what people read. `choice` is the number of the
    alternative and the values of its parameters; `signs` are what is written for those that the seat does not see, none for the others;
    `hidden` are the labels of the pieces among them.
    """

    __slots__ = ("choice", "decision", "game", "hidden", "seat", "signs")

    def __init__(
        self,
        game: Game,
        decision: int,
        seat: int,
        choice: tuple[int, ...],
        signs: tuple[str | None, ...] = (),
        hidden: Mapping[int, str] = _NONE_HIDDEN,
    ) -> None:
        self.game = game
        self.decision = decision
        self.seat = seat
        self.choice = choice
        self.signs = signs
        self.hidden = hidden

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Move)
            and self.choice == other.choice
            and self.seat == other.seat
            and self.decision == other.decision
            and self.game is other.game
        )

    def __hash__(self) -> int:
        return hash((self.decision, self.seat, self.choice))

    def __str__(self) -> str:
        return self.game.move_text(self)

    def __repr__(self) -> str:
        return f"<Move {self}>"


class Outcome:
    """An outcome of a chance event: `str(outcome)` is its text, `weight` how likely it is beside the others."""

    __slots__ = ("text", "value", "weight")

    def __init__(self, value: int, weight: int, text: str) -> None:
        self.value = value
        self.weight = weight
        self.text = text

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Outcome) and self.value == other.value and self.text == other.text

    def __hash__(self) -> int:
        return hash((self.value, self.text))

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"<Outcome {self.text}>"
