"""When are tombstones dropped? When nothing older than a delete can arrive any more.

Runs in the driver; writes to each shard, in a transaction of its own.
"""

from __future__ import annotations

from typing import Any

from pymysql.connections import Connection

from shardwright.compiler.plan.plan import Plan, StepName, TablePlan, at_place
from shardwright.compiler.sql.sql_text import quoted
from shardwright.runtime.failpoints import failpoint
from shardwright.runtime.ledger.context import RunContext
from shardwright.runtime.mysql.rows_database import rows_database
from shardwright.runtime.mysql.transactions import execute, set_variables


def forget_deletes(context: RunContext) -> None:
    """Drops all tombstones; under policy `delay`, tries the remembered deletes once more before. The caller makes sure
    that the stream has passed the last chunk, and that no batch is in progress."""
    drop_tombstones(context, try_again=True)


def drop_tombstones(context: RunContext, *, try_again: bool = False) -> None:
    """Drops all tombstones. `try_again`: as in `forget_deletes`."""
    plan = context.plan

    def forget(shard: int, connection: Connection[Any]) -> None:
        for table in plan.in_chunks:
            if try_again and table.deletes.delay is not None and shard in plan.shards(table):
                _try_again(plan, table, connection)
            execute(connection, f"DELETE FROM {quoted(table.ours.tombstone)}")
            if table.placement.parent is not None:
                execute(connection, f"DELETE FROM {quoted(table.placement.parent.excluded)}")

    failpoint("before-tombstones-dropped")
    for shard, connection in context.servers.each_shard():
        context.writer.transaction(connection, lambda c, shard=shard: forget(shard, c))  # type: ignore[misc]
        failpoint("after-tombstones-dropped")


def _try_again(plan: Plan, table: TablePlan, connection: Connection[Any]) -> None:
    statement = plan.step(table.logical, StepName.DELETE).statement("again")
    for part, suffix in enumerate(plan.parts(table)):
        set_variables(connection, sw_part=part)
        execute(connection, at_place(statement, rows_database(connection), suffix))
