"""Which version and which places had the rows that the last batches changed? Such rows are read again after a change of
servers, and leave the places where they are not any more.

Runs in the driver and reads the remembered keys on the shards; Spark tasks do the work on what is routed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import closing
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import pyarrow as pa

from shardwright.compiler.plan.plan import Plan
from shardwright.compiler.sql.batch_sql import batch_sql
from shardwright.runtime.ledger.batches import MigrationState
from shardwright.runtime.ledger.recent_batches import oldest_recent
from shardwright.runtime.ledger.recent_keys import ChangedRow, read_changed_rows
from shardwright.runtime.mysql.servers import Servers
from shardwright.runtime.sources.positions.log_position import LogPosition

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

_POSITION = pa.struct([("epoch", pa.int64()), ("file", pa.int64()), ("offset", pa.int64()), ("row", pa.int32())])
_ROW = [("logical", pa.string()), ("source_table", pa.string()), ("key", pa.list_(pa.string()))]
_PLACE = [("shard", pa.int32()), ("part", pa.int32())]
_WRITTEN_ROWS = pa.schema([("batch", pa.int64()), *_ROW, *_PLACE, ("version", pa.string())])
_PLACES_LEFT = pa.schema([*_ROW, *_PLACE, ("position", _POSITION), ("keeps_deleted", pa.bool_())])


def own_versions(plan: Plan, servers: Servers, state: MigrationState) -> Callable[[DataFrame], DataFrame] | None:
    """For the batch that begins at the position of `state`. After a change of servers it may read again what was
    applied in part. Then a row that the stream wrote itself is no foreign row, though its version may be the newer one.
    None where that cannot be."""
    rewound = any(part.may_repeat for part in state.position.parts.values())
    if not rewound or all(table.writes.version_column is None for table in plan.tables):
        return None
    with closing(servers.connect_shard(0)) as control:
        first = oldest_recent(control, plan.migration)
    rows = read_changed_rows(servers, plan.migration, first)
    return partial(with_own_versions, rows=rows, plan=plan, last=state.batch)


def with_own_versions(routed: DataFrame, *, rows: Sequence[ChangedRow], plan: Plan, last: int) -> DataFrame:
    """What is routed. The version that the stream wrote last counts as the one that a row started from. `last` is the
    last batch that all shards have: what an attempt at a later one has staged, and a kill has kept from being written,
    is no version of any row."""
    written = [row for row in rows if row.batch <= last]
    routed.sparkSession.createDataFrame(_table(written, _WRITTEN_ROWS)).createOrReplaceTempView("written_rows")
    routed.createOrReplaceTempView("routed")
    return routed.sparkSession.sql(batch_sql(plan, "own_versions"))


def with_their_places(
    routed: DataFrame, *, rows: Sequence[ChangedRow], plan: Plan, at: LogPosition, last: int
) -> DataFrame:
    """The same, and the places where `rows` were and are not any more: they leave these at position `at`."""
    place = (at.epoch, at.file_number, at.offset, -1)
    kept = {table.logical for table in plan.tables if table.deletes.are_ignored}
    left = [
        PlaceLeft(row.logical, row.source_table, list(row.key), row.shard, row.part, place, row.logical in kept)
        for row in rows
    ]
    leaving = leave_places(routed, left, plan=plan)
    return with_own_versions(routed, rows=rows, plan=plan, last=last).unionByName(leaving)


def and_leave(routed: DataFrame, *, left: Sequence[PlaceLeft], plan: Plan) -> DataFrame:
    """What is routed, and the places of `left` where it is not now."""
    return routed.unionByName(leave_places(routed, left, plan=plan))


class PlaceLeft(NamedTuple):
    """A place that a row has to leave when it is not there any more."""

    logical: str
    source_table: str
    key: list[str]
    shard: int
    part: int
    position: tuple[int, int, int, int]
    """Epoch, file, offset and row of the event that it leaves with."""
    keeps_deleted: bool
    """Whether the row stays there when the source has it no more."""


def leave_places(routed: DataFrame, left: Sequence[PlaceLeft], *, plan: Plan) -> DataFrame:
    """The routed changes by which rows leave those of `left` where `routed` does not write them."""
    spark = routed.sparkSession
    spark.createDataFrame(_table(left, _PLACES_LEFT)).createOrReplaceTempView("places_left")
    routed.createOrReplaceTempView("routed")
    return spark.sql(batch_sql(plan, "leave"))


def _table(rows: Sequence[object], schema: pa.Schema) -> pa.Table:
    """The attributes of `rows` that the schema names."""
    return pa.table([pa.array([getattr(row, field.name) for row in rows], field.type) for field in schema], schema)
