"""Which sessions do other accounts have on a server, and which transactions are open in them?

Runs in the driver; reads one server, and kills connections there.

A session is ours by its user name, as the server's list shows it. InnoDB gathers its transactions again when nobody has
asked for 0.1 s, so that an answer may be that old, and who asks more often gets the same answer for ever.
"""

from __future__ import annotations

import time
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Any, Final

import pymysql
from pymysql.connections import Connection

from shardwright.runtime.mysql.kill import end_connection
from shardwright.runtime.mysql.servers import is_mariadb
from shardwright.runtime.mysql.transactions import decode_text, query

LOOK_AGAIN: Final = 0.15
"""Seconds from one question about transactions to the next one."""
_NAMED: Final = 3
_OF_READERS: Final = 2**47
"""Transactions that have not written have numbers above it, which say nothing."""
_OTHERS: Final = """
SELECT p.id, p.user, p.host, p.info, t.trx_started, t.trx_id,
  t.trx_rows_modified + t.trx_rows_locked > 0
FROM information_schema.processlist AS p
LEFT JOIN information_schema.innodb_trx AS t ON t.trx_mysql_thread_id = p.id
WHERE p.id <> CONNECTION_ID()
  AND p.command NOT IN ('Daemon', 'Binlog Dump', 'Binlog Dump GTID', 'Slave_IO', 'Slave_SQL')
  AND p.user NOT IN ('system user', 'event_scheduler', 'unauthenticated user', 'unauthenticated')
"""
_LOGGING_IN: Final = (
    "SELECT id FROM information_schema.processlist WHERE user IN ('unauthenticated user', 'unauthenticated')"
)
_DETACHED: Final = "SELECT COUNT(*) FROM information_schema.innodb_trx WHERE trx_mysql_thread_id = 0"
_LOCKS_OF_MYSQL: Final = """
SELECT t.processlist_id, t.processlist_user, l.lock_status = 'GRANTED'
FROM performance_schema.metadata_locks AS l JOIN performance_schema.threads AS t ON t.thread_id = l.owner_thread_id
WHERE l.object_type = 'TABLE' AND (l.object_schema, l.object_name) IN ({tables})
"""
_LOCKS_OF_MARIADB: Final = """
SELECT p.id, p.user, 1
FROM information_schema.metadata_lock_info AS l JOIN information_schema.processlist AS p ON p.id = l.thread_id
WHERE (l.table_schema, l.table_name) IN ({tables})
"""


@dataclass(frozen=True, slots=True)
class Session:
    """A connection of another account."""

    number: int
    """By which KILL knows it."""
    user: str
    """The user name, without the account's host."""
    host: str
    """From where the client is connected."""
    statement: str | None
    """What it executes; None while it waits for its client."""
    began: str
    """When its transaction began, by the server's clock; empty when none is open."""
    writes: bool
    """Whether its transaction has changed or locked rows."""

    transaction: int
    """The number of its transaction. InnoDB gives it another one when it begins to write."""

    def is_one_of(self, earlier: Mapping[int, Session]) -> bool:
        """Whether its transaction was open at an earlier look (`by_number`)."""
        other = earlier.get(self.number)
        if other is None or not other.began or other.began != self.began:
            return False
        return self.transaction == other.transaction or other.transaction >= _OF_READERS

    def __str__(self) -> str:
        return f"connection {self.number} of {self.user}@{self.host}"


def own_user(connection: Connection[Any]) -> str:
    """The user name of our account, as the server lists its sessions."""
    return str(query(connection, "SELECT USER()")[0][0]).rpartition("@")[0]


def other_sessions(connection: Connection[Any], *, ours: str) -> list[Session]:
    """The sessions of accounts with another user name than `ours`. Needs the privilege PROCESS."""
    return [
        Session(
            int(number),
            str(decode_text(user)),
            str(decode_text(host) or "").partition(":")[0],
            decode_text(info),
            str(began or ""),
            bool(writes),
            int(transaction or 0),
        )
        for number, user, host, info, began, transaction, writes in query(connection, _OTHERS)
        if str(decode_text(user)) != ours
    ]


def open_transactions(connection: Connection[Any], *, ours: str) -> list[Session]:
    """Those of `other_sessions` that have a transaction open."""
    return [session for session in other_sessions(connection, ours=ours) if session.began]


def by_number(sessions: Sequence[Session]) -> dict[int, Session]:
    return {session.number: session for session in sessions}


def logging_in(connection: Connection[Any]) -> list[int]:
    """Connections whose account is not known yet. It may have been looked at already, as it was then."""
    return [int(number) for (number,) in query(connection, _LOGGING_IN)]


def has_detached_transactions(connection: Connection[Any]) -> bool:
    """Whether a transaction is open that belongs to no connection: one that was prepared (XA PREPARE), or whose
    connection was killed and which is still being rolled back."""
    return bool(query(connection, _DETACHED)[0][0])


def table_holders(
    connection: Connection[Any], tables: Mapping[str, Sequence[str]], *, ours: str
) -> frozenset[int] | None:
    """The connections of other users that hold a metadata lock on one of the tables. None when the server does not
    show these locks: MariaDB without the plugin metadata_lock_info, MySQL without the performance schema."""
    pairs = [name for database, names in tables.items() for table in names for name in (database, table)]
    places = ", ".join(["(%s, %s)"] * (len(pairs) // 2))
    asked = _LOCKS_OF_MARIADB if is_mariadb(connection) else _LOCKS_OF_MYSQL
    try:
        rows = query(connection, asked.format(tables=places), pairs)
    except pymysql.err.MySQLError:
        return None
    if not rows:
        return None  # where locks are shown, the caller's own waiting statement is there, too
    held = [(number, decode_text(user)) for number, user, granted in rows if granted and number is not None]
    return frozenset(int(number) for number, user in held if user != ours)


_ended = count()
_ended_so_far: Final = [next(_ended)]
"""How many connections of users this process has ended: servers are fenced by several threads."""


def kill(connection: Connection[Any], numbers: Collection[int]) -> None:
    for number in sorted(numbers):
        end_connection(connection, number)
        _ended_so_far[0] = next(_ended)


def clients_ended() -> int:
    """How many connections of users this process has ended so far."""
    return _ended_so_far[0]


def describe(sessions: Sequence[Session]) -> str:
    """In words, for a message."""
    more = [f"{len(sessions) - _NAMED} more"] if len(sessions) > _NAMED else []
    return ", ".join([*map(str, sessions[:_NAMED]), *more])


def rest() -> None:
    """Until transactions may be asked for again."""
    time.sleep(LOOK_AGAIN)
