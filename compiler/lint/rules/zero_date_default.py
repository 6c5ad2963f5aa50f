"""A default of '0000-00-00' (hazard C8)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from sqlglot import exp

from shardwright.compiler.lint.context import LintContext
from shardwright.compiler.lint.rule import Rule
from shardwright.specs.findings.diagnostics import Diagnostic, Severity

_TEMPORAL = frozenset({"date", "datetime", "timestamp"})
_ZERO_PART = re.compile(r"0000-\d\d-\d\d|\d{4}-00-\d\d|\d{4}-\d\d-00")


def check(context: LintContext) -> Iterator[Diagnostic]:
    for table in context.tables:
        for column in table.facts[0].columns:
            default = column.default
            if not isinstance(default, exp.Literal) or not (default.this == "0" or _ZERO_PART.match(default.this)):
                continue
            known = table.source.column(column.name)
            if known is None or known.type.name not in _TEMPORAL or table.target_name(column.name) is None:
                continue
            message = (
                f"column '{column.name}' of '{table.source.name}' has the default '{default.this}': a session with "
                "NO_ZERO_DATE, which is MySQL's default, can neither insert it nor ALTER the table"
            )
            hint = (
                "let the column be NULL, or choose a real date, on the source; rows that have it are copied as they are"
            )
            yield RULE.finding(message, table.place_of(column.name), hint=hint)


RULE = Rule("SW4312", "zero-date-default", Severity.WARNING, "a default such as '0000-00-00'", check)
