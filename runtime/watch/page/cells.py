"""How many rows has each shard of each table? The heat map is made of that.

Runs in the process that serves the page; asks the shards, with one statement for all shards of a server. With 1,000
tables on 256 shards that is 256,000 numbers, so they are asked for seldom, and only while someone looks.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from typing import Final

from shardwright.runtime.ledger.many_shards import read_copied_by_table
from shardwright.runtime.mysql.endpoint import Endpoint
from shardwright.runtime.mysql.servers import connect
from shardwright.runtime.watch.ask import TROUBLE, AskingThreads
from shardwright.runtime.watch.migration import Migration

_AT_ONCE: Final = 4


@dataclass(frozen=True, slots=True)
class Cells:
    """Numbers by logical table and shard."""

    shards: tuple[str, ...]
    """The target databases, in the plan's order."""
    rows: Mapping[str, Sequence[int | None]]
    """Logical table -> what chunks brought to each of `shards`; None where that shard has not answered."""


def read_cells(migration: Migration) -> Cells:
    """Of the way there: rows are copied to shards. A server that is away makes its shards unknown."""
    way = migration.forward
    by_server: dict[Endpoint, list[str]] = defaultdict(list)
    for endpoint, database in zip(way.servers.shards, way.servers.databases, strict=True):
        by_server[endpoint].append(database)

    def ask(endpoint: Endpoint) -> Mapping[str, Mapping[str, int]]:
        with suppress(*TROUBLE), closing(connect(endpoint)) as connection:
            found = read_copied_by_table(connection, migration.name, by_server[endpoint])
            return {database: found.get(database, {}) for database in by_server[endpoint]}
        return {}

    found: dict[str, Mapping[str, int]] = {}
    threads = AskingThreads(_AT_ONCE)
    for answer in [threads.submit(ask, endpoint) for endpoint in by_server]:
        found.update(answer.result())
    answers = [found.get(database) for database in way.servers.databases]
    tables = [table.logical for table in way.plan.in_chunks]
    return Cells(
        way.servers.targets,
        {name: [None if shard is None else shard.get(name, 0) for shard in answers] for name in tables},
    )
