"""`gdl`: runs a command line, turns whatever stops it into a message and an exit code.

The option parser takes longer to import than a spec to check. So a `gdl lint` that names nothing but files, which editors and hooks
start again and again, goes without.
"""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Final

from gdl.cli.failures import INTERRUPTED, report

PIPE_CLOSED: Final = 141
"""What a shell makes of a program whose output nobody reads."""
GARBAGE_THRESHOLD: Final = 500_000
"""New objects before Python looks for unreachable cycles. Nearly all that a command makes lives as long as the command."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command line, the process's own if none is given, and give the exit code."""
    if arguments is not None:
        return _guarded(list(arguments))
    gc.set_threshold(GARBAGE_THRESHOLD)
    code = _guarded(sys.argv[1:])
    gc.freeze()  # the process ends here: no use in looking for cycles in all that is left
    return code


def _guarded(given: Sequence[str]) -> int:
    """Run a command line; what stops it becomes an exit code."""
    _fill_streams()
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    try:
        code = _run(given or ["--help"])
        sys.stdout.flush()
    except BrokenPipeError:
        _drop_output()
        return PIPE_CLOSED
    except OSError as error:  # a full disk
        _drop_output()
        return report(error)
    except KeyboardInterrupt:
        return INTERRUPTED
    return code


def _run(given: Sequence[str]) -> int:
    if _is_plain_lint(given):
        return _lint(given[1:])
    result: int = import_module("gdl.cli.options").run(given)
    return result


def _is_plain_lint(given: Sequence[str]) -> bool:
    return len(given) > 1 and given[0] == "lint" and all(word and not word.startswith("-") for word in given)


def _lint(files: Sequence[str]) -> int:
    try:
        result: int = import_module("gdl.cli.linting").lint([Path(file) for file in files])
    except OSError:
        raise
    except Exception as error:  # noqa: BLE001 - the safety net: no user should see a traceback
        return report(error)
    return result


def _fill_streams() -> None:
    """Stand-ins for streams that are closed, so that nothing is read or written and no file gets their number."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open(mode, encoding="utf-8"))  # noqa: SIM115 - as long as the process


def _drop_output() -> None:
    """Nobody reads standard output any more: keep Python from complaining when it ends."""
    try:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
    except (OSError, ValueError):
        pass


if __name__ == "__main__":
    sys.exit(main())
