"""How is something done on all shards? On several at a time: most of it is waiting for servers that are far away.

Used in the driver, in threads that end here.
"""

from __future__ import annotations

import contextvars
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from typing import Any, Final, TypeVar

from pymysql.connections import Connection

from shardwright.runtime.failures import Refused
from shardwright.runtime.mysql.servers import Servers

AT_ONCE: Final = 8
Result = TypeVar("Result")
Item = TypeVar("Item")


def work_on_shards(
    servers: Servers, work: Callable[[int, Connection[Any]], Result], shards: Sequence[int] | None = None
) -> list[Result]:
    """Calls `work` with the number of each shard, or of each of `shards`, and a connection of its own. Returns what it
    returned, in their order. All are finished before a failure is raised."""

    def on_one(shard: int) -> Result:
        with closing(servers.connect_shard(shard)) as connection:
            return work(shard, connection)

    return work_at_once(on_one, range(len(servers.databases)) if shards is None else shards)


def work_at_once(work: Callable[[Item], Result], items: Sequence[Item], *, most: int = AT_ONCE) -> list[Result]:
    """Calls `work` with each item, at most so many at a time. Returns what it returned, in their order. All are
    finished before a failure is raised: a refusal first, since it says most."""
    if len(items) < 2 or most < 2:
        return [work(item) for item in items]
    with ThreadPoolExecutor(max_workers=min(most, len(items)), thread_name_prefix="shards") as pool:
        futures = [pool.submit(contextvars.copy_context().run, work, item) for item in items]
    failures = [failure for future in futures if (failure := future.exception()) is not None]
    if failures:
        raise min(failures, key=lambda failure: 0 if isinstance(failure, Refused) else 1)
    return [future.result() for future in futures]
