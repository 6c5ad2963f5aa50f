"""Which position belongs to a consistent snapshot of the source server, proved rather than assumed (contract C3).

Runs in the driver; reads the source server, on MySQL and where XA is used under a short read lock.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import pymysql
from pymysql.connections import Connection

from shardwright.runtime.failures import Refused
from shardwright.runtime.mysql.grants import quoted_account
from shardwright.runtime.mysql.servers import current_account, is_mariadb
from shardwright.runtime.mysql.transactions import query
from shardwright.runtime.sources.binlog.connection import log_status, server_identity
from shardwright.runtime.sources.binlog.position import LogPosition
from shardwright.runtime.sources.binlog.server_log import executed_at


def proved_position(connection: Connection[Any]) -> LogPosition:
    """A transaction boundary such that everything before it is visible to every later snapshot."""
    with proved_snapshot(connection) as position:
        return position


@contextmanager
def proved_snapshot(connection: Connection[Any]) -> Iterator[LogPosition]:
    """A context in which the connection reads the source as it was exactly at the position: a transaction boundary such
    that everything before it is visible to this and every later snapshot.

    MariaDB says which position belongs to a consistent snapshot, but an XA transaction may be in the log before that
    and not yet visible: it is logged first. MySQL does not say the position. There, and on a MariaDB server where an XA
    transaction was ever committed, a read lock is held for the moment it takes to ask and to begin. Every commit waits
    for the lock, and the lock for every commit.
    """
    position = _from_snapshot(connection) if is_mariadb(connection) else _under_read_lock(connection, _at_the_end)
    position = replace(position, server=server_identity(connection))
    try:
        yield position
    finally:
        with connection.cursor() as cursor:
            cursor.execute("COMMIT")


def _from_snapshot(connection: Connection[Any]) -> LogPosition:
    position = _of_snapshot(connection)
    if not _xa_was_committed(connection):  # asked second: no such commit had begun when the snapshot was made
        return position
    query(connection, "COMMIT")
    return _under_read_lock(connection, _of_snapshot)


def _of_snapshot(connection: Connection[Any]) -> LogPosition:
    with connection.cursor() as cursor:
        cursor.execute("START TRANSACTION WITH CONSISTENT SNAPSHOT")
        cursor.execute("SHOW STATUS LIKE 'binlog_snapshot_%'")
        found = {str(name).lower(): str(value) for name, value in cursor.fetchall()}
    file, offset = found.get("binlog_snapshot_file", ""), found.get("binlog_snapshot_position", "")
    if not file:
        raise _no_log()
    position = LogPosition(file, int(offset))
    return replace(position, gtids=executed_at(connection, position, mariadb=True))


def _xa_was_committed(connection: Connection[Any]) -> bool:
    """Since the server started. The server counts the statement when it begins."""
    return any(int(count) for _, count in query(connection, "SHOW GLOBAL STATUS LIKE 'Com_xa_commit'"))


def _under_read_lock(connection: Connection[Any], begin: Callable[[Connection[Any]], LogPosition]) -> LogPosition:
    try:
        query(connection, "FLUSH TABLES WITH READ LOCK")
    except pymysql.err.OperationalError as error:
        raise Refused(
            "SW8125",
            f"the source refuses the read lock that proves the start position ({error.args[1]}): "
            f"GRANT RELOAD ON *.* TO {quoted_account(current_account(connection))}",
        ) from error
    try:
        return begin(connection)
    finally:
        query(connection, "UNLOCK TABLES")


def _at_the_end(connection: Connection[Any]) -> LogPosition:
    """A snapshot while nothing commits, so that it belongs to the end of the log."""
    status = log_status(connection)
    if not status:
        raise _no_log()
    position = LogPosition(str(status["file"]), int(status["position"]))
    position = replace(position, gtids=executed_at(connection, position, mariadb=False))
    query(connection, "START TRANSACTION WITH CONSISTENT SNAPSHOT")
    return position


def _no_log() -> Refused:
    return Refused("SW8121", "the source writes no binary log: start it with log_bin and binlog_format=ROW")
