"""How is a chunk read? By one consistent SELECT, whose rows are passed on as they come.

Runs in a Spark task; reads the source server. A server's error on a table that is no longer the plan's becomes a
refusal (`changed_table`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
import pyarrow as pa

from shardwright.compiler.plan.plan import TablePlan
from shardwright.runtime.failpoints import failpoint
from shardwright.runtime.mysql.keys import set_key, source_sql
from shardwright.runtime.mysql.load_lines import row_lines
from shardwright.runtime.mysql.raw_connection import RawConnection, raw_connection
from shardwright.runtime.mysql.servers import Servers
from shardwright.runtime.mysql.text_protocol import stream_lines_by_place, stream_rows
from shardwright.runtime.snapshot.changed_table import as_planned
from shardwright.runtime.snapshot.chunk_properties import ChunkWork, WhichChunk
from shardwright.runtime.snapshot.chunks import Chunk
from shardwright.runtime.spark.worker import task_begins

CHUNK_ROWS_SCHEMA = "source_table string, chunk bigint, seen array<string>, row binary"
"""`row` is a line for LOAD DATA when the row travels whole, NULL otherwise: then it is made of what is seen."""
PLACED_ROWS_SCHEMA = "shard bigint, part bigint, row binary"
"""Of a table whose places the source's server computes (`TablePlan.reads_place`). `row` is lines for LOAD DATA:
many rows of one place, not one."""
SEEN_ROWS_SCHEMA = "source_table string, chunk bigint, seen array<string>, row array<string>"
"""The same for the dry run and spec tests, which read the routed rows: `row` is the list of values."""


def chunk_reader(servers: Servers, which: WhichChunk) -> Callable[[Iterator[pa.RecordBatch]], Iterator[pa.RecordBatch]]:
    """A function for mapInArrow over one row, of any value, which gives rows of `chunk_schema`."""

    def read(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        task_begins()
        for _ in batches:
            pass
        work = which()
        if work is None:
            return
        chunk, database = work.chunk, work.chunk.source.database
        with raw_connection(servers.reader_of(database), database) as connection:
            failpoint("before-chunk-read", chunk.logical)
            set_key(connection, "sw_low", chunk.low)
            set_key(connection, "sw_high", chunk.high)
            with as_planned(chunk.source):
                yield from _batches(connection, work)
            failpoint("after-chunk-read", chunk.logical)

    return read


def chunk_schema(table: TablePlan) -> str:
    return PLACED_ROWS_SCHEMA if table.placement.is_read else CHUNK_ROWS_SCHEMA


def _batches(connection: RawConnection, work: ChunkWork) -> Iterator[pa.RecordBatch]:
    chunk, table = work.chunk, work.table
    sql = source_sql(work.reads[chunk.bounds], chunk.source)
    columns = len(table.source.reads)
    if not table.placement.is_read:
        yield from (_batch(chunk, table, rows) for rows in stream_rows(connection, sql, columns=columns))
        return
    for lines in stream_lines_by_place(connection, sql, columns=columns):
        shards, parts, texts = zip(*lines, strict=True)
        yield pa.RecordBatch.from_arrays(
            [pa.array(shards, pa.int64()), pa.array(parts, pa.int64()), pa.array(texts, pa.binary())],
            names=["shard", "part", "row"],
        )


def _batch(chunk: Chunk, table: TablePlan, rows: pa.ListArray) -> pa.RecordBatch:
    count = len(rows)
    whole = table.travels_whole
    return pa.RecordBatch.from_arrays(
        [
            pa.repeat(pa.scalar(str(chunk.source), pa.string()), count),
            pa.repeat(pa.scalar(chunk.number, pa.int64()), count),
            _pick_spark_columns(rows, table) if whole else rows,
            row_lines(rows) if whole else pa.nulls(count, pa.binary()),
        ],
        names=["source_table", "chunk", "seen", "row"],
    )


def _pick_spark_columns(rows: pa.ListArray, table: TablePlan) -> pa.ListArray:
    at = [index for index, column in enumerate(table.source.reads) if column in table.spark_columns]
    count, width = len(rows), len(table.source.reads)
    places = (np.arange(count, dtype=np.int64)[:, None] * width + np.array(at, dtype=np.int64)).ravel()
    offsets = np.arange(0, count * len(at) + 1, len(at), dtype=np.int32) if at else np.zeros(count + 1, dtype=np.int32)
    return pa.ListArray.from_arrays(pa.array(offsets), rows.flatten().take(pa.array(places)))
