"""The reference, in docs/: the fenced blocks that tests run, and the chapters that are made from the registries.

A generated chapter stands between `<!-- generated: NAME -->` and `<!-- end of generated -->`; `python -m
gdl.validators.reference` writes all of them anew. Knows nothing of how a block is checked: that is the tests' business.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import groupby
from pathlib import Path
from textwrap import dedent
from typing import Final

from attrs import frozen

from gdl.codes import CODES
from gdl.forms import FORMS, STEP_FORMS, Either, Form, Key, Leaf, ListOf, MapOf, Shape, Use, describe_shape
from gdl.interpreter.builtins import BUILTINS
from gdl.interpreter.effects import EFFECTS
from gdl.interpreter.geometry import GEOMETRIES
from gdl.interpreter.scenario_forms import SCENARIO_FORMS
from gdl.registry import Entry

PAGE: Final = Path("docs", "language.md")
SCENARIO_PAGE: Final = Path("docs", "scenarios.md")


# --- fenced blocks ----------------------------------------------------------------------------------------------------


@frozen
class Block:
    """A fenced block of a Markdown page.

    `info` is what stands behind the opening fence, `heading` the nearest heading above, `line` the number of the
    block's first line of text. `notes` are the HTML comments between the block and what comes before it.
    """

    info: str
    text: str
    heading: str
    line: int
    notes: tuple[str, ...] = ()

    def note(self, name: str) -> str | None:
        """The text of the comment `<!-- name: text -->` above the block, or none."""
        return next((rest.strip() for key, _, rest in (n.partition(":") for n in self.notes) if key == name), None)


_FENCE = re.compile(r"(?P<mark>```+)\s*(?P<info>.*?)\s*")
_NOTE = re.compile(r"<!--\s*(.*?)\s*-->")


def read_blocks(page: str) -> tuple[Block, ...]:
    """All fenced blocks of a page, in order. A fence begins at the start of its line."""
    return tuple(_blocks(page.split("\n")))


def _blocks(lines: list[str]) -> Iterator[Block]:
    heading = ""
    notes: list[str] = []
    number = 0
    while number < len(lines):
        line = lines[number]
        fence = _FENCE.fullmatch(line)
        number += 1
        if fence is not None:
            start = number
            while number < len(lines) and lines[number].rstrip() != fence["mark"]:
                number += 1
            text = "".join(f"{each}\n" for each in lines[start:number])
            yield Block(fence["info"], text, heading, start + 1, tuple(notes))
            notes = []
            number += 1
        elif line.startswith("#"):
            heading, notes = line.lstrip("#").strip(), []
        else:
            notes += _NOTE.findall(line)


# --- generated chapters -----------------------------------------------------------------------------------------------


def rewritten(page: str) -> str:
    """The page with its generated chapters as the registries have them now."""
    return _CHAPTER.sub(lambda found: f"{found[1]}\n\n{CHAPTERS[found[2]]()}\n{found[3]}", page)


_CHAPTER = re.compile(r"(<!-- generated: (\w+) -->)\n.*?(<!-- end of generated -->)", re.DOTALL)


def _builtins() -> str:
    return _entries(BUILTINS.builtins)


def _effects() -> str:
    return _entries(EFFECTS.effects)


def _entries(table: Mapping[str, tuple[Entry, ...]]) -> str:
    """A section for each topic, in it every entry with its overloads."""
    every = [entry for overloads in table.values() for entry in overloads]
    parts = []
    for topic, entries in groupby(sorted(every, key=_topic_order(every)), key=lambda entry: entry.topic):
        parts.append(f"### {topic.capitalize()}\n")
        parts += [_entry(entry) for entry in entries]
    return "\n".join(parts)


def _topic_order(entries: Iterable[Entry]) -> Callable[[Entry], int]:
    topics = list(dict.fromkeys(entry.topic for entry in entries))
    return lambda entry: topics.index(entry.topic)


def _entry(entry: Entry) -> str:
    text, example = documentation(entry)
    return f"**`{entry.signature.text}`** {text} *Example:* `{example}`\n"


def documentation(entry: Entry) -> tuple[str, str]:
    """What an entry does, as one paragraph, and its example."""
    text, _, example = entry.doc.partition("Example:")
    return _paragraph(text), _paragraph(example)


def _paragraph(text: str) -> str:
    return " ".join(text.split())


def _geometries() -> str:
    return "\n".join(_geometry(name, geometry.__doc__ or "") for name, geometry in GEOMETRIES.items())


def _geometry(name: str, doc: str) -> str:
    text, _, example = dedent(f"    {doc}").partition("Example:")
    paragraphs = "\n".join(f"{_paragraph(each)}\n" for each in text.split("\n\n") if each.strip())
    sample = f"\n```yaml\n{dedent(example.strip(chr(10))).rstrip()}\n```\n" if example.strip() else ""
    return f"### `{name}`\n\n{paragraphs}{sample}"


def _keys() -> str:
    return "\n".join(_form(form) for form in (*FORMS.values(), *STEP_FORMS))


def _scenario_keys() -> str:
    return "\n".join(_form(form) for form in SCENARIO_FORMS)


def _form(form: Form) -> str:
    rows = "".join(f"| `{key.name}`{_needed(key)} | {_shape(key.shape)} | {key.doc} |\n" for key in form.keys)
    return f"### {form.title[:1].upper()}{form.title[1:]}\n\n| key | value | meaning |\n| --- | --- | --- |\n{rows}"


def _needed(key: Key) -> str:
    return " (required)" if key.required else ""


def _shape(shape: Shape) -> str:
    """What a value looks like, short enough for a table."""
    match shape:
        case Use(form=name):
            return f"{FORMS[name].title} as a map"
        case MapOf(key=key, value=Leaf() as value):
            return f"map from {key} to {describe_shape(value)}"
        case MapOf(key=key):
            return f"map with a line for each {key}"
        case ListOf(item=ListOf(item=item)):
            return f"list of lists, each {describe_shape(item)}"
        case ListOf(item=(Use() | MapOf()) as item):
            return f"list, each {_shape(item)}"
        case Either(options=options):
            return " or ".join(dict.fromkeys(_shape(option) for option in options))
    return describe_shape(shape)


def _codes() -> str:
    rows = "".join(f"| {code.label} | `{code.name}` | {code.title} |\n" for code in CODES)
    return f"| number | name | what is wrong |\n| --- | --- | --- |\n{rows}"


CHAPTERS: Final[Mapping[str, Callable[[], str]]] = {
    "builtins": _builtins,
    "effects": _effects,
    "geometries": _geometries,
    "keys": _keys,
    "codes": _codes,
    "scenario_keys": _scenario_keys,
}


def main() -> int:
    """Write the generated chapters of the pages in the current folder anew."""
    for path in (PAGE, SCENARIO_PAGE):
        page = path.read_text("utf-8")
        new = rewritten(page)
        if new != page:
            path.write_text(new, "utf-8")
        sys.stdout.write(f"{path}: {'written' if new != page else 'nothing to change'}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
