"""How DDL reaches the shards: connections, how many shards at a time, and the check that no newer run has taken over.

Pure: what it holds is called in the driver, in threads.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from shardwright.runtime.ddl.server_pools import ServerOf, ServerPools
from shardwright.runtime.ddl.session import Connect, Fence


def _one_server(_database: str) -> str:
    return ""


@dataclass(frozen=True, slots=True)
class ShardAccess:
    """The shards as one command reaches them."""

    connect: Connect
    """Opens a connection to a shard, by database."""
    limit: int
    """How many shards of one server are worked on at once."""
    server_of: ServerOf = _one_server
    """The server of a database; the default counts all shards as those of one server."""
    fence: Fence | None = None
    """Checks the fencing token before each statement, and may raise; None: no check."""

    def pools(self, databases: Sequence[str]) -> ServerPools:
        return ServerPools(databases, server_of=self.server_of, limit=self.limit)
