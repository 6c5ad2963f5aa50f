"""Following the stream: Spark Structured Streaming hands out ranges of all sources, each becomes one batch."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import reduce
from pathlib import Path
from typing import TYPE_CHECKING

from shardwright.runtime.binlog.table_changed import CODE as TABLE_CHANGED
from shardwright.runtime.failures import RuntimeFailure, StoppedPartWay
from shardwright.runtime.ledger.batches import MigrationState
from shardwright.runtime.queues.message_place import TABLE_CHANGED as QUEUED
from shardwright.runtime.spark import STREAM_POOL
from shardwright.runtime.spark_failures import as_failure, worker_was_late
from shardwright.runtime.stream.offsets import batch_ends
from shardwright.runtime.stream.position import StreamPosition
from shardwright.runtime.stream.run_batch import BatchReport, BatchRunner
from shardwright.runtime.stream_ddl.queued import before_statement

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession
    from pyspark.sql.streaming.query import StreamingQuery


_TABLE_CHANGED = frozenset({TABLE_CHANGED, QUEUED})
_STARTS = 12
"""Spark gives the stream's Python process ten seconds, which nothing can change; a busy machine may need more of them."""


@dataclass
class Follower:
    """One query over all sources of `batches`. `on_batch` hears of each batch. `on_ddl` is asked what happens at a change of a
    followed table: when it returns, the books stand behind it. `may_write` returns when a batch may be written."""

    spark: SparkSession
    batches: BatchRunner
    interval_seconds: float
    on_batch: Callable[[BatchReport], None] = lambda _report: None
    on_ddl: Callable[[MigrationState, RuntimeFailure], None] | None = None
    may_write: Callable[[], None] = lambda: None
    failure: BaseException | None = None
    _checkpoint: Path = field(init=False)
    _ending: bool = False
    _query: StreamingQuery = field(init=False)
    _starts: int = 0
    _late_starts: int = 0
    _batch_seen: bool = False

    @property
    def position(self) -> StreamPosition:
        """Where the applied prefix ends."""
        return self.batches.state.position

    def start(self) -> None:
        """Begin at the ledgers' position, on a fresh checkpoint folder. The caller ends it with `finish_batch_and_stop`."""
        self._starts += 1
        self._checkpoint = Path(tempfile.mkdtemp(prefix="shardwright-checkpoint-"))
        # The property goes with the thread: the query's own thread takes it over from this one.
        self.spark.sparkContext.setLocalProperty("spark.scheduler.pool", STREAM_POOL)
        self._query = (
            self._events()
            .writeStream.foreachBatch(self._on_batch)
            .option("checkpointLocation", str(self._checkpoint))
            .trigger(processingTime=f"{int(self.interval_seconds * 1000)} milliseconds")
            .queryName("shardwright stream")
            .start()
        )

    def _events(self) -> DataFrame:
        frames = [
            source.events(self.spark, self.position.parts[source.name], attempt=self._starts)
            for source in self.batches.sources
        ]
        # Events of queues say more than those of logs.
        return reduce(lambda left, right: left.unionByName(right, allowMissingColumns=True), frames)

    def check(self) -> None:
        """Raises what ended the stream. One that ended before its first batch, only because its Python process was slow to
        come up, begins again: nothing was opened yet."""
        error: BaseException | None = self.failure
        if error is None:
            if self._query.isActive:  # asked first: a query that has ended has its exception by then
                return
            error = self._query.exception()
            if error is None:
                raise StoppedPartWay("SW8304", "the stream has stopped; running again resumes")
        failure = as_failure(error)
        if self.on_ddl is not None and isinstance(failure, RuntimeFailure) and failure.code in _TABLE_CHANGED:
            self._query.stop()
            self.failure = None
            with self.batches.lock:  # the copier writes to the same books
                self._stand_before(failure)
                self.on_ddl(self.batches.state, failure)
            self.batches.read_again()
            self._late_starts = 0
        elif (
            self.failure is not None
            or self._batch_seen
            or self._late_starts >= _STARTS - 1
            or not worker_was_late(error)
        ):
            raise failure
        else:
            self._late_starts += 1
        shutil.rmtree(self._checkpoint, ignore_errors=True)
        self._batch_seen = False
        self.start()

    def _stand_before(self, failure: RuntimeFailure) -> None:
        """Ranges of a queue may reach over a message that changes a table: what lies before it becomes a batch. The caller
        holds the lock."""
        sources, position = self.batches.sources, self.position
        before = before_statement(self.spark, sources, position, failure) if failure.code == QUEUED else None
        if before is not None:
            self.on_batch(self.batches.run(*before))

    def finish_batch_and_stop(self) -> None:
        """Let the batch under way finish, take no other one, stop. What Spark then believes to be committed does not
        matter: the checkpoint folder goes away, the ledgers say where to go on."""
        self._ending = True
        with self.batches.lock:
            pass
        self._query.stop()
        shutil.rmtree(self._checkpoint, ignore_errors=True)

    def _on_batch(self, changes: DataFrame, batch_id: int) -> None:
        # Spark wraps what is raised here in its own exception: the run reads ours from `failure`.
        try:
            self.may_write()
            with self.batches.lock:
                if self._ending:
                    return
                self._batch_seen = True
                report = self.batches.run(changes, self._end(batch_id))
            self.on_batch(report)
        except BaseException as error:
            self.failure = error
            raise

    def _end(self, batch_id: int) -> StreamPosition:
        ends = batch_ends(self._checkpoint, batch_id)
        given = zip(self.batches.sources, ends, strict=True)
        return self.position.advanced(
            StreamPosition({source.name: source.end_of(end) for source, end in given if end is not None})
        )
