"""Instructions as text, and joining them.

An instruction is a Python function of the state and the running frame that answers with the number of the next one, or with a control
code (`gdl.interpreter.cells`). Its text has `@label@` where a number goes; labels get their numbers when all are written.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from attrs import define

from gdl.interpreter.cells import FRAME_CALLER, RELOAD, THREAD, THREAD_FRAME

LABEL = re.compile("@([^@]+)@")
_JUMP = re.compile("return @([^@]+)@")
_CLEAR = re.compile(r"( *)clear\(s, (f \+ )?(\d+), (f \+ )?(\d+)\)")
_LONGEST = 16
"""Lines of joined instructions. What is put behind several is compiled several times, and a jump costs less than most lines."""


@define(eq=False)
class Instruction:
    """One instruction as text."""

    label: str
    lines: list[str]
    rule: str


Pieces = Mapping[str, tuple[tuple[int, str], ...]]
"""By label where the frame holds pieces."""


def tighten(instructions: list[Instruction], kept: set[str], alone: set[str], pieces: Pieces) -> None:
    """Put behind each instruction what it goes on to in any case, as far as that is short; then drop what nothing leads to.

    Instructions in `alone` are put behind no other, so that one can stop in front of them. A frame that waits for a call knows by the
    place where it goes on which of its cells hold pieces, so `pieces` must be the same where something else takes that place.
    """
    _shorten(instructions, alone, pieces)
    by_label = {instruction.label: instruction for instruction in instructions}
    original = {label: list(instruction.lines) for label, instruction in by_label.items()}
    for instruction in instructions:
        seen = {instruction.label}
        lines = list(original[instruction.label])
        while lines:
            jump = _JUMP.fullmatch(lines[-1])
            target = jump.group(1) if jump is not None else ""
            if target not in original or target in seen or target in alone:
                break
            if len(lines) + len(original[target]) > _LONGEST:
                break
            seen.add(target)
            lines = [*lines[:-1], *original[target]]
        instruction.lines = lines
    reached = set()
    todo = [label for label in kept if label in by_label]
    while todo:
        label = todo.pop()
        if label not in reached:
            reached.add(label)
            todo += [x for line in by_label[label].lines for x in LABEL.findall(line) if x in by_label]
    instructions[:] = [i for i in instructions if i.label in reached]


def _shorten(instructions: list[Instruction], alone: set[str], pieces: Pieces) -> None:
    """What leads to an instruction that does nothing but go on leads to where that goes. Where a unit begins is kept, for tracing."""
    further: dict[str, str] = {}
    for instruction in instructions:
        jump = _JUMP.fullmatch(instruction.lines[0]) if len(instruction.lines) == 1 else None
        is_kept = instruction.label in alone or instruction.label.startswith("entry:")
        if jump is not None and not is_kept and pieces.get(instruction.label) == pieces.get(jump.group(1)):
            further[instruction.label] = jump.group(1)

    def goal(label: str) -> str:
        passed = {label}
        while label in further and further[label] not in passed:
            label = further[label]
            passed.add(label)
        return label

    for instruction in instructions:
        instruction.lines = [LABEL.sub(lambda m: f"@{goal(m.group(1))}@", line) if "@" in line else line for line in instruction.lines]


def entering(place: str) -> str:
    """The line that goes into the frame at `n`, which has been made, to an instruction."""
    return f"t = s[{THREAD}]; s[t] = {place}; s[t + {THREAD_FRAME}] = n; return {RELOAD}"


def leaving(size: str) -> str:
    """The line that goes back from a frame of so many cells to its caller, and forgets the frame."""
    back = f"s[t] = s[f]; s[t + {THREAD_FRAME}] = s[f + {FRAME_CALLER}]; s[f : f + {size}] = (0,) * {size}"
    return f"t = s[{THREAD}]; {back}; return {RELOAD}"


def cleared(line: str) -> str:
    """A line that forgets cells, without a call where it is known how many."""
    found = _CLEAR.fullmatch(line)
    if found is None or found.group(2) != found.group(4):
        return line
    indent, base, first, end = found.group(1), found.group(2) or "", int(found.group(3)), int(found.group(5))
    if end <= first:
        return f"{indent}pass"
    if end == first + 1:
        return f"{indent}s[{base}{first}] = 0"
    return f"{indent}s[{base}{first} : {base}{end}] = (0,) * {end - first}"
