"""About how many rows would be read to count a table on both sides?

Runs in the driver; reads the servers' own estimates.
"""

from __future__ import annotations

from contextlib import closing

from shardwright.compiler.plan.plan import Plan
from shardwright.runtime.mysql.estimates import ask_afresh, estimate_rows, estimates
from shardwright.runtime.mysql.servers import Servers


def estimate_sides(plan: Plan, servers: Servers) -> dict[str, int]:
    """By logical table, the larger side. A row filter leaves nothing out: the rows it hides are read, too."""
    followed, there = estimate_rows(plan, servers), dict.fromkeys((table.logical for table in plan.tables), 0)
    for shard, database in enumerate(plan.databases):
        physical = {
            name: table.logical for table in plan.tables for at, _, name in plan.physical_tables(table) if at == shard
        }
        with closing(servers.connect_shard(shard)) as connection:
            ask_afresh(connection)
            for name, size in (estimates(connection, database, tuple(physical)) if physical else {}).items():
                there[physical[name]] += size.rows
    return {logical: max(followed.get(logical, 0), rows) for logical, rows in there.items()}
