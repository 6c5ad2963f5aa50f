"""The snapshot: every open chunk of every table, some at a time, light tables first; and the books about it."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from pymysql.connections import Connection

from shardwright.compiler.plan import TablePlan
from shardwright.runtime.connections import connect
from shardwright.runtime.failpoints import failpoint
from shardwright.runtime.ledger.batches import snapshot_done
from shardwright.runtime.ledger.epoch import record_connection
from shardwright.runtime.snapshot.children import forget_begun_chunks
from shardwright.runtime.snapshot.chunk_size import ChunkSize
from shardwright.runtime.snapshot.chunks import Chunk, mark_done, open_chunks
from shardwright.runtime.snapshot.copy_chunk import ChunkCopier, ChunkReport
from shardwright.runtime.snapshot.read_replicas import wait_for_read_replicas
from shardwright.runtime.stream.sources import head_position
from shardwright.runtime.transactions import in_transaction

_WAITING: Final = 3
"""Chunks under way for each task that may run, where they wait between reading and writing; what waits lies in Spark's storage."""
_Running = dict[Future[ChunkReport | None], ChunkSize]


@dataclass
class Copier:
    """Copies what the ledger does not show as done. `chunk_rows`: rows of every chunk, None for as many as a second allows. `rows_a_second` is
    what the copy is capped to: no chunk is larger; `on_chunk` hears of those that are done, `may_write` returns when the next one may begin,
    `begin_weight` hears of the next heavier tables before any of their chunks."""

    chunks: ChunkCopier
    chunk_rows: int | None
    begin_weight: Callable[[int], None]
    on_chunk: Callable[[ChunkReport], None] = lambda _report: None
    may_write: Callable[[], None] = lambda: None
    say: Callable[[str], None] = lambda _text: None
    rows_a_second: Callable[[], int | None] = lambda: None

    def run(self) -> bool:
        """Returns whether the snapshot is complete (False: stopped in between)."""
        plan, servers, epoch = self.chunks.plan, self.chunks.servers, self.chunks.epoch
        control = servers.connect_shard(0)
        record_connection(control, role="data", epoch=epoch)
        readers = self._readers()
        try:
            wait_for_read_replicas(servers, readers, self.say, self.chunks.stopped)
            forget_begun_chunks(plan, servers, control, epoch=epoch)
            self.chunks.prepare()
            most = _WAITING * self.chunks.at_once
            with ThreadPoolExecutor(max_workers=most, thread_name_prefix="snapshot") as pool:
                self._all_chunks(control, readers, pool)
            if self.chunks.stopped():
                return False
            end = head_position(self.chunks.sources)
            failpoint("before-snapshot-done")
            in_transaction(control, lambda c: snapshot_done(c, plan.migration, end), role="data", epoch=epoch)
            failpoint("after-snapshot-done")
            return True
        finally:
            control.close()
            for reader in readers.values():
                reader.close()

    def _readers(self) -> dict[str, Connection[Any]]:
        """One connection to where each source server's chunks are read, to find their bounds."""
        servers = self.chunks.servers
        holding = {server: database for database, server in servers.source_databases.items()}
        return {server: connect(servers.reader_of(database), database) for server, database in holding.items()}

    def _all_chunks(
        self, control: Connection[Any], readers: Mapping[str, Connection[Any]], pool: ThreadPoolExecutor
    ) -> None:
        """Light tables first: a heavier table's rows may only appear when the lighter ones stand (C8), so a weight begins when
        the lighter one is done everywhere."""
        by_weight = sorted(self.chunks.plan.tables, key=lambda table: (table.weight, table.logical))
        for weight, tables in itertools.groupby(by_weight, key=lambda table: table.weight):
            running: _Running = {}
            for number, (table, chunk, size) in enumerate(self._planned(tables, control, readers)):
                self.may_write()
                if self.chunks.stopped():
                    break
                if number == 0:
                    self.begin_weight(weight)
                running[pool.submit(self.chunks.copy, table, chunk)] = size
                if len(running) >= self.chunks.at_once * (_WAITING if self.chunks.may_wait(table) else 1):
                    self._record(control, running, wait(running, return_when=FIRST_COMPLETED).done)
            self._record(control, running, set(running))

    def _planned(
        self, tables: Iterator[TablePlan], control: Connection[Any], readers: Mapping[str, Connection[Any]]
    ) -> Iterator[tuple[TablePlan, Chunk, ChunkSize]]:
        """Lazily: the next chunk's end is looked for when there is room for it."""
        plan, servers = self.chunks.plan, self.chunks.servers
        for table in tables:
            size = ChunkSize(self.chunk_rows, least=min(50_000, max(1_000, 500 * len(plan.shards(table)))))
            for source in table.sources:
                reader = readers[servers.source_databases[source.database]]
                for chunk in open_chunks(
                    plan,
                    table,
                    source,
                    control=control,
                    reader=reader,
                    rows=partial(self._rows, size),
                    epoch=self.chunks.epoch,
                ):
                    yield table, chunk, size

    def _rows(self, size: ChunkSize) -> int:
        cap = self.rows_a_second()
        return size.rows() if cap is None else min(size.rows(), cap)

    def _record(self, control: Connection[Any], running: _Running, done: set[Future[ChunkReport | None]]) -> None:
        for future in done:
            size, report = running.pop(future), future.result()
            if report is None:
                continue
            size.learn(report.rows, report.loaded, report.seconds)
            mark_done(
                control,
                self.chunks.plan.migration,
                report.chunk,
                high=self.chunks.heads(report.chunk),
                rows=report.rows,
                databases=[self.chunks.servers.databases[shard] for shard in report.shards],
                epoch=self.chunks.epoch,
            )
            failpoint("after-chunk-done", report.chunk.logical)
            self.on_chunk(report)
