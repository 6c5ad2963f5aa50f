"""Which DDL statement each physical table of a shard has had. DDL commits by itself, so each entry is written twice:
`started` before the statement, `done` after it.

Used in the driver of `run` and of `ddl apply`; writes to the shard that the entry is about.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any, Final, Literal

from pymysql.connections import Connection

from shardwright.runtime.mysql.rows_database import rows_database
from shardwright.runtime.mysql.transactions import execute, query_if_there

CREATED = "CREATE TABLE"
"""Replaces the file's name in the entries of tables that we created."""

_OF_STREAM = "stream "

State = Literal["started", "done"]

TABLE: Final = """
CREATE TABLE IF NOT EXISTS _shardwright_ddl (
  migration VARCHAR(128) NOT NULL,
  file VARCHAR(200) NOT NULL,
  ordinal INT NOT NULL,
  physical_table VARCHAR(64) NOT NULL,
  statement_sha256 CHAR(64) NOT NULL,
  state VARCHAR(8) NOT NULL,
  started_at DATETIME(6) NOT NULL,
  finished_at DATETIME(6) NULL,
  PRIMARY KEY (migration, file, ordinal, physical_table)
) ENGINE=InnoDB DEFAULT CHARACTER SET=utf8mb4 COLLATE=utf8mb4_bin
"""
_READ = "SELECT file, ordinal, physical_table, statement_sha256, state FROM _shardwright_ddl WHERE migration = %s"
_OTHERS = "SELECT migration, physical_table FROM _shardwright_ddl WHERE migration <> %s AND file = %s"
_START = (
    "INSERT INTO _shardwright_ddl VALUES (%s, %s, %s, %s, %s, 'started', UTC_TIMESTAMP(6), NULL)"
    " ON DUPLICATE KEY UPDATE statement_sha256 = %s, state = 'started', finished_at = NULL"
)
_FINISH = (
    "UPDATE _shardwright_ddl SET state = 'done', finished_at = UTC_TIMESTAMP(6)"
    " WHERE migration = %s AND file = %s AND ordinal = %s AND physical_table = %s"
)
_FORGET = "DELETE FROM _shardwright_ddl WHERE migration = %s AND file = %s AND ordinal = %s AND physical_table = %s"
_FORGET_LOST = (
    "DELETE FROM _shardwright_ddl WHERE migration = %s AND physical_table = %s AND NOT EXISTS "
    "(SELECT 1 FROM information_schema.tables WHERE table_schema = %s AND table_name = %s)"
)


@dataclass(frozen=True, slots=True)
class Entry:
    """One change on one physical table. `ordinal` counts the statements of `file`."""

    migration: str
    file: str
    ordinal: int
    table: str
    sha256: str


@dataclass(frozen=True, slots=True)
class ChangeRecord:
    sha256: str
    state: State


Place = tuple[str, int, str]
"""File, ordinal, physical table."""


def of_stream(place: str) -> str:
    """Replaces the file's name in the entries of a statement that the stream met at `place`."""
    return _OF_STREAM + place


def is_of_stream(file: str) -> bool:
    return file.startswith(_OF_STREAM)


def sha256(statement: str) -> str:
    return hashlib.sha256(statement.encode("utf-8")).hexdigest()


def read_record(connection: Connection[Any], migration: str) -> dict[Place, ChangeRecord]:
    """All entries on this shard; none when no DDL was ever recorded on it."""
    rows = query_if_there(connection, _READ, (migration,))
    return {(file, ordinal, table): ChangeRecord(sha, state) for file, ordinal, table, sha, state in rows}


def tables_of_others(connection: Connection[Any], migration: str) -> list[tuple[str, str]]:
    """Migration and physical table of every table here that another migration has created or adopted."""
    return [(str(name), str(table)) for name, table in query_if_there(connection, _OTHERS, (migration, CREATED))]


def mark_started(connection: Connection[Any], entry: Entry) -> None:
    _write(connection, _START, (entry.migration, entry.file, entry.ordinal, entry.table, entry.sha256, entry.sha256))


def mark_done(connection: Connection[Any], entry: Entry) -> None:
    _write(connection, _FINISH, (entry.migration, entry.file, entry.ordinal, entry.table))


def forget(connection: Connection[Any], entry: Entry) -> None:
    """The server refused the statement: it certainly did not take effect."""
    _write(connection, _FORGET, (entry.migration, entry.file, entry.ordinal, entry.table))


def forget_lost(connection: Connection[Any], migration: str, tables: Collection[str]) -> None:
    """Forget what is recorded of those of the tables that do not exist (any more) on this shard."""
    for name in tables:
        execute(connection, _FORGET_LOST, (migration, name, rows_database(connection), name))
    connection.commit()


def _write(connection: Connection[Any], sql: str, arguments: tuple[object, ...]) -> None:
    with connection.cursor() as cursor:
        cursor.execute(sql, arguments)
    connection.commit()
