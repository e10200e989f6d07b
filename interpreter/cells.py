"""The cells that every game's state begins with, and the control codes that instructions answer with.

A state is one list of integers. First come these; then the players' outcomes, the threads, the variables, the pieces, the frames.
"""

from __future__ import annotations

from typing import Final

RANDOM: Final = 0
"""The generator's state."""
OVER: Final = 1
"""1 once the game has ended."""
THREAD: Final = 2
"""The first cell of the thread that runs."""
PHASE: Final = 3
"""Number of the innermost running phase; -1 before the first."""
TURNS: Final = 4
"""Turns begun so far. Not part of what makes two states equal."""
AGAIN: Final = 5
"""1 if the running turn's seat has a further turn."""
NEXT: Final = 6
"""The seat that `next_turn` named, else NONE."""
TIED: Final = 7
"""1 once the game has ended in a tie."""
OUTCOMES: Final = 8
"""First of one cell for each seat: 1 has won, -1 has lost, 0 neither."""

THREAD_PLACE: Final = 0
"""Of a thread: the instruction at which it stands."""
THREAD_FRAME: Final = 1
"""Of a thread: the first cell of its running frame."""
THREAD_STATUS: Final = 2
"""Of a thread: one of the values below."""
THREAD_SEAT: Final = 3
"""Of a thread: the seat whose branch it is, NONE for the main thread."""
THREAD_LIMIT: Final = 4
"""Of a thread: the cell behind its last frame."""
THREAD_CELLS: Final = 5
"""Cells of a thread."""

IDLE: Final = 0
RUNNING: Final = 1
WAITING: Final = 2
CHANCE: Final = 3
DONE: Final = 4

RELOAD: Final = -1
"""An instruction's answer: go on where the thread's cells say."""
WAIT: Final = -2
"""An instruction's answer: somebody has to decide."""
STOP: Final = -3
"""An instruction's answer: the game is over."""
ROLL: Final = -4
"""An instruction's answer: a chance event is due."""
FORK: Final = -5
"""An instruction's answer: branches have been made; run them."""
JOIN: Final = -6
"""An instruction's answer: this branch is done."""

FRAME_RETURN: Final = 0
"""Of a frame: the instruction to return to."""
FRAME_CALLER: Final = 1
"""Of a frame: the caller's frame."""
FRAME_PLAYER: Final = 2
"""Of a frame: the acting player."""
FRAME_LOCALS: Final = 3
"""Of a frame: the first local."""
