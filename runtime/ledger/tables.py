"""The ledger's tables. They live in the target databases, beside the rows they speak of, so that a row and its record
are one transaction."""

from __future__ import annotations

import secrets
from typing import Any

from pymysql.connections import Connection

from shardwright.runtime.failures import Refused
from shardwright.runtime.ledger.orders import TABLE as CONTROL
from shardwright.runtime.ledger.waiting import TABLE as WAITING
from shardwright.runtime.mysql.transactions import execute, query

FORMAT = 4
"""Of these tables. A ledger of another format is refused: what it says would be misread."""

EVERY_SHARD = (
    """CREATE TABLE IF NOT EXISTS `_shardwright_ledger` (
      only_row TINYINT NOT NULL PRIMARY KEY,
      format INT NOT NULL,
      ledger CHAR(32) NOT NULL,
      made_at DATETIME(6) NOT NULL
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin""",
    """CREATE TABLE IF NOT EXISTS `_shardwright_shard` (
      migration VARCHAR(64) NOT NULL PRIMARY KEY,
      batch BIGINT NOT NULL,
      position LONGTEXT NOT NULL,
      applied_at DATETIME(6) NOT NULL
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin""",
    """CREATE TABLE IF NOT EXISTS `_shardwright_epoch` (
      migration VARCHAR(64) NOT NULL,
      role VARCHAR(16) NOT NULL,
      epoch BIGINT NOT NULL,
      owner VARCHAR(255) NOT NULL,
      taken_at DATETIME(6) NOT NULL,
      PRIMARY KEY (migration, role)
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin""",
    """CREATE TABLE IF NOT EXISTS `_shardwright_connection` (
      migration VARCHAR(64) NOT NULL,
      role VARCHAR(16) NOT NULL,
      epoch BIGINT NOT NULL,
      connection_id BIGINT NOT NULL,
      PRIMARY KEY (migration, role, epoch, connection_id)
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin""",
    """CREATE TABLE IF NOT EXISTS `_shardwright_step` (
      migration VARCHAR(64) NOT NULL,
      batch BIGINT NOT NULL,
      step VARCHAR(64) NOT NULL,
      summary LONGTEXT NOT NULL,
      applied_at DATETIME(6) NOT NULL,
      PRIMARY KEY (migration, batch, step)
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin""",
    """CREATE TABLE IF NOT EXISTS `_shardwright_chunk_done` (
      migration VARCHAR(64) NOT NULL,
      logical VARCHAR(64) NOT NULL,
      source_table VARCHAR(160) NOT NULL,
      chunk BIGINT NOT NULL,
      rows_read BIGINT NOT NULL,
      rows_inserted BIGINT NOT NULL,
      applied_at DATETIME(6) NOT NULL,
      PRIMARY KEY (migration, logical, source_table, chunk)
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin""",
    """CREATE TABLE IF NOT EXISTS `_shardwright_recent_keys` (
      migration VARCHAR(64) NOT NULL,
      batch BIGINT NOT NULL,
      logical VARCHAR(64) NOT NULL,
      piece INT NOT NULL,
      packed LONGBLOB NOT NULL,
      PRIMARY KEY (migration, batch, logical, piece)
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin""",
)

