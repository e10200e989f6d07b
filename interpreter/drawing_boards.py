"""Boards as lines of text: grids and hexes with the labels of rows and columns, tracks with the numbers of their spaces."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from attrs import frozen

from gdl.interpreter.drawing_signs import Ink, Sign, Signs, grouped, sign_width, width_of
from gdl.interpreter.numbering import ZonePlan
from gdl.typed import VariableInfo

Line = tuple[Ink, ...]
Entries = Mapping[int, Mapping[str, Any]]
"""What is seen in spaces, by their numbers; spaces with nothing are left out."""

EMPTY: Final = "."
LONGEST_TRACK: Final = 40
"""A longer track is a list of the spaces on which something is."""
_LONGEST_SPACE: Final = 12
_MOST_ALIKE: Final = 3
_COORDINATES: Final = re.compile(r"([A-Za-z]+|\d+)([^A-Za-z0-9]*)([A-Za-z]+|\d+)")


def cell_sign(signs: Signs, zone: ZonePlan, entry: Mapping[str, Any] | None) -> Sign:
    """What stands in a cell: its variables, then its pieces."""
    if entry is None:
        return ()
    shown = [info for info in zone.info.variables.values() if info.name in entry]
    alone = len(shown) == 1 and not zone.holdable
    marks = [signs.mark(info, entry[info.name], alone=alone) for info in shown]
    pieces = [signs.piece(piece, zone) for piece in entry.get("pieces", ())]
    for ink, number in grouped(pieces, ordered=zone.stack):
        marks += [ink] * number if number <= _MOST_ALIKE else [ink, Ink(f"×{number}")]
    return tuple(mark for mark in marks if mark.text)


def parts_sign(signs: Signs, zone: ZonePlan, info: VariableInfo, values: Sequence[Any]) -> Sign:
    """What stands in a cell that is cut into parts: a mark alone if all have the same, else each mark behind the parts that have it.

    Parts are drawn by the character of the zone's `legend` that covers them, or named.
    """
    declared = zone.info.declaration.parts
    assert declared is not None
    names = [name.name for name in declared.names]
    drawn = {frozenset(part.name for part in covered): sign.value for sign, covered in declared.legend}
    marks = [signs.mark(info, value) for value in values]
    if len(set(marks)) == 1:
        return (marks[0],) if marks[0].text else ()
    found = []
    for mark in dict.fromkeys(mark for mark in marks if mark.text):
        where = [name for name, other in zip(names, marks, strict=True) if other == mark]
        found.append(Ink(drawn.get(frozenset(where), "".join(where)) + mark.text, mark.color))
    return tuple(found)


# --- grids and hexes --------------------------------------------------------------------------------------------------


@frozen
class _Labels:
    """How the spaces of a board are called: by row and column, or, where that does not say it, by a label each."""

    rows: Mapping[int, str]
    columns: Mapping[int, str]
    spaces: Mapping[int, str]


def board_lines(signs: Signs, zone: ZonePlan, base: int, entries: Entries, parts: Mapping[int, Sign]) -> list[Line]:
    """One copy of a grid or hex, whose first space is `base`. `parts`: what stands in the parts of its cells, by cells."""
    rows, columns = zone.topology.coordinates["row"], zone.topology.coordinates["col"]
    places = {(row, column): base + n for n, (row, column) in enumerate(zip(rows, columns, strict=True))}
    labels = _labels(signs, zone, places)
    cells = {place: cell_sign(signs, zone, entries.get(space)) + parts.get(space, ()) for place, space in places.items()}
    names = {place: _cut(labels.spaces.get(space, "")) for place, space in places.items()}
    width = max(sign_width(cell) for cell in cells.values())
    width = max(width, *(width_of(text) for text in (*names.values(), *labels.columns.values())), 1)
    is_slanted = zone.info.declaration.geometry.kind == "hex"
    step = width + (1 if not is_slanted or width % 2 else 2)
    margin = max(width_of(text) for text in labels.rows.values())
    shift = step // 2 if is_slanted else 0
    left = min(shift * row + step * column for row, column in places)
    lines = [_row(" " * margin, [(step * n + shift * min(rows) - left, (Ink(text),)) for n, text in labels.columns.items()])]
    for row, text in labels.rows.items():
        starts = {column: shift * row + step * column - left for line, column in places if line == row}
        lines.append(_row(text.rjust(margin), [(start, cells[row, n] or (Ink(EMPTY),)) for n, start in starts.items()]))
        if labels.spaces:
            lines.append(_row(" " * margin, [(start, (Ink(names[row, n], "dim"),)) for n, start in starts.items()]))
    return lines


def _labels(signs: Signs, zone: ZonePlan, places: Mapping[tuple[int, int], int]) -> _Labels:
    """Labels such as `c4` are told by rows and columns; without labels these are numbers, as in `board[3, 2]`."""
    rows = {row: str(row) for row, _ in sorted(places)}
    columns = {column: str(column) for _, column in sorted(places, key=lambda place: place[1])}
    if zone.info.label is None:
        return _Labels(rows, columns, {})
    texts = {place: signs.game.names.space_label(space) for place, space in places.items()}
    found = {place: _COORDINATES.fullmatch(text) for place, text in texts.items()}
    for first, second in ((1, 0), (0, 1)):  # a letter for the column comes first on most boards
        parts: tuple[dict[int, str], dict[int, str]] = ({}, {})
        if all(
            match is not None
            and parts[0].setdefault(place[first], match[1]) == match[1]
            and parts[1].setdefault(place[second], match[3]) == match[3]
            for place, match in found.items()
        ):
            by_column, by_row = parts if first == 1 else parts[::-1]
            return _Labels({n: by_row[n] for n in rows}, {n: by_column[n] for n in columns}, {})
    return _Labels(rows, columns, {space: texts[place] for place, space in places.items()})


def _row(margin: str, cells: Sequence[tuple[int, Sign]]) -> Line:
    """Signs at their columns, behind the margin."""
    line, reached = [Ink(margin + "  ", "dim")], 0
    for start, sign in sorted(cells, key=lambda cell: cell[0]):
        line += [Ink(" " * (start - reached)), *sign]
        reached = start + sign_width(sign)
    return tuple(ink for ink in line if ink.text)


def _cut(text: str) -> str:
    return text if width_of(text) <= _LONGEST_SPACE else text[: _LONGEST_SPACE - 1] + "…"


# --- tracks -----------------------------------------------------------------------------------------------------------


def track_lines(signs: Signs, zone: ZonePlan, base: int, entries: Entries, room: int) -> list[Line]:
    """One copy of a track: the numbers or labels of its spaces, and below each what is there; broken into rows that fit."""
    columns: list[tuple[str, Sign]] = []
    for n in range(zone.per_copy):
        text = str(n) if zone.info.label is None else _cut(signs.game.names.space_label(base + n))
        columns.append((text, cell_sign(signs, zone, entries.get(base + n)) or (Ink(EMPTY),)))
    lines: list[Line] = []
    for part in broken(columns, lambda column: max(width_of(column[0]), sign_width(column[1])) + 1, room):
        starts, reached = [], 0
        for text, sign in part:
            starts.append(reached)
            reached += max(width_of(text), sign_width(sign)) + 1
        lines.append(_row("", [(start, (Ink(text, "dim"),)) for start, (text, _) in zip(starts, part, strict=True)]))
        lines.append(_row("", [(start, sign) for start, (_, sign) in zip(starts, part, strict=True)]))
    return lines


def broken(items: Sequence[Any], width: Callable[[Any], int], room: int) -> list[list[Any]]:
    """Items in rows, as many in each as there is room for, at least one."""
    rows: list[list[Any]] = [[]]
    left = room
    for item in items:
        needed = width(item)
        if needed > left and rows[-1]:
            rows.append([])
            left = room
        rows[-1].append(item)
        left -= needed
    return rows
