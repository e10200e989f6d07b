"""What `log` has told each seat since it last decided: what stands before its eyes, beside what lies on the table.

Not part of the cells, as it has no part in what happens: like the trail it can be made again from the moves. Inside a sealed
`together` the others hear a line only when all are done, branch by branch.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from attrs import evolve, frozen

from gdl.interpreter.errors import BadSave

MOST_TOLD: Final = 100
"""So many lines stand before a seat at most: the newest."""


@frozen(eq=False)
class Line:
    """A line of the log. `to` are the seats that it is for (none: all); `text` is all of it.

    `readings` are what each seat reads, and last what somebody reads who looks on; none where it is not for them. `branch` is the seat in
    whose sealed branch it was told. `discloses`: it told somebody what that seat could not see before.
    """

    text: str
    to: tuple[int, ...] | None
    readings: tuple[str | None, ...]
    branch: int | None = None
    shown: tuple[tuple[int, tuple[int, ...], tuple[int, ...]], ...] = ()
    discloses: bool = False


@frozen(eq=False)
class Told:
    """`lines` by reader, as in `Line.readings`; `held` are told in branches of a sealed `together` that others are still in."""

    lines: tuple[tuple[str, ...], ...] = ()
    held: tuple[Line, ...] = ()

    def to(self, seat: int | None) -> tuple[str, ...]:
        """What a seat, or (none) somebody who looks on, was told."""
        return self.lines[-1 if seat is None else seat] if self.lines else ()


NOTHING: Final = Told()
UNSEALED: Final = None
"""Among the lines of a run: a sealed `together` has ended here."""


def follow(told: Told, mover: int | None, run: Sequence[Line | None], readers: int, *, sealed: bool) -> Told:
    """What stands before everybody after a decision of a seat (none: after chance) and the run that followed.

    `sealed`: the seat decided inside a sealed `together`. Then those who look on do not learn that it did.
    """
    if not run and not told.held:
        return _forgotten(told, mover, sealed=sealed)
    if not told.held and not sealed and len(run) == 1 and run[0] is not UNSEALED and run[0].branch is None:
        return _with_line(told, mover, run[0], readers)
    lines = [list(each) for each in told.lines] or [[] for _ in range(readers)]
    held = list(told.held)
    if mover is not None:
        lines[mover].clear()
        if not sealed:
            lines[-1].clear()
    for line in run:
        if line is UNSEALED:
            if mover is not None:
                lines[-1].clear()
            for each in sorted(held, key=lambda item: item.branch or 0):
                _hand_out(each, lines)
            held.clear()
        elif line.branch is None:
            _hand_out(line, lines)
        else:
            own = line.readings[line.branch]
            if own is not None:
                lines[line.branch].append(own)
            held.append(evolve(line, readings=tuple(None if seat == line.branch else text for seat, text in enumerate(line.readings))))
    if not held and not any(lines):
        return NOTHING
    return Told(tuple(tuple(each[-MOST_TOLD:]) for each in lines), tuple(_newest(held)))


def _forgotten(told: Told, mover: int | None, *, sealed: bool) -> Told:
    """What still stands before everybody after a decision that nothing was told of: nothing before who decided, or who looks on."""
    if told is NOTHING or mover is None or not (told.lines[mover] or (told.lines[-1] and not sealed)):
        return told
    cleared = (mover,) if sealed else (mover, len(told.lines) - 1)
    lines = tuple(() if reader in cleared else each for reader, each in enumerate(told.lines))
    return Told(lines) if any(lines) else NOTHING


def _with_line(told: Told, mover: int | None, line: Line, readers: int) -> Told:
    """The same outside a sealed `together` when one line was told, as after most decisions that tell anything."""
    before = told.lines or ((),) * readers
    if mover is not None:
        before = (*before[:mover], (), *before[mover + 1 : -1], ())
    lines = [texts if text is None else (*texts[1 - MOST_TOLD :], text) for texts, text in zip(before, line.readings, strict=True)]
    return Told(tuple(lines)) if any(lines) else NOTHING


def _hand_out(line: Line, lines: list[list[str]]) -> None:
    for texts, text in zip(lines, line.readings, strict=True):
        if text is not None:
            texts.append(text)


def _newest(held: list[Line]) -> list[Line]:
    """Of each branch the newest lines."""
    kept: dict[int | None, int] = {}
    found: list[Line] = []
    for line in reversed(held):
        kept[line.branch] = kept.get(line.branch, 0) + 1
        if kept[line.branch] <= MOST_TOLD:
            found.append(line)
    return found[::-1]


# --- in saved states --------------------------------------------------------------------------------------------------


def write_told(told: Told) -> dict[str, Any]:
    """What has been told as entries of a saved state; none if nothing has."""
    found: dict[str, Any] = {}
    if any(told.lines):
        found["log"] = [list(texts) for texts in told.lines]
    if told.held:
        found["log_held"] = [{"branch": line.branch, "lines": list(line.readings)} for line in told.held]
    return found


def read_told(data: Mapping[str, Any], players: int) -> Told:
    """What `write_told` wrote. Raises BadSave."""
    lines, held = data.get("log", []), data.get("log_held", [])
    readers = players + 1
    is_right = isinstance(lines, list) and len(lines) in (0, readers) and all(_are_texts(each, texts_only=True) for each in lines)
    is_right = is_right and isinstance(held, list) and all(_is_held(each, readers) for each in held)
    if not is_right:
        raise BadSave("this state is broken: `log` is not what was told to each seat and to those who look on")
    if not any(lines) and not held:
        return NOTHING
    return Told(
        tuple(tuple(texts) for texts in lines) or ((),) * readers,
        tuple(Line("", None, tuple(each["lines"]), each["branch"]) for each in held),
    )


def _are_texts(value: object, *, texts_only: bool) -> bool:
    return isinstance(value, list) and all(isinstance(text, str) or (text is None and not texts_only) for text in value)


def _is_held(value: object, readers: int) -> bool:
    if not isinstance(value, dict) or not _are_texts(value.get("lines"), texts_only=False) or len(value["lines"]) != readers:
        return False
    branch = value.get("branch")
    return isinstance(branch, int) and not isinstance(branch, bool) and 0 <= branch < readers - 1
