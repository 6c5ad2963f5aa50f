"""The suppressions of a file and of a spec, and what they do to the findings of a run."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace

from shardwright.specs.findings.codes.advice import Pass, suppressible
from shardwright.specs.findings.diagnostics import Diagnostic, Findings, Severity
from shardwright.specs.findings.span import Span
from shardwright.specs.spec.model import Spec
from shardwright.specs.suppressions.comment import Suppression, may_be_silenced, read_comment, speaks_to_us
from shardwright.specs.suppressions.sql_comments import sql_comments
from shardwright.specs.suppressions.yaml_comments import yaml_comments

_WORD = "shardwright"
_CODE = re.compile(r"SW\d{4}")


def read_suppressions(text: str, file: str, findings: Findings) -> tuple[Suppression, ...]:
    """What the comments of a YAML or SQL text silence. `file` as findings name it; its ending tells which of the two."""
    if file.endswith(".csv") or _WORD not in text.lower():
        return ()  # scanning takes time, and most files have none; CSV has no comments
    text = text.replace("\r\n", "\n")
    comments = sql_comments(text) if file.endswith(".sql") else yaml_comments(text)
    found: list[Suppression] = []
    for comment in comments:
        if speaks_to_us(comment.text):
            span = Span(file, comment.line, comment.column, len(comment.text))
            found += read_comment(comment.text, span, lines=(comment.first, comment.last), findings=findings)
    return tuple(found)


def suppressions_of_spec(spec: Spec, files: Iterable[str], findings: Findings) -> tuple[Suppression, ...]:
    """What the spec's `ignore` silences in `files`, which are all that were read for it."""
    everywhere = tuple(files)
    found = []
    for code, reason in spec.ignore.items():
        if not _CODE.fullmatch(code):
            continue  # the shape check has a finding about it
        span = spec.key_span_of(("ignore", code))
        found.append(Suppression(code, reason, span, span.line, span.line, everywhere))
    return tuple(item for item in found if may_be_silenced(item, findings))


def silence(diagnostics: Iterable[Diagnostic], suppressions: Collection[Suppression]) -> tuple[Diagnostic, ...]:
    """The same findings; those that a suppression covers carry its reason."""
    return tuple(_silenced(item, suppressions) for item in diagnostics)


def unused(
    diagnostics: Collection[Diagnostic],
    suppressions: Iterable[Suppression],
    *,
    finished: Mapping[str, Collection[Pass]],
) -> tuple[Diagnostic, ...]:
    """A warning for each suppression that covers nothing although its pass ran to the end over everything that its file
    takes part in: `finished` says so by file."""
    return tuple(
        Diagnostic("SW1805", f"{item.code} is silenced here, but nothing was found", item.span, Severity.WARNING)
        for item in suppressions
        if suppressible(item.code) in finished.get(item.span.file, ())
        and not any(item.covers(found.code, found.span) for found in diagnostics)
    )


def _silenced(item: Diagnostic, suppressions: Collection[Suppression]) -> Diagnostic:
    if suppressible(item.code) is None:
        return item
    reason = next((each.reason for each in suppressions if each.covers(item.code, item.span)), None)
    return item if reason is None else replace(item, suppressed=reason)
