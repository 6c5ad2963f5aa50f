"""Which side may write a bucket? While buckets move one by one, both sides take writes, each those of its own buckets.

Used in the driver of `cutover --buckets`; writes to the shards and beside the source. Triggers on both sides read the
rows with a lock (`cutover.by_bucket.writer_triggers`): so a bucket that is closed here has no open writer any more, and
gets none. Applications read the rows, too. The first shard's rows say what is in force.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal

from pymysql.connections import Connection

from shardwright.runtime.mysql.transactions import execute, if_there, query_if_there
from shardwright.specs.direction import Side

Writer = Literal["source", "shards", "none"]
"""Whose applications may write the bucket's rows."""
CLOSED: Final[Writer] = "none"

TABLE: Final = """CREATE TABLE IF NOT EXISTS `_shardwright_bucket` (
      migration VARCHAR(64) NOT NULL,
      bucket INT NOT NULL,
      writer VARCHAR(8) NOT NULL,
      generation BIGINT NOT NULL,
      PRIMARY KEY (migration, bucket)
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin"""
"""On every shard, and in the ledger's database beside each source database. Bucket N, behind the last of N buckets, has
the tables that are not sharded. `generation` counts how often a bucket has moved."""
_BEGIN = (
    "INSERT INTO `_shardwright_bucket` (migration, bucket, writer, generation) VALUES (%s, %s, %s, %s) "
    "ON DUPLICATE KEY UPDATE generation = IF(writer = VALUES(writer), generation, VALUES(generation)), "
    "writer = VALUES(writer)"
)
_CLOSE = "UPDATE `_shardwright_bucket` SET writer = %s WHERE migration = %s AND bucket IN %s AND generation < %s"
_MOVE = (
    "UPDATE `_shardwright_bucket` SET writer = %s, generation = %s WHERE migration = %s AND bucket IN %s "
    "AND generation <= %s"
)
_SWITCH = (
    "UPDATE `_shardwright_bucket` SET writer = %s, generation = generation + 1 WHERE migration = %s AND writer <> %s"
)
_COUNT = "SELECT writer, COUNT(*) FROM `_shardwright_bucket` WHERE migration = %s GROUP BY writer"
_READ = "SELECT bucket, writer, generation FROM `_shardwright_bucket` WHERE migration = %s ORDER BY bucket"


@dataclass(frozen=True, slots=True)
class BucketOwner:
    """One bucket's row."""

    writer: str
    generation: int


def begin_buckets(connection: Connection[Any], migration: str, count: int, writer: Side, *, generation: int) -> None:
    """`writer` has `count` buckets and the one behind them. Rows that say otherwise, of an earlier time, get
    `generation`: applications never go back to a lower one."""
    with connection.cursor() as cursor:
        cursor.executemany(_BEGIN, [(migration, bucket, writer, generation) for bucket in range(count + 1)])


def set_writer(
    connection: Connection[Any], migration: str, buckets: Collection[int], writer: Writer, *, before: int
) -> None:
    """Closes or opens buckets that have not moved yet: rows of generation `before`, or of a newer one, stay. Waits for
    the open transactions that have written rows of the buckets."""
    execute(connection, _CLOSE, (writer, migration, tuple(sorted(buckets)), before))


def move_buckets(
    connection: Connection[Any], migration: str, buckets: Collection[int], writer: Side, generation: int
) -> None:
    """The buckets are the other side's now. Rows of a newer generation stay; may be repeated."""
    execute(connection, _MOVE, (writer, generation, migration, tuple(sorted(buckets)), generation))


def follow_switch(connection: Connection[Any], migration: str, writer: Side) -> None:
    """All buckets are where all writes go. Call in the transaction of the switch row; may be repeated."""
    if_there(lambda: execute(connection, _SWITCH, (writer, migration, writer)))


def read_buckets(connection: Connection[Any], migration: str) -> Mapping[int, BucketOwner]:
    """By number; empty where no bucket has ever moved by itself."""
    rows = query_if_there(connection, _READ, (migration,))
    return {int(bucket): BucketOwner(str(writer), int(generation)) for bucket, writer, generation in rows}


def count_buckets(connection: Connection[Any], migration: str) -> Mapping[str, int]:
    """How many each side writes, by `Writer`; empty where no bucket has ever moved by itself."""
    rows = query_if_there(connection, _COUNT, (migration,))
    return {str(writer): int(count) for writer, count in rows}
