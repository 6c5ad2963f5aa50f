"""From which position on the stream counts for the tables of a weight (contract C8 while the copy runs).

The lightest weight's stream begins with the migration. A heavier one's begins when the lighter tables are copied: what
happened to its rows before is in its chunks, which are read later. So no parent arrives by the stream whose details
have not been copied yet.
"""

from __future__ import annotations

from typing import Any

from pymysql.connections import Connection

from shardwright.runtime.mysql.transactions import execute, query
from shardwright.runtime.sources.position import StreamPosition

_INSERT = "INSERT INTO `_shardwright_weight` (migration, weight, position) VALUES (%s, %s, %s)"
_READ = "SELECT weight, position FROM `_shardwright_weight` WHERE migration = %s"


def record_begin(connection: Connection[Any], migration: str, weight: int, *, position: StreamPosition) -> None:
    """`position` is proved to be visible to every chunk of this weight."""
    execute(connection, _INSERT, (migration, weight, position.to_text()))


def recorded_begins(connection: Connection[Any], migration: str) -> dict[int, StreamPosition]:
    rows = query(connection, _READ, (migration,))
    return {int(weight): StreamPosition.from_text(position) for weight, position in rows}
