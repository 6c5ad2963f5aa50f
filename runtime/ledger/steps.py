"""Which sub-steps of a batch a shard has applied.

Used in the driver (apply, recovery) and in Spark tasks (stage). Writes to the shard, in the sub-step's own transaction,
ledger row first.
"""

from __future__ import annotations

import json
from collections.abc import Collection
from datetime import datetime
from typing import Any, Final

import pymysql
from pymysql.connections import Connection

from shardwright.runtime.mysql.errors import DUP_ENTRY
from shardwright.runtime.mysql.transactions import execute, execute_later, query, query_if_there

TABLE: Final = """CREATE TABLE IF NOT EXISTS `_shardwright_step` (
      migration VARCHAR(64) NOT NULL,
      batch BIGINT NOT NULL,
      step VARCHAR(64) NOT NULL,
      summary LONGTEXT NOT NULL,
      applied_at DATETIME(6) NOT NULL,
      PRIMARY KEY (migration, batch, step)
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin"""
"""On every shard."""
_INSERT = (
    "INSERT INTO `_shardwright_step` (migration, batch, step, summary, applied_at) VALUES (%s, %s, %s, %s, NOW(6))"
)
_READ = "SELECT summary FROM `_shardwright_step` WHERE migration = %s AND batch = %s AND step = %s"
_DONE = "SELECT step FROM `_shardwright_step` WHERE migration = %s AND batch = %s"
_TIMES = (
    "SELECT batch, step, applied_at FROM `_shardwright_step` WHERE migration = %s AND batch IN %s ORDER BY applied_at"
)
_FORGET = "DELETE FROM `_shardwright_step` WHERE migration = %s AND batch = %s"
_RETAIN = "DELETE FROM `_shardwright_step` WHERE migration = %s AND batch < %s LIMIT 1000"

RETAINED_BATCHES = 200


class AlreadyRecorded(Exception):
    """The ledger has this sub-step: another attempt, perhaps an earlier one of this run, has committed it."""


def record_step(connection: Connection[Any], migration: str, batch: int, *, step: str, summary: object = None) -> None:
    """First statement of the sub-step's transaction: of two concurrent attempts the second fails here. It
    travels with the next statement, which raises AlreadyRecorded then."""

    def explain(error: pymysql.err.MySQLError) -> BaseException | None:
        is_there = error.args[:1] == (DUP_ENTRY,)
        return AlreadyRecorded(f"batch {batch}, {step}") if is_there else None

    values = (migration, batch, step, json.dumps(summary, sort_keys=True))
    execute_later(connection, _INSERT, values, explain=explain, may_commit=True)


def read_summary(connection: Connection[Any], migration: str, batch: int, *, step: str) -> Any:
    """The summary of a recorded step, or None when the step is not recorded."""
    rows = query(connection, _READ, (migration, batch, step))
    return json.loads(rows[0][0]) if rows else None


def read_steps(connection: Connection[Any], migration: str, batch: int) -> frozenset[str]:
    return frozenset(row[0] for row in query(connection, _DONE, (migration, batch)))


def read_step_times(
    connection: Connection[Any], migration: str, batches: Collection[int]
) -> tuple[tuple[int, str, datetime], ...]:
    """Batch, sub-step and time, by the shard's clock, of what the shard has applied of these batches."""
    rows = query_if_there(connection, _TIMES, (migration, tuple(batches))) if batches else ()
    return tuple((int(batch), str(step), at) for batch, step, at in rows)


def forget_steps(connection: Connection[Any], migration: str, batch: int) -> None:
    """Delete the sub-steps of a batch that is discarded before any of it took effect."""
    execute(connection, _FORGET, (migration, batch))


def retain_steps(connection: Connection[Any], migration: str, batch: int) -> None:
    """Keep the ledger bounded: the last batches are enough to explain what happened."""
    execute_later(connection, _RETAIN, (migration, batch - RETAINED_BATCHES), may_commit=True)
