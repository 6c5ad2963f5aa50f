"""The beginning of a migration, or its resumption: the same plan, the same source, nothing foreign in the way."""

from __future__ import annotations

from typing import Any

from pymysql.connections import Connection

from shardwright.compiler.plan import Plan, StepName
from shardwright.runtime.connections import Servers
from shardwright.runtime.failures import Refused
from shardwright.runtime.fill_books import fill_books
from shardwright.runtime.ledger.batches import create_migration, read_migration
from shardwright.runtime.preflight import require_same_plan, require_same_source
from shardwright.runtime.raw_rows import RawConnection
from shardwright.runtime.source_state import proved_snapshot, source_identity
from shardwright.runtime.transactions import execute, in_transaction, query


def begin_or_resume(plan: Plan, servers: Servers, control: Connection[Any], *, epoch: int) -> str:
    """Record the proved start of a new migration, or check that the recorded one may go on. Returns which, in words."""
    source = servers.connect_source(kind=RawConnection)
    assert isinstance(source, RawConnection)
    try:
        identity = source_identity(source)
        state = read_migration(control, plan.migration)
        if state is not None:
            require_same_plan(state.fingerprint, plan)
            require_same_source(state.source_identity, identity, where=str(servers.source))
            return f"resuming at {state.position}"
        _refuse_rows_in_the_way(plan, servers)
        with proved_snapshot(source) as start:
            fill_books(plan, servers, source, epoch=epoch)
    finally:
        source.close()

    def begin(connection: Connection[Any]) -> None:
        create_migration(connection, plan.migration, fingerprint=plan.fingerprint, identity=identity, start=start)

    in_transaction(control, begin, role="data", epoch=epoch)
    return f"starting at {start}"


def create_bookkeeping(plan: Plan, servers: Servers) -> None:
    """Stage and tombstone tables of every logical table, and the books of families, on every shard."""
    for _, connection in servers.each_shard():
        for table in plan.applied:
            for statement in plan.step(table.logical, StepName.BOOKKEEPING).statements:
                execute(connection, statement.sql)


def drop_tombstones(plan: Plan, servers: Servers, *, epoch: int) -> None:
    """The stream has passed the last chunk: nothing older than a delete can arrive any more."""

    def forget(connection: Connection[Any]) -> None:
        for table in plan.tables:
            execute(connection, f"DELETE FROM `{table.tombstone_table}`")
        for child in plan.children:
            if child.parent:
                execute(connection, f"DELETE FROM `{child.parent.departed}`")

    for _, connection in servers.each_shard():
        in_transaction(connection, forget, role="data", epoch=epoch)


def _refuse_rows_in_the_way(plan: Plan, servers: Servers) -> None:
    for shard, connection in servers.each_shard():
        for table in plan.tables:
            for suffix in plan.parts(table) if shard in plan.shards(table) else ():
                name = table.logical + suffix
                if query(connection, f"SELECT 1 FROM `{name}` LIMIT 1"):
                    where = f"{servers.databases[shard]}.{name}"
                    raise Refused(
                        "SW8130", f"{where} holds rows already and this migration has not begun: empty it first"
                    )
