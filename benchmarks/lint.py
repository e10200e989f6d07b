"""Checking a spec from nothing: a cold `gdl lint` against a cold `check-jsonschema` of the same file.

The peer holds the file against a schema that says hardly more than that it is a map, so it does less than a linter. Both are started anew
for every measurement, by the same Python, as they are when they are installed: with their modules compiled, which the first round sees to.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from benchmarks.games import HUGO, ROOT
from benchmarks.measure import Row, median_seconds

TARGET = 2.0
SCHEMA = {"type": "object", "required": ["gdl", "game", "players"]}


def cold(compiled: Path, *arguments: str) -> Callable[[], object]:
    """A command in a process of its own, which must find nothing wrong; `compiled` is the folder for compiled modules."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    env = {**kept, "PYTHONPYCACHEPREFIX": str(compiled)}

    def run() -> object:
        return subprocess.run([sys.executable, "-m", *arguments], cwd=ROOT, env=env, check=True, capture_output=True)

    return run


def row(*, rounds: int) -> Row:
    """Measure both."""
    with tempfile.TemporaryDirectory() as folder:
        schema = Path(folder, "schema.json")
        schema.write_text(json.dumps(SCHEMA), "utf-8")
        spec = str(HUGO.relative_to(ROOT))
        commands = [("gdl.cli.main", "lint", spec), ("check_jsonschema", "--schemafile", str(schema), spec)]
        ours, peer = median_seconds([cold(Path(folder), *command) for command in commands], rounds=rounds)
    ratio, words = ours / peer, f"{peer * 1000:.0f} ms check-jsonschema"
    return Row("cold lint of hugo.yaml", f"{ours * 1000:.0f} ms", words, ratio, f"at most {TARGET:g}", ratio <= TARGET)
