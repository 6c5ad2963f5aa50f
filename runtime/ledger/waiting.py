"""Which tables are paused, because DDL keeps writers out of them: which command asked for it, and from which position
of the stream on their changes wait.

Used in the driver of `run`, in `ddl apply` and by `status`; writes to the first shard.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any, Final

from pymysql.connections import Connection

from shardwright.runtime.mysql.transactions import execute, query, query_if_there
from shardwright.runtime.sources.position import StreamPosition

TABLE: Final = """CREATE TABLE IF NOT EXISTS `_shardwright_waiting` (
      migration VARCHAR(64) NOT NULL,
      logical VARCHAR(64) NOT NULL,
      asked_by VARCHAR(255) NOT NULL,
      asked_at DATETIME(6) NOT NULL,
      asked TINYINT NOT NULL,
      waits_from LONGTEXT NULL,
      PRIMARY KEY (migration, logical)
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin"""
"""On the first shard."""

_READ = (
    "SELECT logical, asked_by, asked AND IS_USED_LOCK(%s) IS NOT NULL, waits_from FROM `_shardwright_waiting` "
    "WHERE migration = %s"
)
_ASK = (
    "INSERT INTO `_shardwright_waiting` (migration, logical, asked_by, asked_at, asked) VALUES (%s, %s, %s, NOW(6), 1) "
    "ON DUPLICATE KEY UPDATE asked_by = %s, asked_at = NOW(6), asked = 1"
)
_WAIT = "UPDATE `_shardwright_waiting` SET waits_from = %s WHERE migration = %s AND logical = %s"
_TAKE_BACK = "UPDATE `_shardwright_waiting` SET asked = 0 WHERE migration = %s"
_FORGET_UNHEARD = "DELETE FROM `_shardwright_waiting` WHERE migration = %s AND asked = 0 AND waits_from IS NULL"
_FORGET = "DELETE FROM `_shardwright_waiting` WHERE migration = %s AND logical = %s"


@dataclass(frozen=True, slots=True)
class WaitingTable:
    """`asked`: the command that asked still runs and wants it. `since`: the stream has applied no change of the table
    from this position on; None: no run has answered yet."""

    asked_by: str
    asked: bool
    since: StreamPosition | None


def read_waiting(connection: Connection[Any], migration: str) -> dict[str, WaitingTable]:
    """By logical table; empty where the ledger of an older version does not have the table."""
    rows = query_if_there(connection, _READ, (lock_name(connection, migration), migration))
    return {
        str(logical): WaitingTable(
            str(by), bool(asked), None if since is None else StreamPosition.from_text(str(since))
        )
        for logical, by, asked, since in rows
    }


def lock_name(connection: Connection[Any], migration: str) -> str:
    """The command that asks holds this lock while it wants tables to wait. Locks are per server, and their names are
    short."""
    database = str(query(connection, "SELECT DATABASE()")[0][0])
    digest = hashlib.sha256(f"{database}\0{migration}".encode()).hexdigest()[:40]
    return f"shardwright.wait.{digest}"


def ask(connection: Connection[Any], migration: str, logical: str, *, by: str) -> None:
    execute(connection, _ASK, (migration, logical, by, by))


def withdraw_requests(connection: Connection[Any], migration: str) -> None:
    """Nothing needs to wait any more."""
    execute(connection, _TAKE_BACK, (migration,))
    execute(connection, _FORGET_UNHEARD, (migration,))


def wait_from(connection: Connection[Any], migration: str, logical: str, position: StreamPosition) -> None:
    execute(connection, _WAIT, (position.to_text(), migration, logical))


def forget_waiting(connection: Connection[Any], migration: str, logicals: Collection[str]) -> None:
    for logical in sorted(logicals):
        execute(connection, _FORGET, (migration, logical))
