"""What do all checks of one preflight share, and how large are the source's tables by the server's own estimates?

Runs in the driver; reads servers.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any

from pymysql.connections import Connection

from shardwright.compiler.plan.plan import Plan, TablePlan
from shardwright.compiler.plan.table_parts import SourceName
from shardwright.runtime.mysql.check import Fault
from shardwright.runtime.mysql.servers import Servers
from shardwright.runtime.mysql.transactions import query
from shardwright.runtime.run.preflight.tolerance import Tolerance
from shardwright.specs.environment.environment import Environment

Shares = Mapping[str, tuple[float, ...]]
"""By logical table: the share of its bytes that each target database gets, in the order of databases. The sum is 1."""

_SIZE = (
    "SELECT COALESCE(table_rows, 0), COALESCE(data_length, 0) + COALESCE(index_length, 0) "
    "FROM information_schema.tables WHERE table_schema = %s AND table_name = %s"
)


@dataclass(frozen=True, slots=True)
class Size:
    """Estimates of the server: rows, and bytes of data and indexes together."""

    rows: int = 0
    bytes: int = 0

    def __add__(self, other: Size) -> Size:
        return Size(self.rows + other.rows, self.bytes + other.bytes)


@dataclass(frozen=True, slots=True)
class Demands:
    """What the run that is to start asks of the servers."""

    allowed: frozenset[str] = frozenset()
    """Codes that the operator allows on the targets."""
    parallel: int | None = None
    """How many chunks are under way at once; None: one for each processor."""
    protected: bool = False
    """Whether the environment is protected: rows may be removed only when that is allowed."""
    commit_latency: bool = False
    """Whether the source servers must report their commit latency."""
    connections: int | None = None
    """The cap on connections of tasks and of the stream to one server; None: there is none."""
    rows_per_second: int | None = None
    """The cap on rows that are copied; None: there is none."""
    drops_triggers: bool = False
    """Whether triggers of the source's tables are dropped before the run, where the spec says so."""
    shares: Shares = field(default_factory=dict)
    """Each target database's part of a table, from a forecast; empty: rows are taken to spread evenly."""

    @property
    def tasks(self) -> int:
        """How many chunks are under way at once."""
        return self.parallel or os.cpu_count() or 1

    def connections_to(self, *, shards: int) -> int:
        """How many connections tasks and the stream hold to one server that has so many shards (a source: none)."""
        return self.connections or 2 * self.tasks + 2 * shards


def demands_of(environment: Environment, *, allowed: Collection[str] = (), shares: Shares | None = None) -> Demands:
    return Demands(
        frozenset(allowed),
        environment.snapshot.parallel,
        protected=environment.protected,
        commit_latency=environment.throttle.source_commit_latency_seconds is not None,
        connections=environment.throttle.connections,
        rows_per_second=environment.throttle.rows_per_second,
        shares=shares or {},
    )


@dataclass
class Context:
    """The input of a preflight. Source servers are asked first, and their checks fill in `sizes` and `settings`."""

    plan: Plan
    """The compiled plan of the migration."""
    servers: Servers
    """The sources and the shards."""
    tolerated: Tolerance
    """How far the source's tables may differ from the plan; NONE while the migration has not begun."""
    demands: Demands
    """What the run asks for."""
    sizes: dict[str, Size] = field(default_factory=dict)
    """Estimated sizes in all source tables, by logical table."""
    settings: dict[str, str] = field(default_factory=dict)
    """Variables of the first source server, by name. The targets are compared with them."""

    lost_home: Fault | None = None
    """Why a migration that has not begun by the first shard's ledger has begun all the same."""

    @property
    def has_begun(self) -> bool:
        return self.tolerated is not Tolerance.NONE

    def share(self, table: TablePlan, shard: int) -> float:
        """The part of the table's bytes that one target database gets: as forecast, otherwise an even part."""
        even = (1 / len(self.plan.databases),) * len(self.plan.databases)
        return table.placement.share_of(shard, self.demands.shares.get(table.logical, even))


def measure(connection: Connection[Any], tables: Mapping[SourceName, str]) -> dict[str, Size]:
    """The estimated size of those source tables on this server, by logical table."""
    found = dict.fromkeys(tables.values(), Size())
    for name, logical in tables.items():
        for rows, size in query(connection, _SIZE, (name.database, name.table)):
            found[logical] += Size(int(rows), int(size))
    return found


def variables(connection: Connection[Any], *names: str) -> dict[str, str]:
    """Global variables by name in small letters. A variable that the server does not know is missing."""
    wanted = ", ".join(["%s"] * len(names))
    said = query(connection, f"SHOW GLOBAL VARIABLES WHERE Variable_name IN ({wanted})", names)
    return {str(name).lower(): str(value) for name, value in said}


def bytes_in_words(size: float) -> str:
    for unit in ("B", "KiB", "MiB", "GiB"):
        if size < 1024:
            return f"{size:.3g} {unit}" if unit != "B" else f"{size:.0f} B"
        size /= 1024
    return f"{size:.3g} TiB"
