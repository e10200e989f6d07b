"""Lint rules, a module for each family; a rule's page and examples are part of its entry."""

from __future__ import annotations

from typing import Final

from gdl.validators.rule import Rule
from gdl.validators.rules import conditions, flow, secrets, style, unused, values

RULES: Final[tuple[Rule, ...]] = (*unused.RULES, *conditions.RULES, *values.RULES, *flow.RULES, *secrets.RULES, *style.RULES)
"""All rules, in the order in which they run."""
