"""Following the stream: Spark Structured Streaming hands out ranges, each range becomes one staged, applied batch."""

from __future__ import annotations

import shutil
import tempfile
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pymysql.connections import Connection

from shardwright.compiler.catalogue import Column
from shardwright.compiler.plan import Plan
from shardwright.runtime.binlog.position import LogPosition
from shardwright.runtime.binlog.source import binlog_source
from shardwright.runtime.connections import Servers
from shardwright.runtime.failpoints import failpoint
from shardwright.runtime.failures import StoppedPartWay
from shardwright.runtime.ledger.batches import (
    MigrationState,
    OpenBatch,
    audit,
    close_batch,
    mark_staged,
    open_batch,
    read_migration,
)
from shardwright.runtime.ledger.weights import record_begin, recorded_begins
from shardwright.runtime.source_state import proved_position
from shardwright.runtime.spark import STREAM_POOL
from shardwright.runtime.spark_failures import as_failure, worker_was_late
from shardwright.runtime.stream.apply import Applier, StagedBatch
from shardwright.runtime.stream.begun import begun
from shardwright.runtime.stream.ceiling import DeleteCeilings
from shardwright.runtime.stream.decide import EventCounts, count_events, stage_batch
from shardwright.runtime.stream.log_address import log_connection
from shardwright.runtime.stream.offsets import batch_end
from shardwright.runtime.stream.parents import Involved, RoutedFamilies, involved, route_families
from shardwright.runtime.stream.shared_exclusive import SharedExclusive
from shardwright.runtime.stream.stage import BatchContext
from shardwright.runtime.stream.whereabouts import family_of
from shardwright.runtime.transactions import in_transaction
from shardwright.specs.environment import BatchLimits

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession
    from pyspark.sql.streaming.query import StreamingQuery


_STARTS = 12
"""Spark gives the stream's Python process ten seconds, which nothing can change; a busy machine may need more of them."""


@dataclass(frozen=True, slots=True)
class BatchReport:
    """What the run reports of one finished batch."""

    batch: int
    end: LogPosition
    events: Mapping[str, int]
    committed_at: int | None
    seconds: float


@dataclass(frozen=True, slots=True)
class _Batch:
    """`logicals` are the touched tables whose rows say themselves where they belong."""

    number: int
    end: LogPosition
    counts: EventCounts
    logicals: tuple[str, ...]


