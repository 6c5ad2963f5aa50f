"""A version that may be NULL guards nothing: NULL is neither newer nor older."""

from __future__ import annotations

from collections.abc import Iterator

from shardwright.compiler.lint.context import LintContext
from shardwright.compiler.lint.rule import Rule
from shardwright.compiler.tables.row_keys import is_comparable
from shardwright.specs.findings.diagnostics import Diagnostic, Note, Severity


def check(context: LintContext) -> Iterator[Diagnostic]:
    for table in context.tables:
        name = table.entry.version_column
        column = None if name is None else table.source.column(name)
        if name is None or column is None or not column.nullable or not is_comparable(column.type):
            continue
        message = (
            f"version column '{name}' of '{table.logical}' may be NULL: a row without a version is not guarded, the source's "
            "change overwrites it"
        )
        note = Note(f"'{name}' is defined at", table.place_of(name))
        yield RULE.finding(
            message, context.span_of(table, "version_column"), hint="make it NOT NULL on the source", notes=(note,)
        )


RULE = Rule("SW6102", "version-nullable", Severity.WARNING, "a version column that may be NULL", check)
