"""Which findings does a project have already, so that a pull request shows only what is new? A baseline is a file in
the repository with the fingerprints of findings, which stay when lines move.

Pure. What stops a plan is never in a baseline. That of `conform` is another file: it knows a statement by its digest
and verdict, whatever file and line it comes from, and a statement whose verdict has changed is new.
"""

from __future__ import annotations

import json
from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import Final

from shardwright.compiler.review.report.fingerprint import fingerprints
from shardwright.compiler.review.report.result import RunResult, Sources
from shardwright.specs.findings.diagnostics import IN_BASELINE

FORMAT: Final = 1
"""Of the file; goes up when an older version would read it wrongly."""


class UnreadableBaseline(Exception):
    """The text says what is wrong with the file. `newer`: whether a newer version wrote it."""

    def __init__(self, text: str, *, newer: bool = False) -> None:
        super().__init__(text)
        self.newer = newer


@dataclass(frozen=True, slots=True)
class Baseline:
    """The findings that are known, by their fingerprints."""

    known: frozenset[str]

    def fold(self, result: RunResult, sources: Sources) -> RunResult:
        """The result with its known findings silenced. Those that an author has silenced keep the author's reason."""
        marks = fingerprints(result.findings, sources)
        folded = tuple(
            replace(item, suppressed=IN_BASELINE)
            if mark in self.known and item.suppressed is None and not item.stops
            else item
            for item, mark in zip(result.findings, marks, strict=True)
        )
        return replace(result, findings=folded)

    def count_gone(self, result: RunResult, sources: Sources) -> int:
        """How many of the known findings are not in the result any more."""
        return len(self.known - {*fingerprints(result.findings, sources)})


def baseline_text(result: RunResult, sources: Sources) -> str:
    """The file for the findings of a result that may be known: in the order of files and lines, a line each, so that a
    reviewer reads what comes and goes."""
    marks = fingerprints(result.findings, sources)
    lines = [
        json.dumps(
            {"code": item.code, "file": sources.uri(item.span.file), "finding": item.message, "fingerprint": mark},
            ensure_ascii=False,
        )
        for item, mark in zip(result.findings, marks, strict=True)
        if item.suppressed in (None, IN_BASELINE) and not item.stops
    ]
    body = ",\n    ".join(lines)
    return f'{{\n  "format": {FORMAT},\n  "findings": [{f"{chr(10)}    {body}{chr(10)}  " if lines else ""}]\n}}\n'


def read_baseline(text: str) -> Baseline:
    """Raises UnreadableBaseline."""
    try:
        data = json.loads(text)
    except ValueError as error:
        raise UnreadableBaseline(f"it is no JSON: {error}") from None
    if not isinstance(data, dict) or type(data.get("format")) is not int:
        raise UnreadableBaseline("it is no baseline: 'format' is missing")
    if "statements" in data:
        raise UnreadableBaseline("it is a baseline of `conform`, which has statements and no findings")
    if data["format"] > FORMAT:
        raise UnreadableBaseline(f"it has format {data['format']}, and this version reads {FORMAT}", newer=True)
    return Baseline(frozenset(_marks(data.get("findings"))))


def _marks(findings: object) -> Collection[str]:
    if not isinstance(findings, list):
        raise UnreadableBaseline("'findings' is no list")
    marks = [each.get("fingerprint") if isinstance(each, dict) else None for each in findings]
    if not all(isinstance(mark, str) for mark in marks):
        raise UnreadableBaseline("one of its findings has no 'fingerprint'")
    return [str(mark) for mark in marks]