@dataclass
class Follower:
    """One stream from one source. `position` is where the applied prefix ends; `on_batch` hears of each batch. While a batch
    moves parents it holds `families` alone."""

    spark: SparkSession
    plan: Plan
    servers: Servers
    control: Connection[Any]
    applier: Applier
    limits: BatchLimits
    ceilings: DeleteCeilings
    on_batch: Callable[[BatchReport], None] = lambda _report: None
    failure: BaseException | None = None
    families: SharedExclusive = field(default_factory=SharedExclusive)
    _state: MigrationState = field(init=False)
    _checkpoint: Path = field(init=False)
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _ending: bool = False
    _begins: dict[int, LogPosition] = field(default_factory=dict)
    _query: StreamingQuery = field(init=False)
    _starts: int = 0
    _batch_seen: bool = False

    def start(self) -> None:
        """Begin at the ledgers' position, on a fresh checkpoint folder. The caller ends it with `finish_batch_and_stop`."""
        self._state = self._read_state()
        self._begins = self._read_begins()
        self._start_query()

    def _start_query(self) -> None:
        self._starts += 1
        self._checkpoint = Path(tempfile.mkdtemp(prefix="shardwright-checkpoint-"))
        source = binlog_source(
            log_connection(self.servers.source),
            followed_tables(self.plan),
            start=self._state.position,
            max_rows=self.limits.max_rows,
            max_bytes=self.limits.max_bytes,
        )
        self.spark.dataSource.register(source)
        self.spark.sparkContext.setLocalProperty("spark.scheduler.pool", STREAM_POOL)
        self._query = (
            self.spark.readStream.format(source.name())
            .load()
            .writeStream.foreachBatch(self._on_batch)
            .option("checkpointLocation", str(self._checkpoint))
            .trigger(processingTime=f"{int(self.limits.interval_seconds * 1000)} milliseconds")
            .queryName("shardwright stream")
            .start()
        )

    def check(self) -> None:
        """Raises what ended the stream. One that ended before its first batch, only because its Python process was slow to
        come up, begins again: nothing was opened yet."""
        if self.failure is not None:
            raise as_failure(self.failure)
        if self._query.isActive:  # asked first: a query that has ended has its exception by then
            return
        error = self._query.exception()
        if error is None:
            raise StoppedPartWay("SW8304", "the stream has stopped; running again resumes")
        if self._batch_seen or self._starts >= _STARTS or not worker_was_late(error):
            raise as_failure(error)
        shutil.rmtree(self._checkpoint, ignore_errors=True)
        self._start_query()  # what was read of the ledgers stands: the copier may have added weights to it meanwhile

    def finish_batch_and_stop(self) -> None:
        """Let the batch under way finish, take no other one, stop. What Spark then believes to be committed does not
        matter: the checkpoint folder goes away, the ledgers say where to go on."""
        self._ending = True
        with self._lock:
            pass
        self._query.stop()
        shutil.rmtree(self._checkpoint, ignore_errors=True)

    @property
    def position(self) -> LogPosition:
        return self._state.position

    def snapshot_finished(self) -> None:
        """The snapshot's end stands in the ledger now: batches that lie behind it need no tombstones any more."""
        with self._lock:
            self._state = self._read_state()

    def begin_weight(self, weight: int) -> None:
        """From here on the stream counts for the tables of this weight: before their first chunk is read. No batch is
        under way meanwhile, so none has passed over events that lie behind the recorded position."""
        with self._lock:
            if weight in self._begins:
                return
            source = self.servers.connect_source()
            try:
                position = proved_position(source)
            finally:
                source.close()
            migration, epoch = self.plan.migration, self.applier.epoch
            in_transaction(
                self.control,
                lambda c: record_begin(c, migration, weight, position=position),
                role="data",
                epoch=epoch,
            )
            self._begins[weight] = position

    def _read_begins(self) -> dict[int, LogPosition]:
        """The lightest weight begins with the migration."""
        lightest = min(table.weight for table in self.plan.tables)
        return {lightest: self._state.start, **recorded_begins(self.control, self.plan.migration)}

    def _read_state(self) -> MigrationState:
        connection = self.servers.connect_shard(0)
        try:
            state = read_migration(connection, self.plan.migration)
        finally:
            connection.close()
        assert state is not None
        return state

    def _on_batch(self, changes: DataFrame, batch_id: int) -> None:
        # Spark wraps what is raised here in its own exception: the run reads ours from `failure`.
        try:
            with self._lock:
                if self._ending:
                    return
                self._batch_seen = True
                self._one_batch(changes, batch_end(self._checkpoint, batch_id))
        except BaseException as error:
            self.failure = error
            raise

    def _one_batch(self, changes: DataFrame, end: LogPosition) -> None:
        started = time.monotonic()
        number = self._state.batch + 1
        events = changes.persist()
        changes = begun(events, self.plan, self._begins)
        try:
            counts = count_events(changes)
            which = involved(self.plan, count_events(events).by_table if self.plan.children else {})
            families = {table.logical for table in which.children}
            batch = _Batch(number, end, counts, tuple(name for name in self._touched(counts) if name not in families))
            if which:
                with self.families.exclusive():
                    self._stage_and_apply(changes, batch, events=events, which=which)
            elif batch.logicals:
                self._stage_and_apply(changes, batch, events=events, which=which)
        finally:
            events.unpersist()
        self._close(number, end, counts)
        seconds = time.monotonic() - started
        self.on_batch(BatchReport(number, end, counts.by_table, counts.committed_at, seconds))

    def _touched(self, counts: EventCounts) -> tuple[str, ...]:
        return tuple(
            table.logical for table in self.plan.tables if any(str(name) in counts.by_table for name in table.sources)
        )

    def _stage_and_apply(self, changes: DataFrame, batch: _Batch, *, events: DataFrame, which: Involved) -> None:
        migration, epoch, number = self.plan.migration, self.applier.epoch, batch.number
        opened = OpenBatch(
            number, self.plan.fingerprint, "open", self._state.position, batch.end, batch.counts.committed_at, work={}
        )
        failpoint("before-open-batch")
        in_transaction(self.control, lambda c: open_batch(c, migration, opened), role="data", epoch=epoch)
        failpoint("after-open-batch")
        tables = {table.logical: table for table in self.plan.applied}
        copying = self._copying()
        context = BatchContext(migration, number, epoch, self.servers, tables)
        families = self._families(changes, events=events, which=which)
        work = stage_batch(
            changes.sparkSession,
            self.plan,
            changes,
            logicals=batch.logicals,
            families=families,
            context=context,
            snapshot_open=copying,
        )
        self.ceilings.check(work, start=self._state.position, end=batch.end)
        self._audit_allowed()
        failpoint("before-mark-staged")
        in_transaction(self.control, lambda c: mark_staged(c, migration, number, work=work), role="data", epoch=epoch)
        failpoint("after-mark-staged")
        self.applier.apply(StagedBatch(number, work, copying))

    def _audit_allowed(self) -> None:
        details, self.ceilings.used = self.ceilings.used, []

        def note(connection: Connection[Any]) -> None:
            for detail in details:
                audit(connection, self.plan.migration, "deletes allowed", detail=detail)

        if details:
            in_transaction(self.control, note, role="data", epoch=self.applier.epoch)

    def _families(self, changes: DataFrame, *, events: DataFrame, which: Involved) -> RoutedFamilies | None:
        if not which:
            return None
        return route_families(
            changes.sparkSession,
            self.plan,
            which,
            events=events,
            changes=changes,
            family=family_of(self.plan, self.servers),
            snapshot_open=self._copying(),
        )

    def _copying(self) -> bool:
        """Until the stream has passed the position after the last chunk's read."""
        return self._state.snapshot_end is None or self._state.position < self._state.snapshot_end

    def _close(self, number: int, end: LogPosition, counts: EventCounts) -> None:
        migration = self.plan.migration

        def close(connection: Connection[Any]) -> None:
            close_batch(connection, migration, batch=number, end=end, committed_at=counts.committed_at)

        failpoint("before-close-batch")
        in_transaction(self.control, close, role="data", epoch=self.applier.epoch)
        failpoint("after-close-batch")
        self._state = MigrationState(
            fingerprint=self._state.fingerprint,
            source_identity=self._state.source_identity,
            start=self._state.start,
            position=end,
            batch=number,
            committed_at=counts.committed_at or self._state.committed_at,
            snapshot_end=self._state.snapshot_end,
        )


def followed_tables(plan: Plan) -> dict[str, tuple[Column, ...]]:
    """Every source table of the plan with all its columns, as the decoder wants them."""
    return {
        str(source): tuple(Column(column.name, column.type, column.nullable) for column in table.source_columns)
        for table in plan.tables
        for source in table.sources
    }
