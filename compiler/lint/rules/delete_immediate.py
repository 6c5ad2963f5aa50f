"""Policy immediate remembers no delete, so a chunk may bring the row back (contract C4, hazard B2)."""

from __future__ import annotations

from collections.abc import Iterator

from shardwright.compiler.lint.context import LintContext
from shardwright.compiler.lint.rule import Rule
from shardwright.specs.findings.diagnostics import Diagnostic, Severity


def check(context: LintContext) -> Iterator[Diagnostic]:
    for table in context.tables:
        if table.entry.deletes.policy == "immediate":
            message = f"deletes of '{table.logical}' are not remembered: a row deleted while its chunk is being copied may come back"
            hint = "deletes: until_snapshot costs little and is exact; keep 'immediate' for tables that nobody deletes from"
            yield RULE.finding(message, context.span_of(table, "deletes"), hint=hint)


RULE = Rule("SW6103", "delete-immediate", Severity.WARNING, "delete policy 'immediate' while rows are copied", check)
