"""How is a table copied again while the stream goes on?

Runs in the driver at the start of a run, under its fencing token, with no batch open; writes to the ledgers of all
shards and removes the rows of the table.

The stream's position lies before every chunk that is read from now on, and all its events apply, with tombstones: as
at the beginning of a migration (C4). There are three steps. First the order is recorded, as the state of the table's
chunks, and the end of the copy becomes unknown again. Then the shards are cleared. Then the chunks are deleted from the
ledger, and the copy plans them anew. A run that dies in between leaves the record, and the next run clears again. A
table without a key is ordered to be read whole instead (`counted_tables`). In families the lookup tables stay: they say
where parents are at the source, and children are placed by them whether their parents' rows are there or not.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from pymysql.connections import Connection

from shardwright.compiler.plan.plan import Plan, StepName
from shardwright.compiler.plan.removable import why_rows_must_stay
from shardwright.compiler.sql.sql_text import quote
from shardwright.runtime.events.copy import TablesToRecopy
from shardwright.runtime.failpoints import failpoint
from shardwright.runtime.failures import Refused
from shardwright.runtime.ledger.audit import audit
from shardwright.runtime.ledger.batches import read_migration, snapshot_reopened
from shardwright.runtime.ledger.chunks import (
    forget_chunks,
    has_chunks,
    order_read,
    order_recopy,
    read_copied_chunks,
    read_recopy_orders,
)
from shardwright.runtime.ledger.chunks_done import chunks_on_shard, forget_table
from shardwright.runtime.ledger.comparison import void_verified
from shardwright.runtime.ledger.context import RunContext
from shardwright.runtime.ledger.cutover import BOTH_WAYS, live_directions
from shardwright.runtime.ledger.dead_letters import forget_dead_letters
from shardwright.runtime.ledger.members import deduct_chunks
from shardwright.runtime.ledger.tables import require_format
from shardwright.runtime.mysql.transactions import execute, query
from shardwright.runtime.run.existing_rows import ALLOW, REMOVED, find_existing_rows, remove_rows
from shardwright.runtime.run.order import RunOrder
from shardwright.specs.findings.remedies import START_OVER

UNKNOWN: Final = "SW8464"
NOT_ALONE: Final = "SW8465"
NOT_NOW: Final = "SW8466"

_COLUMNS = (
    "SELECT table_name, column_name FROM information_schema.columns WHERE table_schema = %s AND table_name IN "
    "%s AND COALESCE(generation_expression, '') = ''"
)
_REFERRING = (
    "SELECT DISTINCT CONCAT(constraint_schema, '.', table_name), referenced_table_name FROM "
    "information_schema.referential_constraints WHERE unique_constraint_schema = %s AND referenced_table_name "
    "IN %s"
)


def require_recopyable(order: RunOrder) -> None:
    """Each of the tables can be copied again by itself. Asked before the run takes its token.

    Raises Refused (SW8464 to SW8466, SW8147).
    """
    plan = order.plan
    known = {table.logical for table in plan.tables}
    for logical in sorted(order.recopy):
        if logical not in known:
            raise Refused(UNKNOWN, f"--recopy {logical}: the plan has no such table, but {', '.join(sorted(known))}")
        for why in why_rows_must_stay(plan, plan.table(logical)):
            raise Refused(NOT_ALONE, f"--recopy {logical}: {why}: {START_OVER}")
    with closing(order.servers.connect_shard(0)) as control:
        if order.recopy and len(live_directions(control, plan.migration)) > 1:
            raise Refused(
                BOTH_WAYS,
                "--recopy would bring the source's rows over those of buckets that the shards write: bring all buckets "
                "to one side first (`cutover --buckets all`, or `cutover rollback --buckets all`)",
            )
        begun = require_format(control) and read_migration(control, plan.migration) is not None
        for logical in sorted(order.recopy):
            if not (
                begun and (plan.table(logical).identity.counts_rows or has_chunks(control, plan.migration, logical))
            ):
                raise Refused(UNKNOWN, f"--recopy {logical}: nothing of it was copied yet: run without --recopy")
    for shard, connection in order.servers.each_shard():
        _require_own(plan, connection, shard, order.recopy)
    if not order.may_remove_rows:
        raise Refused(REMOVED, f"rows of {', '.join(sorted(order.recopy))} would be removed: {ALLOW}")


def _require_own(plan: Plan, connection: Connection[Any], shard: int, recopy: Collection[str]) -> None:
    """No foreign data is lost with the rows: no values of columns that the plan does not write, no rows behind a
    foreign key."""
    for logical in sorted(recopy):
        table = plan.table(logical)
        if shard not in plan.shards(table):
            continue
        names = tuple(logical + suffix for suffix in plan.parts(table))
        written = {column.target.lower() for column in table.columns}
        for name, column in query(connection, _COLUMNS, (plan.databases[shard], names)):
            if str(column).lower() not in written:
                raise Refused(
                    NOT_ALONE,
                    f"--recopy {logical}: {plan.databases[shard]}.{name} has the column {column}, which the source "
                    "does not fill: its values would be lost. Keep them elsewhere and drop the column, or leave the "
                    "table as it is",
                )
        for referring, name in query(connection, _REFERRING, (plan.databases[shard], names)):
            raise Refused(
                NOT_ALONE,
                f"--recopy {logical}: a foreign key of {referring} refers to {plan.databases[shard]}.{name}: drop the "
                "foreign key first",
            )


@dataclass(frozen=True, slots=True)
class Recopy:
    """Records and executes the order. `order.recopy` has the tables of this run; earlier runs may have recorded
    others."""

    order: RunOrder
    context: RunContext

    def record(self, aside: Collection[str]) -> None:
        """Records the order: from now on, the copy is incomplete for every run. `aside`: sources that cannot be read
        now."""
        tables = sorted(self.order.recopy - self._read_orders())
        if not tables:
            return
        if aside:
            raise Refused(NOT_NOW, f"--recopy: {', '.join(sorted(aside))} cannot be read now: run again when it can")
        migration = self.order.plan.migration
        deducted = count_given_chunks(self.context, tables)

        def work(connection: Connection[Any]) -> None:
            deduct_chunks(connection, migration, deducted)
            for logical in tables:
                order_recopy(connection, migration, logical, _sources(self.order.plan, logical))
            snapshot_reopened(connection, migration)
            void_verified(connection, migration, why=f"{', '.join(tables)} was copied again")
            audit(connection, migration, "table copied again", detail=f"asked for: {', '.join(tables)}")

        failpoint("before-recopy-recorded")
        self.context.transaction(work)
        failpoint("after-recopy-recorded")

    def clear(self) -> bool:
        """Removes what the shards have of the recorded tables, so that the copy begins them anew. Returns whether
        there were any."""
        tables = sorted(self._read_orders())
        if not tables:
            return False
        plan, servers = self.order.plan, self.order.servers
        self.context.emit(TablesToRecopy(tuple(tables)))
        for shard, connection in servers.each_shard():
            for item in list(find_existing_rows(plan, connection, shard)):
                if item.logical in tables:
                    remove_rows(self.context, item)
            self._make_again(connection, tables)
            self.context.writer.transaction(connection, partial(self._forget, tables=tables))
            failpoint("after-recopy-shard-cleared", plan.databases[shard])

        def work(connection: Connection[Any]) -> None:
            for logical in tables:
                forget_chunks(connection, plan.migration, logical)
                if plan.table(logical).identity.counts_rows:
                    order_read(connection, plan.migration, logical, _sources(plan, logical))
                held = forget_dead_letters(connection, plan.migration, logical)
                detail = f"{logical}: cleared; {held} dead letters resolved" if held else f"{logical}: cleared"
                audit(connection, plan.migration, "table copied again", detail=detail)

        failpoint("before-recopy-begun")
        self.context.transaction(work)
        failpoint("after-recopy-begun")
        return True

    def _forget(self, connection: Connection[Any], *, tables: Collection[str]) -> None:
        for logical in tables:
            forget_table(connection, self.order.plan.migration, logical)

    def _make_again(self, connection: Connection[Any], tables: Collection[str]) -> None:
        """Makes the tombstones and owners of the tables again, and what keeps a child's chunks from bringing rows back.
        A newer plan may have another key."""
        plan = self.order.plan
        self.context.writer.transaction(connection, lambda _connection: None)  # raises when a newer run took over
        for table in (plan.table(logical) for logical in tables):
            link = table.placement.parent
            excluded = [] if link is None else [plan.table(link.excluded)]
            for name in (table.ours.tombstone, table.ours.owner, *(each.logical for each in excluded)):
                if name is not None:
                    execute(connection, f"DROP TABLE IF EXISTS {quote(name)}")
            for each in (table, *excluded):
                for statement in plan.step(each.logical, StepName.BOOKKEEPING).statements:
                    execute(connection, statement.sql)

    def _read_orders(self) -> frozenset[str]:
        return read_recopy_orders(self.context.control, self.order.plan.migration)


def _sources(plan: Plan, logical: str) -> tuple[str, ...]:
    return tuple(map(str, plan.table(logical).sources))


def count_given_chunks(context: RunContext, tables: Collection[str]) -> Counter[str]:
    """By database, how many chunks of these tables it has: the number that the first shard expects of it (hazard
    A13)."""
    migration, servers = context.migration, context.servers
    found: Counter[str] = Counter()
    for logical in tables:
        done = read_copied_chunks(context.control, migration, logical)
        for shard, connection in servers.each_shard():
            found[servers.databases[shard]] += len(done & chunks_on_shard(connection, migration, logical))
    return found
