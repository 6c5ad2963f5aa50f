"""A connection of its own to one server, to ask how it is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from pymysql.connections import Connection

from shardwright.runtime.connections import Address, connect
from shardwright.runtime.transactions import execute, query


@dataclass
class Probe:
    """Kept from one question to the next; made anew after any failure. Not for several threads at once."""

    address: Address
    database: str | None = None
    _connection: Connection[Any] | None = field(init=False, default=None)

    def ask(self, sql: str, values: Sequence[object] = ()) -> Sequence[tuple[Any, ...]]:
        """Raises RuntimeFailure when the server cannot be reached, else the driver's error."""
        connection = self._open()
        try:
            return query(connection, sql, values or None)
        except BaseException:
            self.close()
            raise

    def write(self, sql: str) -> None:
        """One statement, committed at once. Raises as `ask`."""
        connection = self._open()
        try:
            execute(connection, sql)
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        if self._connection is not None and self._connection.open:
            self._connection.close()
        self._connection = None

    def _open(self) -> Connection[Any]:
        if self._connection is None:
            self._connection = connect(self.address, self.database)
        return self._connection
