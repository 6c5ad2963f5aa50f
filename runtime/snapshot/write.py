"""How is a chunk written? Its routed rows become lines for LOAD DATA, by shard and physical table. Each shard has one
transaction, whose first statement is the ledger row (contract C4).

Runs in a Spark task; writes to each shard that has rows of the chunk, in one transaction each.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeAlias

import pyarrow as pa
import pymysql
from pymysql.connections import Connection

from shardwright.compiler.plan.plan import at_place
from shardwright.runtime.failpoints import failpoint
from shardwright.runtime.ledger.chunks_done import read_chunk, record_chunk, record_inserted
from shardwright.runtime.ledger.writer_connections import connection_for_loading
from shardwright.runtime.mysql.all_shards import AT_ONCE, work_at_once
from shardwright.runtime.mysql.errors import DUP_ENTRY
from shardwright.runtime.mysql.keys import set_key
from shardwright.runtime.mysql.load_data import NotAllTaken, load_later, load_new_rows
from shardwright.runtime.mysql.rows_database import row_table
from shardwright.runtime.mysql.transactions import execute_later, send_waiting, set_variables
from shardwright.runtime.snapshot.chunk_properties import ChunkContext, ChunkWork, WhichChunk
from shardwright.runtime.snapshot.chunk_rows import ShardRows, chunk_rows
from shardwright.runtime.snapshot.guard import RefusedRows, TakenValues, insert_guarded, load_guarded

WRITTEN_SCHEMA = (
    "shard int, rows_read bigint, rows_inserted bigint, loaded bigint, seconds double, refused array<string>, "
    "taken array<string>"
)


@dataclass(frozen=True, slots=True)
class _WriteResult:
    """A chunk on one shard."""

    read: int
    inserted: int
    loaded: int = 0
    """Bytes sent to the shard."""
    refused: Sequence[str] = ()
    """Rows that keep the chunk from being written, in the form of a shard's answer."""
    taken: Sequence[str] = ()
    """Those that do so since another source table's row has a unique value of theirs."""


def chunk_writer(
    context: ChunkContext, which: WhichChunk
) -> Callable[[Iterator[pa.RecordBatch]], Iterator[pa.RecordBatch]]:
    """A function for mapInArrow over ROUTED columns; all rows of the chunk must come to one task."""

    def write(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        began, work = time.monotonic(), which()
        with chunk_rows(batches) as rows:
            if work is None:
                return
            turns = _in_turn(rows.shards, work.chunk.number)
            # Several pieces are read and sorted again for each shard: for one after the other. Where connections are
            # capped, a task has one.
            most = AT_ONCE if rows.in_memory and context.keeping else 1
            done = work_at_once(lambda shard: _write(context, work, shard, rows.shards[shard]), turns, most=most)
            written = dict(zip(turns, done, strict=True))
        seconds = time.monotonic() - began
        if written:
            yield pa.RecordBatch.from_pydict(
                {
                    "shard": pa.array(written, pa.int32()),
                    "rows_read": pa.array([done.read for done in written.values()], pa.int64()),
                    "rows_inserted": pa.array([done.inserted for done in written.values()], pa.int64()),
                    "loaded": pa.array([done.loaded for done in written.values()], pa.int64()),
                    "seconds": pa.array([seconds] * len(written), pa.float64()),
                    "refused": pa.array([list(done.refused) for done in written.values()], pa.list_(pa.string())),
                    "taken": pa.array([list(done.taken) for done in written.values()], pa.list_(pa.string())),
                }
            )

    return write


def _in_turn(shards: Mapping[int, object], number: int) -> list[int]:
    """Chunks that are written at the same time begin with different shards."""
    found = sorted(shards)
    first = number % len(found) if found else 0
    return found[first:] + found[:first]


def _write(context: ChunkContext, work: ChunkWork, shard: int, rows: ShardRows) -> _WriteResult:
    servers = context.servers
    with connection_for_loading(
        servers.shards[shard], servers.databases[shard], writer=context.writer, keeping=context.keeping
    ) as connection:
        if work.in_place:
            try:
                return _record_and(_load_in_place, connection, context, work, rows)
            except NotAllTaken:
                pass  # the guarded way says why, or can do it
        try:
            load_guarded(connection, work, rows)
            return _record_and(partial(insert_guarded, context.servers), connection, context, work, rows)
        except RefusedRows as error:
            return _WriteResult(0, 0, refused=error.rows)
        except TakenValues as error:
            return _WriteResult(0, 0, taken=error.rows)


_Insert: TypeAlias = "Callable[[Connection[Any], ChunkWork, ShardRows], int]"


def _record_and(
    insert: _Insert, connection: Connection[Any], context: ChunkContext, work: ChunkWork, rows: ShardRows
) -> _WriteResult:
    """The shard's transaction: the ledger row, then `insert`, which returns how many rows are new."""
    identity = (context.migration, *work.chunk.identity)

    def record_and_insert(connection: Connection[Any]) -> int:
        record_chunk(connection, identity, rows.count)
        inserted = insert(connection, work, rows)
        record_inserted(connection, identity, inserted)
        failpoint("before-chunk-commit", work.table.logical)
        return inserted

    try:
        inserted = context.writer.transaction(connection, record_and_insert)
    except pymysql.err.MySQLError as error:
        # Recorded already: by an earlier run, or by an attempt of this task that Spark repeats (hazard A4).
        if error.args[:1] == (DUP_ENTRY,) and (found := read_chunk(connection, identity)):
            return _WriteResult(*found)
        raise
    failpoint("after-chunk-commit", work.table.logical)
    return _WriteResult(rows.count, inserted, rows.size)


def _load_in_place(connection: Connection[Any], work: ChunkWork, rows: ShardRows) -> int:
    chunk, table = work.chunk, work.table
    columns = [column.target for column in table.columns]
    remove_deleted = f"remove_deleted_{chunk.bounds}"
    inserted = 0
    set_key(connection, "sw_low", chunk.low)
    set_key(connection, "sw_high", chunk.high)

    def count(rows: int) -> None:
        nonlocal inserted
        inserted += rows

    for part, lines in rows.each():
        name = row_table(connection, table.logical + table.suffixes[part])
        load_later(connection, load_new_rows, name, columns, hexadecimal=table.byte_columns, payload=lines, count=count)
        if remove_deleted in work.statements:
            set_variables(connection, sw_part=part)
            statement = at_place(work.statements[remove_deleted], name.database, table.suffixes[part])
            execute_later(connection, statement, judge=lambda rows: count(-rows))
    send_waiting(connection)
    return inserted
