"""Which objects does a run consist of, and how are they connected?

Runs in the driver, once for each attempt; starts Spark. Writes only to read again rows that a server has lost.
"""

from __future__ import annotations

import os
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from shardwright.runtime.ddl.tables.build_indexes import IndexBuilding
from shardwright.runtime.events.run import SparkStarted, SparkStarting
from shardwright.runtime.ledger.context import RunContext
from shardwright.runtime.ledger.recent_batches import RecentBatches
from shardwright.runtime.run import worker_daemon
from shardwright.runtime.run.log_retention import LogRetention
from shardwright.runtime.run.order import RunOrder
from shardwright.runtime.run.progress.copy_progress import CopyCounter
from shardwright.runtime.run.throttle.connections import chunks_at_once
from shardwright.runtime.run.throttle.throttle import Throttle, throttle_of
from shardwright.runtime.sources.queue.fetched_jars import start_with_queue
from shardwright.runtime.sources.source import Sources
from shardwright.runtime.stream.apply.ceiling import DeleteCeilings
from shardwright.runtime.stream.batch.run import BatchReport, BatchRunner
from shardwright.runtime.stream.follow.follow import Follower
from shardwright.runtime.stream.quarantine.applier import QuarantiningApplier
from shardwright.runtime.stream.schema_change.emptying import Emptying
from shardwright.runtime.stream.schema_change.handler import SchemaChangeHandler

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from shardwright.runtime.snapshot.copy import Copier
    from shardwright.runtime.snapshot.copy_chunk import ChunkReport


class Listener(Protocol):
    """What the parts report to while they work. Called from several threads."""

    def is_ending(self) -> bool:
        """Whether no new unit of work may begin."""
        ...

    def step_done(self) -> None:
        """A chunk, a batch or an index is committed."""
        ...

    def batch_done(self, report: BatchReport) -> None: ...


