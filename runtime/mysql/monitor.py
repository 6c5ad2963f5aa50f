"""A connection of its own to one server, to ask how it is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

import pymysql
from pymysql.connections import Connection

from shardwright.runtime.mysql.servers import Address, connect
from shardwright.runtime.mysql.transactions import execute, query
from shardwright.runtime.mysql.transient_errors import passes

Result = TypeVar("Result")


@dataclass
class Probe:
    """Kept from one question to the next; made anew after any failure. Not for several threads at once."""

    address: Address
    database: str | None = None
    _connection: Connection[Any] | None = field(init=False, default=None)

    def ask(self, sql: str, values: Sequence[object] = ()) -> Sequence[tuple[Any, ...]]:
        """Raises RuntimeFailure when the server cannot be reached, else the driver's error."""
        return self._on_connection(lambda connection: query(connection, sql, values or None))

    def write(self, sql: str) -> None:
        """One statement, committed at once; it may be carried out twice. Raises as `ask`."""
        self._on_connection(lambda connection: execute(connection, sql))

    def close(self) -> None:
        if self._connection is not None and self._connection.open:
            self._connection.close()
        self._connection = None

    def _on_connection(self, work: Callable[[Connection[Any]], Result]) -> Result:
        """A connection that broke while nobody used it says nothing of the server: it is tried once more with a new one."""
        kept = self._connection is not None
        if self._connection is None:
            self._connection = connect(self.address, self.database)
        try:
            return work(self._connection)
        except pymysql.err.MySQLError as error:
            self.close()
            if kept and passes(error):
                return self._on_connection(work)
            raise
        except BaseException:
            self.close()
            raise
