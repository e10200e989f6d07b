"""What there is not enough of, or never: places of an index, pieces to deal, room, entries of tables for all players and options."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from math import prod
from typing import Final

from gdl import typed, types
from gdl.dependence import dependence_of
from gdl.diagnostics import Related, Severity
from gdl.source import Span
from gdl.typed import TExpression
from gdl.validators import sizes
from gdl.validators.bounds import Bounds, Setting
from gdl.validators.intervals import INFINITE, Interval, are_apart
from gdl.validators.rule import Finding, Rule
from gdl.validators.rules.examples import POINTS, example
from gdl.validators.subject import PLAYERS, Subject
from gdl.walk import nodes_of

_MOST_SETTINGS: Final = 200
_MOST_SHOWN: Final = 5
"""Places that use what a table lacks."""
_OTHER: Final = "another number was meant"


# --- divisions --------------------------------------------------------------------------------------------------------


def _divisions(subject: Subject) -> Iterator[Finding]:
    """Divisors that are 0, whatever is played."""
    reported: set[int] = set()
    for place in subject.places:
        match place.node:
            case typed.Arithmetic(operator="//" | "%" as operator, right=right) if place.bounds.is_possible and id(right) not in reported:
                reported.add(id(right))
                divisor = place.bounds.number(right)
                if divisor.low == divisor.high == 0:
                    yield Finding(right.span, f"`{operator}` by 0 is a fault, and this is always 0", help=_OTHER)


# --- indices ----------------------------------------------------------------------------------------------------------


def _missing_places(subject: Subject) -> Iterator[Finding]:
    """Indices that lie outside, whatever is played."""
    reported: set[int] = set()
    for place in subject.places:
        if isinstance(place.node, TExpression) and place.bounds.is_possible and id(place.node) not in reported:
            reported.add(id(place.node))
            for what, index, held in _indices(place.node, place.bounds):
                if held is not None and are_apart(place.bounds.of(index), held):
                    there = f"it has {held.low}..{held.high}" if held.low <= held.high else "it has none"
                    yield Finding(index.span, f"{what} never has this: {there}", help=_OTHER)


def _indices(node: TExpression, bounds: Bounds) -> Iterator[tuple[str, TExpression, Interval | None]]:
    """The numbers that pick something: of what, and which there are."""
    match node:
        case typed.ZoneSpaces(zone=name, keys=keys, indices=indices):
            zone = bounds.spec.zones[name]
            yield from _of_keys(f"`{name}`", zone.per, keys, bounds)
            for index, held in zip(indices, sizes.indices(bounds, zone), strict=False):
                yield f"`{name}`", index, held
        case typed.KindPieces(kinds=[name], indices=[index], by_values=False):
            yield f"`{name}`", index, sizes.numbers(bounds, bounds.spec.kinds[name])
        case typed.VariableValue(infos=[info], keys=keys):
            yield from _of_keys(f"`{info.name}`", info.per, keys, bounds)
        case typed.Element(source=source, index=index):
            most = bounds.size(source).high
            yield "this list", index, Interval(0, most - 1) if most < INFINITE else None


def _of_keys(
    what: str, per: Sequence[typed.Domain], keys: Sequence[TExpression], bounds: Bounds
) -> Iterator[tuple[str, TExpression, Interval | None]]:
    for domain, key in zip(per, keys, strict=False):
        held = bounds.domain(domain)
        yield what, key, held if isinstance(held, Interval) else None


# --- more than there are ----------------------------------------------------------------------------------------------


def _too_many(subject: Subject) -> Iterator[Finding]:
    """Choices of more than there are, moves of more than there is room for, deals that some players get less of."""
    for place in subject.places:
        match place.node:
            case typed.TChoose(keys=typed.TKeys(lower=TExpression() as lower), binders=[binder, *_]) if place.bounds.is_possible:
                least, most = place.bounds.number(lower).low, place.bounds.size(binder.domain).high
                if least > most:
                    yield Finding(lower.span, f"{least} are to be chosen, and there are never more than {most}", help=_OTHER)
            case typed.TEffect(entry=entry, arguments=[pieces, to, *_]) if entry.name == "move" and place.bounds.is_possible:
                yield from _over_capacity(place.bounds, pieces, to)
            case typed.TEffect(entry=entry, arguments=[number, source, spaces]) if entry.name == "deal":
                yield from _uneven_deal(subject, number, source, spaces)


def _over_capacity(bounds: Bounds, pieces: TExpression, to: TExpression) -> Iterator[Finding]:
    if isinstance(pieces.type, types.ListType):
        least, room = bounds.size(pieces).low, sizes.capacity(bounds, to.type)
        if least > room:
            yield Finding(pieces.span, f"{least} pieces and more are moved, and a space of {to.type} holds {room}", help=_OTHER)


def _uneven_deal(subject: Subject, number: TExpression, source: TExpression, spaces: TExpression) -> Iterator[Finding]:
    """A deal for which there are not enough pieces with some number of players. One of all pieces there are means just that."""
    zones = source.type.zones if isinstance(source.type, types.SpaceType) else None
    if not zones:
        return
    settings = [Setting(players, {}) for players in subject.declared.players.allowed]
    lacking = {setting: _lack(subject.bounds_with(setting), number, spaces, zones) for setting in settings}
    for setting in _unexcused(subject, {setting: lack is None for setting, lack in lacking.items()}, number, ()):
        yield Finding(
            number.span, f"with {setting.players} players {lacking[setting]}",
            help="deal fewer, or say how many for each number of players",
        )  # fmt: skip
        return


def _lack(bounds: Bounds, number: TExpression, spaces: TExpression, zones: Sequence[str]) -> str | None:
    """What there is not enough of, if that is certain."""
    each, hands = bounds.number(number).low, bounds.size(spaces).low
    kinds = dict.fromkeys(kind for zone in zones for kind in bounds.spec.zones[zone].holds)
    there = sum(sizes.piece_count(bounds, kind) for kind in kinds)
    if each < there < each * hands:
        return f"{each * hands} pieces are dealt, and there are never more than {there}"
    return None


# --- entries of tables ------------------------------------------------------------------------------------------------


def _missing_entries(subject: Subject) -> Iterator[Finding]:
    """Look-ups by players and options in tables that lack an entry, where nothing distinguishes the setting without from one with it."""
    uses: dict[typed.Lookup, list[Span]] = {}
    for place in subject.places:
        match place.node:
            case typed.Convert(form="value", operand=operand):
                lookup = _named(subject, operand)
                if isinstance(lookup, typed.Lookup):
                    uses.setdefault(lookup, []).append(operand.span)
    for lookup, spans in uses.items():
        elsewhere = [span for span in spans if span != lookup.span]
        yield from _gaps(subject, lookup, tuple(Related(span, "what is found is used here") for span in elsewhere[:_MOST_SHOWN]))


def _named(subject: Subject, node: TExpression) -> TExpression:
    """What a name of a constant stands for."""
    while isinstance(node, typed.NamedConstant):
        node = subject.spec.constants[node.name]
    return node


def _gaps(subject: Subject, lookup: typed.Lookup, uses: tuple[Related, ...]) -> Iterator[Finding]:
    table = _named(subject, lookup.table)
    options = sorted(subject.reads(lookup.key) - {PLAYERS})
    settings = list(_settings(subject, options))
    if not isinstance(table, typed.MakeTable) or not settings:
        return
    there = {setting: subject.bounds_with(setting).entry(table, lookup.key)[0] for setting in settings}
    if any(found is None for found in there.values()):
        return
    for setting in _unexcused(subject, {setting: bool(found) for setting, found in there.items()}, lookup.key, options):
        said = [f"{setting.players} players", *(f"{name}={_value(subject, name, setting)}" for name in options)]
        yield Finding(lookup.key.span, f"this table has no entry for {', '.join(said)}", label="none there",
                      help="add the entry, or give a value for all others with `??`", related=uses)  # fmt: skip
        return


def _unexcused(subject: Subject, good: Mapping[Setting, bool], key: TExpression, options: Sequence[str]) -> Iterator[Setting]:
    """The settings that are not good though no condition of the spec, other than those in the key itself, tells them from those that are.

    Where a condition does, it may be what keeps such a setting from coming so far.
    """
    bad = [setting for setting, is_good in good.items() if not is_good]
    if not bad:
        return
    own = {id(node) for node in nodes_of(_named(subject, key))}
    nodes = (place.node for place in subject.places)
    switches = [node for node in nodes if isinstance(node, TExpression) and id(node) not in own and _is_switch(subject, node)]
    reading = [switch for switch in switches if subject.reads(switch) & {PLAYERS, *options}]
    alike = {_switched(subject, reading, setting) for setting, is_good in good.items() if is_good}
    for setting in bad:
        switched = _switched(subject, reading, setting)
        if None not in switched and (switched in alike or not reading):
            yield setting


def _is_switch(subject: Subject, node: TExpression) -> bool:
    """Whether an expression is a condition over players and options alone; of several that are joined each is one by itself."""
    if node.type != types.BOOL or isinstance(node, typed.Both | typed.Negation):
        return False
    dependence = dependence_of(node, subject.spec.dependences)
    return not dependence.changes and not dependence.locals


def _settings(subject: Subject, options: Sequence[str]) -> Iterator[Setting]:
    """All numbers of players with all values of these options; nothing if there are too many."""
    choices = [_values(subject.spec.options[name]) for name in options]
    players = subject.declared.players.allowed
    if prod(map(len, choices)) * len(players) <= _MOST_SETTINGS:
        for number in players:
            for values in product(*choices):
                yield Setting(number, dict(zip(options, values, strict=True)))


def _values(option: typed.OptionInfo) -> Sequence[int]:
    declared = option.declaration
    if declared.kind == "range":
        return range(declared.low, declared.high + 1)
    return option.type.symbols if isinstance(option.type, types.EnumType) else (0, 1)


def _value(subject: Subject, name: str, setting: Setting) -> str:
    value, type_ = setting.options[name], subject.spec.options[name].type
    if isinstance(type_, types.EnumType):
        return subject.spec.symbols[value]
    return ("false", "true")[value] if type_ == types.BOOL else str(value)


def _switched(subject: Subject, switches: Sequence[TExpression], setting: Setting) -> tuple[int | None, ...]:
    """How conditions over players and options come out in a setting; none for one that is not certain."""
    bounds = subject.bounds_with(setting)
    found = [bounds.truth(switch) for switch in switches]
    return tuple(None if truth is None else int(truth) for truth in found)


_CARDS: Final = "pieces: {{card: {{count: {}, at: deck}}}}\nzones:\n  deck: {{stack: true}}\n  hand: {{per: player}}\n"
_DEAL: Final = POINTS + "setup: [shuffle(deck), \"deal(5, deck, hand)\"]\n"
_TABLE: Final = 'variables: {{points: 0..10 = 0}}\nconstants: {{stride: "{{{}}}[count(players)]"}}\n'
_SEVERAL: Final = "gdl: 1\ngame: example\ntitle: Example\nsource: made up\nplayers: 2..4\n"

RULES = (
    Rule(
        327,
        "missing-entry",
        Severity.WARNING,
        "A table without an entry for some players or options",
        "The table is asked with the number of players or an option, and has no entry for one that the game allows. What is found then is "
        "none, and using it is a fault. Where a condition keeps that setting away from the table, nothing is reported.",
        example(_TABLE.format("2: 3, 3: 2"), {"points += 1": "points += stride"}, head=_SEVERAL),
        example(_TABLE.format("2: 3, 3..4: 2"), {"points += 1": "points += stride"}, head=_SEVERAL),
        _missing_entries,
        foretells=("fault-none",),
    ),
    Rule(
        328,
        "too-many",
        Severity.WARNING,
        "More than there are",
        "More are to be chosen than the list ever has, more pieces are moved than a space may hold, or there are too few pieces for "
        "everybody to be dealt so many. (A deal of as many as there are at all means all of them.)",
        example(_CARDS.format(9) + _DEAL),
        example(_CARDS.format(10) + _DEAL),
        _too_many,
        foretells=("fault-move", "fault-no-move"),
    ),
    Rule(
        329,
        "no-such-place",
        Severity.WARNING,
        "An index that there never is",
        "The number picks a space, piece, element or value that does not exist, for any number of players and any options: a fault "
        "whenever it is reached. Counting begins with 0.",
        example("zones:\n  path: {track: 5, holds: man}\npieces: {man: {at: \"path[0]\"}}\n" + POINTS,
                {"[points += 1]": "[points += 1, \"move(man, path[5])\"]"}),
        example("zones:\n  path: {track: 5, holds: man}\npieces: {man: {at: \"path[0]\"}}\n" + POINTS,
                {"[points += 1]": "[points += 1, \"move(man, path[4])\"]"}),
        _missing_places,
        foretells=("fault-index",),
    ),
    Rule(
        347,
        "division-by-zero",
        Severity.WARNING,
        "A division by what is always 0",
        "The right side of `//` or `%` is 0, whatever is played: a fault whenever it is reached.",
        example(POINTS, {"points += 1": "points += 6 // (2 - 2)"}),
        example(POINTS, {"points += 1": "points += 6 // 2"}),
        _divisions,
        foretells=("fault-division",),
    ),
)  # fmt: skip
