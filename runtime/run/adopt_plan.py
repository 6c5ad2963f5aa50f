"""May a begun migration go on with a newer plan, and what leads from its plan to the newer one?

Runs in the driver. `require_plan` only reads. `adopt_newer_plan` writes the ledgers, and drops tables of ours on every
shard between two batches, when they hold nothing that counts.

Two things explain a newer plan. A DDL statement that the stream has passed explains other columns of its table, and
nothing else. Without one, the plans are compared (`compiler/plan/steps.py`): other SQL for the same rows is adopted as
it is, and a new table or source table is copied beside the stream. A table that is left out, and one with other rows,
must be named by the operator. The ledger's part of it is one transaction, so that a run that dies leaves the old plan
or the newer one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from pymysql.connections import Connection

from shardwright.compiler.ddl.logged.carry_over import find_unexplained
from shardwright.compiler.plan.plan import Plan
from shardwright.compiler.plan.steps import (
    Steps,
    lookup_tables_that_begin,
    lookup_tables_that_go,
    steps_to,
    tables_of_ours,
    weights_in_use,
)
from shardwright.runtime.failpoints import failpoint
from shardwright.runtime.failures import Refused
from shardwright.runtime.ledger.audit import audit
from shardwright.runtime.ledger.batches import (
    MigrationState,
    hand_batch_over,
    read_begins,
    read_migration,
    read_open_batch,
    record_begin,
    snapshot_reopened,
)
from shardwright.runtime.ledger.chunks import forget_chunks, has_chunks, order_read, order_recopy
from shardwright.runtime.ledger.chunks_done import forget_table
from shardwright.runtime.ledger.context import RunContext
from shardwright.runtime.ledger.ddl_record import forget_lost
from shardwright.runtime.ledger.dead_letters import forget_dead_letters
from shardwright.runtime.ledger.members import deduct_chunks
from shardwright.runtime.ledger.stream_ddl import (
    RecordedDdl,
    adopt,
    read_awaited_change,
    read_recorded_plan,
    read_unknown_change,
    take_new_tables,
)
from shardwright.runtime.run.bookkeeping import drop_on_every_shard
from shardwright.runtime.run.existing_rows import clear_the_way
from shardwright.runtime.run.lookup_tables import order_lookup_tables
from shardwright.runtime.run.recopy import count_given_chunks
from shardwright.specs.findings.remedies import START_OVER

LEFT_OUT: Final = "SW8220"
OTHER_ROWS: Final = "SW8221"
STILL_THERE: Final = "SW8222"


@dataclass(frozen=True, slots=True)
class Adoption:
    """A newer plan that the migration may go on with."""

    instead_of: str
    """The fingerprint of the plan that it runs with."""
    steps: Steps
    """What leads to the newer plan."""
    stages: tuple[str, ...]
    """Stages of changed tables, which are made again."""
    ours: tuple[str, ...]
    """Tables of ours that the newer plan does not need."""
    begin: tuple[str, ...]
    """Lookup tables that begin with the newer plan. What is there of them is of an earlier time."""
    weights: frozenset[int]
    """Weights whose tables the stream goes on with from where it is."""
    because: str
    """Why it may go on, for the log and the audit."""
    new_sources: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """Table -> the source tables that are copied from here on, and that the plan before did not have."""
    batch: int | None = None
    """The staged batch that the newer plan finishes."""


def require_plan(
    plan: Plan,
    control: Connection[Any],
    state: MigrationState,
    *,
    recopy: Collection[str] = (),
    leave_out: Collection[str] = (),
) -> Adoption | None:
    """How the migration comes to this plan; None when it is its own. Reads only.

    `recopy` and `leave_out` are the tables that the operator named. Raises Refused (SW8203, SW8204, SW8220 to SW8222,
    SW8547, SW8549).
    """
    for logical in sorted(leave_out):
        if any(table.logical == logical for table in plan.tables):
            raise Refused(STILL_THERE, f"--leave-out {logical}: the plan has this table: take it out of the spec first")
    awaited = read_awaited_change(control, plan.migration)
    if state.fingerprint == plan.fingerprint:
        if awaited is not None:
            raise Refused(
                "SW8547",
                f"the stream has passed {awaited.place}, where {awaited.source} was changed ({awaited.statement}), and "
                "this plan does not know it: make the same change in the schema file, compile, run again",
            )
        return None
    found = read_recorded_plan(control, plan.migration)
    if found is None or found[0] != state.fingerprint:
        raise _another_plan(plan, state, ["the ledger does not have that plan"])
    recorded = dict(found[1])
    ddl = awaited or read_unknown_change(control, plan.migration)
    adoption = None if ddl is None else _adopt_explained(plan, recorded, state, ddl, alone=awaited is not None)
    if adoption is None:
        adoption = _adopt_compared(plan, recorded, state, control, recopy=recopy, leave_out=leave_out)
    opened = read_open_batch(control, plan.migration)
    if opened is None or opened.state != "staged":
        return adoption
    if not adoption.steps.only_sql:
        raise Refused("SW8204", f"a batch of plan {state.fingerprint} is staged: run that plan until it is finished")
    return replace(adoption, stages=(), batch=opened.batch)


def _adopt_explained(
    plan: Plan, recorded: dict[str, Any], state: MigrationState, ddl: RecordedDdl, *, alone: bool
) -> Adoption | None:
    """The newer plan as the one that a DDL statement of the source's log leads to. `alone`: no other one may follow."""
    problems = list(find_unexplained(recorded, plan, logical=ddl.logical, columns_after=ddl.columns))
    if not problems:
        stage = plan.table(ddl.logical).ours.stage
        why = f"{ddl.place} explains it: {ddl.statement}"
        return Adoption(state.fingerprint, Steps(mended=(ddl.logical,)), (stage,), (), (), frozenset(), why)
    if alone:
        raise Refused(
            "SW8549",
            f"this plan goes beyond what {ddl.place} explains ({ddl.statement}): {'; '.join(problems[:5])}. Make the "
            "source's change alone, and compile; other changes of the plan come after it",
        )
    return None


