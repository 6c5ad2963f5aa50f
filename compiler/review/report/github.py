"""Annotations on the changed lines of a pull request: GitHub's workflow commands, within its limits.

GitHub shows at most 10 errors and 10 warnings of a step and drops the others without a word.
"""

from __future__ import annotations

from collections.abc import Sequence

from shardwright.compiler.review.report.result import RunResult, Sources
from shardwright.specs.findings.diagnostics import Diagnostic, Severity

MOST_OF_A_KIND = 10


def github_text(result: RunResult, sources: Sources) -> str:
    """Errors, then warnings, then how many are not shown."""
    shown: list[Diagnostic] = []
    for severity in (Severity.ERROR, Severity.WARNING):
        shown += [item for item in result.visible_findings if item.severity is severity][:MOST_OF_A_KIND]
    lines = [_annotation(item, sources) for item in shown]
    left = len(result.visible_findings) - len(shown)
    if left:
        lines.append(_command("notice", (), f"and {left} more, see report"))
    return "".join(f"{line}\n" for line in lines)


def _annotation(item: Diagnostic, sources: Sources) -> str:
    span = item.span
    properties = (
        ("file", sources.uri(span.file)),
        ("line", str(span.line)),
        ("endLine", str(span.line)),
        ("col", str(span.column)),
        ("endColumn", str(span.column + span.length)),
        ("title", item.code),
    )
    return _command(str(item.severity), properties, _message(item))


def _message(item: Diagnostic) -> str:
    parts = [item.message]
    if item.hint:
        parts.append(item.hint)
    for note in item.notes:
        parts.append(note.text if note.span is None else f"{note.text} ({note.span})")
    return "\n".join([*parts, f"shardwright explain {item.code}"])


def _command(name: str, properties: Sequence[tuple[str, str]], message: str) -> str:
    written = ",".join(f"{key}={_escape_property(value)}" for key, value in properties)
    return f"::{name}{' ' if written else ''}{written}::{_escape(message)}"


def _escape(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _escape_property(text: str) -> str:
    return _escape(text).replace(":", "%3A").replace(",", "%2C")
