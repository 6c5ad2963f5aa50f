"""Routes the plan's DDL changes to every physical table: in file order with a barrier between statements, one physical
table first, then all shards at once, resumable after any stop (hazard E18)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import groupby
from threading import Event, Lock
from typing import Any

import pymysql
from pymysql.connections import Connection

from shardwright.compiler.plan import DdlChange, Plan
from shardwright.runtime.ddl.apply_change import apply_change
from shardwright.runtime.ddl.deferred_indexes import refuse_before_indexes
from shardwright.runtime.ddl.record import Place, Recorded, prepare_record, read_record
from shardwright.runtime.ddl.session import Connect, DdlPatience, Fence, ddl_session, explain
from shardwright.runtime.ddl.targets import (
    DdlProgress,
    Failure,
    OnProgress,
    Records,
    Target,
    refuse_changed_files,
    stopped,
    targets,
)
from shardwright.runtime.failures import RuntimeFailure

__all__ = ["DdlProgress", "DdlResult", "route_changes"]


@dataclass(frozen=True, slots=True)
class DdlResult:
    """Counted in physical tables: what this run changed, and what it found done."""

    applied: int
    already: int


def route_changes(
    plan: Plan,
    *,
    connect: Connect,
    limit: int,
    on_progress: OnProgress,
    databases: Sequence[str] | None = None,
    fence: Fence | None = None,
    patience: DdlPatience | None = None,
) -> DdlResult:
    """Give every physical table in `databases` (default: all) every change that it has not got; `limit` shards at once.

    Raises Refused before anything is done when a change that was applied reads differently now (SW8401), or might meet an index
    that is built after the copy and does not stand yet (SW8413), and
    StoppedPartWay (SW8403) naming the physical tables that lack a change; the changes after it have not begun.
    `fence` is called before each statement and may raise. An interrupt stops after the statements that are running.
    """
    names = tuple(plan.databases if databases is None else databases)
    if not plan.ddl:
        return DdlResult(0, 0)
    with ThreadPoolExecutor(max_workers=max(1, limit), thread_name_prefix="ddl") as pool:
        records = dict(zip(names, pool.map(lambda name: _record(connect, name, plan), names), strict=True))
        refuse_changed_files(plan, records)
        refuse_before_indexes(plan, records)
        routing = _Routing(plan, connect, records, pool, on_progress, fence, patience or DdlPatience())
        try:
            for change in plan.ddl:
                routing.route(change)
        finally:
            routing.ended.set()
    return DdlResult(routing.applied, routing.already)


def _record(connect: Connect, database: str, plan: Plan) -> dict[Place, Recorded]:
    connection = connect(database)
    try:
        return read_record(connection, plan.migration)
    except pymysql.err.MySQLError as error:
        raise explain(error, database, "_shardwright_ddl") from error
    finally:
        connection.close()


@dataclass(slots=True)
class _Routing:
    """The state of one call of `route_changes`."""

    plan: Plan
    connect: Connect
    records: Records
    pool: ThreadPoolExecutor
    on_progress: OnProgress
    fence: Fence | None
    patience: DdlPatience
    applied: int = 0
    already: int = 0
    ended: Event = field(default_factory=Event)
    _done: int = 0
    _total: int = 0
    _counting: Lock = field(default_factory=Lock)

    def route(self, change: DdlChange) -> None:
        """One change to all of its physical tables: a canary alone, then the others."""
        wanted = list(targets(self.plan, change, self.records.keys()))
        waiting = [target for target in wanted if not self._is_done(change, target)]
        self._total, self._done = len(wanted), len(wanted) - len(waiting)
        self.already += self._done
        canary, others = waiting[:1], waiting[1:]
        if failures := self._on_all(change, canary):
            raise stopped(change, failures, others)
        if failures := self._on_all(change, others):
            raise stopped(change, failures, [])

    def _is_done(self, change: DdlChange, target: Target) -> bool:
        found = self.records[target.database].get((change.file, change.ordinal, target.entry.table))
        return found is not None and found.state == "done"

    def _on_all(self, change: DdlChange, waiting: list[Target]) -> list[Failure]:
        """Shards side by side, the tables of one shard one after the other."""
        shards = [list(part) for _, part in groupby(waiting, key=lambda target: target.database)]
        found = self.pool.map(lambda part: self._on_shard(change, part), shards)
        return [failure for failures in found for failure in failures]

    def _on_shard(self, change: DdlChange, waiting: list[Target]) -> list[Failure]:
        """One table's failure does not keep the next from having the change."""
        database, left, failures = waiting[0].database, list(waiting), list[Failure]()
        try:
            with ddl_session(
                self.connect, database, migration=self.plan.migration, patience=self.patience
            ) as connection:
                prepare_record(connection)
                # Read again under the lock: another run may have gone on meanwhile.
                record = read_record(connection, self.plan.migration)
                while left and not self.ended.is_set():
                    failure = self._on_table(connection, change, left[0], record)
                    failures += [Failure(left[0], failure)] if failure else []
                    left.pop(0)
        except RuntimeFailure as failure:
            failures += [Failure(target, failure) for target in left]
        except pymysql.err.MySQLError as error:
            failures += [Failure(target, explain(error, database, target.entry.table)) for target in left]
        return failures

    def _on_table(
        self, connection: Connection[Any], change: DdlChange, target: Target, record: Mapping[Place, Recorded]
    ) -> RuntimeFailure | None:
        recorded = record.get((change.file, change.ordinal, target.entry.table))
        if recorded is None or recorded.state != "done":
            try:
                apply_change(
                    connection,
                    change,
                    target.entry,
                    suffix=target.suffix,
                    recorded=recorded,
                    database=target.database,
                    patience=self.patience,
                    fence=self.fence,
                )
            except RuntimeFailure as failure:
                return failure
        self._count(change, target)
        return None

    def _count(self, change: DdlChange, target: Target) -> None:
        with self._counting:
            self.applied += 1
            self._done += 1
            table = target.entry.table
            self.on_progress(DdlProgress(change.file, change.ordinal, target.database, table, self._done, self._total))
