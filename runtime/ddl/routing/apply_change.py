"""One change on one physical table: decided by the record and the live table, run, recorded. Where it waits for a lock,
the message names the connections that hold it.

Runs in the driver; writes DDL and its record to one shard.
"""

from __future__ import annotations

from collections.abc import Callable, Set
from dataclasses import replace
from typing import Any

import pymysql
from pymysql.connections import Connection

from shardwright.compiler.ddl.catching_up import tables_after
from shardwright.compiler.plan.plan import DdlChange, with_suffix
from shardwright.runtime.ddl.online.hand_over import HandOver
from shardwright.runtime.ddl.routing.asked import is_refused_way, refused_way, statements
from shardwright.runtime.ddl.routing.took_effect import Standing, standing, tables_stand, without_standing_indexes
from shardwright.runtime.ddl.session import (
    DdlPatience,
    Fence,
    explain,
    is_lock_busy,
    is_refusal,
    run_statement,
)
from shardwright.runtime.ddl.tables.definition import LiveTable, read_table, table_names
from shardwright.runtime.failures import Refused, RuntimeFailure
from shardwright.runtime.ledger.ddl_record import Entry, Recorded, forget, is_of_stream, mark_done, mark_started, sha256
from shardwright.runtime.mysql.errors import HAS_EFFECT_ALREADY
from shardwright.runtime.mysql.servers import is_mariadb

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
    """In words, for a message; empty when the server does not report them or we may not ask."""
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


def entry_for(change: DdlChange, *, migration: str, table: str, suffix: str) -> Entry:
    return Entry(migration, change.file, change.ordinal, table, sha256(with_suffix(change.template, suffix)))


def apply_change(
    connection: Connection[Any],
    change: DdlChange,
    entry: Entry,
    *,
    suffix: str,
    recorded: Recorded | None,
    database: str,
    patience: DdlPatience,
    fence: Fence | None,
    allowed: Set[str],
    hand_over: HandOver | None = None,
    is_there: Callable[[], bool] = lambda: False,
) -> None:
    """Makes the change, or finds that the table has it. `allowed` are codes of `ddl apply --allow`; `hand_over` takes
    copying changes; `is_there` is called for a change that catches up. Raises RuntimeFailure. The record is right in
    each case: `started` without `done` means that only the live table shows the outcome."""
    live = None
    if is_of_stream(change.file):
        # The targets may have other indexes than the source: one that an operator made before, or that the targets
        # never had, is no conflict.
        live = read_table(connection, entry.table)
        template = change.template if live is None else without_standing_indexes(change.template, live)
        if template is None:
            mark_started(connection, entry)
            mark_done(connection, entry)
            return
        change = replace(change, template=template)
    statement = with_suffix(change.template, suffix)
    resumed = recorded is not None
    taken_by = hand_over if hand_over and hand_over.takes(change, mariadb=is_mariadb(connection)) else None
    if taken_by is not None:
        taken_by.clear(connection, database, entry.table)
    where = f"{database}.{entry.table}"
    match _standing(connection, statement, change, where, entry.table, live):
        case Standing.APPLIED if resumed:
            mark_done(connection, entry)
            return
        case Standing.APPLIED | Standing.UNSEEN if change.catches_up and is_there():
            mark_started(connection, entry)
            mark_done(connection, entry)
            return
        case Standing.APPLIED | Standing.TORN:
            raise Refused(
                "SW8404",
                f"{where} was changed by somebody else: what statement {entry.ordinal} of {change.file} does stands there, "
                "wholly or in part: put the table back as it was, then run again",
            )
        case _:
            pass
    mark_started(connection, entry)
    if taken_by is not None:
        taken_by.carry_out(
            connection, change, database=database, table=entry.table, suffix=suffix, patience=patience, fence=fence
        )
        mark_done(connection, entry)
        return
    asked = statements(change, suffix=suffix, mariadb=is_mariadb(connection), allowed=allowed)
    for number, attempt in enumerate(asked, start=1):
        try:
            run_statement(connection, attempt, patience=patience, fence=fence)
        except pymysql.err.MySQLError as error:
            if is_refused_way(error) and number < len(asked):
                continue
            if resumed and error.args and error.args[0] in HAS_EFFECT_ALREADY:
                break
            raise _failure(connection, error, change, entry, database=database, tried=attempt) from error
        break
    mark_done(connection, entry)


def _standing(
    connection: Connection[Any], statement: str, change: DdlChange, where: str, table: str, live: LiveTable | None
) -> Standing:
    """`live` is the table's definition where it was read before."""
    if wanted := tables_after(statement):
        return tables_stand(wanted, table_names(connection))
    live = live or read_table(connection, table)
    if live is None:
        raise RuntimeFailure("SW8410", f"{where} does not exist: {change.file} cannot be applied to it")
    return standing(statement, live)


def _failure(
    connection: Connection[Any],
    error: pymysql.err.MySQLError,
    change: DdlChange,
    entry: Entry,
    *,
    database: str,
    tried: str,
) -> RuntimeFailure:
    if is_refusal(error):
        forget(connection, entry)
    if is_refused_way(error) and change.form(mariadb=is_mariadb(connection)) is not None:
        where = f"{database}.{entry.table}"
        return refused_way(error, change, table=where, mariadb=is_mariadb(connection), tried=tried)
    who = holders(connection, entry.table) if is_lock_busy(error) else ""
    return explain(error, database, entry.table, holders=who)
