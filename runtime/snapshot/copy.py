"""The snapshot: every open chunk of every table, some at a time, light tables first, the next chunk of each source
server planned ahead.

Runs in the driver; reads the source servers and writes the first shard's ledger. Spark tasks write the rows.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import ExitStack, closing
from dataclasses import dataclass
from functools import partial
from typing import Final

from shardwright.compiler.plan.plan import Plan, StepName, TablePlan
from shardwright.runtime.events.event import Emit, ignore
from shardwright.runtime.failpoints import failpoint
from shardwright.runtime.ledger.batches import snapshot_done
from shardwright.runtime.ledger.fencing import Writer
from shardwright.runtime.mysql.estimates import Estimate
from shardwright.runtime.mysql.servers import Servers, connect
from shardwright.runtime.snapshot.children import forget_started_chunks
from shardwright.runtime.snapshot.chunk_end import BYTES, ChunkEnds, ChunkSize
from shardwright.runtime.snapshot.chunks import Chunk, ChunkJournal, CopiedChunk, open_chunks
from shardwright.runtime.snapshot.copy_chunk import ChunkCopier, ChunkReport
from shardwright.runtime.snapshot.read_replicas import wait_for_read_replicas
from shardwright.runtime.sources.source import head_position


@dataclass(frozen=True, slots=True)
class PlannedChunk:
    """A chunk that is recorded in the ledger and not yet copied."""

    table: TablePlan
    chunk: Chunk
    size: ChunkSize
    """Learns how long the chunk took."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChunkPlanning:
    """Plans chunks, one lane for each source server."""

    plan: Plan
    """The compiled plan of the migration."""
    servers: Servers
    """The addresses of source servers and shards."""
    writer: Writer
    """Checks the fencing token in every transaction."""
    chunk_rows: int | None
    """Rows of every chunk; None: as ChunkSize says."""
    rows_a_second: Callable[[], int | None]
    """Returns the cap on copied rows per second, None without one. No chunk has more rows than that."""
    left: Mapping[str, Estimate]
    """What is still to be copied, by logical table, where that is known."""
    at_once: int
    """How many chunks are copied at the same time."""

    def chunks(self, tables: Sequence[TablePlan]) -> Generator[PlannedChunk, None, None]:
        """Open chunks of all these tables, each recorded in the ledger already."""
        sizes = {table.logical: self._size(table) for table in tables}
        servers = dict.fromkeys(
            self.servers.source_databases[source.database] for table in tables for source in table.sources
        )
        with (
            ExitStack() as connections,
            ThreadPoolExecutor(max_workers=len(servers), thread_name_prefix="planning") as pool,
        ):
            lanes = [self._of_server(server, tables, sizes, connections) for server in servers]
            ahead: dict[Future[PlannedChunk | None], Iterator[PlannedChunk]] = {
                pool.submit(next, lane, None): lane for lane in lanes
            }
            while ahead:
                for future in wait(ahead, return_when=FIRST_COMPLETED).done:
                    lane = ahead.pop(future)
                    planned = future.result()
                    if planned is not None:
                        ahead[pool.submit(next, lane, None)] = lane
                        yield planned

    def _of_server(
        self, server: str, tables: Sequence[TablePlan], sizes: dict[str, ChunkSize], connections: ExitStack
    ) -> Iterator[PlannedChunk]:
        """One table after the other. Its connections are its own, since the lanes of several servers plan at the same
        time."""
        database = next(name for name, holder in self.servers.source_databases.items() if holder == server)
        reader = connections.enter_context(closing(connect(self.servers.reader_of(database), database)))
        control = connections.enter_context(closing(self.servers.connect_shard(0)))
        self.writer.record(control)
        journal = ChunkJournal(control, self.plan.migration, self.writer)
        for table in tables:
            for source in table.sources:
                if self.servers.source_databases[source.database] != server:
                    continue
                size = sizes[table.logical]
                step = self.plan.step(table.logical, StepName.CHUNK_BOUND)
                ends = ChunkEnds(step, source, reader, most_bytes=BYTES if self.chunk_rows is None else None)
                for chunk in open_chunks(journal, table, ends, rows=partial(self._next_rows, size)):
                    yield PlannedChunk(table, chunk, size)

    def _size(self, table: TablePlan) -> ChunkSize:
        least = min(50_000, max(1_000, 500 * len(self.plan.shards(table))))
        return ChunkSize(self.chunk_rows, least=least, left=self.left.get(table.logical), at_once=self.at_once)

    def _next_rows(self, size: ChunkSize) -> int:
        return size.next_rows(self.rows_a_second())


_WAITING: Final = 3
"""Chunks in flight for each task that may run, where chunks wait between reading and writing. The rows of a waiting
chunk are in Spark's storage."""
_NEXT: Final = 2
"""Chunks that wait for a task, so that none is idle while the driver records what others have done."""
_Running = dict[Future[ChunkReport | None], ChunkSize]


