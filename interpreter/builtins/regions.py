"""Builtins on regions: what can be reached, what hangs together, which rectangles are filled."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from gdl.interpreter.builtins.walks import Boards, Spaces
from gdl.interpreter.faults import RuleFault
from gdl.interpreter.meter import limited
from gdl.registry import Topic
from gdl.values import EVERY_WAY

topic: Final = Topic("regions")


@topic.builtin("reach(starts: list[S], next: each list[S]) -> list[S]")
def reach(starts: Spaces, next: Callable[[int], Spaces]) -> Spaces:
    """The starts and every space that can be reached from them, where `next` gives the spaces to go on to from `it`.

    Each once, in order of number and not as they were found, so that one region is one list wherever it is entered.
    `next` is asked once for each space, those found first coming first.

    Example: reach([board[5, 0]], steps(it, [south])) == [board[5, 0], board[6, 0], board[7, 0]]
    """
    found = list(dict.fromkeys(starts))
    known = set(found)
    for s in found:  # grows meanwhile
        for there in next(s):
            if there not in known:
                known.add(there)
                found.append(there)
    return tuple(sorted(found))


@topic.builtin("groups(xs: list[S]) -> list[list[S]]")
def groups(game: Boards, xs: Spaces) -> tuple[Spaces, ...]:
    """The connected parts of xs: steps from neighbour to neighbour within xs join the spaces of each.

    Each group is in order of number, and the groups are ordered by their first spaces.

    Example: groups([board[5, 5], board[0, 1], board[0, 0]]) == [[board[0, 0], board[0, 1]], [board[5, 5]]]
    """
    left = set(xs)
    return tuple(tuple(sorted(_flood(game, [s], left))) for s in sorted(left) if s in left)


@topic.builtin("connected(xs: list[S], a: list[S], b: list[S]) -> bool")
def connected(game: Boards, xs: Spaces, a: Spaces, b: Spaces) -> bool:
    """Whether one connected part of xs has a space of a and a space of b, so that a way within xs joins them.

    Example: connected(column(board[0, 3]), border(board, north), border(board, south)) == true
    """
    left = set(xs)
    goal = left.intersection(b)
    return bool(goal) and any(s in goal for s in _flood(game, a, left))


def _flood(game: Boards, starts: Spaces | list[int], left: set[int]) -> Iterator[int]:
    """The starts among `left` and all that hangs together with them there, unordered; taken out of `left` meanwhile."""
    todo = [s for s in starts if s in left]
    left.difference_update(todo)
    while todo:
        s = todo.pop()
        yield s
        topology, base = game.board(s)
        for n in topology.neighbours[s - base]:
            there = base + n
            if there in left:
                left.remove(there)
                todo.append(there)


@topic.builtin("rectangles(xs: list[S]) -> list[list[S]]", table=True)
def rectangles(game: Boards, xs: Spaces) -> tuple[Spaces, ...]:
    """All rectangles of squares that lie wholly in xs, usually a whole zone.

    Single squares and parts of rows are rectangles too. Each is the list of its squares row by row. Ordered by the
    northwestern square, then by the southeastern. An error on anything but a grid.

    Example: count(rectangles([board[0, 0], board[0, 1], board[1, 0], board[1, 1]])) == 9
    """
    places: dict[tuple[int, int, int], int] = {}
    for s in sorted(set(xs)):
        topology, base = game.board(s)
        if topology.ring != EVERY_WAY:
            raise RuleFault("fault-geometry", "rectangles need a grid")
        places[base, topology.coordinates["row"][s - base], topology.coordinates["col"][s - base]] = s
    return tuple(limited(each for corner in places for each in _rectangles_from(places, *corner)))


def _rectangles_from(places: dict[tuple[int, int, int], int], base: int, top: int, left: int) -> Iterator[Spaces]:
    """The rectangles whose northwestern square is given, by lower border, then width."""
    rows: list[Spaces] = []
    bottom = top
    while row := _run_east(places, base, bottom, left):
        rows.append(row)
        for width in range(1, min(map(len, rows)) + 1):
            yield tuple(s for each in rows for s in each[:width])
        bottom += 1


def _run_east(places: dict[tuple[int, int, int], int], base: int, row: int, column: int) -> Spaces:
    found: list[int] = []
    while (base, row, column) in places:
        found.append(places[base, row, column])
        column += 1
    return tuple(found)
