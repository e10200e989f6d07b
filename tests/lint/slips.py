"""Random slips: texts that somebody may have typed, or a program have broken, made out of other texts.

Every slip is made by a generator of random numbers that is handed in, so that one number stands for one text.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence
from typing import Any, Final

import yaml

from gdl.expression_scan import RESERVED
from gdl.forms import FORMS, STEP_FORMS

_KEYS: Final = sorted({key.name for form in (*FORMS.values(), *STEP_FORMS) for key in form.keys})
_SIGNS: Final = "{}[]()\"'`:,.;#&*!|>%@-+=<>/\\?~ \n\t\r\0\ufeff\u2028\u00e4\U0001f3b2\ud800"
_NUMBERS: Final = ("0", "-1", "1000000", "9223372036854775807", "99999999999999999999", "1..0", "0..1000000000")
_WORDS: Final = (*sorted(RESERVED), "it", "this", "player", "players", "move", "count", "first", "[]", "{}", '""', "null", "yes", "~")
_TOKEN: Final = re.compile(r"[A-Za-z_]\w*|\d+|\s+|.", re.DOTALL)

Slip = Callable[[str, random.Random, Sequence[str]], str]


def mutated(text: str, generator: random.Random, others: Sequence[str]) -> str:
    """A text with one to four slips; `others` are texts from which something may come."""
    for _ in range(generator.choice((1, 1, 1, 2, 2, 3, 4))):
        text = generator.choice(_SLIPS)(text, generator, others)
    return text


def _spot(text: str, generator: random.Random) -> int:
    return generator.randrange(len(text) + 1)


def _insert(text: str, generator: random.Random, others: Sequence[str]) -> str:  # noqa: ARG001 - as all slips
    spot = _spot(text, generator)
    return text[:spot] + generator.choice(_SIGNS) + text[spot:]


def _leave_out(text: str, generator: random.Random, others: Sequence[str]) -> str:  # noqa: ARG001
    spot = _spot(text, generator)
    return text[:spot] + text[spot + generator.choice((1, 1, 1, 5, 40)) :]


def _cut(text: str, generator: random.Random, others: Sequence[str]) -> str:  # noqa: ARG001
    return text[: _spot(text, generator)]


def _double(text: str, generator: random.Random, others: Sequence[str]) -> str:  # noqa: ARG001
    start = _spot(text, generator)
    return text[:start] + text[start : start + generator.randrange(1, 60)] * generator.choice((2, 3, 30)) + text[start:]


def _token(text: str, generator: random.Random, others: Sequence[str]) -> str:
    tokens = _TOKEN.findall(text)
    spots = [index for index, token in enumerate(tokens) if not token.isspace()]
    if not spots:
        return text
    words = [token for token in _TOKEN.findall(generator.choice(others)) if not token.isspace()] or ["x"]
    pool: Sequence[str] = generator.choice((_KEYS, _NUMBERS, _WORDS, words, words, [tokens[generator.choice(spots)]]))
    tokens[generator.choice(spots)] = generator.choice(pool)
    return "".join(tokens)


def _word(text: str, generator: random.Random, others: Sequence[str]) -> str:  # noqa: ARG001
    """One word in the place of another of the same text: most of these are still YAML, and many are expressions."""
    tokens = _TOKEN.findall(text)
    spots = [index for index, token in enumerate(tokens) if token.isidentifier()]
    if spots:
        tokens[generator.choice(spots)] = tokens[generator.choice(spots)]
    return "".join(tokens)


def _number(text: str, generator: random.Random, others: Sequence[str]) -> str:  # noqa: ARG001
    tokens = _TOKEN.findall(text)
    spots = [index for index, token in enumerate(tokens) if token.isdecimal()]
    if spots:
        tokens[generator.choice(spots)] = generator.choice(("0", "1", "2", "7", "100", *_NUMBERS))
    return "".join(tokens)


def _swap_words(text: str, generator: random.Random, others: Sequence[str]) -> str:  # noqa: ARG001
    tokens = _TOKEN.findall(text)
    spots = [index for index, token in enumerate(tokens) if token.isidentifier()]
    if len(spots) < 2:
        return text
    one, other = generator.sample(spots, 2)
    tokens[one], tokens[other] = tokens[other], tokens[one]
    return "".join(tokens)


def _line(text: str, generator: random.Random, others: Sequence[str]) -> str:
    lines = text.split("\n")
    spot = generator.randrange(len(lines))
    match generator.randrange(5):
        case 0:
            del lines[spot]
        case 1:
            lines.insert(spot, lines[generator.randrange(len(lines))])
        case 2:
            lines[spot] = " " * generator.randrange(9) + lines[spot].lstrip()
        case 3:
            lines.insert(spot, generator.choice(generator.choice(others).split("\n")))
        case _:
            other = generator.randrange(len(lines))
            lines[spot], lines[other] = lines[other], lines[spot]
    return "\n".join(lines)


def _splice(text: str, generator: random.Random, others: Sequence[str]) -> str:
    lines, more = text.split("\n"), generator.choice(others).split("\n")
    return "\n".join(lines[: generator.randrange(len(lines) + 1)] + more[generator.randrange(len(more) + 1) :])


def _node(text: str, generator: random.Random, others: Sequence[str]) -> str:
    """Put a piece of one document into the place of a piece of another."""
    try:
        tree, other = yaml.safe_load(text), yaml.safe_load(generator.choice(others))
        places, pieces = _places(tree), [holder[key] for holder, key in _places(other)]
        if not places:
            return text
        holder, key = generator.choice(places)
        holder[key] = generator.choice([*pieces, None, [], {}, "", 0, -1, True, [[]], {"a": None}])
        return yaml.safe_dump(tree, sort_keys=False, allow_unicode=True)
    except (yaml.YAMLError, RecursionError, ValueError, TypeError):
        return text


def _places(tree: Any) -> list[tuple[Any, Any]]:  # noqa: ANN401 - whatever YAML holds
    """Where something stands in a document: a map or list, and the key or number in it."""
    found: list[tuple[Any, Any]] = []
    todo = [tree]
    while todo and len(found) < 1_000:
        holder = todo.pop()
        keys = list(holder) if isinstance(holder, dict) else list(range(len(holder))) if isinstance(holder, list) else []
        found += [(holder, key) for key in keys]
        todo += [holder[key] for key in keys]
    return found


_SLIPS: Final[tuple[Slip, ...]] = (
    _insert, _leave_out, _cut, _double, _splice,
    _line, _line, _token, _token, _word, _word, _word, _word,
    _number, _number, _number, _number, _swap_words, _swap_words, _node, _node, _node,
)  # fmt: skip
