"""Work on many files → shared among the processors, the results in the order of the files.

Workers are forks of this process, so they start with all that it has imported. Where forks are not to be had, or not safe, the files are
worked on one after the other; what comes out is the same.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final, TypeVar

ENOUGH: Final = 40_000
"""Bytes of specs that take longer to check than workers to start."""

_Result = TypeVar("_Result")


def each_file(work: Callable[[Path], _Result], handed_over: Callable[[Path], _Result | None], files: Sequence[Path]) -> list[_Result]:
    """The results of `work` for all files. `handed_over` does the same in a worker; where it gives none, the work is done again here."""
    workers = min(_processors(), len(files))
    if workers < 2 or sum(map(_size, files)) < ENOUGH:
        return [work(file) for file in files]
    found = _shared(handed_over, files, workers)
    return [result if result is not None else work(file) for file, result in zip(files, found, strict=True)]


def _processors() -> int:
    """Processors that forks of this process may use at once."""
    if not sys.platform.startswith("linux") or threading.active_count() > 1:  # elsewhere system libraries do not bear it
        return 1
    return len(os.sched_getaffinity(0))


def _size(file: Path) -> int:
    try:
        return file.stat().st_size
    except OSError:
        return 0


def _shared(work: Callable[[Path], _Result | None], files: Sequence[Path], workers: int) -> list[_Result | None]:
    """The results of workers, the largest files first, so that none is left for the end."""
    from concurrent.futures import CancelledError, ProcessPoolExecutor  # noqa: PLC0415 - dear to import, and seldom needed
    from concurrent.futures.process import BrokenProcessPool  # noqa: PLC0415
    from multiprocessing import get_context  # noqa: PLC0415

    sys.stdout.flush()  # else each fork would write again what waits to be written
    found: dict[int, _Result | None] = {}
    pool = ProcessPoolExecutor(workers, get_context("fork"), _begin)
    try:
        order = sorted(range(len(files)), key=lambda n: _size(files[n]), reverse=True)
        jobs = {n: pool.submit(work, files[n]) for n in order}
        for n, job in jobs.items():
            found[n] = job.result()
    except (BrokenProcessPool, CancelledError):  # somebody has ended a worker
        pass
    finally:
        pool.shutdown(cancel_futures=True)
    return [found.get(n) for n in range(len(files))]


def _begin() -> None:
    """A worker that is interrupted, or finds that another has been ended, ends without a word: whoever waits for it speaks."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    sys.stderr = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115 - as long as the process
