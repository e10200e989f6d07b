"""A checked spec → findings that show only when it is set up.

What depends on players and options, such as the size of a board or a table with an entry for each number of players,
can't be seen in the text. So every combination is set up here; with the fewest players, and with the default options, the
game is made and begun as well. How it then goes on is not looked at.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice, product
from math import prod
from typing import Final, Protocol

from attrs import define, evolve, field

from gdl.diagnostics import Diagnostic, Severity, SpecError
from gdl.interpreter.errors import GameFault
from gdl.model import Option, option_text

MOST_SETUPS: Final = 40
"""How many games are made of one spec at most. A game takes some hundredths of a second."""

Value = str | int | bool
Options = Mapping[str, Value]


class Playable(Protocol):
    """What is needed of a spec."""

    @property
    def players(self) -> tuple[int, ...]:
        """The allowed numbers of players."""

    @property
    def options(self) -> Mapping[str, Option]:
        """The declared options by name."""

    def begin(self, players: int, options: Options) -> None:
        """Only find out whether a game can be made and begun so."""

    def set_up(self, players: int, options: Options) -> None:
        """Only find out whether the spec can be set up so."""


@define(eq=False)
class _Finding:
    """A finding, and the players and options that it was found with."""

    diagnostic: Diagnostic
    settings: list[str] = field(factory=list)


def lint_setups(spec: Playable, most: int = MOST_SETUPS) -> list[Diagnostic]:
    """What goes wrong when games of the spec are made and begun; each finding once, with the settings in its help.

    Where there are more combinations than `most`, every number of players is tried with the default options, then every
    value of every option beside the other defaults, as far as `most` allows.
    """
    found: dict[tuple[object, ...], _Finding] = {}
    tried = 0
    for players, options in islice(settings(spec, most), most):
        tried += 1
        whole = players == spec.players[0] or options == _defaults(spec)
        for diagnostic in _problems(spec, players, options, whole=whole):
            span = diagnostic.span
            key = (diagnostic.code, span.source.name, span.start, span.end)  # messages may differ in numbers of players
            found.setdefault(key, _Finding(diagnostic)).settings.append(_describe(players, options))
    return [_explained(finding, tried) for finding in found.values()]


def settings(spec: Playable, most: int = MOST_SETUPS) -> Iterator[tuple[int, Options]]:
    """Players and options to try, the likeliest to differ first where there are too many."""
    choices = {name: _values(option) for name, option in spec.options.items()}
    if len(spec.players) * prod(len(values) for values in choices.values()) <= most:
        for players in spec.players:
            for combination in product(*choices.values()):
                yield players, dict(zip(choices, combination, strict=True))
        return
    for players in spec.players:
        yield players, _defaults(spec)
    for players in spec.players:
        for name, values in choices.items():
            for value in values:
                if value != spec.options[name].default:
                    yield players, {**_defaults(spec), name: value}


def _defaults(spec: Playable) -> dict[str, Value]:
    return {name: option.default for name, option in spec.options.items()}


def _values(option: Option) -> list[Value]:
    """The values of an option, the default first; of a range its ends and its default."""
    values: list[Value] = [option.default]
    if option.kind == "range":
        values += [option.low, option.high]
    elif option.kind == "bool":
        values += [False, True]
    else:
        values += [name for name, _ in option.values]
    return list(dict.fromkeys(values))


def _problems(spec: Playable, players: int, options: Options, *, whole: bool) -> list[Diagnostic]:
    """Why a game can't be set up with these players and options, or, if `whole`, can't be made and begun."""
    try:
        if whole:
            spec.begin(players, options)
        else:
            spec.set_up(players, options)
    except SpecError as error:
        return list(error.diagnostics)
    except GameFault as fault:
        return [Diagnostic(fault.code, fault.span, fault.message, help=_chain(fault))]
    return []


def _chain(fault: GameFault) -> str:
    """The rules that led to a fault in one line; the last one is where it is."""
    rules = [place.rule for place in fault.chain]
    return f"the rules at work: {', '.join(rules)}" if len(rules) > 1 else ""


def _describe(players: int, options: Options) -> str:
    parts = [f"{players} player{'' if players == 1 else 's'}"]
    parts += [f"{name}={option_text(value)}" for name, value in options.items()]
    return ", ".join(parts)


def _explained(finding: _Finding, tried: int) -> Diagnostic:
    """The diagnostic, with what it was found with."""
    number = len(finding.settings)
    if number == tried:
        where = "found when the game was set up, whatever the players and options"
    elif number == 1:
        where = f"found when the game was set up with {finding.settings[0]}"
    else:
        where = f"found when the game was set up with {finding.settings[0]}, and in {number - 1} more of {tried} settings"
    diagnostic = finding.diagnostic
    return evolve(diagnostic, help="\n".join(part for part in (diagnostic.help, where) if part), severity=Severity.ERROR)
