"""How does a run go from its order to its result? Tables, position, snapshot and stream: each step is idempotent and
resumes from the ledgers.

Runs in the driver; writes tables and ledgers on all shards.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import pymysql
from pymysql.connections import Connection

from shardwright.runtime.ddl.tables.create import create_tables
from shardwright.runtime.events.run import (
    BatchRecovered,
    CheckWarning,
    PlanAdopted,
    PositionFound,
    RunStarted,
    StepStarted,
)
from shardwright.runtime.failures import Refused, RuntimeFailure, StoppedPartWay
from shardwright.runtime.ledger.audit import RUN_BEGUN, audit
from shardwright.runtime.ledger.batches import MigrationState, read_migration
from shardwright.runtime.ledger.context import RunContext
from shardwright.runtime.ledger.cutover import FINISHED, require_live_alone
from shardwright.runtime.ledger.ddl_lock import find_blocking_ddl
from shardwright.runtime.ledger.fencing import Writer, highest_token
from shardwright.runtime.ledger.takeover import first_writer, next_writer
from shardwright.runtime.mysql.check import Check, Verdict
from shardwright.runtime.run import worker_daemon
from shardwright.runtime.run.adopt_plan import adopt_newer_plan
from shardwright.runtime.run.begin import begin_or_resume
from shardwright.runtime.run.bookkeeping import create_bookkeeping
from shardwright.runtime.run.copy_and_follow import CopyAndFollow
from shardwright.runtime.run.ddl_watch import DdlWatch
from shardwright.runtime.run.keyless_tables import copy_ordered_reads
from shardwright.runtime.run.lookup_tables import fill_ordered_lookup_tables
from shardwright.runtime.run.may_start import require_may_start
from shardwright.runtime.run.order import RunOrder, RunResult
from shardwright.runtime.run.preflight.cluster import cluster_checks
from shardwright.runtime.run.preflight.context import demands_of
from shardwright.runtime.run.preflight.preflight import preflight, require
from shardwright.runtime.run.preflight.retention import RETENTION
from shardwright.runtime.run.preflight.tolerance import Tolerance, read_state, tolerance
from shardwright.runtime.run.recopy import Recopy, require_recopyable
from shardwright.runtime.run.resume import resume_sources
from shardwright.runtime.run.retry import RetryPolicy
from shardwright.runtime.run.source_outage import IsolatedSources, is_only_some
from shardwright.runtime.sources.binlog.rewind import LACKING
from shardwright.runtime.sources.binlog.source import log_streams
from shardwright.runtime.sources.open import open_sources
from shardwright.runtime.sources.positions.message_ref import Where
from shardwright.runtime.sources.source import Sources
from shardwright.runtime.spark.failures import as_failure
from shardwright.runtime.spark.log import LossWatch
from shardwright.runtime.stream.apply.apply import Applier
from shardwright.runtime.stream.apply.ceiling import DeleteCeilings
from shardwright.runtime.stream.batch.recovery import recover
from shardwright.runtime.stream.follow.skip_message import record_skipped
from shardwright.runtime.stream.quarantine.applier import QuarantiningApplier
from shardwright.runtime.stream.quarantine.dead_letters import DeadLetters
from shardwright.runtime.stream.schema_change.handler import NOT_STRICT
from shardwright.specs.direction import Direction


@dataclass
class Run:
    """Attempts, each from the ledgers, until one reaches the end that was asked for."""

    order: RunOrder
    """What the operator asked for."""
    continues: bool = False
    """After a cutover it continues a run of the other direction, so that a start that fails is tried again, too."""
    before_it_starts: Callable[[], None] = lambda: None
    """Is called after all start checks and before the first write, perhaps more than once."""
    directions: frozenset[Direction] = frozenset()
    """Those that this process runs, where it runs more than the plan's."""
    is_finished: Callable[[], bool] = lambda: False
    """Whether `cutover finish` has ended the migration. It takes away what a run works with."""
    _steps: int = 0
    _holds_token: bool = False
    _ceilings: DeleteCeilings = field(init=False)
    _allowed_ddl: set[str] = field(init=False)
    _passed: dict[Where, str] = field(init=False)
    _aside: IsolatedSources = field(init=False)
    _recorded: set[Where] = field(default_factory=set)
    _recopy_recorded: bool = False
    _begin_recorded: bool = False

    def execute(self) -> RunResult:
        """Raises at once what keeps the run from starting. Once it is under way, it continues after transient
        errors."""
        started = time.monotonic()
        if not self.continues:
            self._preflight()
        self._ceilings = DeleteCeilings(self.order.plan, self.order.servers, set(self.order.allowed))
        self._allowed_ddl = {*self.order.skip, *(self.order.allowed & {NOT_STRICT})}
        self._passed = dict(self.order.passed)
        self._aside = IsolatedSources(self.order.reporter.emit)
        patience = self.order.environment.network.retry_seconds
        emit, migration = self.order.reporter.emit, self.order.plan.migration
        watch = DdlWatch(lambda: find_blocking_ddl(self.order.servers, migration), emit, lambda: self._steps)
        policy = RetryPolicy(patience, self.order.stop, emit, lambda: self._steps, held_up_at=lambda: watch.seen_at)
        losses = LossWatch(emit)
        watch.begin()
        losses.begin()
        try:
            result = policy.through(self._attempt)
        finally:
            watch.end()
            losses.end()
        return replace(result, seconds=time.monotonic() - started)

    def _preflight(self) -> None:
        self.order.reporter.emit(StepStarted("checking servers, tables and grants"))
        patient = self.order.servers.patient()
        admitted = tolerance(self.order.plan, patient)
        if self.order.recopy:
            require_recopyable(self.order)
            admitted = Tolerance.ADDED  # chunks are read by the plan's columns
        cluster = list(cluster_checks(self.order.environment.spark, os.environ))
        require(cluster)
        self._report_warnings(cluster)
        self._report_warnings(
            preflight(
                self.order.plan,
                patient,
                admitted,
                demands_of(self.order.environment, allowed=self.order.allowed),
            )
        )

    def _report_warnings(self, found: Sequence[Check]) -> None:
        """Reports the warnings, except that of log retention: `LogRetention` reports it when the copy begins."""
        for check in found:
            if check.verdict is Verdict.WARNING and check.name != RETENTION:
                self.order.reporter.emit(CheckWarning(check.name, check.where, check.message))

    def _attempt(self) -> RunResult:
        """Starts from the ledgers and works to the end or to the first failure."""
        writer: Writer | None = None
        try:
            if not self._holds_token:
                if self.continues:
                    self._preflight()
                self._require_may_start()
                self.before_it_starts()
            writer = next_writer(self.order.servers) if self._holds_token else first_writer(self.order.servers)
            self._holds_token = True
            return self._from_the_ledgers(writer)
        except Exception as error:
            failure = self._explain(error, writer)
            if self._others_continue(failure):
                raise StoppedPartWay("SW8304", str(failure)) from error
            if failure is error:
                raise
            raise failure from error

    def _require_may_start(self) -> None:
        sources = self._readable(read_state(self.order.plan, self.order.servers))
        require_may_start(self.order, sources, aside=self._aside.failures)

    def _from_the_ledgers(self, writer: Writer) -> RunResult:
        plan, servers, emit = self.order.plan, self.order.servers, self.order.reporter.emit
        control = servers.connect_shard(0)
        context = RunContext(plan, servers, control, writer, emit, both_ways=len(self.directions) > 1)
        applier = Applier(plan, servers, writer, emit)
        try:
            emit(StepStarted("creating what is missing of tables and ledgers"))
            writer.record(control)
            require_live_alone(control, plan.migration, self.directions or {plan.direction})
            adopted = adopt_newer_plan(
                context,
                recopy=self.order.recopy,
                leave_out=self.order.leave_out,
                may_remove=self.order.may_remove_rows,
                create_tables=self._create_tables,
            )
            if adopted:
                emit(PlanAdopted(adopted))
            made = self._create_tables()
            create_bookkeeping(plan, servers)
            self._record_begin(context)
            emit(RunStarted(plan.fingerprint, writer.token, made))
            emit(StepStarted("finding the position to start from"))
            sources = self._readable(read_migration(control, plan.migration))
            aside = self._aside.failures
            begin_or_resume(context, sources, aside=aside, may_remove=self.order.may_remove_rows)
            dead = DeadLetters(context)
            quarantining = QuarantiningApplier(applier, dead)
            self._recover(context, sources, quarantining)
            resumed = resume_sources(context, sources, without=LACKING & self.order.allowed)
            for decision in resumed.decisions:
                emit(PositionFound(decision))
            self._skip_messages(context, resumed.sources)
            self._recopy(context, dead, aside)
            fill_ordered_lookup_tables(context, resumed.sources)
            if copy_ordered_reads(context, resumed.sources):
                self._recover(context, resumed.sources, quarantining)
            work = CopyAndFollow(self.order, self._ceilings, self._allowed_ddl, self._aside, self._on_step)
            return work.execute(context, resumed.sources, quarantining)
        finally:
            applier.close()
            control.close()

    def _recover(self, context: RunContext, sources: Sources, applier: QuarantiningApplier) -> None:
        if recovered := recover(context, sources, applier):
            context.emit(BatchRecovered(recovered))

    def _record_begin(self, context: RunContext) -> None:
        """Once, not at each attempt: the ledger is there, and this run has the fencing token."""
        if not self._begin_recorded:
            detail = f"epoch {context.writer.token}, until {self.order.until.value}"
            audit(context.control, context.migration, RUN_BEGUN, detail=detail)
            self._begin_recorded = True

    def _create_tables(self) -> int:
        """Creates target tables that are missing. Returns how many. On the way back the tables are the source's own."""
        plan, connect = self.order.plan, self._connect_database
        if plan.direction.writes_source:
            return 0
        return create_tables(plan, connect=connect, limit=8, on_progress=lambda _progress: None)

    def _skip_messages(self, context: RunContext, sources: Sources) -> None:
        """Records each message to skip once. Later attempts of this run skip it, too."""
        state = read_migration(context.control, context.migration)
        assert state is not None
        new = {where: code for where, code in self._passed.items() if where not in self._recorded}
        record_skipped(context, sources, state.position, new)
        self._recorded |= new.keys()

    def _recopy(self, context: RunContext, dead: DeadLetters, aside: Collection[str]) -> None:
        """Clears tables that are to be copied again, once the stream is known to continue from its position.

        The order is recorded once. Every attempt, of this run or a later one, finishes what is recorded.
        """
        recopy = Recopy(self.order, context)
        if not self._recopy_recorded:
            recopy.record(aside)
            self._recopy_recorded = True
        if recopy.clear():
            dead.read()

    def _open_sources(self) -> Sources:
        order = self.order
        found = open_sources(order.plan, order.servers, order.environment, self._passed, daemon=worker_daemon.MODULE)
        return found if order.rounds is None else [log.in_rounds() for log in log_streams(found)]

    def _readable(self, state: MigrationState | None) -> Sources:
        """The sources of this attempt: all of them, or those that go on while others are set aside."""
        sources = self._open_sources()
        if self.order.plan.unavailable_source == "stop":
            return sources
        return self._aside.healthy(sources, state)

    def _others_continue(self, error: BaseException) -> bool:
        """Whether the error concerns only some sources, so that the next attempt sets them aside."""
        plan, servers = self.order.plan, self.order.servers
        if plan.unavailable_source == "stop" or not isinstance(error, Refused) or len(servers.sources) == 1:
            return False
        if error.code == FINISHED:  # of no source, and the ledger may be gone
            return False
        control = servers.connect_shard(0)
        try:
            state = read_migration(control, plan.migration)
        finally:
            control.close()
        names = set(self._aside.failures)
        sources = [s for s in self._open_sources() if s.name not in names]
        return is_only_some(sources, state)

    def _explain(self, error: Exception, writer: Writer | None) -> BaseException:
        """The failure that the operator sees. When the migration is finished, or a newer run has taken over, that is
        the cause of any error here: our connections were ended."""
        if self.order.plan.direction.reads_shards and self.is_finished():
            return Refused(FINISHED, f"migration {self.order.plan.migration} is finished: the run ends")
        if writer is None:
            return as_failure(error)
        try:
            control = self.order.servers.connect_shard(0)
            try:
                newest = highest_token(control, role="data")
            finally:
                control.close()
        except (RuntimeFailure, pymysql.err.MySQLError):
            newest = writer.token
        return writer.replacement_failure(newest) if newest > writer.token else as_failure(error)

    def _connect_database(self, database: str) -> Connection[Any]:
        return self.order.servers.patient().connect_shard_of(database)

    def _on_step(self) -> None:
        self._steps += 1
