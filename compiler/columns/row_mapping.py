"""How a source row becomes a target row, in one place. The snapshot and the stream route by the same SQL; verification
asks the source by its MySQL form.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlglot import exp

from shardwright.compiler.columns.mapping import FromColumn, MappedColumn, Texts, as_copied
from shardwright.compiler.plan.plan import TablePlan

if TYPE_CHECKING:
    from shardwright.compiler.columns.row_filter import RowFilter


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
