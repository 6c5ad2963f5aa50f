"""When were both sides last found equal, as a whole? A cutover proves the rest from there: it compares again only what
later batches changed, and counts.

Used in the driver, by `verify` and by runs; writes to the first shard.

The record names the last closed batch when the comparison began, before it read anything. So a row that the comparison
found equal is equal still, or something has changed it since:

* a batch. The keys of all later batches are remembered until the cutover (`recent_keys`), so they are read again. That
  covers repairs, dead letters that are retried, rows of a parent that moved, and ranges that are read twice.
* an order or an event that changes rows, or leaves changes out, beside the batches: a table that is copied again, DDL,
  another server of the source (a replica may have drifted), a message that was skipped, a dead letter that was
  discarded. Each of them voids the record in the transaction that records it.
* another plan. It has another fingerprint. An open dead letter keeps its row's changes out, so there is no proof while
  there is one.
* somebody who writes to a shard directly. Only another whole comparison finds that, and the counts a part of it.

While a comparison works, it has a record already, so that runs remember the keys for it. They learn of it when they
close a batch: that locks the migration's row, which the comparison locks, too. So every batch is either behind the
record and counted in it, or before it.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from pymysql.connections import Connection

from shardwright.runtime.ledger.stage_summary import Summary, count_staged
from shardwright.runtime.mysql.transactions import (
    execute,
    execute_later,
    if_there,
    in_transaction,
    query,
    query_if_there,
)

TABLE: Final = """CREATE TABLE IF NOT EXISTS `_shardwright_verified` (
      migration VARCHAR(64) NOT NULL,
      comparison CHAR(16) NOT NULL,
      fingerprint CHAR(16) NOT NULL,
      first_batch BIGINT NOT NULL,
      last_batch BIGINT NOT NULL,
      changed_rows BIGINT NOT NULL,
      began_at DATETIME(6) NOT NULL,
      finished_at DATETIME(6) NULL,
      compared_rows BIGINT NULL,
      void TEXT NOT NULL,
      PRIMARY KEY (migration, comparison)
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin"""
"""On the first shard. `void` says why it proves nothing any more; empty while it does. A comparison that has not ended
has no `finished_at`."""
KEPT_SECONDS: Final = 24 * 3600
"""So long after a comparison began the keys of later batches are remembered for it, unless the environment says
`cutover.verified_within`."""
KEPT_ROWS: Final = 2_000_000
"""And so many changed rows, over all shards. They take 20 MB of the shards' disks when batches are large, and 2 GB when
each batch has a single row; a cutover holds them in memory: 0.5 GB where a key is one number."""
_BATCH = "SELECT batch FROM `_shardwright_migration` WHERE migration = %s FOR UPDATE"
_BEGIN = (
    "INSERT INTO `_shardwright_verified` (migration, comparison, fingerprint, first_batch, last_batch, changed_rows, "
    "began_at, void) VALUES (%s, %s, %s, %s, %s, 0, NOW(6), '')"
)
_FORGET_BROKEN_OFF = "DELETE FROM `_shardwright_verified` WHERE migration = %s AND finished_at IS NULL AND void <> ''"
_STILL = "SELECT void FROM `_shardwright_verified` WHERE migration = %s AND comparison = %s FOR UPDATE"
_FINISH = (
    "UPDATE `_shardwright_verified` SET finished_at = NOW(6), compared_rows = %s WHERE migration = %s "
    "AND comparison = %s"
)
_FORGET_EARLIER = (
    "DELETE FROM `_shardwright_verified` WHERE migration = %s AND comparison <> %s AND finished_at IS NOT NULL"
)
_GIVE_UP = "DELETE FROM `_shardwright_verified` WHERE migration = %s AND comparison = %s AND finished_at IS NULL"
_FORGET_THEM = "DELETE FROM `_shardwright_verified` WHERE migration = %s"
_CARRY = (
    "INSERT INTO `_shardwright_verified` (migration, comparison, fingerprint, first_batch, last_batch, changed_rows, "
    "began_at, finished_at, compared_rows, void) VALUES (%s, %s, %s, %s, %s, 0, NOW(6) - INTERVAL %s SECOND, NOW(6), "
    "%s, '')"
)
_VOID = "UPDATE `_shardwright_verified` SET void = %s WHERE migration = %s AND void = ''"
_VOID_ONE = "UPDATE `_shardwright_verified` SET void = %s WHERE migration = %s AND comparison = %s"
_COUNT = (
    "UPDATE `_shardwright_verified` SET void = IF(last_batch = %s - 1, '', 'batches were applied whose keys no run has "
    "remembered'), last_batch = %s, changed_rows = changed_rows + %s WHERE migration = %s AND void = ''"
)
_KEPT_FOR = (
    "SELECT comparison, first_batch, changed_rows, TIMESTAMPDIFF(SECOND, began_at, NOW(6)) "
    "FROM `_shardwright_verified` WHERE migration = %s AND void = ''"
)
_READ = (
    "SELECT fingerprint, first_batch, last_batch, changed_rows, began_at, finished_at, compared_rows, void, "
    "TIMESTAMPDIFF(SECOND, began_at, NOW(6)) FROM `_shardwright_verified` WHERE migration = %s "
    "AND finished_at IS NOT NULL ORDER BY began_at DESC LIMIT 1"
)


@dataclass(frozen=True, slots=True)
class Verification:
    """A whole comparison that found both sides equal."""

    fingerprint: str
    """Of its plan."""
    first_batch: int
    """The last closed batch when it began."""
    last_batch: int
    """The last closed batch by now."""
    changed_rows: int
    """What the batches between these two changed, a row counted for each shard and batch."""
    began_at: datetime
    """In UTC, by the first shard's clock."""
    finished_at: datetime
    """In UTC, by the first shard's clock."""
    compared_rows: int
    """How many rows it has compared."""
    void: str
    """Why it proves nothing any more; empty while it does."""
    age: int
    """Seconds since it began, when this was read."""


def begin_record(connection: Connection[Any], migration: str, *, fingerprint: str) -> str:
    """Call before the comparison reads anything. Returns the comparison's name."""
    comparison = secrets.token_hex(8)

    def begin(connection: Connection[Any]) -> None:
        [(batch,)] = query(connection, _BATCH, (migration,))
        execute(connection, _FORGET_BROKEN_OFF, (migration,))
        execute(connection, _BEGIN, (migration, comparison, fingerprint, int(batch), int(batch)))

    in_transaction(connection, begin)
    return comparison


def record_verified(connection: Connection[Any], migration: str, comparison: str, *, rows: int) -> str:
    """The comparison found `rows` rows equal. Returns why it proves nothing any more; empty where it does."""

    def record(connection: Connection[Any]) -> str:
        found = query(connection, _STILL, (migration, comparison))
        void = str(found[0][0]) if found else "the ledger does not know of it any more"
        if not void:
            execute(connection, _FINISH, (rows, migration, comparison))
            execute(connection, _FORGET_EARLIER, (migration, comparison))
        return void

    return in_transaction(connection, record)


@dataclass(frozen=True, slots=True)
class ProvedEqual:
    """What a cutover has proved at its cut, where one direction ends and the other one begins. Every column that comes
    back is compared in both directions, so the proof holds for both."""

    age: float
    """Seconds since the whole comparison began that the proof starts from."""
    rows: int
    """How many rows that compared."""


def carry_over(
    connection: Connection[Any], migration: str, proved: ProvedEqual, *, fingerprint: str, batch: int
) -> None:
    """The other direction begins behind its batch `batch` with what was proved. Call in the transaction in which it
    begins."""
    execute_later(connection, _FORGET_THEM, (migration,), may_commit=True)
    values = (migration, secrets.token_hex(8), fingerprint, batch, batch, int(proved.age), proved.rows)
    execute_later(connection, _CARRY, values, may_commit=True)


def give_up_record(connection: Connection[Any], migration: str, comparison: str) -> None:
    """The comparison has ended without proof: no keys are to be remembered for it."""
    execute(connection, _GIVE_UP, (migration, comparison))


def void_verified(connection: Connection[Any], migration: str, *, why: str) -> None:
    """What was compared so far proves nothing any more. Call in the transaction of what voids it. DDL may be routed
    before a run has made the ledger."""
    if_there(lambda: execute(connection, _VOID, (why, migration)))


def read_verified(connection: Connection[Any], migration: str) -> Verification | None:
    """The newest whole comparison that found both sides equal, void or not."""
    rows = query_if_there(connection, _READ, (migration,))
    if not rows:
        return None
    fingerprint, first, last, changed, began, finished, compared, void, age = rows[0]
    return Verification(
        fingerprint, int(first), int(last), int(changed), began, finished, int(compared), void, int(age)
    )


def count_batch(connection: Connection[Any], migration: str, batch: int, work: Mapping[int, Summary]) -> None:
    """Call in the transaction that closes the batch. `first_kept` says whether a comparison needs its keys."""
    rows = sum(count_staged(summary) for summary in work.values())
    execute_later(connection, _COUNT, (batch, batch, rows, migration), may_commit=True)


def first_kept(
    connection: Connection[Any], migration: str, *, seconds: float = KEPT_SECONDS, rows: int = KEPT_ROWS
) -> int | None:
    """The first batch whose keys have to be remembered; None where no comparison needs any. One that is too old, or
    that too many changes have followed, is voided before its keys are forgotten."""
    kept: list[int] = []
    for comparison, first, changed, age in query(connection, _KEPT_FOR, (migration,)):
        why = ""
        if int(age) > seconds:
            why = f"it began more than {seconds / 3600:g} hours ago, and keys are remembered for no longer"
        elif int(changed) > rows:
            why = f"more than {rows:,} changed rows followed, and no more keys are remembered"
        if why:
            execute(connection, _VOID_ONE, (why, migration, comparison))
        else:
            kept.append(int(first) + 1)
    return min(kept, default=None)
