"""One chunk from its source to the shards: a Spark job of one task, which reads, places and writes it without a shuffle."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from shardwright.compiler.plan import Plan, StepName, TablePlan
from shardwright.runtime.connections import Servers
from shardwright.runtime.dead_letters.refused_rows import read_refused
from shardwright.runtime.failures import Refused
from shardwright.runtime.snapshot.children import placed_children
from shardwright.runtime.snapshot.chunk_context import ChunkContext
from shardwright.runtime.snapshot.chunk_rows import ROUTED
from shardwright.runtime.snapshot.chunks import Chunk, Key
from shardwright.runtime.snapshot.read import CHUNK_ROWS_SCHEMA, chunk_reader
from shardwright.runtime.snapshot.told_chunk import OneChunk, ToldChunk, WhichChunk
from shardwright.runtime.snapshot.write import WRITTEN_SCHEMA, chunk_writer
from shardwright.runtime.spark import SNAPSHOT_POOL
from shardwright.runtime.stream.position import StreamPosition
from shardwright.runtime.stream.sources import Sources, carrying, head_position
from shardwright.runtime.stream.whereabouts import family_of

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, Row, SparkSession


@dataclass(frozen=True, slots=True)
class ChunkReport:
    """A chunk that is done on every shard; `shards` have rows of it. `loaded`: bytes sent to shards by this run; `seconds` of
    reading and writing, without waiting."""

    chunk: Chunk
    rows: int
    shards: frozenset[int]
    loaded: int = 0
    seconds: float = 0.0


@dataclass
class ChunkCopier:
    """May be called by several threads. `stopped`: whether the run is being stopped. Within `placing_children` no batch moves a parent. `held`
    are the keys of a table that are dead letters, `hold` makes more of them, of refused rows (key and reason), before the chunk is
    written without these. `keeping`: tasks keep their connections to shards for the next chunk. `at_once` tasks run at the same time: chunks
    that wait hold none."""

    spark: SparkSession
    plan: Plan
    servers: Servers
    epoch: int
    stopped: Callable[[], bool]
    sources: Sources
    stream_position: Callable[[], StreamPosition]
    held: Callable[[str], frozenset[Key]]
    hold: Callable[[str, Mapping[Key, str]], None]
    placing_children: Callable[[], AbstractContextManager[None]] = nullcontext
    keeping: bool = True
    at_once: int = 1
    _told: ToldChunk = field(init=False, default_factory=ToldChunk)
    _own: threading.local = field(init=False, default_factory=threading.local)
    _whole: dict[str, DataFrame] = field(init=False, default_factory=dict)
    _planning: threading.Lock = field(init=False, default_factory=threading.Lock)
    _tasks: threading.BoundedSemaphore = field(init=False)

    def __post_init__(self) -> None:
        self._tasks = threading.BoundedSemaphore(self.at_once)

    def may_wait(self, table: TablePlan) -> bool:
        """Whether chunks of the table are read, wait for the stream or for parents, and are written then."""
        return table.parent is not None or self._follows_lighter(table)

    def copy(self, table: TablePlan, chunk: Chunk) -> ChunkReport | None:
        """None when the run is being stopped and nothing was written."""
        self._describe(chunk)
        if not self.may_wait(table):
            self._told.tell(self.spark.sparkContext, chunk)
            return self._write(lambda context: self._whole_query(table, context), table, chunk)
        # What these rows were read with must stand before they do: their details may be younger than the details' own
        # chunks. They wait in Spark's storage, not in a task: the stream needs the cores.
        one = OneChunk(chunk)
        rows = self._read(table, one).persist()
        try:
            with self._tasks:
                began = time.monotonic()
                rows.count()
                seconds = time.monotonic() - began
            if self._follows_lighter(table) and not self._stream_has_passed(self.heads(chunk)):
                return None
            with self.placing_children() if table.parent is not None else nullcontext():
                routed = self._routed(rows, table)
                return self._write(lambda context: _written(routed, context, one), table, chunk, read_seconds=seconds)
        finally:
            rows.unpersist()

    def _whole_query(self, table: TablePlan, context: ChunkContext) -> DataFrame:
        """Reads, places and writes whichever chunk its job is told. One for all threads: planning it takes a while, the first time a
        second."""
        if context.held:
            return _written(self._routed(self._read(table, self._told), table), context, self._told)
        with self._planning:
            if table.logical not in self._whole:
                routed = self._routed(self._read(table, self._told), table)
                self._whole[table.logical] = _written(routed, context, self._told)
                _ = self._whole[table.logical]._jdf.queryExecution().executedPlan()
            return self._whole[table.logical]

    def heads(self, chunk: Chunk) -> StreamPosition:
        """Behind whatever the read of the chunk saw."""
        return head_position(carrying(self.sources, {str(chunk.source)}))

    def _describe(self, chunk: Chunk) -> None:
        """For Spark's pages, and for its scheduler."""
        context = self.spark.sparkContext
        context.setLocalProperty("spark.scheduler.pool", SNAPSHOT_POOL)
        context.setJobDescription(f"{chunk.logical}: {chunk}")

    def _session(self) -> SparkSession:
        """Each thread's own: views of the same name do not meet."""
        kept: dict[str, SparkSession] = self._own.__dict__.setdefault("sessions", {})
        if not kept:
            kept["own"] = self.spark.newSession()
        return kept["own"]

    def _read(self, table: TablePlan, which: WhichChunk) -> DataFrame:
        step = self.plan.step(table.logical, StepName.CHUNK_READ)
        statements = {statement.name: statement.sql for statement in step.statements}
        reader = chunk_reader(self.servers, which, table, statements=statements)
        return self._session().range(0, 1, 1, 1).mapInArrow(reader, CHUNK_ROWS_SCHEMA)

    def _routed(self, rows: DataFrame, table: TablePlan) -> DataFrame:
        if table.parent is not None:
            return placed_children(rows, self.plan, table, family=family_of(self.plan, self.servers))
        rows.createOrReplaceTempView("chunk_rows")
        return rows.sparkSession.sql(self.plan.step(table.logical, StepName.SNAPSHOT_ROUTE).statement("route"))

    def _follows_lighter(self, table: TablePlan) -> bool:
        return table.weight > min(other.weight for other in self.plan.tables)

    def _write(
        self,
        query: Callable[[ChunkContext], DataFrame],
        table: TablePlan,
        chunk: Chunk,
        *,
        read_seconds: float = 0.0,
    ) -> ChunkReport:
        """On shards that have written it, a chunk is not written again while rows that others refuse are held."""
        step = self.plan.step(table.logical, StepName.SNAPSHOT_INSERT)
        context = ChunkContext(
            self.plan.migration,
            self.epoch,
            self.servers,
            table,
            {statement.name: statement.sql for statement in step.statements},
            self.plan.step(table.logical, StepName.VERIFY_SOURCE).statement("row"),
            naming=table.logical in self.plan.quarantine,
            keeping=self.keeping,
        )
        while True:
            held = self.held(table.logical) if context.naming else frozenset()
            with self._tasks:
                written = query(replace(context, held=held)).collect()
            refused = {key: why for row in written for _, key, why in read_refused(row["refused"])}
            if not refused:
                return _report(written, table, chunk, read_seconds=read_seconds)
            if refused.keys() <= held:
                key, why = next(iter(refused.items()))
                raise Refused("SW8511", f"{table.logical} ({', '.join(key)}), copied though it is held: {why}")
            self.hold(table.logical, refused)

    def _stream_has_passed(self, position: StreamPosition) -> bool:
        """Wait until the stream stands at or behind `position`; False when the run is being stopped."""
        while not self.stream_position().reached(position):
            if self.stopped():
                return False
            time.sleep(0.05)
        return True


def _written(routed: DataFrame, context: ChunkContext, which: WhichChunk) -> DataFrame:
    return routed.select(*ROUTED).mapInArrow(chunk_writer(context, which), WRITTEN_SCHEMA)


def _report(written: list[Row], table: TablePlan, chunk: Chunk, *, read_seconds: float) -> ChunkReport:
    # A broadcast row is written to every shard but read once.
    counted = [row for row in written if table.distribution != "broadcast" or row["shard"] == 0]
    return ChunkReport(
        chunk,
        sum(row["rows_read"] for row in counted),
        frozenset(row["shard"] for row in written),
        sum(row["loaded"] for row in written),
        read_seconds + max((row["seconds"] for row in written), default=0.0),
    )
