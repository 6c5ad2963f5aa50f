"""`run`: tables, position, snapshot and stream, each step idempotent and resumed from the ledgers."""

from __future__ import annotations

import os
import re
import signal
import socket
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any

import pymysql
from pymysql.connections import Connection

from shardwright.compiler.plan import Plan, StepName
from shardwright.runtime.binlog.connection import log_head
from shardwright.runtime.connections import Servers
from shardwright.runtime.ddl.create_tables import create_tables
from shardwright.runtime.failures import Refused, RuntimeFailure, StoppedPartWay, Unreachable
from shardwright.runtime.ledger.batches import create_migration, read_migration
from shardwright.runtime.ledger.epoch import highest_epoch, record_connection, take_over
from shardwright.runtime.ledger.tables import create_ledger
from shardwright.runtime.preflight import preflight, require_same_plan, require_same_source
from shardwright.runtime.progress import CopyProgress, Reporter, StreamProgress
from shardwright.runtime.snapshot.chunks import known_chunks
from shardwright.runtime.source_state import proved_position, source_identity
from shardwright.runtime.spark import start_spark
from shardwright.runtime.stream.apply import Applier
from shardwright.runtime.stream.follow import BatchReport, Follower
from shardwright.runtime.stream.log_address import log_connection
from shardwright.runtime.stream.recovery import recover
from shardwright.runtime.transactions import execute, in_transaction, query, taken_over
from shardwright.specs.environment import Environment

if TYPE_CHECKING:
    from pyspark.sql import SparkSession
    from pyspark.sql.streaming.query import StreamingQuery

_CODE = re.compile(r"(SW[78]\d{3}): (.*)")


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
    """One invocation. `stop` may be set from a signal handler: the run ends after the unit of work under way."""

    plan: Plan
    servers: Servers
    environment: Environment
    reporter: Reporter
    until: Until
    stop: threading.Event

    def execute(self) -> RunResult:
        started = time.monotonic()
        preflight(self.plan, self.servers)
        epoch = self._take_over()
        made = create_tables(self.plan, connect=self._connect_database, limit=8, on_progress=lambda _progress: None)
        self._bookkeeping_tables()
        self.reporter.say(f"plan {self.plan.fingerprint}, epoch {epoch}: {made} tables created")
        control = self.servers.connect_shard(0)
        record_connection(control, role="data", epoch=epoch)
        self._begin_or_resume(control, epoch)
        applier = Applier(self.plan, self.servers, epoch)
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

        spark = self._start_spark()
        progress = _CopyCounter(self.plan, self.servers, self.reporter)
        follower = Follower(
            spark, self.plan, self.servers, control, applier, self.environment.batch, on_batch=self._on_batch
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
            on_chunk=lambda report: progress.count(report.chunk.logical, report.rows, report.chunk.number),
        )
        query = follower.start()
        try:
            complete, caught_up = self._until_done(query, follower, copier)
        finally:
            follower.finish_batch_and_stop(query)
        return RunResult(
            snapshot_complete=complete,
            caught_up=caught_up,
            interrupted=self.stop.is_set(),
            position=str(follower.position),
            rows_copied=progress.rows,
            seconds=time.monotonic() - started,
        )

    def _start_spark(self) -> SparkSession:
        # PySpark takes SIGINT for itself and would break off in the middle of a unit of work: it is ours again.
        handler = signal.getsignal(signal.SIGINT)
        spark = start_spark(self.environment.spark, name=f"shardwright {self.plan.migration}")
        if threading.current_thread() is threading.main_thread():
            signal.signal(signal.SIGINT, handler)
        return spark

    def _until_done(self, query: StreamingQuery, follower: Follower, copier: Any) -> tuple[bool, bool]:
        with ThreadPoolExecutor(max_workers=1, thread_name_prefix="copy") as pool:
            copying: Future[bool] = pool.submit(copier.run)
            try:
                while not copying.done() and not self.stop.is_set():
                    self._check(query, follower)
                    time.sleep(0.1)
            except BaseException:
                self.stop.set()  # the copier looks between waves
                raise
            complete = copying.result()
        self._check(query, follower)
        if not complete:
            return False, False
        follower.snapshot_finished()
        self.reporter.say("snapshot complete")
        if self.until is Until.SNAPSHOT:
            return True, False
        head = log_head(log_connection(self.servers.source))
        told = False
        while not self.stop.is_set():
            self._check(query, follower)
            if follower.position >= head:
                if not told:
                    self.reporter.say(f"caught up with the source at {head}")
                    told = True
                    self._drop_tombstones(follower)
                if self.until is Until.CAUGHT_UP:
                    return True, True
            time.sleep(0.1)
        self._check(query, follower)
        return True, told

    def _check(self, query: StreamingQuery, follower: Follower) -> None:
        if follower.failure is not None:
            raise as_failure(follower.failure)
        error = query.exception()
        if error is not None:
            raise as_failure(error)
        if not query.isActive:
            raise StoppedPartWay("SW8304", "the stream has stopped; running again resumes")

    def _drop_tombstones(self, follower: Follower) -> None:
        """Nothing older than a chunk can arrive any more."""
        for shard in range(len(self.servers.databases)):
            connection = self.servers.connect_shard(shard)
            try:
                in_transaction(connection, self._forget_tombstones, role="data", epoch=follower.applier.epoch)
            finally:
                connection.close()

    def _forget_tombstones(self, connection: Connection[Any]) -> None:
        for table in self.plan.tables:
            execute(connection, f"DELETE FROM `{table.tombstone_table}`")

    def _take_over(self) -> int:
        owner = f"{socket.gethostname()} pid {os.getpid()}"
        connections = [self.servers.connect_shard(shard) for shard in range(len(self.servers.databases))]
        try:
            for shard, connection in enumerate(connections):
                create_ledger(connection, first=shard == 0)
            epoch = 1 + max(highest_epoch(connection, role="data") for connection in connections)
            for connection in connections:
                take_over(connection, role="data", epoch=epoch, owner=owner)
        finally:
            for connection in connections:
                connection.close()
        return epoch

    def _begin_or_resume(self, control: Connection[Any], epoch: int) -> None:
        source = self.servers.connect_source()
        try:
            identity = source_identity(source)
            state = read_migration(control, self.plan.migration)
            if state is not None:
                require_same_plan(state.fingerprint, self.plan)
                require_same_source(state.source_identity, identity, where=str(self.servers.source))
                self.reporter.say(f"resuming at {state.position}")
                return
            self._refuse_rows_in_the_way()
            start = proved_position(source)
        finally:
            source.close()

        def begin(connection: Connection[Any]) -> None:
            create_migration(
                connection, self.plan.migration, fingerprint=self.plan.fingerprint, identity=identity, start=start
            )

        in_transaction(control, begin, role="data", epoch=epoch)
        self.reporter.say(f"starting at {start}")

    def _refuse_rows_in_the_way(self) -> None:
        for shard in range(len(self.servers.databases)):
            connection = self.servers.connect_shard(shard)
            try:
                for table in self.plan.tables:
                    for suffix in self.plan.parts(table) if shard in self.plan.shards(table) else ():
                        name = table.logical + suffix
                        if query(connection, f"SELECT 1 FROM `{name}` LIMIT 1"):
                            where = f"{self.servers.databases[shard]}.{name}"
                            raise Refused(
                                "SW8130", f"{where} holds rows already and this migration has not begun: empty it first"
                            )
            finally:
                connection.close()

    def _bookkeeping_tables(self) -> None:
        for shard in range(len(self.servers.databases)):
            connection = self.servers.connect_shard(shard)
            try:
                for table in self.plan.tables:
                    for statement in self.plan.step(table.logical, StepName.BOOKKEEPING).statements:
                        execute(connection, statement.sql)
            finally:
                connection.close()

    def _connect_database(self, database: str) -> Connection[Any]:
        return self.servers.connect_shard(self.servers.databases.index(database))

    def _on_batch(self, report: BatchReport) -> None:
        lag = None if report.committed_at is None else max(0.0, time.time() - report.committed_at)
        events = sum(report.events.values())
        self.reporter.tell(StreamProgress(report.batch, events, str(report.end), lag, report.seconds))


