"""Tables of ours on every shard that a plan needs: stages, tombstones, lookup tables.

Used in the driver; creates and drops them.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from pymysql.connections import Connection

from shardwright.compiler.plan.plan import Plan, StepName
from shardwright.compiler.sql.sql_text import quote
from shardwright.runtime.failpoints import failpoint
from shardwright.runtime.ledger.context import RunContext
from shardwright.runtime.mysql.all_shards import work_on_shards
from shardwright.runtime.mysql.servers import Servers
from shardwright.runtime.mysql.transactions import execute, execute_later, send_waiting


def create_bookkeeping(plan: Plan, servers: Servers) -> None:
    """Creates stage and tombstone tables of every logical table, and the lookup tables of families, on every shard."""
    statements = [
        statement.sql
        for table in plan.target_tables
        for statement in plan.step(table.logical, StepName.BOOKKEEPING).statements
    ]

    def create(_shard: int, connection: Connection[Any]) -> None:
        for statement in statements:
            execute_later(connection, statement, may_commit=True, outside=True)
        send_waiting(connection)
        failpoint("after-bookkeeping")

    work_on_shards(servers, create)


def drop_on_every_shard(context: RunContext, ours: Collection[str]) -> None:
    """Drops these tables of ours on every shard. What the plan needs of them is made again with its own columns."""
    for _, connection in context.servers.each_shard() if ours else ():
        context.writer.transaction(connection, lambda _connection: None)  # raises when a newer run took over
        for name in ours:
            execute(connection, f"DROP TABLE IF EXISTS {quote(name)}")
