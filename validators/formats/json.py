"""Findings as one JSON list."""

from __future__ import annotations

import json

from gdl.render import render_json
from gdl.validators.results import Results


def render(results: Results) -> str:
    """A list of objects; their keys are in docs/cli.md."""
    return json.dumps(render_json(results.findings), ensure_ascii=False, indent=2)
