"""Many files are shared among processes: what is printed is the same as without, whatever happens to a worker."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import ROOT

GOOD = sorted(str(path) for path in (ROOT / "specs" / "classics").glob("*.yaml") if not path.name.endswith(".test.yaml"))[:3]
RUN = """
import os, sys
from gdl.cli import linting, sharing
from gdl.cli.main import main
sharing.ENOUGH, sharing._processors = 0, lambda: {processors}
{before}
sys.exit(main(["lint", *sys.argv[1:]]))
"""


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    text = Path(GOOD[0]).read_text("utf-8")
    for number in range(3):
        (tmp_path / f"wrong{number}.yaml").write_text(text.replace("players: 2", f"players: two{number}"), "utf-8")
    return [str(tmp_path / "wrong2.yaml"), GOOD[0], str(tmp_path / "missing.yaml"), str(tmp_path / "wrong0.yaml"), *GOOD[1:]]


def lint(files: list[str], processors: int, before: str = "") -> tuple[int, str, str]:
    code = RUN.format(processors=processors, before=before)
    done = subprocess.run([sys.executable, "-c", code, *files], cwd=ROOT, capture_output=True, text=True, check=False, timeout=120)
    return done.returncode, done.stdout, done.stderr


def test_shared_files_come_in_their_order(files: list[str]) -> None:
    alone = lint(files, 1)
    assert alone[0] == 2
    assert alone[1].index("wrong2.yaml") < alone[1].index("wrong0.yaml")
    assert lint(files, 2) == alone


def test_a_fault_of_ours_is_reported_as_without_workers(files: list[str]) -> None:
    fails = "def fail(spec): raise LookupError(spec.name)\nlinting.lint_setups = fail"
    alone = lint(files, 1, fails)
    assert alone[0] == 3
    assert lint(files, 2, fails) == alone


def test_files_of_workers_that_were_ended_are_checked_after_all(files: list[str]) -> None:
    ends = "linting.Linter.hand_over = lambda self, path: os._exit(9) if 'wrong2' in str(path) else None"
    assert lint(files, 2, ends) == lint(files, 1)
