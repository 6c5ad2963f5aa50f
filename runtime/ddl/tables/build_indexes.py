"""How are the indexes built that were left out while rows were copied? One physical table at a time on a server,
servers side by side, while the stream continues. The indexes are in the tables themselves, so a run that dies at any
point leaves nothing to be repaired.

Runs in the driver, in a thread for each server; writes DDL and its record to the shards.
"""

from __future__ import annotations

import time
from collections import Counter, defaultdict
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field
from threading import Event, Lock, Thread
from typing import Any, Final

import pymysql
from pymysql.connections import Connection

from shardwright.compiler.plan.plan import Plan
from shardwright.runtime.ddl.session import DdlPatience, ddl_session, explain, run_statement
from shardwright.runtime.ddl.tables.deferred_indexes import TableWithoutIndexes, find_lacking, find_lacking_on
from shardwright.runtime.ddl.tables.definition import read_table
from shardwright.runtime.ddl.tables.probe_table import probe_table
from shardwright.runtime.events.copy import IndexProgress
from shardwright.runtime.events.event import Emit
from shardwright.runtime.failpoints import failpoint
from shardwright.runtime.failures import Refused, RuntimeFailure
from shardwright.runtime.ledger.ddl_record import CREATED, Entry, mark_done, mark_started, read_record
from shardwright.runtime.ledger.fencing import Writer
from shardwright.runtime.mysql.errors import TOO_MANY_CHANGES
from shardwright.runtime.mysql.kill import end_connection
from shardwright.runtime.mysql.servers import Servers
from shardwright.runtime.mysql.transactions import as_any
from shardwright.runtime.mysql.transient_errors import trouble_in

_PATIENCE: Final = DdlPatience(lock_wait_seconds=60, turn_seconds=600)
"""At its end a build waits for every user of the table, and when that takes too long all of it was in vain."""
_LINE_SECONDS: Final = 5.0
_END_SECONDS: Final = 30.0


class _RunEnds(Exception):
    """The run is ending: no new table is begun."""


