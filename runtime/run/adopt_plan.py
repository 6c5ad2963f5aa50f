"""May a running migration go on with a newer plan? Yes, if a DDL statement that the stream has passed explains every
difference; otherwise the plan is refused.

Runs in the driver; reads and writes the ledger on the first shard, drops the changed table's stage on every shard.
"""

from __future__ import annotations

from typing import Any

from pymysql.connections import Connection

from shardwright.compiler.ddl.logged.carry_over import unexplained
from shardwright.compiler.plan.plan import Plan
from shardwright.compiler.sql.sql_text import quoted
from shardwright.runtime.failpoints import failpoint
from shardwright.runtime.failures import Refused
from shardwright.runtime.ledger.audit import audit
from shardwright.runtime.ledger.batches import MigrationState, read_migration, read_open_batch
from shardwright.runtime.ledger.context import RunContext
from shardwright.runtime.ledger.stream_ddl import (
    RecordedDdl,
    adopt,
    awaited_change,
    recorded_plan,
    unknown_change,
    write_plan,
)
from shardwright.runtime.mysql.transactions import execute


def adopt_newer_plan(context: RunContext) -> str | None:
    """Makes the newer plan the migration's plan. Returns in words what was done.

    None: the plan is the migration's own, or nothing explains another one (which `begin_or_resume` refuses). Raises
    Refused.
    """
    plan, control = context.plan, context.control
    state = read_migration(control, plan.migration)
    if state is None or not require_plan(plan, control, state):
        return None
    awaited = awaited_change(control, plan.migration) or unknown_change(control, plan.migration)
    assert awaited is not None
    _drop_stages(context, awaited.logical)
    failpoint("before-plan-adopted")
    message = (
        f"plan {plan.fingerprint} instead of {state.fingerprint}, which {awaited.place} explains: {awaited.statement}"
    )

    def take_over(connection: Connection[Any]) -> None:
        if adopt(connection, plan, instead_of=state.fingerprint):
            audit(connection, plan.migration, "plan adopted", detail=message)

    context.transaction(take_over)
    failpoint("after-plan-adopted")
    return message


def require_plan(plan: Plan, control: Connection[Any], state: MigrationState) -> bool:
    """Whether the plan is a newer one, and a statement that the stream has passed explains it. Reads only.

    False: the plan is the migration's own, or nothing explains another one. Raises Refused (SW8547, SW8549, SW8204).
    """
    awaited = awaited_change(control, plan.migration)
    if state.fingerprint == plan.fingerprint:
        if awaited is not None:
            raise Refused(
                "SW8547",
                f"the stream has passed {awaited.place}, where {awaited.source} was changed ({awaited.statement}), and "
                "this plan does not know it: make the same change in the schema file, compile, run again",
            )
        return False
    awaited = awaited or unknown_change(control, plan.migration)
    recorded = recorded_plan(control, plan.migration)
    if awaited is None or recorded is None or recorded[0] != state.fingerprint:
        return False
    _require_explained(plan, awaited, dict(recorded[1]))
    if read_open_batch(control, plan.migration) is not None:
        raise Refused("SW8204", f"a batch of plan {state.fingerprint} is open: run that plan until it is finished")
    return True


def keep_plan(context: RunContext) -> None:
    """Records the plan that the migration runs with. A later plan is compared with it."""
    found = recorded_plan(context.control, context.migration)
    if found is None or found[0] != context.plan.fingerprint:
        context.transaction(lambda connection: write_plan(connection, context.plan))


def _require_explained(plan: Plan, awaited: RecordedDdl, recorded: dict[str, Any]) -> None:
    problems = list(unexplained(recorded, plan, logical=awaited.logical, columns_after=awaited.columns))
    if problems:
        raise Refused(
            "SW8549",
            f"this plan goes beyond what {awaited.place} explains ({awaited.statement}): {'; '.join(problems[:5])}. A "
            "running migration's plan may only follow its source's columns",
        )


def _drop_stages(context: RunContext, logical: str) -> None:
    """Drops the table's stage on every shard, so that it is made again with the new columns.

    Between two batches a stage holds nothing.
    """
    stage = context.plan.table(logical).stage_table
    for _, connection in context.servers.each_shard():
        context.writer.transaction(connection, lambda _connection: None)  # raises when a newer run took over
        execute(connection, f"DROP TABLE IF EXISTS {quoted(stage)}")
