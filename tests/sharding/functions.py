"""Sharding functions for tests, without a spec around them."""

from __future__ import annotations

from collections.abc import Mapping

from shardwright.compiler.expressions.expression import Expression, NoMysqlForm
from shardwright.compiler.sharding.build import Grid, RuleContext, ShardFunction, database_and_table
from shardwright.specs.findings.diagnostics import Findings, Span
from shardwright.specs.spec.model import ShardingRule
from tests.sharding.typed_columns import COLUMNS


def grid(databases: int, tables: int) -> Grid:
    suffixes = tuple(f"_{number:02}" for number in range(tables)) if tables > 1 else ("",)
    return Grid(tuple(f"db_{number:02}" for number in range(databases)), suffixes)


def function_of(
    algorithm: str,
    *columns: str,
    grid: Grid,
    options: Mapping[str, object] | None = None,
    files: Mapping[str, str] | None = None,
) -> ShardFunction:
    findings = Findings()
    function = database_and_table(
        ShardingRule("rule", columns, None, None, algorithm, options or {}, None, ("sharding", "rule")),
        columns,
        columns=COLUMNS,
        context=RuleContext(grid, files or {}, lambda path: Span("spec.yaml", 1, 1), findings),
    )
    assert function is not None, (algorithm, columns, options, findings.items)
    return function


def has_mysql_form(expression: Expression) -> bool:
    try:
        expression.mysql()
    except NoMysqlForm:
        return False
    return True
