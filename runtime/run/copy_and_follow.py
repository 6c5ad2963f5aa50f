"""The long part of a run: chunks are copied while the stream is followed, then it is followed to the end that was asked for."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

import pymysql

from shardwright.runtime.ddl.tables.build_indexes import IndexBuilding
from shardwright.runtime.ddl.tables.deferred_indexes import lacking
from shardwright.runtime.failures import RuntimeFailure
from shardwright.runtime.ledger.batches import MigrationState
from shardwright.runtime.ledger.recent_batches import RecentBatches
from shardwright.runtime.run.log_retention import LogRetention
from shardwright.runtime.run.order import RunOrder, RunResult, Until
from shardwright.runtime.run.progress.copy_progress import CopyCounter
from shardwright.runtime.run.progress.events import StreamProgress
from shardwright.runtime.run.source_outage import SetAside
from shardwright.runtime.run.throttle.connections import chunks_at_once
from shardwright.runtime.run.throttle.throttle import Throttle, throttle_of
from shardwright.runtime.snapshot import worker_daemon
from shardwright.runtime.sources.queue.fetched_jars import start_with_queue
from shardwright.runtime.sources.source import Sources, head_position
from shardwright.runtime.stream.apply.apply import Applier
from shardwright.runtime.stream.apply.ceiling import DeleteCeilings
from shardwright.runtime.stream.apply.purge_tombstones import forget_deletes
from shardwright.runtime.stream.batch.copy_end import keep_copy_end
from shardwright.runtime.stream.batch.run import BatchReport, BatchRunner
from shardwright.runtime.stream.follow.follow import Follower
from shardwright.runtime.stream.quarantine.held_rows import COPIED, DeadLetters
from shardwright.runtime.stream.schema_change.handler import DdlGate

if TYPE_CHECKING:
    from shardwright.runtime.snapshot.copy_chunk import ChunkReport

_IDLE_SECONDS: Final = 3.0
"""Without a batch for so long, the source is asked whether there is anything more."""


@dataclass
class CopyAndFollow:
    """`on_step` hears of every chunk and batch that is committed, `aside` of the sources that others go on without."""

    order: RunOrder
    ceilings: DeleteCeilings
    allowed_ddl: set[str]
    aside: SetAside
    on_step: Callable[[], None]
    _halted: threading.Event = field(default_factory=threading.Event)
    _copy_seconds: float = 0.0
    _changes: int = 0
    _batch: int = 0
    _told_stream: float = field(default_factory=time.monotonic)
    _is_idle: bool = False

    def execute(self, sources: Sources, dead: DeadLetters, applier: Applier) -> RunResult:
        """To the end that was asked for, or to the first failure; what `RunResult.seconds` says is this attempt's."""
        started = time.monotonic()
        # Spark and everything that imports it is loaded only now: start-up checks answer at once.
        from shardwright.runtime.snapshot.copy import Copier
        from shardwright.runtime.snapshot.copy_chunk import ChunkCopier
        from shardwright.runtime.stream.follow.reread_lost import reread_lost_rows

        plan, servers = self.order.plan, self.order.servers
        control = dead.control
        self.order.reporter.say("starting Spark")
        spark = start_with_queue(
            self.order.environment, name=f"shardwright {plan.migration}", daemon=worker_daemon.MODULE
        )
        progress = CopyCounter(plan, servers, self.order.reporter)
        recent = RecentBatches(control, plan.migration, self.order.environment.failover)
        batches = BatchRunner(plan, servers, sources, control, applier, self.ceilings, dead, recent)
        reread_lost_rows(spark, batches)
        gate = DdlGate(
            plan,
            servers,
            sources,
            control,
            applier.writer,
            self.order.reporter.say,
            allowed=self.allowed_ddl,
        )
        retention = LogRetention(servers, self.order.reporter.say)
        copying = batches.state.snapshot_end is None
        if copying:
            progress.begin()
        retention.begin(batches.needed_from, progress.expected_rows if copying else None)
        settings = self.order.environment
        throttle = throttle_of(
            plan.migration,
            settings,
            servers,
            environ=os.environ,
            say=self.order.reporter.say,
            ending=self._is_ending,
            meanwhile=lambda: retention.look(batches.needed_from),
        )
        say, may_build = self.order.reporter.say, throttle.may_write
        building = IndexBuilding(plan, servers, applier.writer, say, may_build, self.on_step)
        follower = Follower(
            spark,
            batches,
            self.order.environment.batch,
            on_batch=lambda report: self._on_batch(report, batches, retention),
            on_ddl=lambda state, failure: self._pass_ddl(batches, gate, state, failure),
            may_write=throttle.may_write,
            may_change_tables=lambda: self._is_built(building),
        )
        connections = settings.throttle.connections
        chunks = ChunkCopier(
            spark,
            plan,
            servers,
            applier.writer,
            self._is_ending,
            sources,
            lambda: follower.position,
            lambda logical: self._held(batches, logical),
            lambda logical, refused: self._hold(batches, logical, refused),
            placing_children=batches.families.shared,
            keeping=connections is None,
            at_once=chunks_at_once(settings.snapshot.parallel, spark.sparkContext.defaultParallelism, connections),
            say=self.order.reporter.say,
        )
        copier = Copier(
            chunks,
            settings.snapshot.chunk_rows,
            batches.begin_weight,
            on_chunk=lambda report: self._on_chunk(progress, throttle, report),
            may_write=throttle.may_copy,
            say=self.order.reporter.say,
            rows_a_second=lambda: throttle.pace.caps()[0],
        )
        follower.start()
        try:
            complete, caught_up = self._until_done(follower, copier, throttle, building)
        finally:
            self._halted.set()  # a batch that waits to be written has not begun
            building.end()
            follower.finish_batch_and_stop()
            throttle.close()
        return RunResult(
            snapshot_complete=complete,
            caught_up=caught_up,
            interrupted=self.order.stop.is_set(),
            position=str(follower.position),
            rows_copied=progress.rows,
            copy_seconds=self._copy_seconds,
            changes=self._changes,
            seconds=time.monotonic() - started,
            held=dead.count(),
        )

    def _copied(self, follower: Follower, copier: Any) -> bool:
        """Whether the snapshot is complete (False: stopped in between)."""
        if follower.batches.state.snapshot_end is not None:
            return True
        began = time.monotonic()
        with ThreadPoolExecutor(max_workers=1, thread_name_prefix="copy") as pool:
            copying: Future[bool] = pool.submit(copier.run)
            try:
                while not copying.done() and not self.order.stop.is_set():
                    follower.check()
                    self._tell_when_idle(follower)
                    time.sleep(0.1)
            except BaseException:
                self._halted.set()  # the copier looks between chunks
                raise
            try:
                return copying.result()
            finally:
                self._copy_seconds = time.monotonic() - began

    def _until_done(
        self, follower: Follower, copier: Any, throttle: Throttle, building: IndexBuilding
    ) -> tuple[bool, bool]:
        complete = self._copied(follower, copier)
        if complete and self.order.until is not Until.SNAPSHOT:
            building.begin()  # first of all: whatever the stream is to change about tables waits for it
        follower.check()
        if not complete:
            return False, False
        follower.batches.snapshot_finished()
        self.order.reporter.say("snapshot complete")
        if self.order.until is Until.SNAPSHOT:
            if without := lacking(self.order.plan, self.order.servers):
                self.order.reporter.say(
                    f"{len(without)} tables lack their indexes: run --until caught-up or forever builds them"
                )
            return True, False
        head = head_position(follower.batches.sources)
        told = kept = forgotten = False
        built = building.done
        from shardwright.runtime.stream.follow.retry_quarantined import Answers

        answers = Answers(follower.spark, follower.batches)
        while not self.order.stop.is_set():
            follower.check()
            building.check()
            if building.done and not built:
                built, head = True, head_position(follower.batches.sources)  # it may have taken hours
            self._tell_when_idle(follower)
            batches = follower.batches
            batches.look_who_waits()
            if not throttle.order.last.paused and not batches.waiting.since:
                answers.look()
            self.aside.look_again(follower.position)
            at_end = follower.position.reached(head) and not batches.waiting.since
            if self.aside.failures:
                self._require_hope(at_end=at_end)
            elif at_end:
                if not kept:
                    keep_copy_end(follower.batches)
                    kept = True
                if built and not told:
                    self.order.reporter.say(f"caught up with the source at {head}")
                    told = True
                if not forgotten and not follower.batches.delay.running:
                    self._forget_deletes(follower.batches)
                    forgotten = True
                if built and self.order.until is Until.CAUGHT_UP:
                    answers.look()
                    return True, True
            time.sleep(0.1)
        follower.check()
        return True, told

    def _pass_ddl(self, batches: BatchRunner, gate: DdlGate, state: MigrationState, failure: RuntimeFailure) -> None:
        batches.waiting.before_ddl(state)
        gate.pass_over(state, failure)

    def _require_hope(self, *, at_end: bool) -> None:
        """Raises when a source that is set aside keeps the run from its end."""
        given_up = self.aside.given_up(self.order.environment.network.retry_seconds)
        if at_end and self.order.until is Until.CAUGHT_UP and given_up is not None:
            raise given_up

    def _is_built(self, building: IndexBuilding) -> bool:
        """Returns when all indexes stand, or the run is being stopped: whether they do."""
        while not building.done and not self._is_ending():
            building.check()
            time.sleep(0.1)
        return building.done

    def _is_ending(self) -> bool:
        return self.order.stop.is_set() or self._halted.is_set()

    def _held(self, batches: BatchRunner, logical: str) -> frozenset[tuple[str, ...]]:
        """As the books have it: an operator may have given some up."""
        if not batches.dead.letters:
            return frozenset()
        with batches.lock:
            batches.dead.read()
            return batches.dead.held(logical)

    def _hold(self, batches: BatchRunner, logical: str, refused: Mapping[tuple[str, ...], str]) -> None:
        """Between two batches, in the books before the chunk is written: no event of these rows passes any more."""
        dead = batches.dead
        with batches.lock:
            refusals = [dead.refusal(logical, key, "SW8511", reason=why) for key, why in refused.items()]
            dead.hold(refusals, batch=COPIED)

    def _on_chunk(self, progress: CopyCounter, throttle: Throttle, report: ChunkReport) -> None:
        self.on_step()
        throttle.pace.count(report.rows, report.loaded)
        progress.count(report)

    def _forget_deletes(self, batches: BatchRunner) -> None:
        with batches.lock:
            forget_deletes(self.order.plan, self.order.servers, writer=batches.applier.writer)

    def _on_batch(self, report: BatchReport, batches: BatchRunner, retention: LogRetention) -> None:
        self.on_step()
        retention.look(batches.needed_from)
        lag = None if report.committed_at is None else max(0.0, time.time() - report.committed_at)
        events = sum(report.events.values())
        self._changes, self._batch = self._changes + events, report.batch
        self._told_stream, self._is_idle = time.monotonic(), False
        self.order.reporter.tell(StreamProgress(report.batch, events, str(report.end), lag, report.seconds))

    def _tell_when_idle(self, follower: Follower) -> None:
        """The lag of the last batch is not that of a stream that has found nothing more since: then it is 0."""
        if self._is_idle or time.monotonic() - self._told_stream < _IDLE_SECONDS:
            return
        self._told_stream = time.monotonic()
        position = follower.position
        try:
            self._is_idle = position.reached(head_position(follower.batches.sources))
        except (RuntimeFailure, pymysql.err.MySQLError):
            return  # who follows the source meets the same trouble, and tells it
        if self._is_idle:
            self.order.reporter.tell(StreamProgress(self._batch, 0, str(position), 0.0, 0.0))
