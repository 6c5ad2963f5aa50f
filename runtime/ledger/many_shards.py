"""How far are many shards, by their own ledgers? One statement asks all shards of a server.

Used by those who look at a migration, in a process of their own or beside a run; reads the shards.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import pymysql
from pymysql.connections import Connection

from shardwright.compiler.sql.sql_text import quote
from shardwright.runtime.mysql.errors import BAD_DB, NO_SUCH_TABLE, STATEMENT_DENIED
from shardwright.runtime.mysql.transactions import query
from shardwright.runtime.sources.positions.stream_position import StreamPosition

_AT_ONCE: Final = 64
"""Shards in one statement, which has to fit into the smallest packet that a server takes."""
_UNKNOWN: Final = STATEMENT_DENIED | {BAD_DB, NO_SUCH_TABLE}
_PROGRESS: Final = (
    "SELECT %s, batch, position, UNIX_TIMESTAMP(NOW(6)) - UNIX_TIMESTAMP(applied_at) FROM {}.`_shardwright_shard` "
    "WHERE migration = %s"
)
_COPIED: Final = (
    "SELECT %s, COUNT(*), COALESCE(SUM(rows_inserted), 0) FROM {}.`_shardwright_chunk_done` WHERE migration = %s"
)
_BY_TABLE: Final = (
    "SELECT %s, logical, COALESCE(SUM(rows_inserted), 0) FROM {}.`_shardwright_chunk_done` WHERE migration = %s "
    "GROUP BY logical"
)


@dataclass(frozen=True, slots=True)
class ShardProgress:
    """The stream on one shard."""

    batch: int
    """The last batch of which the shard has its whole share."""
    position: StreamPosition
    """Where that batch ended."""
    applied_seconds: float
    """Seconds since then, by the shard's clock."""


@dataclass(frozen=True, slots=True)
class CopiedTotals:
    """The copy on one shard: its chunks, and the rows that they brought."""

    chunks: int
    rows: int


def read_progress(connection: Connection[Any], migration: str, databases: Sequence[str]) -> Mapping[str, ShardProgress]:
    """By database of the ledger. Those without a ledger of the migration, or that may not be read, are left out."""
    return {
        str(database): ShardProgress(int(batch), StreamPosition.from_text(str(position)), max(0.0, float(seconds)))
        for database, batch, position, seconds in _ask_all(connection, _PROGRESS, migration, databases)
    }


def read_copied_totals(
    connection: Connection[Any], migration: str, databases: Sequence[str]
) -> Mapping[str, CopiedTotals]:
    """The same for the copy. Every record of a chunk is counted."""
    return {
        str(database): CopiedTotals(int(chunks), int(rows))
        for database, chunks, rows in _ask_all(connection, _COPIED, migration, databases)
    }


def read_copied_by_table(
    connection: Connection[Any], migration: str, databases: Sequence[str]
) -> Mapping[str, Mapping[str, int]]:
    """The rows that chunks brought, by database and logical table. Every record of a chunk is counted, and a row
    travels for each table of each shard."""
    found: dict[str, dict[str, int]] = {}
    for database, logical, rows in _ask_all(connection, _BY_TABLE, migration, databases):
        found.setdefault(str(database), {})[str(logical)] = int(rows)
    return found


def _ask_all(
    connection: Connection[Any], select: str, migration: str, databases: Sequence[str]
) -> Iterator[tuple[Any, ...]]:
    for first in range(0, len(databases), _AT_ONCE):
        some = databases[first : first + _AT_ONCE]
        try:
            yield from _ask(connection, select, migration, some)
        except pymysql.err.MySQLError as error:
            if not error.args or error.args[0] not in _UNKNOWN:
                raise
            for one in some if len(some) > 1 else ():
                yield from _ask_all(connection, select, migration, [one])


def _ask(
    connection: Connection[Any], select: str, migration: str, databases: Sequence[str]
) -> Sequence[tuple[Any, ...]]:
    sql = " UNION ALL ".join(select.format(quote(database)) for database in databases)
    return query(connection, sql, [value for database in databases for value in (database, migration)])
