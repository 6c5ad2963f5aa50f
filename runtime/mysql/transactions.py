"""One transaction on a server: all its statements or none, retried whole when the server reports a deadlock (G1). Also
single statements.

Used in the driver and in Spark tasks; writes what its callers ask for.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import pymysql
from pymysql.connections import Connection
from tenacity import Retrying, retry_if_exception, stop_after_attempt, wait_random_exponential

from shardwright.runtime.mysql.errors import (
    CHANGED_MEANWHILE,
    CHECKREAD,
    DEPRECATIONS,
    LOCK_BUSY,
    NO_SUCH_TABLE,
    UNKNOWN_TABLE,
)

Result = TypeVar("Result")

_RETRIED = LOCK_BUSY | CHANGED_MEANWHILE | {CHECKREAD}


class ReadTooEarly(pymysql.err.OperationalError):
    """Raised by the work of a transaction that has to begin again: another one has committed what it should have read
    before it wrote."""

    def __init__(self, message: str) -> None:
        super().__init__(CHECKREAD, message)


def in_transaction(connection: Connection[Any], work: Callable[[Connection[Any]], Result]) -> Result:
    """Run `work` in one transaction. Deadlocks, lock waits, and rows or tables that were changed since the transaction
    began are retried from the start, with backoff. Code that writes rows or the ledger uses `ledger.fencing.Writer`,
    whose transactions are fenced."""
    attempts = Retrying(
        retry=retry_if_exception(_may_work_from_the_start),
        wait=wait_random_exponential(multiplier=0.05, max=5),
        stop=stop_after_attempt(20),
        reraise=True,
    )
    result: Result = attempts(_once, connection, work)
    return result


def _once(connection: Connection[Any], work: Callable[[Connection[Any]], Result]) -> Result:
    connection.begin()
    try:
        result = work(connection)
        connection.commit()
    except BaseException:
        _roll_back(connection)
        raise
    return result


def query(connection: Connection[Any], sql: str, values: Sequence[object] | None = None) -> Sequence[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(sql, values)
        return list(cursor.fetchall())


def query_if_there(
    connection: Connection[Any], sql: str, values: Sequence[object] | None = None
) -> Sequence[tuple[Any, ...]]:
    """The same for a table that may not exist yet: then it has no rows."""
    return if_there(lambda: query(connection, sql, values)) or []


def if_there(read: Callable[[], Result]) -> Result | None:
    """What `read` finds in a table that may not exist yet; None when it does not exist."""
    try:
        return read()
    except pymysql.err.MySQLError as error:
        if not error.args or error.args[0] not in (NO_SUCH_TABLE, UNKNOWN_TABLE):
            raise
        return None


def execute(connection: Connection[Any], sql: str, values: Sequence[object] | None = None) -> int:
    """Execute one statement; a warning is an error (hazard G3). Returns the affected rows."""
    with connection.cursor() as cursor:
        affected = cursor.execute(sql, values)
        if cursor.warning_count:
            found = list(untyped(connection).show_warnings())
            warnings = [item for item in found if item[0] != "Note" and item[1] not in DEPRECATIONS]
            if warnings:
                raise pymysql.err.DataError(warnings[0][1], f"{warnings[0][2]} (a warning of: {sql.strip()[:120]})")
        return int(affected)


def untyped(connection: Connection[Any]) -> Any:
    """The connection with those methods of PyMySQL that carry no types."""
    return connection


def set_variables(connection: Connection[Any], **values: object) -> None:
    """Set user variables that the plan's statements read."""
    assignments = ", ".join(f"@{name} = %s" for name in values)
    with connection.cursor() as cursor:
        cursor.execute(f"SET {assignments}", tuple(values.values()))


def _may_work_from_the_start(error: BaseException) -> bool:
    return isinstance(error, pymysql.err.MySQLError) and bool(error.args) and error.args[0] in _RETRIED


def _roll_back(connection: Connection[Any]) -> None:
    # 1205 rolls back only the statement: the transaction must be rolled back by us.
    try:
        connection.rollback()
    except pymysql.err.Error:
        untyped(connection)._force_close()  # the code that opened it closes it, too, and may do so only once


def listed_text(value: object) -> str | None:
    """A value of information_schema; MySQL answers some of its columns as bytes."""
    if value is None:
        return None
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)
