"""Every name in a spec and its files, and misspellings of it: the material of the mutation test.

Names are found in the text, not by the checker that is tested: every word in keys, expressions and holes of texts. The trees are only asked
which of them declare something.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from attrs import frozen

from gdl import ast, model
from gdl.api import REGISTRY, examine_source
from gdl.diagnostics import Diagnostic, Report
from gdl.expression_scan import RESERVED, scan
from gdl.forms import FORMS, STEP_FORMS
from gdl.load_files import Reader, Unreadable, no_files
from gdl.loader import load_declarations
from gdl.nodes import parts_of
from gdl.source import Fragment, SourceFile, Span
from gdl.validators.rules import RULES
from gdl.validators.subject import Subject
from gdl.yaml_nodes import Entry, Node, Scalar, Sequence, parse_yaml
from gdl.yaml_nodes import Mapping as YamlMapping

_PROSE = {"title", "about", "authors", "source", "game", "back", "include", "table", "glyph", "color", "layout"}
"""Keys whose values are no names: text, files, how things look."""
_TEMPLATES = {"label", "prompt", "may"}
"""Keys whose values are text with names in braces only."""
_PHASE_NAMED = re.compile(r"\b(?:start|end|end_phase)\($")
"""What stands before the name of a phase."""
_CELL = re.compile(r'"[^"\n]*"|[^",\n]+')
_LETTERS = "abcdefghijklmnopqrstuvwxyz"


@frozen
class Site:
    """A word that means something. `declares`: it is where a name is declared."""

    file: str
    start: int
    word: str
    declares: bool
    is_key: bool

    @property
    def end(self) -> int:
        """The offset behind it."""
        return self.start + len(self.word)


@frozen
class Mutation:
    """A word, and what is written instead."""

    site: Site
    wrong: str


class Specimen:
    """A spec with its files, by their names as the spec has them; the first is the spec itself."""

    def __init__(self, files: Mapping[str, str]) -> None:
        self.files = dict(files)
        self.main = next(iter(self.files))
        report = Report()
        declarations = load_declarations(SourceFile(self.main, self.files[self.main]), self.reader(self.files), report)
        assert declarations is not None
        assert not report.has_errors
        self.declarations = declarations
        self.declared = {(span.source.name, span.start): type(what) for span, what in _declared(declarations)}
        attributes = [a for kind in declarations.kinds for a in kind.attributes]
        attributes += [a for zone in declarations.zones for a in zone.attributes]
        self.texts = {attribute.name for attribute in attributes if _is_text(attribute.type)}
        self.sites = tuple(self._sites())
        self.words = {site.word for site in self.sites} | RESERVED | _language()

    @staticmethod
    def reader(files: Mapping[str, str]) -> Reader:
        """A reader of the files at hand."""

        def read(name: str) -> SourceFile | Unreadable:
            return SourceFile(name, files[name]) if name in files else no_files(name)

        return read

    # --- names --------------------------------------------------------------------------------------------------------

    def _sites(self) -> Iterator[Site]:
        for name, text in self.files.items():
            source = SourceFile(name, text)
            if name.endswith(".csv"):
                yield from self._cells(source)
                continue
            root = parse_yaml(source, Report())
            assert root is not None
            yield from self._inside(root, ())

    def _cells(self, source: SourceFile) -> Iterator[Site]:
        """The words in the cells of a table; a doubled quote stands in none of them."""
        for cell in _CELL.finditer(source.text):
            inner = 1 if cell[0].startswith('"') else 0
            yield from self._words(Fragment(cell[0].strip('"'), source, cell.start() + inner), is_key=source.position(cell.start())[0] == 1)

    def _inside(self, node: Node, path: tuple[str, ...]) -> Iterator[Site]:
        match node:
            case YamlMapping(entries=entries):
                for entry in entries:
                    yield from self._entry(entry, path)
            case Sequence(items=items):
                for item in items:
                    yield from self._inside(item, path)
            case Scalar():
                yield from self._scalar(node, path)

    def _entry(self, entry: Entry, path: tuple[str, ...]) -> Iterator[Site]:
        name = entry.name or ""
        is_part = path[-2:] == ("result", "score")
        if isinstance(entry.key, Scalar) and not is_part and not (path and path[-1] in ("legend", "key")):
            yield from self._words(entry.key.fragment, is_key=True)
        is_character = bool(path) and path[-1] in ("legend", "key")
        yield from self._inside(entry.value, (*path, "" if is_character else name))

    def _scalar(self, node: Scalar, path: tuple[str, ...]) -> Iterator[Site]:
        key = path[-1] if path else ""
        is_diagram = "place" in path[-2:-1]
        if key in _PROSE or key in self.texts or is_diagram:
            return
        if key in _TEMPLATES:
            for hole in _holes(node.text):
                yield from self._words(hole, is_key=False)
            return
        yield from self._words(node.fragment, is_key=False)

    def _words(self, fragment: Fragment, *, is_key: bool) -> Iterator[Site]:
        before = ""
        for word in scan(fragment.text):
            binds = before == "as"  # in a table cell no tree tells
            before = word.text
            if word.kind == "name" and word.text != "_":
                span = fragment.span(word.start, word.end)
                if span.text == word.text:
                    declares = binds or (span.source.name, span.start) in self.declared
                    yield Site(span.source.name, span.start, word.text, declares, is_key)
            elif word.kind == "string":
                for hole in _holes(fragment.part(word.start, word.end)):
                    yield from self._words(hole, is_key=is_key)

    # --- misspellings -------------------------------------------------------------------------------------------------

    def misspelt(self, site: Site, generator: random.Random) -> Mutation | None:
        """A misspelling of a word that is no other word of the spec or the language."""
        for _ in range(20):
            wrong = _misspelling(site.word, generator)
            if wrong not in self.words and wrong.isidentifier():
                return Mutation(site, wrong)
        return None

    def findings(self, mutation: Mutation) -> list[Diagnostic]:
        """What the linter finds in the misspelt spec, without setting it up."""
        site = mutation.site
        text = self.files[site.file]
        files = {**self.files, site.file: text[: site.start] + mutation.wrong + text[site.end :]}
        spec, report = examine_source(SourceFile(self.main, files[self.main]), self.reader(files))
        if spec is not None and not report.has_errors:
            for rule in RULES:
                report.items += rule.run(Subject(spec.context))
        return report.sorted()

    def is_used(self, site: Site) -> bool:
        """Whether a declared name is declared once and stands somewhere else as well.

        A phase is named only where phases are; what the moves of a decision are called, only in scenarios.
        """
        same = [other for other in self.sites if other.word == site.word]
        uses = [other for other in same if not other.declares]
        what = self.declared.get((site.file, site.start))
        if what is model.Phase:
            uses = [use for use in uses if _PHASE_NAMED.search(self.files[use.file][: use.start])]
        return sum(other.declares for other in same) == 1 and bool(uses) and what is not ast.DecisionKeys


def specimen(path: Path) -> Specimen:
    """A spec with the files that it reads."""
    files = {path.name: path.read_text("utf-8")}

    def read(name: str) -> SourceFile | Unreadable:
        files[name] = (path.parent / name).read_text("utf-8")
        return SourceFile(name, files[name])

    load_declarations(SourceFile(path.name, files[path.name]), read, Report())
    return Specimen(files)


def _misspelling(word: str, generator: random.Random) -> str:
    place = generator.randrange(len(word))
    letter = generator.choice(_LETTERS)
    swapped = min(place, len(word) - 2)
    slips = [word[:place] + word[place] + word[place:], word + letter]
    if len(word) > 3:
        slips += [
            word[:place] + letter + word[place + 1 :],
            word[:swapped] + word[swapped + 1] + word[swapped] + word[swapped + 2 :],
            word[:place] + word[place + 1 :],
        ]
    return generator.choice(slips)


def _holes(text: Fragment) -> Iterator[Fragment]:
    """The contents of the braces of a text with holes."""
    start = None
    for offset, character in enumerate(text.text):
        if character == "{":
            start = offset + 1
        elif character == "}" and start is not None:
            yield text.part(start, offset)
            start = None


def _language() -> set[str]:
    keys = {key.name for form in (*FORMS.values(), *STEP_FORMS) for key in form.keys}
    return keys | set(REGISTRY.builtins) | set(REGISTRY.effects)


def _is_text(type_: ast.TypeExpression) -> bool:
    return isinstance(type_, ast.TypeName) and type_.name == "text"


def _declared(root: object) -> Iterator[tuple[Span, object]]:
    """Where names are declared, and what declares them."""
    todo: list[object] = [root]
    while todo:
        value = todo.pop()
        match value:
            case tuple() | list():
                todo += value
                continue
            case model.Option(span=span, values=values):
                yield span, value
                yield from ((place, value) for _, place in values)
            case model.Enum(span=span, symbols=symbols):
                yield span, value
                yield from ((symbol.span, value) for symbol in symbols)
            case model.Declaration(span=span):
                yield span, value
            case model.Row(name=ast.Name(span=span)):
                yield span, value
            case model.Geometry(nodes=names) | model.Parts(names=names):
                yield from ((name.span, value) for name in names)
            case model.Declarations(seats=seats):
                yield from ((seat.span, value) for seat in seats)
            case ast.Binder(name=ast.Name(span=span)) | ast.Binding(name=ast.Name(span=span)) | ast.Parameter(name=ast.Name(span=span)):
                yield span, value
            case ast.Argument(binder=ast.Name(span=span)) | ast.Link(binder=ast.Name(span=span)):
                yield span, value
            case ast.DecisionKeys(name=ast.Name(span=span)):
                yield span, value
        if hasattr(type(value), "__match_args__") and type(value) is not Span:
            todo += [part for field, part in parts_of(value) if field != "span"]
