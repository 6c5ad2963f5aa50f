"""The snapshot: every open chunk of every table, in waves of a few chunks, each wave one Spark job."""

from __future__ import annotations

import itertools
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from pymysql.connections import Connection

from shardwright.compiler.plan import Plan, StepName, TablePlan
from shardwright.runtime.connections import Servers
from shardwright.runtime.dead_letters.refused_rows import read_refused
from shardwright.runtime.failpoints import failpoint
from shardwright.runtime.failures import Refused
from shardwright.runtime.ledger.batches import snapshot_done
from shardwright.runtime.ledger.epoch import record_connection
from shardwright.runtime.snapshot.children import forget_begun_chunks, placed_children
from shardwright.runtime.snapshot.chunks import Chunk, Key, mark_done, open_chunks
from shardwright.runtime.snapshot.read import CHUNK_ROWS_SCHEMA, chunk_reader
from shardwright.runtime.snapshot.write import WRITTEN_SCHEMA, ChunkContext, chunk_writer
from shardwright.runtime.spark import SNAPSHOT_POOL
from shardwright.runtime.stream.position import StreamPosition
from shardwright.runtime.stream.sources import Sources, carrying, head_position
from shardwright.runtime.stream.whereabouts import family_of
from shardwright.runtime.transactions import in_transaction

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, Row, SparkSession


@dataclass(frozen=True, slots=True)
class ChunkReport:
    """A chunk that is done on every shard; `shards` have rows of it. `loaded`: bytes sent to shards by this run."""

    chunk: Chunk
    rows: int
    shards: frozenset[int]
    loaded: int = 0


