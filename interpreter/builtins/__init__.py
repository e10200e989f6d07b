"""Builtin functions, a module per topic.

A new one is an entry in one of them; a new topic is a module and a word in the list below.
"""

from __future__ import annotations

from typing import Final

from gdl.interpreter.builtins import board, lines, lists, numbers, parts, pieces, players, regions
from gdl.registry import Registry, Topic, combine

TOPICS: Final[tuple[Topic, ...]] = (
    lists.topic,
    numbers.topic,
    players.topic,
    pieces.topic,
    board.topic,
    lines.topic,
    regions.topic,
    parts.topic,
)
"""The topics in the order in which the reference shows them; overloads that share a name are tried in this order."""

BUILTINS: Final[Registry] = combine(TOPICS)
"""All builtins."""