@dataclass
class _CopyCounter:
    plan: Plan
    servers: Servers
    reporter: Reporter

    def __post_init__(self) -> None:
        self.rows = 0
        self._by_table: dict[str, int] = {}
        self._expected = expected_rows(self.plan, self.servers)
        control = self.servers.connect_shard(0)
        try:
            for table in self.plan.tables:
                known = [
                    item
                    for source in table.sources
                    for item in known_chunks(control, self.plan.migration, table, source)
                ]
                self._by_table[table.logical] = sum(item.rows for item in known)
        finally:
            control.close()

    def count(self, logical: str, rows: int, chunk: int) -> None:
        self.rows += rows
        self._by_table[logical] += rows
        total = self._by_table[logical]
        self.reporter.tell(CopyProgress(logical, rows, total, max(self._expected[logical], total), chunk))


def expected_rows(plan: Plan, servers: Servers) -> dict[str, int]:
    """The source server's own estimate of rows per logical table."""
    connection = servers.connect_source()
    try:
        sql = (
            "SELECT COALESCE(table_rows, 0) FROM information_schema.tables WHERE table_schema = %s AND table_name = %s"
        )
        found: dict[str, int] = {}
        for table in plan.tables:
            rows = [query(connection, sql, (source.database, source.table)) for source in table.sources]
            found[table.logical] = sum(int(row[0][0]) for row in rows if row)
        return found
    finally:
        connection.close()


def as_failure(error: BaseException) -> BaseException:
    """Failures cross Spark as text: find our own code and message again, so that the operator sees one sentence."""
    if isinstance(error, RuntimeFailure):
        return error
    match = _CODE.search(str(error))
    if match is None:
        return error
    code, message = match[1], match[2].strip()
    kind: Callable[[str, str], RuntimeFailure] = Refused
    if code in ("SW8101", "SW8102", "SW8117"):
        kind = Unreachable
    elif code in ("SW8302", "SW8304"):
        kind = StoppedPartWay
    return kind(code, message)
