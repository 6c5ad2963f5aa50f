"""When does a SELECT show everything that the log has up to a position?

Runs in the driver; reads one source server. On MySQL without GTIDs, and on MariaDB where XA is used, tables or the
server are locked for a moment (`read_locks`).

A server that waits for a replica between log and commit (semi-synchronous replication, AFTER_SYNC) has transactions in
its log that no SELECT shows yet. A row that is read again because of such an event must not be read too early.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from typing import Any, Final

import pymysql
from pymysql.connections import Connection

from shardwright.runtime.failures import StoppedPartWay
from shardwright.runtime.mysql.errors import STATEMENT_DENIED
from shardwright.runtime.mysql.servers import is_mariadb
from shardwright.runtime.mysql.transactions import query
from shardwright.runtime.sources.binlog.connection import log_end
from shardwright.runtime.sources.binlog.read_locks import ReadLocks
from shardwright.runtime.sources.binlog.snapshot_position import prove_snapshot
from shardwright.runtime.sources.positions.log_position import LogPosition

_WITHIN: Final = 10
"""Seconds that a commit may take from the log to the table."""
_LOOK_EVERY: Final = 0.1


@contextmanager
def snapshot_after(connection: Connection[Any], part: LogPosition, locks: ReadLocks) -> Iterator[None]:
    """A context in which the connection reads the server with all transactions up to `part`. Raises StoppedPartWay
    (SW8320) where the server does not commit them."""
    if part.gtids and not is_mariadb(connection):
        ((timed_out,),) = query(connection, "SELECT WAIT_FOR_EXECUTED_GTID_SET(%s, %s)", (part.gtids, _WITHIN))
        if timed_out:
            raise _ahead(part, locks)
        query(connection, "START TRANSACTION WITH CONSISTENT SNAPSHOT")
        try:
            yield
        finally:
            query(connection, "COMMIT")
        return
    until = time.monotonic() + _WITHIN
    while True:
        with prove_snapshot(connection, locks, exact=False) as position:
            if replace(position, epoch=part.epoch).has_reached(part):
                yield
                return
        if time.monotonic() > until:
            raise _ahead(part, locks)
        time.sleep(_LOOK_EVERY)


def snapshot_of_log(connection: Connection[Any], locks: ReadLocks) -> AbstractContextManager[object]:
    """A context in which the connection reads the server with all transactions that its log has now. Where the account
    may not ask for the log's end, which MariaDB allows: with those that are committed. Raises StoppedPartWay (SW8320)
    where the server does not commit them."""
    try:
        end = log_end(connection)
    except pymysql.err.MySQLError as error:
        if not error.args or error.args[0] not in STATEMENT_DENIED:
            raise
        end = None
    if end is None:
        return prove_snapshot(connection, locks, exact=False)
    return snapshot_after(connection, end, locks)


def _ahead(part: LogPosition, locks: ReadLocks) -> StoppedPartWay:
    return StoppedPartWay(
        "SW8320",
        f"the log of {locks.endpoint} goes up to {part}, and no SELECT shows its last transactions for {_WITHIN} s: a "
        "commit waits for a replica (semi-synchronous replication). See SHOW PROCESSLIST there; the run tries again",
    )
