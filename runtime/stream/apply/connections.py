"""Which connections does the applier hold to the shards? One for each, for the whole run; where connections to a server
are capped, no more than that at a time, and none between two batches.

Used in the driver, by several threads; records each connection in its shard's ledger.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from pymysql.connections import Connection

from shardwright.runtime.ledger.fencing import Writer
from shardwright.runtime.mysql.servers import Servers


@dataclass
class _Room:
    """Of one server."""

    slots: threading.Semaphore
    """As many as there may be connections: one is held while a connection is used."""
    idle: dict[int, Connection[Any]] = field(default_factory=dict)
    """By shard, longest unused first."""
    count: int = 0
    """Connections that are used or idle."""


class ShardConnections:
    """Recorded connections, each kept for its shard as long as there is room."""

    def __init__(self, servers: Servers, writer: Writer) -> None:
        self._servers = servers
        self._writer = writer
        self._most = servers.stream_connections
        self._lock = threading.Lock()
        most = self._most or len(servers.shards)
        self._rooms = {str(shard): _Room(threading.Semaphore(most)) for shard in servers.shards}

    @contextmanager
    def to(self, shard: int) -> Iterator[Connection[Any]]:
        """Waits while all connections to the shard's server are used. One thread may use a shard at a time."""
        room = self._rooms[str(self._servers.shards[shard])]
        with room.slots:
            connection = self._take(room, shard)
            try:
                yield connection
            finally:
                with self._lock:
                    if connection.open:
                        room.idle[shard] = connection
                    else:
                        room.count -= 1

    def rest(self) -> None:
        """No connection is used now, and none will be for a while."""
        if self._most is not None:
            self.close(forgetting=True)

    def close(self, *, forgetting: bool = False) -> None:
        for room in self._rooms.values():
            for shard in [*room.idle]:
                self._leave(room, shard, forgetting=forgetting)

    def _take(self, room: _Room, shard: int) -> Connection[Any]:
        with self._lock:
            kept = room.idle.pop(shard, None)
            if kept is not None and kept.open:
                return kept
            if kept is not None:
                room.count -= 1
            if self._most is not None and room.count >= self._most:
                self._leave(room, next(iter(room.idle)), forgetting=True)
            room.count += 1
        try:
            connection = self._servers.connect_shard(shard)
            self._writer.record(connection)
        except BaseException:
            with self._lock:
                room.count -= 1
            raise
        return connection

    def _leave(self, room: _Room, shard: int, *, forgetting: bool) -> None:
        connection = room.idle.pop(shard)
        room.count -= 1
        if connection.open:
            if forgetting:
                self._writer.forget(connection)
            connection.close()
