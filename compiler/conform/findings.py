"""The bad verdicts as findings. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from shardwright.compiler.conform.baseline import Baseline
from shardwright.compiler.conform.conformance import JudgedGroup
from shardwright.specs.findings.diagnostics import IN_BASELINE, Diagnostic, Span

_SHOWN: Final = 160
"""Characters of a statement in a message."""


def conform_findings(judged: Iterable[JudgedGroup], baseline: Baseline) -> Iterator[Diagnostic]:
    """An error for each bad statement; those of the baseline are silenced."""
    for one in judged:
        code = one.judgement.verdict.code
        if code is None:
            continue
        sql = one.group.sql if len(one.group.sql) <= _SHOWN else one.group.sql[: _SHOWN - 3] + "..."
        message = f"{one.judgement.verdict}: {one.judgement.reason}: {sql}"
        known = IN_BASELINE if baseline.knows(one) else None
        yield Diagnostic(code, message, Span(one.group.file, one.group.line, 1), suppressed=known)


def as_data(one: JudgedGroup, baseline: Baseline) -> dict[str, object]:
    """A statement for the JSON report."""
    return {
        "digest": one.group.digest,
        "sql": one.group.sql,
        "verdict": str(one.judgement.verdict),
        "reason": one.judgement.reason,
        "keys": [{"column": column, "value": value} for column, value in one.judgement.keys],
        "bad": one.judgement.verdict.is_bad,
        "known": one.judgement.verdict.is_bad and baseline.knows(one),
        "calls": one.group.calls,
        "seconds": one.group.seconds,
        "file": one.group.file,
        "line": one.group.line,
    }
