"""Checking specs from nothing: a cold `gdl lint` against a cold `check-jsonschema` of the same files, and how time grows with a spec.

The peer holds the files against the schema that `gdl schema` prints, so it looks at structure only and does less than a linter. Both are
started anew for every measurement, by the same Python, as they are when they are installed: with their modules compiled, which the first
round sees to.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Final

from benchmarks.games import HUGO, ROOT, specs
from benchmarks.long_specs import long_spec
from benchmarks.measure import Row, median_seconds
from gdl.validators.schema import schema_text, spec_schema

TARGET: Final = 2.0
"""Times the peer's time, at most."""
SHORT: Final = 5_000
LONG: Final = 20_000
GROWTH: Final = 5.0
"""Lines of two specs, and how many times as long as the shorter the longer may take: four times would be in proportion."""
FEW: Final = 3
"""Rounds for the long specs, whose times are too long to be much disturbed."""


def cold(compiled: Path, *arguments: str) -> Callable[[], object]:
    """A command in a process of its own, which must find nothing wrong; `compiled` is the folder for compiled modules."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    env = {**kept, "PYTHONPYCACHEPREFIX": str(compiled)}

    def run() -> object:
        return subprocess.run([sys.executable, "-m", *arguments], cwd=ROOT, env=env, check=True, capture_output=True)

    return run


def rows(*, rounds: int) -> Iterator[Row]:
    """One spec, all shipped specs in one call, and two long ones."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "schema.json").write_text(schema_text(spec_schema()), "utf-8")
        yield _against_peer(folder, "cold lint of hugo.yaml", [HUGO], rounds=rounds)
        yield _against_peer(folder, "cold lint of all specs", specs(), rounds=rounds)
        yield _growth(folder, rounds=min(rounds, FEW))


def _against_peer(folder: Path, title: str, files: Sequence[Path], *, rounds: int) -> Row:
    names = [str(file.relative_to(ROOT)) for file in files]
    commands = [("gdl.cli.main", "lint", *names), ("check_jsonschema", "--schemafile", str(folder / "schema.json"), *names)]
    ours, peer = median_seconds([cold(folder, *command) for command in commands], rounds=rounds)
    return _row(title, ours, peer, "check-jsonschema", TARGET)


def _growth(folder: Path, *, rounds: int) -> Row:
    """A long spec against a shorter one."""
    files = []
    for lines in (LONG, SHORT):
        files.append(folder / f"{lines}.yaml")
        files[-1].write_text(long_spec(lines), "utf-8")
    long, short = median_seconds([cold(folder, "gdl.cli.main", "lint", str(file)) for file in files], rounds=rounds)
    return _row(f"cold lint of {LONG:,} lines", long, short, f"of {SHORT:,} lines", GROWTH)


def _row(title: str, ours: float, peer: float, name: str, target: float) -> Row:
    ratio = ours / peer
    return Row(title, f"{ours * 1000:,.0f} ms", f"{peer * 1000:,.0f} ms {name}", ratio, f"at most {target:g}", ratio <= target)
