"""A broadcast table whose rows belong to what the others are sharded by: it grows and changes with them."""

from __future__ import annotations

from collections.abc import Iterator

from shardwright.compiler.lint.context import LintContext
from shardwright.compiler.lint.rule import Rule
from shardwright.specs.findings.diagnostics import Diagnostic, Note, Severity
from shardwright.specs.spec.model import Broadcast


def check(context: LintContext) -> Iterator[Diagnostic]:
    keys = {
        table.shard_key[0].lower(): table for table in context.tables if table.function and len(table.shard_key) == 1
    }
    for table in context.tables:
        if not isinstance(table.entry.distribution, Broadcast) or len(table.shards) == 1:
            continue
        own_id = [name.lower() for name in table.source.primary_key]
        for column in table.source.columns:
            if [column.name.lower()] == own_id:
                continue  # what numbers its own rows says nothing of another table's, be the name the same
            owner = keys.get(column.name.lower())
            known = owner.source.column(column.name) if owner else None
            if owner is None or known is None or known.type.is_integer != column.type.is_integer:
                continue
            message = (
                f"'{table.logical}' is broadcast but has '{column.name}', by which '{owner.logical}' is sharded: it grows with "
                f"it, and each of its changes is written to all {len(table.shards)} databases"
            )
            note = Note(f"'{column.name}' is defined at", table.place_of(column.name))
            yield RULE.finding(
                message, context.span_of(table, "sharding"), hint=f"shard it by '{column.name}' too", notes=(note,)
            )
            break


RULE = Rule(
    "SW5109",
    "hot-broadcast",
    Severity.WARNING,
    "a broadcast table that has the column by which others are sharded",
    check,
)
