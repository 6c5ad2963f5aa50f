"""The rows that the last batches changed, as the shards remember them, and what becomes of the places they stood in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pyarrow as pa

from shardwright.compiler.plan import Plan
from shardwright.runtime.binlog.position import LogPosition
from shardwright.runtime.connections import Servers
from shardwright.runtime.lost_transactions.recent_keys import recent_keys

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
# Under policy `ignore` a row that is gone at the source stays; what a moved one leaves does not.
_LEAVE = f"""
SELECT l.logical AS `table`, l.source_table, l.shard, l.part, IF(u.key IS NULL, 'delete', 'vacate') AS action, 'D' AS op,
  l.key, l.position, CAST(NULL AS BIGINT) AS committed_at, CAST(NULL AS ARRAY<STRING>) AS `row`,
  CAST(NULL AS STRING) AS version_before, CAST(NULL AS STRING) AS version
FROM (SELECT DISTINCT logical, source_table, key, shard, part, keeps_gone, position FROM {_CHANGED}) l
LEFT JOIN (SELECT DISTINCT `table`, source_table, key FROM {_ROUTED} WHERE action = 'upsert') u
  ON l.logical = u.`table` AND l.source_table = u.source_table AND l.key = u.key
LEFT ANTI JOIN {_ROUTED} r ON {_SAME_ROW} AND l.shard = r.shard AND l.part = r.part
WHERE u.key IS NOT NULL OR NOT l.keeps_gone
"""
_POSITION = pa.struct([("epoch", pa.int64()), ("file", pa.int64()), ("offset", pa.int64()), ("row", pa.int32())])
_SCHEMA = pa.schema(
    [
        ("logical", pa.string()),
        ("source_table", pa.string()),
        ("key", pa.list_(pa.string())),
        ("shard", pa.int32()),
        ("part", pa.int32()),
        ("version", pa.string()),
        ("batch", pa.int64()),
        ("keeps_gone", pa.bool_()),
        ("position", _POSITION),
    ]
)


@dataclass(frozen=True, slots=True)
class ChangedRow:
    """A change that `batch` applied: `key` as the decode step spells it, the place where it was, and the version it wrote."""

    batch: int
    logical: str
    source_table: str
    key: tuple[str, ...]
    shard: int
    part: int
    version: str | None


def changed_rows(servers: Servers, migration: str, first: int) -> list[ChangedRow]:
    """Of batch `first` and all later ones, on every shard."""
    found: list[ChangedRow] = []
    for shard, connection in servers.each_shard():
        for batch, logical, keys in recent_keys(connection, migration, first):
            columns = (keys.column(name).to_pylist() for name in ("source_table", "key", "part", "version"))
            found += [
                ChangedRow(batch, logical, str(s), tuple(k), shard, p, v) for s, k, p, v in zip(*columns, strict=True)
            ]
    return found


def with_their_places(routed: DataFrame, *, rows: Sequence[ChangedRow], plan: Plan, at: LogPosition) -> DataFrame:
    """What is routed, and the places that `rows` were in and are not any more, which they leave at position `at`."""
    policies = {table.logical: table.delete_policy for table in plan.tables}
    position = {"epoch": at.epoch, "file": at.file_number, "offset": at.offset, "row": -1}
    values = [
        {
            "logical": row.logical,
            "source_table": row.source_table,
            "key": row.key,
            "shard": row.shard,
            "part": row.part,
            "version": row.version,
            "batch": row.batch,
            "keeps_gone": policies[row.logical] == "ignore",
            "position": position,
        }
        for row in rows
    ]
    spark = routed.sparkSession
    spark.createDataFrame(pa.Table.from_pylist(values, _SCHEMA)).createOrReplaceTempView(_CHANGED)
    routed.createOrReplaceTempView(_ROUTED)
    columns = routed.columns
    return spark.sql(_VERSIONS).select(columns).unionByName(spark.sql(_LEAVE))
