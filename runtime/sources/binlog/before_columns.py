"""Which columns matter of the image that an update replaces.

Pure. The driver finds them in the plan; Spark tasks decode no others.

Merging needs a row's newest image. Of the image that it replaces, it needs only the row's place, its key and its
version. The other columns need not become text. An update that changes the key is a delete and an insert, and the
deleted row is kept whole: people may have to read it among the dead letters.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from shardwright.compiler.plan.plan import Plan, TablePlan


@dataclass(frozen=True, slots=True)
class BeforeColumns:
    """Indexes of columns in the source's table. `columns` are needed; all columns are when one of `key` changes. An
    update that changes none of `row` leaves a row's identity and place as they were. `row` is None when that is not
    enough to leave out the image that a later update replaces (see `update_chains`)."""

    columns: frozenset[int]
    key: tuple[int, ...]
    row: tuple[int, ...] | None = None


EVERYTHING: Mapping[str, BeforeColumns] = {}


def find_replaced(plan: Plan) -> Mapping[str, BeforeColumns]:
    """By source table ("database.table"). Of tables that are absent all columns matter."""
    parents = plan.parents
    found: dict[str, BeforeColumns] = {}
    for table in plan.tables:
        replaced = None if table.logical in parents else _find_replaced(table, held=table.logical in plan.quarantine)
        if replaced is not None:
            found.update((str(source), replaced) for source in table.sources)
    return found


def _find_replaced(table: TablePlan, *, held: bool) -> BeforeColumns | None:
    if (
        table.placement.parent is not None
        or table.source.where is not None
        or table.writes.marks_columns
        or table.identity.counts_rows
    ):
        return None  # a family's lookup tables, the filter and the marks of changed columns may read any column
    places = {column.name: column.position for column in table.source.reads}
    by_target = {column.target: column.source for column in table.columns}
    key = [column.source for column in table.source_key_columns]
    version = [by_target[table.writes.version_column]] if table.writes.version_column else []
    wanted = [*key, *table.placement.shard_key, *version]
    if any(name not in places for name in wanted):
        return None  # computed from other columns
    row = tuple(dict.fromkeys(places[name] for name in (*key, *table.placement.shard_key)))
    alone = version or held  # a version needs the first image of all, a dead letter every event's place
    columns = frozenset(places[name] for name in wanted)
    return BeforeColumns(columns, tuple(places[name] for name in key), row=None if alone else row)
