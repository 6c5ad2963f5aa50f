"""Tombstones that an earlier version wrote of tables whose rows have owners: they do not say which source table's
delete they remember. Each gets one for every source table, so it forbids what it has forbidden.

Runs in the driver, before a newer plan is adopted; writes to each shard. A run that dies leaves some whose source is
unknown; so does a run of the earlier version that goes on then. The next one finds them.
"""

from __future__ import annotations

from typing import Any, Final

from pymysql.connections import Connection

from shardwright.compiler.plan.plan import TablePlan
from shardwright.compiler.sql.sql_text import quoted
from shardwright.runtime.failpoints import failpoint
from shardwright.runtime.ledger.context import RunContext
from shardwright.runtime.mysql.transactions import execute, query

_UNKNOWN: Final = -1
_COLUMNS = "SELECT column_name FROM information_schema.columns WHERE table_schema = DATABASE() AND table_name = %s"


def give_sources(context: RunContext) -> None:
    """Nothing where all tombstones have one. Raises Refused (SW8201) when a newer run took over."""
    tables = [table for table in context.plan.in_chunks if table.owner_table is not None]
    for _, connection in context.servers.each_shard() if tables else ():
        for table in tables:
            names = {str(name) for (name,) in query(connection, _COLUMNS, (table.tombstone_table,))}
            if not names:
                continue
            if "sw_source" not in names:
                context.writer.transaction(connection, lambda _connection: None)
                _add_column(connection, table)
            failpoint("before-tombstones-divided")
            context.writer.transaction(connection, lambda c, table=table: _divide(c, table))  # type: ignore[misc]


def _add_column(connection: Connection[Any], table: TablePlan) -> None:
    key = ", ".join(quoted(name) for name in ("sw_part", *table.key, "sw_source"))
    execute(
        connection,
        f"ALTER TABLE {quoted(table.tombstone_table)} ADD COLUMN sw_source INT NOT NULL DEFAULT {_UNKNOWN}, "
        f"DROP PRIMARY KEY, ADD PRIMARY KEY ({key})",
    )


def _divide(connection: Connection[Any], table: TablePlan) -> None:
    name = quoted(table.tombstone_table)
    columns = ", ".join(quoted(column) for column in ("sw_part", *table.key, "sw_file", "sw_offset", "sw_row"))
    for number, _ in enumerate(table.sources):
        execute(
            connection,
            f"INSERT INTO {name} ({columns}, sw_source) SELECT {columns}, {number} FROM {name} AS g "
            f"WHERE g.sw_source = {_UNKNOWN} ON DUPLICATE KEY UPDATE {name}.sw_part = {name}.sw_part",
        )
    execute(connection, f"DELETE FROM {name} WHERE sw_source = {_UNKNOWN}")
