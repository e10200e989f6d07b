"""The geometry of spaces in a row, open or closed to a ring."""

from __future__ import annotations

from typing import ClassVar

from gdl.interpreter.geometry.geometry import Blueprint, Geometry, check_count
from gdl.interpreter.geometry.topology import Topology
from gdl.values import BACKWARD, NONE, ONWARD


class Track(Geometry):
    """A row of spaces, which with `loop: true` is closed to a ring.

    `onward` leads to the next index, `backward` to the one before, and on a loop from the last to the first and back.
    Neighbours are the space before, then the space after. The borders of an open track are its first space (backward)
    and its last (onward); those of a loop are empty.

    Example:

        gallery: {track: 30, loop: true}
    """

    name: ClassVar[str] = "track"
    keys: ClassVar[tuple[str, ...]] = ("track", "loop")
    size_count: ClassVar[int] = 1
    loops: ClassVar[bool] = True

    @classmethod
    def lay_out(cls, blueprint: Blueprint) -> Topology:
        """Spaces in a row, numbered onward."""
        count = check_count(cls.name, blueprint.sizes[0])
        loop = blueprint.loop
        onward = (*range(1, count), 0 if loop else NONE)
        backward = (count - 1 if loop else NONE, *range(count - 1))
        return Topology(
            count,
            steps={ONWARD: onward, BACKWARD: backward},
            ring=(ONWARD, BACKWARD),
            neighbours=tuple(_adjacent(s, backward[s], onward[s]) for s in range(count)),
            borders={ONWARD: () if loop else (count - 1,), BACKWARD: () if loop else (0,)},
            loop=loop,
        )


def _adjacent(space: int, before: int, after: int) -> tuple[int, ...]:
    """Before and after, each once: they can be the same space of a short loop, or `space` itself."""
    return tuple(dict.fromkeys(s for s in (before, after) if s not in (NONE, space)))
