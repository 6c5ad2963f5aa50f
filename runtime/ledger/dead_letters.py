"""The dead letters (quarantined rows) of a migration: one row of the first shard for each quarantined key.

Used in the driver, by runs and by the commands `dead-letters` and `repair`; writes to the first shard.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final, Literal

from pymysql.connections import Connection

from shardwright.runtime.mysql.transactions import execute, query_if_there
from shardwright.runtime.sources.positions.part import KeptPlace

DeadLetterState = Literal["held", "retry", "answered"]
"""`held`: quarantined. `retry`: the run is to read the row again at the source. `answered`: it has done so."""
_LOOK_EVERY: Final = 0.1
Place = tuple[int, int]
"""Shard and part."""

TABLE: Final = """CREATE TABLE IF NOT EXISTS `_shardwright_dead` (
  migration VARCHAR(64) NOT NULL,
  logical VARCHAR(64) NOT NULL,
  source_table VARCHAR(160) NOT NULL,
  key_sha256 CHAR(64) NOT NULL,
  row_key LONGTEXT NOT NULL,
  state VARCHAR(8) NOT NULL,
  code CHAR(6) NOT NULL,
  reason LONGTEXT NOT NULL,
  batch BIGINT NOT NULL,
  events BIGINT NOT NULL,
  last_position LONGTEXT NULL,
  last_op CHAR(1) NULL,
  image LONGTEXT NULL,
  places LONGTEXT NOT NULL,
  until LONGTEXT NULL,
  first_seen DATETIME(6) NOT NULL,
  last_seen DATETIME(6) NOT NULL,
  PRIMARY KEY (migration, logical, source_table, key_sha256)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin"""
_HOLD = (
    "INSERT INTO `_shardwright_dead` (migration, logical, source_table, key_sha256, row_key, state, code, reason, "
    "batch, events, places, first_seen, last_seen) VALUES (%s, %s, %s, %s, %s, 'held', %s, %s, %s, 0, '[]', NOW(6), "
    "NOW(6)) ON DUPLICATE KEY UPDATE state = 'held', until = NULL, code = VALUES(code), reason = VALUES(reason), batch "
    "= VALUES(batch), last_seen = NOW(6)"
)
_REREAD = (
    "INSERT INTO `_shardwright_dead` (migration, logical, source_table, key_sha256, row_key, state, code, reason, "
    "batch, events, places, first_seen, last_seen) VALUES (%s, %s, %s, %s, %s, 'retry', %s, %s, 0, 0, %s, NOW(6), "
    "NOW(6)) ON DUPLICATE KEY UPDATE state = 'retry', until = NULL, code = VALUES(code), reason = VALUES(reason), "
    "batch = 0, places = VALUES(places), last_seen = NOW(6)"
)
_READ = (
    "SELECT logical, source_table, row_key, state, code, reason, batch, events, last_position, last_op, image, places, "
    "until, first_seen, last_seen, TIMESTAMPDIFF(SECOND, last_seen, NOW(6)) FROM `_shardwright_dead` "
    "WHERE migration = %s ORDER BY logical, first_seen, row_key"
)
_COUNTED = (
    "SELECT logical, state, code, COUNT(DISTINCT key_sha256) FROM `_shardwright_dead` WHERE migration = %s "
    "GROUP BY logical, state, code ORDER BY logical, state, code"
)
_ONE = " WHERE migration = %s AND logical = %s AND source_table = %s AND key_sha256 = %s"
_PLACES = "UPDATE `_shardwright_dead` SET places = %s" + _ONE
_EVENTS = (
    "UPDATE `_shardwright_dead` SET events = events + %s, last_position = %s, last_op = %s, image = %s, places = %s, "
    "last_seen = NOW(6)" + _ONE
)
_STATE = "UPDATE `_shardwright_dead` SET state = %s" + _ONE
_ANSWER = "UPDATE `_shardwright_dead` SET state = 'answered', until = %s" + _ONE
_FORGET = "DELETE FROM `_shardwright_dead`" + _ONE
_FORGET_TABLE = "DELETE FROM `_shardwright_dead` WHERE migration = %s AND logical = %s"


@dataclass(frozen=True, slots=True)
class QuarantinedKey:
    """`key` as the decode step spells it."""

    logical: str
    source_table: str
    key: tuple[str, ...]

    @property
    def row(self) -> tuple[str, tuple[str, ...]]:
        """What it is about on the shards: one row, whichever of several source tables it is from."""
        return self.logical, self.key

    def __str__(self) -> str:
        return f"{self.logical} ({', '.join(self.key)})"


@dataclass(frozen=True, slots=True)
class DeadLetter:
    """A quarantined key, with what was kept of its events."""

    held: QuarantinedKey
    """Which row of which source table it is about."""
    state: DeadLetterState
    """Whether it waits for a decision, is to be retried, or is resolved."""
    code: str
    """Of the finding that quarantined the row (SWnnnn)."""
    reason: str
    """Why the row was refused, or why it is to be read again."""
    batch: int
    """The batch that quarantined it; 0 for a row that no batch has refused."""
    events: int
    """How many later events of the key were kept out of the stream."""
    last_position: tuple[int, int, int, int] | None
    """Of the last event kept with it: epoch, file, offset, row. None before the first."""
    last_op: str | None
    """Operation of the last event kept with it; None before the first."""
    image: str | None
    """The row as that event has it, as text, with masked columns masked; None where there is none."""
    places: frozenset[Place]
    """All places (shard and part) that the images of its events named."""
    until: KeptPlace | None
    """Where the row was read again at the source; later events of the key belong to the stream. None until it is
    resolved."""
    first_seen: Any
    """When the key was enqueued first, by the first shard's clock."""
    last_seen: Any
    """When it was last enqueued, or last got an event, by the first shard's clock."""
    idle: float = 0.0
    """Seconds since `last_seen` when it was read."""


@dataclass(frozen=True, slots=True)
class NewEvents:
    """What one batch has of a quarantined key."""

    events: int
    """How many events are new."""
    last_position: tuple[int, int, int, int]
    """Of the last of them: epoch, file, offset, row."""
    last_op: str
    """Its operation."""
    image: str | None
    """The row as it has it, as text, with masked columns masked; None where there is none."""
    places: frozenset[Place]
    """All places that the images of the batch's events of this key name."""


def hold(
    connection: Connection[Any], migration: str, held: QuarantinedKey, *, code: str, reason: str, batch: int
) -> None:
    row_key = json.dumps(held.key)
    values = (migration, held.logical, held.source_table, _digest(held), row_key, code, reason, batch)
    execute(connection, _HOLD, values)


def order_reread(
    connection: Connection[Any],
    migration: str,
    held: QuarantinedKey,
    *,
    code: str,
    reason: str,
    places: frozenset[Place],
) -> None:
    """Enqueue a row that nothing has refused. The run reads it again at the source, and removes it from those of
    `places` where it does not belong."""
    row_key = json.dumps(held.key)
    values = (migration, held.logical, held.source_table, _digest(held), row_key, code, reason, _places_text(places))
    execute(connection, _REREAD, values)


def read_dead_letters(connection: Connection[Any], migration: str) -> tuple[DeadLetter, ...]:
    return tuple(_dead_letter(row) for row in query_if_there(connection, _READ, (migration,)))


def count_quarantined(connection: Connection[Any], migration: str, *, within: float = 0.0) -> int:
    """How many rows are quarantined or wait for their retry; none where no run has created the table yet. A run reads
    rows that wait for their retry again: they are waited for so many seconds."""
    until = time.monotonic() + within
    while True:
        dead_letters = read_dead_letters(connection, migration)
        if time.monotonic() >= until or all(item.state != "retry" for item in dead_letters):
            return count_rows(dead_letters)
        time.sleep(_LOOK_EVERY)


def count_rows(dead_letters: Iterable[DeadLetter]) -> int:
    """Of how many rows. A row that may come from several source tables has a dead letter for each of them."""
    return len({dead_letter.held.row for dead_letter in dead_letters if dead_letter.state != "answered"})


@dataclass(frozen=True, slots=True)
class DeadLetterCount:
    """How many rows of a logical table are dead letters in the same state, for the same reason."""

    logical: str
    state: DeadLetterState
    code: str
    """Of the finding (SWnnnn)."""
    rows: int


def count_dead_letters(connection: Connection[Any], migration: str) -> tuple[DeadLetterCount, ...]:
    """With one statement, which reads no image; those that are answered, too."""
    rows = query_if_there(connection, _COUNTED, (migration,))
    return tuple(DeadLetterCount(str(logical), state, str(code), int(count)) for logical, state, code, count in rows)


def add_places(connection: Connection[Any], migration: str, dead_letter: DeadLetter, places: frozenset[Place]) -> None:
    execute(connection, _PLACES, (_places_text(dead_letter.places | places), *_one(migration, dead_letter.held)))


def add_events(connection: Connection[Any], migration: str, dead_letter: DeadLetter, new: NewEvents) -> None:
    position, places = json.dumps(new.last_position), _places_text(dead_letter.places | new.places)
    values = (new.events, position, new.last_op, new.image, places)
    execute(connection, _EVENTS, (*values, *_one(migration, dead_letter.held)))


def set_state(connection: Connection[Any], migration: str, held: QuarantinedKey, state: DeadLetterState) -> None:
    execute(connection, _STATE, (state, *_one(migration, held)))


def answer_dead_letter(connection: Connection[Any], migration: str, held: QuarantinedKey, *, until: KeptPlace) -> None:
    execute(connection, _ANSWER, (json.dumps(until), *_one(migration, held)))


def forget_dead_letter(connection: Connection[Any], migration: str, held: QuarantinedKey) -> None:
    execute(connection, _FORGET, _one(migration, held))


def _one(migration: str, held: QuarantinedKey) -> tuple[str, str, str, str]:
    return migration, held.logical, held.source_table, _digest(held)


def _digest(held: QuarantinedKey) -> str:
    return hashlib.sha256(json.dumps(held.key).encode()).hexdigest()


def _places_text(places: frozenset[Place]) -> str:
    return json.dumps(sorted(places))


def _dead_letter(row: tuple[Any, ...]) -> DeadLetter:
    logical, source, key, state, code, reason, batch, events, position, op, image, places, until, first, last, idle = (
        row
    )
    return DeadLetter(
        held=QuarantinedKey(logical, source, tuple(json.loads(key))),
        state=state,
        code=code,
        reason=reason,
        batch=int(batch),
        events=int(events),
        last_position=_position(position),
        last_op=op,
        image=image,
        places=frozenset((int(shard), int(part)) for shard, part in json.loads(places)),
        until=_until(until),
        first_seen=first,
        last_seen=last,
        idle=float(idle),
    )


def _position(text: str | None) -> tuple[int, int, int, int] | None:
    if text is None:
        return None
    epoch, file, offset, row = json.loads(text)
    return epoch, file, offset, row


def _until(text: str | None) -> KeptPlace | None:
    if text is None:
        return None
    found = json.loads(text)
    if isinstance(found, dict):
        return {name: int(offset) for name, offset in found.items()}
    epoch, file, offset = found
    return epoch, file, offset


def forget_dead_letters(connection: Connection[Any], migration: str, logical: str) -> int:
    """Delete the dead letters of a table that is copied again. Returns how many there were."""
    return execute(connection, _FORGET_TABLE, (migration, logical))
