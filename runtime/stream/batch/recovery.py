"""After a crash: is the open batch finished or forgotten? A batch whose decisions are staged is finished, another one
is forgotten (C1).

Runs in the driver, before the stream starts (`clear_stages` also within a batch); writes the stages and ledgers of the
shards, and what the applier writes.

Staged everywhere means every decision is durable: the sub-steps that the ledgers do not show are run from the stages,
whatever the stream would give today. Not staged everywhere means nothing of the batch has taken effect: its stages are
cleared and its range is read again, under any boundaries. New rows that were placed (see `placeable`) do no harm:
merged with all that follows up to where the batch ended, or further, every decision about them comes out again.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from pymysql.connections import Connection

from shardwright.compiler.sql.sql_text import quote
from shardwright.runtime.failpoints import failpoint
from shardwright.runtime.failures import Refused
from shardwright.runtime.ledger.audit import audit
from shardwright.runtime.ledger.batches import OpenBatch, discard_batch, read_migration, read_open_batch, require_replay
from shardwright.runtime.ledger.context import RunContext
from shardwright.runtime.ledger.steps import forget_steps
from shardwright.runtime.mysql.transactions import execute
from shardwright.runtime.sources.positions.stream_position import StreamPosition
from shardwright.runtime.sources.source import Sources
from shardwright.runtime.stream.apply.purge_tombstones import DeleteDelay
from shardwright.runtime.stream.apply.statements import StagedBatch
from shardwright.runtime.stream.batch.journal import record_finished
from shardwright.runtime.stream.quarantine.applier import QuarantiningApplier


def recover(context: RunContext, sources: Sources, applier: QuarantiningApplier) -> str | None:
    """Leaves no batch open. Returns what was done, in words, or None when nothing was open."""
    plan, control = context.plan, context.control
    found = read_open_batch(control, plan.migration)
    if found is None:
        return None
    if found.state != "staged":
        clear_stages(context, found.batch)

        def forget(connection: Connection[Any]) -> None:
            discard_batch(connection, plan.migration)
            if found.state == "placing":
                require_replay(connection, plan.migration, _replay_position(found))
            audit(connection, plan.migration, "batch discarded", detail=f"{found.batch}: {found.start} to {found.end}")

        failpoint("before-discard")
        context.transaction(forget)
        failpoint("after-discard")
        effect = "may have taken effect in part" if found.state == "placing" else "had not taken effect"
        return f"batch {found.batch} {effect}: reading again from {found.start}"
    if found.fingerprint != plan.fingerprint:
        raise Refused(
            "SW8204",
            f"batch {found.batch} was staged by plan {found.fingerprint}, this is plan {plan.fingerprint}: run the "
            "plan that staged it until the batch is finished",
        )
    state = read_migration(control, plan.migration)
    assert state is not None  # a batch is opened by a migration that has begun
    delay = DeleteDelay(plan)
    delay.snapshot_done(state.snapshot_age)
    copying = state.is_copying(sources)
    remembering = copying or delay.is_running
    applier.apply(StagedBatch(found.batch, found.work, found.end, copying=copying, remembering=remembering))
    behind = replace(state, position=found.end, batch=found.batch, committed_at=found.committed_at)

    def close(connection: Connection[Any]) -> None:
        record_finished(connection, context, behind, work=found.work)
        audit(connection, plan.migration, "batch finished", detail=f"{found.batch}: {found.start} to {found.end}")

    failpoint("before-finish-batch")
    context.transaction(close)
    failpoint("after-finish-batch")
    return f"finished batch {found.batch}, which was staged up to {found.end}"


def _replay_position(batch: OpenBatch) -> StreamPosition:
    """Where the batch began, and how far the next one has to reach in each log."""
    begun = batch.start.parts
    parts = {name: begun[name].must_replay(until=end) for name, end in batch.end.parts.items() if name in begun}
    return batch.start.advance(StreamPosition(parts))


def clear_stages(context: RunContext, batch: int) -> None:
    """As if nothing of the batch had been staged. The keys it changed stay known: rows of them may have been placed."""

    def clear(connection: Connection[Any]) -> None:
        for table in context.plan.target_tables:
            execute(connection, f"DELETE FROM {quote(table.ours.stage)}")
        forget_steps(connection, context.migration, batch)

    for _, connection in context.servers.each_shard():
        context.writer.transaction(connection, clear)
        failpoint("after-stage-cleared")
