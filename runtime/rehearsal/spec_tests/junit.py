"""How are the verdicts written as JUnit XML? One suite for each file, one test case for each case. Pure."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from collections.abc import Iterable, Sequence
from itertools import groupby

from shardwright.runtime.rehearsal.spec_tests.verdict import Verdict
from shardwright.specs.findings.diagnostics import Diagnostic
from shardwright.specs.findings.render import visible


def junit_xml(verdicts: Iterable[Verdict]) -> str:
    """The document's text. Control characters, which XML cannot hold, are written as escapes."""
    root = ElementTree.Element("testsuites", name="shardwright test")
    tests = failures = 0
    for file, group in groupby(verdicts, key=lambda verdict: verdict.resolved_case.span.file):
        members = list(group)
        failed = sum(bool(verdict.findings) for verdict in members)
        suite = ElementTree.SubElement(
            root, "testsuite", name=file, tests=str(len(members)), failures=str(failed), errors="0", skipped="0"
        )
        for verdict in members:
            _case(suite, verdict)
        tests, failures = tests + len(members), failures + failed
    root.set("tests", str(tests))
    root.set("failures", str(failures))
    root.set("errors", "0")
    ElementTree.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ElementTree.tostring(root, encoding="unicode") + "\n"


def _case(suite: ElementTree.Element, verdict: Verdict) -> None:
    span = verdict.resolved_case.span
    case = ElementTree.SubElement(
        suite,
        "testcase",
        name=visible(verdict.resolved_case.case.name),
        classname=span.file,
        file=span.file,
        line=str(span.line),
    )
    if verdict.findings:
        first = verdict.findings[0]
        failure = ElementTree.SubElement(case, "failure", message=visible(first.message), type=first.code)
        failure.text = "\n" + "\n".join(_lines(verdict.findings)) + "\n"


def _lines(findings: Sequence[Diagnostic]) -> Iterable[str]:
    for finding in findings:
        yield visible(f"{finding.span}: {finding.code}: {finding.message}")
        yield from (f"  {visible(note.text)}" for note in finding.notes)
