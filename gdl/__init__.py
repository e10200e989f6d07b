"""GDL: a declarative rules language for tabletop games, and its interpreter.

What stands in `__all__` is the public API. It is loaded when it is first used, so that `import gdl` by itself costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
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

_HOMES = {
    "BadOption": "gdl.interpreter.errors",
    "BadSave": "gdl.interpreter.errors",
    "Diagnostic": "gdl.diagnostics",
    "Game": "gdl.interpreter.game",
    "GameFault": "gdl.interpreter.errors",
    "IllegalMove": "gdl.interpreter.errors",
    "Move": "gdl.interpreter.moves",
    "Outcome": "gdl.interpreter.moves",
    "Spec": "gdl.api",
    "SpecError": "gdl.diagnostics",
    "State": "gdl.interpreter.state",
    "load": "gdl.api",
    "loads": "gdl.api",
}


def __getattr__(name: str) -> object:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module `gdl` has no attribute `{name}`")
    return getattr(import_module(home), name)


def __dir__() -> list[str]:
    return sorted(__all__)
