"""How many rows and bytes are copied, how fast, and how many does the source server estimate in all?

Runs in the driver; reads the first shard's ledger and the source servers once.
"""

from __future__ import annotations

import time
from collections import deque
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from shardwright.compiler.plan.plan import Plan, TablePlan
from shardwright.compiler.plan.table_parts import SourceName
from shardwright.runtime.events.copy import ChunkCopied, OnShard, TableProgress
from shardwright.runtime.events.event import Emit
from shardwright.runtime.events.time_left import TimeLeft
from shardwright.runtime.ledger.chunks_done import RECENT_CHUNKS, Finish
from shardwright.runtime.mysql.estimates import Estimate, estimate_sizes
from shardwright.runtime.mysql.servers import Servers
from shardwright.runtime.run.progress.copy_rate import recent_rate, time_left
from shardwright.runtime.snapshot.chunks import Chunk, read_known_chunks

if TYPE_CHECKING:
    from shardwright.runtime.snapshot.copy_chunk import ChunkReport


@dataclass
class _Part:
    """Chunks of one source table: `done`, out of `of`. `of` is None until the last chunk is known."""

    done: int = 0
    of: int | None = None

    def count(self, chunk: Chunk) -> None:
        self.done += 1
        if chunk.high is None:
            self.of = chunk.number + 1


@dataclass
class _Table:
    """What is copied of one logical table."""

    rows: int = 0
    """Rows copied, those of earlier runs included."""
    chunks: int = 0
    """Chunks done, those of earlier runs included."""
    loaded: int = 0
    """Bytes that this run sent to the shards."""
    shards: dict[str, OnShard] = field(default_factory=dict)
    """What this run copied, by target database."""
    recent: deque[Finish] = field(default_factory=lambda: deque(maxlen=RECENT_CHUNKS))
    """The last finished chunks of this run: when, and how many rows."""
    parts: dict[SourceName, _Part] = field(default_factory=dict)
    """The chunks by source table."""

    @property
    def complete(self) -> bool:
        return all(part.done == part.of for part in self.parts.values())


@dataclass
class CopyCounter:
    """Reports every finished chunk."""

    plan: Plan
    """The compiled plan of the migration."""
    servers: Servers
    """The sources, for estimates, and the first shard, for the chunks of earlier runs."""
    emit: Emit
    """Takes the events."""
    rows: int = 0
    """Rows that this run copied. The events also count those of earlier runs."""
    _tables: dict[str, _Table] = field(init=False)
    _recent: deque[Finish] = field(init=False, default_factory=lambda: deque(maxlen=RECENT_CHUNKS))

    def __post_init__(self) -> None:
        self._tables = _read_copied(self.plan, self.servers)

    @cached_property
    def estimates(self) -> dict[str, Estimate]:
        return estimate_sizes(self.plan, self.servers)

    @property
    def row_estimate(self) -> int:
        """The estimated rows of all tables together."""
        return sum(expected.rows for expected in self.estimates.values())

    def estimate_left(self) -> dict[str, Estimate]:
        """What is still to be copied of each table: estimated rows, as wide as all of it."""
        found = {}
        for name in self._tables:
            rows, expected = self._rows_left(name), self.estimates[name]
            found[name] = Estimate(rows, expected.bytes * rows // max(1, expected.rows))
        return found

    def _rows_left(self, logical: str) -> int:
        """Estimated. None of a complete table: the server's estimate may have been too large."""
        table = self._tables[logical]
        return 0 if table.complete else max(0, self.estimates[logical].rows - table.rows)

    def begin(self) -> None:
        """Reports what earlier runs have copied of each table."""
        for logical, table in self._tables.items():
            expected = max(self.estimates[logical].rows, table.rows)
            self.emit(TableProgress(logical, table.rows, expected, table.complete))

    def count(self, report: ChunkReport) -> None:
        logical, now = report.chunk.logical, time.monotonic()
        table = self._tables[logical]
        self.rows += report.rows
        table.rows, table.chunks, table.loaded = (
            table.rows + report.rows,
            table.chunks + 1,
            table.loaded + report.loaded,
        )
        table.parts[report.chunk.source].count(report.chunk)
        for shard, (rows, loaded) in report.on_shards.items():
            database = self.plan.databases[shard]
            table.shards[database] = table.shards[database].plus(rows, loaded)
        for recent in (table.recent, self._recent):
            recent.append((now, report.rows))
        rate = recent_rate(table.recent, now)
        self.emit(
            ChunkCopied(
                table=logical,
                rows=report.rows,
                total_rows=table.rows,
                expected_rows=max(self.estimates[logical].rows, table.rows),
                chunk=f"{report.chunk.source.table}/{report.chunk.number}",
                chunks=table.chunks,
                bytes_sent=table.loaded,
                rows_per_second=None if rate is None else round(rate.mean, 1),
                left=time_left(self._rows_left(logical), rate),
                all_left=self._all_left(now),
                shards=dict(table.shards),
                complete=table.complete,
            )
        )

    def _all_left(self, now: float) -> TimeLeft | None:
        return time_left(sum(map(self._rows_left, self._tables)), recent_rate(self._recent, now))


def _read_copied(plan: Plan, servers: Servers) -> dict[str, _Table]:
    control = servers.connect_shard(0)
    try:
        found = {table.logical: _Table(shards=_empty_shards(plan, table)) for table in plan.in_chunks}
        for table in plan.in_chunks:
            for source in table.sources:
                done = [item for item in read_known_chunks(control, plan.migration, table, source) if item.done]
                part = found[table.logical].parts[source] = _Part()
                for item in done:
                    part.count(item.chunk)
                found[table.logical].rows += sum(item.rows for item in done)
                found[table.logical].chunks += len(done)
        return found
    finally:
        control.close()


def _empty_shards(plan: Plan, table: TablePlan) -> dict[str, OnShard]:
    """Every shard of the table with zero rows: a shard that gets no row is shown, too."""
    return {plan.databases[shard]: OnShard(0, 0) for shard in plan.shards(table)}
