"""Which DDL statements the stream has met, what was decided about each and how far it is; and the plan of the run, so
that a newer plan can be compared with it.

Used in the driver; writes to the first shard.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal

from pymysql.connections import Connection

from shardwright.compiler.plan.plan import Plan
from shardwright.compiler.plan.steps import plan_record
from shardwright.runtime.mysql.transactions import execute, execute_later, query_if_there

Decision = Literal["apply", "ignore", "step over"]
State = Literal["started", "awaiting", "may", "new", "taken", "ahead", "done"]
"""`awaiting`: the stream continues with a newer plan only. `may`: the statement was skipped without knowing what it
does, so a newer plan is adopted, and the same one continues as well. `new`: the statement makes a source table that the
plan does not have, and the stream is before it. `taken`: a newer plan has that table, and the stream is still there.
`ahead`: a newer plan has that source table, and the log may have its CREATE TABLE later; the row has no place."""

STATEMENT_TABLE: Final = """CREATE TABLE IF NOT EXISTS `_shardwright_stream_ddl` (
      migration VARCHAR(64) NOT NULL,
      place VARCHAR(255) NOT NULL,
      source_table VARCHAR(160) NOT NULL,
      logical VARCHAR(64) NOT NULL,
      statement LONGTEXT NOT NULL,
      decision VARCHAR(16) NOT NULL,
      state VARCHAR(8) NOT NULL,
      columns_after LONGTEXT NULL,
      at DATETIME(6) NOT NULL,
      PRIMARY KEY (migration, place)
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin"""
PLAN_TABLE: Final = """CREATE TABLE IF NOT EXISTS `_shardwright_plan` (
      migration VARCHAR(64) NOT NULL PRIMARY KEY,
      fingerprint CHAR(16) NOT NULL,
      record LONGTEXT NOT NULL,
      at DATETIME(6) NOT NULL
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin"""
_START = (
    "INSERT INTO `_shardwright_stream_ddl` (migration, place, source_table, logical, statement, decision, state, "
    "columns_after, at) VALUES (%s, %s, %s, %s, %s, %s, 'started', %s, NOW(6)) "
    "ON DUPLICATE KEY UPDATE decision = VALUES(decision), columns_after = VALUES(columns_after)"
)
_SET_STATE = "UPDATE `_shardwright_stream_ddl` SET state = %s, at = NOW(6) WHERE migration = %s AND place = %s"
_STARTED = "SELECT decision FROM `_shardwright_stream_ddl` WHERE migration = %s AND place = %s AND state = 'started'"
_ADOPTED = "UPDATE `_shardwright_stream_ddl` SET state = 'done' WHERE migration = %s AND state IN ('awaiting', 'may')"
_AWAITING = (
    "SELECT place, source_table, logical, statement, columns_after FROM `_shardwright_stream_ddl` "
    "WHERE migration = %s AND state = %s ORDER BY at DESC LIMIT 1"
)
_APPLIED = (
    "SELECT place, source_table, logical, statement, columns_after FROM `_shardwright_stream_ddl` "
    "WHERE migration = %s AND decision = 'apply' ORDER BY at"
)
_TAKE = (
    "UPDATE `_shardwright_stream_ddl` SET state = 'taken' WHERE migration = %s AND state = 'new' AND source_table = %s"
)
_TAKEN = "SELECT source_table FROM `_shardwright_stream_ddl` WHERE migration = %s AND place = %s AND state = 'taken'"
_AHEAD = (
    "INSERT INTO `_shardwright_stream_ddl` (migration, place, source_table, logical, statement, decision, state, at) "
    "VALUES (%s, %s, %s, %s, '', 'ignore', 'ahead', NOW(6)) ON DUPLICATE KEY UPDATE state = 'ahead', at = NOW(6)"
)
_ALL_AHEAD = "SELECT source_table FROM `_shardwright_stream_ddl` WHERE migration = %s AND state = 'ahead'"
_FORGET_AHEAD = (
    "UPDATE `_shardwright_stream_ddl` SET state = 'done' WHERE migration = %s AND state = 'ahead' "
    "AND (%s IS NULL OR source_table = %s)"
)
_WRITE_PLAN = (
    "INSERT INTO `_shardwright_plan` (migration, fingerprint, record, at) VALUES (%s, %s, %s, NOW(6)) "
    "ON DUPLICATE KEY UPDATE fingerprint = VALUES(fingerprint), record = VALUES(record), at = VALUES(at)"
)
_READ_PLANS = "SELECT migration, record FROM `_shardwright_plan`"
_READ_PLAN = "SELECT fingerprint, record FROM `_shardwright_plan` WHERE migration = %s"
_NEW_FINGERPRINT = (
    "UPDATE `_shardwright_migration` SET fingerprint = %s, updated_at = NOW(6) WHERE migration = %s "
    "AND fingerprint = %s"
)


@dataclass(frozen=True, slots=True)
class RecordedDdl:
    """A DDL statement of a source's log, as the ledger has it."""

    place: str
    """Where it is in the log."""
    source: str
    """The source table; empty where it is not known."""
    logical: str
    """The logical table; empty as for `source`."""
    statement: str
    """Its text."""
    columns: list[Any] | None
    """The source table's columns after the change, in the form of `plan_record`. None when they are the same, or when
    only the live table shows them."""


def record_started(connection: Connection[Any], migration: str, ddl: RecordedDdl, *, decision: Decision) -> None:
    """Record a statement as started. After a crash it is recorded again, since the decision may
    be another one by then."""
    columns = None if ddl.columns is None else json.dumps(ddl.columns)
    execute(connection, _START, (migration, ddl.place, ddl.source, ddl.logical, ddl.statement, decision, columns))


def read_start(connection: Connection[Any], migration: str, place: str) -> Decision | None:
    """What was decided of a statement by a run that has not finished it; None when no run has begun it."""
    rows = query_if_there(connection, _STARTED, (migration, place))
    return rows[0][0] if rows else None


def record_state(connection: Connection[Any], migration: str, place: str, *, state: State) -> None:
    execute(connection, _SET_STATE, (state, migration, place))


def read_awaited_change(connection: Connection[Any], migration: str) -> RecordedDdl | None:
    """A change of columns that the stream has passed and no plan knows yet. There is at most one: the stream does not
    continue past it."""
    return _change(connection, migration, "awaiting")


def read_unknown_change(connection: Connection[Any], migration: str) -> RecordedDdl | None:
    """The last statement that an operator skipped and that could not be interpreted."""
    return _change(connection, migration, "may")


def read_applied_changes(connection: Connection[Any], migration: str) -> tuple[RecordedDdl, ...]:
    """The statements that the stream has brought to the targets, in the log's order. None where no stream has begun."""
    return tuple(map(_read_row, query_if_there(connection, _APPLIED, (migration,))))


def _change(connection: Connection[Any], migration: str, state: State) -> RecordedDdl | None:
    rows = query_if_there(connection, _AWAITING, (migration, state))
    return _read_row(rows[0]) if rows else None


def _read_row(row: tuple[Any, ...]) -> RecordedDdl:
    place, source, logical, statement, columns = row
    return RecordedDdl(place, source, logical, statement, None if columns is None else json.loads(columns))


def take_new_tables(connection: Connection[Any], migration: str, logical: str, sources: Collection[str]) -> None:
    """The newer plan has these source tables, and copies them from here on: the stream passes the statements that make
    them, the one that it is right before and those later in the log."""
    for source in sources:
        if not execute(connection, _TAKE, (migration, source)):
            execute(connection, _AHEAD, (migration, f"ahead: {source}", source, logical))


def tables_ahead(connection: Connection[Any], migration: str) -> tuple[str, ...]:
    """The source tables that the plan has since it was adopted, and of which the stream has met no statement since."""
    return tuple(str(source) for (source,) in query_if_there(connection, _ALL_AHEAD, (migration,)))


def forget_ahead(connection: Connection[Any], migration: str, source: str | None) -> None:
    """The stream passes a statement about that source table; None: it is not known about which."""
    execute(connection, _FORGET_AHEAD, (migration, source, source))


def read_taken_table(connection: Connection[Any], migration: str, place: str) -> str | None:
    """The source table that the statement at `place` made, where the plan was adopted before it and copies that
    table."""
    rows = query_if_there(connection, _TAKEN, (migration, place))
    return str(rows[0][0]) if rows else None


def write_plan(connection: Connection[Any], plan: Plan) -> None:
    execute_later(
        connection, _WRITE_PLAN, (plan.migration, plan.fingerprint, json.dumps(plan_record(plan))), may_commit=True
    )


def read_recorded_plan(connection: Connection[Any], migration: str) -> tuple[str, Mapping[str, Any]] | None:
    """The plan's fingerprint, and its form as `plan_record` gave it."""
    rows = query_if_there(connection, _READ_PLAN, (migration,))
    return (str(rows[0][0]), json.loads(rows[0][1])) if rows else None


def read_recorded_plans(connection: Connection[Any]) -> dict[str, Mapping[str, Any]]:
    """By migration, the form of each plan that this ledger has."""
    return {str(name): json.loads(record) for name, record in query_if_there(connection, _READ_PLANS)}


def adopt(connection: Connection[Any], plan: Plan, *, instead_of: str) -> bool:
    """The migration continues with `plan`; call inside one transaction. False: it has another plan by now than
    `instead_of`."""
    if execute(connection, _NEW_FINGERPRINT, (plan.fingerprint, plan.migration, instead_of)) != 1:
        return False
    write_plan(connection, plan)
    execute(connection, _ADOPTED, (plan.migration,))
    return True
