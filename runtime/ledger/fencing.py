"""Which run may write (contract C11): a run owns a role of its migration on every shard by raising its fencing token
(epoch), and a run with an older token can write no more.

Used in the driver, which takes the token on the shards, and in every transaction of driver and Spark tasks, which
checks it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final, TypeVar

import pymysql
from pymysql.connections import Connection

from shardwright.runtime.failures import Refused
from shardwright.runtime.mysql.errors import OUT_OF_RANGE
from shardwright.runtime.mysql.joining import JoiningConnection
from shardwright.runtime.mysql.kill import end_connections
from shardwright.runtime.mysql.rows_database import rows_database
from shardwright.runtime.mysql.transactions import (
    as_any,
    execute,
    execute_later,
    in_transaction,
    query,
    query_together,
    send_waiting,
)

Result = TypeVar("Result")

TOKEN_TABLE: Final = """CREATE TABLE IF NOT EXISTS `_shardwright_epoch` (
      migration VARCHAR(64) NOT NULL,
      role VARCHAR(16) NOT NULL,
      epoch BIGINT NOT NULL,
      owner VARCHAR(255) NOT NULL,
      taken_at DATETIME(6) NOT NULL,
      PRIMARY KEY (migration, role)
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin"""
"""On every shard. `epoch` is the fencing token."""
CONNECTION_TABLE: Final = """CREATE TABLE IF NOT EXISTS `_shardwright_connection` (
      migration VARCHAR(64) NOT NULL,
      role VARCHAR(16) NOT NULL,
      epoch BIGINT NOT NULL,
      connection_id BIGINT NOT NULL,
      PRIMARY KEY (migration, role, epoch, connection_id)
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin"""
"""On every shard."""
LOCKED_FOR_READING: Final = "`_shardwright_epoch` READ"
"""For LOCK TABLES: while the lock is held, no newer run takes over."""
_OURS = "migration = COALESCE(@sw_migration, '')"
"""Selects, of the tokens and connections in a database, those of the migration that this connection works for."""
_OLD_CONNECTIONS = f"SELECT connection_id FROM `_shardwright_connection` WHERE {_OURS} AND role = %s"
_READ = f"SELECT COALESCE(MAX(epoch), 0) FROM `_shardwright_epoch` WHERE {_OURS} AND role = %s"
_TOKEN = f"SELECT epoch FROM `_shardwright_epoch` WHERE {_OURS} AND role = %s LOCK IN SHARE MODE"
_REQUIRED = (
    "SELECT IF(COALESCE(MAX(epoch), 0) = %s, 1, EXP(710 + COALESCE(MAX(epoch), 0))) FROM `_shardwright_epoch` "
    f"WHERE {_OURS} AND role = %s LOCK IN SHARE MODE"
)
"""Fails for another token: no number is as large as EXP(710). So no statement behind it in a packet is executed, COMMIT
neither."""
_HOLDER = f"SELECT epoch, owner FROM `_shardwright_epoch` WHERE {_OURS} AND role = %s"
_RAISE = (
    "INSERT INTO `_shardwright_epoch` (migration, role, epoch, owner, taken_at) VALUES (COALESCE(@sw_migration, ''), "
    "%s, %s, %s, NOW(6)) ON DUPLICATE KEY UPDATE epoch = GREATEST(epoch, %s), owner = %s, taken_at = NOW(6)"
)
_RECORD = (
    "INSERT IGNORE INTO `_shardwright_connection` (migration, role, epoch, connection_id) SELECT migration, role, "
    f"epoch, CAST(%s AS UNSIGNED) FROM `_shardwright_epoch` WHERE {_OURS} AND role = %s AND epoch = %s"
)
_FORGET_ONE = f"DELETE FROM `_shardwright_connection` WHERE {_OURS} AND role = %s AND epoch = %s AND connection_id = %s"
_LIVING = (
    "SELECT id FROM information_schema.processlist WHERE db IN (DATABASE(), %s) AND user = "
    "SUBSTRING_INDEX(CURRENT_USER(), '@', 1)"
)
_OTHERS = (
    "SELECT migration, connection_id FROM `_shardwright_connection` WHERE migration <> COALESCE(@sw_migration, "
    "'') AND role = 'data'"
)
_FORGET = f"DELETE FROM `_shardwright_connection` WHERE {_OURS} AND role = %s AND epoch < %s"
_CONNECTED = (
    "SELECT 1 FROM information_schema.processlist AS p JOIN `_shardwright_connection` AS c ON c.connection_id = p.id "
    f"WHERE c.{_OURS} AND c.role = %s AND p.db IN (DATABASE(), %s) LIMIT 1"
)
_SEES_ALL = (
    "SELECT 1 FROM information_schema.user_privileges WHERE privilege_type = 'PROCESS' "
    "AND grantee = CONCAT('\\'', REPLACE(CURRENT_USER(), '@', '\\'@\\''), '\\'')"
)


@dataclass(frozen=True, slots=True)
class Writer:
    """One role of a migration with its fencing token. All code of a run that writes rows or ledgers gets the run's
    writer."""

    token: int
    """Called `epoch` in the ledger. A higher one has taken over."""
    role: str = "data"
    """`data` for the run, `ddl` for routed DDL."""

    def transaction(
        self,
        connection: Connection[Any],
        work: Callable[[Connection[Any]], Result],
        *,
        on_lock_wait: Callable[[str], None] = lambda _error: None,
    ) -> Result:
        """Run `work` in one transaction that first share-locks the role's row (C11). `on_lock_wait` as for
        `in_transaction`. Raises Refused (SW8201) when a newer run took over."""

        def work_fenced(connection: Connection[Any]) -> Result:
            self._require_later(connection)
            return work(connection)

        return in_transaction(connection, work_fenced, on_lock_wait=on_lock_wait)

    def require(self, connection: Connection[Any]) -> None:
        """Hold the role's row for the rest of the transaction. Raises Refused (SW8201) when the token is not the newest
        any more."""
        row = query(connection, _TOKEN, (self.role,))
        current = row[0][0] if row else None
        if current != self.token:
            raise self.replacement_failure(current)

    def _require_later(self, connection: Connection[Any]) -> None:
        """The same with the next statement."""
        if not isinstance(connection, JoiningConnection) or not connection.joins:
            self.require(connection)
            return

        def explain(error: pymysql.err.MySQLError) -> BaseException | None:
            if error.args[:1] != (OUT_OF_RANGE,):
                return None
            row = query(connection, _TOKEN, (self.role,))
            return self.replacement_failure(row[0][0] if row else None)

        execute_later(connection, _REQUIRED, (self.token, self.role), explain=explain, may_commit=True)

    def record(self, connection: Connection[Any]) -> None:
        """Record this connection so that a later run can end it, before its next statement. Committed at once. A run
        that is no longer the newest does not write even this; its first transaction is refused."""
        values = (as_any(connection).thread_id(), self.role, self.token)
        execute_later(connection, _RECORD, values, may_commit=True, outside=True)

    def forget(self, connection: Connection[Any]) -> None:
        """Takes back what `record` has written, before a connection is closed that others will follow: the record must
        not grow. What cannot be taken back stays until the next takeover."""
        with suppress(pymysql.err.MySQLError):
            execute(connection, _FORGET_ONE, (self.role, self.token, as_any(connection).thread_id()))

    def replacement_failure(self, current: int | None) -> Refused:
        """The failure of a run that is not the newest any more (C11)."""
        return Refused(
            "SW8201", f"a newer run (epoch {current}) has taken over from this one (epoch {self.token}): stopped"
        )


def highest_token(connection: Connection[Any], *, role: str) -> int:
    return int(query(connection, _READ, (role,))[0][0])


def holder(connection: Connection[Any], *, role: str) -> tuple[int, str]:
    """The role's epoch in this database, and the owner that took it: a host and a process on it. (0, "") before the
    first."""
    rows = query(connection, _HOLDER, (role,))
    return (int(rows[0][0]), str(rows[0][1])) if rows else (0, "")


def take_over(connection: Connection[Any], *, role: str, epoch: int, owner: str) -> None:
    """Kill the connections that an older epoch recorded in this database, then raise the epoch. A frozen driver that
    holds the epoch row in an open transaction is rolled back by the kill, so this cannot wait for it."""
    _kill_older(connection, role)
    execute_later(connection, _RAISE, (role, epoch, owner, epoch, owner), may_commit=True, outside=True)
    execute_later(connection, _FORGET, (role, epoch), may_commit=True, outside=True)
    send_waiting(connection)


def seize(connection: Connection[Any], *, role: str, owner: str) -> int:
    """Raise the epoch in an open transaction, without ending connections: waits for transactions of the run that are
    open here, and lets none begin. The run ends at its next transaction. Returns the new epoch."""
    row = query(connection, _HOLDER + " FOR UPDATE", (role,))
    epoch = 1 + (int(row[0][0]) if row else 0)
    execute_later(connection, _RAISE, (role, epoch, owner, epoch, owner), may_commit=True)
    return epoch


def is_alive(connection: Connection[Any], *, role: str) -> bool:
    """Whether the run that holds the role is connected to this database."""
    recorded = {int(row[0]) for row in query(connection, _OLD_CONNECTIONS, (role,))}
    return any(int(number) in recorded for (number,) in _own_connections(connection))


def find_run(connection: Connection[Any], *, role: str, account: str | None) -> bool | None:
    """Whether the run that holds the role is connected to this database, asked by any account. None: the account of
    `connection` sees no sessions of `account` (user@host), which the run writes by; it may lack PROCESS."""
    if query(connection, _CONNECTED, (role, rows_database(connection))):
        return True
    if query(connection, _SEES_ALL):
        return False
    [(own,)] = query(connection, "SELECT CURRENT_USER()")
    return None if account is None or account.partition("@")[0] != str(own).partition("@")[0] else False


def others_alive(connection: Connection[Any]) -> frozenset[str]:
    """Other migrations whose runs are connected to this database."""
    living = {int(number) for (number,) in _own_connections(connection)}
    return frozenset(str(migration) for migration, number in query(connection, _OTHERS) if int(number) in living)


def _own_connections(connection: Connection[Any]) -> Sequence[tuple[Any, ...]]:
    """Connections of our own user. While it executes DDL, one is in the database that has the rows."""
    return query(connection, _LIVING, (rows_database(connection),))


def _kill_older(connection: Connection[Any], role: str) -> None:
    own = as_any(connection).thread_id()
    # A connection id may belong to another client after a server restart: only our own user's in this database.
    rows, living = query_together(connection, (_OLD_CONNECTIONS, (role,)), (_LIVING, (rows_database(connection),)))
    recorded = {int(number) for (number,) in rows}
    end_connections(connection, [int(number) for (number,) in living if int(number) in recorded - {own}])
