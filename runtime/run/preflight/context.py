"""What all checks of one preflight know, and what the source's tables hold by the server's own estimates."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from pymysql.connections import Connection

from shardwright.compiler.plan.plan import Plan, SourceName, TablePlan
from shardwright.runtime.mysql.servers import Servers
from shardwright.runtime.mysql.transactions import query
from shardwright.runtime.run.preflight.tolerance import Tolerance

Shares = Mapping[str, tuple[float, ...]]
"""By logical table the share of its bytes that each target database gets, by the database's number; the sum is 1."""

_SIZE = (
    "SELECT COALESCE(table_rows, 0), COALESCE(data_length, 0) + COALESCE(index_length, 0) "
    "FROM information_schema.tables WHERE table_schema = %s AND table_name = %s"
)


@dataclass(frozen=True, slots=True)
class Size:
    """Rows, and bytes of data and indexes together, as the server estimates them."""

    rows: int = 0
    bytes: int = 0

    def __add__(self, other: Size) -> Size:
        return Size(self.rows + other.rows, self.bytes + other.bytes)


@dataclass
class Context:
    """`tolerated` is NONE while the migration has not begun. `tasks` are the chunks that are under way at once; `protected`: the environment's rows are not
    removed unless that is allowed; `commit_latency`: sources are to tell theirs. `settings` are what the first
    source server has, by variable; targets are compared with them. Sizes by logical table and settings are filled in while sources
    are asked, which come first."""

    plan: Plan
    servers: Servers
    tolerated: Tolerance
    allowed: frozenset[str]
    tasks: int
    protected: bool = False
    commit_latency: bool = False
    shares: Shares = field(default_factory=dict)
    sizes: dict[str, Size] = field(default_factory=dict)
    settings: dict[str, str] = field(default_factory=dict)

    @property
    def has_begun(self) -> bool:
        return self.tolerated is not Tolerance.NONE

    def share(self, table: TablePlan, shard: int) -> float:
        """The part of the table's bytes that one target database gets: as forecast, else evenly."""
        if table.distribution == "broadcast":
            return 1.0
        if table.distribution == "single":
            return 1.0 if shard == table.database else 0.0
        even = (1 / len(self.plan.databases),) * len(self.plan.databases)
        return self.shares.get(table.logical, even)[shard]


def measure(connection: Connection[Any], tables: Mapping[SourceName, str]) -> dict[str, Size]:
    """By logical table what stands in those source tables of this server."""
    found = dict.fromkeys(tables.values(), Size())
    for name, logical in tables.items():
        for rows, size in query(connection, _SIZE, (name.database, name.table)):
            found[logical] += Size(int(rows), int(size))
    return found


def variables(connection: Connection[Any], *names: str) -> dict[str, str]:
    """Global variables by name in small letters; one that the server does not know is missing."""
    wanted = ", ".join(["%s"] * len(names))
    said = query(connection, f"SHOW GLOBAL VARIABLES WHERE Variable_name IN ({wanted})", names)
    return {str(name).lower(): str(value) for name, value in said}


def bytes_in_words(size: float) -> str:
    for unit in ("B", "KiB", "MiB", "GiB"):
        if size < 1024:
            return f"{size:.3g} {unit}" if unit != "B" else f"{size:.0f} B"
        size /= 1024
    return f"{size:.3g} TiB"
