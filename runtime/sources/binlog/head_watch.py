"""Where a server's log ends, asked again and again over one connection: a stream at rest asks several times a second."""

from __future__ import annotations

from contextlib import ExitStack
from typing import Any

import pymysql
from pymysql.connections import Connection

from shardwright.runtime.failures import RuntimeFailure
from shardwright.runtime.sources.binlog.connection import LogConnection, connected, head_of
from shardwright.runtime.sources.binlog.identity import require_server
from shardwright.runtime.sources.binlog.position import LogPosition


class HeadWatch:
    """The connection is made when it is first needed."""

    def __init__(self, settings: LogConnection) -> None:
        self._settings = settings
        self._connection: Connection[Any] | None = None
        self._open = ExitStack()

    def head(self, server: str | None) -> LogPosition | None:
        """None when the connection that was kept is gone: another one is made the next time, and the caller asks otherwise.
        Raises what `connected` does, and StoppedPartWay when the server is another one than `server`."""
        if self._connection is None:
            connection = self._open.enter_context(connected(self._settings))
            require_server(connection, server, where=self._settings)
            self._connection = connection
        try:
            return head_of(self._connection, self._settings)
        except (pymysql.err.MySQLError, RuntimeFailure):
            self.close()
            return None

    def close(self) -> None:
        self._connection = None
        self._open.close()
