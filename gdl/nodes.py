"""What all our trees are made of: frozen classes that compare by identity, gone through and copied by their fields.

There are so many that attrs would take a tenth of a cold `gdl lint` to make the classes. Nodes need hardly anything of what attrs does:
they have slots, share one `repr`, and a class gets its constructor when its first node is made, since no spec has nodes of all classes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn, TypeVar, cast, dataclass_transform

_Class = TypeVar("_Class")


@dataclass_transform(frozen_default=True, eq_default=False)
def node(cls: type[_Class]) -> type[_Class]:
    """Make a class of nodes out of annotated fields, some with a default that can't change, and the fields of its base class."""
    above = cls.__mro__[1]
    own = tuple(vars(cls).get("__annotations__", ()))
    names = (*names_of(above), *own)
    body = {name: value for name, value in vars(cls).items() if name not in (*own, "__dict__", "__weakref__")}
    body |= {
        "__slots__": own if above is not object else (*own, "__weakref__"),
        "__match_args__": names,
        "__init__": _first_init,
        "__repr__": _shown,
        "__setattr__": _refuse,
        "__delattr__": _refuse,
        "defaults_of_fields": {**getattr(above, "defaults_of_fields", {}), **{name: vars(cls)[name] for name in own if name in vars(cls)}},
    }
    return cast("type[_Class]", type(cls.__name__, cls.__bases__, body))


def _first_init(self: Any, *given: object, **named: object) -> None:
    """The constructor of a class that has no nodes yet: gives it its own, and calls that."""
    made = type(self)
    made.__init__ = _constructor(made)
    made.__init__(self, *given, **named)


def _constructor(made: type) -> Callable[..., None]:
    names, defaults = names_of(made), cast("Any", made).defaults_of_fields
    parameters = (f"{name}=defaults[{name!r}]" if name in defaults else name for name in names)
    lines = [f"def __init__({', '.join(('self', *parameters))}):", *(f"    set_{name}(self, {name})" for name in names), "    pass"]
    namespace: dict[str, Any] = {"defaults": defaults, **{f"set_{name}": getattr(made, name).__set__ for name in names}}
    exec("\n".join(lines), namespace)
    constructor: Callable[..., None] = namespace["__init__"]
    constructor.__qualname__ = f"{made.__qualname__}.__init__"
    return constructor


def _refuse(self: object, name: str, *_: object) -> NoReturn:
    raise AttributeError(f"a {type(self).__name__} is frozen: its {name} stays as it is")


def _shown(self: object) -> str:
    """A node by its class and its short fields."""
    short = ", ".join(f"{name}={value!r}" for name, value in parts_of(self) if isinstance(value, str | int | bool))
    return f"{type(self).__name__}({short})"


def parts_of(value: object) -> list[tuple[str, Any]]:
    """The fields of a node with their values, in order of declaration."""
    return [(name, getattr(value, name)) for name in names_of(type(value))]


def names_of(cls: type) -> tuple[str, ...]:
    """The names of a class's fields, in order of declaration; attrs classes tell theirs in the same way."""
    names: tuple[str, ...] = getattr(cls, "__match_args__", ())
    return names


def changed(value: _Class, **changes: object) -> _Class:
    """A copy of a node with some fields changed."""
    return type(value)(**{**dict(parts_of(value)), **changes})
