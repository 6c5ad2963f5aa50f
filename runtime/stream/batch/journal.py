"""What does the first shard's ledger hold of the stream? Each step of a batch is written there before the next one
begins (C1).

Runs in the driver; writes the first shard's ledger.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from pymysql.connections import Connection

from shardwright.runtime.failpoints import failpoint
from shardwright.runtime.ledger.audit import audit
from shardwright.runtime.ledger.batches import (
    BatchState,
    MigrationState,
    OpenBatch,
    close_batch,
    mark_staged,
    open_batch,
    read_begins,
    read_migration,
    record_begin,
)
from shardwright.runtime.ledger.chunks import read_positions
from shardwright.runtime.ledger.comparison import count_batch
from shardwright.runtime.ledger.context import RunContext
from shardwright.runtime.ledger.left_out import record_left_out
from shardwright.runtime.ledger.members import batch_closed
from shardwright.runtime.ledger.recent_batches import RecentBatches
from shardwright.runtime.ledger.stage_summary import PLACED, Summary
from shardwright.runtime.sources.event_counts import EventCounts
from shardwright.runtime.sources.left_out import NOTHING, LeftOutRange
from shardwright.runtime.sources.positions.stream_position import StreamPosition
from shardwright.runtime.sources.source import Sources
from shardwright.runtime.stream.apply.purge_tombstones import DeleteDelay
from shardwright.runtime.stream.batch.affected_tables import Begins, begins_of


@dataclass(frozen=True, slots=True)
class Batch:
    """A batch in progress."""

    number: int
    """Counts up by one."""
    end: StreamPosition
    """Where its range ends."""
    counts: EventCounts
    """How many events it has, by source table."""
    committed_at: Mapping[str, int]
    """Newest commit time, by source."""
    logicals: tuple[str, ...]
    """Touched tables, except child tables: the values of a row itself give its shard."""
    left_out: LeftOutRange = NOTHING
    """What transactions of our own have changed in its range."""


def record_finished(
    connection: Connection[Any], context: RunContext, behind: MigrationState, *, work: Mapping[int, Summary]
) -> None:
    """Within a transaction: no batch is open any more, and the stream is where `behind` says. `work` is what shards had
    to apply."""
    close_batch(connection, context.migration, behind)
    databases = [context.servers.databases[shard] for shard in work]
    batch_closed(connection, context.migration, behind.batch, databases=databases)
    count_batch(connection, context.migration, behind.batch, work)


@dataclass
class BatchJournal:
    """The batch journal. The caller makes sure that no batch is in progress meanwhile, or that it is its own."""

    context: RunContext
    """Plan, servers, the connection to the first shard, and the fenced writer."""
    sources: Sources
    """What the stream reads."""
    recent: RecentBatches
    """What batches changed lately."""
    state: MigrationState = field(init=False)
    """What the ledger holds, as last read or written."""
    delay: DeleteDelay = field(init=False)
    """How long deletes leave tombstones after the copy."""
    begins: Begins = field(init=False)
    """From where on the stream counts for which source tables."""
    is_open: bool = field(init=False, default=False)
    """Whether this run has opened a batch and not closed it."""
    _weights: dict[int, StreamPosition] = field(init=False)
    """Weight -> the position from which on the stream counts for its tables."""
    _read_at: Mapping[str, StreamPosition] = field(init=False)
    """Source table without a key -> where it was read, if not where the migration began."""

    def __post_init__(self) -> None:
        self.delay = DeleteDelay(self.context.plan)
        self.read()
        # The lightest weight begins with the migration.
        plan, control = self.context.plan, self.context.control
        lightest = min(table.weight for table in plan.tables)
        self._weights = {lightest: self.state.start, **read_begins(control, plan.migration)}
        self._read_at = read_positions(control, plan.migration, [table.logical for table in plan.keyless_tables])
        self.begins = begins_of(plan, self._weights, self._read_at)

    def read(self) -> None:
        connection = self.context.servers.connect_shard(0)
        try:
            state = read_migration(connection, self.context.migration)
        finally:
            connection.close()
        assert state is not None
        self.delay.snapshot_done(state.snapshot_age)
        self.state = state

    @property
    def keeps_tombstones(self) -> bool:
        """Whether deletes leave tombstones."""
        return self.is_copying or self.delay.is_running

    @property
    def is_copying(self) -> bool:
        """True until the stream has passed the high watermark."""
        return self.state.is_copying(self.sources)

    def has_begun(self, weight: int) -> bool:
        return weight in self._weights

    def begin_weight(self, weight: int, position: StreamPosition) -> None:
        failpoint("before-weight")
        self.context.transaction(lambda c: record_begin(c, self.context.migration, weight, position=position))
        failpoint("after-weight")
        self._weights[weight] = position
        self.begins = begins_of(self.context.plan, self._weights, self._read_at)

    def open(self, batch: Batch, *, placing: Collection[str]) -> None:
        """`placing`: rows of these tables may be in place before everything is staged."""
        start, at = self.state.position, batch.committed_at
        state: BatchState = "placing" if placing else "open"
        opened = OpenBatch(batch.number, self.context.plan.fingerprint, state, start, batch.end, at, work={})
        about = {name: {PLACED: {"0": batch.counts.events}} for name in placing}

        def record(connection: Connection[Any]) -> None:
            open_batch(connection, self.context.migration, opened)
            self._record_left_out(connection, batch)
            if placing:
                self.recent.add(connection, batch.number, start, committed_at=at, work={0: about})

        failpoint("before-open-batch")
        self.is_open = True
        self.context.transaction(record)
        failpoint("after-open-batch")

    def audit_allowed(self, details: Sequence[str]) -> None:
        """Deletes beyond a ceiling that the operator allowed."""

        def note(connection: Connection[Any]) -> None:
            for detail in details:
                audit(connection, self.context.migration, "deletes allowed", detail=detail)

        if details:
            self.context.transaction(note)

    def mark_staged(self, batch: Batch, work: Mapping[int, Summary]) -> None:
        def mark(connection: Connection[Any]) -> None:
            mark_staged(connection, self.context.migration, batch.number, work=work)
            at = batch.committed_at
            self.recent.add(connection, batch.number, self.state.position, committed_at=at, work=work)
            self.recent.void_unless_remembered(connection, batch.number, work, databases=self.context.servers.databases)

        failpoint("before-mark-staged")
        self.context.transaction(mark)
        failpoint("after-mark-staged")

    def close(self, batch: Batch, work: Mapping[int, Summary]) -> None:
        """`work` is what shards had to apply."""
        behind = replace(self.state, position=batch.end, batch=batch.number, committed_at=batch.committed_at)
        failpoint("before-close-batch")

        def finish(connection: Connection[Any]) -> None:
            self._record_left_out(connection, batch)
            record_finished(connection, self.context, behind, work=work)
            self.recent.keep(connection)

        self.context.transaction(finish)
        self.is_open = False
        failpoint("after-close-batch")
        self.state = behind

    def _record_left_out(self, connection: Connection[Any], batch: Batch) -> None:
        """With the open batch: a run that finishes it from the stages does not read its range again. A batch without
        events is closed without having been opened."""
        if batch.left_out.transactions:
            kept = batch.number if self.recent.first_kept is None else self.recent.first_kept
            record_left_out(connection, self.context.plan, batch.number, batch.left_out, oldest=kept)
