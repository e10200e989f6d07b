"""Files and folders of a command line → the specs and scenario files to look at.

A file that is named is taken as it is. In folders those are looked for that are GDL's: scenario files by their name, specs by a
key `gdl` at the start of a line; what `.gitignore` files or the configuration exclude is passed over.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from pathspec import GitIgnoreSpec

from gdl.cli.files import SCENARIOS, SUFFIXES, is_folder

_HEAD_BYTES: Final = 64 * 1024
_GDL: Final = re.compile(rb"^[\"']?gdl[\"']?[ \t]*:", re.MULTILINE)


def find_specs(paths: Iterable[Path], exclude: Iterable[str] = ()) -> list[Path]:
    """The files, each once: those of the command line in its order, those of a folder by name; a folder that can't be read as itself."""
    patterns = tuple(exclude)
    found = [file for path in paths for file in (_in_folder(path, patterns) if is_folder(path) else [path])]
    return list(dict.fromkeys(found))


def only_specs(paths: Iterable[Path], exclude: Iterable[str] = ()) -> list[Path]:
    """Those of the files that would be taken if they stood in a folder, whatever `.gitignore` files say; folders as they are."""
    rules = [(Path(), GitIgnoreSpec.from_lines(exclude))]
    return [path for path in paths if is_folder(path) or (_is_gdl(path) and not _is_ignored(path, False, rules))]


def _in_folder(folder: Path, exclude: tuple[str, ...]) -> Iterator[Path]:
    rules = [(folder, GitIgnoreSpec.from_lines(exclude)), *_rules_above(folder)]
    yield from _walk(folder, rules)


Rules = list[tuple[Path, GitIgnoreSpec]]


def _walk(folder: Path, rules: Rules) -> Iterator[Path]:
    rules = [*rules, *_rules_of(folder)]
    try:
        entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
    except OSError:
        yield folder  # so that the reason is told
        return
    for entry in entries:
        path = folder / entry.name
        if entry.name == ".git" or _is_ignored(path, entry.is_dir(follow_symlinks=False), rules):
            continue
        if entry.is_dir(follow_symlinks=False):
            yield from _walk(path, rules)
        elif entry.is_file() and _is_gdl(path):
            yield path


def _is_gdl(path: Path) -> bool:
    """Whether a file is a spec or has scenarios, by its name and content."""
    return path.name.endswith(SCENARIOS) or (path.name.endswith(SUFFIXES) and _is_spec(path))


def _is_spec(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            return _GDL.search(file.read(_HEAD_BYTES)) is not None
    except OSError:
        return True  # so that the reason is told


def _rules_above(folder: Path) -> Rules:
    """What the `.gitignore` files of the folders above say, up to the root of the repository."""
    found: Rules = []
    place = folder.resolve()
    while not os.path.exists(place / ".git"):  # noqa: PTH110 - in a folder that can't be read there is nothing; `Path` would raise
        if place.parent == place:
            return []  # no repository
        place = place.parent
        found = [*_rules_of(place), *found]
    return found


def _rules_of(folder: Path) -> Rules:
    file = folder / ".gitignore"
    try:
        lines = file.read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError):
        return []
    return [(folder, GitIgnoreSpec.from_lines(lines))]


def _is_ignored(path: Path, is_folder: bool, rules: Rules) -> bool:
    """Whether the last rule that says anything of a path excludes it."""
    ignored = False
    for base, spec in rules:
        name = os.path.relpath(path.absolute() if base.is_absolute() else path, base) + ("/" if is_folder else "")
        verdict = spec.check_file(name).include
        if verdict is not None:
            ignored = verdict
    return ignored
