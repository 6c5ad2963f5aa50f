"""How a source row becomes a target row, in one place, and what of it the target could not give back. The snapshot and
the stream route by the same SQL; verification asks the source by its MySQL form.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlglot import exp

from shardwright.compiler.columns.mapping import FromColumn, MappedColumn, Texts, as_copied
from shardwright.compiler.plan.catalogue import Column, SourceTable
from shardwright.compiler.plan.plan import Loss, TablePlan

if TYPE_CHECKING:
    from shardwright.compiler.columns.row_filter import RowFilter


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


@dataclass(frozen=True, slots=True)
class RowMapping:
    """`columns` in the order of the plan's; `row_filter` None: every row moves."""

    columns: tuple[MappedColumn, ...]
    row_filter: RowFilter | None = None

    @property
    def is_plain(self) -> bool:
        """Whether the values a chunk reads are the target's as they stand."""
        copied = tuple(
            item.mapping.name
            for item in self.columns
            if isinstance(item.mapping, FromColumn) and not item.mapping.steps
        )
        filtered = self.row_filter.reads() if self.row_filter is not None else frozenset()
        return len(copied) == len(self.columns) and filtered <= set(copied)

    def spark(self, image: str) -> list[exp.Expr]:
        """The target row's canonical texts over the struct `image`."""
        return [item.mapping.spark(image) for item in self.columns]

    def mysql(self, target: str) -> exp.Expr:
        """The value of target column `target` over the source's columns."""
        return next(item.mapping.mysql() for item in self.columns if item.column.target == target)

    def python(self, row: Texts) -> list[str | None]:
        return [item.mapping.python(row) for item in self.columns]

    def matches(self, row: Texts) -> bool:
        return self.row_filter is None or self.row_filter.python(row)


def plain_mapping(table: TablePlan) -> RowMapping:
    """Every column as it is."""
    return RowMapping(tuple(as_copied(column) for column in table.columns))
