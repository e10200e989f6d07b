"""What a geometry is: an entry with a name, its YAML keys, its doc, and a way from sizes to a `Topology`.

Knows nothing of specs: sizes are numbers by now, the mask is a function. What makes no sense raises `ValueError`,
whose text the set-up of a game turns into a diagnostic.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from typing import ClassVar, Final

from attrs import frozen

from gdl.interpreter.geometry.topology import Topology

MAX_SPACES: Final = 10_000
"""More spaces than this in one copy of a zone are taken for a mistake."""

Mask = Callable[[Mapping[str, int]], bool]
"""Tells from the coordinates of a cell whether it exists."""


@frozen
class Blueprint:
    """Everything a spec can say about the geometry of one zone; each geometry reads what concerns it."""

    sizes: tuple[int, ...] = ()
    loop: bool = False
    mask: Mask | None = None
    adjacency: str | None = None
    nodes: tuple[str, ...] = ()
    edges: tuple[tuple[str, str], ...] = ()
    count: int | None = None
    names: tuple[str, ...] = ()


class Geometry(ABC):
    """Base of all geometries.

    `keys`: its keys in a zone's map, first the one that chooses it. `coordinates`: fields that its spaces have beside
    `index`. `size_count`: number of size expressions. `adjacencies`: what `adjacency` may say, the default first.
    `loops` and `maskable`: whether `loop` and `cells` go with it.
    """

    name: ClassVar[str]
    keys: ClassVar[tuple[str, ...]] = ()
    coordinates: ClassVar[tuple[str, ...]] = ()
    size_count: ClassVar[int] = 0
    adjacencies: ClassVar[tuple[str, ...]] = ()
    loops: ClassVar[bool] = False
    maskable: ClassVar[bool] = False

    @classmethod
    def build(
        cls,
        sizes: tuple[int, ...] = (),
        *,
        loop: bool = False,
        mask: Mask | None = None,
        adjacency: str | None = None,
        nodes: tuple[str, ...] = (),
        edges: tuple[tuple[str, str], ...] = (),
        count: int | None = None,
        names: tuple[str, ...] = (),
    ) -> Topology:
        """The topology of one copy.

        A geometry leaves aside those of `nodes`, `edges`, `count` and `names` that it has no use for.
        Raises ValueError if sizes or keys make no sense.
        """
        blueprint = Blueprint(sizes, loop, mask, adjacency, nodes, edges, count, names)
        cls._check(blueprint)
        return cls.lay_out(blueprint)

    @classmethod
    @abstractmethod
    def lay_out(cls, blueprint: Blueprint) -> Topology:
        """Build the topology from a blueprint whose keys and sizes have been looked at."""

    @classmethod
    def _check(cls, blueprint: Blueprint) -> None:
        if len(blueprint.sizes) != cls.size_count:
            raise ValueError(f"{cls.name}: {cls.size_count} sizes are needed, {len(blueprint.sizes)} given")
        for size in blueprint.sizes:
            if size < 1:
                raise ValueError(f"{cls.name}: a size must be at least 1, it is {size}")
        if blueprint.loop and not cls.loops:
            raise ValueError(f"{cls.name}: only a track can be a loop")
        if blueprint.mask is not None and not cls.maskable:
            raise ValueError(f"{cls.name}: `cells` goes with a grid or hex only")
        if blueprint.adjacency is not None and blueprint.adjacency not in cls.adjacencies:
            known = f"one of {', '.join(cls.adjacencies)}" if cls.adjacencies else "left out here"
            raise ValueError(f"{cls.name}: adjacency can't be {blueprint.adjacency}, it must be {known}")


def check_count(name: str, count: int) -> int:
    """The number of spaces of a geometry called `name`, if it is one that a zone can have; else ValueError."""
    if count < 1:
        raise ValueError(f"{name}: no spaces are left")
    if count > MAX_SPACES:
        raise ValueError(f"{name}: {count} spaces are too many, at most {MAX_SPACES} are possible")
    return count


def check_names(name: str, names: tuple[str, ...]) -> tuple[str, ...]:
    """The names, if no two are equal; else ValueError."""
    seen: set[str] = set()
    for each in names:
        if each in seen:
            raise ValueError(f"{name}: two spaces are called {each}")
        seen.add(each)
    return names
