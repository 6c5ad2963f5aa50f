"""How does a run get from the start position to its end? It copies chunks while it follows the stream, then follows
the stream alone until the end that was asked for.

Runs in the driver, in the main thread of an attempt; purges tombstones on the shards after the copy, and leaves all
other writes to the parts that it drives.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

import pymysql

from shardwright.runtime.ddl.tables.deferred_indexes import find_lacking
from shardwright.runtime.events.copy import IndexesMissing, SnapshotComplete
from shardwright.runtime.events.stream import BatchApplied, CaughtUp, Following, Lag, TableApplied
from shardwright.runtime.failures import RuntimeFailure
from shardwright.runtime.ledger.context import RunContext
from shardwright.runtime.ledger.stage_summary import RowDecisions, count_decided
from shardwright.runtime.run.assemble import Assembly, Parts
from shardwright.runtime.run.order import RunOrder, RunResult, Until
from shardwright.runtime.run.source_outage import IsolatedSources
from shardwright.runtime.sources.source import Sources, has_reached, head_position
from shardwright.runtime.stream.apply.ceiling import DeleteCeilings
from shardwright.runtime.stream.apply.purge_tombstones import forget_deletes
from shardwright.runtime.stream.batch.copy_end import keep_copy_end
from shardwright.runtime.stream.batch.run import BatchReport, BatchRunner
from shardwright.runtime.stream.follow.follow import Follower
from shardwright.runtime.stream.quarantine.applier import QuarantiningApplier

if TYPE_CHECKING:
    from shardwright.runtime.snapshot.copy import Copier

_IDLE_SECONDS: Final = 3.0
"""After so long without a batch, the source is asked for its end."""


@dataclass
class CopyAndFollow:
    """The work of one attempt, after its start."""

    order: RunOrder
    """What the operator asked for."""
    ceilings: DeleteCeilings
    """Delete limits by table, kept over all attempts."""
    allowed_ddl: set[str]
    """Places ("file:offset") of DDL statements that the stream may skip."""
    aside: IsolatedSources
    """The sources that cannot be read, without which the others go on."""
    on_step: Callable[[], None]
    """Is called after every chunk, batch or index that is committed."""
    _halted: threading.Event = field(default_factory=threading.Event)
    _copy_seconds: float = 0.0
    _changes: int = 0
    _batch: int = 0
    _started_at: float = field(default_factory=time.monotonic)
    _stream_reported_at: float = field(default_factory=time.monotonic)
    _is_idle: bool = False
    _at_end_at: float | None = None
    """When the stream was last seen at the end of its sources."""
    _logical: Mapping[str, str] = field(init=False)
    """Source table -> logical table."""

    def __post_init__(self) -> None:
        self._logical = {str(name): table.logical for table in self.order.plan.tables for name in table.sources}

    def execute(self, context: RunContext, sources: Sources, applier: QuarantiningApplier) -> RunResult:
        """Works to the end that was asked for, or to the first failure. `RunResult.seconds` is this attempt's time."""
        started = time.monotonic()
        parts = Assembly(
            order=self.order,
            context=context,
            sources=sources,
            applier=applier,
            ceilings=self.ceilings,
            allowed_ddl=self.allowed_ddl,
            listener=self,
        ).parts()
        follower = parts.follower
        follower.start()
        try:
            complete, caught_up = self._until_done(parts)
        finally:
            self._halted.set()  # a batch that still waits for the throttle has not begun
            parts.building.end()
            follower.finish_batch_and_stop()
            parts.throttle.close()
        return RunResult(
            snapshot_complete=complete,
            caught_up=caught_up,
            interrupted=self.order.stop.is_set(),
            position=str(follower.position),
            rows_copied=parts.progress.rows,
            copy_seconds=self._copy_seconds,
            changes=self._changes,
            seconds=time.monotonic() - started,
            held=applier.dead_letters.count(),
        )

    def _copy(self, follower: Follower, copier: Copier) -> bool:
        """Runs the copier beside the stream. Returns whether the snapshot is complete (False: the run was stopped)."""
        if follower.batches.state.snapshot_end is not None:
            return True
        began = time.monotonic()
        with ThreadPoolExecutor(max_workers=1, thread_name_prefix="copy") as pool:
            copying: Future[bool] = pool.submit(copier.run)
            try:
                while not copying.done() and not self.order.stop.is_set():
                    follower.check()
                    self._report_when_idle(follower)
                    time.sleep(0.1)
            except BaseException:
                self._halted.set()  # the copier checks it between chunks
                raise
            try:
                return copying.result()
            finally:
                self._copy_seconds = time.monotonic() - began

    def _until_done(self, parts: Parts) -> tuple[bool, bool]:
        """Returns whether the snapshot is complete, and whether the stream has reached the source's end."""
        follower, building, throttle = parts.follower, parts.building, parts.throttle
        copied_before = follower.batches.state.snapshot_end is not None
        complete = self._copy(follower, parts.copier)
        if complete and self.order.until is not Until.SNAPSHOT:
            building.begin()  # before any other step: the stream's changes of tables wait until indexes are built
        follower.check()
        if not complete:
            return False, False
        follower.batches.snapshot_finished()
        if self.order.plan.direction.copies:
            self.order.reporter.emit(SnapshotComplete(copied_before))
        if self.order.until is Until.SNAPSHOT:
            if without := find_lacking(self.order.plan, self.order.servers):
                self.order.reporter.emit(IndexesMissing(len(without)))
            return True, False
        followed = f"the {self.order.plan.direction.read_side}"
        self.order.reporter.emit(Following(followed, str(follower.position)))
        head = head_position(follower.batches.sources)
        caught_up = kept = forgotten = False
        built = building.is_done
        from shardwright.runtime.stream.follow.retry_quarantined import Answers

        answers = Answers(follower.spark, follower.batches)
        while not self.order.stop.is_set():
            follower.check()
            building.check()
            if building.is_done and not built:
                built, head = True, head_position(follower.batches.sources)  # building may have taken hours
            self._report_when_idle(follower)
            if not throttle.order.last.paused:
                answers.look()
            self.aside.look_again(follower.position)
            at_end = self._have_ended() or has_reached(follower.batches.sources, follower.position, head)
            if self.aside.failures:
                self._require_hope(at_end=at_end)
            elif at_end:
                if not kept:
                    keep_copy_end(follower.batches)
                    kept = True
                if built and not caught_up:
                    self.order.reporter.emit(CaughtUp(followed, str(head)))
                    caught_up = True
                if not forgotten and not follower.batches.delay.is_running:
                    self._forget_deletes(follower.batches)
                    forgotten = True
                if built and self.order.until is Until.CAUGHT_UP and self._others_are_there():
                    answers.look_at_end()
                    return True, True
            time.sleep(0.1)
        follower.check()
        return True, caught_up

    def _have_ended(self) -> bool:
        return self.order.rounds is not None and self.order.rounds.have_ended

    def _others_are_there(self) -> bool:
        rounds = self.order.rounds
        return rounds is None or rounds.may_end(self.order.plan.direction)

    def _require_hope(self, *, at_end: bool) -> None:
        """Raises when a source that is set aside keeps the run from its end."""
        given_up = self.aside.why_give_up(self.order.environment.network.retry_seconds)
        if at_end and self.order.until is Until.CAUGHT_UP and given_up is not None:
            raise given_up

    def is_ending(self) -> bool:
        return self.order.stop.is_set() or self._halted.is_set()

    def _forget_deletes(self, batches: BatchRunner) -> None:
        with batches.lock:
            forget_deletes(batches.context)

    def step_done(self) -> None:
        self.on_step()

    def batch_done(self, report: BatchReport) -> None:
        self.on_step()
        lag = None if report.committed_at is None else max(0.0, time.time() - report.committed_at)
        events = sum(report.events.values())
        self._changes, self._batch = self._changes + events, report.batch
        self._stream_reported_at, self._is_idle = time.monotonic(), False
        tables = self._tables(report)
        self.order.reporter.emit(BatchApplied(report.batch, events, str(report.end), lag, report.seconds, tables))

    def _tables(self, report: BatchReport) -> Mapping[str, TableApplied]:
        decided = count_decided(report.work.values())
        events = dict.fromkeys(decided, 0)
        for source, count in report.events.items():
            logical = self._logical.get(source, source)
            events[logical] = events.get(logical, 0) + count
        return {table: TableApplied(count, *decided.get(table, RowDecisions())) for table, count in events.items()}

    def _report_when_idle(self, follower: Follower) -> None:
        """Reports a lag of 0 once the stream is at the end of its sources: the last batch's lag is no longer true. And
        how old that is, once it is no longer there: a first batch may take a minute."""
        now = time.monotonic()
        if now - self._stream_reported_at < _IDLE_SECONDS:
            return
        self._stream_reported_at = now
        position, sources = follower.position, follower.batches.sources
        try:
            at_end = has_reached(sources, position, head_position(sources))
        except (RuntimeFailure, pymysql.err.MySQLError):
            return  # the follower meets the same error, and reports it
        if at_end:
            self._at_end_at = now
        elif self._at_end_at is None and not self._batch:
            self.order.reporter.emit(Lag(0, str(position), now - self._started_at, before_the_first_batch=True))
        if self._at_end_at is not None and not (at_end and self._is_idle):
            self.order.reporter.emit(Lag(self._batch, str(position), now - self._at_end_at))
        self._is_idle = at_end
