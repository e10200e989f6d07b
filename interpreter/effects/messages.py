"""Effects that only tell."""

from __future__ import annotations

from gdl.registry import Topic

topic = Topic("messages")


@topic.effect("log(message: template, to: list[player] = none)", special=True)
def log() -> None:
    """Write a line into the log, for all or for those given. Holes in braces are filled in.

    Example: log("{player} has {player.points} points")
    """
