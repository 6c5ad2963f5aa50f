"""The books of families at the start: where every parent stands, read in the transaction that proves the start (C3)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pymysql.connections import Connection

from shardwright.compiler.plan.plan import Plan, SourceName, StepName, TablePlan
from shardwright.compiler.sql.sql_text import quoted
from shardwright.runtime.failpoints import failpoint
from shardwright.runtime.ledger.epoch import record_connection
from shardwright.runtime.mysql.keys import set_key, source_sql
from shardwright.runtime.mysql.load_data import connect_for_loading, load_rows
from shardwright.runtime.mysql.load_lines import render_lines
from shardwright.runtime.mysql.servers import Servers
from shardwright.runtime.mysql.text_protocol import RawConnection, fetch_rows
from shardwright.runtime.mysql.transactions import execute, in_transaction

_SHARD = 0  # where the books are kept


def fill_books(plan: Plan, servers: Servers, readers: Mapping[str, RawConnection], *, epoch: int) -> None:
    """Empty the books, then write down where each parent stands. `readers` (by source table) read at the start's position. The migration has
    not begun yet: whatever is left of this after a crash is emptied by the next run."""
    parents = {child.parent.places: plan.table(child.parent.parent) for child in plan.children if child.parent}
    if not parents:
        return
    target = connect_for_loading(servers.shards[_SHARD], servers.databases[_SHARD])
    try:
        record_connection(target, role="data", epoch=epoch)
        for book in plan.books:
            _empty(target, book, epoch=epoch)
        for name, parent in parents.items():
            for table in parent.sources:
                _fill(plan, plan.table(name), table, source=readers[str(table)], target=target, epoch=epoch)
            failpoint("after-book-filled", parent.logical)
    finally:
        target.close()


def _empty(target: Connection[Any], book: TablePlan, *, epoch: int) -> None:
    in_transaction(target, lambda c: execute(c, f"DELETE FROM {quoted(book.logical)}"), role="data", epoch=epoch)


def _fill(
    plan: Plan, book: TablePlan, table: SourceName, *, source: RawConnection, target: Connection[Any], epoch: int
) -> None:
    step = plan.step(book.logical, StepName.CHUNK_READ)
    names = [column.target for column in book.columns]
    rows = fetch_rows(source, source_sql(step.statement("first"), table), columns=len(names))
    while len(rows):
        payload = render_lines([], rows)

        def load(connection: Connection[Any], payload: bytes = payload) -> None:
            load_rows(connection, book.logical, names, hexadecimal=book.byte_columns, payload=payload)

        in_transaction(target, load, role="data", epoch=epoch)
        set_key(source, "sw_low", rows[-1].as_py()[: len(book.key)])
        rows = fetch_rows(source, source_sql(step.statement("next"), table), columns=len(names))
