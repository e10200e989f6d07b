"""The corpus: small specs with one fault each, and what `gdl lint` prints of them, compared with a golden file each.

`corpus/LAYER/NAME.yaml` (or `NAME.test.yaml`) is a case, and so is a folder `corpus/LAYER/NAME` with a `spec.yaml` and the files beside it;
`NAME.txt` holds the output. `GDL_UPDATE=1` writes it anew: read it as a designer would, who has made this slip and knows no better.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from gdl.cli.main import main
from gdl.load_files import MAXIMUM_BYTES
from gdl.validators.catalogue import ALL_CODES

CORPUS = Path(__file__).parent / "corpus"
MAIN = "spec.yaml"
MADE = {
    "files/too-large": "gdl: 1\n" + "# rules are short\n" * (MAXIMUM_BYTES // 18 + 1),
    "syntax/too-long": "gdl: 1\ngame: long\nplayers: 2\nconstants:\n  long: " + "1 + " * 5_000 + "1\n",
}
"""Cases that are too large to be kept."""
_HEAD = re.compile(r"^(error|warning|note)\[(GDL\d+) ([a-z0-9-]+)\]: ", re.MULTILINE)


def cases() -> list[str]:
    """The names of all cases."""
    files = {path.relative_to(CORPUS).as_posix().removesuffix(".yaml").removesuffix(".test") for path in CORPUS.glob("*/*.yaml")}
    folders = {path.parent.relative_to(CORPUS).as_posix() for path in CORPUS.glob(f"*/*/{MAIN}")}
    return sorted({*files, *folders, *MADE})


def prepared(case: str, folder: Path) -> Path:
    """The file of a case that is linted."""
    if case in MADE:
        made = folder / f"{Path(case).name}.yaml"
        made.write_text(MADE[case], "utf-8")
        return made
    return next(path for path in (CORPUS / f"{case}.yaml", CORPUS / f"{case}.test.yaml", CORPUS / case / MAIN) if path.exists())


def golden(case: str) -> Path:
    """The file with the output of a case."""
    return CORPUS / f"{case}.txt"


@pytest.mark.parametrize("case", cases())
def test_what_is_printed(case: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    path = prepared(case, tmp_path)
    monkeypatch.chdir(path.parent)
    code = main(["lint", path.name])
    text = "".join(capsys.readouterr())
    found = _HEAD.findall(text)
    if os.environ.get("GDL_UPDATE") == "1":
        golden(case).write_text(text, "utf-8")
    assert golden(case).exists(), f"{golden(case).name} is missing: set GDL_UPDATE=1 to write it, and read it"
    assert text == golden(case).read_text("utf-8")
    assert len(found) == 1, "one mistake makes one message"
    assert (code == 0) is (found[0][0] != "error")


def test_every_code_that_linting_gives_has_a_case() -> None:
    shown = {name for path in CORPUS.glob("*/*.txt") for _, _, name in _HEAD.findall(path.read_text("utf-8"))}
    assert {code.name for code in ALL_CODES if not code.unlinted} - shown == set()
    assert {code.name for code in ALL_CODES if code.unlinted} & shown == set()


def test_no_golden_file_is_left_over() -> None:
    assert {path.relative_to(CORPUS).as_posix().removesuffix(".txt") for path in CORPUS.glob("*/*.txt")} == set(cases())


def test_there_are_enough() -> None:
    assert len(cases()) >= 150
