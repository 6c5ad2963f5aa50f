"""How is the stream followed? Range after range of all sources, each of which becomes one batch.

Runs in a thread of the driver; writes what a batch writes.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from shardwright.runtime.failures import RuntimeFailure, StoppedPartWay
from shardwright.runtime.ledger.batches import MigrationState
from shardwright.runtime.sources.binlog.table_changed import CODE as TABLE_CHANGED
from shardwright.runtime.sources.events import Events
from shardwright.runtime.sources.next_range import NextRange, NextRanges
from shardwright.runtime.sources.positions.message_ref import TABLE_CHANGED as QUEUED
from shardwright.runtime.sources.positions.stream_position import StreamPosition
from shardwright.runtime.spark.failures import as_failure
from shardwright.runtime.spark.session import STREAM_POOL, assign_pool
from shardwright.runtime.stream.batch.query import PreparedBatch
from shardwright.runtime.stream.batch.run import BatchInput, BatchReport, BatchRunner
from shardwright.runtime.stream.follow.prefetch import Prefetcher
from shardwright.runtime.stream.rounds.rounds import Rounds
from shardwright.runtime.stream.rounds.side import RoundSide
from shardwright.specs.environment.environment import BatchLimits

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


_TABLE_CHANGED = frozenset({TABLE_CHANGED, QUEUED})


@dataclass(kw_only=True)
class Follower:
    """A thread that makes batches of what all sources of `batches` have, one range every `limits.interval_seconds` or,
    when there is more than that to do, without a pause."""

    spark: SparkSession
    """The run's session."""
    batches: BatchRunner
    """Runs the batches."""
    limits: BatchLimits
    """The largest batch, and the interval between two."""
    on_batch: Callable[[BatchReport], None] = lambda _report: None
    """Called with the report of each batch."""
    on_ddl: Callable[[MigrationState, RuntimeFailure], None] | None = None
    """Called at a change of a followed table: when it returns, the ledger's position is behind the statement. None: the
    stream stops there."""
    may_write: Callable[[], bool] = lambda: True
    """Returns True when a batch may be written, False when none may be any more."""
    may_change_tables: Callable[[], bool] = lambda: True
    """Whether `on_ddl` may be called now."""
    rounds: Rounds | None = None
    """Where both sides write all rows: the rounds of both directions, of which this one takes its part."""
    failure: BaseException | None = None
    """What ended the thread; None while it runs."""
    _ending: threading.Event = field(default_factory=threading.Event)
    _thread: threading.Thread = field(init=False)

    @property
    def position(self) -> StreamPosition:
        """Where the applied prefix ends."""
        return self.batches.state.position

    def start(self) -> None:
        """Begins at the ledgers' position. The caller ends it with `finish_batch_and_stop`."""
        from pyspark import InheritableThread

        self._thread = InheritableThread(target=self._follow)
        self._thread.name, self._thread.daemon = "stream", True
        self._thread.start()

    def check(self) -> None:
        """Raises what ended the stream. At a change of a followed table it calls `on_ddl` instead, and starts the
        thread again."""
        if self.failure is None:
            if self._thread.is_alive() or self.failure is not None:
                return
            raise StoppedPartWay("SW8304", "the stream has stopped; running again resumes")
        failure = as_failure(self.failure)
        if self.on_ddl is None or not isinstance(failure, RuntimeFailure) or failure.code not in _TABLE_CHANGED:
            raise failure
        if not (self.may_write() and self.may_change_tables()):
            return
        self._thread.join()
        self.failure = None
        with self.batches.lock:  # the copier writes to the same ledger
            self._pause_before(failure)
            self.on_ddl(self.batches.state, failure)
        self.batches.read_again()
        self.start()

    def _pause_before(self, failure: RuntimeFailure) -> None:
        """Ranges of a queue may reach over a message that changes a table: what is before it becomes a batch. The
        caller holds the lock."""
        position = self.position
        for source in self.batches.sources:
            before = source.range_before(self.spark, position.parts[source.name], failure)
            if before is not None and before.events is not None:
                end = position.advance(StreamPosition({source.name: before.end}))
                self.on_batch(self.batches.run(BatchInput(Events(before.events()), end)))
                return

    def finish_batch_and_stop(self) -> None:
        """Finishes the batch in progress and begins no other one. A thread that waits for a source's answer meanwhile
        is not waited for: its answer is not read any more."""
        self._ending.set()
        with self.batches.lock:
            pass

    def _follow(self) -> None:
        try:
            assign_pool(self.spark.sparkContext, STREAM_POOL)
            if self.rounds is not None:
                self._take_part(self.rounds)
                return
            ranges = NextRanges(self.spark, self.batches.sources, self.position)
            ahead = Prefetcher(ranges, self.batches, most_rows=self.limits.max_rows)
            try:
                self._range_after_range(ranges, ahead)
            finally:
                ahead.close()
                ranges.close()
        except BaseException as error:  # noqa: BLE001 - `check` raises it
            self.failure = error

    def _take_part(self, rounds: Rounds) -> None:
        side = RoundSide(self.spark, self.batches, self.on_batch, self.may_write, rounds.movable)
        try:
            rounds.take_part(side, self._ending.is_set, self.limits.interval_seconds)
        finally:
            side.close()

    def _range_after_range(self, ranges: NextRanges, ahead: Prefetcher) -> None:
        is_first = True
        while not self._ending.is_set():
            began = time.monotonic()
            seen = ahead.take(self.position)
            found = ranges.after(self.position) if seen is None else seen.found
            if found is not None:
                self._make_batch(ranges, found, ahead, prepared=None if seen is None else seen.prepared)
            elif is_first:
                self.batches.follow()
            is_first = False
            self._ending.wait(max(0.0, began + self.limits.interval_seconds - time.monotonic()))

    def _make_batch(
        self, ranges: NextRanges, found: NextRange, ahead: Prefetcher, *, prepared: PreparedBatch | None
    ) -> None:
        if not self.may_write():
            return
        with self.batches.lock:
            if self._ending.is_set():
                return
            batch = BatchInput(
                ranges.events(found),
                found.end,
                counts=found.counts,
                left_out=found.left_out,
                lasting=found.is_lasting,
                prepared=prepared,
            )
            report = self.batches.run(batch, meanwhile=lambda: self._look(ahead, found))
        self.on_batch(report)

    def _look(self, ahead: Prefetcher, found: NextRange) -> None:
        if not self._ending.is_set() and ahead.worth(found):
            ahead.begin(found.end)
