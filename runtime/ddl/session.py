"""A shard's DDL session: one connection that holds the shard's named lock (contract C11) and never waits long for a
table that is in use.

Runs in the driver; executes DDL on one shard.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import pymysql
from pymysql.connections import Connection
from tenacity import Retrying, retry_if_exception, stop_after_attempt, wait_random_exponential

from shardwright.runtime.failures import Refused, RuntimeFailure, Unreachable
from shardwright.runtime.ledger.ddl_lock import ddl_lock_name
from shardwright.runtime.mysql.errors import IN_DOUBT, LOCK_BUSY, STATEMENT_DENIED, is_one_of
from shardwright.runtime.mysql.grants import ON_TARGETS, grant
from shardwright.runtime.mysql.rows_database import among_rows

Connect = Callable[[str], "Connection[Any]"]
Fence = Callable[["Connection[Any]"], None]


@dataclass(frozen=True, slots=True)
class DdlPatience:
    """How long DDL waits. A statement that waits for a table's metadata lock stops all later readers of that table, so
    one try waits a short time and there are several tries."""

    lock_wait_seconds: int = 5
    """Seconds that one try waits for the table."""
    attempts: int = 6
    """How many tries there are."""
    longest_pause_seconds: float = 30.0
    """Seconds between two tries at most."""
    turn_seconds: int = 60
    """Seconds to wait for another run's DDL on the same shard to end."""


@contextmanager
def ddl_session(connect: Connect, database: str, *, migration: str, patience: DdlPatience) -> Iterator[Connection[Any]]:
    """Within the block, no other session runs DDL of this migration on this shard. A statement that a killed run left
    behind on the server still holds the lock, so the next holder sees that statement's outcome."""
    connection = connect(database)
    try:
        connection.autocommit(True)
        _take_turn(connection, database, migration, patience)
        with connection.cursor() as cursor:
            cursor.execute("SET SESSION lock_wait_timeout = %s", (patience.lock_wait_seconds,))
        yield connection
    finally:
        connection.close()


def _take_turn(connection: Connection[Any], database: str, migration: str, patience: DdlPatience) -> None:
    name = ddl_lock_name(database, migration)
    with connection.cursor() as cursor:
        cursor.execute("SELECT GET_LOCK(%s, %s)", (name, patience.turn_seconds))
        taken = cursor.fetchone()
        if taken is not None and taken[0] == 1:
            return
        cursor.execute("SELECT IS_USED_LOCK(%s)", (name,))
        holder = cursor.fetchone()
    who = f"connection {holder[0]} there" if holder and holder[0] else "another connection"
    raise Refused(
        "SW8405",
        f"shard {database}: {who} runs DDL of migration {migration}: wait until it ends, or end it with KILL, then "
        "run again",
    )


def run_statement(connection: Connection[Any], statement: str, *, patience: DdlPatience, fence: Fence | None) -> None:
    """Runs one statement where the rows are, again while the table is locked by others. `fence` is called before each
    try."""
    retrying = Retrying(
        retry=retry_if_exception(is_lock_busy),
        stop=stop_after_attempt(patience.attempts),
        wait=wait_random_exponential(multiplier=0.5, max=patience.longest_pause_seconds),
        reraise=True,
    )
    for attempt in retrying:
        with attempt:
            if fence is not None:
                fence(connection)
            with among_rows(connection), connection.cursor() as cursor:
                cursor.execute(statement)


def is_lock_busy(error: BaseException) -> bool:
    return is_one_of(error, LOCK_BUSY)


def is_refusal(error: pymysql.err.MySQLError) -> bool:
    """Whether the server itself refused, so that the statement certainly had no effect."""
    number = error.args[0] if error.args else None
    return isinstance(number, int) and number not in IN_DOUBT


_USER = "the migration's user"


def explain(error: pymysql.err.MySQLError, database: str, table: str, *, holders: str = "") -> RuntimeFailure:
    """One clear message for the driver's error during DDL. `holders` names in words the connections that have the
    table's lock, if they are known."""
    number, text = error.args if len(error.args) == 2 else (None, str(error))
    where = f"{database}.{table}"
    if number in STATEMENT_DENIED:
        return Unreachable("SW8406", f"{where}: {text}: {grant(ON_TARGETS, database, _USER)}")
    if number in LOCK_BUSY:
        who = f"; {holders}" if holders else ""
        return RuntimeFailure(
            "SW8407", f"{where} stays locked by another connection ({text}{who}): end its transaction"
        )
    if number in IN_DOUBT:
        return Unreachable("SW8408", f"{where}: the connection broke ({text})")
    return RuntimeFailure("SW8409", f"{where}: {text}")
