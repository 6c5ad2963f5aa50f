"""A bare TIMESTAMP means different columns on different servers (explicit_defaults_for_timestamp)."""

from __future__ import annotations

from collections.abc import Iterator

from shardwright.compiler.lint.context import LintContext
from shardwright.compiler.lint.rule import Rule
from shardwright.specs.findings.diagnostics import Diagnostic, Severity


def check(context: LintContext) -> Iterator[Diagnostic]:
    for table in context.tables:
        for column in table.facts[0].columns:
            if column.says_null or column.default is not None or column.on_update is not None:
                continue
            known = table.source.column(column.name)
            if known is None or known.type.name != "timestamp" or table.target_name(column.name) is None:
                continue
            message = (
                f"column '{column.name}' of '{table.source.name}' is a bare TIMESTAMP: older servers make it NOT NULL with "
                "ON UPDATE CURRENT_TIMESTAMP, newer ones let it be NULL, so source and shards may differ"
            )
            hint = "write NULL or NOT NULL and the default, as SHOW CREATE TABLE prints them"
            yield RULE.finding(message, table.place_of(column.name), hint=hint)


RULE = Rule("SW4313", "bare-timestamp", Severity.WARNING, "a TIMESTAMP without NULL, NOT NULL or a default", check)
