"""More physical tables in a database than servers keep open."""

from __future__ import annotations

from collections.abc import Iterator

from shardwright.compiler.lint.context import LintContext
from shardwright.compiler.lint.rule import Rule
from shardwright.specs.findings.diagnostics import Diagnostic, Severity

MANY = 4_000
"""MySQL's default of table_open_cache; MariaDB's is 2,000."""


def check(context: LintContext) -> Iterator[Diagnostic]:
    for shard, database in enumerate(context.spec.target.databases):
        number = sum(len(table.suffixes) for table in context.tables if shard in table.shards)
        if number > MANY:
            message = (
                f"database '{database}' would hold {number:,} tables: servers keep {MANY:,} open by default, so statements wait "
                "for others to be opened, and each DDL change runs that often"
            )
            hint = "fewer suffixes and more databases; on one server raise table_open_cache and open_files_limit"
            yield RULE.finding(message, context.spec.span_of(("target", "tables_suffix")), hint=hint)
            return


RULE = Rule("SW5110", "many-tables", Severity.WARNING, "more than 4,000 physical tables in one database", check)
