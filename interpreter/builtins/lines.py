"""Builtins on directions and on what lies in one line: rays, lines, what is between, turning.

Lines follow the steps of a geometry, whatever the zone's `adjacency`, and end at borders and holes.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from gdl.interpreter.builtins.walks import Boards, Spaces, line_ways, opposite_of, run, walk
from gdl.interpreter.faults import RuleFault
from gdl.interpreter.meter import limited
from gdl.registry import Topic
from gdl.values import NONE, ONWARD

topic: Final = Topic("lines")


@topic.builtin("ray(s: S, d: direction) -> list[S]", table=True)
def ray(game: Boards, s: int, d: int) -> Spaces:
    """The spaces from s in direction d up to the border or a hole, without s, outward.

    On a loop it is once round, ending beside s. Empty in a direction that the geometry does not know.

    Example: ray(board[2, 5], east) == [board[2, 6], board[2, 7]]
    """
    return walk(game, s, d)


@topic.builtin("rays(s: S, dirs: list[direction]) -> list[list[S]]", table=True)
def rays(game: Boards, s: int, dirs: tuple[int, ...]) -> tuple[Spaces, ...]:
    """The ray from s in each of the directions, in their order; empty ones are left out.

    Example: rays(board[0, 6], [north, east, west]) == [[board[0, 7]], ray(board[0, 6], west)]
    """
    found = (walk(game, s, d) for d in dirs)
    return tuple(limited(each for each in found if each))


@topic.builtin("between(a: S, b: S) -> list[S]", table=True)
def between(game: Boards, a: int, b: int) -> Spaces:
    """The spaces on the line from a to b, without either, from a on; empty if they do not lie on one line.

    On a loop these are the spaces met going onward.

    Example: between(board[7, 0], board[4, 3]) == [board[6, 1], board[5, 2]]
    """
    way = _way(game, a, b)
    return way[: way.index(b)] if way else ()


def _way(game: Boards, a: int, b: int) -> Spaces:
    """The ray from a on which b lies, or nothing."""
    d = direction(game, a, b)
    return () if d == NONE else walk(game, a, d)


@topic.builtin("line(s: S, d: direction, n: int) -> list[S]", table=True)
def line(game: Boards, s: int, d: int, n: int) -> Spaces:
    """The n spaces from s on in direction d, s being the first; fewer where the border comes sooner.

    Example: line(board[0, 6], east, 3) == [board[0, 6], board[0, 7]]
    """
    return run(game, s, d, n)


@topic.builtin("lines(s: S, n: int) -> list[list[S]]", table=True)
def lines_through(game: Boards, s: int, n: int) -> tuple[Spaces, ...]:
    """All lines of n spaces in a row on which s lies, each once.

    Ordered as the lines of the whole zone: by their first space, then by direction. Each line goes east, southeast,
    south or southwest, on a track onward.

    Example: count(lines(board[0, 0], 4)) == 3
    """
    found = sorted((start, d) for d in line_ways(game, s) for start in run(game, s, opposite_of(d), n))
    return _each_once(each for start, d in found if len(each := run(game, start, d, n)) == n)


@topic.builtin("lines(xs: list[S], n: int) -> list[list[S]]", table=True)
def lines_within(game: Boards, xs: Spaces, n: int) -> tuple[Spaces, ...]:
    """All lines of n spaces in a row that lie wholly in xs, usually a whole zone, each once.

    Ordered by their first space, then by direction. Each line goes east, southeast, south or southwest, on a track
    onward.

    Example: count(lines(board, 8)) == 18
    """
    inside = frozenset(xs)
    found = (run(game, s, d, n) for s in sorted(inside) for d in line_ways(game, s))
    return _each_once(each for each in found if len(each) == n and inside.issuperset(each))


def _each_once(lines: Iterable[Spaces]) -> tuple[Spaces, ...]:
    """The lines without those that have the spaces of an earlier one: a single space, or all round a loop."""
    found: dict[frozenset[int], Spaces] = {}
    for each in limited(lines):
        if each:
            found.setdefault(frozenset(each), each)
    return tuple(found.values())


@topic.builtin("direction(a: S, b: S) -> direction or nothing", table=True)
def direction(game: Boards, a: int, b: int) -> int:
    """The direction in which b lies from a; none if they do not lie on one line, or are the same space.

    On a loop it is onward, since that leads everywhere.

    Example: direction(board[0, 0], board[3, 3]) == southeast
    """
    topology, _ = game.board(a)
    return next((d for d in topology.ring if b in walk(game, a, d)), NONE)


@topic.builtin("opposite(d: direction) -> direction", table=True)
def opposite(d: int) -> int:
    """The direction that leads back.

    Example: opposite(northeast) == southwest
    """
    return opposite_of(d)


@topic.builtin("turn(d: direction, n: int) -> direction", table=True)
def turn(d: int, n: int) -> int:
    """The direction n eighths of a circle clockwise from d, or counterclockwise if n is negative.

    It turns on the compass of eight, whatever the board: on a hex, which has neither north nor south,
    `turn(southeast, 1)` is south, where no step leads. The directions of a track can only be turned by half a circle;
    anything else is an error.

    Example: turn(north, -1) == northwest
    """
    if d < ONWARD:
        return (d + n) % 8
    if n % 4:
        raise RuleFault("fault-geometry", "the directions of a track turn by half a circle only, by 4 eighths")
    return opposite_of(d) if n % 8 else d


@topic.builtin("axes(xs: list[S]) -> list[direction]", table=True)
def axes(game: Boards, xs: Spaces) -> tuple[int, ...]:
    """The directions in which lines run over the spaces xs, usually a whole zone: one of each opposite pair.

    On a grid east, southeast, south, southwest; on a hex the first two and southwest; on a track onward; elsewhere
    none.

    Example: axes(board) == [east, southeast, south, southwest]
    """
    return line_ways(game, xs[0]) if xs else ()
