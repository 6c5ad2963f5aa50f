"""How DDL reaches the shards: connections, how many shards at a time, and the check that no newer run has taken over.

Pure: what it holds is called in the driver, in threads.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from types import TracebackType
from typing import Self, TypeVar

from shardwright.runtime.ddl.session import Connect, Fence

Item = TypeVar("Item")
Result = TypeVar("Result")

ServerOf = Callable[[str], str]
"""The server of a database: a text that is different for each server."""


class ServerPools:
    """Works on `limit` shards of each server at once. On leaving the block, work that has not begun is dropped, and
    work that has begun is waited for."""

    def __init__(self, databases: Iterable[str], *, server_of: ServerOf, limit: int) -> None:
        self._server_of = {database: server_of(database) for database in databases}
        self._pools = {
            server: ThreadPoolExecutor(max_workers=max(1, limit), thread_name_prefix="ddl")
            for server in dict.fromkeys(self._server_of.values())
        }

    def on_each(
        self, work: Callable[[Item], Result], items: Sequence[Item], *, database_of: Callable[[Item], str]
    ) -> list[Result]:
        """The results in the order of the items, when all have ended. Raises what `work` raised first in that order."""
        futures = [self._pools[self._server_of[database_of(item)]].submit(work, item) for item in items]
        return [future.result() for future in futures]

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for pool in self._pools.values():
            pool.shutdown(wait=False, cancel_futures=True)
        for pool in self._pools.values():
            pool.shutdown(wait=True)


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