FIRST_SHARD = (
    CONTROL,
    """CREATE TABLE IF NOT EXISTS `_shardwright_recent` (
      migration VARCHAR(64) NOT NULL,
      batch BIGINT NOT NULL,
      from_position LONGTEXT NOT NULL,
      committed_at BIGINT NULL,
      changed LONGTEXT NOT NULL,
      PRIMARY KEY (migration, batch)
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin""",
    """CREATE TABLE IF NOT EXISTS `_shardwright_migration` (
      migration VARCHAR(64) NOT NULL PRIMARY KEY,
      fingerprint CHAR(16) NOT NULL,
      sources LONGTEXT NOT NULL,
      start LONGTEXT NOT NULL,
      position LONGTEXT NOT NULL,
      batch BIGINT NOT NULL,
      committed_at LONGTEXT NOT NULL,
      snapshot_end LONGTEXT NULL,
      snapshot_done_at BIGINT NULL,
      updated_at DATETIME(6) NOT NULL
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin""",
    """CREATE TABLE IF NOT EXISTS `_shardwright_member` (
      migration VARCHAR(64) NOT NULL,
      shard VARCHAR(64) NOT NULL,
      ledger CHAR(32) NOT NULL,
      batch BIGINT NOT NULL,
      chunks BIGINT NOT NULL,
      PRIMARY KEY (migration, shard)
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin""",
    """CREATE TABLE IF NOT EXISTS `_shardwright_open` (
      migration VARCHAR(64) NOT NULL PRIMARY KEY,
      batch BIGINT NOT NULL,
      fingerprint CHAR(16) NOT NULL,
      state VARCHAR(8) NOT NULL,
      from_position LONGTEXT NOT NULL,
      to_position LONGTEXT NOT NULL,
      committed_at LONGTEXT NOT NULL,
      shards LONGTEXT NOT NULL
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin""",
    """CREATE TABLE IF NOT EXISTS `_shardwright_weight` (
      migration VARCHAR(64) NOT NULL,
      weight INT NOT NULL,
      position LONGTEXT NOT NULL,
      PRIMARY KEY (migration, weight)
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin""",
    """CREATE TABLE IF NOT EXISTS `_shardwright_chunk` (
      migration VARCHAR(64) NOT NULL,
      logical VARCHAR(64) NOT NULL,
      source_table VARCHAR(160) NOT NULL,
      chunk BIGINT NOT NULL,
      low LONGTEXT NULL,
      high LONGTEXT NULL,
      state VARCHAR(8) NOT NULL,
      high_position LONGTEXT NULL,
      rows_read BIGINT NULL,
      PRIMARY KEY (migration, logical, source_table, chunk)
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin""",
    WAITING,
    """CREATE TABLE IF NOT EXISTS `_shardwright_audit` (
      id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
      migration VARCHAR(64) NOT NULL,
      at DATETIME(6) NOT NULL,
      what VARCHAR(64) NOT NULL,
      detail LONGTEXT NOT NULL
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin""",
)


_NUMBER = (
    "INSERT INTO `_shardwright_ledger` (only_row, format, ledger, made_at) SELECT 1, %s, %s, NOW(6) FROM DUAL "
    "WHERE NOT EXISTS (SELECT 1 FROM `_shardwright_ledger`)"
)


def create_ledger(connection: Connection[Any], *, first: bool) -> None:
    """Create what is missing in the connection's database. Raises Refused (SW8211) for a ledger of another format."""
    if not require_format(connection):
        execute(connection, EVERY_SHARD[0])
        execute(connection, _NUMBER, (FORMAT, secrets.token_hex(16)))
    for statement in EVERY_SHARD[1:] + (FIRST_SHARD if first else ()):
        execute(connection, statement)


def require_format(connection: Connection[Any]) -> bool:
    """Whether there is a ledger in the connection's database; reads only. Raises Refused (SW8211) for one of another format."""
    if not _stands(connection, "_shardwright_ledger"):
        found = 1 if _stands(connection, "_shardwright_epoch") else None
    else:
        rows = query(connection, "SELECT format FROM `_shardwright_ledger`")
        found = int(rows[0][0]) if rows else None
    if found not in (None, FORMAT):
        database = query(connection, "SELECT DATABASE()")[0][0]
        raise Refused(
            "SW8211",
            f"the ledger in {database} has format {found}, this version writes format {FORMAT}: finish the migration with "
            "the version that began it",
        )
    return found is not None


def _stands(connection: Connection[Any], table: str) -> bool:
    sql = "SELECT 1 FROM information_schema.tables WHERE table_schema = DATABASE() AND table_name = %s"
    return bool(query(connection, sql, (table,)))
