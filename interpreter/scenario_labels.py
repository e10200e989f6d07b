"""Labels of spaces as names in scenarios: `e4` where a spec would have to say `board[4, 4]`."""

from __future__ import annotations

from attrs import evolve

from gdl import typed, types
from gdl.check_scope import Context, Symbol
from gdl.interpreter.game import Game
from gdl.source import Span


def labelled_context(game: Game) -> Context:
    """The names of a game's spec, and the labels of spaces as symbols: those that are words and that only one space has."""
    found: dict[str, list[int]] = {}
    for zone in game.plan.zones.values():
        if zone.info.label is not None:
            for space in range(zone.base, zone.end):
                found.setdefault(game.names.space_label(space), []).append(space)
    symbols = dict(game.context.symbols)
    for text, spaces in found.items():
        if len(spaces) == 1 and text.isidentifier() and text.isascii():
            symbols[text] = [*symbols.get(text, []), _symbol(game, text, spaces[0])]
    return evolve(game.context, symbols=symbols)


def _symbol(game: Game, text: str, space: int) -> Symbol:
    type_ = types.SpaceType((game.plan.zone_of_space[space].info.name,))

    def make(span: Span) -> typed.TExpression:
        return typed.Constant(span, type_, space)

    return Symbol(text, type_, make)
