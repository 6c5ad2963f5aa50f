"""A version column too coarse to tell two changes apart (contract C2)."""

from __future__ import annotations

from collections.abc import Iterator

from shardwright.compiler.lint.context import LintContext
from shardwright.compiler.lint.rule import Rule
from shardwright.specs.findings.diagnostics import Diagnostic, Note, Severity


def check(context: LintContext) -> Iterator[Diagnostic]:
    for table in context.tables:
        name = table.entry.version_column
        column = None if name is None else table.source.column(name)
        if name is None or column is None:
            continue
        kind = column.type
        if kind.name == "date":
            step = "day"
        elif kind.name in ("datetime", "timestamp") and not kind.precision:
            step = "second"
        else:
            continue
        message = (
            f"version column '{name}' of '{table.logical}' counts in {step}s: what somebody else writes on a shard within the "
            f"same {step} has the same version and is overwritten"
        )
        hint = f"use an integer that every write raises, or {kind.name if step == 'second' else 'datetime'}(6)"
        note = Note(f"'{name}' is defined at", table.place_of(name))
        yield RULE.finding(message, context.span_of(table, "version_column"), hint=hint, notes=(note,))


RULE = Rule("SW6101", "version-ties", Severity.WARNING, "a version column that counts in seconds or days", check)