def _adopt_compared(
    plan: Plan,
    recorded: dict[str, Any],
    state: MigrationState,
    control: Connection[Any],
    *,
    recopy: Collection[str],
    leave_out: Collection[str],
) -> Adoption:
    steps = steps_to(recorded, plan)
    if steps.impossible:
        raise _another_plan(plan, state, steps.impossible)
    missing = [name for name in steps.left_out if name not in leave_out]
    if missing:
        names = ",".join(missing)
        raise Refused(
            LEFT_OUT,
            f"this plan leaves out {', '.join(missing)}, which the migration follows: run with --leave-out {names} "
            "when that is meant. Their rows stay on the shards, and nothing keeps them up to date",
        )
    chunked = [name for name in steps.other_rows if not recorded["tables"][name]["counted"]]
    untouched = [name for name in chunked if not has_chunks(control, plan.migration, name)]
    missing = untouched or [name for name in steps.other_rows if name not in recopy]
    if missing:
        why = "; ".join(f"{name} differs in {', '.join(steps.other_rows[name])}" for name in missing)
        way_out = f"Run with --recopy {','.join(missing)}, which removes and copies them again beside the stream"
        if untouched:
            way_out = f"Nothing of {', '.join(untouched)} was copied yet: {START_OVER}"
        raise Refused(
            OTHER_ROWS,
            f"the rows on the shards are not those of this plan: {why}. {way_out}, or compile the spec as it was",
        )
    stages = tuple(plan.table(name).ours.stage for name in (*steps.mended, *steps.more_sources, *steps.other_rows))
    of_left_out = tuple(table for name in steps.left_out for table in tables_of_ours(recorded, name))
    ours = (*of_left_out, *lookup_tables_that_go(recorded, plan))
    weights = weights_in_use(recorded, plan, read_begins(control, plan.migration))
    copied = {
        name: map(str, plan.table(name).sources) for name in (*steps.added, *steps.more_sources, *steps.other_rows)
    }
    before = {name: table["sources"] for name, table in recorded["tables"].items()}
    new = {name: [one for one in sources if one not in before.get(name, ())] for name, sources in copied.items()}
    begin = lookup_tables_that_begin(recorded, plan)
    return Adoption(state.fingerprint, steps, stages, ours, begin, weights, _words(steps), new)


