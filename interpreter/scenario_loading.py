"""Scenario files → records: what each scenario says, as far as that can be read without knowing the game."""

from __future__ import annotations

import re
from collections.abc import Iterable

from attrs import evolve, frozen

from gdl.diagnostics import Related, Report
from gdl.interpreter import scenario_forms as forms
from gdl.load_context import Context, Fields, items_of, read_form, wrong_form
from gdl.load_files import no_files
from gdl.load_values import load_number, load_text, load_word
from gdl.source import Fragment, SourceFile, Span
from gdl.yaml_nodes import Entry, Mapping, Node, Scalar, Sequence, parse_yaml

LARGEST_SEED = (1 << 64) - 1
_SEAT = re.compile(r"\d+")


@frozen(eq=False)
class Judged:
    """What is judged at one moment. `legal` is none if nothing is said of it."""

    legal: tuple[Scalar, ...] | None
    illegal: tuple[Scalar, ...]
    expect: tuple[Node, ...]


@frozen(eq=False)
class MoveLine:
    """A move, and what is judged after it."""

    move: Scalar
    judged: Judged

    @property
    def text(self) -> Fragment:
        """The move's text with its places."""
        return self.move.fragment


@frozen(eq=False)
class Given:
    """A situation as it is written. `legend`: what the characters of diagrams mean, in this file or just here.

    `place_key` and `legend_key` are the words `place` and `key` themselves.
    """

    span: Span
    phase: Scalar | None
    player: Node | None
    place_key: Node | None
    places: tuple[Entry, ...]
    values: tuple[Entry, ...]
    legend_key: Node | None
    legend: Mapping | None


@frozen(eq=False)
class Scenario:
    """One scenario. `sound`: nothing in it was unreadable. `cited` are the places of what it covers."""

    name: str
    span: Span
    sound: bool
    covers: tuple[str, ...]
    cited: tuple[Scalar, ...]
    players: int | None
    players_span: Span
    options: tuple[Entry, ...]
    seed: int
    given: Given | None
    chance: tuple[Scalar, ...]
    lines: tuple[MoveLine, ...]
    judged: Judged
    until_move: bool
    outcomes: tuple[Entry, ...]


@frozen(eq=False)
class ScenarioFile:
    """All of a file: the path of its spec, those of the rules that it cites, and its scenarios."""

    spec: str
    spec_span: Span
    rules: tuple[Scalar, ...]
    tests_span: Span
    tests: tuple[Scenario, ...]


def load_scenarios(source: SourceFile, report: Report) -> ScenarioFile | None:
    """The scenarios of a file; none if there is no telling what they are about."""
    root = parse_yaml(source, report)
    context = Context(report, no_files)
    fields = read_form(root, forms.FILE, context) if root is not None else None
    if fields is None:
        return None
    spec, tests = fields.node_of("spec"), fields.node_of("tests")
    if not isinstance(spec, Scalar) or not isinstance(tests, Sequence):
        return None
    found: dict[str, Scenario] = {}
    for node in tests.items:
        scenario = _scenario(node, fields, context)
        if scenario is None:
            continue
        if scenario.name in found:
            related = (Related(found[scenario.name].span, "first here"),)
            report.error("duplicate-name", scenario.span, "two scenarios have this name", related=related)
            continue
        found[scenario.name] = scenario
    rules = tuple(item for item in _items(fields.node_of("rules")) if isinstance(item, Scalar))
    return ScenarioFile(load_text(spec, context), spec.span, rules, fields.key_span("tests"), tuple(found.values()))


