"""Builtins on the spaces of a board: neighbours, steps, leaps, rows and columns, borders, distances.

All follow from the topology of the copy in which a space lies and never lead out of it.
"""

from __future__ import annotations

from typing import Final

from gdl.interpreter.builtins.walks import Boards, Spaces, adjacent, existing, step_from, walk
from gdl.interpreter.faults import RuleFault
from gdl.interpreter.geometry.plane import SIDES_BY_RING
from gdl.registry import Topic
from gdl.values import DIRECTIONS, NONE, ONWARD

topic: Final = Topic("board")


@topic.builtin("neighbours(s: S) -> list[S]", table=True)
def neighbours(game: Boards, s: int) -> Spaces:
    """The spaces adjacent to s.

    What is adjacent follows the zone's `adjacency`: on a grid the four orthogonal squares unless it says otherwise,
    on a hex all six cells, on a track the spaces before and after, on a graph whatever an edge joins. In order:
    clockwise, on a grid from north, on a hex from northwest; on a track the one before first; on a graph as the nodes
    were written.

    Example: neighbours(board[0, 0]) == [board[0, 1], board[1, 0]]
    """
    return adjacent(game, s)


@topic.builtin("neighbours(xs: list[S]) -> list[S]")
def neighbours_of_all(game: Boards, xs: Spaces) -> Spaces:
    """The spaces that are adjacent to at least one of xs and are not among xs, each once, in order of number.

    Example: neighbours([board[0, 0], board[0, 1]]) == [board[0, 2], board[1, 0], board[1, 1]]
    """
    inside = set(xs)
    return tuple(sorted({n for s in inside for n in adjacent(game, s)} - inside))


@topic.builtin("step(s: S, d: direction, n: int = 1) -> S or nothing", table=True)
def step(game: Boards, s: int, d: int, n: int = 1) -> int:
    """The space n steps from s in direction d; none if that leads off the board or into a hole.

    A negative n goes the other way, 0 stays at s. There is no step in a direction that the geometry does not know,
    such as south on a hex.

    Example: step(board[7, 4], north, 2) == board[5, 4]
    """
    return step_from(game, s, d, n)


@topic.builtin("step(s: S, n: int) -> S or nothing", table=True)
def step_on_track(game: Boards, s: int, n: int) -> int:
    """The space of a track n spaces onward from s, or backward if n is negative; none if the track ends before.

    On a loop it goes on round the ring. Elsewhere than on a track this is an error, because a direction is missing.

    Example: step(ring[11], 1) == ring[0]
    """
    topology, _ = game.board(s)
    if ONWARD not in topology.steps:
        raise RuleFault("fault-geometry", "a step needs a direction here: only on a track a number is enough")
    return step_from(game, s, ONWARD, n)


@topic.builtin("steps(s: S, dirs: list[direction]) -> list[S]", table=True)
def steps(game: Boards, s: int, dirs: tuple[int, ...]) -> Spaces:
    """The spaces one step from s in each of the directions, in their order; those that do not exist are left out.

    Example: steps(board[0, 0], [north, east, south]) == [board[0, 1], board[1, 0]]
    """
    return existing(game, s, dirs)


@topic.builtin("leaps(s: S, a: int, b: int) -> list[S]", table=True)
def leaps(game: Boards, s: int, a: int, b: int) -> Spaces:
    """The cells that lie a steps in one direction and b in the next from s, whatever lies between, each once.

    On a grid the directions are the orthogonal ones, so that `leaps(s, 1, 2)` are the moves of a knight; on a hex
    they are all six, the next being the one beside it. Clockwise from the first direction, north on a grid and
    northwest on a hex; s itself is never among them. Elsewhere it is an error.

    Example: leaps(board[0, 0], 1, 2) == [board[1, 2], board[2, 1]]
    """
    topology, base = game.board(s)
    sides = tuple(SIDES_BY_RING.get(topology.ring, {}).values())
    if not sides:
        raise RuleFault("fault-geometry", "leaps need a grid or hex")
    rows, columns = topology.coordinates["row"], topology.coordinates["col"]
    number = {place: n for n, place in enumerate(zip(rows, columns, strict=True))}
    row, column = rows[s - base], columns[s - base]
    far, near = max(abs(a), abs(b)), min(abs(a), abs(b))
    found: dict[int, None] = {}
    for (down, right), (next_down, next_right) in zip(sides, sides[1:] + sides[:1], strict=True):
        for one, other in ((far, near), (near, far)):
            place = (row + one * down + other * next_down, column + one * right + other * next_right)
            if place in number:
                found[base + number[place]] = None
    found.pop(s, None)
    return tuple(found)


@topic.builtin("row(s: S) -> list[S]", table=True)
def row_of(game: Boards, s: int) -> Spaces:
    """All cells in the row of s, s included, from west to east. An error where spaces have no rows.

    Example: first(row(board[3, 5])) == board[3, 0]
    """
    return _alike(game, s, "row")


@topic.builtin("column(s: S) -> list[S]", table=True)
def column_of(game: Boards, s: int) -> Spaces:
    """All cells in the column of s, s included, from north to south. An error where spaces have no columns.

    Example: last(column(board[3, 5])) == board[7, 5]
    """
    return _alike(game, s, "col")


def _alike(game: Boards, s: int, coordinate: str) -> Spaces:
    """The spaces of the copy of s that share this coordinate with it, in order of number."""
    topology, base = game.board(s)
    values = topology.coordinates.get(coordinate)
    if values is None:
        raise RuleFault("fault-geometry", "rows and columns need a grid or hex")
    return tuple(base + n for n, value in enumerate(values) if value == values[s - base])


@topic.builtin("border(xs: list[S], d: direction) -> list[S]", table=True)
def border(game: Boards, xs: Spaces, d: int) -> Spaces:
    """Those of the spaces xs, usually a whole zone, that lie at the border of their board towards d.

    In the order of xs. A grid and a hex have borders to the north, east, south and west, their outermost rows and
    columns; a track has them at its first space (backward) and its last (onward), unless it is a loop. Any other
    direction is an error.

    Example: border(board, north) == row(board[0, 0])
    """
    found: list[int] = []
    for s in xs:
        topology, base = game.board(s)
        if d not in topology.borders:
            raise RuleFault("fault-geometry", f"these spaces have no border called {DIRECTIONS[d]}")
        if s - base in topology.borders[d]:
            found.append(s)
    return tuple(found)


@topic.builtin("distance(a: S, b: S) -> int or nothing", table=True)
def distance(game: Boards, a: int, b: int) -> int:
    """The least number of steps from neighbour to neighbour that lead from a to b; none if no way does.

    It follows the zone's `adjacency`: on an orthogonal grid two squares that touch at a corner are 2 apart.

    Example: distance(board[0, 0], board[3, 4]) == 7
    """
    topology, base = game.board(a)
    reached = frontier = {a - base}
    steps_made = 0
    while frontier:
        if b - base in frontier:
            return steps_made
        frontier = {n for s in frontier for n in topology.neighbours[s]} - reached
        reached = reached | frontier
        steps_made += 1
    return NONE


@topic.builtin("distance(a: S, b: S, d: direction) -> int or nothing", table=True)
def distance_in(game: Boards, a: int, b: int, d: int) -> int:
    """The number of steps in direction d that lead from a to b; none if b is not met on the way.

    From a space to itself it is 0. On a loop every space is met, so that `onward` and `backward` measure both ways
    round.

    Example: distance(ring[10], ring[3], onward) == 5
    """
    path = (a, *walk(game, a, d))
    return path.index(b) if b in path else NONE
