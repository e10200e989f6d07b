"""Lines of a drawing → the terminal, in colour where there is colour."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterable

from gdl.cli.output import visible, write_line
from gdl.interpreter.drawing import WIDTH
from gdl.interpreter.drawing_boards import Line


def screen_width() -> int:
    """The columns of the terminal; 80 in pipes and files."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else WIDTH


def write_lines(lines: Iterable[Line]) -> None:
    """Write the lines of a drawing."""
    for line in lines:
        write_line(*((visible(ink.text), ink.color) if ink.color else visible(ink.text) for ink in line))
