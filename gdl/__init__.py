"""GDL: a declarative rules language for tabletop games, and its interpreter."""

from gdl.api import Spec, load, loads
from gdl.diagnostics import Diagnostic, SpecError
from gdl.interpreter.errors import BadOption, BadSave, GameFault, IllegalMove
from gdl.interpreter.game import Game
from gdl.interpreter.moves import Move, Outcome
from gdl.interpreter.state import State

__all__ = [
    "BadOption",
    "BadSave",
    "Diagnostic",
    "Game",
    "GameFault",
    "IllegalMove",
    "Move",
    "Outcome",
    "Spec",
    "SpecError",
    "State",
    "load",
    "loads",
]