@dataclass
class Copier:
    """Copies what the ledger does not show as done. `stopped` is asked between waves; `on_chunk` hears of progress. Within
    `placing_children` no batch moves a parent. `held` are the keys of a table that are dead letters, `hold` makes more of them, of refused
    rows (key and reason), before the chunk is written without these. `capped`: a wave has no more tasks than chunks (see
    `throttle.connections`)."""

    spark: SparkSession
    plan: Plan
    servers: Servers
    epoch: int
    chunk_rows: int
    parallel: int
    stopped: Callable[[], bool]
    sources: Sources
    stream_position: Callable[[], StreamPosition]
    begin_weight: Callable[[int], None]
    held: Callable[[str], frozenset[Key]]
    hold: Callable[[str, Mapping[Key, str]], None]
    placing_children: Callable[[], AbstractContextManager[None]] = nullcontext
    on_chunk: Callable[[ChunkReport], None] = lambda _report: None
    may_write: Callable[[], None] = lambda: None
    capped: bool = False

    def run(self) -> bool:
        """Returns whether the snapshot is complete (False: stopped in between)."""
        control = self.servers.connect_shard(0)
        record_connection(control, role="data", epoch=self.epoch)
        readers = self._readers()
        try:
            forget_begun_chunks(self.plan, self.servers, control, epoch=self.epoch)
            with ThreadPoolExecutor(max_workers=2, thread_name_prefix="snapshot") as pool:
                self._all_waves(control, self._waves(control, readers), pool)
            if self.stopped():
                return False
            end = head_position(self.sources)
            failpoint("before-snapshot-done")
            in_transaction(control, lambda c: snapshot_done(c, self.plan.migration, end), role="data", epoch=self.epoch)
            failpoint("after-snapshot-done")
            return True
        finally:
            control.close()
            for reader in readers.values():
                reader.close()

    def _readers(self) -> dict[str, Connection[Any]]:
        """One connection to each source server, to find the bounds of chunks."""
        holding = {server: database for database, server in self.servers.source_databases.items()}
        return {server: self.servers.connect_source(database) for server, database in holding.items()}

    def _waves(
        self, control: Connection[Any], readers: Mapping[str, Connection[Any]]
    ) -> Iterator[tuple[TablePlan, list[Chunk]]]:
        """Light tables first: a heavier table's rows may only appear when the lighter ones stand (C8)."""
        for table in sorted(self.plan.tables, key=lambda table: (table.weight, table.logical)):
            chunks = itertools.chain.from_iterable(
                open_chunks(
                    self.plan,
                    table,
                    source,
                    control=control,
                    reader=readers[self.servers.source_databases[source.database]],
                    rows=self.chunk_rows,
                    epoch=self.epoch,
                )
                for source in table.sources
            )
            while wave := list(itertools.islice(chunks, self.parallel)):
                yield table, wave

    def _all_waves(
        self,
        control: Connection[Any],
        waves: Iterator[tuple[TablePlan, list[Chunk]]],
        pool: ThreadPoolExecutor,
    ) -> None:
        """Two waves are under way at a time: one reads while the other writes. A weight begins when the lighter one
        is done everywhere."""
        running: set[Future[list[ChunkReport]]] = set()
        weight: int | None = None
        for table, wave in waves:
            self.may_write()
            if self.stopped():
                break
            if table.weight != weight:
                self._record(control, running)
                running, weight = set(), table.weight
                self.begin_weight(weight)
            running.add(pool.submit(self._copy_wave, table, wave))
            if len(running) >= 2:
                done, running = wait(running, return_when=FIRST_COMPLETED)
                self._record(control, done)
        self._record(control, running)

    def _record(self, control: Connection[Any], futures: set[Future[list[ChunkReport]]]) -> None:
        for future in futures:
            for report in future.result():
                high = self._heads([report.chunk])
                mark_done(
                    control,
                    self.plan.migration,
                    report.chunk,
                    high=high,
                    rows=report.rows,
                    databases=[self.servers.databases[shard] for shard in report.shards],
                    epoch=self.epoch,
                )
                failpoint("after-chunk-done", report.chunk.logical)
                self.on_chunk(report)

    def _copy_wave(self, table: TablePlan, wave: list[Chunk]) -> list[ChunkReport]:
        spark = self.spark.newSession()
        spark.sparkContext.setLocalProperty("spark.scheduler.pool", SNAPSHOT_POOL)
        if self.capped:
            spark.conf.set("spark.sql.shuffle.partitions", str(self.parallel))
        spark.sparkContext.setJobDescription(f"{table.logical}: {wave[0]} to {wave[-1]}")
        read_step = self.plan.step(table.logical, StepName.CHUNK_READ)
        insert_step = self.plan.step(table.logical, StepName.SNAPSHOT_INSERT)
        read = chunk_reader(
            {str(chunk.source): self.servers.source_of(chunk.source.database) for chunk in wave},
            wave,
            statements={statement.name: statement.sql for statement in read_step.statements},
            columns=len(table.reads),
        )
        context = ChunkContext(
            self.plan.migration,
            self.epoch,
            self.servers,
            table,
            {statement.name: statement.sql for statement in insert_step.statements},
            self.plan.step(table.logical, StepName.VERIFY_SOURCE).statement("row"),
            naming=table.logical in self.plan.quarantine,
        )
        rows = spark.range(0, len(wave), 1, len(wave)).mapInArrow(read, CHUNK_ROWS_SCHEMA)
        details_first = table.weight > min(other.weight for other in self.plan.tables)
        if table.parent is not None:
            return self._copy_children(rows, table, wave, context=context, details_first=details_first)
        rows.createOrReplaceTempView("chunk_rows")
        routed = spark.sql(self.plan.step(table.logical, StepName.SNAPSHOT_ROUTE).statement("route"))
        if details_first:
            # What these rows were read with must stand before they do: their details may be younger than the
            # details' own chunks. The rows wait in Spark's storage, not in a task: the stream needs the cores.
            routed = routed.persist()
            routed.count()
            if not self._stream_has_passed(self._heads(wave)):
                return []
        reports = self._write(routed, wave, context=context)
        if details_first:
            routed.unpersist()
        return reports

    def _copy_children(
        self, rows: DataFrame, table: TablePlan, wave: list[Chunk], *, context: ChunkContext, details_first: bool
    ) -> list[ChunkReport]:
        """The rows are read before, so that the stream is kept waiting only while they are placed and written."""
        rows = rows.persist()
        try:
            rows.count()
            if details_first and not self._stream_has_passed(self._heads(wave)):
                return []
            with self.placing_children():
                routed = placed_children(rows, self.plan, table, family=family_of(self.plan, self.servers))
                return self._write(routed, wave, context=context)
        finally:
            rows.unpersist()

    def _write(self, routed: DataFrame, wave: list[Chunk], *, context: ChunkContext) -> list[ChunkReport]:
        """On shards that have written it, a chunk is not written again while rows that others refuse are held."""
        logical = context.table.logical
        while True:
            held = self.held(logical) if context.naming else frozenset()
            written = _written(routed, replace(context, held=held))
            refused = {key: why for row in written for _, key, why in read_refused(row["refused"])}
            if not refused:
                return _reports(written, wave, context.table)
            if refused.keys() <= held:
                key, why = next(iter(refused.items()))
                raise Refused("SW8511", f"{logical} ({', '.join(key)}), copied though it is held: {why}")
            self.hold(logical, refused)

    def _heads(self, wave: list[Chunk]) -> StreamPosition:
        """Behind whatever the reads of these chunks saw."""
        return head_position(carrying(self.sources, {str(chunk.source) for chunk in wave}))

    def _stream_has_passed(self, position: StreamPosition) -> bool:
        """Wait until the stream stands at or behind `position`; False when the run is being stopped."""
        while not self.stream_position().reached(position):
            if self.stopped():
                return False
            time.sleep(0.05)
        return True


def _written(routed: DataFrame, context: ChunkContext) -> list[Row]:
    return (
        routed.groupBy("source_table", "chunk", "shard").applyInArrow(chunk_writer(context), WRITTEN_SCHEMA).collect()
    )


def _reports(written: list[Row], wave: list[Chunk], table: TablePlan) -> list[ChunkReport]:
    counts: dict[tuple[str, int], int] = defaultdict(int)
    loaded: dict[tuple[str, int], int] = defaultdict(int)
    shards: dict[tuple[str, int], set[int]] = defaultdict(set)
    for row in written:
        # A broadcast row is written to every shard but read once.
        read_rows = row["rows_read"] if table.distribution != "broadcast" or row["shard"] == 0 else 0
        name = (row["source_table"], row["chunk"])
        counts[name] += read_rows
        loaded[name] += row["loaded"]
        shards[name].add(row["shard"])
    names = {chunk: (str(chunk.source), chunk.number) for chunk in wave}
    return [ChunkReport(chunk, counts[name], frozenset(shards[name]), loaded[name]) for chunk, name in names.items()]
