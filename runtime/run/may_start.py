"""May a run start at all? It asks before it takes the fencing token, so that a refused start changes nothing and does
not disturb a healthy run.

Runs in the driver; reads ledgers and sources, writes nothing.
"""

from __future__ import annotations

from collections.abc import Collection
from contextlib import closing
from typing import Any

from pymysql.connections import Connection

from shardwright.compiler.plan.plan import Plan
from shardwright.runtime.ddl.tables.create import require_none_lost
from shardwright.runtime.failures import Refused
from shardwright.runtime.ledger.batches import read_migration
from shardwright.runtime.ledger.cutover import require_live
from shardwright.runtime.ledger.ddl_record import tables_of_others
from shardwright.runtime.ledger.fencing import others_alive
from shardwright.runtime.ledger.members import require_unused
from shardwright.runtime.ledger.tables import require_format
from shardwright.runtime.mysql.servers import Servers
from shardwright.runtime.run.adopt_plan import require_plan
from shardwright.runtime.run.existing_rows import require_clear
from shardwright.runtime.run.new_parents import require_empty_parents
from shardwright.runtime.run.order import RunOrder
from shardwright.runtime.run.same_beginning import require_same_beginning, require_whole_ledgers, shard_ledgers
from shardwright.runtime.sources.source import Sources


def require_may_start(order: RunOrder, sources: Sources, *, aside: Collection[str]) -> None:
    """Raises Refused with the reason why the run may not start.

    Reasons: a ledger of another format or one that is not whole, a plan that nothing leads to, other sources, a table
    that is gone, rows in the tables of a new one, or a run of another migration over the same tables. The run checks
    again once it has the token.
    """
    plan, servers = order.plan, order.servers
    have_ledgers = _have_ledgers(plan, servers)
    if not have_ledgers:
        return
    with closing(servers.connect_shard(0)) as control:
        require_live(control, plan.migration, plan.direction)
        state = read_migration(control, plan.migration) if 0 in have_ledgers else None
        if state is None:
            require_unused(shard_ledgers(plan, servers, only=have_ledgers), plan.migration)
            return
        adoption = require_plan(plan, control, state, recopy=order.recopy, leave_out=order.leave_out)
        require_same_beginning(sources, state, aside=aside)
        require_whole_ledgers(plan, servers, control, position=state.position)
    if adoption is not None:
        require_empty_parents(plan, servers, adoption, state.position)
    if plan.direction.writes_source:
        return  # the tables are the source's own
    added = () if adoption is None else adoption.steps.added
    if added:
        require_clear(plan, servers, may_remove=order.may_remove_rows, only=added)
    begun = [table for table in plan.tables if table.logical not in added]
    require_none_lost(plan, begun, connect=servers.connect_shard_of)


def _have_ledgers(plan: Plan, servers: Servers) -> frozenset[int]:
    """The shards that have a ledger. Raises Refused (SW8211, SW8215)."""
    found = set()
    for shard, connection in servers.each_shard():
        if require_format(connection):
            found.add(shard)
            _require_own_tables(plan, connection, plan.databases[shard], shard)
    return frozenset(found)


def _require_own_tables(plan: Plan, connection: Connection[Any], database: str, shard: int) -> None:
    """No other migration that runs now writes to tables of this one: both keep stages and tombstones beside them."""
    alive = others_alive(connection)
    if not alive:
        return
    here = [table for table in plan.tables if shard in plan.shards(table)]
    ours = frozenset(table.logical + suffix for table in here for suffix in plan.parts(table))
    for migration, table in tables_of_others(connection, plan.migration):
        if migration in alive and table in ours:
            raise Refused(
                "SW8215",
                f"{database}.{table} is a table of migration {migration}, which runs now: two migrations may share "
                f"databases, not tables. End that run, or give {plan.migration} other tables",
            )
