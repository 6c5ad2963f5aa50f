"""The table of reporters."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from shardwright.compiler.review.report.github import GithubReport
from shardwright.compiler.review.report.json_report import JsonReport
from shardwright.compiler.review.report.markdown import MarkdownReport
from shardwright.compiler.review.report.result import RunResult, Sources
from shardwright.compiler.review.report.sarif import SarifReport
from shardwright.compiler.review.report.text import TextReport


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