def _another_plan(plan: Plan, state: MigrationState, why: Collection[str]) -> Refused:
    return Refused(
        "SW8203",
        f"migration {plan.migration} was started with plan {state.fingerprint}, and nothing leads from it to this plan "
        f"{plan.fingerprint}: {'; '.join(why)}. Compile the spec it was started with, or give the changed spec a new "
        "migration name and empty targets",
    )


def _words(steps: Steps) -> str:
    found = (
        ("other SQL or settings, the same rows", steps.mended),
        ("new, copied beside the stream", steps.added),
        ("other rows are placed through them now", steps.new_parents),
        ("copied beside the stream", tuple(name for more in steps.more_sources.values() for name in more)),
        ("left out", steps.left_out),
        ("copied again", tuple(steps.other_rows)),
    )
    return "; ".join(f"{what}: {', '.join(names)}" for what, names in found if names) or "other SQL, the same rows"


def adopt_newer_plan(
    context: RunContext,
    *,
    recopy: Collection[str] = (),
    leave_out: Collection[str] = (),
    may_remove: bool = False,
    create_tables: Callable[[], object] = lambda: None,
) -> str | None:
    """Makes the newer plan the migration's plan. Returns in words what was done; None where the plan is its own.

    `may_remove`: rows in the targets of new tables may be removed where the spec says so. `create_tables` creates
    targets that are missing. Raises Refused.
    """
    plan, control = context.plan, context.control
    state = read_migration(control, plan.migration)
    adoption = None if state is None else require_plan(plan, control, state, recopy=recopy, leave_out=leave_out)
    if state is None or adoption is None:
        return None
    steps = adoption.steps
    drop_on_every_shard(context, adoption.begin)
    if steps.added:
        _clear_ledgers(context, steps.added)
    create_tables()  # where one is not as the newer plan has it, the migration keeps its plan
    if steps.added:
        clear_the_way(context, may_remove=may_remove, only=steps.added)
    drop_on_every_shard(context, adoption.stages)
    restored = count_given_chunks(context, (*steps.left_out, *steps.other_rows))
    failpoint("before-plan-adopted")
    context.transaction(lambda connection: _adopt(connection, plan, state, adoption, restored))
    failpoint("after-plan-adopted")
    drop_on_every_shard(context, adoption.ours)
    return f"plan {plan.fingerprint} instead of {adoption.instead_of}: {adoption.because}"


def _adopt(
    connection: Connection[Any], plan: Plan, state: MigrationState, adoption: Adoption, restored: Counter[str]
) -> None:
    steps, migration = adoption.steps, plan.migration
    if not adopt(connection, plan, instead_of=adoption.instead_of):
        return
    if adoption.batch is not None:
        hand_batch_over(connection, migration, adoption.batch, fingerprint=plan.fingerprint)
    for weight in adoption.weights:
        record_begin(connection, migration, weight, position=state.position)
    deduct_chunks(connection, migration, restored)
    for logical in (*steps.left_out, *adoption.ours):
        forget_chunks(connection, migration, logical)
    for logical in steps.left_out:
        forget_dead_letters(connection, migration, logical)
    for logical in steps.other_rows:
        order_recopy(connection, migration, logical, map(str, plan.table(logical).sources))
    for table in plan.keyless_tables:
        if table.logical in steps.added:
            order_read(connection, migration, table.logical, map(str, table.sources))
    order_lookup_tables(connection, plan, steps.new_parents)
    if steps.added or steps.more_sources or steps.other_rows:
        snapshot_reopened(connection, migration)
    for logical, sources in adoption.new_sources.items():
        take_new_tables(connection, migration, logical, sources)
    detail = f"plan {plan.fingerprint} instead of {adoption.instead_of}: {adoption.because}"
    audit(connection, migration, "plan adopted", detail=detail)


def _clear_ledgers(context: RunContext, added: Collection[str]) -> None:
    """What the shards know of a table of that name that was left out before. Its rows are looked at later."""
    plan = context.plan
    tables = [plan.table(logical) for logical in added]
    drop_on_every_shard(context, [name for table in tables for name in table.bookkeeping_tables])
    for shard, connection in context.servers.each_shard():
        names = [t.logical + suffix for t in tables if shard in plan.shards(t) for suffix in plan.parts(t)]
        forget_lost(connection, plan.migration, names)

        def forget(connection: Connection[Any]) -> None:
            for logical in added:
                forget_table(connection, plan.migration, logical)

        context.writer.transaction(connection, forget)
