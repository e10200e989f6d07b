"""Grammar → parser: `expression.lark`, and the parse tables made from it, which are kept beside it.

Building the tables takes longer than checking a small spec, so they are a file of this package, which is written by
`python -m gdl.expression_tables` and compared with the grammar by a test. Tables of another grammar or version of Lark
are not used: then the parser is built anew, which is only slower.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator
from importlib import resources
from io import BytesIO
from pathlib import Path
from pickle import loads
from typing import Any

import lark
from lark import Lark, Token, Transformer

from gdl import ast

START_SYMBOLS = ("expression", "step", "call", "binders", "binding", "lone_name", "type", "declared", "signature")
GRAMMAR_FILE = "expression.lark"
TABLES_FILE = "expression_tables.json"

Builder = Transformer[Token, ast.Node]
Data = dict[str, Any]
"""What Lark knows of a grammar, as plain data: its own format, at this border only."""

_WIDTH = 120


def load_parser(builder: Builder) -> Lark:
    """A parser that calls `builder` for every rule it finds."""
    grammar = _read(GRAMMAR_FILE)
    try:
        tables = json.loads(_read(TABLES_FILE))
    except (OSError, ValueError):
        tables = {}
    if tables.get("key") != _key(grammar):
        return _build(grammar, builder, strict=False)
    # The same entry that the parsers use which Lark writes as Python modules.
    load: Callable[..., Lark] = Lark._load_from_dict
    return load(_expanded(tables["data"]), _numbered(tables["memo"]), transformer=builder)


def render_tables() -> str:
    """The text of the tables file for the grammar as it is. Fails where the grammar has a conflict of any kind."""
    grammar = _read(GRAMMAR_FILE)
    parser = _build(grammar, None, strict=True)
    file = BytesIO()
    parser.save(file)
    content = loads(file.getvalue())
    tables = {"key": _key(grammar), "data": _compact(content["data"]), "memo": content["memo"]}
    return "".join(_lines(tables)) + "\n"


def _build(grammar: str, builder: Builder | None, *, strict: bool) -> Lark:
    return Lark(
        grammar,
        parser="lalr",
        lexer="basic",
        start=list(START_SYMBOLS),
        strict=strict,
        maybe_placeholders=False,
        transformer=builder,
    )


def _key(grammar: str) -> str:
    return hashlib.sha256(f"{lark.__version__}\n{','.join(START_SYMBOLS)}\n{grammar}".encode()).hexdigest()


def _read(name: str) -> str:
    return resources.files("gdl").joinpath(name).read_text(encoding="utf-8")


# --- the file ---------------------------------------------------------------------------------------------------------
#
# Lark numbers states arbitrarily, in an order that changes from run to run. In the file they are numbered as they are
# reached from the start symbols, and the row of a state says for each symbol which state is next, or by which rule to
# reduce, as a negative number (-1 for rule 0).


def _compact(data: Data) -> Data:
    table = data["parser"]["parser"]
    symbols, rows = table["tokens"], table["states"]
    starts = {start: table["start_states"][start] for start in START_SYMBOLS}
    order = list(dict.fromkeys(starts.values()))
    for state in order:  # grows while it is read
        targets = sorted((symbols[symbol], target) for symbol, (action, target) in rows[state].items() if action == 0)
        known = set(order)
        order.extend(dict.fromkeys(target for _, target in targets if target not in known))
    number = {state: place for place, state in enumerate(order)}
    compact = {
        "states": [
            {
                symbols[symbol]: number[target] if action == 0 else -1 - target["@"]
                for symbol, (action, target) in sorted(rows[state].items(), key=lambda item: symbols[item[0]])
            }
            for state in order
        ],
        "start_states": {start: number[state] for start, state in starts.items()},
        "end_states": {start: number[table["end_states"][start]] for start in START_SYMBOLS},
    }
    options = {**data["options"], "strict": False}  # it has been; when loading, it would ask for the package it needs
    return {**data, "options": options, "parser": {**data["parser"], "parser": compact}}


def _expanded(data: Data) -> Data:
    compact = data["parser"]["parser"]
    symbols = {symbol for row in compact["states"] for symbol in row}
    table = {
        "tokens": {symbol: symbol for symbol in symbols},
        "states": {
            state: {symbol: (0, n) if n >= 0 else (1, {"@": -1 - n}) for symbol, n in row.items()}
            for state, row in enumerate(compact["states"])
        },
        "start_states": compact["start_states"],
        "end_states": compact["end_states"],
    }
    return {**data, "parser": {**data["parser"], "parser": table}}


def _numbered(memo: Data) -> dict[int, Any]:
    return {int(number): record for number, record in memo.items()}


def _lines(value: object, indent: str = "") -> Iterator[str]:
    """JSON whose lines are filled with what is small, so that a comparison of two versions can be read."""
    flat = json.dumps(value, sort_keys=True)
    if not isinstance(value, dict | list | tuple) or len(flat) + len(indent) <= _WIDTH:
        yield flat
        return
    inner = indent + " "
    items = [(f"{json.dumps(str(key))}: ", value[key]) for key in sorted(value)] if isinstance(value, dict) else []
    items = items or [("", item) for item in value]
    yield "{" if isinstance(value, dict) else "["
    width = _WIDTH
    for place, (key, item) in enumerate(items):
        text = key + "".join(_lines(item, inner))
        width += len(text) + 2
        fits = width <= _WIDTH and "\n" not in text
        yield f"{',' if place else ''}{' ' if fits else chr(10) + inner}{text}"
        width = width if fits else len(inner) + len(text)
    yield f"\n{indent}{'}' if isinstance(value, dict) else ']'}"


if __name__ == "__main__":
    Path(__file__).with_name(TABLES_FILE).write_text(render_tables(), encoding="utf-8")
