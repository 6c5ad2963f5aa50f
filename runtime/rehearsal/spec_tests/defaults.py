"""What a column holds that a test does not name: the schema's default."""

from __future__ import annotations

from collections.abc import Mapping

from sqlglot import exp

from shardwright.compiler.plan.catalogue import SourceTable
from shardwright.compiler.plan.plan import SourceColumn, TablePlan
from shardwright.runtime.rehearsal.spec_tests.values import NotAValue, canonical, unnamed

NOW = "2000-01-01 00:00:00"
"""What CURRENT_TIMESTAMP gives in a test."""


def column_defaults(table: TablePlan, catalogue: Mapping[str, SourceTable]) -> tuple[str | None, ...]:
    """The value of every source column that is not named, in table order. Columns without a default are NULL, or the
    type's zero when they are NOT NULL."""
    source = _described(table, catalogue)
    written = {} if source is None else _written(source)
    return tuple(_default(column, written.get(column.name.lower())) for column in table.source_columns)


def _described(table: TablePlan, catalogue: Mapping[str, SourceTable]) -> SourceTable | None:
    """The CREATE TABLE that describes the table: one of its sources', or the one that stands for tables split by suffix."""
    names = (*table.source_tables, table.logical)
    columns = [column.name for column in table.source_columns]
    candidates = [catalogue[name] for name in names if name in catalogue] or list(catalogue.values())
    return next((each for each in candidates if [column.name for column in each.columns] == columns), None)


def _written(source: SourceTable) -> dict[str, exp.Expression]:
    return {
        part.name.lower(): constraint.kind.this
        for part in source.statement.this.expressions
        if isinstance(part, exp.ColumnDef)
        for constraint in part.constraints
        if isinstance(constraint.kind, exp.DefaultColumnConstraint)
    }


def _default(column: SourceColumn, written: exp.Expression | None) -> str | None:
    if isinstance(written, exp.Null) or (written is None and column.nullable):
        return None
    try:
        return unnamed(column.type) if written is None else _evaluated(written, column)
    except NotAValue:
        return unnamed(column.type)


def _evaluated(written: exp.Expression, column: SourceColumn) -> str | None:
    if isinstance(written, exp.Literal):
        return canonical(written.name, column.type)
    if isinstance(written, exp.Neg) and isinstance(written.this, exp.Literal):
        return canonical(f"-{written.this.name}", column.type)
    if isinstance(written, exp.Boolean):
        return canonical(bool(written.this), column.type)
    if isinstance(written, exp.CurrentTimestamp):
        return canonical(NOW, column.type)
    raise NotAValue("an expression")
