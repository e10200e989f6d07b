"""The files by which other projects use GDL: hooks of pre-commit, and the GitHub Action."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any, Final

import pytest
import yaml

from gdl.validators.formats import FORMATS
from tests.cli.conftest import ROOT, Command

ACTION: Final = ROOT / "action.yml"
HOOKS: Final = ROOT / ".pre-commit-hooks.yaml"
GOOD: Final = "gdl: 1\ngame: good\ntitle: Good\nsource: made up\nplayers: 2\nphases: {play: {turns: each, actions: end}}\n"
GOOD_ACTION: Final = "actions: {end: {do: end_game}}\n"


def run(*words: str | Path, cwd: Path = ROOT, **variables: str) -> subprocess.CompletedProcess[str]:
    words = tuple(str(word) for word in words)
    return subprocess.run(words, cwd=cwd, capture_output=True, text=True, check=False, env={**os.environ, **variables})


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "good.yaml").write_text(GOOD + GOOD_ACTION, "utf-8")
    (tmp_path / "other.yaml").write_text("on:   push\n", "utf-8")
    return tmp_path


# --- files that are named and are none of ours ------------------------------------------------------------------------


def test_only_files_of_gdl_are_looked_at(command: Command, folder: Path) -> None:
    (folder / "bad.yaml").write_text("gdl:    1\n", "utf-8")
    named = [folder / name for name in ("good.yaml", "other.yaml", "bad.yaml")]
    shown = command("lint", "--only-gdl", *named)
    assert shown.code == 1
    assert "other.yaml" not in shown.out
    assert "bad.yaml" in shown.out
    assert command("fmt", "--only-gdl", "--check", *named).out == f"{named[2]}: not formatted\n"
    assert command("lint", "--only-gdl", named[1]) == type(shown)(0, "", "")
    assert command("fmt", "--only-gdl", named[1]) == type(shown)(0, "", "")


def test_what_the_configuration_excludes_is_passed_over(command: Command, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "bad.yaml").write_text("gdl:    1\n", "utf-8")
    (folder / "gdl.toml").write_text('[lint]\nexclude = ["bad.yaml"]\n', "utf-8")
    monkeypatch.chdir(folder)
    assert command("lint", "--only-gdl", "bad.yaml").code == 0
    assert command("lint", "bad.yaml").code == 1


# --- pre-commit -------------------------------------------------------------------------------------------------------


def test_the_hooks_are_valid() -> None:
    done = run(sys.executable, "-m", "pre_commit", "validate-manifest", HOOKS)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("git") is None, reason="needs git")
def test_the_hooks_run(folder: Path) -> None:
    """Pre-commit installs GDL from this checkout, so this takes a package registry and a minute."""
    variables = {"PRE_COMMIT_HOME": str(folder / "cache"), "PYTHONPATH": ""}
    project = folder / "project"
    project.mkdir()
    for name in ("good.yaml", "other.yaml"):
        (folder / name).rename(project / name)
    (project / "loose.yaml").write_text((GOOD + GOOD_ACTION).replace("gdl: 1", "gdl:    1"), "utf-8")
    run("git", "init", "--quiet", cwd=project)
    run("git", "add", ".", cwd=project)
    lint, fmt = (
        run(sys.executable, "-m", "pre_commit", "try-repo", ROOT, hook, "--all-files", "--verbose", cwd=project, **variables)
        for hook in ("gdl-lint", "gdl-fmt")
    )
    assert lint.returncode == 0, lint.stdout + lint.stderr
    assert fmt.returncode == 1  # a file was changed
    assert "loose.yaml: formatted" in fmt.stdout
    assert (project / "loose.yaml").read_text("utf-8") == GOOD + GOOD_ACTION
    assert (project / "other.yaml").read_text("utf-8") == "on:   push\n"


# --- the GitHub Action ------------------------------------------------------------------------------------------------


def action() -> dict[str, Any]:
    data: dict[str, Any] = yaml.safe_load(ACTION.read_text("utf-8"))
    return data


def step(name: str, folder: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run a step of the action as the runner does, with this Python."""
    (found,) = [step for step in action()["runs"]["steps"] if step.get("name") == name]
    assert found["shell"] == "bash"
    names = {*found["env"], "GITHUB_ACTION_PATH"}
    assert set(variables) | {"PYTHON"} <= names
    empty = dict.fromkeys(names, "")
    known = {**empty, "PYTHON": sys.executable, "GITHUB_ACTION_PATH": str(ROOT), "PYTHONPATH": str(ROOT), **variables}
    return run("bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", found["run"], cwd=folder, **known)


def test_the_action_is_valid() -> None:
    done = run(sys.executable, "-m", "check_jsonschema", "--builtin-schema", "vendor.github-actions", ACTION)
    assert done.returncode == 0, done.stdout + done.stderr


def test_every_input_of_the_action_is_used_and_only_as_a_variable() -> None:
    text = ACTION.read_text("utf-8")
    for name in action()["inputs"]:
        assert f"inputs.{name}" in text
    for found in action()["runs"]["steps"]:
        assert "${{" not in found.get("run", "")


def test_the_action_names_all_formats() -> None:
    described = action()["inputs"]["format"]["description"]
    assert [form for form in FORMATS if form not in described] == []


@pytest.mark.skipif(shutil.which("bash") is None, reason="needs bash")
def test_the_steps_of_the_action_run(folder: Path) -> None:
    (folder / "bad.yaml").write_text("gdl: 1\nx*: 1\n", "utf-8")
    assert step("gdl lint", folder, GDL_PATHS="good.yaml", GDL_FORMAT="github").returncode == 0
    failed = step("gdl lint", folder, GDL_PATHS=". $(touch hacked) *", GDL_FORMAT="github")
    assert failed.returncode == 2
    failed = step("gdl lint", folder, GDL_PATHS=".", GDL_FORMAT="github", GDL_ARGS="--severity error --no-setup")
    assert failed.returncode == 1
    assert failed.stdout.startswith("::error file=bad.yaml,line=1")
    written = step("gdl lint", folder, GDL_PATHS=".", GDL_FORMAT="sarif", GDL_OUTPUT="gdl.sarif")
    assert (written.returncode, written.stdout) == (1, "")
    assert "2.1.0" in (folder / "gdl.sarif").read_text("utf-8")
    assert not (folder / "hacked").exists()
    assert step("gdl fmt", folder, GDL_PATHS="good.yaml").returncode == 0
    (folder / "good.yaml").write_text("gdl:    1\n", "utf-8")
    assert step("gdl fmt", folder, GDL_PATHS="good.yaml").returncode == 1
