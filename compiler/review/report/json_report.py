"""The report for programs. Its shape is described in docs/how-to/findings.md and has a version: `format`."""

from __future__ import annotations

import json

from shardwright.compiler.review.report.fingerprint import fingerprints
from shardwright.compiler.review.report.result import RunResult, Sources
from shardwright.specs.findings.diagnostics import Diagnostic, Note, Severity, Span

FORMAT = 1
"""Goes up when something is removed or changes its meaning; additions leave it."""


def json_text(result: RunResult, sources: Sources) -> str:
    """One object: the counts, every finding (silenced ones too), and what the command itself has to say."""
    from importlib.metadata import version  # slow to load, and seldom wanted

    marks = fingerprints(result.findings, sources)
    data = {
        "format": FORMAT,
        "tool": {"name": "shardwright", "version": version("shardwright")},
        "command": result.command,
        "specs": [sources.uri(file) for file in result.specs],
        "errors": result.count(Severity.ERROR),
        "warnings": result.count(Severity.WARNING),
        "silenced": result.silence_count,
        "known": result.baseline_count,
        "findings": [_finding(item, mark, sources) for item, mark in zip(result.findings, marks, strict=True)],
        **result.details,
    }
    return json.dumps(data, indent=2, ensure_ascii=False) + "\n"


def _finding(item: Diagnostic, fingerprint: str, sources: Sources) -> dict[str, object]:
    return {
        "code": item.code,
        "severity": str(item.severity),
        "message": item.message,
        "hint": item.hint,
        **_place(item.span, sources),
        "notes": [_note(note, sources) for note in item.notes],
        "silenced": item.suppressed,
        "fingerprint": fingerprint,
    }


def _note(note: Note, sources: Sources) -> dict[str, object]:
    return {"message": note.text, **({} if note.span is None else _place(note.span, sources))}


def _place(span: Span, sources: Sources) -> dict[str, object]:
    return {"file": sources.uri(span.file), "line": span.line, "column": span.column, "length": span.length}
