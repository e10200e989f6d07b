"""All codes, those of lint rules included: for `gdl explain` and for formats that describe what they report."""

from __future__ import annotations

from typing import Final

from gdl.codes import CATALOGUE, CODES, Code
from gdl.validators.rules import RULES

ALL_CODES: Final[tuple[Code, ...]] = tuple(sorted((*CODES, *(rule.code for rule in RULES)), key=lambda code: code.number))
"""Every code, by number."""


def entry_of(name: str) -> Code | None:
    """The code of this name."""
    return CATALOGUE.get(name) or next((rule.code for rule in RULES if rule.name == name), None)
