"""Findings as JUnit XML, the form that CI systems read: a test case for each file, failed if something was found in it."""

from __future__ import annotations

import re
from typing import Final
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from gdl.render import render_text
from gdl.validators.results import FileResults, Results

_FORBIDDEN: Final = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML 1.0 can't hold, not even as references."""


def render(results: Results) -> str:
    """One test suite."""
    root = Element("testsuites", name="gdl lint")
    suite = SubElement(root, "testsuite", name="gdl lint")
    failed = sum(1 for file in results.files if file.findings)
    for element in (root, suite):
        counts = {"tests": len(results.files), "failures": failed, "errors": 0}
        for key, number in counts.items():
            element.set(key, str(number))
    for file in results.files:
        _case(suite, file)
    return document(root).rstrip("\n")


def _case(suite: Element, file: FileResults) -> None:
    case = SubElement(suite, "testcase", classname="gdl.lint", name=clean(file.name), file=clean(file.name))
    if file.findings:
        first, *others = file.findings
        more = f" (and {len(others)} more)" if others else ""
        failure = SubElement(case, "failure", message=clean(first.message + more), type=first.code)
        failure.text = clean(render_text(file.findings))


def document(root: Element) -> str:
    """The text of a document."""
    indent(root)
    return tostring(root, encoding="unicode", xml_declaration=False).join(('<?xml version="1.0" encoding="UTF-8"?>\n', "\n"))


def clean(text: str) -> str:
    """Text without what XML can't hold."""
    return _FORBIDDEN.sub("\ufffd", text)
