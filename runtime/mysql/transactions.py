"""One transaction on a server: all its statements or none, retried whole when the server reports a deadlock (G1). Also
single statements.

Used in the driver and in Spark tasks; writes what its callers ask for.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, TypeVar

import pymysql
from pymysql.connections import Connection
from tenacity import RetryCallState, Retrying, retry_if_exception, wait_random_exponential

from shardwright.runtime.mysql.errors import (
    CHANGED_MEANWHILE,
    CHECKREAD,
    DEPRECATIONS,
    LOCK_BUSY,
    LOCK_WAIT_TIMEOUT,
    NO_SUCH_TABLE,
    UNKNOWN_TABLE,
    is_one_of,
)

Result = TypeVar("Result")

_ATTEMPTS: Final = 20
_LOCK_WAITS: Final = 3
"""With the time-out of our sessions, 20 s, this is a minute. Then the run's retry policy begins the attempt again."""
_RETRIED = LOCK_BUSY | CHANGED_MEANWHILE | {CHECKREAD}


class ReadTooEarly(pymysql.err.OperationalError):
    """Raised by the work of a transaction that has to begin again: another one has committed what it should have read
    before it wrote."""

    def __init__(self, message: str) -> None:
        super().__init__(CHECKREAD, message)


def in_transaction(
    connection: Connection[Any],
    work: Callable[[Connection[Any]], Result],
    *,
    on_lock_wait: Callable[[str], None] = lambda _error: None,
) -> Result:
    """Run `work` in one transaction. Deadlocks, lock waits, and rows or tables that were changed since the transaction
    began are retried from the start, with backoff. A lock wait takes the session's time-out each time, so it is retried
    less often; `on_lock_wait` gets its message, which names the holder. Code that writes rows or the ledger uses
    `ledger.fencing.Writer`, whose transactions are fenced."""

    def report(state: RetryCallState) -> None:
        if (error := _lock_wait(state)) is not None:
            on_lock_wait(str(error.args[-1]))

    attempts = Retrying(
        retry=retry_if_exception(lambda error: is_one_of(error, _RETRIED)),
        wait=wait_random_exponential(multiplier=0.05, max=5),
        stop=lambda state: state.attempt_number >= (_ATTEMPTS if _lock_wait(state) is None else _LOCK_WAITS),
        before_sleep=report,
        reraise=True,
    )
    result: Result = attempts(_once, connection, work)
    return result


def _lock_wait(state: RetryCallState) -> BaseException | None:
    """The error of the attempt, where it has waited for a lock in vain."""
    error = None if state.outcome is None else state.outcome.exception()
    return error if is_one_of(error, {LOCK_WAIT_TIMEOUT}) else None


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
            found = list(as_any(connection).show_warnings())
            warnings = [item for item in found if item[0] != "Note" and item[1] not in DEPRECATIONS]
            if warnings:
                raise pymysql.err.DataError(warnings[0][1], f"{warnings[0][2]} (a warning of: {sql.strip()[:120]})")
        return int(affected)


def as_any(connection: Connection[Any]) -> Any:
    """The connection with those methods of PyMySQL that carry no types."""
    return connection


def set_variables(connection: Connection[Any], **values: object) -> None:
    """Set user variables that the plan's statements read."""
    assignments = ", ".join(f"@{name} = %s" for name in values)
    with connection.cursor() as cursor:
        cursor.execute(f"SET {assignments}", tuple(values.values()))


def _roll_back(connection: Connection[Any]) -> None:
    # 1205 rolls back only the statement: the transaction must be rolled back by us.
    try:
        connection.rollback()
    except pymysql.err.Error:
        as_any(connection)._force_close()  # the code that opened it closes it, too, and may do so only once


def decode_text(value: object) -> str | None:
    """A value of information_schema; MySQL answers some of its columns as bytes."""
    if value is None:
        return None
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)
