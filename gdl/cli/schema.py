"""`gdl schema`: the structure of the language's files as JSON Schema."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Final

import typer

from gdl.cli.files import check_writable, write_text
from gdl.cli.output import write_line
from gdl.validators.schema import scenario_schema, schema_text, spec_schema

EXAMPLES: Final = """\b
Examples:
  gdl schema > gdl.schema.json
  gdl schema --scenarios --output scenarios.schema.json
"""


def command(
    scenarios: Annotated[bool, typer.Option("--scenarios", help="Of scenario files instead of specs.")] = False,
    output: Annotated[Path | None, typer.Option("--output", "-o", help="The file to write.", show_default=False)] = None,
) -> int:
    """Print the JSON Schema (draft 2020-12) of specs, for editors and other tools.

    In an editor with yaml-language-server, a first line `# yaml-language-server: $schema=gdl.schema.json` in a spec brings
    completion and hints.
    """
    text = schema_text(scenario_schema() if scenarios else spec_schema())
    if output is None:
        write_line(text.rstrip("\n"))
        return 0
    check_writable(output)
    write_text(output, text)
    return 0
