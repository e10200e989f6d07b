"""The small game that the examples of rules are variations of."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

HEAD: Final = "gdl: 1\ngame: example\ntitle: Example\nsource: made up\nplayers: 2\n"
POINTS: Final = "variables: {points: 0..10 = 0}\n"
PLAY: Final = """\
phases:
  play: {turns: cycle, actions: walk}
actions:
  walk: {do: [points += 1]}
end:
  - {when: points > 9, tie: true}
"""


def example(sections: str = POINTS, play: Mapping[str, str] | None = None, head: str = HEAD) -> str:
    """A whole spec: its sections of declarations, and how it is played, with some texts replaced.

    Raises ValueError if a text to replace is not there.
    """
    text = PLAY
    for old, new in (play or {}).items():
        if old not in text:
            raise ValueError(old)
        text = text.replace(old, new)
    return head + sections + text
