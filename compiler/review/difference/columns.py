"""Columns of one table: newly copied, no longer copied, called or written otherwise."""

from __future__ import annotations

from collections.abc import Iterator

from shardwright.compiler.plan.plan import CopiedColumn, TablePlan
from shardwright.compiler.review.difference.changes import (
    Change,
    ColumnAdded,
    ColumnChanged,
    ColumnDropped,
    ColumnRenamed,
)
from shardwright.compiler.review.difference.personal_data import looks_personal
from shardwright.compiler.schema.column_type import type_words


def column_changes(before: TablePlan | None, after: TablePlan) -> Iterator[Change]:
    """Columns are paired by their source's name, computed ones by their own. Of a new table only those are told that
    look like personal data."""
    old = {_origin(column): column for column in before.columns} if before else {}
    new = {_origin(column): column for column in after.columns}
    for origin, column in new.items():
        if origin in old:
            yield from _column(after.logical, old[origin], column)
        elif before or (looks_personal(origin) and not _is_masked(column)):
            yield ColumnAdded(after.logical, origin, looks_personal(origin), _is_masked(column), column.mapping)
    for origin in old:
        if origin not in new:
            yield ColumnDropped(after.logical, origin)


def _column(logical: str, old: CopiedColumn, new: CopiedColumn) -> Iterator[Change]:
    if old.target != new.target:
        yield ColumnRenamed(logical, _origin(new), old.target, new.target)
    was, now = _written(old), _written(new)
    if was != now:
        unmasked = _is_masked(old) and not _is_masked(new)
        comes_back = new.reversibility == "lossless" or old.reversibility == new.reversibility == "lossy"
        yield ColumnChanged(logical, _origin(new), was, now, unmasked=unmasked, comes_back=comes_back)


def _origin(column: CopiedColumn) -> str:
    return column.source or column.target


def _is_masked(column: CopiedColumn) -> bool:
    """Whether the source's values do not reach the target."""
    return column.reversibility == "one-way" and column.source != ""


def _written(column: CopiedColumn) -> str:
    kind = type_words(column.type, nullable=column.nullable)
    return kind if column.mapping == "copied" else f"{kind}, {column.mapping}"
