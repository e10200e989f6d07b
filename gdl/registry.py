"""What a builtin and an effect *are*: records that stand below the checker, made by one decorator each.

The entries themselves live in `gdl.interpreter.builtins` and `gdl.interpreter.effects`, where their evaluation is, and are handed
down to the checker. A signature is text in a small notation that the checker uses, the docs show and messages quote:

    count(xs: list[T], cond: each bool = true) -> int
    step(s: S, d: direction, n: int = 1) -> S or nothing

`each X` is an expression evaluated for every element of the first list, as `it` or under the name given with `as`. Capital letters
are type variables: `S` is a space, `K` a piece, `Z` a zone's spaces as a list of S, `T` and `U` anything. `or nothing` is a none
that need not be tested.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from typing import Any

from attrs import field, frozen

from gdl import types
from gdl.types import Type


@frozen
class Variable(Type):
    """A type variable of a signature."""

    name: str

    def __str__(self) -> str:
        return self.name


@frozen
class Derived(Type):
    """A type made from another: the `part` or `edge` of a space, the `whole` cell of a part, what a space holds (`held`), a `placement`."""

    form: str
    inner: Type

    def __str__(self) -> str:
        return f"{self.form} {self.inner}"


@frozen
class Parameter:
    """A parameter of a signature. `each`: evaluated per element. `default`: its text in the signature, or none if it must be given."""

    name: str
    type: Type
    each: bool = False
    default: str | None = None

    def __str__(self) -> str:
        tail = f" = {self.default}" if self.default is not None else ""
        return f"{self.name}: {'each ' if self.each else ''}{self.type}{tail}"


@frozen
class Signature:
    """A parsed signature. `result` is none for effects without a value."""

    name: str
    parameters: tuple[Parameter, ...]
    result: Type | None
    text: str = field(eq=False)

    @property
    def required(self) -> int:
        """Number of parameters that must be given."""
        return sum(1 for p in self.parameters if p.default is None)


@frozen(eq=False)
class Entry:
    """One overload of a builtin, or an effect.

    `function` evaluates it: its Python parameters are those of the signature, after `game` and `state` where it asks for them. An
    `each` parameter arrives as a function of one element (or None where it was left out). Lists are tuples, everything else is an
    int; none is `NONE`. `emit` is Python text with `{parameter}` holes that does the same in line; its `{each}` becomes a loop over the
    list of an `each` parameter. `table`: the value depends on the arguments only, so it is computed once for each. `special`: the
    checker knows a rule of its own for it.
    """

    signature: Signature
    doc: str
    function: Callable[..., Any]
    topic: str
    emit: str | None = None
    table: bool = False
    special: bool = False
    control: bool = False
    random: bool = False

    @property
    def name(self) -> str:
        """What the language calls it."""
        return self.signature.name

    @property
    def wants_game(self) -> bool:
        """Whether the function takes the game first."""
        return "game" in _parameters_of(self.function)

    @property
    def wants_state(self) -> bool:
        """Whether the function takes the state's integers (after the game)."""
        return "state" in _parameters_of(self.function)


@cache
def _parameters_of(function: Callable[..., Any]) -> tuple[str, ...]:
    """The names of a function's parameters."""
    return tuple(inspect.signature(function).parameters)


@frozen
class Registry:
    """Builtins and effects by name, in order of registration. Immutable; `|` combines two."""

    builtins: Mapping[str, tuple[Entry, ...]] = field(factory=dict)
    effects: Mapping[str, tuple[Entry, ...]] = field(factory=dict)

    def __or__(self, other: Registry) -> Registry:
        return Registry(_merged(self.builtins, other.builtins), _merged(self.effects, other.effects))


def _merged(left: Mapping[str, tuple[Entry, ...]], right: Mapping[str, tuple[Entry, ...]]) -> dict[str, tuple[Entry, ...]]:
    result = dict(left)
    for name, entries in right.items():
        result[name] = result.get(name, ()) + entries
    return result


@frozen
class Topic:
    """Collects the entries of one module: `topic = Topic("board")`, then `@topic.builtin("…")`; `topic.registry` is the result."""

    name: str
    _builtins: dict[str, tuple[Entry, ...]] = field(factory=dict, alias="_builtins")
    _effects: dict[str, tuple[Entry, ...]] = field(factory=dict, alias="_effects")

    def builtin(
        self, text: str, *, emit: str | None = None, table: bool = False, special: bool = False
    ) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
        """Register a function as an overload of a builtin. Refuses one without doc or example, or with other parameters."""

        def register(function: Callable[..., Any]) -> Callable[..., Any]:
            entry = make_entry(text, function, self.name, emit=emit, table=table, special=special)
            self._builtins[entry.name] = self._builtins.get(entry.name, ()) + (entry,)
            return function

        return register

    def effect(
        self, text: str, *, control: bool = False, random: bool = False, special: bool = False
    ) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
        """Register a function as an effect. `control`: it directs the flow; `random`: it is a chance event."""

        def register(function: Callable[..., Any]) -> Callable[..., Any]:
            entry = make_entry(text, function, self.name, control=control, random=random, special=special)
            self._effects[entry.name] = self._effects.get(entry.name, ()) + (entry,)
            return function

        return register

    @property
    def registry(self) -> Registry:
        """All that was registered."""
        return Registry(dict(self._builtins), dict(self._effects))


