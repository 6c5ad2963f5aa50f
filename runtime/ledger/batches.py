"""The first shard's record of the stream: its position, the open batch, and for each weight the position from which the
stream counts for its tables (contract C8 while the copy runs).

Used in the driver; writes to the first shard.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal

from pymysql.connections import Connection

from shardwright.runtime.failures import Refused
from shardwright.runtime.mysql.transactions import execute, execute_later, query
from shardwright.runtime.sources.positions.stream_position import StreamPosition
from shardwright.runtime.sources.source import Sources, has_reached

BatchState = Literal["open", "placing", "staged"]
"""`placing`: open, and new rows may take effect before the batch is staged everywhere, where that cannot matter (see
`placeable` in `stream/batch/affected`)."""

MIGRATION_TABLE: Final = """CREATE TABLE IF NOT EXISTS `_shardwright_migration` (
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
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin"""
"""On the first shard."""
OPEN_TABLE: Final = """CREATE TABLE IF NOT EXISTS `_shardwright_open` (
      migration VARCHAR(64) NOT NULL PRIMARY KEY,
      batch BIGINT NOT NULL,
      fingerprint CHAR(16) NOT NULL,
      state VARCHAR(8) NOT NULL,
      from_position LONGTEXT NOT NULL,
      to_position LONGTEXT NOT NULL,
      committed_at LONGTEXT NOT NULL,
      shards LONGTEXT NOT NULL
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin"""
"""On the first shard."""
WEIGHT_TABLE: Final = """CREATE TABLE IF NOT EXISTS `_shardwright_weight` (
      migration VARCHAR(64) NOT NULL,
      weight INT NOT NULL,
      position LONGTEXT NOT NULL,
      PRIMARY KEY (migration, weight)
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin"""
"""On the first shard."""
_INSERT_MIGRATION = (
    "INSERT INTO `_shardwright_migration` (migration, fingerprint, sources, start, position, batch, committed_at, "
    "updated_at) VALUES (%s, %s, %s, %s, %s, 0, '{}', NOW(6))"
)
_READ_MIGRATION = (
    "SELECT fingerprint, sources, start, position, batch, committed_at, snapshot_end, "
    "UNIX_TIMESTAMP() - snapshot_done_at FROM `_shardwright_migration` WHERE migration = %s"
)
_INSERT_OPEN = (
    "INSERT INTO `_shardwright_open` (migration, batch, fingerprint, state, from_position, to_position, committed_at, "
    "shards) VALUES (%s, %s, %s, %s, %s, %s, %s, '{}')"
)
_READ_OPEN = (
    "SELECT batch, fingerprint, state, from_position, to_position, committed_at, shards FROM `_shardwright_open` "
    "WHERE migration = %s"
)
_STAGED = "UPDATE `_shardwright_open` SET state = 'staged', shards = %s WHERE migration = %s AND batch = %s"
_HAND_OVER = "UPDATE `_shardwright_open` SET fingerprint = %s WHERE migration = %s AND batch = %s"
_CLOSE = "DELETE FROM `_shardwright_open` WHERE migration = %s"
_ADVANCE = (
    "UPDATE `_shardwright_migration` SET position = %s, batch = %s, committed_at = %s, updated_at = NOW(6) "
    "WHERE migration = %s"
)
_MOVE = (
    "UPDATE `_shardwright_migration` SET sources = %s, position = %s, snapshot_end = %s, updated_at = NOW(6) "
    "WHERE migration = %s"
)
_BEGIN_AGAIN = (
    "UPDATE `_shardwright_migration` SET fingerprint = %s, sources = %s, start = %s, position = %s, "
    "snapshot_end = %s, committed_at = '{}', updated_at = NOW(6) WHERE migration = %s"
)
_OWE = "UPDATE `_shardwright_migration` SET position = %s WHERE migration = %s"
_SNAPSHOT_DONE = (
    "UPDATE `_shardwright_migration` SET snapshot_end = %s, snapshot_done_at = UNIX_TIMESTAMP(), updated_at = NOW(6) "
    "WHERE migration = %s AND snapshot_end IS NULL"
)
_REOPENED = (
    "UPDATE `_shardwright_migration` SET snapshot_end = NULL, snapshot_done_at = NULL, updated_at = NOW(6) "
    "WHERE migration = %s"
)
_FOLLOWS = "UPDATE `_shardwright_migration` SET updated_at = NOW(6) WHERE migration = %s"
_HAS_FOLLOWED = (
    "SELECT m.updated_at > e.taken_at FROM `_shardwright_migration` AS m JOIN `_shardwright_epoch` AS e "
    "ON e.migration = m.migration AND e.role = 'data' WHERE m.migration = %s"
)
_WRITE_WEIGHT = "REPLACE INTO `_shardwright_weight` (migration, weight, position) VALUES (%s, %s, %s)"
_WEIGHTS = "SELECT weight, position FROM `_shardwright_weight` WHERE migration = %s"
_SETTLED = "UPDATE `_shardwright_migration` SET snapshot_end = %s WHERE migration = %s"


@dataclass(frozen=True, slots=True)
class MigrationState:
    """The row of a migration in `_shardwright_migration`."""

    fingerprint: str
    """Of the plan that the migration runs with."""
    sources: Mapping[str, str]
    """Source name -> the identity of its server or queue, which distinguishes it from others."""
    start: StreamPosition
    """A position before the first chunk (C3)."""
    position: StreamPosition
    """Where the longest applied prefix of the stream ends."""
    batch: int
    """The last closed batch; 0 before the first."""
    committed_at: Mapping[str, int]
    """Source name -> commit time of the newest applied event, in seconds since 1970."""
    snapshot_end: StreamPosition | None
    """The high watermark: a position after the read of every chunk. None until all chunks are done."""
    snapshot_age: int | None
    """Seconds since all chunks were done, by the first shard's clock at the time of this read; None until then."""

    def is_copying(self, sources: Sources) -> bool:
        """True until the stream has passed the high watermark, which may be marks of queues among `sources`."""
        return self.snapshot_end is None or not has_reached(sources, self.position, self.snapshot_end)


@dataclass(frozen=True, slots=True)
class OpenBatch:
    """A batch whose first write may have happened."""

    batch: int
    """Its number."""
    fingerprint: str
    """Of the plan that opened it."""
    state: BatchState
    """How far it is; `staged` means that every shard holds its decisions."""
    start: StreamPosition
    """Where its range begins in every source."""
    end: StreamPosition
    """Where its range ends in every source."""
    committed_at: Mapping[str, int]
    """Source name -> commit time of its newest event; becomes the migration's when the batch is closed."""
    work: Mapping[int, Any]
    """Shard -> the summary of the staged work that the shard must apply (`stage_rows.Summary`). Empty until the batch
    is staged."""


def create_migration(
    connection: Connection[Any],
    migration: str,
    *,
    fingerprint: str,
    sources: Mapping[str, str],
    start: StreamPosition,
) -> None:
    values = (migration, fingerprint, json.dumps(sources), start.to_text(), start.to_text())
    execute_later(connection, _INSERT_MIGRATION, values, may_commit=True)


def read_migration(connection: Connection[Any], migration: str) -> MigrationState | None:
    rows = query(connection, _READ_MIGRATION, (migration,))
    if not rows:
        return None
    fingerprint, sources, start, position, batch, committed_at, snapshot_end, age = rows[0]
    return MigrationState(
        fingerprint=fingerprint,
        sources=json.loads(sources),
        start=StreamPosition.from_text(start),
        position=StreamPosition.from_text(position),
        batch=int(batch),
        committed_at=json.loads(committed_at),
        snapshot_end=StreamPosition.from_text(snapshot_end) if snapshot_end is not None else None,
        snapshot_age=None if age is None else int(age),
    )


def open_batch(connection: Connection[Any], migration: str, batch: OpenBatch) -> None:
    """Record the range before anything of it is written anywhere (C1)."""
    values = (migration, batch.batch, batch.fingerprint, batch.state, batch.start.to_text(), batch.end.to_text(),
              json.dumps(batch.committed_at))  # fmt: skip
    execute_later(connection, _INSERT_OPEN, values, may_commit=True)


def read_open_batch(connection: Connection[Any], migration: str) -> OpenBatch | None:
    rows = query(connection, _READ_OPEN, (migration,))
    if not rows:
        return None
    batch, fingerprint, state, start, end, committed_at, shards = rows[0]
    return OpenBatch(
        batch=int(batch),
        fingerprint=fingerprint,
        state=state,
        start=StreamPosition.from_text(start),
        end=StreamPosition.from_text(end),
        committed_at=json.loads(committed_at),
        work={int(shard): value for shard, value in json.loads(shards).items()},
    )


def mark_staged(connection: Connection[Any], migration: str, batch: int, *, work: Mapping[int, Any]) -> None:
    """Every shard holds its decisions durably. From here on a run finishes the batch from the stages and never
    recomputes it."""

    def judge(rows: int) -> None:
        if rows != 1:
            raise Refused("SW8202", f"batch {batch} is not open any more: another run has changed the ledger")

    execute_later(connection, _STAGED, (json.dumps(work, sort_keys=True), migration, batch), judge=judge)


def hand_batch_over(connection: Connection[Any], migration: str, batch: int, *, fingerprint: str) -> None:
    """The staged batch is the plan's with that fingerprint from now on."""
    execute(connection, _HAND_OVER, (fingerprint, migration, batch))


def close_batch(connection: Connection[Any], migration: str, behind: MigrationState) -> None:
    """Advance to the position, batch and commit times of `behind`, and forget the open batch. Call inside one
    transaction."""
    values = (behind.position.to_text(), behind.batch, json.dumps(behind.committed_at), migration)
    execute_later(connection, _ADVANCE, values, may_commit=True)
    execute_later(connection, _CLOSE, (migration,), may_commit=True)


def begin_again(connection: Connection[Any], migration: str, behind: MigrationState) -> None:
    """The stream goes on at the position of `behind`, with its plan and sources, and what is before it never counts
    again."""
    position = behind.position.to_text()
    values = (behind.fingerprint, json.dumps(behind.sources), position, position, position, migration)
    execute_later(connection, _BEGIN_AGAIN, values, may_commit=True)


def discard_batch(connection: Connection[Any], migration: str) -> None:
    execute(connection, _CLOSE, (migration,))


def require_replay(connection: Connection[Any], migration: str, position: StreamPosition) -> None:
    """Record the position again, with the place that the next batch must reach."""
    execute(connection, _OWE, (position.to_text(), migration))


def move_sources(connection: Connection[Any], migration: str, moved: MigrationState) -> None:
    """Record the same places of the stream as positions in the logs of the servers that hold the sources now."""
    end = None if moved.snapshot_end is None else moved.snapshot_end.to_text()
    execute(connection, _MOVE, (json.dumps(moved.sources), moved.position.to_text(), end, migration))


def snapshot_done(connection: Connection[Any], migration: str, end: StreamPosition) -> None:
    """All chunks are done; `end` is behind all of their reads. Later runs copy nothing more."""
    execute_later(connection, _SNAPSHOT_DONE, (end.to_text(), migration), may_commit=True)


def snapshot_reopened(connection: Connection[Any], migration: str) -> None:
    """Chunks will be copied again, so the high watermark is not known."""
    execute(connection, _REOPENED, (migration,))


def settle_snapshot_end(connection: Connection[Any], migration: str, end: StreamPosition) -> None:
    """Record the same high watermark in its resolved form."""
    execute(connection, _SETTLED, (end.to_text(), migration))


def record_following(connection: Connection[Any], migration: str) -> None:
    """The run has looked at its sources, and they have nothing new."""
    execute(connection, _FOLLOWS, (migration,))


def has_followed(connection: Connection[Any], migration: str) -> bool:
    """Whether the run that holds the fencing token has finished a batch, or has found nothing to do."""
    return any(bool(since) for (since,) in query(connection, _HAS_FOLLOWED, (migration,)))


def record_begin(connection: Connection[Any], migration: str, weight: int, *, position: StreamPosition) -> None:
    """`position` is proved to be visible to every chunk of this weight."""
    execute_later(connection, _WRITE_WEIGHT, (migration, weight, position.to_text()), may_commit=True)


def read_begins(connection: Connection[Any], migration: str) -> dict[int, StreamPosition]:
    rows = query(connection, _WEIGHTS, (migration,))
    return {int(weight): StreamPosition.from_text(position) for weight, position in rows}
