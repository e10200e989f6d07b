"""A spec's files → declarations: the top level, and the merging of included files.

Reads the structure of language.md section by section through the `load_*` modules. Every string is parsed, every
place known, no name resolved. Mistakes are reported and passed over, so that one never hides another.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from posixpath import basename, normpath
from typing import TypeVar

from attrs import Factory, define, evolve, frozen

from gdl import ast
from gdl.diagnostics import Related, Report
from gdl.forms import SPEC, MapOf
from gdl.load_context import Context, Fields, items_of, missing_key, read_form, wrong_form
from gdl.load_files import Reader, Unreadable, report_unreadable
from gdl.load_phases import load_actions, load_ends, load_phases, load_result, load_triggers
from gdl.load_pieces import load_kinds, load_variables
from gdl.load_sections import (
    check_version,
    load_constants,
    load_displays,
    load_enums,
    load_functions,
    load_histories,
    load_limits,
    load_options,
    load_players,
    load_procedures,
)
from gdl.load_steps import load_block
from gdl.load_values import load_expression, load_expressions, load_name, load_names, load_text
from gdl.load_zones import load_zones
from gdl.model import Declaration, Declarations, Limits, Players
from gdl.source import SourceFile, Span
from gdl.yaml_nodes import Node, Scalar, parse_yaml

T = TypeVar("T")
D = TypeVar("D", bound=Declaration)

MOST_FILES = 100
_JOINED = ("setup", "end", "invariants", "include")


def load_declarations(source: SourceFile, read: Reader, report: Report) -> Declarations | None:
    """All that a spec and its included files declare; none if the spec itself can't be read at all.

    `read` gives an included file or a table by its path relative to the spec's folder. If anything was reported as an
    error, the declarations are incomplete, and `ast.Invalid` or `ast.InvalidType` stands for what could not be parsed.
    """
    context = Context(report, read)
    gathering = _Gathering(context)
    gathering.add(source, None)
    if not gathering.has_root:
        return None
    return _Sections(context, tuple(gathering.files)).declarations(Span(source, 0, 0))


@define
class _Gathering:
    """Collects the files of a spec, included ones before those that include them, each once."""

    context: Context
    files: list[Fields] = Factory(list)
    open: list[str] = Factory(list)
    done: set[str] = Factory(set)
    has_root: bool = False

    def add(self, source: SourceFile, path: Scalar | None) -> None:
        """Take in a file and what it includes."""
        name = normpath(path.value if path else basename(source.name))
        root = parse_yaml(source, self.context.report)
        fields = self._form(root)
        if path is None:
            self.has_root = fields is not None
        if fields is None:
            return
        self.open.append(name)
        include = fields.node_of("include")
        for item in items_of(include) if include else ():
            self._include(item)
        self.open.pop()
        self.files.append(fields)

    def _form(self, root: Node | None) -> Fields | None:
        return read_form(root, _OPTIONAL_SPEC, self.context) if root is not None else None

    def _include(self, item: Node) -> None:
        report = self.context.report
        if not isinstance(item, Scalar):
            wrong_form(item, "the path of a file", self.context)
        elif normpath(item.value) in self.open:
            report.error("include-cycle", item.span, f"`{item.value}` includes itself, directly or through others")
        elif item.value not in self.done:
            self.done.add(item.value)
            found = self.context.read(item.value) if len(self.done) <= MOST_FILES else _too_many()
            if isinstance(found, Unreadable):
                report_unreadable(found, item.span, report)
            else:
                self.add(found, item)


_OPTIONAL_SPEC = evolve(SPEC, keys=tuple(evolve(key, required=False) for key in SPEC.keys))
"""The form of one file: what a spec must have may stand in any of its files."""


def _too_many() -> Unreadable:
    return Unreadable("file-missing", f"a spec has at most {MOST_FILES} files")


@frozen
class _Sections:
    """Loads the sections of all files and merges them."""

    context: Context
    files: tuple[Fields, ...]

    def declarations(self, start: Span) -> Declarations:
        """Everything, in order of writing, what is included first."""
        self._check_single_keys()
        self._check_required(start)
        for fields in self.files:
            fields.read("gdl", check_version)
        game = self._single("game", load_name)
        players = self._single("players", load_players)
        seats = self._single("seats", load_names) or ()
        self._check_seats(seats, players)
        return Declarations(
            game.span if game else start,
            game.name if game else "",
            players or Players(start, (2,)),
            title=self._single("title", load_text) or "",
            about=self._single("about", load_text) or "",
            authors=self._single("authors", load_text) or "",
            source=self._single("source", load_text) or "",
            seats=seats,
            options=self._named("options", load_options),
            enums=self._named("enums", load_enums),
            constants=self._named("constants", load_constants),
            kinds=self._named("pieces", load_kinds),
            zones=self._named("zones", load_zones),
            variables=self._named("variables", load_variables),
            functions=self._named("functions", load_functions),
            procedures=self._named("procedures", load_procedures),
            actions=self._named("actions", load_actions),
            setup=self._setup(),
            phases=self._single("phases", load_phases) or (),
            triggers=self._named("triggers", load_triggers),
            end=self._joined("end", load_ends),
            result=self._single("result", load_result),
            heuristic=self._single("heuristic", load_expression),
            histories=self._named("history", load_histories),
            limits=self._single("limits", load_limits) or Limits(),
            invariants=self._joined("invariants", load_expressions),
            display=self._joined("display", load_displays),
        )

    def _single(self, name: str, load: Callable[[Node, Context], T]) -> T | None:
        """A key that stands in one file only; the last one counts, the others have been reported."""
        result: T | None = None
        for fields in self.files:
            if name in fields:
                result = fields.read(name, load)
        return result

    def _joined(self, name: str, load: Callable[[Node, Context], tuple[T, ...]]) -> tuple[T, ...]:
        return tuple(item for fields in self.files for item in fields.read_all(name, load))

    def _named(self, name: str, load: Callable[[Node, Context], tuple[D, ...]]) -> tuple[D, ...]:
        return tuple(self._unique(self._joined(name, load)))

    def _unique(self, declared: Iterable[D]) -> Iterable[D]:
        """The declarations of a section; a name that comes again is reported and left out."""
        seen: dict[str, Span] = {}
        for item in declared:
            if item.name in seen:
                related = (Related(seen[item.name], "first here"),)
                message = f"`{item.name}` is declared twice"
                self.context.report.error("duplicate-name", item.span, message, related=related)
            else:
                seen[item.name] = item.span
                yield item

    def _setup(self) -> ast.Block | None:
        blocks = [block for fields in self.files if (block := fields.read("setup", load_block)) is not None]
        if not blocks:
            return None
        return ast.Block(blocks[-1].span, tuple(step for block in blocks for step in block.steps))

    # --- checks over all files ----------------------------------------------------------------------------------------

    def _check_single_keys(self) -> None:
        """Report keys that several files give and that can't be joined."""
        first: dict[str, Span] = {}
        for fields in self.files:
            for name, entry in fields.entries.items():
                if _is_merged(name):
                    continue
                if name in first and name != "gdl":
                    related = (Related(first[name], "the other one"),)
                    message = f"`{name}` stands in two files"
                    self.context.report.error("defined-twice", entry.key.span, message, related=related)
                first.setdefault(name, entry.key.span)

    def _check_required(self, start: Span) -> None:
        for key in SPEC.keys:
            if key.required and not any(key.name in fields or key.name in fields.faulty for fields in self.files):
                missing_key(SPEC, key, start, self.context)

    def _check_seats(self, seats: tuple[ast.Name, ...], players: Players | None) -> None:
        if not seats or players is None or players.allowed == (len(seats),):
            return
        span = seats[0].span.to(seats[-1].span)
        if len(players.allowed) > 1:
            message = "`seats` needs a fixed number of players"
        else:
            message = f"`seats` has {_count(len(seats), 'name')}, the game {_count(players.allowed[0], 'player')}"
        related = (Related(players.span, "the number of players"),)
        self.context.report.error("wrong-players", span, message, related=related)


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def _is_merged(name: str) -> bool:
    """Whether a key may stand in several files."""
    key = SPEC.key(name)
    return name in _JOINED or (key is not None and isinstance(key.shape, MapOf) and name != "phases")
