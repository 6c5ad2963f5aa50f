"""The reporters by format; text itself is what `render` makes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from shardwright.compiler.review.report.github import GithubReport
from shardwright.compiler.review.report.json_report import JsonReport
from shardwright.compiler.review.report.markdown import MarkdownReport
from shardwright.compiler.review.report.result import RunResult, Sources, summary
from shardwright.compiler.review.report.sarif import SarifReport
from shardwright.specs.findings.render import render


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
