"""Which DDL statement is the stream before, and where is the boundary behind it? Was a table changed since? The log is
read once more.

Runs in the driver; reads the source's log.
"""

from __future__ import annotations

from collections.abc import Collection
from itertools import dropwhile

from shardwright.compiler.ddl.logged.new_tables import table_of_create
from shardwright.runtime.mysql.endpoint import Endpoint
from shardwright.runtime.sources.binlog.connection import log_head
from shardwright.runtime.sources.binlog.dump import dump
from shardwright.runtime.sources.binlog.events import (
    THREAD_SPECIFIC_FLAG,
    Kind,
    LogEvent,
    error_of,
    is_strict,
    statement_of,
    with_effect,
)
from shardwright.runtime.sources.binlog.gtid_event import History
from shardwright.runtime.sources.binlog.log import Log
from shardwright.runtime.sources.binlog.statements import Effect, Statements
from shardwright.runtime.sources.binlog.table_changed import CODE, TableChanged
from shardwright.runtime.sources.binlog.table_map import name_of
from shardwright.runtime.sources.binlog.walk import walk
from shardwright.runtime.sources.binlog.xa import read_end, read_prepare
from shardwright.runtime.sources.logged_statement import LoggedStatement
from shardwright.runtime.sources.positions.log_position import LogPosition
from shardwright.runtime.sources.positions.pending import Xid


def statement_at(log: Log, start: LogPosition) -> LoggedStatement | None:
    """The change of a followed table that comes next after `start`. None when a transaction comes first, or when the
    statement's own transaction has rows of another followed table, so that it cannot be skipped."""
    history = History(start)
    try:
        for step in walk(log, start, log_head(log.endpoint)):
            history.feed(step.event, inside=step.inside, changes=step.changes)
            if step.table is not None or (step.committed_at is not None and not step.inside):
                return None
    except TableChanged as found:
        event, statement = found.event, found.statement
        after = LogPosition(event.file, event.end) if found.alone else _where_filled(log, start, event)
        if after is None:
            return None
        known = _complete(history, event, after)
        return LoggedStatement(
            event.place,
            known,
            statement.database,
            statement.text.decode("utf-8", "replace"),
            CODE,
            in_log=known,
            of_session=bool(event.flags & THREAD_SPECIFIC_FLAG),
            error=error_of(event),
            strict=is_strict(event),
        )
    return None


def _complete(history: History, statement: LogEvent, after: LogPosition) -> LogPosition:
    """`after`, the end of the statement's transaction, with all that is known there."""
    history.feed(statement, inside=False, changes=True)
    return history.at(after)


def _where_filled(log: Log, start: LogPosition, made: LogEvent) -> LogPosition | None:
    """The end of the transaction in which a table is made and filled (CREATE TABLE ... SELECT), or goes and is not
    filled (MariaDB's CREATE OR REPLACE TABLE ... SELECT that fails). None where it does more."""
    statement = statement_of(made)
    own = table_of_create(statement.text.decode("utf-8", "replace"), statement.database)
    ends = Effect.ROLLBACK if own is None else Effect.COMMIT
    others = {name.lower() for name in log.tables} - {(own or "").lower()}
    events = dump(log.endpoint, start, log_head(log.endpoint))
    for event in dropwhile(lambda event: event != made, events):
        if (event.kind == Kind.XID and own is not None) or (event.kind == Kind.QUERY and _effect(event) is ends):
            return LogPosition(event.file, event.end)
        if event.kind == Kind.TABLE_MAP and name_of(event).lower() in others:
            return None
        if event.kind == Kind.QUERY and event != made:
            return None
    return None


def _effect(event: LogEvent) -> Effect:
    statement = statement_of(event)
    return Statements(()).effect(statement.database, statement.text)


def is_changed_again(log: Endpoint, table: str, *, start: LogPosition, end: LogPosition) -> bool:
    """Whether the log changes the definition of `table` between two boundaries."""
    statements = Statements([table])
    for event in with_effect(dump(log, start, end)):
        if event.kind == Kind.QUERY:
            statement = statement_of(event)
            if statements.effect(statement.database, statement.text) is Effect.CHANGES_TABLE:
                return True
    return False


def is_touched(log: Endpoint, tables: Collection[str], *, start: LogPosition, end: LogPosition) -> bool:
    """Whether the log may hold a change of rows or of the definition of one of `tables` between two boundaries. An
    event that cannot be decoded counts as one, and so does the commit of an XA transaction that was prepared before."""
    statements = Statements(tables)
    names = {name.lower() for name in tables}
    prepared: set[Xid] = set()
    for event in with_effect(dump(log, start, end)):
        if event.kind == Kind.EXECUTE_LOAD_QUERY:
            return True
        if event.kind == Kind.TABLE_MAP and name_of(event).lower() in names:
            return True
        if event.kind == Kind.XA_PREPARE:
            prepared.add(read_prepare(event)[0])
        if event.kind == Kind.QUERY:
            statement = statement_of(event)
            ends = read_end(statement.text)
            if ends is not None and ends.commits and ends.xid not in prepared:
                return True
            if statements.effect(statement.database, statement.text) in (Effect.CHANGES_TABLE, Effect.CHANGES_ROWS):
                return True
    return False
