"""Which position belongs to a consistent snapshot of the source server, proved rather than assumed (contract C3).

Runs in the driver; reads the source server. Where nothing else proves it, tables or the server are locked for a moment
(`read_locks`).

The proofs, in the order in which they are tried; each costs writers more than the one before:

1. MariaDB says which position belongs to a snapshot, unless XA transactions are committed there: each is in the log
   before it is visible.
2. MySQL with `gtid_mode=ON`, under the same condition. A server takes a transaction's GTID as its own before it writes
   the transaction to the log (`gtid_owned`). It moves it to `gtid_executed` after the engine has committed. So what is
   in the log, and not owned any more, is visible: whatever `binlog_order_commits` says, and also where semi-sync
   replication holds a commit up. No lock is needed.
3. MySQL: LOCK TABLES ... READ of the followed tables. It is granted when no transaction that has written one of them
   is open, and a prepared one counts as open.
4. FLUSH TABLES WITH READ LOCK. Every commit waits for the lock, and the lock for every commit.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, Final

from pymysql.connections import Connection

from shardwright.runtime.failures import Refused
from shardwright.runtime.mysql.grants import grant, quote_account
from shardwright.runtime.mysql.servers import current_account, is_mariadb
from shardwright.runtime.mysql.transactions import query
from shardwright.runtime.sources.binlog.connection import log_end, server_identity
from shardwright.runtime.sources.binlog.dump import dump
from shardwright.runtime.sources.binlog.gtid import Collector, Gtids, MysqlGtids, parse_gtids
from shardwright.runtime.sources.binlog.gtid_event import MYSQL_GTIDS, parse_gtid
from shardwright.runtime.sources.binlog.read_locks import BUSY, LockBusy, LockLost, LockRefused, ReadLocks, hold, pauses
from shardwright.runtime.sources.binlog.server_log import read_executed_at
from shardwright.runtime.sources.positions.log_position import LogPosition

_SNAPSHOT: Final = "START TRANSACTION WITH CONSISTENT SNAPSHOT"
_QUIET_WITHIN: Final = 3.0
"""Seconds in which a moment without a commit is looked for."""
_COMMITS_WITHIN: Final = 10.0
"""Seconds that commits which are in the log already may take."""
_LOOK_AGAIN: Final = 0.01
_OWNER: Final = re.compile(r"(?:#\d+)+")


def prove_position(connection: Connection[Any], locks: ReadLocks) -> LogPosition:
    """A transaction boundary such that everything before it is visible to every later snapshot."""
    with prove_snapshot(connection, locks, exact=False) as position:
        return position


@contextmanager
def prove_snapshot(connection: Connection[Any], locks: ReadLocks, *, exact: bool = True) -> Iterator[LogPosition]:
    """A context in which the connection reads the source as it was exactly at the position: a transaction boundary such
    that everything before it is visible to this and every later snapshot. Without `exact` the snapshot may have more
    than that, which costs a busy MySQL server less.

    Raises Refused (SW8125) where the account may not take the lock that is needed, and StoppedPartWay (SW8170), which
    passes, where others hold it.
    """
    begin = _of_mariadb if is_mariadb(connection) else _of_mysql
    position = replace(begin(connection, locks, exact), server=server_identity(connection))
    try:
        yield position
    finally:
        query(connection, "COMMIT")


def commits_xa(connection: Connection[Any]) -> bool:
    """Since the server started. The server counts the statement when it begins."""
    return any(int(count) for _, count in query(connection, "SHOW GLOBAL STATUS LIKE 'Com_xa_commit'"))


def counts_transactions(connection: Connection[Any]) -> bool:
    """Whether every transaction of a MySQL server has a GTID."""
    return str(query(connection, "SELECT @@GLOBAL.gtid_mode")[0][0]) == "ON"


def _of_mariadb(connection: Connection[Any], locks: ReadLocks, exact: bool) -> LogPosition:
    position = _of_snapshot(connection)
    if not commits_xa(connection):  # asked second: no such commit had begun when the snapshot was made
        return position
    query(connection, "COMMIT")
    return _under_locks(connection, locks, (locks.of_server,), _of_snapshot)


def _of_mysql(connection: Connection[Any], locks: ReadLocks, exact: bool) -> LogPosition:
    counted = counts_transactions(connection)
    by_gtids = counted and not commits_xa(connection)
    if by_gtids and (found := _quiet(connection) if exact else _wait_for_commits(connection, locks)) is not None:
        return found
    each = (locks.of_tables, locks.of_server) if locks.tables else (locks.of_server,)
    position = _under_locks(connection, locks, each, _at_the_end)
    if counted and position.gtids is None:
        # Other tables' transactions were committed while those of the followed ones could not be.
        gtids = _gtids_before(connection, locks, position)
        if gtids is None:
            query(connection, "COMMIT")
            raise LockBusy(BUSY, f"{locks.endpoint}: {_hang_message(connection)}")
        position = replace(position, gtids=gtids)
    return position


def _of_snapshot(connection: Connection[Any], _statement: str = "") -> LogPosition:
    query(connection, _SNAPSHOT)
    found = {str(name).lower(): str(value) for name, value in query(connection, "SHOW STATUS LIKE 'binlog_snapshot_%'")}
    file, offset = found.get("binlog_snapshot_file", ""), found.get("binlog_snapshot_position", "")
    if not file:
        raise _no_log()
    position = LogPosition(file, int(offset))
    return replace(position, gtids=read_executed_at(connection, position, mariadb=True))


def _quiet(connection: Connection[Any]) -> LogPosition | None:
    """A snapshot between two looks at what is executed, which find the same, and no commit under way. None where no
    such moment was found, or commits of XA transactions prove nothing."""
    until = time.monotonic() + _QUIET_WITHIN
    while True:
        before = _read_executed(connection)
        query(connection, _SNAPSHOT)
        end = _end(connection)  # nothing that the snapshot shows was logged behind it
        under_way = _read_owned(connection)  # asked before what is executed: a commit moves from here to there
        if not under_way and _read_executed(connection) == before:
            if commits_xa(connection):
                break
            return replace(end, gtids=before)
        if time.monotonic() > until:
            break
        query(connection, "COMMIT")
        time.sleep(_LOOK_AGAIN)
    query(connection, "COMMIT")
    return None


def _wait_for_commits(connection: Connection[Any], locks: ReadLocks) -> LogPosition | None:
    """The log's end, when all that was in the log then has been committed; the snapshot is made after that. None as
    with `_quiet`."""
    end = _end(connection)
    gtids = _gtids_before(connection, locks, end)
    if gtids is None or commits_xa(connection):
        return None
    query(connection, _SNAPSHOT)
    return replace(end, gtids=gtids)


def _gtids_before(connection: Connection[Any], locks: ReadLocks, end: LogPosition) -> str | None:
    """The transactions before `end`, a place that the log had as its end. Waits until they are committed; None where
    one is not."""
    under_way = _read_owned(connection)
    until = time.monotonic() + _COMMITS_WITHIN
    while under_way:
        now = _read_owned(connection)
        under_way = under_way.minus(under_way.minus(now))
        if under_way and time.monotonic() > until:
            return None
        time.sleep(_LOOK_AGAIN if under_way else 0)
    executed = parse_gtids(_read_executed(connection))
    later = Collector(MysqlGtids())
    for event in dump(locks.endpoint, end, _end(connection)):
        if event.kind in MYSQL_GTIDS and (gtid := parse_gtid(event).gtid) is not None:
            later.add(gtid)
    return str(executed.minus(later.gtids()))


def _read_executed(connection: Connection[Any]) -> str:
    return str(query(connection, "SELECT @@GLOBAL.gtid_executed")[0][0] or "")


def _read_owned(connection: Connection[Any]) -> Gtids:
    """The transactions whose commit is under way, or that a replica's session is to commit."""
    return parse_gtids(_OWNER.sub("", str(query(connection, "SELECT @@GLOBAL.gtid_owned")[0][0] or "")))


