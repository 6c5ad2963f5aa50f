"""Which reports there are, which were asked for (`--report FORMAT[=PATH]`), and the text of each. Nothing heavy is
imported here: the command line reads it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from shardwright.compiler.review.report.github import GithubReport
from shardwright.compiler.review.report.json_report import JsonReport
from shardwright.compiler.review.report.markdown import MarkdownReport
from shardwright.compiler.review.report.result import RunResult, Sources, summary
from shardwright.compiler.review.report.sarif import SarifReport
from shardwright.specs.findings.render import render

FORMATS = ("text", "json", "github", "sarif", "markdown")


class UnknownReport(Exception):
    """The text says which reports there are."""


@dataclass(frozen=True, slots=True)
class ReportRequest:
    """`path` None means the stream that is the format's own: stderr for people and annotations, stdout for documents."""

    format: str
    path: str | None


def report_request(text: str) -> ReportRequest:
    """Raises UnknownReport."""
    name, equals, path = text.partition("=")
    if name not in FORMATS or (equals and not path):
        raise UnknownReport(f"'{text}' is no report: write FORMAT or FORMAT=PATH, with {', '.join(FORMATS)}")
    return ReportRequest(name, path or None)


class TextReport:
    """Every finding with its line, then how many there are."""

    def text(self, result: RunResult, sources: Sources) -> str:
        counted = summary(result)
        return render(result.reported, read_line=sources.line) + (f"{counted}\n" if counted else "")


class Reporter(Protocol):
    def text(self, result: RunResult, sources: Sources) -> str:
        """The whole report, ending in a line break; empty text when there is nothing to say."""
        ...


REPORTERS: Mapping[str, Reporter] = {
    "text": TextReport(),
    "json": JsonReport(),
    "github": GithubReport(),
    "sarif": SarifReport(),
    "markdown": MarkdownReport(),
}
