"""Which decisions a run took by itself, and which orders operators gave: one line each, for people.

Used in the driver, by runs and by operators' commands. Writes to the first shard, in the transaction of the change that
the line describes.
"""

from __future__ import annotations

from typing import Any, Final

from pymysql.connections import Connection

from shardwright.runtime.mysql.transactions import execute

TABLE: Final = """CREATE TABLE IF NOT EXISTS `_shardwright_audit` (
      id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
      migration VARCHAR(64) NOT NULL,
      at DATETIME(6) NOT NULL,
      what VARCHAR(64) NOT NULL,
      detail LONGTEXT NOT NULL
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin"""
"""On the first shard."""

_ADD = "INSERT INTO `_shardwright_audit` (migration, at, what, detail) VALUES (%s, NOW(6), %s, %s)"


def audit(connection: Connection[Any], migration: str, what: str, *, detail: str) -> None:
    """`what` in a few words (64 characters at most); `detail` is for an operator who reads it a week later."""
    execute(connection, _ADD, (migration, what, detail))
