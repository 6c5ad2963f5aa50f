"""Which triggers of the source a cutover has dropped, with all that brings them back.

Used in the driver of `cutover`; writes to the ledger beside each source database. The ledgers of the shards are no
place for statements that the source is to execute: who writes to a shard would execute them there.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from pymysql.connections import Connection

from shardwright.runtime.mysql.transactions import execute, in_transaction, query_if_there

TABLE: Final = """CREATE TABLE IF NOT EXISTS `_shardwright_dropped_trigger` (
      migration VARCHAR(64) NOT NULL,
      name VARCHAR(64) NOT NULL,
      place INT NOT NULL,
      table_name VARCHAR(64) NOT NULL,
      definer VARCHAR(512) NOT NULL,
      statement LONGTEXT NOT NULL,
      sql_mode TEXT NOT NULL,
      character_set_client VARCHAR(64) NOT NULL,
      collation_connection VARCHAR(64) NOT NULL,
      PRIMARY KEY (migration, name)
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin"""
"""Beside each source database. `place`: their order."""
_COLUMNS: Final = "name, table_name, definer, statement, sql_mode, character_set_client, collation_connection"
_READ = f"SELECT {_COLUMNS} FROM `_shardwright_dropped_trigger` WHERE migration = %s ORDER BY place"
_FORGET = "DELETE FROM `_shardwright_dropped_trigger` WHERE migration = %s"
_ADD = (
    f"INSERT INTO `_shardwright_dropped_trigger` (migration, place, {_COLUMNS}) VALUES (%s, %s, %s, %s, %s, %s, %s, "
    "%s, %s)"
)

Recorded = tuple[str, ...]
"""Of one trigger: name, table, definer, statement, mode, character set and collation."""


def read_dropped(connection: Connection[Any], migration: str) -> list[Recorded]:
    """In their order; none where no cutover has made the table."""
    return [tuple(map(str, row)) for row in query_if_there(connection, _READ, (migration,))]


def write_dropped(connection: Connection[Any], migration: str, triggers: Sequence[Recorded]) -> None:
    """In place of what is recorded. Makes the table where it is missing."""
    execute(connection, TABLE)

    def write(connection: Connection[Any]) -> None:
        execute(connection, _FORGET, (migration,))
        for place, trigger in enumerate(triggers):
            execute(connection, _ADD, (migration, place, *trigger))

    in_transaction(connection, write)


def forget_dropped(connection: Connection[Any], migration: str) -> None:
    """The table is there."""
    execute(connection, _FORGET, (migration,))
