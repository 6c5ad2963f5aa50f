"""Which chunks a shard has, how many rows they brought and how fast (contract C4).

Written in Spark tasks, to the shard, in the transaction of the chunk's rows. Read in the driver, and by `status` while
another process runs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from pymysql.connections import Connection

from shardwright.runtime.mysql.transactions import execute, execute_later, query, query_if_there

RECENT_CHUNKS: Final = 200
"""Rates are estimated from this many chunks, here and in the run itself."""
Finish = tuple[float, int]
"""When a chunk was done, in seconds, and its rows."""

TABLE: Final = """CREATE TABLE IF NOT EXISTS `_shardwright_chunk_done` (
      migration VARCHAR(64) NOT NULL,
      logical VARCHAR(64) NOT NULL,
      source_table VARCHAR(160) NOT NULL,
      chunk BIGINT NOT NULL,
      rows_read BIGINT NOT NULL,
      rows_inserted BIGINT NOT NULL,
      applied_at DATETIME(6) NOT NULL,
      PRIMARY KEY (migration, logical, source_table, chunk)
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin"""
"""On every shard."""
_COPIED = (
    "SELECT logical, COUNT(*), COALESCE(SUM(rows_inserted), 0) FROM `_shardwright_chunk_done` "
    "WHERE migration = %s GROUP BY logical"
)
_RECENT = (
    "SELECT logical, UNIX_TIMESTAMP(applied_at) - UNIX_TIMESTAMP(NOW(6)), rows_read FROM `_shardwright_chunk_done` "
    f"WHERE migration = %s ORDER BY applied_at DESC LIMIT {RECENT_CHUNKS}"
)

_ADD = (
    "INSERT INTO `_shardwright_chunk_done` (migration, logical, source_table, chunk, rows_read, rows_inserted, "
    "applied_at) VALUES (%s, %s, %s, %s, %s, 0, NOW(6))"
)
_ONE = "migration = %s AND logical = %s AND source_table = %s AND chunk = %s"
_INSERTED = f"UPDATE `_shardwright_chunk_done` SET rows_inserted = %s WHERE {_ONE}"
_FIND = f"SELECT rows_read, rows_inserted FROM `_shardwright_chunk_done` WHERE {_ONE}"
_WHEN = f"SELECT applied_at, rows_inserted FROM `_shardwright_chunk_done` WHERE {_ONE}"
_FORGET = f"DELETE FROM `_shardwright_chunk_done` WHERE {_ONE}"
_OF_TABLE = "SELECT source_table, chunk FROM `_shardwright_chunk_done` WHERE migration = %s AND logical = %s"
_FORGET_TABLE = "DELETE FROM `_shardwright_chunk_done` WHERE migration = %s AND logical = %s"

ChunkId = tuple[str, str, str, int]
"""Migration, logical table, source table, number."""


def record_chunk(connection: Connection[Any], chunk: ChunkId, rows: int) -> None:
    """First statement of the chunk's transaction: of two concurrent attempts the second fails here, with a duplicate
    key."""
    execute_later(connection, _ADD, (*chunk, rows), may_commit=True)


def record_inserted(connection: Connection[Any], chunk: ChunkId, rows: int) -> None:
    execute_later(connection, _INSERTED, (rows, *chunk), may_commit=True)


def read_chunk(connection: Connection[Any], chunk: ChunkId) -> tuple[int, int] | None:
    """Rows read and rows inserted; None when the shard does not have the chunk."""
    rows = query(connection, _FIND, chunk)
    return (int(rows[0][0]), int(rows[0][1])) if rows else None


def read_chunk_time(connection: Connection[Any], chunk: ChunkId) -> tuple[datetime, int] | None:
    """When the shard got the chunk, by its own clock, and how many rows that brought; None when it does not have it."""
    rows = query_if_there(connection, _WHEN, chunk)
    return (rows[0][0], int(rows[0][1])) if rows else None


def forget_chunk(connection: Connection[Any], chunk: ChunkId) -> None:
    execute(connection, _FORGET, chunk)


def chunks_on_shard(connection: Connection[Any], migration: str, logical: str) -> set[tuple[str, int]]:
    """Source table and number."""
    return {(str(source), int(number)) for source, number in query(connection, _OF_TABLE, (migration, logical))}


def forget_table(connection: Connection[Any], migration: str, logical: str) -> None:
    execute(connection, _FORGET_TABLE, (migration, logical))


@dataclass(frozen=True, slots=True)
class CopiedOnShard:
    """What one shard's records say of the copy. `rows`: logical table -> inserted rows. `recent`: logical table -> the
    last chunks, whose times count from now on the shard's own clock (so they are below 0)."""

    chunks: int
    rows: Mapping[str, int]
    recent: Mapping[str, tuple[Finish, ...]]
    begin: float
    """From this time on `recent` is complete; earlier chunks are not listed."""


def read_copied_on_shard(connection: Connection[Any], migration: str) -> CopiedOnShard:
    if not query(connection, "SHOW TABLES LIKE '\\_shardwright\\_chunk\\_done'"):
        return CopiedOnShard(0, {}, {}, float("-inf"))  # the ledger is lost
    copied = query(connection, _COPIED, (migration,))
    rows = query(connection, _RECENT, (migration,))
    recent: dict[str, list[Finish]] = {}
    for logical, at, count in rows:
        recent.setdefault(str(logical), []).append((float(at), int(count)))
    return CopiedOnShard(
        sum(int(row[1]) for row in copied),
        {str(row[0]): int(row[2]) for row in copied},
        {logical: tuple(finishes) for logical, finishes in recent.items()},
        min((float(row[1]) for row in rows), default=0.0) if len(rows) == RECENT_CHUNKS else float("-inf"),
    )


def finishes(shards: Sequence[CopiedOnShard], logical: str, *, broadcast: bool) -> list[Finish]:
    """The recent chunks of a table over all shards, from the time on from which every shard lists its chunks. The
    source was read once for a broadcast row, though every shard has it."""
    begin = max(shard.begin for shard in shards)
    asked = shards[:1] if broadcast else shards
    return [found for shard in asked for found in shard.recent.get(logical, ()) if found[0] >= begin]
