"""Where does a migration begin, and may a recorded one be resumed? It must have the same sources, and no foreign rows
may be in its target tables. `adopt_plan` asks before whether it may have the plan.

Runs in the driver; writes the ledgers of all shards. Lookup tables of families are filled (`lookup_tables`), and tables
without a key are staged, in the transaction at the source that proves the start position (C3).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from pymysql.connections import Connection

from shardwright.compiler.plan.plan import Plan, StepName
from shardwright.runtime.events.run import StreamStart
from shardwright.runtime.failpoints import failpoint
from shardwright.runtime.failures import Refused
from shardwright.runtime.ledger.batches import (
    MigrationState,
    OpenBatch,
    create_migration,
    mark_staged,
    open_batch,
    read_migration,
    read_open_batch,
    record_begin,
)
from shardwright.runtime.ledger.context import RunContext
from shardwright.runtime.ledger.members import (
    ShardLedger,
    begin_on_shard,
    enter_members,
    read_shard_ledger,
    require_staged,
    require_unused,
    require_whole,
)
from shardwright.runtime.ledger.stream_ddl import write_plan
from shardwright.runtime.mysql.servers import Servers
from shardwright.runtime.mysql.transactions import execute
from shardwright.runtime.run.counted_tables import FIRST_BATCH, stage_counted_tables
from shardwright.runtime.run.existing_rows import clear_the_way
from shardwright.runtime.run.lookup_tables import fill_lookup_tables
from shardwright.runtime.sources.binlog.source import log_streams
from shardwright.runtime.sources.positions.stream_position import StreamPosition
from shardwright.runtime.sources.source import Sources, read_at_once
from shardwright.specs.findings.remedies import START_OVER


def require_same_sources(
    recorded: Mapping[str, str], found: Mapping[str, str], *, movable: Collection[str], aside: Collection[str]
) -> None:
    """The sources are the recorded ones: positions mean nothing on another server. Raises Refused (SW8205).

    `recorded` and `found` are server identities by source name. A `movable` source is asked later for its position on
    its present server (see `run.resume`). The names in `aside` are of sources that are not asked.
    """
    if set(recorded) != {*found, *aside}:
        raise Refused(
            "SW8205",
            f"this migration follows the sources {', '.join(sorted(recorded))}, the environment names "
            f"{', '.join(sorted(found))}: name them as before",
        )
    for name, identity in found.items():
        if recorded[name] != identity and name not in movable:
            raise Refused(
                "SW8205",
                f"{name} is server {identity}, but this migration follows server {recorded[name]}: point the "
                f"environment back, or {START_OVER}",
            )


def begin_or_resume(context: RunContext, sources: Sources, *, aside: Collection[str], may_remove: bool = False) -> None:
    """Records the proved start of a new migration, or checks that the recorded one may go on.

    `aside` are the names of sources that are not read now.
    """
    plan, servers, control = context.plan, context.servers, context.control
    state = read_migration(control, plan.migration)
    if state is not None:
        require_same_beginning(sources, state, aside=aside)
        require_whole_ledgers(plan, servers, control, position=state.position)
        context.emit(StreamStart(str(state.position), resumed=True))
        return
    assert plan.direction.copies, "the way back begins in `arm`"
    identities = {source.name: source.identity() for source in sources}
    ledgers = shard_ledgers(plan, servers)
    require_unused(ledgers, plan.migration)
    clear_the_way(context, may_remove=may_remove)
    with read_at_once(sources, (), exact=bool(plan.counted or plan.lookup_tables)) as (start, readers):
        fill_lookup_tables(context, readers)
        _, staged = stage_counted_tables(context, plan.counted, readers, batch=FIRST_BATCH)
    for _, connection in servers.each_shard():
        context.writer.transaction(connection, lambda c: begin_on_shard(c, plan.migration, start))
        failpoint("after-begin-on-shard")

    def begin(connection: Connection[Any]) -> None:
        create_migration(connection, plan.migration, fingerprint=plan.fingerprint, sources=identities, start=start)
        write_plan(connection, plan)
        enter_members(connection, plan.migration, ledgers)
        for weight in {table.weight for table in plan.counted}:
            record_begin(connection, plan.migration, weight, position=start)
        if staged:
            first = OpenBatch(FIRST_BATCH, plan.fingerprint, "staged", start, start, {}, work=staged)
            open_batch(connection, plan.migration, first)
            mark_staged(connection, plan.migration, FIRST_BATCH, work=staged)

    failpoint("before-begin")
    context.transaction(begin)
    failpoint("after-begin")
    context.emit(StreamStart(str(start), resumed=False))


def require_same_beginning(sources: Sources, state: MigrationState, *, aside: Collection[str]) -> None:
    """The sources are those that the migration began with. Raises Refused (SW8205)."""
    identities = {source.name: source.identity() for source in sources}
    movable = {log.name for log in log_streams(sources)}
    require_same_sources(state.sources, identities, movable=movable, aside=aside)


def shard_ledgers(plan: Plan, servers: Servers, *, only: Collection[int] | None = None) -> tuple[ShardLedger, ...]:
    """What each shard's ledger says of itself. `only`: the shards to ask; None: all."""
    return tuple(
        read_shard_ledger(connection, servers.databases[shard], plan.migration)
        for shard, connection in servers.each_shard()
        if only is None or shard in only
    )


def require_whole_ledgers(plan: Plan, servers: Servers, control: Connection[Any], *, position: StreamPosition) -> None:
    """No shard's ledger was lost, exchanged or restored from a backup since the last run (hazard A13)."""
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
    """Creates stage and tombstone tables of every logical table, and the lookup tables of families, on every shard."""
    for _, connection in servers.each_shard():
        for table in plan.applied:
            for statement in plan.step(table.logical, StepName.BOOKKEEPING).statements:
                execute(connection, statement.sql)
        failpoint("after-bookkeeping")
