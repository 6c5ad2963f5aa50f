"""What does Spark run for chunks? Rows are read, routed by the plan's SQL, and written, in one task and without a
shuffle. Where the source's server computes their places, one Python function reads and writes them: no row passes
through Java, and the job is none of Spark's SQL.

Runs in the driver: composes queries and sets job properties. The functions that read and write run in Spark tasks.
"""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from shardwright.compiler.plan.plan import Plan, StepName, TablePlan
from shardwright.runtime.ledger.parent_places import family_of
from shardwright.runtime.snapshot.children import locate_children
from shardwright.runtime.snapshot.chunk_properties import ChunkContext, ChunkParameters, ChunkWork, OneChunk, WhichChunk
from shardwright.runtime.snapshot.chunk_rows import ROUTED
from shardwright.runtime.snapshot.read import chunk_reader, chunk_schema
from shardwright.runtime.snapshot.write import WRITTEN_SCHEMA, chunk_writer
from shardwright.runtime.spark.session import SNAPSHOT_POOL, assign_pool

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pyspark.sql import DataFrame, SparkSession


class Query(Protocol):
    def collect(self) -> Sequence[Any]:
        """Starts a job. Its rows have the columns of WRITTEN_SCHEMA, by name."""
        ...


@dataclass
class ChunkQueries:
    """Composes the queries of chunks, and keeps one for all tables that read their places, and one for each other
    table. Several threads may use it."""

    spark: SparkSession
    """The run's session; each thread derives one of its own from it."""
    plan: Plan
    """The compiled plan of the migration."""
    context: ChunkContext
    """What tasks know of the run."""
    _parameters: ChunkParameters = field(init=False, default_factory=ChunkParameters)
    _own: threading.local = field(init=False, default_factory=threading.local)
    _whole: dict[str | None, Query] = field(init=False, default_factory=dict)
    _making: threading.Lock = field(init=False, default_factory=threading.Lock)

    def describe(self, what: str) -> None:
        """Names the jobs of this thread from now on, for Spark's pages, and assigns them to the scheduler's pool of the
        snapshot."""
        context = self.spark.sparkContext
        assign_pool(context, SNAPSHOT_POOL)
        context.setJobDescription(what)

    def prepare(self, table: TablePlan) -> None:
        """Copies nothing. Spark loads and compiles what its first query takes, and a smaller query starts Python's
        workers meanwhile. That takes seconds for a table whose rows Spark routes."""
        self.describe(f"{table.logical}: warm-up query")
        with ThreadPoolExecutor(max_workers=1, thread_name_prefix="workers") as pool:
            workers = None if table.placement.is_read else pool.submit(self._start_workers)
            self._parameters.send(self.spark.sparkContext, None)
            self._query(table).collect()
            if workers is not None:
                workers.result()

    def whole(self, work: ChunkWork) -> Query:
        """Reads, routes and writes the chunk in the next job of this thread."""
        self._parameters.send(self.spark.sparkContext, work)
        return self._query(work.table)

    def read(self, work: ChunkWork) -> DataFrame:
        """The rows of this chunk and no other: they are kept, and Spark may read them a second time."""
        return self._read(work.table, OneChunk(work))

    def route(self, rows: DataFrame, table: TablePlan) -> DataFrame:
        if table.placement.is_read:
            return rows
        if table.placement.parent is not None:
            return locate_children(rows, self.plan, table, family=family_of(self.plan, self.context.servers))
        rows.createOrReplaceTempView("chunk_rows")
        return rows.sparkSession.sql(self.plan.step(table.logical, StepName.SNAPSHOT_ROUTE).statement("route"))

    def write(self, routed: DataFrame, which: WhichChunk) -> DataFrame:
        return routed.select(*ROUTED).mapInArrow(chunk_writer(self.context, which), WRITTEN_SCHEMA)

    def _query(self, table: TablePlan) -> Query:
        """Reads, routes and writes the chunk of its job. All threads and chunks share it, since planning it takes a
        while."""
        one_for = None if table.placement.is_read else table.logical
        with self._making:
            if one_for not in self._whole:
                self._whole[one_for] = self._read_and_written(table)
            return self._whole[one_for]

    def _read_and_written(self, table: TablePlan) -> Query:
        which = self._parameters
        if not table.placement.is_read:
            return self.write(self.route(self._read(table, which), table), which)
        read, write = chunk_reader(self.context.servers, which), chunk_writer(self.context, which)

        def read_and_write(_: int) -> Iterator[dict[str, Any]]:
            for batch in write(read(iter(()))):
                yield from batch.to_pylist()

        # Without SQL: Spark would load and plan it for seconds, and each task would set it up, for a row in and some
        # rows out. The function has each element: a worker ends, and is forked again, when a task leaves some unread.
        return self.spark.sparkContext.parallelize([0], 1).flatMap(read_and_write)

    def _read(self, table: TablePlan, which: WhichChunk) -> DataFrame:
        return self._one_row().mapInArrow(chunk_reader(self.context.servers, which), chunk_schema(table))

    def _one_row(self) -> DataFrame:
        return self._session().range(0, 1, 1, 1)

    def _start_workers(self) -> None:
        self.describe("Python's workers")
        self.spark.range(0, 1, 1, 1).mapInArrow(_nothing, "id bigint").collect()

    def _session(self) -> SparkSession:
        """Each thread has its own: views of the same name do not collide."""
        kept: dict[str, SparkSession] = self._own.__dict__.setdefault("sessions", {})
        if not kept:
            kept["own"] = self.spark.newSession()
        return kept["own"]


def _nothing(batches: Iterator[Any]) -> Iterator[Any]:
    for _ in batches:
        pass
    yield from ()
