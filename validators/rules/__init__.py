"""Lint rules, a module for each family; a rule's page and examples are part of its entry."""

from __future__ import annotations

from typing import Final

from gdl.validators.rule import Rule
from gdl.validators.rules import amounts, conditions, flow, idle, names, secrets, style, unused, values

_FAMILIES: Final = (unused, conditions, values, names, amounts, flow, idle, secrets, style)

RULES: Final[tuple[Rule, ...]] = tuple(rule for family in _FAMILIES for rule in family.RULES)
"""All rules, in the order in which they run."""
