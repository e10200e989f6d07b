"""Findings as SARIF 2.1.0 (OASIS, Static Analysis Results Interchange Format), for code scanning."""

from __future__ import annotations

import json
from importlib.metadata import version
from pathlib import PurePath
from typing import Final
from urllib.parse import quote

from gdl.diagnostics import Diagnostic, Related
from gdl.source import Span
from gdl.validators.catalogue import entry_of
from gdl.validators.results import Results

SCHEMA: Final = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
Json = dict[str, object]


def render(results: Results) -> str:
    """The log of one run."""
    findings = list(results.findings)
    codes = sorted({finding.code_label for finding in findings})
    names = {finding.code_label: finding.code for finding in findings}
    run: Json = {
        "tool": {
            "driver": {
                "name": "gdl",
                "semanticVersion": version("tabletop-gdl"),
                "rules": [_rule(label, names[label]) for label in codes],
            }
        },
        "columnKind": "unicodeCodePoints",
        "artifacts": [{"location": _location(file.name)} for file in results.files],
        "results": [_result(finding, codes.index(finding.code_label)) for finding in findings],
    }
    return json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, ensure_ascii=False, indent=2)


def _rule(label: str, name: str) -> Json:
    code = entry_of(name)
    rule: Json = {"id": label, "name": name}
    if code is not None:
        rule |= {"shortDescription": {"text": code.title}, "fullDescription": {"text": code.explanation}}
        rule["help"] = {"text": f"gdl explain {label}"}
    return rule


def _result(finding: Diagnostic, rule: int) -> Json:
    text = "\n".join(part for part in (finding.message, finding.help) if part)
    result: Json = {
        "ruleId": finding.code_label,
        "ruleIndex": rule,
        "level": finding.severity.value,
        "message": {"text": text},
        "locations": [{"physicalLocation": _place(finding.span)}],
    }
    if finding.related:
        result["relatedLocations"] = [_related(number, related) for number, related in enumerate(finding.related)]
    if finding.suggestion is not None:
        change = {"deletedRegion": _region(finding.span), "insertedContent": {"text": finding.suggestion}}
        file = {"artifactLocation": _location(finding.span.source.name), "replacements": [change]}
        result["fixes"] = [{"description": {"text": f"write `{finding.suggestion}`"}, "artifactChanges": [file]}]
    return result


def _related(number: int, related: Related) -> Json:
    return {"id": number, "message": {"text": related.message}, "physicalLocation": _place(related.span)}


def _place(span: Span) -> Json:
    return {"artifactLocation": _location(span.source.name), "region": _region(span)}


def _region(span: Span) -> Json:
    return {
        "startLine": span.line,
        "startColumn": span.column,
        "endLine": span.end_line,
        "endColumn": span.end_column,
    }


def _location(name: str) -> Json:
    """A file, relative to where the linter was started if its name is."""
    path = PurePath(name)
    return {"uri": path.as_uri() if path.is_absolute() else quote(path.as_posix())}
