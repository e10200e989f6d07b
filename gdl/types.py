"""The types of expressions, and which goes where.

Types compare by value. Numbers have one type here; the ranges of stored numbers belong to storage (`gdl.typed.Storage`). `ERROR`
is the type of what has already been complained about: it fits everywhere, so that one mistake makes one message.
"""

from __future__ import annotations

from attrs import field, frozen


@frozen
class Type:
    """Base of all types."""


@frozen
class Basic(Type):
    """A type without parts, known by its name."""

    name: str

    def __str__(self) -> str:
        return self.name


INT = Basic("int")
BOOL = Basic("bool")
TEXT = Basic("text")
PLAYER = Basic("player")
DIRECTION = Basic("direction")
SHAPE = Basic("shape")
EFFECT = Basic("effect")
TEMPLATE = Basic("text with holes")
"""A text literal in whose braces expressions stand, as an argument of `log`."""
STACK_END = Basic("stack end")
"""`top` or `bottom`, as an argument of `move`."""
NONE = Basic("none")
NEVER = Basic("nothing")
"""The element type of `[]`: fits every type."""
ERROR = Basic("?")


@frozen
class EnumType(Type):
    """Symbols of an enum. `symbols` are their numbers over the whole spec; an included enum's symbols keep theirs."""

    name: str
    symbols: tuple[int, ...] = field(eq=False)

    def __str__(self) -> str:
        return self.name


@frozen
class PieceType(Type):
    """Pieces of one or several kinds (names in order of declaration)."""

    kinds: tuple[str, ...]

    def __str__(self) -> str:
        return " or ".join(self.kinds) if self.kinds else "piece"


@frozen
class SpaceType(Type):
    """Spaces of one or several zones (`board`, `board.part`, `board.edge`); `zones` is none for any space."""

    zones: tuple[str, ...] | None

    def __str__(self) -> str:
        return "space" if self.zones is None else " or ".join(self.zones)


@frozen
class PlacementType(Type):
    """A way to lay a shape on a zone."""

    zone: str

    def __str__(self) -> str:
        return f"placement on {self.zone}"


@frozen
class ListType(Type):
    """A list."""

    element: Type

    def __str__(self) -> str:
        return f"list[{self.element}]"


@frozen
class SetType(Type):
    """A set of values of a finite type."""

    element: Type

    def __str__(self) -> str:
        return f"set[{self.element}]"


@frozen
class OptionalType(Type):
    """A value or none. `soft`: none only if there was nothing to find, which need not be tested first."""

    inner: Type
    soft: bool = field(default=False, eq=False)

    def __str__(self) -> str:
        return f"{self.inner} or none"


@frozen
class TableType(Type):
    """A table from keys to values; a missing key gives none."""

    key: Type
    value: Type

    def __str__(self) -> str:
        return f"table from {self.key} to {self.value}"


@frozen
class ComputedType(Type):
    """A formula of a row, with its parameters' types."""

    parameters: tuple[Type, ...]
    result: Type

    def __str__(self) -> str:
        return f"computed {self.result}"


SPACE = SpaceType(None)


def optional(inner: Type, *, soft: bool = False) -> Type:
    """`inner or none`, unless it has none already or can't be anything."""
    if inner in (NONE, ERROR) or isinstance(inner, OptionalType):
        return inner
    return OptionalType(inner, soft)


def without_none(type_: Type) -> Type:
    """The type once it is known not to be none."""
    return type_.inner if isinstance(type_, OptionalType) else type_


def fits(source: Type, target: Type) -> bool:
    """Whether a value of `source` is a value of `target` as it stands, without any conversion."""
    if source == target or source in (ERROR, NEVER) or target == ERROR:
        return True
    if isinstance(target, OptionalType):
        return source == NONE or fits(without_none(source), target.inner)
    match source, target:
        case EnumType(), EnumType():
            return set(source.symbols) <= set(target.symbols)
        case PlacementType(), PlacementType():
            return not target.zone
        case PieceType(), PieceType():
            return set(source.kinds) <= set(target.kinds) or not target.kinds
        case SpaceType(), SpaceType():
            return target.zones is None or (source.zones is not None and set(source.zones) <= set(target.zones))
        case ListType(), ListType():
            return fits(source.element, target.element)
        case SetType(), SetType():
            return fits(source.element, target.element)
        case TableType(), TableType():
            return fits(source.key, target.key) and fits(source.value, target.value)
    return False


def overlap(left: Type, right: Type) -> bool:
    """Whether some value could be of both types: else comparing them is a mistake."""
    left, right = without_none(left), without_none(right)
    if NONE in (left, right) or fits(left, right) or fits(right, left):
        return True
    match left, right:
        case EnumType(), EnumType():
            return bool(set(left.symbols) & set(right.symbols))
        case PieceType(), PieceType():
            return bool(set(left.kinds) & set(right.kinds))
        case SpaceType(), SpaceType():
            return bool(set(left.zones or ()) & set(right.zones or ()))
        case ListType(), ListType():
            return overlap(left.element, right.element)
        case SetType(), SetType():
            return overlap(left.element, right.element)
    return False


def join(left: Type, right: Type) -> Type | None:
    """The least type that holds the values of both, or None if there is none worth having."""
    if fits(left, right):
        return right
    if fits(right, left):
        return left
    if left == NONE:
        return optional(right)
    if right == NONE:
        return optional(left)
    if isinstance(left, OptionalType) or isinstance(right, OptionalType):
        inner = join(without_none(left), without_none(right))
        return None if inner is None else optional(inner)
    match left, right:
        case PieceType(), PieceType():
            return PieceType(left.kinds + tuple(k for k in right.kinds if k not in left.kinds))
        case SpaceType(zones=first), SpaceType(zones=second) if first is not None and second is not None:
            return SpaceType(first + tuple(z for z in second if z not in first))
        case ListType(), ListType():
            inner = join(left.element, right.element)
            return None if inner is None else ListType(inner)
        case SetType(), SetType():
            inner = join(left.element, right.element)
            return None if inner is None else SetType(inner)
        case TableType(), TableType():
            key, value = join(left.key, right.key), join(left.value, right.value)
            return None if key is None or value is None else TableType(key, value)
    return None
