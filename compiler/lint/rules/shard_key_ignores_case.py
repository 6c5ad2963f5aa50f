"""A text shard key that the server compares without case, and the sharding function does not (hazard D15)."""

from __future__ import annotations

from collections.abc import Iterator

from shardwright.compiler.lint.context import LintContext, LintTable
from shardwright.compiler.lint.rule import Rule
from shardwright.specs.findings.diagnostics import Diagnostic, Severity
from shardwright.specs.spec.model import Sharded


def check(context: LintContext) -> Iterator[Diagnostic]:
    for table in context.tables:
        for name in table.shard_key:
            column = table.source.column(name)
            if column is None or not column.type.is_text or "_ci" not in (column.type.collation or ""):
                continue
            if _folds_case(context, table):
                continue
            message = (
                f"shard key '{name}' of '{table.source.name}' has the collation {column.type.collation}: 'Ann' and 'ann' are "
                "equal to the server, but their rows stand on different shards"
            )
            hint = "make the collation _bin, or let the application look rows up in the spelling they were written in"
            yield RULE.finding(message, table.place_of(name), hint=hint)


def _folds_case(context: LintContext, table: LintTable) -> bool:
    assert isinstance(table.entry.distribution, Sharded)
    rule = context.spec.sharding[table.entry.distribution.rule]
    text = f"{rule.database} {rule.table}".lower()
    return "lower(" in text or "upper(" in text


RULE = Rule(
    "SW5104",
    "shard-key-ignores-case",
    Severity.WARNING,
    "a text shard key whose collation ignores case",
    check,
)
