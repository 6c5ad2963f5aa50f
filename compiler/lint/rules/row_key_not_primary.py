"""A row key that is not the source's primary key."""

from __future__ import annotations

from collections.abc import Iterator

from shardwright.compiler.lint.context import LintContext
from shardwright.compiler.lint.rule import Rule
from shardwright.specs.findings.diagnostics import Diagnostic, Note, Severity


def check(context: LintContext) -> Iterator[Diagnostic]:
    for table in context.tables:
        chosen, primary = table.entry.key, table.source.primary_key
        if chosen is None or {name.lower() for name in chosen} == {name.lower() for name in primary}:
            continue
        columns = ", ".join(chosen)
        if primary:
            message = (
                f"rows of '{table.logical}' go by ({columns}), not by the primary key ({', '.join(primary)}): chunks are read "
                "through a secondary index, so the copy is slower and heavier on the source"
            )
            hint = "leave 'key' out, unless the primary key means nothing on the shards"
        else:
            message = (
                f"'{table.source.name}' has no primary key: the shards get PRIMARY KEY ({columns}), and replicas of the "
                "source look for every changed row"
            )
            hint = f"add PRIMARY KEY ({columns}) on the source"
        note = Note(f"'{table.source.name}' is defined at", table.source.span)
        yield RULE.finding(message, context.span_of(table, "key"), hint=hint, notes=(note,))


RULE = Rule(
    "SW4301",
    "row-key-not-primary",
    Severity.WARNING,
    "a row key other than the primary key, or a table without one",
    check,
)
