"""The ledger's tables. They live in the target databases, beside the rows they speak of, so that a row and its record
are one transaction."""

from __future__ import annotations

from typing import Any

from pymysql.connections import Connection

from shardwright.runtime.transactions import execute

EVERY_SHARD = (
    """CREATE TABLE IF NOT EXISTS `_shardwright_epoch` (
      role VARCHAR(16) NOT NULL PRIMARY KEY,
      epoch BIGINT NOT NULL,
      owner VARCHAR(255) NOT NULL,
      taken_at DATETIME(6) NOT NULL
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin""",
    """CREATE TABLE IF NOT EXISTS `_shardwright_connection` (
      role VARCHAR(16) NOT NULL,
      epoch BIGINT NOT NULL,
      connection_id BIGINT NOT NULL,
      PRIMARY KEY (role, epoch, connection_id)
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
)

FIRST_SHARD = (
    """CREATE TABLE IF NOT EXISTS `_shardwright_migration` (
      migration VARCHAR(64) NOT NULL PRIMARY KEY,
      fingerprint CHAR(16) NOT NULL,
      source_identity VARCHAR(255) NOT NULL,
      start_file VARCHAR(255) NOT NULL,
      start_offset BIGINT NOT NULL,
      file VARCHAR(255) NOT NULL,
      `offset` BIGINT NOT NULL,
      batch BIGINT NOT NULL,
      committed_at BIGINT NULL,
      snapshot_file VARCHAR(255) NULL,
      snapshot_offset BIGINT NULL,
      updated_at DATETIME(6) NOT NULL
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin""",
    """CREATE TABLE IF NOT EXISTS `_shardwright_open` (
      migration VARCHAR(64) NOT NULL PRIMARY KEY,
      batch BIGINT NOT NULL,
      fingerprint CHAR(16) NOT NULL,
      state VARCHAR(8) NOT NULL,
      from_file VARCHAR(255) NOT NULL,
      from_offset BIGINT NOT NULL,
      to_file VARCHAR(255) NOT NULL,
      to_offset BIGINT NOT NULL,
      committed_at BIGINT NULL,
      shards LONGTEXT NOT NULL
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin""",
    """CREATE TABLE IF NOT EXISTS `_shardwright_weight` (
      migration VARCHAR(64) NOT NULL,
      weight INT NOT NULL,
      file VARCHAR(255) NOT NULL,
      `offset` BIGINT NOT NULL,
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
      high_file VARCHAR(255) NULL,
      high_offset BIGINT NULL,
      rows_read BIGINT NULL,
      PRIMARY KEY (migration, logical, source_table, chunk)
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin""",
    """CREATE TABLE IF NOT EXISTS `_shardwright_audit` (
      id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
      migration VARCHAR(64) NOT NULL,
      at DATETIME(6) NOT NULL,
      what VARCHAR(64) NOT NULL,
      detail LONGTEXT NOT NULL
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin""",
)


def create_ledger(connection: Connection[Any], *, first: bool) -> None:
    """Create what is missing in the connection's database."""
    for statement in EVERY_SHARD + (FIRST_SHARD if first else ()):
        execute(connection, statement)
