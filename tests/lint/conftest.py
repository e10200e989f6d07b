"""The linter is tried by its command line too."""

from __future__ import annotations

from tests.cli.conftest import command

__all__ = ["command"]
