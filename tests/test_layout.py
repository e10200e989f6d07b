"""How the project is laid out and packaged, as docs/decisions/0001 promises, and sizes that keep modules readable."""

from __future__ import annotations

import ast
import shutil
import subprocess
import sys
import tomllib
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = {"gdl": "gdl", "interpreter": "gdl.interpreter", "validators": "gdl.validators"}
"""The package folders, with the names that they are imported by."""

MODULE_LINES = 500
LONG_MODULES = {"gdl/codes.py", "gdl/forms.py", "gdl/typed.py"}
"""Modules that may be longer: tables and records only, an entry for each form of the language."""
FUNCTION_LINES = 70
VAGUE_NAMES = {"common", "helpers", "manager", "misc", "utils"}
DATA_SUFFIXES = {".lark", ".json", ".typed"}


def setuptools_section() -> dict[str, Any]:
    """The part of pyproject.toml that says what is packaged."""
    section: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["setuptools"]
    return section


def package_folders() -> Iterator[tuple[str, Path]]:
    """Import name and path of every folder that holds code. (`rglob` leaves the links aside.)"""
    for folder, name in FOLDERS.items():
        for path in sorted({module.parent for module in (ROOT / folder).rglob("*.py")}):
            yield ".".join((name, *path.relative_to(ROOT / folder).parts)), path


def modules() -> list[Path]:
    """Every Python file of the packages, once."""
    return [module for _, folder in package_folders() for module in sorted(folder.glob("*.py"))]


def run_python(*arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    """Run this interpreter in a folder, without anything that the environment adds to its path."""
    return subprocess.run([sys.executable, *arguments], cwd=cwd, capture_output=True, text=True, check=False)


# --- packages ---------------------------------------------------------------------------------------------------------


def test_every_folder_with_code_is_packaged() -> None:
    assert sorted(setuptools_section()["packages"]) == sorted(name for name, _ in package_folders())


def test_every_folder_with_code_is_a_package() -> None:
    missing = {str(path.relative_to(ROOT)) for _, path in package_folders() if not (path / "__init__.py").is_file()}
    assert not missing


@pytest.mark.parametrize("folder", ["interpreter", "validators"])
def test_the_links_lead_to_the_folders(folder: str) -> None:
    link = ROOT / "gdl" / folder
    assert link.is_symlink()
    assert link.readlink() == Path("..") / folder
    assert setuptools_section()["package-dir"][f"gdl.{folder}"] == folder


@pytest.mark.parametrize("name", ["interpreter", "validators"])
def test_bare_names_cannot_be_imported_outside_the_checkout(name: str, tmp_path: Path) -> None:
    assert run_python("-I", "-c", f"import gdl.{name}", cwd=tmp_path).returncode == 0
    bare = run_python("-I", "-c", f"import {name}", cwd=tmp_path)
    assert bare.returncode != 0
    assert "ModuleNotFoundError" in bare.stderr


def build_wheel(folder: Path) -> zipfile.ZipFile:
    """Build the source distribution and from that the wheel, in a copy, so that nothing is left in the checkout."""
    source = folder / "source"
    source.mkdir()
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, source)
    for name in FOLDERS:
        shutil.copytree(ROOT / name, source / name, symlinks=True, ignore=shutil.ignore_patterns("__pycache__"))
    built = run_python("-m", "build", "--no-isolation", "--outdir", str(folder / "dist"), str(source), cwd=folder)
    assert built.returncode == 0, built.stdout + built.stderr
    return zipfile.ZipFile(next((folder / "dist").glob("*.whl")))


def test_the_wheel_holds_gdl_and_nothing_else(tmp_path: Path) -> None:
    with build_wheel(tmp_path) as wheel:
        names = set(wheel.namelist())
    tops = {name.split("/")[0] for name in names}
    assert {top for top in tops if not top.endswith(".dist-info")} == {"gdl"}
    expected = set()
    for name, folder in package_folders():
        files = [path for path in folder.iterdir() if path.suffix == ".py" or path.suffix in DATA_SUFFIXES]
        expected |= {f"{name.replace('.', '/')}/{path.name}" for path in files}
    expected.add("gdl/py.typed")
    assert {name for name in names if ".dist-info/" not in name} == expected


# --- style that no linter measures ------------------------------------------------------------------------------------


def test_modules_have_names_that_say_something() -> None:
    assert not [path for path in modules() if path.stem in VAGUE_NAMES]


def test_modules_and_functions_keep_to_a_readable_size() -> None:
    too_long = []
    for path in modules():
        text = path.read_text("utf-8")
        where = path.relative_to(ROOT).as_posix()
        if (lines := text.count("\n")) > MODULE_LINES and where not in LONG_MODULES:
            too_long.append(f"{where}: {lines} lines")
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.end_lineno is not None:
                size = node.end_lineno - node.lineno + 1
                if size > FUNCTION_LINES:
                    too_long.append(f"{where}:{node.lineno}: {node.name} has {size} lines")
    assert not too_long
