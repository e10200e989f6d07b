"""Results of scenarios → JUnit XML, the form that CI systems read.

A file becomes a test suite, a scenario a test case in it; what is wrong with a file is a test case with an error.
"""

from __future__ import annotations

from collections.abc import Sequence
from xml.etree.ElementTree import Element, SubElement

from gdl.cli.files import SCENARIOS
from gdl.diagnostics import Diagnostic
from gdl.interpreter.scenario import Failure, FileResult, ScenarioResult
from gdl.render import render_diagnostic
from gdl.validators.formats.junit import clean, document


def junit_xml(files: Sequence[FileResult]) -> str:
    """The report of all files."""
    root = Element("testsuites", name="gdl test")
    totals = {"tests": 0, "failures": 0, "errors": 0}
    seconds = 0.0
    for file in files:
        suite = _suite(root, file)
        for key in totals:
            totals[key] += int(suite.get(key, "0"))
        seconds += float(suite.get("time", "0"))
    for key, number in totals.items():
        root.set(key, str(number))
    root.set("time", f"{seconds:.3f}")
    return document(root)


def _suite(root: Element, file: FileResult) -> Element:
    name = clean(file.path.as_posix())
    suite = SubElement(root, "testsuite", name=name)
    suite.set("tests", str(len(file.results) + len(file.problem)))
    suite.set("failures", str(sum(1 for result in file.results if not result.passed)))
    suite.set("errors", str(len(file.problem)))
    suite.set("skipped", "0")
    suite.set("time", f"{sum(result.seconds for result in file.results):.3f}")
    for problem in file.problem:
        _problem(suite, name, problem)
    for result in file.results:
        _case(suite, name, result)
    return suite


def _problem(suite: Element, name: str, problem: Diagnostic) -> None:
    case = SubElement(suite, "testcase", classname=_class_name(name), name=clean(f"{problem.code} at {problem.span}"))
    case.set("time", "0.000")
    error = SubElement(case, "error", message=clean(problem.message), type=problem.code)
    error.text = clean(render_diagnostic(problem))


def _case(suite: Element, name: str, result: ScenarioResult) -> None:
    case = SubElement(suite, "testcase", classname=_class_name(name), name=clean(result.name))
    case.set("file", name)
    case.set("line", str(result.span.line))
    case.set("time", f"{result.seconds:.3f}")
    if result.failures:
        first, *others = result.failures
        more = f" (and {len(others)} more)" if others else ""
        failure = SubElement(case, "failure", message=clean(first.message + more), type="scenario")
        failure.text = clean("\n\n".join(_text(each) for each in result.failures))


def _text(failure: Failure) -> str:
    where = [f"at {failure.span}"]
    return "\n".join([failure.message, *(f"  {line}" for line in failure.details), *where])


def _class_name(name: str) -> str:
    """The file's path in the form of a class name, by which readers group test cases."""
    return name.removesuffix(SCENARIOS).strip("./").replace("/", ".")
