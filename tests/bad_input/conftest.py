"""Bad input for the command line: files in a folder of the test, and what must hold whatever is in them."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from attrs import frozen

from gdl.cli.main import main
from gdl.codes import CATALOGUE, label_of

SECONDS = 30
"""No bad input takes longer than this, by far."""

HEAD = "gdl: 1\ngame: bad\nplayers: 2\n"


@frozen
class Bench:
    """A folder with bad input, and the command line."""

    folder: Path
    read: Callable[[], tuple[str, str]]

    def write(self, name: str, content: str | bytes) -> Path:
        """A file in the folder."""
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    def spec(self, text: str, name: str = "bad.yaml") -> Path:
        """A spec, which gets a head if it has none."""
        return self.write(name, text if text.startswith("gdl:") else HEAD + text)

    def refused(self, code: str, exit_code: int, *arguments: str | Path) -> str:
        """Run a command line that must fail: with this code in its words and this exit code, not with a crash, and all files as they were.

        Gives its words. `code` is a name of the catalogue, or empty where a message needs none.
        """
        before = self.contents()
        self.read()
        start = time.monotonic()
        found = main([str(argument) for argument in arguments])
        words = "\n".join(self.read())
        assert time.monotonic() - start < SECONDS
        assert "Traceback" not in words
        assert "gdl itself has failed" not in words
        assert found == exit_code, words
        if code:
            assert code in CATALOGUE
            assert f"{label_of(code)} {code}" in words
        else:
            assert words.strip()
        assert self.contents() == before, "a file has changed"
        return words

    def contents(self) -> dict[str, str]:
        """The files of the folder, by sums over what they hold."""
        return {str(path): hashlib.sha256(path.read_bytes()).hexdigest() for path in sorted(self.folder.rglob("*")) if path.is_file()}

    def refused_by_all(self, code: str, spec: Path, *, lint: int = 1) -> None:
        """Every command refuses a spec: `gdl lint` since it has found mistakes, or can't read it, the others since they can't use it."""
        scenarios = self.write("some.test.yaml", f"spec: {spec.name}\ntests:\n  - name: any\n    players: 2\n    expect: [true]\n")
        self.refused(code, lint, "lint", spec)
        self.refused(code, 2, "run", spec, "--seed", "1")
        self.refused(code, 2, "perft", spec, "--depth", "1")
        self.refused(code, 2, "test", scenarios)


@pytest.fixture
def bench(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Bench:
    """A bench in a folder of its own."""
    for name in ("NO_COLOR", "FORCE_COLOR", "GDL_DEBUG"):
        monkeypatch.delenv(name, raising=False)

    def read() -> tuple[str, str]:
        out, err = capsys.readouterr()
        return out, err

    return Bench(tmp_path, read)
