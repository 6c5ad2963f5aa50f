"""Which rows in a stage are obsolete? Those of earlier batches take no effect any more, and are removed.

Runs in a Spark task; writes to one shard: `forget_finished` in the task's transaction, `make_room` before it.

To delete the rows of a large batch one by one, and to purge what InnoDB keeps behind the deletes, costs a shard as much
as to load the next batch. So TRUNCATE empties the table at once. It is part of no transaction, so table locks do what a
transaction would do: while they are held, no task stages a row, and no run takes over the epoch.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pymysql
from pymysql.connections import Connection

from shardwright.compiler.plan.plan import TablePlan
from shardwright.compiler.sql.sql_text import quote
from shardwright.runtime.ledger.fencing import LOCKED_FOR_READING, Writer
from shardwright.runtime.mysql.errors import LOCK_WAIT_TIMEOUT, STATEMENT_DENIED
from shardwright.runtime.mysql.transactions import execute, execute_later, query

WORTH_TRUNCATING = 5_000
"""Rows. To make a file anew, durably, takes as long as to delete about so many."""

_MANY = "SELECT 1 FROM {stage} WHERE sw_batch < %s LIMIT 1 OFFSET {rows}"
_NEEDED = "SELECT 1 FROM {stage} WHERE sw_batch >= %s LIMIT 1"
_PATIENCE_SECONDS = 2


def make_room(connection: Connection[Any], table: TablePlan, batch: int, *, writer: Writer) -> None:
    """Called outside of a transaction. Empties the stage if it has many rows of earlier batches and none of `batch` or
    a later one. Where that is not allowed (privileges LOCK TABLES and DROP), or another session holds the table, all
    rows stay for `forget_finished`. Raises Refused (SW8201) when a newer run took over."""
    stage = table.ours.stage
    if not query(connection, _MANY.format(stage=quote(stage), rows=WORTH_TRUNCATING), (batch,)):
        return
    try:
        with _lock(connection, stage):
            writer.require(connection)
            if not query(connection, _NEEDED.format(stage=quote(stage)), (batch,)):
                execute(connection, f"TRUNCATE TABLE {quote(stage)}")
    except pymysql.err.MySQLError as error:
        if not error.args or error.args[0] not in {*STATEMENT_DENIED, LOCK_WAIT_TIMEOUT}:
            raise


def forget_finished(connection: Connection[Any], table: TablePlan, batch: int) -> None:
    """Called within the transaction that stages `batch`."""
    execute_later(connection, f"DELETE FROM {quote(table.ours.stage)} WHERE sw_batch < %s", (batch,))


@contextmanager
def _lock(connection: Connection[Any], stage: str) -> Iterator[None]:
    # A session that waits for a table lock makes all later ones wait behind it: a backup's lock must not hold up the
    # stream.
    ((patience,),) = query(connection, "SELECT @@SESSION.lock_wait_timeout")
    execute(connection, "SET SESSION lock_wait_timeout = %s", (_PATIENCE_SECONDS,))
    try:
        execute(connection, f"LOCK TABLES {quote(stage)} WRITE, {LOCKED_FOR_READING}")
        try:
            yield
        finally:
            execute(connection, "UNLOCK TABLES")
    finally:
        execute(connection, "SET SESSION lock_wait_timeout = %s", (patience,))
