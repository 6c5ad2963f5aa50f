"""One chunk from its source to the shards: a Spark job of one task, which reads, routes and writes it without a
shuffle.

Runs in the driver, in several threads. Its Spark tasks read the source server and write the shards.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final

from shardwright.compiler.plan.plan import Plan, StepName, TablePlan
from shardwright.runtime.events.copy import ChunksWaiting
from shardwright.runtime.events.event import Emit, ignore
from shardwright.runtime.failures import Refused
from shardwright.runtime.ledger.fencing import Writer
from shardwright.runtime.mysql.keys import Key
from shardwright.runtime.mysql.rejected_rows import read_refused
from shardwright.runtime.mysql.servers import Servers
from shardwright.runtime.snapshot.children import forget_written
from shardwright.runtime.snapshot.chunk_properties import ChunkContext, ChunkWork, OneChunk
from shardwright.runtime.snapshot.chunk_query import ChunkQueries, Query
from shardwright.runtime.snapshot.chunks import Chunk
from shardwright.runtime.sources.positions.stream_position import StreamPosition
from shardwright.runtime.sources.source import Sources, has_reached, head_position, sources_with

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_PATIENT_SECONDS: Final = 5.0
_REPORT_EVERY: Final = 30.0
_TRIES: Final = 3
"""How often a chunk is written that lacks room for a unique value."""


@dataclass(frozen=True, slots=True)
class ChunkReport:
    """A chunk that is done on every shard."""

    chunk: Chunk
    """Its identity and key range."""
    rows: int
    """Rows read; a broadcast row counts once."""
    shards: frozenset[int]
    """Numbers of the shards that have rows of it."""
    loaded: int = 0
    """Bytes sent to shards by this run."""
    seconds: float = 0.0
    """Seconds of reading and writing, without waiting."""
    on_shards: Mapping[int, tuple[int, int]] = field(default_factory=dict)
    """Shard number -> its rows, and the bytes sent there by this run."""


@dataclass(kw_only=True)
class ChunkCopier:
    """Copies one chunk at a time for each thread that calls it."""

    spark: SparkSession
    """The run's session."""
    plan: Plan
    """The compiled plan of the migration."""
    servers: Servers
    """The addresses of source servers and shards."""
    writer: Writer
    """Checks the fencing token in every transaction."""
    stopped: Callable[[], bool]
    """Whether the run is being stopped."""
    sources: Sources
    """The stream's sources, which are asked for their current positions."""
    stream_position: Callable[[], StreamPosition]
    """The position up to which the stream has been applied."""
    held: Callable[[str], frozenset[Key]]
    """Keys of a logical table that are dead letters."""
    hold: Callable[[str, Mapping[Key, str]], None]
    """Quarantines refused rows of a logical table (key -> reason), before the chunk is written without them."""
    placing_children: Callable[[], AbstractContextManager[None]] = nullcontext
    """Within the context that it returns, no batch moves a parent."""
    keeping: bool = True
    """Whether tasks keep their connections to shards for the next chunk."""
    at_once: int = 1
    """How many tasks run at the same time. Chunks that wait hold none."""
    emit: Emit = ignore
    """Reports what chunks wait for."""
    _waiting: dict[str, str] = field(default_factory=dict)
    """Tables whose rows wait for the stream, and why."""
    _reporting: threading.Lock = field(default_factory=threading.Lock)
    _reported_at: float = float("-inf")
    _queries: ChunkQueries = field(init=False)
    _tasks: threading.BoundedSemaphore = field(init=False)

    def __post_init__(self) -> None:
        context = ChunkContext(self.plan.migration, self.writer, self.servers, keeping=self.keeping)
        self._queries = ChunkQueries(self.spark, self.plan, context)
        self._tasks = threading.BoundedSemaphore(self.at_once)

    def prepare(self) -> None:
        """Before the first chunk: makes Spark load what any query needs, with the query of a table that does not
        wait."""
        first = next((table for table in self.plan.in_chunks if not self.may_wait(table)), None)
        if first is not None:
            self._queries.prepare(first)

    def may_wait(self, table: TablePlan) -> bool:
        """Whether chunks of the table are read, wait for the stream or for parents, and are written then."""
        return table.placement.parent is not None or self._waits_for_stream(table)

    def copy(self, table: TablePlan, chunk: Chunk) -> ChunkReport | None:
        """Returns None when the run is being stopped and the chunk is not done."""
        self._queries.describe(f"{table.logical}: {chunk}")
        work = self._work(table, chunk)
        if not self.may_wait(table):
            return self._write(self._queries.whole, work)
        # The rows that existed at the read must be on the shards before these rows appear: their child rows may be
        # younger than the child rows' own chunks. They wait in Spark's storage, not in a task: the stream needs the
        # cores.
        rows = self._queries.read(work).persist()
        try:
            with self._tasks:
                began = time.monotonic()
                rows.count()
                seconds = time.monotonic() - began
            if self._waits_for_stream(table) and not self._stream_has_passed(table, self._head(table)):
                return None
            return self._write(
                lambda work: self._queries.write(self._queries.route(rows, table), OneChunk(work)),
                work,
                read_seconds=seconds,
            )
        finally:
            rows.unpersist()

    def heads(self, tables: Collection[str]) -> dict[str, StreamPosition]:
        """Source table -> a position at or after everything that a read of it saw which has ended. Each source is asked
        once."""
        parts = head_position(sources_with(self.sources, tables)).parts
        return {
            table: StreamPosition({source.name: parts[source.name] for source in sources_with(self.sources, {table})})
            for table in tables
        }

    def _head(self, table: TablePlan) -> StreamPosition:
        return head_position(sources_with(self.sources, {str(source) for source in table.sources}))

    def _waits_for_stream(self, table: TablePlan) -> bool:
        """Unique values of several source tables: what the stream has brought until the read is on the shards then. So
        a row that lacks room does so because of a row that the source has as well, and not of one that has changed."""
        return table.shares_unique_values or self._follows_lighter(table)

    def _follows_lighter(self, table: TablePlan) -> bool:
        return table.weight > min(other.weight for other in self.plan.tables)

    def _write(
        self,
        query: Callable[[ChunkWork], Query],
        work: ChunkWork,
        *,
        read_seconds: float = 0.0,
    ) -> ChunkReport | None:
        """Writes until no row is refused any more. Shards that have written the chunk do not write it again while rows
        that others refuse are quarantined. Children are written again to all: a batch may move their parents before."""
        table, chunk = work.table, work.chunk
        tries = _TRIES
        while True:
            held = self.held(table.logical) if work.naming else frozenset()
            placing = self.placing_children() if table.placement.parent is not None else nullcontext()
            with placing, self._tasks:
                if self.stopped():
                    return None
                written = query(replace(work, held=held)).collect()
            refused = {one.key: one.why for row in written for one in read_refused(row["refused"])}
            taken = {one.key: one.why for row in written for one in read_refused(row["taken"])}
            if taken and (tries := tries - 1):
                # A batch may have been half done: it moves such a row, or deletes it.
                if not self._stream_has_passed(table, self._head(table)):
                    return None
                continue
            if taken and not work.naming:
                key, why = next(iter(taken.items()))
                raise Refused(
                    "SW8303",
                    f"table {table.logical}: row ({', '.join(key)}) of {chunk.source} cannot be copied: {why}. Nothing "
                    "was overwritten: change one of the two at the source, then run again",
                )
            refused |= taken
            if not refused:
                return _report(written, table, chunk, read_seconds=read_seconds)
            if refused.keys() <= held:
                key, why = next(iter(refused.items()))
                raise Refused("SW8511", f"{table.logical} ({', '.join(key)}), copied though it is a dead letter: {why}")
            self.hold(table.logical, refused)
            if table.placement.parent is not None:
                forget_written(self.plan, self.servers, [chunk], writer=self.writer)

    def _work(self, table: TablePlan, chunk: Chunk) -> ChunkWork:
        def of(step: StepName) -> dict[str, str]:
            return {statement.name: statement.sql for statement in self.plan.step(table.logical, step).statements}

        return ChunkWork(
            chunk,
            table,
            of(StepName.CHUNK_READ),
            of(StepName.SNAPSHOT_INSERT),
            self.plan.step(table.logical, StepName.VERIFY_SOURCE).statement("row"),
            naming=table.logical in self.plan.quarantine,
        )

    def _stream_has_passed(self, table: TablePlan, position: StreamPosition) -> bool:
        """Waits until the stream has reached `position`; False when the run is being stopped."""
        began = time.monotonic()
        try:
            while not has_reached(self.sources, self.stream_position(), position):
                if self.stopped():
                    return False
                if time.monotonic() - began > _PATIENT_SECONDS:
                    self._waiting[table.logical] = self._why_waiting(table)
                    self._report_waiting(position)
                time.sleep(0.05)
        finally:
            self._waiting.pop(table.logical, None)
        return True

    def _why_waiting(self, table: TablePlan) -> str:
        if self._follows_lighter(table):
            return f"weight {table.weight}: tables of lower weight first"
        return "unique values of several source tables"

    def _report_waiting(self, position: StreamPosition) -> None:
        """Reports at most once in half a minute, for all tables that wait: their chunks wait by the dozen."""
        now = time.monotonic()
        with self._reporting:
            if now - self._reported_at < _REPORT_EVERY:
                return
            self._reported_at = now
            waiting = dict(sorted(self._waiting.copy().items()))
        reasons = tuple(dict.fromkeys(waiting.values()))
        self.emit(ChunksWaiting(tuple(waiting), reasons, str(position), str(self.stream_position())))


def _report(written: Sequence[Any], table: TablePlan, chunk: Chunk, *, read_seconds: float) -> ChunkReport:
    # A broadcast row is written to every shard but read once.
    counted = [row for row in written if not table.placement.has_copies or row["shard"] == 0]
    return ChunkReport(
        chunk,
        sum(row["rows_read"] for row in counted),
        frozenset(row["shard"] for row in written),
        sum(row["loaded"] for row in written),
        read_seconds + max((row["seconds"] for row in written), default=0.0),
        {row["shard"]: (row["rows_read"], row["loaded"]) for row in written},
    )
