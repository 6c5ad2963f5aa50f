"""Which session runs DDL of a migration on a shard, and does it keep writers out of a table now?

Used in the driver of `run`, and by `ddl apply`, `status` and `verify`; reads the shards' servers.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from typing import Final

from shardwright.runtime.mysql.endpoint import Endpoint
from shardwright.runtime.mysql.named_locks import lock_name
from shardwright.runtime.mysql.servers import Servers, connect
from shardwright.runtime.mysql.transactions import query_together

_HOLDER: Final = (
    "SELECT id, user, host, time, info FROM information_schema.processlist "
    "WHERE id = IS_USED_LOCK(%s) AND info IS NOT NULL"
)
_DDL: Final = re.compile(r"\s*(?:ALTER|CREATE|DROP|RENAME|TRUNCATE)\s[^`]*`((?:[^`]|``)+)`", re.IGNORECASE)
_LETS_WRITERS_IN: Final = re.compile(r"\bLOCK=NONE\b|\bALGORITHM=INSTANT\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class BlockingDdl:
    """A DDL statement that runs now, or waits for its table, and lets no other session write to the table. It is of
    `ddl apply`, or of a run that brings the source's DDL to the shards."""

    by: str
    """The session, as its server names it."""
    table: str
    """The physical table, with its database."""
    seconds: int
    """How long the statement has run."""

    def __str__(self) -> str:
        return f"DDL by {self.by} blocks writes to {self.table}"


def ddl_lock_name(database: str, migration: str) -> str:
    """The named lock of the migration's DDL on a shard."""
    return lock_name("ddl", database, migration)


def find_blocking_ddl(servers: Servers, migration: str) -> Iterator[BlockingDdl]:
    """By the list of sessions, which shows those of our own account, and all of them to one with PROCESS. Raises
    RuntimeFailure when a server cannot be reached, else the driver's error."""
    by_server: dict[Endpoint, list[str]] = defaultdict(list)
    for endpoint, database in zip(servers.shards, servers.targets, strict=True):
        by_server[endpoint].append(database)
    for endpoint, databases in by_server.items():
        with closing(connect(endpoint)) as connection:
            asked = [(_HOLDER, (ddl_lock_name(database, migration),)) for database in databases]
            for database, rows in zip(databases, query_together(connection, *asked), strict=True):
                for number, user, host, seconds, statement in rows:
                    table = table_without_writers(str(statement))
                    if table:
                        yield BlockingDdl(f"{user}@{host} (connection {number})", f"{database}.{table}", int(seconds))


def table_without_writers(statement: str) -> str:
    """The table that the statement keeps writers out of; empty where it lets them in, or is no DDL. All of our DDL says
    how it locks, and its table is the first name in it."""
    found = _DDL.match(statement)
    return "" if found is None or _LETS_WRITERS_IN.search(statement) else found[1].replace("``", "`")
