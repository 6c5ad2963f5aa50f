"""A key of two source tables comes from both at the same moment: one transaction has written it and is not committed
when another one begins. Real shards, without Spark."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import pyarrow as pa
import pytest

from shardwright.compiler.plan.plan import StepName
from shardwright.runtime.failures import Refused
from shardwright.runtime.snapshot.chunk_properties import ChunkContext, ChunkWork
from shardwright.runtime.snapshot.chunks import Chunk
from shardwright.runtime.snapshot.write import chunk_writer
from tests.e2e.staged_batches import Bench, bench_of_grid, notes
from tests.servers.semi_sync import commits_wait
from tests.servers.testbed import Arena, Server

pytestmark = pytest.mark.server

FIRST, LAST = 0, 3
"""Numbers of source tables: mall_0.notes_0 and mall_1.notes_1."""


@pytest.fixture
def grid(arena: Arena, tmp_path: Path) -> Bench:
    return bench_of_grid(arena, tmp_path)


def chunk(bench: Bench) -> None:
    """A chunk of the last source table, with one row, is written to shard 0."""
    table = bench.plan.table("notes")
    statements = {item.name: item.sql for item in bench.plan.step("notes", StepName.SNAPSHOT_INSERT).statements}
    work = ChunkWork(
        Chunk("notes", table.sources[LAST], 1, None, None),
        table,
        reads={},
        statements=statements,
        source_row=bench.plan.step("notes", StepName.VERIFY_SOURCE).statement("row"),
    )
    row = pa.RecordBatch.from_pydict(
        {
            "shard": pa.array([0], pa.int32()),
            "part": pa.array([0], pa.int32()),
            "row": pa.array([["1", "b"]], pa.list_(pa.string())),
        }
    )
    context = ChunkContext(bench.plan.migration, bench.applier.writer, bench.servers, keeping=False)
    assert len(list(chunk_writer(context, lambda: work)(iter([row])))) == 1


def batch(bench: Bench) -> None:
    bench.batch("notes", [("upsert", LAST, (1, "b"))], copying=True)


@contextmanager
def write_chunk(bench: Bench, server: Server) -> Iterator[Callable[[Callable[[Bench], None]], Future[None]]]:
    """A chunk of the first source table has written its row, and commits when the block ends. Within, another writer
    can be started: the function returns when that one waits for the chunk."""
    connection = bench.servers.connect_shard(0)
    with ThreadPoolExecutor(max_workers=1) as pool:
        try:
            connection.begin()
            with connection.cursor() as cursor:
                cursor.execute("INSERT INTO notes VALUES (1, 'a')")
                cursor.execute("INSERT INTO _sw_owner_notes (sw_part, id, sw_source) VALUES (0, 1, %s)", (FIRST,))

            def start(writer: Callable[[Bench], None]) -> Future[None]:
                started = pool.submit(writer, bench)
                until = time.monotonic() + 30
                while not server.waiting_transactions():
                    assert not started.done(), started.exception()
                    assert time.monotonic() < until
                return started

            yield start
            connection.commit()
        finally:
            connection.close()


@pytest.mark.in_turn
@pytest.mark.parametrize("writer", [chunk, batch])
def test_b11_a_key_that_comes_from_two_source_tables_at_one_moment_is_named(
    grid: Bench, arena: Arena, writer: Callable[[Bench], None]
) -> None:
    grid.source.query("INSERT INTO mall_0.notes_0 VALUES (1, 'a')")
    grid.source.query("INSERT INTO mall_1.notes_1 VALUES (1, 'b')")
    with write_chunk(grid, arena.placement["part_0"]) as start:
        second = start(writer)
    with pytest.raises(Refused, match=r"key \(1\) is in both mall_0\.notes_0 and mall_1\.notes_1") as refused:
        second.result(timeout=60)
    assert refused.value.code == "SW6004"
    assert notes(grid) == [(1, "a")]
    assert grid.ask("SELECT id, sw_source FROM _sw_owner_notes") == [(1, FIRST)]


@pytest.mark.parametrize("writer", [chunk, batch])
@pytest.mark.parametrize("where", [FIRST, LAST])
def test_b11_of_a_row_that_went_from_one_source_table_to_another_the_one_that_is_there_is_kept(
    grid: Bench, arena: Arena, writer: Callable[[Bench], None], where: int
) -> None:
    name, note = {FIRST: ("mall_0.notes_0", "a"), LAST: ("mall_1.notes_1", "b")}[where]
    grid.source.query(f"INSERT INTO {name} VALUES (1, %s)", (note,))
    with write_chunk(grid, arena.placement["part_0"]) as start:
        second = start(writer)
    second.result(timeout=60)
    assert notes(grid) == [(1, note)]
    assert grid.ask("SELECT id, sw_source FROM _sw_owner_notes") == [(1, where)]


def test_case_n01_a_row_that_went_to_another_source_table_before_a_select_shows_it(grid: Bench, arena: Arena) -> None:
    grid.source.query("INSERT INTO mall_0.notes_0 VALUES (1, 'a')")
    grid.batch("notes", [("upsert", FIRST, (1, "a"))], copying=True)
    with ThreadPoolExecutor(max_workers=2) as pool:
        with commits_wait(grid.source):
            moving = pool.submit(
                grid.source.run_script,
                "BEGIN; DELETE FROM mall_0.notes_0 WHERE id = 1; INSERT INTO mall_1.notes_1 VALUES (1, 'b'); COMMIT;",
            )
            time.sleep(0.5)
            second = pool.submit(batch, grid)
            time.sleep(1)
            assert not moving.done() and not second.done()
        second.result(timeout=60)
        moving.result(timeout=60)
    assert notes(grid) == [(1, "b")]
    assert grid.ask("SELECT id, sw_source FROM _sw_owner_notes") == [(1, LAST)]
