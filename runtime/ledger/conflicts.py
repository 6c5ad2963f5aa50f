"""Which rows have both sides changed without knowledge of each other, and what was decided? With `two_way: {writers:
both}`, one row of the first shard for each conflict. A round that has some is recorded with them, before anything of it
is written: a run that repeats it has the same decisions.

Used in the driver, by the run of both directions and by `conflicts`; writes to the first shard.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, Self

from pymysql.connections import Connection

from shardwright.runtime.mysql.transactions import execute, execute_later, query, query_if_there
from shardwright.runtime.sources.positions.stream_position import StreamPosition
from shardwright.specs.direction import Direction, Side

ConflictState = Literal["decided", "held", "closed"]
"""`decided`: its round is at work. `held`: both rows stay as they are until an operator decides. `closed`: what counts
is on both sides."""
Image = tuple[str | None, ...] | None
"""A row's values in the order of the plan's columns, as canonical text; None: there is no row."""

TABLE: Final = """CREATE TABLE IF NOT EXISTS `_shardwright_conflict` (
      id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
      migration VARCHAR(64) NOT NULL,
      logical VARCHAR(64) NOT NULL,
      row_key LONGTEXT NOT NULL,
      kind VARCHAR(16) NOT NULL,
      decision VARCHAR(12) NOT NULL,
      state VARCHAR(8) NOT NULL,
      round BIGINT NOT NULL,
      version INT NOT NULL,
      images LONGTEXT NOT NULL,
      changes LONGTEXT NOT NULL,
      writes LONGTEXT NOT NULL,
      place VARCHAR(160) NULL,
      take VARCHAR(8) NULL,
      taken_by VARCHAR(200) NULL,
      first_seen DATETIME(6) NOT NULL,
      last_seen DATETIME(6) NOT NULL,
      KEY (migration, state),
      KEY (migration, round)
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin"""
"""`version` counts how often a conflict that is held got further changes."""
ROUND_TABLE: Final = """CREATE TABLE IF NOT EXISTS `_shardwright_round` (
      migration VARCHAR(64) NOT NULL PRIMARY KEY,
      round BIGINT NOT NULL,
      state VARCHAR(8) NOT NULL,
      forward_end LONGTEXT NOT NULL,
      backward_end LONGTEXT NOT NULL
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin"""
_COLUMNS: Final = (
    "id, logical, row_key, kind, decision, state, round, version, images, changes, writes, place, take, taken_by, "
    "first_seen, last_seen"
)
_READ: Final = f"SELECT {_COLUMNS} FROM `_shardwright_conflict` WHERE migration = %s"
_IN_STATE: Final = f"{_READ} AND state = %s ORDER BY id"
_LAST: Final = f"{_READ} ORDER BY id DESC LIMIT %s"
_ONE: Final = f"{_READ} AND id = %s"
_OF_ROUND: Final = f"{_READ} AND round = %s ORDER BY id"
_OPEN: Final = f"{_READ} AND state <> 'closed' AND logical = %s AND row_key = %s ORDER BY id DESC LIMIT 1"
_COUNT: Final = (
    "SELECT kind, decision, state, COUNT(*) FROM `_shardwright_conflict` WHERE migration = %s "
    "GROUP BY kind, decision, state ORDER BY kind, decision, state"
)
_INSERT: Final = (
    "INSERT INTO `_shardwright_conflict` (migration, logical, row_key, kind, decision, state, round, "
    "version, images, changes, writes, place, first_seen, last_seen) VALUES (%s, %s, %s, %s, %s, %s, %s, 1, "
    "%s, %s, %s, %s, NOW(6), NOW(6))"
)
_UPDATE: Final = (
    "UPDATE `_shardwright_conflict` SET decision = %s, state = 'decided', round = %s, version = version + 1, "
    "images = %s, changes = %s, writes = %s, place = COALESCE(%s, place), last_seen = NOW(6) WHERE id = %s"
)
_HOLD: Final = (
    "UPDATE `_shardwright_conflict` SET kind = %s, decision = 'hold', state = 'held', take = NULL, taken_by = NULL, "
    "version = version + 1, images = %s, changes = %s, writes = %s, place = COALESCE(%s, place), last_seen = NOW(6) "
    "WHERE id = %s"
)
_CLOSE: Final = (
    "UPDATE `_shardwright_conflict` SET state = IF(decision = 'hold', 'held', 'closed') "
    "WHERE migration = %s AND round = %s AND state = 'decided'"
)
_TAKE: Final = (
    "UPDATE `_shardwright_conflict` SET take = %s, taken_by = %s WHERE migration = %s AND id = %s AND state = 'held'"
)
_OPEN_ROUND: Final = (
    "REPLACE INTO `_shardwright_round` (migration, round, state, forward_end, backward_end) "
    "VALUES (%s, %s, 'open', %s, %s)"
)
_CLOSE_ROUND: Final = "UPDATE `_shardwright_round` SET state = 'closed' WHERE migration = %s AND round = %s"
_ROUND: Final = "SELECT round, state, forward_end, backward_end FROM `_shardwright_round` WHERE migration = %s"


@dataclass(frozen=True, slots=True)
class SideChanges:
    """What one side has of a conflict: how many changes, and the places of the first and the last in its log (epoch,
    file, offset, row)."""

    count: int
    first: tuple[int, ...] | None
    last: tuple[int, ...] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Conflict:
    """A row that both sides have changed without knowledge of each other. `id` is 0 until it is recorded."""

    logical: str
    """Its table."""
    key: tuple[str, ...]
    """Its values, as the decode step spells them."""
    kind: str
    """What each side has done, e.g. `update_delete`."""
    decision: str
    """`source`, `shards`, `merged` (each side's part counts), `application` (a later change knew of both), `hold`."""
    base: Image
    """What both sides knew."""
    at_source: Image
    """The source's row."""
    at_shards: Image
    """The shards' row."""
    result: Image
    """What counts; None where that is a delete, or where nothing is decided."""
    changes: Mapping[Side, SideChanges]
    """Of applications, by side."""
    writes: Mapping[Side, Image]
    """What the round writes where; a side that is absent has it already."""
    place: str | None = None
    """The shards' table that has the row ("database.table"), where that is known."""
    id: int = 0
    """Its number in the list."""
    state: ConflictState = "decided"
    """How far it is."""
    round: int = 0
    """The number of the round that decided it."""
    version: int = 1
    """How often a held row has been decided."""
    take: Side | None = None
    """Whose row an operator takes."""
    taken_by: str | None = None
    """Which operator."""
    first_seen: Any = None
    """When it was found, by the first shard's clock."""
    last_seen: Any = None
    """When a row of it was last read."""

    @classmethod
    def of_row(cls, row: Sequence[Any]) -> Self:
        id_, logical, key, kind, decision, state, number, version, images, changes, writes, place, *rest = row
        take, taken_by, first_seen, last_seen = rest
        found = {name: as_tuple(value) for name, value in json.loads(images).items()}
        return cls(
            logical=logical,
            key=tuple(json.loads(key)),
            kind=kind,
            decision=decision,
            base=found["base"],
            at_source=found["source"],
            at_shards=found["shards"],
            result=found["result"],
            changes={side: _side_changes(value) for side, value in json.loads(changes).items()},
            writes={side: as_tuple(value) for side, value in json.loads(writes).items()},
            place=place,
            id=int(id_),
            state=state,
            round=int(number),
            version=int(version),
            take=take,
            taken_by=taken_by,
            first_seen=first_seen,
            last_seen=last_seen,
        )

    def _first_values(self, migration: str, number: int) -> tuple[Any, ...]:
        """The first values of a new row, up to the round."""
        return migration, self.logical, json.dumps(self.key), self.kind, self.decision, self.state, number

    def _texts(self) -> tuple[str, str, str]:
        images = {"base": self.base, "source": self.at_source, "shards": self.at_shards, "result": self.result}
        changes = {side: [one.count, one.first, one.last] for side, one in self.changes.items()}
        return json.dumps(images), json.dumps(changes), json.dumps(self.writes)

    def __str__(self) -> str:
        return f"{self.logical} ({', '.join(self.key)})"


@dataclass(frozen=True, slots=True)
class Round:
    """A range of each side's log that were decided together, with conflicts."""

    number: int
    is_open: bool
    ends: Mapping[Direction, StreamPosition]


@dataclass(frozen=True, slots=True)
class ConflictCount:
    kind: str
    decision: str
    state: ConflictState
    rows: int


def read_round(connection: Connection[Any], migration: str) -> Round | None:
    """The last one that had conflicts."""
    for number, state, forward, backward in query_if_there(connection, _ROUND, (migration,)):
        ends = {Direction.FORWARD: forward, Direction.BACKWARD: backward}
        found = {direction: StreamPosition.from_text(text) for direction, text in ends.items()}
        return Round(int(number), state == "open", found)
    return None


def open_round(connection: Connection[Any], migration: str, round_: Round, conflicts: Collection[Conflict]) -> None:
    """In one transaction of the caller's: from here on the round is repeated as it is."""
    ends = (round_.ends[Direction.FORWARD].to_text(), round_.ends[Direction.BACKWARD].to_text())
    execute_later(connection, _OPEN_ROUND, (migration, round_.number, *ends), may_commit=True)
    for one in conflicts:
        texts = (*one._texts(), one.place)
        if one.id:
            update = (one.decision, round_.number, *texts, one.id)
            execute_later(connection, _UPDATE, update, may_commit=True)
        else:
            execute_later(connection, _INSERT, (*one._first_values(migration, round_.number), *texts), may_commit=True)


def hold_conflict(connection: Connection[Any], migration: str, one: Conflict) -> None:
    """Of a row that a server has refused: it waits for an operator, whatever was decided of it. Call in a
    transaction."""
    texts = (*one._texts(), one.place)
    if one.id:
        execute(connection, _HOLD, (one.kind, *texts, one.id))
    else:
        execute(connection, _INSERT, (*one._first_values(migration, one.round), *texts))


def read_open_conflict(
    connection: Connection[Any], migration: str, logical: str, key: Sequence[str]
) -> Conflict | None:
    """The row's conflict that is not closed."""
    row = (migration, logical, json.dumps(list(key)))
    return next(map(Conflict.of_row, query(connection, _OPEN, row)), None)


def close_round(connection: Connection[Any], migration: str, number: int) -> None:
    """Both sides have it. Call in a transaction."""
    for statement in (_CLOSE, _CLOSE_ROUND):
        execute_later(connection, statement, (migration, number), may_commit=True)


def conflicts_of_round(connection: Connection[Any], migration: str, number: int) -> tuple[Conflict, ...]:
    return tuple(map(Conflict.of_row, query(connection, _OF_ROUND, (migration, number))))


def read_held_conflicts(connection: Connection[Any], migration: str) -> tuple[Conflict, ...]:
    """Those that wait for an operator; none where no run has made the table yet."""
    return tuple(map(Conflict.of_row, query_if_there(connection, _IN_STATE, (migration, "held"))))


def last_conflicts(connection: Connection[Any], migration: str, most: int) -> tuple[Conflict, ...]:
    """The newest first."""
    return tuple(map(Conflict.of_row, query_if_there(connection, _LAST, (migration, most))))


def read_conflict(connection: Connection[Any], migration: str, number: int) -> Conflict | None:
    return next(map(Conflict.of_row, query_if_there(connection, _ONE, (migration, number))), None)


def count_conflicts(connection: Connection[Any], migration: str) -> tuple[ConflictCount, ...]:
    rows = query_if_there(connection, _COUNT, (migration,))
    return tuple(ConflictCount(str(kind), str(decision), state, int(count)) for kind, decision, state, count in rows)


def take_side(connection: Connection[Any], migration: str, number: int, side: Side, *, by: str) -> bool:
    """Whether the conflict was held. The run writes the side's row to the other one."""
    return execute(connection, _TAKE, (side, by, migration, number)) == 1


def as_tuple(value: Sequence[Any] | None) -> tuple[Any, ...] | None:
    """An image or a place, as JSON or Spark gives it."""
    return None if value is None else tuple(value)


def _side_changes(value: Sequence[Any]) -> SideChanges:
    count, first, last = value
    return SideChanges(int(count), as_tuple(first), as_tuple(last))


def all_conflicts(connection: Connection[Any], migration: str) -> Iterator[Conflict]:
    """The oldest first."""
    yield from map(Conflict.of_row, query_if_there(connection, f"{_READ} ORDER BY id", (migration,)))