def _hang_message(connection: Connection[Any]) -> str:
    return (
        f"transactions {str(_read_owned(connection))[:200]} are not committed after {_COMMITS_WITHIN:.0f} s (semi-sync "
        "replication that waits for a replica?)"
    )


def _under_locks(
    connection: Connection[Any],
    locks: ReadLocks,
    statements: tuple[str, ...],
    begin: Callable[[Connection[Any], str], LogPosition],
) -> LogPosition:
    """What `begin` finds under the first lock that can be had."""
    refused: list[str] = []
    busy: LockBusy | None = None
    for statement in statements:
        for _ in pauses():
            try:
                with hold(locks, statement, connection):
                    found = begin(connection, statement)
            except LockRefused as error:
                refused.append(f"{statement.partition(' `')[0]}: {error.reason}")
                break
            except LockLost:
                query(connection, "COMMIT")
                continue
            except LockBusy as error:
                busy = error
                continue
            return found
    if busy is not None:
        raise busy
    raise Refused(
        "SW8125",
        f"the source refuses the read lock that proves the start position ({'; '.join(refused)}): "
        f"{remedy_for(connection, quote_account(current_account(connection)), locks.databases)}",
    )


def remedy_for(connection: Connection[Any], account: str, databases: Iterable[str]) -> str:
    """What lets the position be proved."""
    reload = f"GRANT RELOAD ON *.* TO {account}"
    if is_mariadb(connection):
        return f"{reload}, or restart the server after its last XA transaction: without one no lock is needed"
    tables = "; ".join(grant(("SELECT", "LOCK TABLES"), database, account) for database in databases)
    return f"{tables}. Or {reload}. Without XA transactions gtid_mode = ON does without a lock"


def _at_the_end(connection: Connection[Any], statement: str) -> LogPosition:
    """A snapshot while nothing commits to the followed tables, so that it belongs to the end of the log."""
    position = _end(connection)
    if statement.startswith("FLUSH"):
        position = replace(position, gtids=read_executed_at(connection, position, mariadb=False))
    query(connection, _SNAPSHOT)
    return position


def _end(connection: Connection[Any]) -> LogPosition:
    end = log_end(connection)
    if end is None:
        raise _no_log()
    return end


def _no_log() -> Refused:
    return Refused("SW8121", "the source writes no binary log: start it with log_bin and binlog_format=ROW")
