"""After a crash: finish the batch whose decisions are staged, forget the one whose are not (C1).

Staged everywhere means every decision is durable: the sub-steps that the ledgers do not show are run, from the stages,
whatever the stream would hand out today. Not staged everywhere means nothing of the batch has taken effect: its stages
are cleared and its range is read again, under any boundaries.
"""

from __future__ import annotations

from typing import Any

from pymysql.connections import Connection

from shardwright.compiler.plan import Plan
from shardwright.runtime.connections import Servers
from shardwright.runtime.failures import Refused
from shardwright.runtime.ledger.batches import audit, close_batch, discard_batch, read_migration, read_open_batch
from shardwright.runtime.ledger.steps import forget_steps
from shardwright.runtime.stream.apply import Applier, StagedBatch
from shardwright.runtime.transactions import execute, in_transaction


def recover(plan: Plan, servers: Servers, control: Connection[Any], applier: Applier) -> str | None:
    """Leave no batch open. Returns what was done, in words, or None when nothing was open."""
    found = read_open_batch(control, plan.migration)
    if found is None:
        return None
    if found.state == "open":
        _clear_stages(plan, servers, epoch=applier.epoch, batch=found.batch)

        def forget(connection: Connection[Any]) -> None:
            discard_batch(connection, plan.migration)
            audit(connection, plan.migration, "batch discarded", detail=f"{found.batch}: {found.start} to {found.end}")

        in_transaction(control, forget, role="data", epoch=applier.epoch)
        return f"batch {found.batch} had not taken effect: reading again from {found.start}"
    if found.fingerprint != plan.fingerprint:
        raise Refused(
            "SW8204",
            f"batch {found.batch} was staged by plan {found.fingerprint}, this is plan {plan.fingerprint}: run the plan "
            "that staged it until the batch is finished",
        )
    state = read_migration(control, plan.migration)
    copying = state is None or state.snapshot_end is None or found.start < state.snapshot_end
    applier.apply(StagedBatch(found.batch, found.work, copying))

    def close(connection: Connection[Any]) -> None:
        close_batch(connection, plan.migration, batch=found.batch, end=found.end, committed_at=found.committed_at)
        audit(connection, plan.migration, "batch finished", detail=f"{found.batch}: {found.start} to {found.end}")

    in_transaction(control, close, role="data", epoch=applier.epoch)
    return f"finished batch {found.batch}, which was staged up to {found.end}"


def _clear_stages(plan: Plan, servers: Servers, *, epoch: int, batch: int) -> None:
    def clear(connection: Connection[Any]) -> None:
        for table in plan.applied:
            execute(connection, f"DELETE FROM `{table.stage_table}`")
        forget_steps(connection, plan.migration, batch)

    for _, connection in servers.each_shard():
        in_transaction(connection, clear, role="data", epoch=epoch)
