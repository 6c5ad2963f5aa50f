"""Who keeps a table from being changed: asked of the server where it tells, for a message. No statement's text is read."""

from __future__ import annotations

from typing import Any

import pymysql
from pymysql.connections import Connection

_NAMED = 3
_PERFORMANCE_SCHEMA = """
SELECT t.processlist_id, t.processlist_user, t.processlist_host, t.processlist_time
FROM performance_schema.metadata_locks AS l JOIN performance_schema.threads AS t ON t.thread_id = l.owner_thread_id
WHERE l.object_schema = DATABASE() AND l.object_name = %s AND l.lock_status = 'GRANTED'
  AND t.processlist_id IS NOT NULL AND t.processlist_id <> CONNECTION_ID()
ORDER BY t.processlist_time DESC
"""
_MARIADB_PLUGIN = """
SELECT p.id, p.user, p.host, p.time
FROM information_schema.metadata_lock_info AS l JOIN information_schema.processlist AS p ON p.id = l.thread_id
WHERE l.table_schema = DATABASE() AND l.table_name = %s AND p.id <> CONNECTION_ID()
ORDER BY p.time DESC
"""
_TRANSACTIONS = """
SELECT p.id, p.user, p.host, p.time
FROM information_schema.innodb_trx AS t JOIN information_schema.processlist AS p ON p.id = t.trx_mysql_thread_id
WHERE p.db = DATABASE() AND p.id <> CONNECTION_ID()
ORDER BY t.trx_started
"""


def holders(connection: Connection[Any], table: str) -> str:
    """In words, for a message; empty when the server does not tell or we may not ask."""
    for sql in (_PERFORMANCE_SCHEMA, _MARIADB_PLUGIN):
        if rows := _asked(connection, sql, (table,)):
            return f"held by {_listed(rows)}"
    if rows := _asked(connection, _TRANSACTIONS, ()):
        return f"which one the server does not tell; transactions open there: {_listed(rows)}"
    return ""


def _asked(connection: Connection[Any], sql: str, arguments: tuple[object, ...]) -> list[tuple[Any, ...]]:
    try:
        with connection.cursor() as cursor:
            cursor.execute(sql, arguments)
            return list(dict.fromkeys(cursor.fetchall()))
    except pymysql.err.MySQLError:
        return []


def _listed(rows: list[tuple[Any, ...]]) -> str:
    said = [
        f"connection {number} of {user}@{host} idle or busy for {seconds} s"
        for number, user, host, seconds in rows[:_NAMED]
    ]
    more = [f"{len(rows) - _NAMED} more"] if len(rows) > _NAMED else []
    return ", ".join([*said, *more])
