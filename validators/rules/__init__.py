"""Lint rules, one module each; a rule's page and golden case are found by its name."""
