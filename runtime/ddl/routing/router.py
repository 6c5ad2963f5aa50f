"""How do the plan's DDL changes reach every physical table? In file order with a barrier between statements; for each
one physical table first, then the others of its shard, then all shards; resumable after any stop (hazard E18).

Runs in the driver, in threads; writes DDL and its record to the shards.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from functools import partial
from itertools import groupby
from threading import Lock
from typing import Any

import pymysql
from pymysql.connections import Connection

from shardwright.compiler.plan.plan import DdlChange, Plan
from shardwright.runtime.ddl.routing.apply_change import TableChange
from shardwright.runtime.ddl.routing.policy import DdlPolicy
from shardwright.runtime.ddl.routing.targets import (
    DdlProgress,
    Failure,
    OnProgress,
    Records,
    canaries_first,
    look,
    look_before_hand_over,
    refuse_changed_files,
    stop_failure,
    targets,
)
from shardwright.runtime.ddl.routing.took_effect import is_there
from shardwright.runtime.ddl.session import ddl_session, explain
from shardwright.runtime.ddl.shard_access import ServerPools, ShardAccess
from shardwright.runtime.ddl.tables.deferred_indexes import refuse_before_indexes
from shardwright.runtime.ddl.target import Target
from shardwright.runtime.failures import RuntimeFailure
from shardwright.runtime.ledger.comparison import void_verified
from shardwright.runtime.ledger.ddl_record import ChangeRecord, Place, read_record
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
    plan: Plan, access: ShardAccess, policy: DdlPolicy | None = None, *, on_progress: OnProgress
) -> DdlResult:
    """Gives every physical table every change that it does not have. `on_progress` is called after each table.

    Raises Refused before anything is done when a change that was applied reads differently now (SW8401), might meet an
    index that is built after the copy and does not exist yet (SW8413), needs a code that the policy does not allow, or
    is nothing that the policy's tool can do (SW8441 to SW8443). Raises StoppedPartWay (SW8403) naming the physical
    tables that lack a change; the changes after it have not begun.
    """
    policy = policy or DdlPolicy()
    names = plan.databases
    if not plan.ddl:
        return DdlResult(0, 0)
    with access.pools(names) as pools:
        seen = pools.on_each(lambda name: look(access.connect, name, plan), names, database_of=lambda name: name)
        records = {name: record for name, (record, _) in zip(names, seen, strict=True)}
        mariadb = {name: kind for name, (_, kind) in zip(names, seen, strict=True)}
        refuse_changed_files(plan, records)
        refuse_before_indexes(plan, records)
        routing = _Routing(plan, access, policy, on_progress, pools=pools, records=records, mariadb=mariadb)
        waiting = {change: routing.targets_left(change) for change in plan.ddl}
        policy.refuse_unless_allowed(waiting, mariadb)
        if policy.hand_over is not None:
            look_before_hand_over(policy.hand_over, waiting, mariadb, connect=access.connect, pools=pools)
        changed = ", ".join(f"{change.file} ({change.ordinal})" for change, left in waiting.items() if left)
        try:
            if changed:
                routing.void(changed)
            for change, left in waiting.items():
                routing.route(change, left)
        finally:
            policy.ended.set()
        if changed:
            routing.void(changed)  # a comparison that began meanwhile, too
    return DdlResult(routing.applied, routing.already)


@dataclass(slots=True)
class _Routing:
    """The state of one call of `route_changes`."""

    plan: Plan
    """The compiled plan, with the changes to route."""
    access: ShardAccess
    """How the shards are reached."""
    policy: DdlPolicy
    """What the changes may do."""
    on_progress: OnProgress
    """Called after each physical table."""
    pools: ServerPools
    """The threads, by server."""
    records: Records
    """What each database's record said at the beginning."""
    mariadb: Mapping[str, bool]
    """Database -> whether its server is MariaDB."""
    applied: int = 0
    """Physical tables that were changed, over all changes."""
    already: int = 0
    """Physical tables that had a change before."""
    _done: int = 0
    _total: int = 0
    _counting: Lock = field(default_factory=Lock)

    def void(self, changed: str) -> None:
        """No comparison from before proves anything about tables that are changed."""
        with closing(self.access.connect(self.plan.databases[0])) as control:
            void_verified(control, self.plan.migration, why=f"DDL was routed: {changed}")

    def targets_left(self, change: DdlChange) -> list[Target]:
        """The physical tables that do not have it, those of one shard together."""
        wanted = targets(self.plan, change, self.records.keys())
        return [target for target in wanted if not self._is_done(change, target)]

    def route(self, change: DdlChange, waiting: Sequence[Target]) -> None:
        self._total = sum(1 for _ in targets(self.plan, change, self.records.keys()))
        self._done = self._total - len(waiting)
        self.already += self._done
        left = waiting
        for part in canaries_first(waiting):
            left = left[len(part) :]
            if failures := self._on_all(change, part):
                raise stop_failure(change, failures, left)

    def _is_done(self, change: DdlChange, target: Target) -> bool:
        found = self.records[target.database].get((change.file, change.ordinal, target.table))
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
                self.access.connect, database, migration=self.plan.migration, patience=self.policy.patience
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
            failures += [Failure(target, explain(error, database, target.table)) for target in left]
        return failures

    def _ends(self) -> bool:
        self.policy.pause()
        return self.policy.ended.is_set()

    def _on_table(
        self, connection: Connection[Any], change: DdlChange, target: Target, record: Mapping[Place, ChangeRecord]
    ) -> RuntimeFailure | None:
        recorded = record.get((change.file, change.ordinal, target.table))
        if recorded is None or recorded.state != "done":
            try:
                TableChange(connection, change, target, self.policy, self.access.fence).apply(
                    resumed=recorded is not None,
                    is_there=partial(is_there, connection, self.plan, change, target.table, target.suffix),
                )
            except RuntimeFailure as failure:
                return failure
        self._count(change, target)
        return None

    def _count(self, change: DdlChange, target: Target) -> None:
        with self._counting:
            self.applied += 1
            self._done += 1
            table = target.table
            self.on_progress(DdlProgress(change.file, change.ordinal, target.database, table, self._done, self._total))
