"""The first shard's record of the stream: where it stands, and the batch that is open."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from pymysql.connections import Connection

from shardwright.runtime.binlog.position import LogPosition
from shardwright.runtime.failures import Refused
from shardwright.runtime.transactions import execute, query

BatchState = Literal["open", "staged"]

_INSERT_MIGRATION = (
    "INSERT INTO `_shardwright_migration` (migration, fingerprint, source_identity, start_file, start_offset, file, "
    "`offset`, batch, updated_at) VALUES (%s, %s, %s, %s, %s, %s, %s, 0, NOW(6))"
)
_READ_MIGRATION = (
    "SELECT fingerprint, source_identity, start_file, start_offset, file, `offset`, batch, committed_at, "
    "snapshot_file, snapshot_offset FROM `_shardwright_migration` WHERE migration = %s"
)
_INSERT_OPEN = (
    "INSERT INTO `_shardwright_open` (migration, batch, fingerprint, state, from_file, from_offset, to_file, to_offset, "
    "committed_at, shards) VALUES (%s, %s, %s, 'open', %s, %s, %s, %s, %s, '{}')"
)
_READ_OPEN = (
    "SELECT batch, fingerprint, state, from_file, from_offset, to_file, to_offset, committed_at, shards "
    "FROM `_shardwright_open` WHERE migration = %s"
)
_STAGED = "UPDATE `_shardwright_open` SET state = 'staged', shards = %s WHERE migration = %s AND batch = %s"
_CLOSE = "DELETE FROM `_shardwright_open` WHERE migration = %s"
_ADVANCE = (
    "UPDATE `_shardwright_migration` SET file = %s, `offset` = %s, batch = %s, committed_at = COALESCE(%s, committed_at), "
    "updated_at = NOW(6) WHERE migration = %s"
)
_SNAPSHOT_DONE = "UPDATE `_shardwright_migration` SET snapshot_file = %s, snapshot_offset = %s, updated_at = NOW(6) WHERE migration = %s"
_AUDIT = "INSERT INTO `_shardwright_audit` (migration, at, what, detail) VALUES (%s, NOW(6), %s, %s)"


@dataclass(frozen=True, slots=True)
class MigrationState:
    """`position` is where the longest applied prefix of the stream ends; `start` lies before the first chunk (C3).
    `snapshot_end` is a position after every chunk's read, once all chunks are done."""

    fingerprint: str
    source_identity: str
    start: LogPosition
    position: LogPosition
    batch: int
    committed_at: int | None
    snapshot_end: LogPosition | None


@dataclass(frozen=True, slots=True)
class OpenBatch:
    """A batch whose first write may have happened. `work` (once staged): shard -> what `staged work` it owes."""

    batch: int
    fingerprint: str
    state: BatchState
    start: LogPosition
    end: LogPosition
    committed_at: int | None
    work: Mapping[int, Any]


def create_migration(
    connection: Connection[Any], migration: str, *, fingerprint: str, identity: str, start: LogPosition
) -> None:
    values = (migration, fingerprint, identity, start.file, start.offset, start.file, start.offset)
    execute(connection, _INSERT_MIGRATION, values)


def read_migration(connection: Connection[Any], migration: str) -> MigrationState | None:
    rows = query(connection, _READ_MIGRATION, (migration,))
    if not rows:
        return None
    row = rows[0]
    end = LogPosition(row[8], int(row[9])) if row[8] is not None else None
    return MigrationState(
        fingerprint=row[0],
        source_identity=row[1],
        start=LogPosition(row[2], int(row[3])),
        position=LogPosition(row[4], int(row[5])),
        batch=int(row[6]),
        committed_at=row[7],
        snapshot_end=end,
    )


def open_batch(connection: Connection[Any], migration: str, batch: OpenBatch) -> None:
    """Record the range before anything of it is written anywhere (C1)."""
    values = (migration, batch.batch, batch.fingerprint, batch.start.file, batch.start.offset, batch.end.file,
              batch.end.offset, batch.committed_at)  # fmt: skip
    execute(connection, _INSERT_OPEN, values)


def read_open_batch(connection: Connection[Any], migration: str) -> OpenBatch | None:
    rows = query(connection, _READ_OPEN, (migration,))
    if not rows:
        return None
    batch, fingerprint, state, from_file, from_offset, to_file, to_offset, committed_at, shards = rows[0]
    work = {int(shard): value for shard, value in json.loads(shards).items()}
    start, end = LogPosition(from_file, int(from_offset)), LogPosition(to_file, int(to_offset))
    return OpenBatch(int(batch), fingerprint, state, start, end, committed_at, work)


def mark_staged(connection: Connection[Any], migration: str, batch: int, *, work: Mapping[int, Any]) -> None:
    """Every shard holds its decisions durably: from here on the batch is finished from the stages, never recomputed."""
    if execute(connection, _STAGED, (json.dumps(work, sort_keys=True), migration, batch)) != 1:
        raise Refused("SW8202", f"batch {batch} is not open any more: another run has changed the books")


def close_batch(
    connection: Connection[Any], migration: str, *, batch: int, end: LogPosition, committed_at: int | None
) -> None:
    """Advance the position and forget the open batch; call inside one transaction."""
    execute(connection, _ADVANCE, (end.file, end.offset, batch, committed_at, migration))
    execute(connection, _CLOSE, (migration,))


def discard_batch(connection: Connection[Any], migration: str) -> None:
    execute(connection, _CLOSE, (migration,))


def snapshot_done(connection: Connection[Any], migration: str, end: LogPosition) -> None:
    execute(connection, _SNAPSHOT_DONE, (end.file, end.offset, migration))


def audit(connection: Connection[Any], migration: str, what: str, *, detail: str) -> None:
    """An automatic decision leaves a line."""
    execute(connection, _AUDIT, (migration, what, detail))