def _scenario(node: Node, file: Fields, context: Context) -> Scenario | None:
    before = len(context.report.items)
    fields = read_form(node, forms.SCENARIO, context)
    name = fields.node_of("name") if fields is not None else None
    if fields is None or not isinstance(name, Scalar):
        return None
    players = (fields if "players" in fields else file).node_of("players")
    given = fields.node_of("given")
    scenario = Scenario(
        name=load_text(name, context),
        span=name.span,
        sound=True,
        covers=tuple(load_text(n, context) for n in _items(fields.node_of("covers"))),
        cited=tuple(n for n in _items(fields.node_of("covers")) if isinstance(n, Scalar)),
        players=load_number(players, context) if players is not None else None,
        players_span=players.span if players is not None else name.span,
        options=_merged(_entries(file.node_of("options")), _entries(fields.node_of("options"))),
        seed=_seed(fields, context),
        given=_given(given, file, context) if given is not None else None,
        chance=tuple(_scalars(fields.node_of("chance"), "a chance event with its outcome", context)),
        lines=tuple(_lines(fields.node_of("do"), context)),
        judged=_judged(fields, context),
        until_move=fields.read("until", lambda n, c: load_word(n, ("move",), c, "`until`")) is not None,
        outcomes=_entries(fields.node_of("outcomes")),
    )
    return evolve(scenario, sound=not context.report.failed_since(before))


def _seed(fields: Fields, context: Context) -> int:
    node = fields.node_of("seed")
    seed = load_number(node, context) if node is not None else None
    if node is not None and seed is not None and not 0 <= seed <= LARGEST_SEED:
        context.report.error("wrong-form", node.span, "a seed is a number from 0 on")
    return max(seed or 0, 0)


def _given(node: Node, file: Fields, context: Context) -> Given | None:
    fields = read_form(node, forms.GIVEN, context)
    if fields is None:
        return None
    phase = fields.node_of("phase")
    own, shared = fields.node_of("key"), file.node_of("key")
    legend = own if own is not None else shared
    if own is not None and shared is not None:
        legend = Mapping(own.span, _merged(_entries(shared), _entries(own)), flow=False)
    owner = fields if "key" in fields else file
    return Given(
        span=node.span,
        phase=phase if isinstance(phase, Scalar) else None,
        player=fields.node_of("player"),
        place_key=fields.entries["place"].key if "place" in fields else None,
        places=_entries(fields.node_of("place")),
        values=_entries(fields.node_of("set")),
        legend_key=owner.entries["key"].key if "key" in owner else None,
        legend=legend if isinstance(legend, Mapping) else None,
    )


def _lines(node: Node | None, context: Context) -> Iterable[MoveLine]:
    for item in _items(node):
        if isinstance(item, Scalar) and not item.is_empty:
            yield MoveLine(item, Judged(None, (), ()))
            continue
        if isinstance(item, Mapping) and len(item.entries) == 1 and _SEAT.fullmatch(item.entries[0].name or ""):
            text = item.span.text
            context.report.error(
                "wrong-form",
                item.span,
                "a move with its seat is one text, and YAML takes this for a map",
                help=f'quote it: `"{text}"`' if "\n" not in text else "quote it",
            )
            continue
        fields = read_form(item, forms.MOVE, context)
        move = fields.node_of("move") if fields is not None else None
        if fields is not None and isinstance(move, Scalar):
            yield MoveLine(move, _judged(fields, context))


def _judged(fields: Fields, context: Context) -> Judged:
    legal, illegal = fields.node_of("legal"), fields.node_of("illegal")
    return Judged(
        tuple(_scalars(legal, "a move", context)) if legal is not None else None,
        tuple(_scalars(illegal, "a move", context)),
        tuple(_items(fields.node_of("expect"))),
    )


# --- nodes ------------------------------------------------------------------------------------------------------------


def _items(node: Node | None) -> tuple[Node, ...]:
    return () if node is None else items_of(node)


def _entries(node: Node | None) -> tuple[Entry, ...]:
    return node.entries if isinstance(node, Mapping) else ()


def _merged(outer: tuple[Entry, ...], inner: tuple[Entry, ...]) -> tuple[Entry, ...]:
    """The entries of two maps; those of the inner one win."""
    names = {entry.name for entry in inner}
    return (*(entry for entry in outer if entry.name not in names), *inner)


def _scalars(node: Node | None, wanted: str, context: Context) -> Iterable[Scalar]:
    for item in _items(node):
        if isinstance(item, Scalar) and not item.is_empty:
            yield item
        else:
            wrong_form(item, wanted, context)
