"""What the target could not give back, should somebody want to go the other way."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sqlglot import exp

from shardwright.compiler.columns.mapping import MappedColumn
from shardwright.compiler.columns.row_filter import RowFilter
from shardwright.compiler.plan.catalogue import Column, SourceTable
from shardwright.compiler.plan.plan import Loss


def losses(source: SourceTable, mapped: Sequence[MappedColumn], row_filter: RowFilter | None) -> Iterator[Loss]:
    """Columns that are not copied, mappings that lose something, and rows that the filter keeps away."""
    copied = {item.column.source for item in mapped}
    for column in source.columns:
        if column.name not in copied and not column.generated:
            if column.nullable or column.auto_increment or _has_default(source, column):
                yield Loss(column.name, "lossy", "not copied: it would come back as its default")
            else:
                yield Loss(column.name, "one-way", "not copied, NOT NULL and without a default")
    for item in mapped:
        if item.column.reversibility != "lossless":
            yield Loss(item.column.source, item.column.reversibility, item.column.mapping)
    if row_filter is not None:
        yield Loss("", "lossy", f"rows that do not match stay behind: {row_filter.text}")


def _has_default(source: SourceTable, column: Column) -> bool:
    schema = source.statement.this
    return any(
        isinstance(part, exp.ColumnDef)
        and part.name == column.name
        and part.find(exp.DefaultColumnConstraint) is not None
        for part in schema.expressions
    )
