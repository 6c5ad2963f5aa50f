"""How a server is while others use it: a connection of its own, for queries about its state.

Runs in the driver; reads one server, and writes what its caller asks for (the throttle's heartbeat row on a shard).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

import pymysql
from pymysql.connections import Connection

from shardwright.runtime.mysql.endpoint import Endpoint
from shardwright.runtime.mysql.servers import connect
from shardwright.runtime.mysql.transactions import execute, query
from shardwright.runtime.mysql.transient_errors import passes

Result = TypeVar("Result")


@dataclass
class Probe:
    """A connection that is kept from one query to the next, and made again after any failure. Only one thread may use
    it at a time."""

    endpoint: Endpoint
    database: str | None = None
    _connection: Connection[Any] | None = field(init=False, default=None)

    def ask(self, sql: str, values: Sequence[object] = ()) -> Sequence[tuple[Any, ...]]:
        """Raises RuntimeFailure when the server cannot be reached, else the driver's error."""
        return self._on_connection(lambda connection: query(connection, sql, values or None))

    def write(self, sql: str) -> None:
        """One statement, committed at once; the server may execute it twice. Raises as `ask`."""
        self._on_connection(lambda connection: execute(connection, sql))

    def close(self) -> None:
        if self._connection is not None and self._connection.open:
            self._connection.close()
        self._connection = None

    def _on_connection(self, work: Callable[[Connection[Any]], Result]) -> Result:
        """Runs `work`. A connection that broke while it was idle says nothing about the server, so `work` is tried once
        more with a new one."""
        kept = self._connection is not None
        if self._connection is None:
            self._connection = connect(self.endpoint, self.database)
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
