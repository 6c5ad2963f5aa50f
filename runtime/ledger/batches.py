"""The first shard's record of the stream: where it is, the batch that is open, and from which position on the stream counts for the tables
of a weight (contract C8 while the copy runs). Used in the driver; writes to the first shard.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal

from pymysql.connections import Connection

from shardwright.runtime.failures import Refused
from shardwright.runtime.mysql.transactions import execute, query
from shardwright.runtime.sources.position import StreamPosition

BatchState = Literal["open", "placing", "staged"]
"""`placing`: open, and what is staged may take effect at once where it cannot matter (see `stream/stage/placeable`)."""

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
_CLOSE = "DELETE FROM `_shardwright_open` WHERE migration = %s"
_ADVANCE = (
    "UPDATE `_shardwright_migration` SET position = %s, batch = %s, committed_at = %s, updated_at = NOW(6) "
    "WHERE migration = %s"
)
_MOVE = (
    "UPDATE `_shardwright_migration` SET sources = %s, position = %s, snapshot_end = %s, updated_at = NOW(6) "
    "WHERE migration = %s"
)
_OWE = "UPDATE `_shardwright_migration` SET position = %s WHERE migration = %s"
_SNAPSHOT_DONE = (
    "UPDATE `_shardwright_migration` SET snapshot_end = %s, snapshot_done_at = UNIX_TIMESTAMP(), updated_at = NOW(6) "
    "WHERE migration = %s AND snapshot_end IS NULL"
)
_REOPENED = "UPDATE `_shardwright_migration` SET snapshot_end = NULL, snapshot_done_at = NULL, updated_at = NOW(6) WHERE migration = %s"
_ADD_WEIGHT = "INSERT INTO `_shardwright_weight` (migration, weight, position) VALUES (%s, %s, %s)"
_WEIGHTS = "SELECT weight, position FROM `_shardwright_weight` WHERE migration = %s"
_SETTLED = "UPDATE `_shardwright_migration` SET snapshot_end = %s WHERE migration = %s"


@dataclass(frozen=True, slots=True)
class MigrationState:
    """`position` is where the longest applied prefix of the stream ends; `start` lies before the first chunk (C3).
    `snapshot_end` is a position after every chunk's read, once all chunks are done, and `snapshot_age` the seconds since then
    by the first shard's clock when this was read. By source name: `sources` holds what
    tells the server from others, `committed_at` the newest applied event's commit time (seconds since 1970)."""

    fingerprint: str
    sources: Mapping[str, str]
    start: StreamPosition
    position: StreamPosition
    batch: int
    committed_at: Mapping[str, int]
    snapshot_end: StreamPosition | None
    snapshot_age: int | None

    @property
    def copying(self) -> bool:
        """Until the stream has passed the position after the last chunk's read."""
        return self.snapshot_end is None or not self.position.reached(self.snapshot_end)


@dataclass(frozen=True, slots=True)
class OpenBatch:
    """A batch whose first write may have happened. `work` (once staged): shard -> what `staged work` it owes.
    `committed_at` is by source name, as the migration's is once the batch is closed."""

    batch: int
    fingerprint: str
    state: BatchState
    start: StreamPosition
    end: StreamPosition
    committed_at: Mapping[str, int]
    work: Mapping[int, Any]


def create_migration(
    connection: Connection[Any],
    migration: str,
    *,
    fingerprint: str,
    sources: Mapping[str, str],
    start: StreamPosition,
) -> None:
    values = (migration, fingerprint, json.dumps(sources), start.to_text(), start.to_text())
    execute(connection, _INSERT_MIGRATION, values)


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
    execute(connection, _INSERT_OPEN, values)


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
    """Every shard holds its decisions durably: from here on the batch is finished from the stages, never recomputed."""
    if execute(connection, _STAGED, (json.dumps(work, sort_keys=True), migration, batch)) != 1:
        raise Refused("SW8202", f"batch {batch} is not open any more: another run has changed the books")


def close_batch(
    connection: Connection[Any], migration: str, *, batch: int, end: StreamPosition, committed_at: Mapping[str, int]
) -> None:
    """Advance the position and forget the open batch; call inside one transaction."""
    execute(connection, _ADVANCE, (end.to_text(), batch, json.dumps(committed_at), migration))
    execute(connection, _CLOSE, (migration,))


def discard_batch(connection: Connection[Any], migration: str) -> None:
    execute(connection, _CLOSE, (migration,))


def owe_whole(connection: Connection[Any], migration: str, position: StreamPosition) -> None:
    """The recorded position, with what the next batch has to reach."""
    execute(connection, _OWE, (position.to_text(), migration))


def move_sources(connection: Connection[Any], migration: str, moved: MigrationState) -> None:
    """The same places of the stream, in the logs of the servers that hold the sources now."""
    end = None if moved.snapshot_end is None else moved.snapshot_end.to_text()
    execute(connection, _MOVE, (json.dumps(moved.sources), moved.position.to_text(), end, migration))


def snapshot_done(connection: Connection[Any], migration: str, end: StreamPosition) -> None:
    """All chunks are done; `end` lies behind every read of theirs. Later runs copy nothing any more."""
    execute(connection, _SNAPSHOT_DONE, (end.to_text(), migration))


def snapshot_reopened(connection: Connection[Any], migration: str) -> None:
    """Chunks will be copied again: where their reads end is not known."""
    execute(connection, _REOPENED, (migration,))


def settle_snapshot_end(connection: Connection[Any], migration: str, end: StreamPosition) -> None:
    """The same place in other words."""
    execute(connection, _SETTLED, (end.to_text(), migration))


def record_begin(connection: Connection[Any], migration: str, weight: int, *, position: StreamPosition) -> None:
    """`position` is proved to be visible to every chunk of this weight."""
    execute(connection, _ADD_WEIGHT, (migration, weight, position.to_text()))


def recorded_begins(connection: Connection[Any], migration: str) -> dict[int, StreamPosition]:
    rows = query(connection, _WEIGHTS, (migration,))
    return {int(weight): StreamPosition.from_text(position) for weight, position in rows}
