"""How do the plan's DDL changes reach every physical table? In file order with a barrier between statements; for each
one physical table first, then the others of its shard, then all shards; resumable after any stop (hazard E18).

Runs in the driver, in threads; writes DDL and its record to the shards.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass, field
from functools import partial
from itertools import groupby
from threading import Event, Lock
from typing import Any

import pymysql
from pymysql.connections import Connection

from shardwright.compiler.plan.plan import DdlChange, Plan
from shardwright.runtime.ddl.online.hand_over import HandOver
from shardwright.runtime.ddl.routing.apart import Apart
from shardwright.runtime.ddl.routing.apply_change import apply_change
from shardwright.runtime.ddl.routing.consent import refuse_unless_allowed
from shardwright.runtime.ddl.routing.targets import (
    DdlProgress,
    Failure,
    OnProgress,
    Records,
    Target,
    canaries_first,
    look,
    look_before_hand_over,
    refuse_changed_files,
    stopped,
    targets,
)
from shardwright.runtime.ddl.routing.took_effect import is_there
from shardwright.runtime.ddl.server_pools import ServerOf, ServerPools
from shardwright.runtime.ddl.session import Connect, DdlPatience, Fence, ddl_session, explain
from shardwright.runtime.ddl.tables.deferred_indexes import refuse_before_indexes
from shardwright.runtime.failures import RuntimeFailure
from shardwright.runtime.ledger.ddl_record import Place, Recorded, read_record
from shardwright.runtime.ledger.tables import create_ddl_record

__all__ = ["DdlProgress", "DdlResult", "route_changes"]


@dataclass(frozen=True, slots=True)
class DdlResult:
    """Counted in physical tables."""

    applied: int
    """What this run changed."""
    already: int
    """What had the change before."""


def route_changes(
    plan: Plan,
    *,
    connect: Connect,
    limit: int,
    on_progress: OnProgress,
    databases: Sequence[str] | None = None,
    fence: Fence | None = None,
    patience: DdlPatience | None = None,
    allowed: Set[str] | None = None,
    server_of: ServerOf | None = None,
    before_table: Callable[[], object] = lambda: None,
    ended: Event | None = None,
    hand_over: HandOver | None = None,
    apart: Apart | None = None,
) -> DdlResult:
    """Gives every physical table in `databases` (default: all) every change that it does not have. Works on `limit`
    shards of one server at once (without `server_of`: of all servers together).

    Raises Refused before anything is done when a change that was applied reads differently now (SW8401), might meet an
    index that is built after the copy and does not exist yet (SW8413), or needs a code that is not in `allowed` (None:
    the caller has asked already). Raises StoppedPartWay (SW8403) naming the physical tables that lack a change; the
    changes after it have not begun.

    `fence` is called before each statement and may raise. `before_table` is called before each table, by several
    threads, and may block until `ended` is set: no further table shall begin then, as after an interrupt. `hand_over`
    takes copying changes, and refuses before anything is done what its tool cannot do (SW8441 to SW8443). `apart` is
    called with each change before its first table, and makes the run let the table's rows wait.
    """
    names = tuple(plan.databases if databases is None else databases)
    if not plan.ddl:
        return DdlResult(0, 0)
    with ServerPools(names, server_of=server_of or (lambda _database: ""), limit=limit) as pools:
        seen = pools.on_each(lambda name: look(connect, name, plan), names, database_of=lambda name: name)
        records = {name: record for name, (record, _) in zip(names, seen, strict=True)}
        mariadb = {name: kind for name, (_, kind) in zip(names, seen, strict=True)}
        refuse_changed_files(plan, records)
        refuse_before_indexes(plan, records)
        routing = _Routing(
            plan,
            connect,
            records,
            pools,
            on_progress,
            fence,
            patience or DdlPatience(),
            allowed or frozenset(),
            before_table,
            ended or Event(),
            hand_over,
            apart,
            mariadb,
        )
        if allowed is not None:
            waiting = ((change, mariadb[target.database]) for change in plan.ddl for target in routing.waiting(change))
            refuse_unless_allowed(dict.fromkeys(waiting), allowed, handed_over=hand_over is not None)
        if hand_over is not None:
            look_before_hand_over(hand_over, plan.ddl, routing.waiting, mariadb, connect=connect, pools=pools)
        try:
            for change in plan.ddl:
                routing.route(change)
        finally:
            routing.ended.set()
            if apart is not None:
                apart.end()
    return DdlResult(routing.applied, routing.already)


@dataclass(slots=True)
class _Routing:
    """The state of one call of `route_changes`."""

    plan: Plan
    """The compiled plan, with the changes to route."""
    connect: Connect
    """Opens a connection to a shard, by database."""
    records: Records
    """What each database's record said at the beginning."""
    pools: ServerPools
    """The threads, by server."""
    on_progress: OnProgress
    """Called after each physical table."""
    fence: Fence | None
    """Checks the fencing token before each statement; None: no check."""
    patience: DdlPatience
    """How long each statement waits for locks."""
    allowed: Set[str]
    """Codes of `ddl apply --allow`."""
    before_table: Callable[[], object]
    """Blocks while the next table must wait."""
    ended: Event
    """Set when no further table shall begin."""
    hand_over: HandOver | None
    """The tool for copying changes; None: the server's own ALTER TABLE."""
    apart: Apart | None
    """Asks the run to let tables wait; None: nothing is asked."""
    mariadb: Mapping[str, bool]
    """Database -> whether its server is MariaDB."""
    applied: int = 0
    """Physical tables that were changed, over all changes."""
    already: int = 0
    """Physical tables that had a change before."""
    _done: int = 0
    _total: int = 0
    _counting: Lock = field(default_factory=Lock)

    def waiting(self, change: DdlChange) -> list[Target]:
        """The physical tables that do not have it, those of one shard together."""
        wanted = targets(self.plan, change, self.records.keys())
        return [target for target in wanted if not self._is_done(change, target)]

    def route(self, change: DdlChange) -> None:
        waiting = self.waiting(change)
        self._total = sum(1 for _ in targets(self.plan, change, self.records.keys()))
        self._done = self._total - len(waiting)
        self.already += self._done
        self._let_wait(change, waiting)
        left = waiting
        for part in canaries_first(waiting):
            left = left[len(part) :]
            if failures := self._on_all(change, part):
                raise stopped(change, failures, left)

    def _let_wait(self, change: DdlChange, waiting: Sequence[Target]) -> None:
        if self.apart is None or not waiting:
            return
        kinds = {self.mariadb[target.database] for target in waiting}
        self.apart.begin(
            change, {kind for kind in kinds if not (self.hand_over and self.hand_over.takes(change, mariadb=kind))}
        )

    def _is_done(self, change: DdlChange, target: Target) -> bool:
        found = self.records[target.database].get((change.file, change.ordinal, target.entry.table))
        return found is not None and found.state == "done"

    def _on_all(self, change: DdlChange, waiting: Sequence[Target]) -> list[Failure]:
        """Shards side by side, the tables of one shard in turn."""
        shards = [list(part) for _, part in groupby(waiting, key=lambda target: target.database)]
        found = self.pools.on_each(
            lambda part: self._on_shard(change, part), shards, database_of=lambda part: part[0].database
        )
        return [failure for failures in found for failure in failures]

    def _on_shard(self, change: DdlChange, waiting: list[Target]) -> list[Failure]:
        """The failure of one table does not stop the change of the next one."""
        database, left, failures = waiting[0].database, list(waiting), list[Failure]()
        try:
            with ddl_session(
                self.connect, database, migration=self.plan.migration, patience=self.patience
            ) as connection:
                create_ddl_record(connection)
                # Read again under the lock: another run may have made progress meanwhile.
                record = read_record(connection, self.plan.migration)
                while left and not self._ends():
                    failure = self._on_table(connection, change, left[0], record)
                    failures += [Failure(left[0], failure)] if failure else []
                    left.pop(0)
        except RuntimeFailure as failure:
            failures += [Failure(target, failure) for target in left]
        except pymysql.err.MySQLError as error:
            failures += [Failure(target, explain(error, database, target.entry.table)) for target in left]
        return failures

    def _ends(self) -> bool:
        self.before_table()
        return self.ended.is_set()

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
                    allowed=self.allowed,
                    hand_over=self.hand_over,
                    is_there=partial(is_there, connection, self.plan, change, target.entry.table, target.suffix),
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