@dataclass(kw_only=True)
class IndexBuilding:
    """The building of one attempt, in the data role: a newer run ends it like everything else that this one does."""

    plan: Plan
    """The compiled plan of the migration."""
    servers: Servers
    """The addresses of the shards."""
    writer: Writer
    """Checks the fencing token before each statement."""
    emit: Emit
    """Called when building begins, and as it goes on."""
    may_build: Callable[[], bool]
    """Returns True when a table may be begun, False when none may be begun any more."""
    on_step: Callable[[], None]
    """Called after every table that is finished."""
    patience: DdlPatience = _PATIENCE
    """How long a statement waits for locks."""
    _threads: list[Thread] = field(default_factory=list)
    _failures: list[BaseException] = field(default_factory=list)
    _waiting: Counter[str] = field(default_factory=Counter)
    _reported_at: dict[str, float] = field(default_factory=dict)
    _under_way: dict[int, int] = field(default_factory=dict)
    """Shard -> the number that its server gave the connection."""
    _ending: Event = field(default_factory=Event)
    _lock: Lock = field(default_factory=Lock)

    def begin(self) -> None:
        """Called when all rows are copied. The caller ends it with `end`."""
        found = find_lacking(self.plan, self.servers)
        self._waiting.update(item.logical for item in found)
        by_server: dict[tuple[str, int], list[TableWithoutIndexes]] = defaultdict(list)
        for item in found:
            endpoint = self.servers.shards[item.shard]
            by_server[(endpoint.host, endpoint.port)].append(item)
        for logical, count in self._waiting.items():
            names, total = tuple(self.plan.deferred_indexes[logical]), self._total(logical)
            self.emit(IndexProgress(logical, total - count, total, names))
        for items in by_server.values():
            thread = Thread(target=self._on_server, args=(items,), name="indexes", daemon=True)
            thread.start()
            self._threads.append(thread)  # `end` waits only for those that could be started

    @property
    def is_done(self) -> bool:
        """Whether every table has its indexes."""
        return not +self._waiting

    def check(self) -> None:
        """Raises what ended the building."""
        if self._failures:
            raise self._failures[0]

    def end(self) -> None:
        """Begins no other table, and ends the statements in progress: they leave no trace."""
        with self._lock:
            self._ending.set()
            under_way = dict(self._under_way)
        for shard, number in under_way.items():
            self._kill(shard, number)
        for thread in self._threads:
            thread.join(_END_SECONDS)

    def _kill(self, shard: int, number: int) -> None:
        try:
            with closing(self.servers.connect_shard(shard)) as connection:
                end_connection(connection, number)
        except (RuntimeFailure, pymysql.err.MySQLError):
            pass  # unreachable for the reason that ended the run; the next run ends it

    def _on_server(self, items: list[TableWithoutIndexes]) -> None:
        try:
            for item in items:
                if not self.may_build():
                    return
                self._build(item)
        except _RunEnds:
            return
        except BaseException as error:  # noqa: BLE001 - `check` raises it
            if not self._ending.is_set():
                self._failures.append(error)

    def _build(self, item: TableWithoutIndexes) -> None:
        """Under the shard's DDL lock, which others may take between two tables."""
        plan, database = self.plan, self.plan.databases[item.shard]
        failpoint("before-indexes-built", database)
        try:
            with ddl_session(
                lambda _: self._connect(item.shard), database, migration=plan.migration, patience=self.patience
            ) as connection:
                record = read_record(connection, plan.migration)
                if item in find_lacking_on(plan, item.shard, record):
                    self._add(connection, item, database)
                    failpoint("after-indexes-built", database)
                    entry = Entry(plan.migration, CREATED, 0, item.name, item.digest)
                    mark_started(connection, entry)
                    mark_done(connection, entry)
        except pymysql.err.MySQLError as error:
            raise _explain(error, database, item) from error
        finally:
            with self._lock:
                self._under_way.pop(item.shard, None)
        self._count(item.logical)

    def _connect(self, shard: int) -> Connection[Any]:
        connection = self.servers.patient().connect_shard(shard, joins=False)
        with self._lock:
            if self._ending.is_set():
                connection.close()
                raise _RunEnds
            self._under_way[shard] = as_any(connection).thread_id()
        self.writer.record(connection)
        return connection

    def _add(self, connection: Connection[Any], item: TableWithoutIndexes, database: str) -> None:
        live = read_table(connection, item.name)
        if live is None:
            raise Refused("SW8412", f"{database}.{item.name} was created by this migration and is gone: restore it")
        if not any(name.lower() in live.indexes for name in item.names):
            run_statement(connection, item.add, patience=self.patience, fence=self._fence)
            return
        # A run died before it recorded the indexes, or another program changed the table.
        expected = probe_table(connection, (item.whole,))
        other = [name for name in item.names if live.indexes.get(name.lower()) != expected.indexes[name.lower()]]
        if other:
            raise Refused(
                "SW8404",
                f"{database}.{item.name} was changed by someone else: some of its indexes are there and "
                f"{', '.join(other)} not, or not as planned: drop {', '.join(item.names)}, then run again",
            )

    def _fence(self, connection: Connection[Any]) -> None:
        self.writer.require(connection)

    def _count(self, logical: str) -> None:
        with self._lock:
            self._waiting[logical] -= 1
            left, now = self._waiting[logical], time.monotonic()
            due = left == 0 or now - self._reported_at.get(logical, 0.0) >= _LINE_SECONDS
            if due:
                self._reported_at[logical] = now
        self.on_step()
        if due:
            total = self._total(logical)
            self.emit(IndexProgress(logical, total - left, total))

    def _total(self, logical: str) -> int:
        table = self.plan.table(logical)
        return len(self.plan.shards(table)) * len(self.plan.parts(table))


def _explain(error: pymysql.err.MySQLError, database: str, item: TableWithoutIndexes) -> BaseException:
    if error.args and error.args[0] == TOO_MANY_CHANGES:
        return RuntimeFailure("SW8414", f"{database}.{item.name}: {error.args[-1]}: raise the limit, then run again")
    return trouble_in(error) or explain(error, database, item.name)
