"""Columns of one table: newly copied, no longer copied, called or written otherwise."""

from __future__ import annotations

from collections.abc import Iterator

from shardwright.compiler.catalogue import ColumnType
from shardwright.compiler.difference.changes import (
    Change,
    ColumnAdded,
    ColumnChanged,
    ColumnDropped,
    ColumnRenamed,
)
from shardwright.compiler.difference.personal_data import looks_personal
from shardwright.compiler.plan import CopiedColumn, TablePlan


def column_changes(before: TablePlan | None, after: TablePlan) -> Iterator[Change]:
    """Columns are paired by their source's name. Of a new table only those are told that look like personal data."""
    old = {column.source: column for column in before.columns} if before else {}
    new = {column.source: column for column in after.columns}
    for name, column in new.items():
        if name in old:
            yield from _column(after.logical, old[name], column)
        elif before or looks_personal(name):
            yield ColumnAdded(after.logical, name, looks_personal(name), None)
    for name in old:
        if name not in new:
            yield ColumnDropped(after.logical, name)


def _column(logical: str, old: CopiedColumn, new: CopiedColumn) -> Iterator[Change]:
    if old.target != new.target:
        yield ColumnRenamed(logical, new.source, old.target, new.target)
    was, now = (type_words(column.type, nullable=column.nullable) for column in (old, new))
    if was != now:
        yield ColumnChanged(logical, new.source, was, now, unmasked=False, comes_back=True)


def type_words(kind: ColumnType, *, nullable: bool) -> str:
    """The type as people write it: "varchar(40) utf8mb4_bin, nullable"."""
    sizes = [str(size) for size in (kind.length, kind.precision, kind.scale) if size is not None]
    text = kind.name + (f"({', '.join(sizes)})" if sizes and sizes != ["0"] else "")
    if kind.labels:
        text += f"({', '.join(kind.labels)})"
    text += " unsigned" if kind.unsigned else ""
    text += f" {kind.collation or kind.charset}" if kind.collation or kind.charset else ""
    return text + (", nullable" if nullable else "")
