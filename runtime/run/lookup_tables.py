"""How do the lookup tables of families begin? They are filled from the source: with the place of each parent row, or
with the key of the parent that it has itself. Each says what its own source table says, so their order does not matter.

Where a migration begins, they are read in the transaction that proves the start position (C3). A newer plan may make a
table a parent that was none. Its lookup table is read later than the stream's position: none of the rows that it places
are on the shards yet, and the events in between lead it to what it has already.

Runs in the driver; writes the first shard.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from pymysql.connections import Connection

from shardwright.compiler.plan.plan import Plan, StepName, TablePlan
from shardwright.compiler.plan.table_parts import SourceName
from shardwright.compiler.sql.sql_text import quote
from shardwright.runtime.events.copy import LookupTablesFilled
from shardwright.runtime.failpoints import failpoint
from shardwright.runtime.ledger.chunks import forget_chunks, order_read, read_read_orders
from shardwright.runtime.ledger.context import RunContext
from shardwright.runtime.ledger.fencing import Writer
from shardwright.runtime.mysql.keys import set_key, source_sql
from shardwright.runtime.mysql.load_data import connect_for_loading, load_rows
from shardwright.runtime.mysql.raw_connection import RawConnection
from shardwright.runtime.mysql.transactions import execute
from shardwright.runtime.sources.source import Sources, read_at_once

_SHARD = 0  # which holds the lookup tables


def fill_lookup_tables(context: RunContext, readers: Mapping[str, RawConnection]) -> None:
    """Empties the lookup tables of families and fills those of places. `readers`, by source table, read at the start
    position, which is not recorded yet: after a crash the tables are emptied again."""
    _fill_all(
        context, readers, empty=[table.logical for table in context.plan.lookup_tables], fill=context.plan.parents
    )


def order_lookup_tables(connection: Connection[Any], plan: Plan, parents: Collection[str]) -> None:
    """Records that the lookup tables of these parents are to be filled. Until then, each run does it at its start."""
    for parent in parents:
        order_read(connection, plan.migration, plan.parents[parent], map(str, plan.table(parent).sources))


def fill_ordered_lookup_tables(context: RunContext, sources: Sources) -> None:
    """Fills the lookup tables that a newer plan has ordered. The stream does not run yet, and nothing is copied."""
    plan = context.plan
    ordered = read_read_orders(context.control, plan.migration, plan.parents.values())
    fill = {parent: places for parent, places in plan.parents.items() if places in ordered}
    if not fill:
        return
    with read_at_once(sources, (str(table) for parent in fill for table in plan.table(parent).sources)) as (_, readers):
        _fill_all(context, readers, empty=ordered, fill=fill)

    def mark_filled(connection: Connection[Any]) -> None:
        for name in ordered:
            forget_chunks(connection, plan.migration, name)

    failpoint("before-lookup-tables-recorded")
    context.transaction(mark_filled)
    context.emit(LookupTablesFilled(tuple(sorted(fill))))


def _fill_all(
    context: RunContext, readers: Mapping[str, RawConnection], *, empty: Collection[str], fill: Mapping[str, str]
) -> None:
    """`fill`: parents, each with its lookup table."""
    if not fill:
        return
    plan, servers, writer = context.plan, context.servers, context.writer
    target = connect_for_loading(servers.shards[_SHARD], servers.databases[_SHARD])
    try:
        writer.record(target)
        for name in empty:
            _empty(target, plan.table(name), writer=writer)
        for parent, places in fill.items():
            for table in plan.table(parent).sources:
                _fill(plan, plan.table(places), table, source=readers[str(table)], target=target, writer=writer)
            failpoint("after-lookup-table-filled", parent)
    finally:
        target.close()


def _empty(target: Connection[Any], lookup_table: TablePlan, *, writer: Writer) -> None:
    writer.transaction(target, lambda c: execute(c, f"DELETE FROM {quote(lookup_table.logical)}"))


def _fill(
    plan: Plan,
    lookup_table: TablePlan,
    table: SourceName,
    *,
    source: RawConnection,
    target: Connection[Any],
    writer: Writer,
) -> None:
    from shardwright.runtime.mysql.load_lines import render_lines  # here: they load Arrow, and `preflight` needs none
    from shardwright.runtime.mysql.text_protocol import fetch_rows

    step = plan.step(lookup_table.logical, StepName.CHUNK_READ)
    names = [column.target for column in lookup_table.columns]
    rows = fetch_rows(source, source_sql(step.statement("first"), table), columns=len(names))
    while len(rows):
        payload = render_lines([], rows)

        def load(connection: Connection[Any], payload: bytes = payload) -> None:
            load_rows(connection, lookup_table.logical, names, hexadecimal=lookup_table.byte_columns, payload=payload)

        writer.transaction(target, load)
        set_key(source, "sw_low", rows[-1].as_py()[: len(lookup_table.key)])
        rows = fetch_rows(source, source_sql(step.statement("next"), table), columns=len(names))
