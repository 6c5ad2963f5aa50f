"""The read locks that prove a start position where nothing else does, and how little others feel of them.

Runs in the driver; locks tables of the source server, or the whole server, for a moment.

While such a lock waits for a statement or a transaction, writers wait behind it. So a try waits a second for each lock
and 1.5 s at the most; between tries writers go on. The lock has a connection of its own, which the server ends by
itself when this process stands still: so nobody waits for a process that does not.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from typing import Any, Final

import pymysql
from pymysql.connections import Connection

from shardwright.compiler.sql.sql_text import quote
from shardwright.runtime.failures import StoppedPartWay
from shardwright.runtime.mysql.endpoint import Endpoint
from shardwright.runtime.mysql.errors import DENIED, GONE, LOCK_BUSY, NOT_SUPPORTED
from shardwright.runtime.mysql.kill import end_connection
from shardwright.runtime.mysql.lock_holders import lock_holders, longest_statements
from shardwright.runtime.mysql.servers import connect
from shardwright.runtime.mysql.transactions import query

BUSY: Final = "SW8170"
TRIES: Final = 8
_WAITS: Final = 1
"""Seconds for one lock: the least that servers take."""
_LONGEST_WAIT: Final = 1.5
"""Seconds for all locks of one try. A statement waits for several, one after the other."""
_IDLE: Final = 2
"""Seconds after which the server ends our idle connection, and the lock with it."""
_PAUSES: Final = (0.5, 1.0, 2.0, 3.0)


@dataclass(frozen=True, slots=True)
class ReadLocks:
    """The locks that may be taken on one source server."""

    endpoint: Endpoint
    """The server."""
    tables: Sequence[str] = ()
    """The followed tables ("database.table")."""

    @property
    def of_tables(self) -> str:
        """Keeps writers from the followed tables. Readers go on, and it does not wait for them."""
        return "LOCK TABLES " + ", ".join(f"{quote(a)}.{quote(b)} READ" for a, b in self._places())

    @property
    def of_server(self) -> str:
        """Keeps writers from all tables, and waits for the statements that read or write one now."""
        return "FLUSH TABLES WITH READ LOCK"

    @property
    def databases(self) -> list[str]:
        return sorted({database for database, _ in self._places()})

    def _places(self) -> list[tuple[str, str]]:
        return [(database, table) for database, _, table in (name.partition(".") for name in sorted(self.tables))]

    def holders(self, connection: Connection[Any]) -> str:
        found = [lock_holders(connection, self._places()), longest_statements(connection)]
        return "; ".join(filter(None, found)) or "the server does not show by whom without GRANT PROCESS ON *.*"


class LockRefused(Exception):
    """The account may not take the lock. `reason` is what the server said."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class LockLost(Exception):
    """The lock was not held to the end, so what was read proves nothing."""


class LockBusy(StoppedPartWay):
    """Others have held what the lock needs, during all tries."""


@contextmanager
def hold(locks: ReadLocks, statement: str, asking: Connection[Any]) -> Iterator[None]:
    """Within, the server holds the lock. `asking` is another connection to it. Raises LockRefused, LockBusy (SW8170)
    with the names of those that hold it up, and LockLost at the end."""
    with closing(connect(locks.endpoint)) as holder:
        query(holder, f"SET SESSION lock_wait_timeout = {_WAITS}, SESSION wait_timeout = {_IDLE}")
        _take(locks, statement, holder, asking)
        try:
            yield
        except BaseException:
            with suppress(pymysql.err.MySQLError):
                query(holder, "UNLOCK TABLES")
            raise
        try:
            query(holder, "UNLOCK TABLES")
        except pymysql.err.MySQLError as error:
            raise LockLost(str(error)) from error


def _take(locks: ReadLocks, statement: str, holder: Connection[Any], asking: Connection[Any]) -> None:
    raw: Any = holder
    number = int(raw.thread_id())
    late = threading.Event()

    def end() -> None:
        late.set()
        with suppress(pymysql.err.MySQLError):
            end_connection(asking, number)

    timer = threading.Timer(_LONGEST_WAIT, end)
    timer.start()
    try:
        query(holder, statement)
    except pymysql.err.MySQLError as error:
        timer.cancel()
        timer.join()
        found = error.args[0] if error.args else None
        if found in DENIED | NOT_SUPPORTED:
            raise LockRefused(str(error.args[-1])) from error
        if late.is_set() or found in LOCK_BUSY | GONE:
            who = locks.holders(asking)
            what = "the read lock that proves the start position"
            raise LockBusy(BUSY, f"{locks.endpoint}: {what} waits for others ({who})") from error
        raise
    timer.cancel()
    timer.join()  # where it was too late to be called off, UNLOCK TABLES fails


def pauses() -> Iterator[None]:
    """Before each try but the first, others have time to write."""
    for number in range(TRIES):
        if number:
            time.sleep(_PAUSES[min(number - 1, len(_PAUSES) - 1)])
        yield
