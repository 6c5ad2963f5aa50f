"""Routes the plan's DDL changes to every physical table: in file order with a barrier between statements, one physical
table first, then all shards at once, resumable after any stop (hazard E18)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import groupby
from threading import Lock
from typing import Any

import pymysql
from pymysql.connections import Connection

from shardwright.compiler.plan import DdlChange, Plan
from shardwright.runtime.ddl.apply_change import apply_change, entry_for
from shardwright.runtime.ddl.record import CREATED, Entry, Place, Recorded, prepare_record, read_record
from shardwright.runtime.ddl.session import Connect, DdlPatience, Fence, ddl_session, explain
from shardwright.runtime.failures import Refused, RuntimeFailure, StoppedPartWay

_NAMED = 20


@dataclass(frozen=True, slots=True)
class DdlProgress:
    """One physical table has one change. `done` of `total` physical tables have it."""

    file: str
    ordinal: int
    database: str
    table: str
    done: int
    total: int


@dataclass(frozen=True, slots=True)
class DdlResult:
    """Counted in physical tables: what this run changed, and what it found done."""

    applied: int
    already: int


@dataclass(frozen=True, slots=True)
class _Target:
    database: str
    suffix: str
    entry: Entry


@dataclass(frozen=True, slots=True)
class _Failure:
    target: _Target
    failure: RuntimeFailure


OnProgress = Callable[[DdlProgress], None]
Records = Mapping[str, Mapping[Place, Recorded]]


def route_changes(
    plan: Plan,
    *,
    connect: Connect,
    limit: int,
    on_progress: OnProgress,
    fence: Fence | None = None,
    patience: DdlPatience | None = None,
) -> DdlResult:
    """Give every physical table every change that it has not got. At most `limit` shards at once.

    Raises Refused (SW8401) before anything is done when a change that was applied reads differently now, and
    StoppedPartWay (SW8403) naming the physical tables that lack a change; the changes after it have not begun.
    `fence` is called before each statement and may raise.
    """
    if not plan.ddl:
        return DdlResult(0, 0)
    with ThreadPoolExecutor(max_workers=max(1, limit), thread_name_prefix="ddl") as pool:
        records = dict(
            zip(plan.databases, pool.map(lambda name: _record(connect, name, plan), plan.databases), strict=True)
        )
        _refuse_changed_files(plan, records)
        router = _Router(plan, connect, records, pool, on_progress, fence, patience or DdlPatience())
        for change in plan.ddl:
            router.route(change)
    return DdlResult(router.applied, router.already)


def _record(connect: Connect, database: str, plan: Plan) -> dict[Place, Recorded]:
    connection = connect(database)
    try:
        return read_record(connection, plan.migration)
    except pymysql.err.MySQLError as error:
        raise explain(error, database, "_shardwright_ddl") from error
    finally:
        connection.close()


def _refuse_changed_files(plan: Plan, records: Records) -> None:
    known: dict[Place, str] = {}
    for change in plan.ddl:
        for target in _targets(plan, change):
            known[change.file, change.ordinal, target.entry.table] = target.entry.sha256
    for database, record in records.items():
        for (file, ordinal, table), recorded in record.items():
            if file != CREATED and known.get((file, ordinal, table)) != recorded.sha256:
                raise Refused(
                    "SW8401",
                    f"{file} was changed after its statement {ordinal} had reached {database}.{table}: "
                    "put the file back as it was and write the change into a new file",
                )


def _targets(plan: Plan, change: DdlChange) -> Iterator[_Target]:
    table = plan.table(change.logical)
    parts = plan.parts(table)
    for shard, part, name in plan.physical_tables(table):
        entry = entry_for(change, migration=plan.migration, table=name, suffix=parts[part])
        yield _Target(plan.databases[shard], parts[part], entry)


@dataclass(slots=True)
class _Router:
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
    _done: int = 0
    _total: int = 0
    _counting: Lock = field(default_factory=Lock)

    def route(self, change: DdlChange) -> None:
        """One change to all of its physical tables: a canary alone, then the others."""
        targets = list(_targets(self.plan, change))
        waiting = [target for target in targets if not self._is_done(change, target)]
        self.already += len(targets) - len(waiting)
        self._total, self._done = len(targets), len(targets) - len(waiting)
        canary, others = waiting[:1], waiting[1:]
        if failures := self._on_all(change, canary):
            raise _stopped(change, failures, others)
        if failures := self._on_all(change, others):
            raise _stopped(change, failures, [])

    def _on_all(self, change: DdlChange, targets: list[_Target]) -> list[_Failure]:
        """Shards side by side, the tables of one shard one after the other."""
        shards = [list(part) for _, part in groupby(targets, key=lambda target: target.database)]
        return [
            failure for found in self.pool.map(lambda part: self._on_shard(change, part), shards) for failure in found
        ]

    def _is_done(self, change: DdlChange, target: _Target) -> bool:
        found = self.records[target.database].get((change.file, change.ordinal, target.entry.table))
        return found is not None and found.state == "done"

    def _on_shard(self, change: DdlChange, targets: list[_Target]) -> list[_Failure]:
        """One table's failure does not keep the next from having the change."""
        database, left, failures = targets[0].database, list(targets), list[_Failure]()
        try:
            with ddl_session(
                self.connect, database, migration=self.plan.migration, patience=self.patience
            ) as connection:
                prepare_record(connection)
                # Read again under the lock: another run may have gone on meanwhile.
                record = read_record(connection, self.plan.migration)
                while left:
                    failure = self._on_table(connection, change, left[0], record)
                    failures += [_Failure(left[0], failure)] if failure else []
                    left.pop(0)
        except RuntimeFailure as failure:
            failures += [_Failure(target, failure) for target in left]
        except pymysql.err.MySQLError as error:
            failures += [_Failure(target, explain(error, database, target.entry.table)) for target in left]
        return failures

    def _on_table(
        self, connection: Connection[Any], change: DdlChange, target: _Target, record: Mapping[Place, Recorded]
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

    def _count(self, change: DdlChange, target: _Target) -> None:
        with self._counting:
            self.applied += 1
            self._done += 1
            progress = DdlProgress(
                change.file, change.ordinal, target.database, target.entry.table, self._done, self._total
            )
            self.on_progress(progress)


def _stopped(change: DdlChange, failures: list[_Failure], untouched: Iterable[_Target]) -> RuntimeFailure:
    """A refusal stays one; the first failure tells why, all tables without the change are named."""
    first = next((f.failure for f in failures if isinstance(f.failure, Refused)), failures[0].failure)
    missing = [f.target for f in failures] + list(untouched)
    names = ", ".join(f"{target.database}.{target.entry.table}" for target in missing[:_NAMED])
    more = f" and {len(missing) - _NAMED} more" if len(missing) > _NAMED else ""
    reason = f"{first.code}: {first.message}"
    message = f"statement {change.ordinal} of {change.file} is missing on {names}{more}; {reason}; run again to go on"
    if isinstance(first, Refused):
        return Refused(
            first.code, f"{first.message}; statement {change.ordinal} of {change.file} is missing on {names}{more}"
        )
    return StoppedPartWay("SW8403", message)