@dataclass(frozen=True, slots=True)
class Parts:
    """All parts of one attempt, not started yet."""

    spark: SparkSession
    """The session of the whole attempt."""
    batches: BatchRunner
    """Decides and applies one batch after the other."""
    follower: Follower
    """Follows the sources, in a thread of its own once it is started."""
    copier: Copier
    """Plans and copies chunks, until the snapshot is complete."""
    throttle: Throttle
    """It listens for operators' orders already. The caller closes it."""
    building: IndexBuilding
    """Builds the indexes that were left out until all rows are copied."""
    progress: CopyCounter
    """Counts the chunks of this attempt."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Assembly:
    """Makes the parts of one attempt."""

    order: RunOrder
    """What the operator asked for."""
    context: RunContext
    """Plan, servers, the connection to the first shard, and the fenced writer."""
    sources: Sources
    """Those that can be read, each at the position from which the stream continues."""
    applier: QuarantiningApplier
    """Applies batches and quarantines the rows that a shard refuses."""
    ceilings: DeleteCeilings
    """Delete limits by table. One object for all attempts, so that an allowance is used once."""
    allowed_ddl: set[str]
    """Places ("file:offset") of DDL statements that the stream may skip, each once; used ones are removed."""
    listener: Listener
    """Is called for each committed unit of work, and says when the run ends."""

    def parts(self) -> Parts:
        """Makes all parts. No thread of the run has begun when this returns, apart from the listener for orders.

        Rows that a server has lost are read again first. Nothing else is written.
        """
        # Spark and everything that imports it is loaded only now, so that start-up checks answer at once.
        from shardwright.runtime.stream.follow.repair_lost import repair_lost_rows

        context, environment = self.context, self.order.environment
        context.emit(SparkStarting())
        began = time.monotonic()
        spark = start_with_queue(environment, name=f"shardwright {context.migration}", daemon=worker_daemon.MODULE)
        if context.both_ways:
            # Both directions run in this process, and their batches have views of the same names.
            spark = spark.newSession()
        context.emit(SparkStarted(round(time.monotonic() - began, 3)))
        progress = CopyCounter(context.plan, context.servers, context.emit)
        recent = RecentBatches(
            context.control,
            context.migration,
            environment.failover,
            kept_seconds=environment.cutover.verified_within_seconds,
        )
        batches = BatchRunner(context, self.sources, applier=self.applier, ceilings=self.ceilings, recent=recent)
        if self.order.rounds is not None:
            batches.lock = self.order.rounds.lock
        repair_lost_rows(spark, batches)
        retention = LogRetention(context.servers, context.emit)
        copying = batches.state.snapshot_end is None
        if copying:
            progress.begin()
        retention.begin(batches.state.position, progress.row_estimate if copying else None)
        throttle = throttle_of(
            context,
            environment,
            environ=os.environ,
            ending=self.listener.is_ending,
            meanwhile=lambda: retention.look(batches.state.position),
        )
        building = IndexBuilding(
            plan=context.plan,
            servers=context.servers,
            writer=context.writer,
            emit=context.emit,
            may_build=throttle.may_write,
            on_step=self.listener.step_done,
        )
        follower = self._follower(spark, batches, throttle=throttle, building=building, retention=retention)
        copier = self._copier(spark, batches, throttle=throttle, follower=follower, progress=progress)
        return Parts(spark, batches, follower, copier, throttle, building, progress)

    def _follower(
        self,
        spark: SparkSession,
        batches: BatchRunner,
        *,
        throttle: Throttle,
        building: IndexBuilding,
        retention: LogRetention,
    ) -> Follower:
        emptying = Emptying(self.context, self.ceilings, throttle.may_write, self.listener.step_done)
        gate = SchemaChangeHandler(self.context, self.sources, emptying, allowed=self.allowed_ddl)

        def batch_done(report: BatchReport) -> None:
            retention.look(batches.state.position)
            self.listener.batch_done(report)

        return Follower(
            spark=spark,
            batches=batches,
            limits=self.order.environment.batch,
            on_batch=batch_done,
            on_ddl=gate.handle,
            may_write=throttle.may_write,
            may_change_tables=lambda: self._is_built(building),
            rounds=self.order.rounds,
        )

    def _copier(
        self,
        spark: SparkSession,
        batches: BatchRunner,
        *,
        throttle: Throttle,
        follower: Follower,
        progress: CopyCounter,
    ) -> Copier:
        from shardwright.runtime.snapshot.copy import Copier
        from shardwright.runtime.snapshot.copy_chunk import ChunkCopier

        snapshot, connections = self.order.environment.snapshot, self.order.environment.throttle.copy_connections

        def chunk_done(report: ChunkReport) -> None:
            self.listener.step_done()
            throttle.pace.count(report.rows, report.loaded)
            progress.count(report)

        chunks = ChunkCopier(
            spark=spark,
            plan=self.context.plan,
            servers=self.context.servers,
            writer=self.context.writer,
            stopped=self.listener.is_ending,
            sources=self.sources,
            stream_position=lambda: follower.position,
            held=batches.read_quarantined_keys,
            hold=batches.quarantine_copied,
            placing_children=batches.families.share,
            keeping=connections is None,
            at_once=chunks_at_once(snapshot.parallel, spark.sparkContext.defaultParallelism, connections),
            emit=self.context.emit,
        )
        return Copier(
            chunks=chunks,
            chunk_rows=snapshot.chunk_rows,
            begin_weight=batches.begin_weight,
            on_chunk=chunk_done,
            may_write=throttle.may_copy,
            emit=self.context.emit,
            rows_a_second=lambda: throttle.pace.caps()[0],
            left=progress.estimate_left,
        )

    def _is_built(self, building: IndexBuilding) -> bool:
        """Waits until all indexes are built or the run is being stopped. Returns whether they are built."""
        while not building.is_done and not self.listener.is_ending():
            building.check()
            time.sleep(0.1)
        return building.is_done
