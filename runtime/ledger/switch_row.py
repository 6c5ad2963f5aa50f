"""Where shall an application with two data access layers write? The switch row says so, beside every ledger.

Used in the driver of `cutover`; writes to the shards and beside the source. Applications read it.
"""

from __future__ import annotations

from typing import Any, Final

from pymysql.connections import Connection

from shardwright.runtime.ledger.buckets import follow_switch
from shardwright.runtime.mysql.transactions import execute, query_if_there
from shardwright.specs.direction import Side

TABLE: Final = """CREATE TABLE IF NOT EXISTS `_shardwright_switch` (
      migration VARCHAR(64) NOT NULL PRIMARY KEY,
      writes_to VARCHAR(8) NOT NULL,
      generation BIGINT NOT NULL,
      at DATETIME(6) NOT NULL
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin"""
"""On every shard, and in the ledger's database beside each source database. No row: `source`."""
_WRITE = (
    "INSERT INTO `_shardwright_switch` (migration, writes_to, generation, at) VALUES (%s, %s, %s, NOW(6)) "
    "ON DUPLICATE KEY UPDATE writes_to = IF(VALUES(generation) > generation, VALUES(writes_to), writes_to), "
    "at = IF(VALUES(generation) > generation, VALUES(at), at), generation = GREATEST(generation, VALUES(generation))"
)
_READ = "SELECT writes_to, generation FROM `_shardwright_switch` WHERE migration = %s"


def write_switch(connection: Connection[Any], migration: str, writes_to: Side, generation: int) -> None:
    """A row of a newer generation stays. `connection` is in the ledger's database."""
    execute(connection, _WRITE, (migration, writes_to, generation))
    follow_switch(connection, migration, writes_to)


def read_switch(connection: Connection[Any], migration: str) -> tuple[str, int]:
    """What the row says there, and its generation."""
    rows = query_if_there(connection, _READ, (migration,))
    return (str(rows[0][0]), int(rows[0][1])) if rows else ("source", 0)
