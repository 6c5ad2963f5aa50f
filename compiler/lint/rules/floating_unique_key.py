"""A unique key over values without an exact identity (hazard C5). As a row's key such a column is refused (SW2112)."""

from __future__ import annotations

from collections.abc import Iterator

from shardwright.compiler.lint.context import LintContext
from shardwright.compiler.lint.rule import Rule
from shardwright.specs.findings.diagnostics import Diagnostic, Severity


def check(context: LintContext) -> Iterator[Diagnostic]:
    for table in context.tables:
        types = {column.target: column for column in table.columns}
        for key in table.resolved.unique_keys:
            floating = [types[name] for name in key.columns if types[name].type.name in ("float", "double")]
            if not floating:
                continue
            kind = floating[0].type.name.upper()
            message = (
                f"unique key '{key.name}' of '{table.source.name}' compares '{floating[0].source}', a {kind}: whether two "
                "values are the same depends on how each was computed"
            )
            hint = "make it DECIMAL on the source"
            yield RULE.finding(message, table.place_of(floating[0].source), hint=hint)


RULE = Rule("SW4310", "floating-unique-key", Severity.WARNING, "a unique key over a FLOAT or DOUBLE", check)
