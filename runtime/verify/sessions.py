"""Connections for a comparison: read-only, shared by its threads, and only a bounded number of them kept.

Used in the driver and in Spark tasks (invariants); reads source servers and shards.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import pymysql
from pymysql.connections import Connection
from pymysql.cursors import Cursor

from shardwright.runtime.failures import CouldNotCheck
from shardwright.runtime.mysql.errors import LOCK_WAIT_TIMEOUT, QUERY_DEPRECATIONS
from shardwright.runtime.mysql.md5_component import error_text
from shardwright.runtime.mysql.transactions import execute_later, set_variables

End = int | str
"""A shard, by the number of its database; or a source, by the name of a database that it has."""

_KEPT = 64
"""Connections kept open while no thread uses them: a server accepts only so many (hazard G8)."""
_LOCK_WAIT_SECONDS = 20
"""For a table that DDL locks against readers. The other tables can be compared."""
_LOCKED = "; DDL or another session has the table locked: compare again when it has ended"


class Sessions:
    """Lends connections to shards and sources."""

    def __init__(self, source: Callable[[str], Connection[Any]], shard: Callable[[int], Connection[Any]]) -> None:
        self._source = source
        self._shard = shard
        self._lock = threading.Lock()
        self._idle: list[tuple[End, Connection[Any]]] = []

    @contextmanager
    def at(self, end: End) -> Iterator[Connection[Any]]:
        connection = self._take(end) or self._open(end)
        try:
            yield connection
        except BaseException:
            connection.close()
            raise
        self._keep(end, connection)

    def close(self) -> None:
        with self._lock:
            idle, self._idle = self._idle, []
        for _, connection in idle:
            connection.close()

    def _open(self, end: End) -> Connection[Any]:
        connection = self._source(end) if isinstance(end, str) else self._shard(end)
        execute_later(connection, "SET SESSION TRANSACTION READ ONLY", may_commit=True, outside=True)
        execute_later(
            connection, "SET SESSION lock_wait_timeout = %s", (_LOCK_WAIT_SECONDS,), may_commit=True, outside=True
        )
        return connection

    def _take(self, end: End) -> Connection[Any] | None:
        with self._lock:
            for index, (other, connection) in enumerate(self._idle):
                if other == end:
                    del self._idle[index]
                    return connection
        return None

    def _keep(self, end: End, connection: Connection[Any]) -> None:
        with self._lock:
            self._idle.append((end, connection))
            surplus = self._idle.pop(0)[1] if len(self._idle) > _KEPT else None
        if surplus is not None:
            surplus.close()


def ask(
    connection: Connection[Any], sql: str, variables: Mapping[str, object], *, where: str
) -> Sequence[tuple[Any, ...]]:
    """The rows of one statement of the plan. Raises CouldNotCheck when the server refuses it, and when the server
    warns: a value that it could not convert or compute would silently be left out of the comparison."""
    try:
        if variables:
            set_variables(connection, **variables)
        with connection.cursor(Cursor) as cursor:
            cursor.execute(sql)
            rows = list(cursor.fetchall())
            warned = cursor.warning_count
        if warned:
            _refuse_warnings(connection, where)
    except pymysql.err.MySQLError as error:
        leads_on = _LOCKED if error.args and error.args[0] == LOCK_WAIT_TIMEOUT else ""
        raise CouldNotCheck("SW8501", f"{where} cannot be read: {error_text(error, sql)}{leads_on}") from error
    return rows


def _refuse_warnings(connection: Connection[Any], where: str) -> None:
    with connection.cursor(Cursor) as cursor:
        cursor.execute("SHOW WARNINGS")
        warnings = list(cursor.fetchall())
    for level, number, text in warnings:
        if level != "Note" and number not in QUERY_DEPRECATIONS:
            raise CouldNotCheck("SW8502", f"the comparison of {where} cannot be trusted: {text} (warning {number})")
