"""Connections to shards that are kept between two questions: to make one takes several round trips.

Used in the driver, by several threads. A caller must not change the state of a connection's session.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

import pymysql
from pymysql.connections import Connection

from shardwright.runtime.mysql.all_shards import work_at_once
from shardwright.runtime.mysql.servers import Servers

_FRESH_SECONDS: Final = 5.0
"""A connection that was idle for longer is asked whether it still lives."""


class KeptConnections:
    """At most one idle connection for each shard."""

    def __init__(self, servers: Servers) -> None:
        self.servers = servers
        self._lock = threading.Lock()
        self._idle: dict[int, tuple[Connection[Any], float]] = {}

    @contextmanager
    def at(self, shard: int) -> Iterator[Connection[Any]]:
        """Lends one. It is closed where the code within fails."""
        connection = self._take(shard) or self.servers.connect_shard(shard)
        try:
            yield connection
        except BaseException:
            if connection.open:
                connection.close()
            raise
        with self._lock:
            surplus, _ = self._idle.get(shard, (None, 0.0))
            self._idle[shard] = connection, time.monotonic()
        if surplus is not None:
            surplus.close()

    def warm(self) -> None:
        """Makes one for each shard, so that nobody waits for it later."""

        def touch(shard: int) -> None:
            with self.at(shard):
                pass

        work_at_once(touch, range(len(self.servers.databases)))

    def close(self) -> None:
        """Those that are idle."""
        with self._lock:
            idle, self._idle = self._idle, {}
        for connection, _ in idle.values():
            if connection.open:
                connection.close()

    def _take(self, shard: int) -> Connection[Any] | None:
        with self._lock:
            connection, since = self._idle.pop(shard, (None, 0.0))
        if connection is None or not connection.open:
            return None
        if time.monotonic() - since > _FRESH_SECONDS:
            try:
                connection.ping(reconnect=False)
            except pymysql.err.Error:
                return None
        return connection
