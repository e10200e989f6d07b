"""What lint rules look at: a checked spec, and facts about all of it that several rules need, each computed once."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, cached_property
from typing import Any, Final, TypeVar, cast

from attrs import Factory, define

from gdl import ast, model, typed
from gdl.check_scope import Context
from gdl.dependence import Node, children
from gdl.nodes import names_of
from gdl.typed import CheckedSpec, Local, TExpression
from gdl.validators.bounds import Bounds, Setting
from gdl.validators.leaks import Leak, find_leaks
from gdl.validators.places import Place, element_sources, places
from gdl.walk import spec_nodes

_Node = TypeVar("_Node")


PLAYERS: Final = "players"
"""What stands among options for who plays; no option can be called so."""


@define(eq=False)
class _Reading:
    """What constants read, found once for each."""

    spec: CheckedSpec
    constants: dict[str, frozenset[str]] = Factory(dict)

    def of(self, node: Node) -> frozenset[str]:
        """The options that an expression reads."""
        match node:
            case typed.AllPlayers():
                return frozenset((PLAYERS,))
            case typed.OptionValue(name=name):
                return frozenset((name,))
            case typed.NamedConstant(name=name):
                if name not in self.constants:
                    self.constants[name] = self.of(self.spec.constants[name])
                return self.constants[name]
        return frozenset().union(*(self.of(child) for child in children(node)))


@define(eq=False, slots=False)
class Subject:
    """A spec without errors."""

    context: Context

    @property
    def spec(self) -> CheckedSpec:
        """The typed tree."""
        return self.context.spec

    @property
    def declared(self) -> model.Declarations:
        """The spec as it was written."""
        return self.context.spec.declarations

    def nodes(self, kind: type[_Node]) -> Sequence[_Node]:
        """Every node of one class in the typed tree."""
        return spec_nodes(self.spec, kind)

    @cached_property
    def written(self) -> Counter[str]:
        """How often each name is written as a value, field or call, where it is declared apart.

        A name that is neither here nor in `typed` is used nowhere; one that is may still mean something else. Presentation is
        no use.
        """
        return Counter(name for name, is_type in self._words if not is_type)

    @cached_property
    def typed(self) -> Counter[str]:
        """How often each name is written as a type."""
        return Counter(name for name, is_type in self._words if is_type)

    @cached_property
    def bounds(self) -> Bounds:
        """What expressions can be, whatever is played."""
        return Bounds(self.spec, self.sources)

    @cached_property
    def sources(self) -> Mapping[Local, TExpression]:
        """The lists that locals go through."""
        return element_sources(self.spec)

    @cached_property
    def places(self) -> Sequence[Place]:
        """Every step and expression, with what is known where it stands."""
        return places(self.spec, self.bounds)

    def bounds_with(self, setting: Setting) -> Bounds:
        """The same for one number of players and some options."""
        return Bounds(self.spec, self.sources, setting)

    def reads(self, node: TExpression) -> frozenset[str]:
        """The options that an expression reads, by way of constants too; `PLAYERS` if it reads who plays."""
        return self._reading.of(node)

    @cached_property
    def _reading(self) -> _Reading:
        return _Reading(self.spec)

    @cached_property
    def leaks(self) -> list[Leak]:
        """Where something hidden reaches those who may not see it."""
        return find_leaks(self.spec)

    def is_named(self, name: str) -> bool:
        """Whether a name is written anywhere but where it is declared."""
        return name in self.written or name in self.typed

    @cached_property
    def _words(self) -> tuple[tuple[str, bool], ...]:
        enums = {enum.name for enum in self.declared.enums}
        return tuple(_written(self.declared, enums))


_SILENT: Final = frozenset(("span", "name_span", "display", "fragment", "seats"))
"""Fields that hold no use of a name."""
_OWN_NAMES: Final[tuple[tuple[type, str], ...]] = (
    (ast.Binder, "name"),
    (ast.Binding, "name"),
    (ast.Parameter, "name"),
    (ast.Signature, "name"),
    (model.Declaration, "name"),
    (model.Row, "name"),
    (model.Geometry, "nodes"),
    (model.Geometry, "edges"),
    (model.Parts, "names"),
)
"""Fields that hold a declaration's own name."""
_WORD: Final = re.compile(r"[^\W\d]\w*")


def _written(root: object, enums: set[str]) -> Iterator[tuple[str, bool]]:
    """All names under a node, with repetitions; for each whether it is a type there."""
    todo: list[object] = [root]
    while todo:
        value = todo.pop()
        if isinstance(value, tuple | list):
            todo += value
            continue
        match value:
            case ast.Name(name=name) | ast.Field(name=name):
                yield name, False
            case ast.TypeName(name=name, part=part):
                yield name, True
                if part is not None:
                    yield part, True
            case model.Cell(fragment=fragment) if fragment is not None:
                yield from ((word, False) for word in _WORD.findall(fragment.text))
            case model.Enum(symbols=symbols):
                yield from ((symbol.name, False) for symbol in symbols if symbol.name in enums)
                continue
        todo += [getattr(value, name) for name in _using(cast("Any", type(value)))]


@cache
def _using(kind: type) -> tuple[str, ...]:
    """The fields of a class of nodes that can hold uses of names; none of what is no node."""
    own = {field for holder, field in _OWN_NAMES if issubclass(kind, holder)}
    return tuple(name for name in names_of(kind) if name not in _SILENT and name not in own)
