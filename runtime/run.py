"""`run`: tables, position, snapshot and stream, each step idempotent and resumed from the ledgers."""

from __future__ import annotations

import os
import threading
import time
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any

import pymysql
from pymysql.connections import Connection

from shardwright.compiler.plan import Plan
from shardwright.runtime.begin import begin_or_resume, create_bookkeeping, drop_tombstones
from shardwright.runtime.binlog.connection import log_head
from shardwright.runtime.connections import Servers
from shardwright.runtime.copy_progress import CopyCounter
from shardwright.runtime.ddl.create_tables import create_tables
from shardwright.runtime.failures import RuntimeFailure
from shardwright.runtime.ledger.epoch import highest_epoch, record_connection
from shardwright.runtime.preflight import preflight
from shardwright.runtime.progress import Reporter, StreamProgress
from shardwright.runtime.spark import start_spark
from shardwright.runtime.spark_failures import as_failure
from shardwright.runtime.stream.apply import Applier
from shardwright.runtime.stream.ceiling import DeleteCeilings
from shardwright.runtime.stream.follow import BatchReport, Follower
from shardwright.runtime.stream.log_address import log_connection
from shardwright.runtime.stream.recovery import recover
from shardwright.runtime.takeover import take_over_everywhere
from shardwright.runtime.transactions import taken_over
from shardwright.specs.environment import Environment

if TYPE_CHECKING:
    pass


class Until(StrEnum):
    """When a run ends by itself."""

    SNAPSHOT = "snapshot"
    CAUGHT_UP = "caught-up"
    FOREVER = "forever"


@dataclass(frozen=True, slots=True)
class RunResult:
    """`caught_up`: the stream stood at the source's own position when the run ended."""

    snapshot_complete: bool
    caught_up: bool
    interrupted: bool
    position: str
    rows_copied: int
    seconds: float


@dataclass
class Run:
    """One invocation. `allowed` are codes of safety stops that the operator lets pass once. `stop` may be set from a signal handler: the run ends after the unit of work under way."""

    plan: Plan
    servers: Servers
    environment: Environment
    reporter: Reporter
    until: Until
    stop: threading.Event
    allowed: frozenset[str] = frozenset()

    def execute(self) -> RunResult:
        started = time.monotonic()
        preflight(self.plan, self.servers)
        epoch = take_over_everywhere(self.servers, role="data")
        made = create_tables(self.plan, connect=self._connect_database, limit=8, on_progress=lambda _progress: None)
        create_bookkeeping(self.plan, self.servers)
        self.reporter.say(f"plan {self.plan.fingerprint}, epoch {epoch}: {made} tables created")
        control = self.servers.connect_shard(0)
        record_connection(control, role="data", epoch=epoch)
        self.reporter.say(begin_or_resume(self.plan, self.servers, control, epoch=epoch))
        applier = Applier(self.plan, self.servers, epoch, self.reporter.say)
        try:
            recovered = recover(self.plan, self.servers, control, applier)
            if recovered:
                self.reporter.say(recovered)
            return self._with_spark(control, applier, started)
        except Exception as error:
            told = self._told(error, epoch)
            if told is error:
                raise
            raise told from error
        finally:
            applier.close()
            control.close()

    def _told(self, error: Exception, epoch: int) -> BaseException:
        """What the operator hears. When a newer run has taken over, that is the reason of whatever went wrong here:
        it ended our connections."""
        try:
            control = self.servers.connect_shard(0)
            try:
                newest = highest_epoch(control, role="data")
            finally:
                control.close()
        except (RuntimeFailure, pymysql.err.MySQLError):
            newest = epoch
        return taken_over(newest, epoch) if newest > epoch else as_failure(error)

    def _with_spark(self, control: Connection[Any], applier: Applier, started: float) -> RunResult:
        # Spark and everything that imports it is loaded only now: start-up checks answer at once.
        from shardwright.runtime.snapshot.copy import Copier

        spark = start_spark(self.environment.spark, name=f"shardwright {self.plan.migration}")
        progress = CopyCounter(self.plan, self.servers, self.reporter)
        follower = Follower(
            spark,
            self.plan,
            self.servers,
            control,
            applier,
            self.environment.batch,
            DeleteCeilings(self.plan, self.servers, set(self.allowed)),
            on_batch=self._on_batch,
        )
        settings = self.environment.snapshot
        copier = Copier(
            spark,
            self.plan,
            self.servers,
            applier.epoch,
            settings.chunk_rows,
            settings.parallel or max(2, os.cpu_count() or 2),
            self.stop.is_set,
            lambda: follower.position,
            follower.begin_weight,
            placing_children=follower.families.shared,
            on_chunk=progress.count,
        )
        follower.start()
        try:
            complete, caught_up = self._until_done(follower, copier)
        finally:
            follower.finish_batch_and_stop()
        return RunResult(
            snapshot_complete=complete,
            caught_up=caught_up,
            interrupted=self.stop.is_set(),
            position=str(follower.position),
            rows_copied=progress.rows,
            seconds=time.monotonic() - started,
        )

    def _until_done(self, follower: Follower, copier: Any) -> tuple[bool, bool]:
        with ThreadPoolExecutor(max_workers=1, thread_name_prefix="copy") as pool:
            copying: Future[bool] = pool.submit(copier.run)
            try:
                while not copying.done() and not self.stop.is_set():
                    follower.check()
                    time.sleep(0.1)
            except BaseException:
                self.stop.set()  # the copier looks between waves
                raise
            complete = copying.result()
        follower.check()
        if not complete:
            return False, False
        follower.snapshot_finished()
        self.reporter.say("snapshot complete")
        if self.until is Until.SNAPSHOT:
            return True, False
        head = log_head(log_connection(self.servers.source))
        told = False
        while not self.stop.is_set():
            follower.check()
            if follower.position >= head:
                if not told:
                    self.reporter.say(f"caught up with the source at {head}")
                    told = True
                    drop_tombstones(self.plan, self.servers, epoch=follower.applier.epoch)
                if self.until is Until.CAUGHT_UP:
                    return True, True
            time.sleep(0.1)
        follower.check()
        return True, told

    def _connect_database(self, database: str) -> Connection[Any]:
        return self.servers.connect_shard(self.servers.databases.index(database))

    def _on_batch(self, report: BatchReport) -> None:
        lag = None if report.committed_at is None else max(0.0, time.time() - report.committed_at)
        events = sum(report.events.values())
        self.reporter.tell(StreamProgress(report.batch, events, str(report.end), lag, report.seconds))
