"""AUTO_INCREMENT counts within one table; the shards' tables would count alike (hazard D18)."""

from __future__ import annotations

from collections.abc import Iterator

from shardwright.compiler.lint.context import LintContext
from shardwright.compiler.lint.rule import Rule
from shardwright.compiler.lint.wording import counted
from shardwright.specs.findings.diagnostics import Diagnostic, Severity


def check(context: LintContext) -> Iterator[Diagnostic]:
    for table in context.tables:
        for column in table.source.columns:
            if not column.auto_increment or table.target_name(column.name) is None:
                continue
            tables = counted(table.physical_count, "physical table")
            message = (
                f"column '{column.name}' of '{table.source.name}' is AUTO_INCREMENT: on the shards ({tables}) it is not, "
                "and an INSERT without a value for it fails there"
            )
            if table.physical_count == 1:
                hint = "give the target's column AUTO_INCREMENT again when the application switches"
            else:
                hint = (
                    "let the application bring the value before it switches: a sequence, or ids made from time and node"
                )
            yield RULE.finding(message, table.place_of(column.name), hint=hint)


RULE = Rule(
    "SW4302",
    "auto-increment",
    Severity.WARNING,
    "an AUTO_INCREMENT column of a moved table: the shards cannot number rows together",
    check,
)
