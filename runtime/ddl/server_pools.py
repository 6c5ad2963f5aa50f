"""How many shards does DDL work on at once? A fixed number on each server, wherever the shards are.

Runs in the driver: threads only, no server is used here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from types import TracebackType
from typing import Self, TypeVar

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
