"""Rows copied so far, against the source server's own estimate."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from shardwright.compiler.plan import Plan
from shardwright.runtime.connections import Servers
from shardwright.runtime.progress import CopyProgress, Reporter
from shardwright.runtime.snapshot.chunks import known_chunks
from shardwright.runtime.transactions import query

if TYPE_CHECKING:
    from shardwright.runtime.snapshot.copy import ChunkReport

_ESTIMATE = "SELECT COALESCE(table_rows, 0) FROM information_schema.tables WHERE table_schema = %s AND table_name = %s"


@dataclass
class CopyCounter:
    """Tells every finished chunk. `rows` counts this run's, the reports also what earlier runs copied."""

    plan: Plan
    servers: Servers
    reporter: Reporter
    rows: int = 0
    _by_table: dict[str, int] = field(init=False)

    def __post_init__(self) -> None:
        self._by_table = _copied_before(self.plan, self.servers)

    @cached_property
    def expected(self) -> dict[str, int]:
        return expected_rows(self.plan, self.servers)

    def count(self, report: ChunkReport) -> None:
        logical, rows = report.chunk.logical, report.rows
        self.rows += rows
        self._by_table[logical] += rows
        total = self._by_table[logical]
        chunk = f"{report.chunk.source.table}/{report.chunk.number}"
        self.reporter.tell(CopyProgress(logical, rows, total, max(self.expected[logical], total), chunk))


def expected_rows(plan: Plan, servers: Servers) -> dict[str, int]:
    """The source server's own estimate of rows per logical table."""
    logical = {name: table.logical for table in plan.tables for name in table.sources}
    found = dict.fromkeys(logical.values(), 0)
    for names, connection in servers.each_source(tuple(logical)):
        for name in names:
            rows = query(connection, _ESTIMATE, (name.database, name.table))
            found[logical[name]] += int(rows[0][0]) if rows else 0
    return found


def _copied_before(plan: Plan, servers: Servers) -> dict[str, int]:
    control = servers.connect_shard(0)
    try:
        return {
            table.logical: sum(
                item.rows for source in table.sources for item in known_chunks(control, plan.migration, table, source)
            )
            for table in plan.tables
        }
    finally:
        control.close()
