"""Where does a migration begin? No foreign rows may be in its target tables. `same_beginning` says whether a recorded
one may be resumed, and before that `adopt_plan` whether it may have the plan.

Runs in the driver; writes the ledgers of all shards. Lookup tables of families are filled (`lookup_tables`), and tables
without a key are staged, in the transaction at the source that proves the start position (C3).
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from pymysql.connections import Connection

from shardwright.runtime.events.run import StreamStart
from shardwright.runtime.failpoints import failpoint
from shardwright.runtime.ledger.batches import (
    OpenBatch,
    create_migration,
    mark_staged,
    open_batch,
    read_migration,
    record_begin,
)
from shardwright.runtime.ledger.context import RunContext
from shardwright.runtime.ledger.members import (
    begin_on_shard,
    enter_members,
    require_unused,
)
from shardwright.runtime.ledger.stream_ddl import write_plan
from shardwright.runtime.run.existing_rows import clear_the_way
from shardwright.runtime.run.keyless_tables import FIRST_BATCH, stage_keyless_tables
from shardwright.runtime.run.lookup_tables import fill_lookup_tables
from shardwright.runtime.run.same_beginning import require_same_beginning, require_whole_ledgers, shard_ledgers
from shardwright.runtime.sources.source import Sources, read_at_once


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
    with read_at_once(sources, (), exact=bool(plan.keyless_tables or plan.lookup_tables)) as (start, readers):
        fill_lookup_tables(context, readers)
        _, staged = stage_keyless_tables(context, plan.keyless_tables, readers, batch=FIRST_BATCH)
    for _, connection in servers.each_shard():
        context.writer.transaction(connection, lambda c: begin_on_shard(c, plan.migration, start))
        failpoint("after-begin-on-shard")

    def begin(connection: Connection[Any]) -> None:
        create_migration(connection, plan.migration, fingerprint=plan.fingerprint, sources=identities, start=start)
        write_plan(connection, plan)
        enter_members(connection, plan.migration, ledgers)
        for weight in {table.weight for table in plan.keyless_tables}:
            record_begin(connection, plan.migration, weight, position=start)
        if staged:
            first = OpenBatch(FIRST_BATCH, plan.fingerprint, "staged", start, start, {}, work=staged)
            open_batch(connection, plan.migration, first)
            mark_staged(connection, plan.migration, FIRST_BATCH, work=staged)

    failpoint("before-begin")
    context.transaction(begin)
    failpoint("after-begin")
    context.emit(StreamStart(str(start), resumed=False))
