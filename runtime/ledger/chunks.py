"""The first shard's record of chunks: which key ranges of a source table were planned, and which are copied (contract
C4).

Used in the driver; writes to the first shard, in the transactions of its callers.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from pymysql.connections import Connection

from shardwright.runtime.mysql.transactions import execute, execute_later, query, query_if_there
from shardwright.runtime.sources.positions.stream_position import StreamPosition

TABLE: Final = """CREATE TABLE IF NOT EXISTS `_shardwright_chunk` (
      migration VARCHAR(64) NOT NULL,
      logical VARCHAR(64) NOT NULL,
      source_table VARCHAR(160) NOT NULL,
      chunk BIGINT NOT NULL,
      low LONGTEXT NULL,
      high LONGTEXT NULL,
      state VARCHAR(8) NOT NULL,
      high_position LONGTEXT NULL,
      rows_read BIGINT NULL,
      PRIMARY KEY (migration, logical, source_table, chunk)
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin"""
"""On the first shard. `state`: planned, done, or recopy (it is to be planned again). A table without a key that is read
beside a begun stream has one chunk for each source table. Its `high_position` is the very position of the read."""

_INSERT = (
    "INSERT INTO `_shardwright_chunk` (migration, logical, source_table, chunk, low, high, state) "
    "VALUES (%s, %s, %s, %s, %s, %s, 'planned')"
)
_OF_SOURCE = (
    "SELECT chunk, low, high, state, rows_read FROM `_shardwright_chunk` "
    "WHERE migration = %s AND logical = %s AND source_table = %s ORDER BY chunk"
)
_WITH_POSITIONS = (
    "SELECT chunk, low, high, state, high_position, rows_read FROM `_shardwright_chunk` "
    "WHERE migration = %s AND logical = %s AND source_table = %s ORDER BY chunk"
)
_DONE = (
    "UPDATE `_shardwright_chunk` SET state = 'done', high_position = %s, rows_read = %s "
    "WHERE migration = %s AND logical = %s AND source_table = %s AND chunk = %s"
)
_HIGH = "SELECT high_position FROM `_shardwright_chunk` WHERE migration = %s AND high_position IS NOT NULL"
_ANY = "SELECT 1 FROM `_shardwright_chunk` WHERE migration = %s AND logical = %s LIMIT 1"
_ALL_DONE = (
    "SELECT source_table, chunk FROM `_shardwright_chunk` WHERE migration = %s AND logical = %s AND state = 'done'"
)
_ORDER_READ = (
    "INSERT INTO `_shardwright_chunk` (migration, logical, source_table, chunk, state) VALUES (%s, %s, %s, 0, %s) "
    "ON DUPLICATE KEY UPDATE chunk = chunk"
)
_ORDERED = (
    "SELECT DISTINCT logical FROM `_shardwright_chunk` WHERE migration = %s AND state = 'planned' AND logical IN %s"
)
_READ_AT = (
    "SELECT source_table, high_position FROM `_shardwright_chunk` "
    "WHERE migration = %s AND state = 'done' AND logical IN %s"
)
_MARK_RECOPY = (
    "UPDATE `_shardwright_chunk` SET state = 'recopy', high_position = NULL WHERE migration = %s AND logical = %s"
)
_TO_RECOPY = "SELECT DISTINCT logical FROM `_shardwright_chunk` WHERE migration = %s AND state = 'recopy'"
_FORGET = "DELETE FROM `_shardwright_chunk` WHERE migration = %s AND logical = %s"
_COUNTED = (
    "SELECT logical, COUNT(*), SUM(state = 'done'), COALESCE(SUM(IF(state = 'done', rows_read, 0)), 0), "
    "SUM(state = 'done' AND high IS NULL) FROM `_shardwright_chunk` WHERE migration = %s GROUP BY logical"
)

ChunkRow = tuple[int, str | None, str | None, str, int | None]
"""Number, low and high key as JSON (None: open), state, and the rows read once it is done."""


@dataclass(frozen=True, slots=True)
class ChunkCount:
    """The chunks of one logical table: all that are planned, those of them that are done, and the rows of these.
    `ends`: how many of these are the last one of their source table."""

    planned: int = 0
    done: int = 0
    rows: int = 0
    ends: int = 0


def count_chunks(connection: Connection[Any], migration: str) -> Mapping[str, ChunkCount]:
    """By logical table, with one statement. Tables without a planned chunk are left out."""
    return {
        str(logical): ChunkCount(int(planned), int(done), int(rows), int(ends))
        for logical, planned, done, rows, ends in query(connection, _COUNTED, (migration,))
    }


@dataclass(frozen=True, slots=True)
class ChunkRecord:
    """A chunk, as the first shard's ledger has it."""

    number: int
    """Its number among those of its source table."""
    low: str | None
    """The key above which it begins, as JSON; None: it begins with the first row."""
    high: str | None
    """Its last key, as JSON; None: it ends with the last row."""
    state: str
    """planned, done, or recopy."""
    high_position: StreamPosition | None
    """A position not before its read; None until it is done."""
    rows: int | None
    """How many rows it had when it was read."""


def plan_chunk(
    connection: Connection[Any], migration: str, chunk: tuple[str, str, int], *, low: str | None, high: str | None
) -> None:
    """`chunk`: logical table, source table, number; `low` and `high` are keys as JSON, None for an open end."""
    execute_later(connection, _INSERT, (migration, *chunk, low, high), may_commit=True)


def chunks_of(connection: Connection[Any], migration: str, logical: str, source: str) -> Sequence[ChunkRow]:
    """In the order of their numbers, which is that of their keys."""
    rows = query(connection, _OF_SOURCE, (migration, logical, source))
    return [(int(n), low, high, str(state), None if rows is None else int(rows)) for n, low, high, state, rows in rows]


def read_chunk_records(
    connection: Connection[Any], migration: str, logical: str, source: str
) -> tuple[ChunkRecord, ...]:
    """The same, with the positions of their reads. None where no run has created the table yet."""
    found = query_if_there(connection, _WITH_POSITIONS, (migration, logical, source))
    return tuple(
        ChunkRecord(
            int(number),
            low,
            high,
            str(state),
            None if position is None else StreamPosition.from_text(str(position)),
            None if rows is None else int(rows),
        )
        for number, low, high, state, position, rows in found
    )


def chunk_copied(
    connection: Connection[Any], migration: str, chunk: tuple[str, str, int], *, high: StreamPosition, rows: int
) -> None:
    """`chunk`: logical table, source table, number; `high` is a position not before its read."""
    execute_later(connection, _DONE, (high.to_text(), rows, migration, *chunk), may_commit=True)


def high_positions(connection: Connection[Any], migration: str) -> list[StreamPosition]:
    """The high watermark of each chunk that is done."""
    return [StreamPosition.from_text(str(text)) for (text,) in query(connection, _HIGH, (migration,))]


def has_chunks(connection: Connection[Any], migration: str, logical: str) -> bool:
    return bool(query(connection, _ANY, (migration, logical)))


def read_copied_chunks(connection: Connection[Any], migration: str, logical: str) -> set[tuple[str, int]]:
    """Source table and number."""
    return {(str(source), int(number)) for source, number in query(connection, _ALL_DONE, (migration, logical))}


def order_recopy(connection: Connection[Any], migration: str, logical: str, sources: Iterable[str]) -> None:
    """Mark its chunks: the copier forgets them and plans them again, once the shards have none of its rows. `sources`
    are its source tables. Those without a chunk get one with the mark."""
    execute(connection, _MARK_RECOPY, (migration, logical))
    for source in sources:
        execute(connection, _ORDER_READ, (migration, logical, source, "recopy"))


def order_read(connection: Connection[Any], migration: str, logical: str, sources: Iterable[str]) -> None:
    """These source tables of a table without a key are to be read, each whole."""
    for source in sources:
        execute(connection, _ORDER_READ, (migration, logical, source, "planned"))


def read_read_orders(connection: Connection[Any], migration: str, logicals: Collection[str]) -> frozenset[str]:
    """Those of `logicals`, tables without a key, that are to be read."""
    rows = query(connection, _ORDERED, (migration, tuple(logicals))) if logicals else ()
    return frozenset(str(logical) for (logical,) in rows)


def read_positions(
    connection: Connection[Any], migration: str, logicals: Collection[str]
) -> Mapping[str, StreamPosition]:
    """Of `logicals`, tables without a key: source table -> where it was read. Nothing of a table that was read where
    the migration began."""
    rows = query(connection, _READ_AT, (migration, tuple(logicals))) if logicals else ()
    return {str(source): StreamPosition.from_text(str(text)) for source, text in rows}


def read_recopy_orders(connection: Connection[Any], migration: str) -> frozenset[str]:
    return frozenset(str(logical) for (logical,) in query(connection, _TO_RECOPY, (migration,)))


def forget_chunks(connection: Connection[Any], migration: str, logical: str) -> None:
    execute(connection, _FORGET, (migration, logical))
