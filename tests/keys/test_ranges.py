"""Key ranges of every kind of key (hazards D4, D5, D7): made by the server from the last key's text, they hold every
row once.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from pymysql.connections import Connection

from shardwright.compiler.plan.plan import Plan, StepName, TablePlan, with_suffix
from shardwright.runtime.mysql.keys import rows_by_key, set_key, source_sql
from shardwright.runtime.mysql.raw_connection import RawConnection
from shardwright.runtime.mysql.text_protocol import stream_rows_by_place
from shardwright.runtime.mysql.transactions import query
from shardwright.runtime.rehearsal.dry_run.batch import Event
from shardwright.runtime.rehearsal.dry_run.model import row_identity
from tests.keys.bench import Bench
from tests.keys.kinds import EXACT, KINDS, NAMES, SCHEMA, SPEC, fill
from tests.servers.testbed import Arena

pytestmark = pytest.mark.server

Key = tuple[str, ...]


def test_d4_d5_d7_ranges_hold_every_row_once(arena: Arena, tmp_path: Path) -> None:
    bench = Bench(arena, tmp_path, SPEC.replace("schema/shop.sql", "schema.sql"), SCHEMA)
    with arena.source.connect("shop") as writer, writer.cursor() as cursor:
        fill(cursor)
        writer.commit()
    with bench.servers.connect_source("shop") as connection:
        for table, count in (("folded", len(NAMES)), ("numbered", len(KINDS)), ("exact", len(EXACT))):
            for rows in (1, 2, 5):
                found = list(_walk(connection, bench.plan, bench.plan.table(table), rows))
                assert all(len(chunk) <= rows for chunk in found), (table, rows, [c for c in found if len(c) > rows])
                keys = [row for chunk in found for row in chunk]
                assert len(keys) == len(set(keys)) == count, (table, rows)


def test_d5_d7_keys_of_every_kind_are_staged_found_and_deleted(arena: Arena, tmp_path: Path) -> None:
    bench = Bench(arena, tmp_path, SPEC.replace("schema/shop.sql", "schema.sql"), SCHEMA)
    with arena.source.connect("shop") as writer, writer.cursor() as cursor:
        fill(cursor)
        writer.commit()
    for table in bench.plan.tables:
        rows = _texts(bench, table)
        for number, deletes in enumerate((False, True)):
            bench.deliver({table.logical: _events(table, rows, number, deletes=deletes)})
            assert len(bench.read_rows(table)) == (0 if deletes else len(rows)), table.logical
            if not deletes:
                assert sum(len(found) for found in _look_up(bench, table, rows)) == len(rows), table.logical


def _texts(bench: Bench, table: TablePlan) -> list[list[str | None]]:
    """The source's rows as a chunk brings them."""
    (source,) = table.sources
    connection = bench.servers.connect_source("shop", kind=RawConnection)
    sql = source_sql(bench.plan.step(table.logical, StepName.CHUNK_READ).statement("all"), source)
    with connection:
        assert isinstance(connection, RawConnection)
        return [
            row
            for _, rows in stream_rows_by_place(connection, sql, columns=len(table.columns))
            for row in rows.to_pylist()
        ]


def _events(table: TablePlan, rows: list[list[str | None]], number: int, *, deletes: bool) -> list[Event]:
    (source,) = table.sources
    return [
        Event(
            str(source),
            "D" if deletes else "I",
            (1, 1 + number, at, 0),
            0,
            row if deletes else None,
            None if deletes else row,
        )
        for at, row in enumerate(rows)
    ]


def _look_up(bench: Bench, table: TablePlan, rows: list[list[str | None]]) -> Iterator[set[Key]]:
    """The keys that the look-up finds, among those that were asked for, on each shard."""
    asked = {tuple(row_identity(table, row)) for row in rows}
    sql = bench.plan.step(table.logical, StepName.LOOKUP).statement("lookup")
    for shard in bench.plan.shards(table):
        with bench.servers.connect_shard(shard) as connection:
            kinds = [column.type for column in table.key_columns]
            yield asked & set(rows_by_key(connection, with_suffix(sql, ""), kinds, keys=sorted(asked)))


def _walk(connection: Connection, plan: Plan, table: TablePlan, rows: int) -> list[list[tuple[object, ...]]]:
    """The rows of one chunk after the other, read as a run reads them."""
    (source,) = table.sources
    bounds, reads = plan.step(table.logical, StepName.CHUNK_BOUND), plan.step(table.logical, StepName.CHUNK_READ)
    chunks: list[list[tuple[object, ...]]] = []
    low: Key | None = None
    while True:
        set_key(connection, "sw_low", low)
        sql = source_sql(bounds.statement("first" if low is None else "next"), source)
        end = query(connection, sql.replace("`${chunk_rows}`", str(rows - 1)))
        high = tuple(str(value) for value in end[0]) if end else None
        set_key(connection, "sw_high", high)
        name = {(True, True): "all", (True, False): "up_to", (False, True): "after", (False, False): "between"}
        read = reads.statement(name[low is None, high is None])
        chunks.append([tuple(row) for row in query(connection, source_sql(read, source))])
        if high is None:
            return chunks
        low = high
