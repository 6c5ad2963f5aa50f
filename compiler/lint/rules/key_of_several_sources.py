"""Several sources that each count their rows from 1 (hazard B11)."""

from __future__ import annotations

from collections.abc import Iterator

from shardwright.compiler.lint.context import LintContext
from shardwright.compiler.lint.rule import Rule
from shardwright.specs.findings.diagnostics import Diagnostic, Note, Severity


def check(context: LintContext) -> Iterator[Diagnostic]:
    for table in context.tables:
        number = len(table.resolved.source_databases) * len(table.resolved.source_tables)
        if number == 1 or len(table.resolved.key) > 1:
            continue
        counted = next((c for c in table.source.columns if c.auto_increment), None)
        if counted is None or table.target_name(counted.name) not in table.resolved.key:
            continue
        message = (
            f"rows of '{table.logical}' come from {number} tables, and their key '{counted.name}' is AUTO_INCREMENT in each: "
            "two rows with one key stop the run"
        )
        hint = "check auto_increment_offset and _increment on the sources, or use a key that tells them apart"
        note = Note(f"'{counted.name}' is defined at", table.place_of(counted.name))
        yield RULE.finding(message, context.span_of(table, "table"), hint=hint, notes=(note,))


RULE = Rule(
    "SW5111",
    "key-of-several-sources",
    Severity.WARNING,
    "an AUTO_INCREMENT key in a table that is put together from several",
    check,
)
