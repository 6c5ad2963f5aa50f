"""Which reports there are, which were asked for (`--report FORMAT[=PATH]`), and the text of each. A format's module is
imported when the format is asked for: the command line reads this module.
"""

from __future__ import annotations

from dataclasses import dataclass

from shardwright.compiler.review.report.result import RunResult, Sources, summary
from shardwright.specs.findings.render import render

FORMATS = ("text", "json", "github", "sarif", "markdown")


class UnknownReport(Exception):
    """The text says which reports there are."""


@dataclass(frozen=True, slots=True)
class ReportRequest:
    """`path` None means the stream that is the format's own: stderr for people and annotations, stdout for
    documents."""

    format: str
    path: str | None


def report_request(text: str) -> ReportRequest:
    """Raises UnknownReport."""
    name, equals, path = text.partition("=")
    if name not in FORMATS or (equals and not path):
        raise UnknownReport(f"'{text}' is no report: write FORMAT or FORMAT=PATH, with {', '.join(FORMATS)}")
    return ReportRequest(name, path or None)


def report_text(format: str, result: RunResult, sources: Sources) -> str:
    """The whole report, ending in a line break; empty text when there is nothing to say. `format` is one of FORMATS."""
    match format:
        case "text":
            counted = summary(result)
            return render(result.visible_findings, read_line=sources.line) + (f"{counted}\n" if counted else "")
        case "json":
            from shardwright.compiler.review.report.json_report import json_text as text_of
        case "github":
            from shardwright.compiler.review.report.github import github_text as text_of
        case "sarif":
            from shardwright.compiler.review.report.sarif import sarif_text as text_of
        case "markdown":
            from shardwright.compiler.review.report.markdown import markdown_text as text_of
        case unknown:
            raise AssertionError(unknown)
    return text_of(result, sources)
