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
from shardwright.runtime.mysql.joining import JoiningConnection, UnclearWarning, Waiting, has_waited

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
    try:
        return _attempt(connection, work)
    except UnclearWarning:
        assert isinstance(connection, JoiningConnection)
        connection.joins = False
        try:
            return _attempt(connection, work)
        finally:
            connection.joins = True


def _attempt(connection: Connection[Any], work: Callable[[Connection[Any]], Result]) -> Result:
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
        if not error.args or error.args[0] not in (NO_SUCH_TABLE, UNKNOWN_TABLE) or has_waited(error):
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


def execute_later(
    connection: Connection[Any],
    sql: str,
    values: Sequence[object] | None = None,
    *,
    explain: Callable[[pymysql.err.MySQLError], BaseException | None] = lambda _error: None,
    judge: Callable[[int], None] | None = None,
    may_commit: bool = False,
    outside: bool = False,
) -> None:
    """The same, within a transaction in one packet with the next statement; `outside` of one, too, where the caller
    sends another one on the connection, or calls `send_waiting`. Its error is raised there, or what `explain` makes of
    it; `judge` takes the number of affected rows, and raises what is wrong with it. `may_commit`: where it is one of
    the last, it may travel with COMMIT, as statements of ours do that write to ledgers: they write what they should or
    fail, and their warnings are notes."""
    assert judge is None or not may_commit
    joins = isinstance(connection, JoiningConnection) and connection.joins and (outside or connection.in_transaction)
    if not joins:
        try:
            affected = execute(connection, sql, values)
        except pymysql.err.MySQLError as error:
            if (instead := explain(error)) is not None:
                raise instead from error
            raise
        if judge is not None:
            judge(affected)
        return

    def judge_answer(result: Any) -> None:
        if result.warning_count and not may_commit:
            raise UnclearWarning(sql)
        if judge is not None:
            judge(int(result.affected_rows))

    as_any(connection).send_later(
        Waiting(_mogrify(connection, sql, values), judge_answer, explain=explain, may_commit=may_commit)
    )


def send_waiting(connection: Connection[Any]) -> None:
    """Send what `execute_later` has kept, and raise what is wrong with it."""
    if isinstance(connection, JoiningConnection):
        connection.send_waiting()


def query_together(
    connection: Connection[Any], *asked: tuple[str, Sequence[object] | None]
) -> list[Sequence[tuple[Any, ...]]]:
    """The rows of several statements, in one packet."""
    if not isinstance(connection, JoiningConnection):
        return [query(connection, sql, values) for sql, values in asked]
    found: list[Sequence[tuple[Any, ...]]] = []
    for sql, values in asked:
        connection.send_later(Waiting(_mogrify(connection, sql, values), lambda result: found.append(result.rows)))
    connection.send_waiting()
    return found


def _mogrify(connection: Connection[Any], sql: str, values: Sequence[object] | None) -> bytes:
    with connection.cursor() as cursor:
        return str(cursor.mogrify(sql, values)).encode(as_any(connection).encoding)


def as_any(connection: Connection[Any]) -> Any:
    """The connection with those methods of PyMySQL that carry no types."""
    return connection


def set_variables(connection: Connection[Any], **values: object) -> None:
    """Set user variables that the plan's statements read, in one packet with the next statement."""
    sql = f"SET {', '.join(f'@{name} = %s' for name in values)}"
    if isinstance(connection, JoiningConnection):
        connection.send_later(Waiting(_mogrify(connection, sql, tuple(values.values())), may_commit=True))
        return
    with connection.cursor() as cursor:
        cursor.execute(sql, tuple(values.values()))


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
