"""The report for people at a terminal, and for a log."""

from __future__ import annotations

from shardwright.compiler.review.report.result import RunResult, Sources, summary
from shardwright.specs.findings.render import render


class TextReport:
    """Every finding with its line, then how many there are."""

    def text(self, result: RunResult, sources: Sources) -> str:
        counted = summary(result)
        return render(result.reported, read_line=sources.line) + (f"{counted}\n" if counted else "")
