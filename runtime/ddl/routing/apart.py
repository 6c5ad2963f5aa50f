"""Which changes of the stream wait while DDL keeps writers out of a table? Only that table's: `ddl apply` asks the run
for it (`stream/batch/waiting_tables`).

Runs in the driver (the process of `ddl apply`); writes the request to the first shard's ledger.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Set
from contextlib import closing, suppress
from dataclasses import dataclass, field
from threading import Event
from typing import Any, Final

import pymysql
from pymysql.connections import Connection

from shardwright.compiler.plan.plan import DdlChange, Plan
from shardwright.runtime.ddl.guards import foreign_keys
from shardwright.runtime.ddl.session import explain
from shardwright.runtime.ledger.fencing import is_alive
from shardwright.runtime.ledger.tables import create_ledger
from shardwright.runtime.ledger.waiting import ask, lock_name, read_waiting, withdraw_requests
from shardwright.runtime.mysql.transactions import execute, query

ANSWER_SECONDS: Final = 120.0
"""Seconds; a run answers between two batches."""
_LOOK_EVERY: Final = 0.2
_YEAR: Final = 31_536_000


@dataclass
class Apart:
    """Asks the run to let one table after the other wait, and withdraws the request."""

    plan: Plan
    """The compiled plan of the migration."""
    connect: Callable[[], Connection[Any]]
    """Opens a connection to the first shard."""
    by: str
    """Names the process that asks: command, account, host, pid."""
    log_line: Callable[[str], None]
    """Called with a line for the operator."""
    ended: Event
    """Set when `ddl apply` ends: no answer is awaited any more."""
    regardless: bool = False
    """Also where weights order tables (`--apart`)."""
    answer_seconds: float = ANSWER_SECONDS
    """Seconds to wait for the run's answer."""
    _connection: Connection[Any] | None = None
    _asked: str = ""
    _reported: set[str] = field(default_factory=set)

    def begin(self, change: DdlChange, mariadb: Set[bool]) -> None:
        """Called before the change is routed to tables on servers of these kinds. Returns when a run has answered, or
        when there is none."""
        if self._asked == change.logical:
            return
        self.end()
        if not any(_keeps_writers_out(change, mariadb=kind) for kind in mariadb):
            return
        if why := self._why_not(change.logical):
            if change.logical not in self._reported:
                self.log_line(f"{change.logical}: while DDL blocks writes to its tables, the whole stream waits: {why}")
            self._reported.add(change.logical)
            return
        self._asked = change.logical
        try:
            connection = self._held()
            ask(connection, self.plan.migration, change.logical, by=self.by)
            self._wait_for_answer(connection, change.logical)
        except pymysql.err.MySQLError as error:
            raise explain(error, self.plan.databases[0], "_shardwright_waiting") from error

    def end(self) -> None:
        """Withdraws the request: the run applies the table's changes again. If this call is missing, the run sees it by
        the lock, which is free then."""
        connection, self._connection, self._asked = self._connection, None, ""
        if connection is not None:
            with closing(connection), suppress(pymysql.err.MySQLError):
                withdraw_requests(connection, self.plan.migration)

    def _held(self) -> Connection[Any]:
        """A connection whose lock shows the run that this process is alive."""
        connection = self._connection = self.connect()
        connection.autocommit(True)
        create_ledger(connection, first=True)
        execute(connection, f"SET SESSION wait_timeout = {_YEAR}")
        query(connection, "SELECT GET_LOCK(%s, 10)", (lock_name(connection, self.plan.migration),))
        withdraw_requests(connection, self.plan.migration)  # a request of a process that died
        return connection

    def _wait_for_answer(self, connection: Connection[Any], logical: str) -> None:
        until = time.monotonic() + self.answer_seconds
        while is_alive(connection, role="data") and not self.ended.wait(_LOOK_EVERY):
            if read_waiting(connection, self.plan.migration)[logical].since is not None:
                self.log_line(f"{logical}: paused from here on; the changes of other tables continue")
                return
            if time.monotonic() >= until:
                self.log_line(
                    f"{logical}: the run has not answered for {self.answer_seconds:g} s, because a batch is in "
                    "progress: it may wait for these tables"
                )
                return

    def _why_not(self, logical: str) -> str:
        """The reason why the table's changes may not wait alone; empty where they may."""
        return why_not(self.plan, logical, regardless=self.regardless) or self._foreign_keys(logical)

    def _foreign_keys(self, logical: str) -> str:
        """Reads the first shard: all shards have the same foreign keys."""
        physical = self.plan.physical_tables(self.plan.table(logical))
        ours = {name.lower() for shard, _, name in physical if shard == 0}
        with closing(self.connect()) as connection:
            return next((fault.message for fault in foreign_keys(connection, self.plan.databases[0], ours)), "")


def _keeps_writers_out(change: DdlChange, *, mariadb: bool) -> bool:
    form = change.form(mariadb=mariadb)
    return form is not None and form.ddl_class in ("copying", "blocking")


def why_not(plan: Plan, logical: str, *, regardless: bool) -> str:
    """Why the whole stream has to wait with the table; empty where its changes may wait alone. `regardless`: weights
    are no reason."""
    tables = {table.logical: table for table in plan.tables}
    table = tables.get(logical)
    if table is None:
        return "no spec names it"
    if plan.stream.name != "binlog":
        return "the stream is a queue's, which cannot be read again from an earlier place"
    if table.parent is not None or any(
        child.parent is not None and child.parent.parent == logical for child in tables.values()
    ):
        return "its rows are co-located with another table's rows"
    again = [other.logical for other in tables.values() if other.events_table or other.write != "rows"]
    if again:
        return f"{again[0]} writes events or changed fields, which must not be done twice"
    if any(other is not table and set(other.sources) & set(table.sources) for other in tables.values()):
        return "another table is made of the same source table"
    if len({other.weight for other in tables.values()}) > 1 and not regardless:
        return "weights order the tables (with --apart the others continue anyway)"
    return ""
