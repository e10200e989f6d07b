"""The table as a seat sees it → lines on the terminal, in colour where there is colour."""

from __future__ import annotations

import shutil

from gdl.cli.output import visible, write_line
from gdl.interpreter.drawing import Drawer
from gdl.interpreter.drawing_boards import Line
from gdl.interpreter.state import State


def write_picture(state: State, seat: int | None, drawer: Drawer | None = None) -> None:
    """Draw a state for a seat."""
    used = Drawer(state.game) if drawer is None else drawer
    for line in used.draw(state, seat, shutil.get_terminal_size().columns):
        write_inks(line)


def write_inks(line: Line) -> None:
    """Write one line of a drawing."""
    write_line(*((visible(ink.text), ink.color) if ink.color else visible(ink.text) for ink in line))
