"""Nothing is silently ignored: every misspelt name in a shipped spec is found, at its place, and the right name is suggested.

A few of all misspellings are tried for each spec; `GDL_MUTATIONS=100` tries as many, `GDL_MUTATIONS=all` every one, which takes long.
Run with `-s` to see the rates.
"""

from __future__ import annotations

import os
import random
from pathlib import Path

import pytest

from gdl.diagnostics import Diagnostic
from tests.lint.mutations import Mutation, Specimen, specimen
from tests.lint.sample import FILES

ROOT = Path(__file__).parents[2] / "specs"
SPECS = sorted(path for path in (*ROOT.glob("*.yaml"), *ROOT.glob("classics/*.yaml")) if not path.name.endswith(".test.yaml"))
TRIED = {"specs": 4, "classics": 8}
"""How many misspellings of a spec are tried, by its folder: the large ones take longer to check."""
RIGHT = 0.95


def _asked(otherwise: int, everything: int) -> int:
    """How many misspellings are tried."""
    asked = os.environ.get("GDL_MUTATIONS", "")
    return everything if asked == "all" else int(asked) if asked else otherwise


def _here(mutation: Mutation, findings: list[Diagnostic]) -> list[Diagnostic]:
    """The findings at the misspelt word; of a declaration, where it is used."""
    site = mutation.site
    if site.declares:
        return [d for d in findings if d.span.text == site.word]
    return [d for d in findings if (d.span.source.name, d.span.start) == (site.file, site.start)]


def _suggested(mutation: Mutation, findings: list[Diagnostic]) -> bool:
    """Whether one of the findings says what was meant."""
    right = mutation.wrong if mutation.site.declares else mutation.site.word
    return any(d.suggestion == right or f"`{right}`" in d.help for d in findings)


def _place(specimen: Specimen, mutation: Mutation) -> str:
    site = mutation.site
    return f"{site.file}:{specimen.files[site.file].count(chr(10), 0, site.start) + 1} {site.word} -> {mutation.wrong}"


def _try(specimen: Specimen, name: str, most: int) -> None:
    """Misspell words of a specimen one by one, all of them or the first so many in a random order."""
    generator = random.Random(name)
    sites = [site for site in specimen.sites if not site.declares or specimen.is_used(site)]
    generator.shuffle(sites)
    count = _asked(most, len(sites))
    mutations = [m for site in sites[:count] if (m := specimen.misspelt(site, generator)) is not None]
    assert mutations
    silent: list[str] = []
    unhelpful: list[str] = []
    for mutation in mutations:
        here = _here(mutation, specimen.findings(mutation))
        if not here:
            silent.append(_place(specimen, mutation))
        elif not _suggested(mutation, here):
            unhelpful.append(_place(specimen, mutation))
    tried = len(mutations)
    print(f"\n{name}: {tried} misspelt, {tried - len(silent)} found, {tried - len(silent) - len(unhelpful)} with the right word")  # noqa: T201 - asked for by `-s`
    assert silent == []
    assert len(unhelpful) <= max(1, tried * (1 - RIGHT)), unhelpful


@pytest.mark.parametrize("path", SPECS, ids=lambda path: path.stem)
def test_a_misspelt_name_is_found_at_its_place(path: Path) -> None:
    _try(specimen(path), path.stem, TRIED[path.parent.name])


def test_names_in_every_kind_of_text_are_found() -> None:
    _try(Specimen(FILES), "sample", 60)
