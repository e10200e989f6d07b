"""A checked spec → findings that show only when it is set up.

What depends on players and options, such as the size of a board or a table with an entry for each number of players,
can't be seen in the text. So every combination is set up here; with the fewest players, and with the default options, the
game is made and begun as well. How it then goes on is not looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice, product
from math import prod
from typing import Final, Protocol

from attrs import define, evolve, field

from gdl.diagnostics import Diagnostic, Severity, SpecError
from gdl.interpreter.errors import GameFault
from gdl.model import Option, option_text

MOST_SETUPS: Final = 100
"""How many combinations of players and options are tried at most. Setting one up takes some thousandths of a second."""
MOST_GAMES: Final = 40
"""How many games are made of one spec at most. A game takes some hundredths of a second."""

Value = str | int | bool
Options = Mapping[str, Value]
Values = Callable[[Option], Sequence[Value]]


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
    """What goes wrong when games of the spec are set up, made and begun; each finding once, with the settings in its help.

    Once rules have gone on without end, no further game is begun: each would take as long as it may.
    Where there are more combinations than `most`, of ranges only the ends and the default are tried; where there are still more, every
    number of players with the default options, then every value of every option beside the other defaults, as far as `most` allows.
    """
    found: dict[tuple[object, ...], _Finding] = {}
    tried = games = 0
    exhausted = False
    for players, options in islice(settings(spec, most), most):
        tried += 1
        is_wanted = options == _defaults(spec) or (players == spec.players[0] and _is_telling(spec, options))
        whole = not exhausted and games < MOST_GAMES and is_wanted
        games += whole
        for diagnostic in _problems(spec, players, options, whole=whole):
            span = diagnostic.span
            key = (diagnostic.code, span.source.name, span.start, span.end)  # messages may differ in numbers of players
            found.setdefault(key, _Finding(diagnostic)).settings.append(_describe(players, options))
            exhausted = exhausted or diagnostic.code == "fault-fuel"
    return [_explained(finding, tried) for finding in found.values()]


def left_out(spec: Playable, most: int = MOST_SETUPS) -> str:
    """How many of all combinations of players and options are not set up, and which; empty if all are."""
    total = _product(spec, _values)
    tried = min(most, sum(1 for _ in islice(settings(spec, most), most)))
    if tried == total:
        return ""
    ranges = [name for name, option in spec.options.items() if _count(option, _values) > _count(option, _telling)]
    of_ranges = f"of {', '.join(f'`{name}`' for name in ranges)} the ends and the default" if ranges else ""
    singly = "options other than the defaults one at a time" if _product(spec, _telling) > most else ""
    how = ", ".join(part for part in (of_ranges, singly) if part)
    return f"set up with {tried} of {total:,} combinations of players and options: {how}"


def settings(spec: Playable, most: int = MOST_SETUPS) -> Iterator[tuple[int, Options]]:
    """Players and options to try, the likeliest to differ first where there are too many."""
    for values in (_values, _telling):
        if _product(spec, values) <= most:
            for players in spec.players:
                for combination in product(*(values(option) for option in spec.options.values())):
                    yield players, dict(zip(spec.options, combination, strict=True))
            return
    for players in spec.players:
        yield players, _defaults(spec)
    for players in spec.players:
        for name, option in spec.options.items():
            for value in _telling(option):
                if value != option.default:
                    yield players, {**_defaults(spec), name: value}


def _product(spec: Playable, values: Values) -> int:
    """How many combinations of players and such values there are."""
    return len(spec.players) * prod(_count(option, values) for option in spec.options.values())


def _count(option: Option, values: Values) -> int:
    """How many such values an option has; a range may have more than a list could."""
    return option.high - option.low + 1 if option.kind == "range" and values is _values else len(values(option))


def _defaults(spec: Playable) -> dict[str, Value]:
    return {name: option.default for name, option in spec.options.items()}


def _values(option: Option) -> Sequence[Value]:
    """All values of an option."""
    return range(option.low, option.high + 1) if option.kind == "range" else _telling(option)


def _telling(option: Option) -> Sequence[Value]:
    """The values of an option, the default first; of a range its ends and its default."""
    values: list[Value] = [option.default]
    if option.kind == "range":
        values += [option.low, option.high]
    elif option.kind == "bool":
        values += [False, True]
    else:
        values += [name for name, _ in option.values]
    return list(dict.fromkeys(values))


def _is_telling(spec: Playable, options: Options) -> bool:
    return all(options[name] in _telling(option) for name, option in spec.options.items())


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
    if finding.diagnostic.code == "fault-fuel":
        where = f"found when the game was begun with {finding.settings[0]}; after that no other was begun"
    elif number == tried:
        where = "found when the game was set up, whatever the players and options"
    elif number == 1:
        where = f"found when the game was set up with {finding.settings[0]}"
    else:
        where = f"found when the game was set up with {finding.settings[0]}, and in {number - 1} more of {tried} settings"
    diagnostic = finding.diagnostic
    return evolve(diagnostic, help="\n".join(part for part in (diagnostic.help, where) if part), severity=Severity.ERROR)
