"""A name that the spec gives and every statement of the application must quote."""

from __future__ import annotations

from collections.abc import Iterator

import sqlglot

from shardwright.compiler.lint.context import LintContext
from shardwright.compiler.lint.rule import Rule
from shardwright.specs.findings.diagnostics import Diagnostic, Severity
from shardwright.specs.findings.span import Span

_RESERVED = frozenset(sqlglot.Dialect.get_or_raise("mysql").generator_class.RESERVED_KEYWORDS)


def check(context: LintContext) -> Iterator[Diagnostic]:
    for table in context.tables:
        entry = table.entry
        given: list[tuple[str, Span]] = []
        if entry.to and table.suffixes == ("",):
            given.append((entry.to, context.span_of(table, "to")))
        for source, target in entry.columns.rename.items():
            given.append((target, context.span_of(table, "columns", "rename", source)))
        for name, span in given:
            if name.lower() in _RESERVED:
                message = f"'{name}' is a reserved word: a statement of the application that does not quote it fails"
                yield RULE.finding(message, span, hint="choose another name; plans quote every name")


RULE = Rule("SW4316", "reserved-word", Severity.WARNING, "a reserved word as the new name of a table or column", check)
