"""Files that commands read and write beside specs: JSON in, any text out. All that goes wrong becomes `Unusable`."""

from __future__ import annotations

import errno
import json
import os
import shutil
import stat
from pathlib import Path
from typing import Final

from gdl.cli.output import Unusable
from gdl.load_files import Unreadable, decode_source

MAXIMUM_BYTES: Final = 64 * 1024 * 1024
"""Records of long matches are larger than specs may be."""
_WRITE: Final = stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH
SCENARIOS: Final = ".test.yaml"
"""How the names of scenario files end."""
SUFFIXES: Final = (".yaml", ".yml")
"""How the names of all YAML files end."""


def read_bytes(path: Path) -> bytes:
    """The content of a file."""
    try:
        if path.is_dir():
            raise Unusable(f"`{path}` is a folder", "file-missing")
        with path.open("rb") as file:
            data = file.read(MAXIMUM_BYTES + 1)
    except FileNotFoundError:
        raise Unusable(f"there is no file `{path}`", "file-missing") from None
    except (OSError, ValueError) as error:
        raise Unusable(f"`{path}` can't be read: {reason(error)}", "file-missing") from None
    if len(data) > MAXIMUM_BYTES:
        raise Unusable(f"`{path}` is larger than {MAXIMUM_BYTES >> 20} MiB")
    return data


def read_text(path: Path) -> str:
    """The content of a file as text."""
    data = read_bytes(path)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        problem = decode_source(str(path), data)
        message = problem.message if isinstance(problem, Unreadable) else f"`{path}` is not UTF-8"
        raise Unusable(message, "not-utf8", "save the file as UTF-8") from None


def read_json(path: Path) -> object:
    """The content of a JSON file."""
    text = read_text(path)
    try:
        data: object = json.loads(text)
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        raise Unusable(f"`{path}` is not JSON: {error.msg.lower()} ({where})", "bad-save") from None
    except (RecursionError, ValueError):
        raise Unusable(f"`{path}` is not JSON that can be read: it nests too deeply, or a number is too long", "bad-save") from None
    return data


def is_folder(path: Path) -> bool:
    """Whether a path is a folder; what can't be found out is none. Older versions of `Path.is_dir` raise an error then."""
    try:
        return path.is_dir()
    except OSError:
        return False


def exists(path: Path) -> bool:
    """Whether there is something of this name; `Unusable` if there can't be, since it is too long or holds a NUL."""
    try:
        os.lstat(path)
    except (FileNotFoundError, NotADirectoryError):
        return False
    except (OSError, ValueError) as error:
        raise Unusable(f"`{path}` can't be used: {reason(error)}") from None
    return True


def check_writable(path: Path) -> None:
    """Say at once if a file can't be written, rather than when there is something to write."""
    exists(path)
    if path.is_dir():
        raise Unusable(f"`{path}` is a folder: nothing can be saved there")
    if not path.parent.is_dir():
        raise Unusable(f"there is no folder `{path.parent}` to save `{path.name}` in")
    if not _may_write(path if path.exists() else path.parent):
        raise Unusable(f"`{path}` can't be written: permission denied")


def _may_write(path: Path) -> bool:
    """Whether a file that is there may be changed. One that nobody may write is left alone by root too, who could write it."""
    return os.access(path, os.W_OK) and bool(path.stat().st_mode & _WRITE)


def write_text(path: Path, text: str) -> None:
    """Write a file wholly or not at all: what was there before stays until the new content is complete."""
    try:
        target = path.resolve()
        if target.exists() and not target.is_file():  # a pipe or a device: there is nothing to keep
            target.write_text(text, "utf-8")
            return
        _replace(target, text)
    except (OSError, RuntimeError, ValueError) as error:  # RuntimeError: links in a circle, in older Pythons
        raise Unusable(f"`{path}` can't be written: {reason(error)}") from None


def _replace(target: Path, text: str) -> None:
    if target.exists() and not _may_write(target):  # replacing a file asks its folder alone
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    temporary = target.with_name(f".{target.name}.{os.getpid()}.tmp")
    try:
        with temporary.open("x", encoding="utf-8", newline="\n") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        if target.exists():
            shutil.copymode(target, temporary)
        temporary.replace(target)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def reason(error: Exception) -> str:
    """Why the system refuses a file, as the end of a sentence."""
    text = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return text[:1].lower() + text[1:]
