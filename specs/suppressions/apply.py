"""What suppressions do to the findings of a run."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace

from shardwright.specs.findings.codes.entry import Pass
from shardwright.specs.findings.codes.registry import suppressible
from shardwright.specs.findings.diagnostics import Diagnostic, Severity
from shardwright.specs.suppressions.comment import Suppression


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
