"""The beginning of a migration, or its resumption: the same plan, the same source, nothing foreign in the way."""

from __future__ import annotations

from collections.abc import Collection
from contextlib import ExitStack
from typing import Any

from pymysql.connections import Connection

from shardwright.compiler.plan.plan import Plan, StepName
from shardwright.runtime.failpoints import failpoint
from shardwright.runtime.ledger.batches import MigrationState, create_migration, read_migration, read_open_batch
from shardwright.runtime.ledger.members import (
    ShardLedger,
    begin_on_shard,
    enter_members,
    read_shard_ledger,
    require_staged,
    require_unused,
    require_whole,
)
from shardwright.runtime.mysql.servers import Servers
from shardwright.runtime.mysql.transactions import execute, in_transaction
from shardwright.runtime.run.existing_rows import clear_the_way
from shardwright.runtime.run.fill_parent_places import fill_books
from shardwright.runtime.run.same_migration import require_same_plan, require_same_sources
from shardwright.runtime.sources.position import StreamPosition
from shardwright.runtime.sources.resumable import Resumable
from shardwright.runtime.sources.source import Sources


def begin_or_resume(
    plan: Plan,
    servers: Servers,
    sources: Sources,
    *,
    aside: Collection[str],
    control: Connection[Any],
    epoch: int,
    may_remove: bool = False,
) -> str:
    """Record the proved start of a new migration, or check that the recorded one may go on. `aside` are names of sources that
    are not read now. Returns which, in words."""
    state = read_migration(control, plan.migration)
    if state is not None:
        require_same_beginning(plan, sources, state, aside=aside)
        require_whole_ledgers(plan, servers, control, position=state.position)
        return f"resuming at {state.position}"
    identities = {source.name: source.identity() for source in sources}
    ledgers = shard_ledgers(plan, servers)
    require_unused(ledgers, plan.migration)
    cleared = clear_the_way(plan, servers.patient(), control=control, epoch=epoch, may_remove=may_remove)
    with ExitStack() as snapshots:
        begun = [(source, *snapshots.enter_context(source.snapshot())) for source in sources]
        readers = {table: reader for source, _, reader in begun for table in source.tables}
        fill_books(plan, servers, readers, epoch=epoch)
    start = StreamPosition({source.name: part for source, part, _ in begun})
    for _, connection in servers.each_shard():
        in_transaction(connection, lambda c: begin_on_shard(c, plan.migration, start), role="data", epoch=epoch)
        failpoint("after-begin-on-shard")

    def begin(connection: Connection[Any]) -> None:
        create_migration(connection, plan.migration, fingerprint=plan.fingerprint, sources=identities, start=start)
        enter_members(connection, plan.migration, ledgers)

    failpoint("before-begin")
    in_transaction(control, begin, role="data", epoch=epoch)
    failpoint("after-begin")
    return "\n".join((*cleared, f"starting at {start}"))


def require_same_beginning(
    plan: Plan, sources: Sources, state: MigrationState, *, aside: Collection[str], any_plan: bool = False
) -> None:
    """The plan and the sources are those that the migration began with; `any_plan`: another one is taken over, which was looked at. Raises
    Refused (SW8203, SW8205)."""
    if not any_plan:
        require_same_plan(state.fingerprint, plan)
    identities = {source.name: source.identity() for source in sources}
    movable = {source.name for source in sources if isinstance(source, Resumable)}
    require_same_sources(state.sources, identities, movable=movable, aside=aside)


def shard_ledgers(plan: Plan, servers: Servers, *, only: Collection[int] | None = None) -> tuple[ShardLedger, ...]:
    """What each shard says of itself; `only`: of those shards."""
    return tuple(
        read_shard_ledger(connection, servers.databases[shard], plan.migration)
        for shard, connection in servers.each_shard()
        if only is None or shard in only
    )


def require_whole_ledgers(plan: Plan, servers: Servers, control: Connection[Any], *, position: StreamPosition) -> None:
    """No shard's ledger was lost, exchanged or taken back since the last run (hazard A13)."""
    opened = read_open_batch(control, plan.migration)
    staged = None
    if opened is not None and opened.state == "staged":
        staged = (opened.batch, frozenset(servers.databases[shard] for shard in opened.work))
    require_whole(control, shard_ledgers(plan, servers), plan.migration, position=position, staged=staged)
    if staged is None:
        return
    for shard, connection in servers.each_shard():
        if servers.databases[shard] in staged[1]:
            require_staged(connection, servers.databases[shard], plan.migration, batch=staged[0])


def create_bookkeeping(plan: Plan, servers: Servers) -> None:
    """Stage and tombstone tables of every logical table, and the books of families, on every shard."""
    for _, connection in servers.each_shard():
        for table in plan.applied:
            for statement in plan.step(table.logical, StepName.BOOKKEEPING).statements:
                execute(connection, statement.sql)
        failpoint("after-bookkeeping")