class RegistryError(Exception):
    """An entry that breaks the rules of entries: a fault of ours, found at import."""


def make_entry(
    text: str,
    function: Callable[..., Any],
    topic: str,
    *,
    emit: str | None = None,
    table: bool = False,
    special: bool = False,
    control: bool = False,
    random: bool = False,
) -> Entry:
    """Build an entry and check it: doc, example, parameter names."""
    signature = parse_signature(text)
    doc = inspect.getdoc(function) or ""
    if "Example:" not in doc:
        raise RegistryError(f"{signature.name}: the docstring has no line `Example: …`")
    if not (special or control or random):
        names = [n for n in inspect.signature(function).parameters if n not in ("game", "state")]
        expected = [p.name for p in signature.parameters]
        if names != expected:
            raise RegistryError(f"{signature.name}: the function takes {names}, the signature says {expected}")
    return Entry(signature, doc, function, topic, emit, table, special, control, random)


# --- the notation -----------------------------------------------------------------------------------------------------

_TOKEN = re.compile(r"\s*(->|[A-Za-z_][A-Za-z_0-9.]*|-?\d+|[][(),:=|]|\S)")
_BASIC: dict[str, Type] = {t.name: t for t in (types.INT, types.BOOL, types.TEXT, types.PLAYER, types.DIRECTION, types.SHAPE, types.EFFECT)}
_BASIC |= {
    "space": types.SPACE,
    "piece": types.PieceType(()),
    "end": types.STACK_END,
    "template": types.TEMPLATE,
    "zone": types.Basic("zone"),
    "history": types.Basic("history"),
    "call": types.Basic("call"),
    "phase": types.Basic("phase"),
    "any": types.Basic("any"),
    "placement": types.PlacementType(""),
}


_DERIVED = ("part", "edge", "whole", "held", "placement")


@frozen(eq=False)
class _Reader:
    tokens: list[str]

    def peek(self) -> str:
        return self.tokens[0] if self.tokens else ""

    def take(self, expected: str | None = None) -> str:
        if not self.tokens or (expected is not None and self.tokens[0] != expected):
            raise RegistryError(f"signature: expected {expected or 'more'} before {' '.join(self.tokens[:3])!r}")
        return self.tokens.pop(0)

    def type(self) -> Type:
        word = self.take()
        result: Type
        if word in ("list", "set"):
            self.take("[")
            element = self.type()
            self.take("]")
            result = types.ListType(element) if word == "list" else types.SetType(element)
        elif word in _DERIVED and len(self.peek()) == 1:
            result = Derived(word, Variable(self.take()))
        elif len(word) == 1 and word.isupper():
            result = Variable(word)
        elif word in _BASIC:
            result = _BASIC[word]
        else:
            raise RegistryError(f"signature: no type is called {word}")
        if self.peek() == "or":
            self.take()
            result = types.OptionalType(result, soft=self.take() == "nothing")
        return result

    def parameter(self) -> Parameter:
        name = self.take()
        self.take(":")
        each = self.peek() == "each"
        if each:
            self.take()
        type_ = self.type()
        default = None
        if self.peek() == "=":
            self.take()
            default = self.take()
        return Parameter(name, type_, each, default)


def parse_signature(text: str) -> Signature:
    """Read a signature in the notation of this module. Raises RegistryError if it can't be read."""
    reader = _Reader(_TOKEN.findall(text))
    name = reader.take()
    reader.take("(")
    parameters: list[Parameter] = []
    while reader.peek() != ")":
        if parameters:
            reader.take(",")
        parameters.append(reader.parameter())
    reader.take(")")
    result = None
    if reader.peek() == "->":
        reader.take()
        result = reader.type()
    if reader.tokens:
        raise RegistryError(f"signature: {text!r} goes on behind its end")
    return Signature(name, tuple(parameters), result, " ".join(text.split()))


def combine(topics: Iterable[Topic]) -> Registry:
    """One registry of several topics."""
    result = Registry()
    for topic in topics:
        result = result | topic.registry
    return result
