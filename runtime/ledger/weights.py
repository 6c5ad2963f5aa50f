"""From which position on the stream counts for the tables of a weight (contract C8 while the copy runs).

The lightest weight's stream begins with the migration. A heavier one's begins when the lighter tables are copied: what
happened to its rows before is in its chunks, which are read later. So no parent arrives by the stream whose details
have not been copied yet.
"""

from __future__ import annotations

from typing import Any

from pymysql.connections import Connection

from shardwright.runtime.binlog.position import LogPosition
from shardwright.runtime.transactions import execute, query

_INSERT = "INSERT INTO `_shardwright_weight` (migration, weight, file, `offset`) VALUES (%s, %s, %s, %s)"
_READ = "SELECT weight, file, `offset` FROM `_shardwright_weight` WHERE migration = %s"


def record_begin(connection: Connection[Any], migration: str, weight: int, *, position: LogPosition) -> None:
    """`position` is proved to be visible to every chunk of this weight."""
    execute(connection, _INSERT, (migration, weight, position.file, position.offset))


def recorded_begins(connection: Connection[Any], migration: str) -> dict[int, LogPosition]:
    return {
        int(weight): LogPosition(file, int(offset)) for weight, file, offset in query(connection, _READ, (migration,))
    }
