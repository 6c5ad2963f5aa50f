"""From where does the other direction go on after a cutover? From the end of its sources' logs, while nobody writes
there.

Runs in the driver; for the way back it creates a database with a ledger beside each source database. It records the
start in the direction's ledgers.
"""

from __future__ import annotations

from collections.abc import Set
from contextlib import closing
from dataclasses import replace
from typing import Any

from pymysql.connections import Connection

from shardwright.compiler.plan.plan import Plan
from shardwright.runtime.failpoints import failpoint
from shardwright.runtime.failures import Refused
from shardwright.runtime.ledger.batches import (
    MigrationState,
    begin_again,
    create_migration,
    read_migration,
    read_open_batch,
    record_begin,
    snapshot_done,
)
from shardwright.runtime.ledger.comparison import ProvedEqual, carry_over, void_verified
from shardwright.runtime.ledger.context import RunContext
from shardwright.runtime.ledger.cutover import make_live
from shardwright.runtime.ledger.databases import create_ledger_databases
from shardwright.runtime.ledger.members import begin_on_shard, enter_members, require_unused
from shardwright.runtime.ledger.recent_batches import forget_recent
from shardwright.runtime.ledger.recent_keys import forget_keys
from shardwright.runtime.ledger.stream_ddl import write_plan
from shardwright.runtime.ledger.tables import create_ledger
from shardwright.runtime.ledger.takeover import cutover_name, first_writer
from shardwright.runtime.mysql.all_shards import work_on_shards
from shardwright.runtime.mysql.servers import Servers
from shardwright.runtime.run.bookkeeping import create_bookkeeping, drop_on_every_shard
from shardwright.runtime.run.lookup_tables import fill_lookup_tables
from shardwright.runtime.run.same_beginning import require_same_beginning, shard_ledgers
from shardwright.runtime.sources.positions.part import PositionPart
from shardwright.runtime.sources.positions.stream_position import StreamPosition
from shardwright.runtime.sources.source import Sources, StreamSource, head_position, read_at_once
from shardwright.runtime.stream.apply.purge_tombstones import drop_tombstones
from shardwright.specs.direction import Direction


def prepare_ledgers(plan: Plan, servers: Servers) -> None:
    """Creates what is missing of the direction's ledgers, while applications write: `arm` finds them then."""
    if plan.direction.writes_source:
        create_ledger_databases(servers)
    work_on_shards(servers, lambda shard, connection: create_ledger(connection, first=shard == 0))


def arm(
    plan: Plan,
    servers: Servers,
    sources: Sources,
    *,
    proved: ProvedEqual | None = None,
    live: Set[Direction] = frozenset(),
) -> StreamPosition:
    """Records where the direction of `plan` goes on, and that it is in force in its own ledgers, alone or with `live`.
    Runs of it that still live are ended. May be repeated: the start is always the logs' end of now. The caller sees to
    it that applications do not write to `sources`, and that all that is in their logs is on the other side already.
    `proved`: that both sides are equal, so that the next cutover needs no whole comparison."""
    live = live or {plan.direction}
    if plan.direction.writes_source:
        create_ledger_databases(servers)
    with closing(servers.connect_shard(0)) as control:
        context = RunContext(plan, servers, control, first_writer(servers, owner=cutover_name()))
        context.writer.record(control)
        state = read_migration(control, plan.migration)
        if state is None:
            return _begin(context, sources, proved, live)
        return _begin_again(context, sources, state, proved, live)


def _begin(context: RunContext, sources: Sources, proved: ProvedEqual | None, live: Set[Direction]) -> StreamPosition:
    plan, servers = context.plan, context.servers
    ledgers = shard_ledgers(plan, servers)
    require_unused(ledgers, plan.migration)
    create_bookkeeping(plan, servers)
    identities = {source.name: source.identity() for source in sources}
    start = head_position(sources)
    work_on_shards(
        servers, lambda _, there: context.writer.transaction(there, lambda c: begin_on_shard(c, plan.migration, start))
    )

    def begin(connection: Connection[Any]) -> None:
        create_migration(connection, plan.migration, fingerprint=plan.fingerprint, sources=identities, start=start)
        write_plan(connection, plan)
        enter_members(connection, plan.migration, ledgers)
        snapshot_done(connection, plan.migration, start)  # nothing is copied
        for weight in sorted({table.weight for table in plan.tables}):
            record_begin(connection, plan.migration, weight, position=start)
        if proved is not None:
            carry_over(connection, plan.migration, proved, fingerprint=plan.fingerprint, batch=0)
        make_live(connection, plan.migration, live)

    failpoint("before-arm")
    context.transaction(begin)
    failpoint("after-arm")
    return start


def _place_parents_again(context: RunContext, sources: Sources) -> None:
    """Applications have brought, moved and removed parents on the shards, and no lookup table has followed that."""
    with read_at_once(sources, ()) as (_, readers):
        fill_lookup_tables(context, readers)


def _begin_again(
    context: RunContext,
    sources: Sources,
    state: MigrationState,
    proved: ProvedEqual | None,
    live: Set[Direction],
) -> StreamPosition:
    """The direction was in force before. What its logs have got since then, the other one has brought there, or it was
    compared: none of it counts. So the stream may never go back behind the new start, and no delete of then is
    remembered. No row depends on the plan of then either: the sides were compared by the plan of now."""
    plan, migration = context.plan, context.migration
    require_same_beginning(sources, state, aside=())
    opened = read_open_batch(context.control, migration)
    if opened is not None:
        raise Refused(
            "SW8916",
            f"batch {opened.batch} of {migration} is open in the ledger of the direction that is to begin again, and "
            "nothing but a run of it can finish it: `shardwright cutover abort`, then report this",
        )
    if state.fingerprint != plan.fingerprint:
        drop_on_every_shard(context, [name for t in plan.tables for name in (t.ours.stage, t.ours.tombstone)])
        create_bookkeeping(plan, context.servers)
    drop_tombstones(context)
    if plan.children:
        _place_parents_again(context, sources)
    work_on_shards(
        context.servers, lambda _, there: context.writer.transaction(there, lambda c: forget_keys(c, migration))
    )
    behind = replace(
        state,
        fingerprint=plan.fingerprint,
        sources={source.name: source.identity() for source in sources},
        position=StreamPosition({source.name: _end_after(source, state) for source in sources}),
    )

    def begin(connection: Connection[Any]) -> None:
        forget_recent(connection, migration)
        begin_again(connection, migration, behind)
        write_plan(connection, plan)
        for weight in {table.weight for table in plan.tables}:
            record_begin(connection, migration, weight, position=behind.position)
        void_verified(connection, migration, why="a cutover has begun this direction again")
        if proved is not None:
            carry_over(connection, migration, proved, fingerprint=plan.fingerprint, batch=state.batch)
        make_live(connection, migration, live)

    failpoint("before-arm")
    context.transaction(begin)
    failpoint("after-arm")
    return behind.position


def _end_after(source: StreamSource, state: MigrationState) -> PositionPart:
    return source.end_after(state.position.parts[source.name], identity=state.sources[source.name])
