"""Elementary effects, a module per topic. A new one is an entry in one of them; a new topic is a module and a word in the list below."""

from __future__ import annotations

from typing import Final

from gdl.interpreter.effects import flow, histories, messages, pieces, random
from gdl.registry import Registry, Topic, combine

TOPICS: Final[tuple[Topic, ...]] = (pieces.topic, random.topic, histories.topic, messages.topic, flow.topic)

EFFECTS: Final[Registry] = combine(TOPICS)
"""All effects."""
