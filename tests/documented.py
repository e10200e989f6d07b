"""What is done with the specs in the pages of docs/: they load without a finding, and random matches of them are played."""

from __future__ import annotations

import random

from gdl.api import Spec, examine_source
from gdl.interpreter.game import Game
from gdl.load_files import no_files
from gdl.render import render_text
from gdl.source import SourceFile


def loaded(text: str) -> Spec:
    """A spec without mistakes and warnings."""
    spec, report = examine_source(SourceFile("example.yaml", text), no_files)
    assert not report.items, render_text(report.sorted())
    assert spec is not None
    return spec


def ends(game: Game, seed: int, most_moves: int) -> bool:
    """Whether a random match comes to its end within so many moves; the invariants hold all the time."""
    generator = random.Random(seed)
    state = game.new_state(seed)
    for _ in range(most_moves):
        assert [node.span.text for node in game.invariants_broken(state.cells)] == []
        if state.is_terminal():
            return True
        moves = [move for seat in state.deciders() for move in state.legal_moves(seat)]
        state.apply(generator.choice(moves))
    return False