@dataclass(kw_only=True)
class Copier:
    """Copies what the ledger does not show as done."""

    chunks: ChunkCopier
    """Copies one chunk; called by several threads."""
    chunk_rows: int | None
    """Rows of every chunk; None: as ChunkSize says."""
    begin_weight: Callable[[int], None]
    """Called with the weight of the next heavier tables, before any of their chunks."""
    on_chunk: Callable[[ChunkReport], None] = lambda _report: None
    """Called with each chunk that is done and recorded."""
    may_write: Callable[[], None] = lambda: None
    """Returns when the next chunk may begin (throttle), or the run is being stopped."""
    emit: Emit = ignore
    """Reports an event to the operator."""
    rows_a_second: Callable[[], int | None] = lambda: None
    """Returns the cap on copied rows per second, None without one. No chunk has more rows than that."""
    left: Callable[[], Mapping[str, Estimate]] = dict
    """Returns what is still to be copied, by logical table, where that is known."""

    def run(self) -> bool:
        """Returns whether the snapshot is complete (False: stopped in between)."""
        plan, servers, writer = self.chunks.plan, self.chunks.servers, self.chunks.writer
        control = servers.connect_shard(0)
        writer.record(control)
        try:
            self._wait_for_read_replicas()
            forget_started_chunks(plan, servers, control, writer=writer)
            self.chunks.prepare()
            with ThreadPoolExecutor(thread_name_prefix="snapshot", max_workers=self._most) as pool:
                self._all_chunks(ChunkJournal(control, plan.migration, writer), pool)
            if self.chunks.stopped():
                return False
            end = head_position(self.chunks.sources)
            failpoint("before-snapshot-done")
            writer.transaction(control, lambda c: snapshot_done(c, plan.migration, end))
            failpoint("after-snapshot-done")
            return True
        finally:
            control.close()

    def _wait_for_read_replicas(self) -> None:
        servers = self.chunks.servers
        holding = {server: database for database, server in servers.source_databases.items()}
        with ExitStack() as opened:
            readers = {
                server: opened.enter_context(closing(connect(servers.reader_of(database), database)))
                for server, database in holding.items()
            }
            wait_for_read_replicas(servers, readers, self.emit, self.chunks.stopped)

    def _all_chunks(self, journal: ChunkJournal, pool: ThreadPoolExecutor) -> None:
        """Light tables first: rows of a heavier table may only appear when those of the lighter ones exist (C8). So a
        weight begins when the lighter one is done everywhere."""
        by_weight = sorted(self.chunks.plan.in_chunks, key=lambda table: (table.weight, table.logical))
        for weight, tables in itertools.groupby(by_weight, key=lambda table: table.weight):
            running: _Running = {}
            with closing(self._make_planning().chunks(list(tables))) as planned:
                for number, each in enumerate(planned):
                    self.may_write()
                    if self.chunks.stopped():
                        break
                    if number == 0:
                        self.begin_weight(weight)
                    running[pool.submit(self.chunks.copy, each.table, each.chunk)] = each.size
                    if len(running) >= (
                        self._most if self.chunks.may_wait(each.table) else self.chunks.at_once + _NEXT
                    ):
                        self._record(journal, running, wait(running, return_when=FIRST_COMPLETED).done)
            self._record(journal, running, set(running))

    @property
    def _most(self) -> int:
        return max(_WAITING * self.chunks.at_once, self.chunks.at_once + _NEXT)

    def _make_planning(self) -> ChunkPlanning:
        return ChunkPlanning(
            plan=self.chunks.plan,
            servers=self.chunks.servers,
            writer=self.chunks.writer,
            chunk_rows=self.chunk_rows,
            rows_a_second=self.rows_a_second,
            left=self.left(),
            at_once=self.chunks.at_once,
        )

    def _record(self, journal: ChunkJournal, running: _Running, done: set[Future[ChunkReport | None]]) -> None:
        """Small chunks are done faster than the driver would ask the source and write to the ledger for each."""
        reports = []
        for future in done:
            size, report = running.pop(future), future.result()
            if report is not None:
                size.learn(report.rows, report.loaded, report.seconds)
                reports.append(report)
        if not reports:
            return
        heads = self.chunks.heads({str(report.chunk.source) for report in reports})
        databases = self.chunks.servers.databases
        journal.record_done(
            [
                CopiedChunk(
                    report.chunk,
                    high=heads[str(report.chunk.source)],
                    rows=report.rows,
                    databases=[databases[shard] for shard in report.shards],
                )
                for report in reports
            ]
        )
        for report in reports:
            failpoint("after-chunk-done", report.chunk.logical)
            self.on_chunk(report)
