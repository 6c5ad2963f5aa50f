"""The two directions of a migration as a cutover sees them: the one in force, and the one that is to be.

Used in the driver; opens connections for its callers.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from pymysql.connections import Connection

from shardwright.compiler.plan.plan import Plan
from shardwright.runtime.mysql.kept_connections import KeptConnections
from shardwright.runtime.mysql.servers import Servers, connect
from shardwright.runtime.sources.binlog.source import LogStream, log_streams
from shardwright.runtime.sources.open import open_sources, source_log
from shardwright.runtime.sources.source import Sources
from shardwright.specs.direction import Side
from shardwright.specs.environment.environment import Environment


@dataclass(frozen=True)
class Way:
    """A direction: its plan, and the servers as it uses them. `servers.sources` is the side that applications write
    to, `servers.shards` has its ledgers."""

    plan: Plan
    servers: Servers
    environment: Environment

    @property
    def side(self) -> Side:
        """Where applications write while it is in force."""
        return self.plan.direction.read_side

    @cached_property
    def sources(self) -> Sources:
        """Where changes are read. On the way back this reads the columns of all tables of the shards: once, and before
        writers wait."""
        return open_sources(self.plan, self.servers, self.environment)

    @cached_property
    def logs(self) -> Sequence[LogStream]:
        """The logs of the servers that applications write to, also where changes are read from a queue."""
        logs = log_streams(self.sources)
        if len(logs) == len(self.sources):
            return logs
        return [source_log(name, self.plan, self.servers, self.environment) for name in self.servers.sources]

    @cached_property
    def ledgers(self) -> KeptConnections:
        """To its ledgers, for questions while writers wait."""
        return KeptConnections(self.servers)

    def control(self) -> Connection[Any]:
        """To its first ledger."""
        return self.servers.connect_shard(0)

    def connect_target(self, shard: int) -> Connection[Any]:
        """In the database of the target itself: on the way back a ledger beside it need not be there yet."""
        return connect(self.servers.shards[shard], self.plan.databases[shard])

    def tables(self) -> Mapping[str, Mapping[str, tuple[str, ...]]]:
        """The tables that applications write to: server's name in `servers.sources` -> database -> tables."""
        found: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
        for table in self.plan.tables:
            for source in table.sources:
                found[self.servers.source_databases[source.database]][source.database].append(source.table)
        return {
            server: {database: tuple(names) for database, names in databases.items()}
            for server, databases in found.items()
        }


@dataclass(frozen=True, slots=True)
class Ways:
    """Both directions of one migration."""

    forward: Way
    backward: Way

    @property
    def migration(self) -> str:
        return self.forward.plan.migration

    @property
    def environment(self) -> Environment:
        return self.forward.environment

    def other(self, way: Way) -> Way:
        """The one that begins where `way` ends."""
        return self.backward if way is self.forward else self.forward

    def way_of_writes(self, side: Side) -> Way:
        """The one that is in force while applications write to `side`."""
        return self.forward if side == "source" else self.backward

    def home(self) -> Connection[Any]:
        """To the first shard, whose ledger has the state of the cutover."""
        return self.forward.control()
