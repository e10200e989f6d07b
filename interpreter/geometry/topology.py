"""How the spaces of one copy of a zone lie to each other: what every geometry boils down to at set-up.

Spaces are numbered from 0 within the copy. Everything that follows from steps in directions (rays, lines, betweens, distances) is
derived from a `Topology` in `gdl.interpreter.builtins.board`; a geometry only says where its spaces are and where a step leads.
"""

from __future__ import annotations

from collections.abc import Mapping

from attrs import field, frozen


@frozen(eq=False)
class Topology:
    """The shape of a zone's copy.

    `steps[d][s]` is the space one step from s in direction d (a number of `gdl.values.DIRECTIONS`), or NONE; directions that the
    geometry does not know are absent. `ring`: its directions clockwise. `neighbours[s]`: the adjacent spaces, clockwise, following
    `adjacency`. `coordinates`: fields of spaces such as `row` and `col` (`index` always exists and is not in here).
    `borders[d]`: the spaces at the border towards d, in order of number. `loop`: a track that closes. `names`: of nodes or named spaces.
    """

    count: int
    steps: Mapping[int, tuple[int, ...]] = field(factory=dict)
    ring: tuple[int, ...] = ()
    neighbours: tuple[tuple[int, ...], ...] = ()
    coordinates: Mapping[str, tuple[int, ...]] = field(factory=dict)
    borders: Mapping[int, tuple[int, ...]] = field(factory=dict)
    loop: bool = False
    names: tuple[str, ...] = ()
