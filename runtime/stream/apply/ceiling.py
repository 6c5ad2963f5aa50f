"""Does a batch hold more deletes for a table than its spec allows? Then the run stops before any of the batch is
applied.

Runs in the driver; reads shards and source servers for the tables' sizes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from pymysql.connections import Connection

from shardwright.compiler.plan.plan import Plan, TablePlan
from shardwright.compiler.sql import sql_text as sql
from shardwright.runtime.failures import Refused
from shardwright.runtime.ledger.stage_summary import Summary
from shardwright.runtime.mysql.servers import Servers
from shardwright.runtime.mysql.transactions import query
from shardwright.runtime.sources.positions.stream_position import StreamPosition

CODE = "SW6003"
_ESTIMATE = "SELECT COALESCE(table_rows, 0) FROM information_schema.tables WHERE table_schema = %s AND table_name = %s"
_SURELY_LARGE = 200_000
"""The server's estimate may be off by half: smaller tables are counted."""


@dataclass(slots=True)
class DeleteCeilings:
    """Checks the delete ceilings of all tables."""

    plan: Plan
    servers: Servers
    allowed: set[str] = field(default_factory=set)
    """Holds CODE while the operator allows one batch or statement."""
    used: list[str] = field(default_factory=list)
    """The messages of the batches and statements that were allowed."""

    def check(self, work: Mapping[int, Summary], *, start: StreamPosition, end: StreamPosition) -> None:
        """`work` is what a staged batch has to do, by shard. Raises Refused (SW6003)."""
        found = [text for table in self.plan.tables if (text := self._why_exceeded(table, work)) is not None]
        if found:
            self._require_allowed(f"the stream from {start} to {end}: {'; '.join(found)}", "batch")

    def check_all(self, table: TablePlan, *, where: str) -> None:
        """A statement is to delete all rows of `table`. Raises Refused (SW6003)."""
        if table.deletes.stop_above is None:
            return
        rows = self._rows_on_shards(table)
        if table.deletes.exceeds(rows, rows):
            self._require_allowed(f"{where}: {_message(table, rows, '')}", "statement")

    def take_used(self) -> list[str]:
        """The messages of `used`, once."""
        taken, self.used = self.used, []
        return taken

    def _require_allowed(self, message: str, what: str) -> None:
        if CODE not in self.allowed:
            raise Refused(
                CODE,
                f"{message}. Nothing of it was applied. Find out what deleted the rows; if it was meant, allow this "
                f"{what} once: shardwright run --allow {CODE}",
            )
        self.allowed.discard(CODE)
        self.used.append(message)

    def _why_exceeded(self, table: TablePlan, work: Mapping[int, Summary]) -> str | None:
        deletes = deletes_of(table, work)
        if table.deletes.stop_above is None or not deletes:
            return None
        rows = self._rows(table) if table.deletes.asks_rows else 0
        if not table.deletes.exceeds(deletes, rows):
            return None
        return _message(table, deletes, f" of about {rows:,}" if table.deletes.asks_rows else "")

    def _rows(self, table: TablePlan) -> int:
        """How many rows the table has; while rows are still copied, the source holds more than the shards."""
        return max(self._rows_on_shards(table), self._rows_at_source(table))

    def _rows_on_shards(self, table: TablePlan) -> int:
        shards = table.placement.count_once(self.plan.shards(table))
        held = 0
        for shard in shards:
            connection = self.servers.connect_shard(shard)
            try:
                names = [table.logical + suffix for suffix in table.suffixes]
                held += sum(_count(connection, self.plan.databases[shard], name) for name in names)
            finally:
                connection.close()
        return held

    def _rows_at_source(self, table: TablePlan) -> int:
        rows = 0
        for names, connection in self.servers.each_source(table.sources):
            rows += sum(_count(connection, name.database, name.table) for name in names)
        return rows


def deletes_of(table: TablePlan, work: Mapping[int, Summary]) -> int:
    """Rows that leave the logical table; a broadcast row leaves every shard but is one."""
    counts = [sum(summary.get(table.logical, {}).get("delete", {}).values()) for summary in work.values()]
    return max(counts, default=0) if table.placement.has_copies else sum(counts)


def _message(table: TablePlan, deletes: int, of_rows: str) -> str:
    ceiling = table.deletes.stop_above
    return f"{deletes:,}{of_rows} rows of {table.logical} would be deleted, more than stop_above: {ceiling}"


def _count(connection: Connection[Any], database: str, name: str) -> int:
    rows = query(connection, _ESTIMATE, (database, name))
    estimate = int(rows[0][0]) if rows else 0
    if estimate > _SURELY_LARGE:
        return estimate
    place = sql.table(name, database=database).sql(dialect="mysql", identify=True)
    return int(query(connection, f"SELECT COUNT(*) FROM {place}")[0][0])
