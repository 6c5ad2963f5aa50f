"""Which version and which places had the rows that the last batches changed? Such rows are read again after a change of
servers, and leave the places where they are not any more.

Runs in the driver and reads the remembered keys on the shards; Spark tasks do the work on what is routed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import pyarrow as pa

from shardwright.compiler.plan.plan import Plan
from shardwright.runtime.ledger.recent_keys import ChangedRow, changed_rows
from shardwright.runtime.mysql.servers import Servers
from shardwright.runtime.sources.binlog.position import LogPosition
from shardwright.runtime.sources.position import StreamPosition

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

_CHANGED, _ROUTED = "lost_rows", "routed_with_lost_rows"
_SAME_ROW = "l.logical = r.`table` AND l.source_table = r.source_table AND l.key = r.key"
# The version that the stream itself wrote last is no foreign one: the guard must let an older one take its place.
_VERSIONS = f"""
SELECT r.* EXCEPT (version_before), COALESCE(l.version, r.version_before) AS version_before
FROM {_ROUTED} r LEFT JOIN (
  SELECT logical, source_table, key, MAX_BY(version, batch) FILTER (WHERE version IS NOT NULL) AS version
  FROM {_CHANGED} GROUP BY logical, source_table, key
) l ON {_SAME_ROW} AND r.action = 'upsert'
"""
# Under policy `ignore` a row that is gone at the source stays; the places that a moved row left do not.
_LEAVE = f"""
SELECT l.logical AS `table`, l.source_table, l.shard, l.part, IF(u.key IS NULL, 'delete', 'vacate') AS action, 'D' AS op,
  l.key, NAMED_STRUCT('epoch', BIGINT(:epoch), 'file', BIGINT(:file), 'offset', BIGINT(:offset), 'row', -1) AS position,
  CAST(NULL AS BIGINT) AS committed_at, CAST(NULL AS ARRAY<STRING>) AS `row`,
  CAST(NULL AS STRING) AS version_before, CAST(NULL AS STRING) AS version
FROM (SELECT DISTINCT logical, source_table, key, shard, part FROM {_CHANGED}) l
LEFT JOIN (SELECT DISTINCT `table`, source_table, key FROM {_ROUTED} WHERE action = 'upsert') u
  ON l.logical = u.`table` AND l.source_table = u.source_table AND l.key = u.key
LEFT ANTI JOIN {_ROUTED} r ON {_SAME_ROW} AND l.shard = r.shard AND l.part = r.part
WHERE u.key IS NOT NULL OR NOT ARRAY_CONTAINS(:kept, l.logical)
"""
_SCHEMA = pa.schema(
    [
        ("batch", pa.int64()),
        ("logical", pa.string()),
        ("source_table", pa.string()),
        ("key", pa.list_(pa.string())),
        ("shard", pa.int32()),
        ("part", pa.int32()),
        ("version", pa.string()),
    ]
)


def own_versions(plan: Plan, servers: Servers, start: StreamPosition) -> Callable[[DataFrame], DataFrame] | None:
    """For a batch that begins at `start`. After a change of servers it may read again what was applied in part. Then a
    row that the stream wrote itself is no foreign row, though its version may be the newer one. None where that cannot
    be."""
    rewound = any(isinstance(part, LogPosition) and part.whole_until is not None for part in start.parts.values())
    if not rewound or all(table.version_column is None for table in plan.tables):
        return None
    rows = changed_rows(servers, plan.migration, 0)
    return lambda routed: with_own_versions(routed, rows=rows)


def with_own_versions(routed: DataFrame, *, rows: Sequence[ChangedRow]) -> DataFrame:
    """What is routed. The version that the stream wrote last counts as the one that a row started from."""
    _offer(routed, rows)
    return routed.sparkSession.sql(_VERSIONS).select(routed.columns)


def with_their_places(routed: DataFrame, *, rows: Sequence[ChangedRow], plan: Plan, at: LogPosition) -> DataFrame:
    """The same, and the places where `rows` were and are not any more: they leave these at position `at`."""
    from pyspark.sql import functions as F

    kept = ["", *(table.logical for table in plan.tables if table.delete_policy == "ignore")]  # no table is called ""
    _offer(routed, rows)
    values = {
        "kept": F.array(*map(F.lit, kept)),
        "epoch": at.epoch,
        "file": at.file_number,
        "offset": at.offset,
    }
    left = routed.sparkSession.sql(_LEAVE, args=values)
    return routed.sparkSession.sql(_VERSIONS).select(routed.columns).unionByName(left)


def _offer(routed: DataFrame, rows: Sequence[ChangedRow]) -> None:
    columns = [[getattr(row, name) for row in rows] for name in _SCHEMA.names]
    table = pa.table([pa.array(values, kind.type) for values, kind in zip(columns, _SCHEMA, strict=True)], _SCHEMA)
    routed.sparkSession.createDataFrame(table).createOrReplaceTempView(_CHANGED)
    routed.createOrReplaceTempView(_ROUTED)
