"""Findings as JSON, one object a line."""

from __future__ import annotations

import json

from gdl.render import render_json
from gdl.validators.results import Results


def render(results: Results) -> str:
    """The objects of the JSON format, each on a line of its own."""
    return "\n".join(json.dumps(item, ensure_ascii=False) for item in render_json(results.findings))
