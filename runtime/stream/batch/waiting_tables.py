"""Which tables' changes wait while DDL keeps writers out of the tables? Such a table holds its own changes back, not
those of the others.

Runs in the driver, between two batches and at the start of a run; reads and writes the first shard's ledger.

`ddl apply` asks for it (`ddl/routing/apart`). From then on batches are made without the table's events. When it is
over, the stream goes back to where the table began to wait and takes everything from there up to its own position as
one batch, as it does after a change of servers (`sources/binlog/failover`). Merged, the events of the other tables come
out as what the shards have already.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from pymysql.connections import Connection

from shardwright.runtime.failpoints import failpoint
from shardwright.runtime.failures import StoppedPartWay
from shardwright.runtime.ledger.audit import audit
from shardwright.runtime.ledger.batches import MigrationState, read_migration, require_replay
from shardwright.runtime.ledger.context import RunContext
from shardwright.runtime.ledger.waiting import forget_waiting, read_waiting, wait_from, withdraw_requests
from shardwright.runtime.sources.binlog.obligation import must_replay
from shardwright.runtime.sources.binlog.position import LogPosition, Obligation
from shardwright.runtime.sources.position import PositionPart, StreamPosition
from shardwright.runtime.sources.source import Sources

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

OVER = "SW8214"
_LOOK_EVERY = 1.0


@dataclass
class PausedTables:
    """The tables whose changes wait. The caller holds the batches' lock."""

    context: RunContext
    since: dict[str, StreamPosition] = field(default_factory=dict)
    """Logical table -> the position from which on its changes wait."""
    over: bool = False
    """Whether some need not wait any more."""
    _looked: float = float("-inf")

    def __post_init__(self) -> None:
        found = read_waiting(self.context.control, self.context.migration)
        self.since = {logical: table.since for logical, table in found.items() if table.since is not None}

    @property
    def source_tables(self) -> frozenset[str]:
        """The source tables whose events are left out."""
        tables = (table for table in self.context.plan.tables if table.logical in self.since)
        return frozenset(str(source) for table in tables for source in table.sources)

    def without(self, changes: DataFrame) -> DataFrame:
        from pyspark.sql import functions as F

        return changes.where(~F.col("table").isin(sorted(self.source_tables)))

    def look(self, state: MigrationState, *, remembering: bool) -> None:
        """Called between two batches: checks which tables are to wait from here on, and which no longer. While deletes
        are remembered no table begins to wait."""
        if time.monotonic() - self._looked < _LOOK_EVERY:
            return
        self._looked = time.monotonic()
        found = read_waiting(self.context.control, self.context.migration)
        plain = _is_plain(state.position)
        self.over = plain and any(logical not in found or not found[logical].asked for logical in self.since)
        known = {table.logical for table in self.context.plan.tables}
        new = [logical for logical, table in found.items() if table.asked and table.since is None and logical in known]
        if not new or not plain or remembering:
            return

        def record(connection: Connection[Any]) -> None:
            for logical in new:
                wait_from(connection, self.context.migration, logical, state.position)
                audit(connection, self.context.migration, "table waits", detail=f"{logical}: from {state.position}")

        failpoint("before-table-waits")
        self.context.transaction(record)
        failpoint("after-table-waits")
        for logical in new:
            self.since[logical] = state.position
            self.context.log_line(
                f"{logical}: {found[logical].asked_by} blocks writes to its tables: its changes wait, those of other "
                "tables continue"
            )

    def require_waiting(self) -> None:
        """Raises StoppedPartWay (SW8214) when the run has to begin anew, because a table need not wait any more."""
        if self.over:
            raise StoppedPartWay(OVER, "tables that DDL had paused take their changes again")

    def before_ddl(self, state: MigrationState) -> None:
        """The stream is before a change of a followed table. What waits is applied first, by a run that begins anew:
        raises StoppedPartWay (SW8214). A range that is read again has no such change in it."""
        if not self.since:
            return
        migration = self.context.migration
        nothing_missed = all(_order(since) == _order(state.position) for since in self.since.values())

        def record(connection: Connection[Any]) -> None:
            if nothing_missed:
                forget_waiting(connection, migration, self.since)
            withdraw_requests(connection, migration)

        self.context.transaction(record)
        self.since = {}
        if not nothing_missed:
            raise StoppedPartWay(OVER, "before DDL in the stream, tables that DDL had paused take their changes")

    def oldest(self, position: StreamPosition) -> StreamPosition:
        """The position from which on the sources' logs must still exist."""
        return min(self.since.values(), key=_order, default=position) if self.since else position


def resume_paused_tables(context: RunContext, sources: Sources) -> str | None:
    """At the start of a run, when no batch is open: tables that need not wait any more get their changes. The recorded
    position goes back to where the first of them began to wait. Returns what was done, in words. While something else
    is owed, or a server is another one than it was, nothing is done yet: a later run does it."""
    control, migration = context.control, context.migration
    state = read_migration(control, migration)
    found = read_waiting(control, migration)
    ready = {logical: table.since for logical, table in found.items() if table.since is not None and not table.asked}
    if state is None or not ready or not _is_plain(state.position):
        return None
    if any(state.sources.get(source.name) != source.identity() for source in sources):
        return None
    first = min(ready.values(), key=_order)
    position = replay_from(first, until=state.position)
    names = ", ".join(sorted(ready))

    def record(connection: Connection[Any]) -> None:
        require_replay(connection, migration, position)
        forget_waiting(connection, migration, ready)
        audit(connection, migration, "table let in", detail=f"{names}: from {first}, one batch to {state.position}")

    failpoint("before-table-let-in")
    context.transaction(record)
    failpoint("after-table-let-in")
    return (
        f"{names}: changes have waited from {first} on: everything up to {state.position} is read again, as one batch"
    )


def replay_from(start: StreamPosition, *, until: StreamPosition) -> StreamPosition:
    """`start`, from where the next batch has to reach `until` in each log that has something between them."""
    parts: dict[str, PositionPart] = {}
    for name, part in start.parts.items():
        end = until.parts[name]
        if isinstance(part, LogPosition) and isinstance(end, LogPosition) and part < end:
            parts[name] = must_replay(part, until=end)
        else:
            parts[name] = end
    return until.advanced(StreamPosition(parts))


def _is_plain(position: StreamPosition) -> bool:
    """Whether nothing is owed that an earlier run has left, and all sources are logs."""
    return all(isinstance(part, LogPosition) and part.owed == Obligation() for part in position.parts.values())


def _order(position: StreamPosition) -> list[tuple[str, int, int, int]]:
    """All are positions of one stream, which only goes forward: any part that differs shows the order."""
    return [
        (name, part.epoch, part.file_number, part.offset)
        for name, part in sorted(position.parts.items())
        if isinstance(part, LogPosition)
    ]
