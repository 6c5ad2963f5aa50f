"""Who holds the lock that a statement has waited for in vain? In words, for a message.

Used in the driver and in Spark tasks; reads one server. What an account may not ask, or a server does not show, is left
out: the message then names what is nearest to it.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import Any, Final

import pymysql
from pymysql.connections import Connection

_NAMED: Final = 3
_SHOWS_IT: Final = "MariaDB does after INSTALL SONAME 'metadata_lock_info'"
_SHORTENED: Final = 60
_LOOKED_AT: Final = 4000
_MOST_TABLES: Final = 100
_NAME: Final = re.compile(r"(?:`((?:[^`]|``)+)`\.)?`((?:[^`]|``)+)`")
_ALIAS: Final = re.compile(r"\bAS `((?:[^`]|``)+)`")
_PERFORMANCE_SCHEMA: Final = """
SELECT t.processlist_id, t.processlist_user, t.processlist_host, t.processlist_time, t.processlist_info,
  CONCAT(l.object_schema, '.', l.object_name)
FROM performance_schema.metadata_locks AS l JOIN performance_schema.threads AS t ON t.thread_id = l.owner_thread_id
WHERE (l.object_schema, l.object_name) IN ({tables}) AND t.processlist_id <> CONNECTION_ID()
  AND (l.lock_status = 'GRANTED' OR l.lock_type IN ('EXCLUSIVE', 'SHARED_NO_READ_WRITE', 'SHARED_READ_ONLY'))
ORDER BY l.lock_type IN ('EXCLUSIVE', 'SHARED_NO_READ_WRITE', 'SHARED_READ_ONLY', 'SHARED_NO_WRITE') DESC,
  t.processlist_time DESC
"""
"""Those in whose way nobody is come last. One that waits for a lock which excludes others keeps later ones out."""
_MARIADB_PLUGIN: Final = """
SELECT p.id, p.user, p.host, p.time, p.info, CONCAT(l.table_schema, '.', l.table_name)
FROM information_schema.metadata_lock_info AS l JOIN information_schema.processlist AS p ON p.id = l.thread_id
WHERE (l.table_schema, l.table_name) IN ({tables}) AND p.id <> CONNECTION_ID()
ORDER BY p.time DESC
"""
_TRANSACTIONS: Final = """
SELECT p.id, p.user, p.host, p.time, p.info
FROM information_schema.innodb_trx AS t JOIN information_schema.processlist AS p ON p.id = t.trx_mysql_thread_id
WHERE p.id <> CONNECTION_ID()
ORDER BY t.trx_started
"""
_STATEMENTS: Final = """
SELECT id, user, host, time, info FROM information_schema.processlist
WHERE id <> CONNECTION_ID() AND info IS NOT NULL AND command NOT IN ('Daemon', 'Binlog Dump', 'Binlog Dump GTID')
ORDER BY time DESC
"""


def lock_holders(connection: Connection[Any], tables: Sequence[tuple[str, str]]) -> str:
    """The connections that hold a lock of one of the tables (database, name). Else the oldest open transactions, which
    may hold one."""
    places, names = ", ".join(["(%s, %s)"] * len(tables)), [name for table in tables for name in table]
    for asked in (_PERFORMANCE_SCHEMA, _MARIADB_PLUGIN) if tables else ():
        if rows := _query_or_nothing(connection, asked.format(tables=places), names):
            return (
                f"{', '.join(dict.fromkeys(str(row[5]) for row in rows[:_NAMED]))} is held by {_list_connections(rows)}"
            )
    seen = _query_or_nothing(connection, _TRANSACTIONS, ())
    others = f"; open transactions there: {_list_connections(seen)}" if seen else ""
    if tables:
        more = "" if seen else f" ({_SHOWS_IT})"
        return f"{'.'.join(tables[0])} is locked, and the server does not show by whom{more}{others}"
    return others.removeprefix("; ")


def tables_in(statement: bytes | str, databases: Collection[str]) -> list[tuple[str, str]]:
    """The tables (database, name) that a statement of ours may be about: names in backticks, in the databases of the
    connection where they have none."""
    start = statement[:_LOOKED_AT]
    text = start.decode("utf-8", "replace") if isinstance(start, bytes) else start
    found: dict[tuple[str, str], None] = {}
    aliases = frozenset(_ALIAS.findall(text))
    for qualifier, name in _NAME.findall(text):
        if not qualifier and name in aliases:
            continue
        for database in (qualifier,) if qualifier else filter(None, databases):
            found[database.replace("``", "`"), name.replace("``", "`")] = None
    return list(found)[:_MOST_TABLES]


def longest_statements(connection: Connection[Any]) -> str:
    """The statements that have run longest: each holds its tables until it ends."""
    rows = _query_or_nothing(connection, _STATEMENTS, ())
    return f"running longest: {_list_connections(rows)}" if rows else ""


def _query_or_nothing(connection: Connection[Any], sql: str, arguments: Sequence[object]) -> list[tuple[Any, ...]]:
    try:
        with connection.cursor() as cursor:
            cursor.execute(sql, arguments or None)
            return list(dict.fromkeys(cursor.fetchall()))
    except pymysql.err.MySQLError:
        return []


def _list_connections(rows: Sequence[tuple[Any, ...]]) -> str:
    said = [
        f"connection {number} of {user}@{host} idle or busy for {seconds} s{_statement_words(statement)}"
        for number, user, host, seconds, statement, *_ in rows[:_NAMED]
    ]
    more = [f"{len(rows) - _NAMED} more"] if len(rows) > _NAMED else []
    return ", ".join([*said, *more])


def _statement_words(statement: object) -> str:
    """The statement's first words only: behind them it may have values of rows."""
    text = statement.decode("utf-8", "replace") if isinstance(statement, bytes) else str(statement or "")
    words = " ".join(text.split("'", 1)[0].split())[:_SHORTENED].strip()
    return f" ({words} ...)" if words else ""
