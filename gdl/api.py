"""The public API: load a spec, make games of it. This module puts the parts together: it alone imports all of them."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path

from attrs import frozen

from gdl import model, types
from gdl.check import check
from gdl.check_scope import Context, GeometryFacts
from gdl.diagnostics import Diagnostic, Report, Severity, SpecError, nearest
from gdl.interpreter.builtins import BUILTINS
from gdl.interpreter.effects import EFFECTS
from gdl.interpreter.errors import BadOption
from gdl.interpreter.first_state import FirstState
from gdl.interpreter.game import Game
from gdl.interpreter.geometry import GEOMETRIES
from gdl.interpreter.setup import Setup
from gdl.load_files import Reader, Unreadable, folder_reader, no_files, read_source, unreadable_file
from gdl.loader import load_declarations
from gdl.source import SourceFile
from gdl.values import read_whole

REGISTRY = BUILTINS | EFFECTS
GEOMETRY_FACTS = {name: GeometryFacts(g.coordinates, g.size_count) for name, g in GEOMETRIES.items()}


@frozen(eq=False)
class Spec:
    """A spec that can be played.

    `title`, `name`; `players`: the allowed numbers of players; `options`: the declared options by name; `warnings`: what the checker
    found that does not keep it from being played; `hash`: tells specs apart, over all their files.
    """

    title: str
    name: str
    players: tuple[int, ...]
    options: Mapping[str, model.Option]
    warnings: tuple[Diagnostic, ...]
    hash: str
    context: Context

    def game(self, players: int | None = None, options: Mapping[str, str | int | bool] | None = None) -> Game:
        """The game for a number of players (the fewest, if left out) and options (their defaults, where left out).

        Raises BadOption for what the spec does not allow, SpecError where the spec can't be set up so.
        """
        return self._game(players, options, lazy=False)

    def _game(self, players: int | None, options: Mapping[str, str | int | bool] | None, *, lazy: bool) -> Game:
        count = players if players is not None else self.players[0]
        if count not in self.players:
            raise BadOption(f"`{self.name}` is for {_numbers(self.players)} players, not for {count}")
        values = self.option_values(options or {})
        numbers = {name: _number(self.context, name, value) for name, value in values.items()}
        try:
            return Game(self.context, count, values, numbers, self.hash, lazy=lazy)
        except RecursionError:
            units = [*self.context.spec.functions.values(), *self.context.spec.procedures.values()]
            if not units:
                raise
            message = "the functions and procedures of this spec call each other too deeply"
            raise SpecError([Diagnostic("too-deep", units[0].span, message)]) from None

    def begin(self, players: int, options: Mapping[str, str | int | bool]) -> None:
        """Only find out whether a game can be made and begun so. Quicker than making the game to play it.

        Raises BadOption and SpecError as `game` does, GameFault as `new_state` does.
        """
        self._game(players, options, lazy=True).new_state(seed=0)

    def set_up(self, players: int, options: Mapping[str, str | int | bool]) -> None:
        """Only find out whether the spec can be set up so: sizes, attributes, starts, places. Much quicker than making the game.

        Raises BadOption and SpecError as `game` does, save for what only the program of the game shows.
        """
        values = self.option_values(options)
        numbers = {name: _number(self.context, name, value) for name, value in values.items()}
        setup = Setup(self.context.spec, players, numbers)
        setup.run()
        FirstState(setup).cells(setup.size)

    def option_values(self, given: Mapping[str, str | int | bool]) -> dict[str, str | int | bool]:
        """A value for every option; text such as a command line gives is read. Raises BadOption."""
        for name in given:
            if name not in self.options:
                raise BadOption(f"`{self.name}` has no option `{name}`", tuple(nearest(name, self.options)))
        return {name: _read_option(option, given[name]) if name in given else option.default for name, option in self.options.items()}


def _numbers(allowed: tuple[int, ...]) -> str:
    if len(allowed) > 2 and allowed == tuple(range(allowed[0], allowed[-1] + 1)):
        return f"{allowed[0]} to {allowed[-1]}"
    return " or ".join(str(n) for n in allowed)


def _read_option(option: model.Option, value: str | int | bool) -> str | int | bool:
    text = model.option_text(value)
    if option.kind == "bool":
        if text in ("true", "false"):
            return text == "true"
        raise BadOption(f"the option `{option.name}` is true or false, not `{text}`")
    if option.kind == "range":
        number = read_whole(text)
        if number is not None and option.low <= number <= option.high:
            return number
        raise BadOption(f"the option `{option.name}` is a number from {option.low} to {option.high}, not `{text}`")
    names = [name for name, _ in option.values]
    if text in names:
        return text
    raise BadOption(f"the option `{option.name}` has no value `{text}`; it has {', '.join(names)}", tuple(nearest(text, names)))


def _number(context: Context, name: str, value: str | int | bool) -> int:
    type_ = context.spec.options[name].type
    if isinstance(type_, types.EnumType):
        names = [context.spec.symbols[n] for n in type_.symbols]
        return type_.symbols[names.index(str(value))]
    return int(value)


# --- loading ----------------------------------------------------------------------------------------------------------


def load(path: str | Path) -> Spec:
    """The spec in a file. Raises SpecError, with all that is wrong, if it can't be used; OSError never."""
    spec, report = examine(path)
    return usable(spec, report)


def loads(text: str, name: str = "<text>") -> Spec:
    """The spec in a text, which can have no tables and includes of its own. Raises SpecError."""
    spec, report = examine_source(SourceFile(name, text), no_files)
    return usable(spec, report)


def usable(spec: Spec | None, report: Report) -> Spec:
    """The spec, if nothing in the report keeps it from being played; else raises SpecError, with all errors."""
    if spec is None or report.has_errors:
        raise SpecError(report.errors())
    return spec


def examine(path: str | Path) -> tuple[Spec | None, Report]:
    """The spec in a file as far as it can be read, and everything that was found."""
    name = str(path)
    source = read_source(Path(path), name)
    if isinstance(source, Unreadable):
        return None, Report([unreadable_file(name, source)])
    return examine_source(source, folder_reader(Path(path).parent))


def examine_source(source: SourceFile, read: Reader) -> tuple[Spec | None, Report]:
    """The same for a text at hand."""
    report = Report()
    texts = [source.text]

    def reading(path: str) -> SourceFile | Unreadable:
        found = read(path)
        if isinstance(found, SourceFile):
            texts.append(found.text)
        return found

    declarations = load_declarations(source, reading, report)
    if declarations is None:
        return None, report
    context = check(declarations, REGISTRY, GEOMETRY_FACTS, report)
    digest = hashlib.sha256("\0".join(t.replace("\r\n", "\n") for t in texts).encode()).hexdigest()[:16]
    options = {o.name: o for o in declarations.options}
    warnings = tuple(d for d in report.sorted() if d.severity is not Severity.ERROR)
    players = declarations.players.allowed
    title = declarations.title or declarations.game
    return Spec(title, declarations.game, players, options, warnings, digest, context), report
