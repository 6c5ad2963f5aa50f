"""One shard transaction: fenced, all its statements or none, retried whole when the server says deadlock (G1)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import pymysql
from pymysql.connections import Connection
from tenacity import Retrying, retry_if_exception, stop_after_attempt, wait_random_exponential

from shardwright.runtime.failures import Refused
from shardwright.runtime.mysql.errors import CHANGED_MEANWHILE, DEPRECATIONS, LOCK_BUSY, NO_SUCH_TABLE

Result = TypeVar("Result")

_RETRIED = LOCK_BUSY | CHANGED_MEANWHILE
OUR_MIGRATION = "migration = COALESCE(@sw_migration, '')"
"""Of the epochs and connections in a database, those of the migration that this connection works for."""
_EPOCH = f"SELECT epoch FROM `_shardwright_epoch` WHERE {OUR_MIGRATION} AND role = %s LOCK IN SHARE MODE"


def in_transaction(
    connection: Connection[Any], work: Callable[[Connection[Any]], Result], *, role: str, epoch: int
) -> Result:
    """Run `work` in one transaction that first share-locks the role's epoch row (C11).

    Deadlocks, lock waits and tables that were changed since the transaction began are retried from the start with backoff. Raises Refused (SW8201) when a newer run took over.
    """
    attempts = Retrying(
        retry=retry_if_exception(_may_work_from_the_start),
        wait=wait_random_exponential(multiplier=0.05, max=5),
        stop=stop_after_attempt(20),
        reraise=True,
    )
    result: Result = attempts(_once, connection, work, role=role, epoch=epoch)
    return result


def _once(connection: Connection[Any], work: Callable[[Connection[Any]], Result], *, role: str, epoch: int) -> Result:
    connection.begin()
    try:
        check_epoch(connection, role=role, epoch=epoch)
        result = work(connection)
        connection.commit()
    except BaseException:
        _roll_back(connection)
        raise
    return result


def check_epoch(connection: Connection[Any], *, role: str, epoch: int) -> None:
    """Hold the role's epoch row for the rest of the transaction; refuse when it is not ours any more."""
    row = query(connection, _EPOCH, (role,))
    current = row[0][0] if row else None
    if current != epoch:
        raise taken_over(current, epoch)


def taken_over(current: int | None, epoch: int) -> Refused:
    """The failure of a run that is not the newest any more (C11)."""
    return Refused("SW8201", f"a newer run (epoch {current}) has taken over from this one (epoch {epoch}): stopped")


def query(connection: Connection[Any], sql: str, values: Sequence[object] | None = None) -> Sequence[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(sql, values)
        return list(cursor.fetchall())


def query_if_there(
    connection: Connection[Any], sql: str, values: Sequence[object] | None = None
) -> Sequence[tuple[Any, ...]]:
    """The same of a table that may not have been made yet: it has no rows then."""
    try:
        return query(connection, sql, values)
    except pymysql.err.ProgrammingError as error:
        if error.args[0] != NO_SUCH_TABLE:
            raise
        return []


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
    """The driver's methods that carry no types."""
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
        untyped(connection)._force_close()  # whoever opened it closes it, too, and may do so only once
