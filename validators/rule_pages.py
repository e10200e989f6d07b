"""The pages of docs/lint/: one for each rule, and the list of all, made from the rules' entries.

`python -m gdl.validators.rule_pages` writes them anew.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Final

from gdl.validators.rule import Rule
from gdl.validators.rules import RULES

FOLDER: Final = Path("docs", "lint")
INDEX: Final = "README.md"


def pages() -> dict[str, str]:
    """All pages by file name."""
    return {INDEX: _index(), **{f"{rule.name}.md": _page(rule) for rule in RULES}}


def _index() -> str:
    rows = [f"| {rule.code.label} | [`{rule.name}`]({rule.name}.md) | {rule.severity.value} | {rule.title} |" for rule in RULES]
    return "\n".join(
        [
            "# Lint rules",
            "",
            "What `gdl lint` looks for beyond structure, names and types, whose codes are in [the reference](../language.md). How rules",
            "are chosen, silenced and given another severity: [the command line](../cli.md).",
            "",
            "| code | name | severity | |",
            "| --- | --- | --- | --- |",
            *rows,
            "",
        ]
    )


def _page(rule: Rule) -> str:
    return "\n".join(
        [
            f"# {rule.code.label} `{rule.name}`",
            "",
            f"{rule.title}. Severity: {rule.severity.value}.",
            "",
            rule.why,
            "",
            "Found:",
            "",
            "```yaml",
            rule.faulty.rstrip("\n"),
            "```",
            "",
            "Mended:",
            "",
            "```yaml",
            rule.mended.rstrip("\n"),
            "```",
            "",
            "To silence it in one place, with a reason:",
            "",
            "```yaml",
            f"# gdl: ignore[{rule.name}] why it is right here",
            "```",
            "",
            f"To silence it everywhere: `ignore = [\"{rule.name}\"]` under `[lint]` in `gdl.toml`.",
            "",
        ]
    )


def main() -> int:
    """Write all pages, and take away those of rules that are gone."""
    FOLDER.mkdir(exist_ok=True)
    wanted = pages()
    for old in FOLDER.glob("*.md"):
        if old.name not in wanted:
            old.unlink()
    for name, text in wanted.items():
        (FOLDER / name).write_text(text, "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
