"""A direction of a migration that has begun: its plan and servers, and what its ledger says of the stream.

Runs in the process of the command; reads the first shard's ledger.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass

from shardwright.compiler.plan.plan import Plan, TablePlan
from shardwright.runtime.failures import Refused
from shardwright.runtime.history.facts import ChangeState, Way
from shardwright.runtime.ledger.batches import (
    MigrationState,
    OpenBatch,
    read_begins,
    read_migration,
    read_open_batch,
)
from shardwright.runtime.ledger.recent_batches import RecentBatch, read_recent
from shardwright.runtime.mysql.servers import Servers
from shardwright.runtime.mysql.transactions import if_there
from shardwright.runtime.sources.positions.log_position import LogPosition
from shardwright.runtime.sources.positions.stream_position import StreamPosition
from shardwright.specs.environment.environment import Environment


@dataclass(frozen=True, slots=True)
class Stream:
    """What the ledger says of the stream, at one moment."""

    state: MigrationState
    """Its position, and where it began."""
    open_batch: OpenBatch | None
    """The batch that is open."""
    recent: tuple[RecentBatch, ...]
    """The last batches with work, from the oldest on."""
    begins: Mapping[int, StreamPosition]
    """Weight -> the position from which the stream counts for its tables; of those that have begun."""

    def state_of(self, log: str, place: LogPosition, table: TablePlan) -> ChangeState:
        """How far the stream is with a change."""
        begun = self.begins.get(table.weight)
        begin = None if begun is None else begun.logs.get(log)
        if begun is None or (begin is not None and place < begin):
            return "before"
        batch = self.open_batch
        if batch is not None and _is_within(log, place, batch.start, batch.end):
            return "open"
        position = self.state.position.logs.get(log)
        return "ahead" if position is None or place >= position else "applied"

    def batch_of(self, log: str, place: LogPosition) -> RecentBatch | None:
        """The batch that had the change, as far as the ledger says: the last one that began at it or before."""
        if self.recent and (first := self.recent[0].start.logs.get(log)) is not None and place < first:
            return None
        begun = [item for item in self.recent if (start := item.start.logs.get(log)) is not None and start <= place]
        return begun[-1] if begun else None

    def is_copying_at(self, log: str, place: LogPosition) -> bool | None:
        """Whether deletes were remembered in the batch that had the change; None where that is not known."""
        end = None if self.state.snapshot_end is None else self.state.snapshot_end.logs.get(log)
        if end is None or place < end:
            return True
        batch = self.batch_of(log, place)
        start = None if batch is None else batch.start.logs.get(log)
        return None if start is None else start < end


def _is_within(log: str, place: LogPosition, start: StreamPosition, end: StreamPosition) -> bool:
    first, last = start.logs.get(log), end.logs.get(log)
    return first is not None and last is not None and first <= place < last


@dataclass(frozen=True, slots=True)
class Leg:
    """One direction."""

    plan: Plan
    servers: Servers
    environment: Environment
    is_live: bool
    """Whether changes go in it now."""

    def read_stream(self) -> Stream | None:
        """None where it has not begun. A direction that is not live may have no ledger yet."""
        try:
            connection = self.servers.connect_shard(0)
        except Refused:
            if self.is_live:
                raise
            return None
        with closing(connection) as control:
            state = if_there(lambda: read_migration(control, self.plan.migration))
            if state is None:
                return None
            return Stream(
                state,
                read_open_batch(control, self.plan.migration),
                tuple(read_recent(control, self.plan.migration)),
                self._first_begins(state.start) | read_begins(control, self.plan.migration),
            )

    def _first_begins(self, start: StreamPosition) -> dict[int, StreamPosition]:
        """Tables of a higher weight begin later, where rows are copied."""
        weights = sorted({table.weight for table in self.plan.tables})
        return dict.fromkeys(weights[:1] if self.plan.direction.copies else weights, start)

    def describe(self, stream: Stream) -> Way:
        open_batch = stream.open_batch
        return Way(
            self.plan.direction,
            self.is_live,
            str(stream.state.start),
            str(stream.state.position),
            stream.state.batch,
            stream.state.is_copying(()) if self.plan.direction.copies else False,
            None if open_batch is None else open_batch.batch,
            None if open_batch is None else open_batch.state,
        )

    def tables_with(self, table: TablePlan, key: tuple[str, ...]) -> tuple[str, ...]:
        """The tables on the read side that may have the key."""
        if self.plan.direction.reads_shards:
            return tuple(str(name) for name in table.sources)
        return table.sources_of(key)
