"""Writing chunks, on executors: one transaction per chunk and shard, its ledger row first (contract C4)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pymysql
from pymysql.connections import Connection

from shardwright.compiler.plan import TablePlan, with_suffix
from shardwright.compiler.steps.bookkeeping import STAGE_COLUMNS
from shardwright.compiler.steps.snapshot import CHUNK
from shardwright.runtime.connections import Servers
from shardwright.runtime.failpoints import failpoint
from shardwright.runtime.ledger.epoch import record_connection
from shardwright.runtime.local_infile import connect_for_loading, load_rows
from shardwright.runtime.render import one_array, render_lines
from shardwright.runtime.snapshot.chunks import set_key
from shardwright.runtime.snapshot.left_out import refused_at_insert, refused_at_loading, without_held
from shardwright.runtime.source_owners import comer_stays, meetings
from shardwright.runtime.transactions import execute, in_transaction, query, set_variables

WRITTEN_SCHEMA = "source_table string, chunk bigint, shard int, rows_read bigint, rows_inserted bigint, loaded bigint, refused array<string>"

_RECORD = (
    "INSERT INTO `_shardwright_chunk_done` (migration, logical, source_table, chunk, rows_read, rows_inserted, applied_at) "
    "VALUES (%s, %s, %s, %s, %s, 0, NOW(6))"
)
_INSERTED = (
    "UPDATE `_shardwright_chunk_done` SET rows_inserted = %s "
    "WHERE migration = %s AND logical = %s AND source_table = %s AND chunk = %s"
)
_FIND = (
    "SELECT rows_read, rows_inserted FROM `_shardwright_chunk_done` "
    "WHERE migration = %s AND logical = %s AND source_table = %s AND chunk = %s"
)
_DUPLICATE = 1062


@dataclass(frozen=True, slots=True)
class ChunkContext:
    """What a writing task needs to know; small and picklable. `statements` are the snapshot-insert step's by name,
    `source_row` reads one row of a source table. `naming`: rows that the shard refuses are named instead of raised, and nothing is
    written. Rows of the keys `held` are left out."""

    migration: str
    epoch: int
    servers: Servers
    table: TablePlan
    statements: Mapping[str, str]
    source_row: str
    naming: bool = False
    held: frozenset[tuple[str, ...]] = frozenset()


@dataclass(frozen=True, slots=True)
class _Written:
    """A chunk on one shard. `loaded`: bytes sent to it. `refused` (as shards answer): those that keep it from being written."""

    read: int
    inserted: int
    loaded: int = 0
    refused: Sequence[str] = ()


def chunk_writer(
    context: ChunkContext,
) -> Callable[[tuple[Any, ...], Iterator[pa.RecordBatch]], Iterator[pa.RecordBatch]]:
    """The function that Spark runs for each (source_table, chunk, shard)."""

    def write(key: tuple[Any, ...], batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        source_table, chunk, shard = (item.as_py() for item in key)
        rows = pa.Table.from_batches(list(batches)).combine_chunks()
        written = _write(context, source_table, chunk, shard=shard, rows=rows)
        yield pa.RecordBatch.from_pydict(
            {
                "source_table": pa.array([source_table], pa.string()),
                "chunk": pa.array([chunk], pa.int64()),
                "shard": pa.array([shard], pa.int32()),
                "rows_read": pa.array([written.read], pa.int64()),
                "rows_inserted": pa.array([written.inserted], pa.int64()),
                "loaded": pa.array([written.loaded], pa.int64()),
                "refused": pa.array([list(written.refused)], pa.list_(pa.string())),
            }
        )

    return write


def _write(context: ChunkContext, source_table: str, chunk: int, *, shard: int, rows: pa.Table) -> _Written:
    connection = connect_for_loading(context.servers.shards[shard], context.servers.databases[shard])
    identity = (context.migration, context.table.logical, source_table, chunk)
    try:
        record_connection(connection, role="data", epoch=context.epoch)
        execute(connection, context.statements["chunk_table"])
        source = [str(name) for name in context.table.sources].index(source_table)
        payload = without_held(context.table, _payload(rows, source), context.held)
        try:
            _load(connection, context.table, payload)
        except pymysql.err.MySQLError as error:
            refused = refused_at_loading(connection, error, context.table, payload) if context.naming else []
            if not refused:
                raise
            return _Written(0, 0, refused=refused)
        parts = sorted(set(rows.column("part").to_pylist()))

        def insert(connection: Connection[Any]) -> int:
            execute(connection, _RECORD, (*identity, rows.num_rows))
            inserted = 0
            for part in parts:
                inserted += _insert_part(context, connection, part)
            execute(connection, _INSERTED, (inserted, *identity))
            failpoint("before-chunk-commit", context.table.logical)
            return inserted

        try:
            inserted = in_transaction(connection, insert, role="data", epoch=context.epoch)
        except pymysql.err.MySQLError as error:
            # Recorded already: by an earlier run, or by an attempt of this task that Spark repeats (hazard A4).
            if error.args[:1] == (_DUPLICATE,) and (found := query(connection, _FIND, identity)):
                return _Written(int(found[0][0]), int(found[0][1]))
            refused = refused_at_insert(connection, error, context.table, parts) if context.naming else []
            if not refused:
                raise
            return _Written(0, 0, refused=refused)
        failpoint("after-chunk-commit", context.table.logical)
        return _Written(rows.num_rows, inserted, len(payload))
    finally:
        connection.close()


def _insert_part(context: ChunkContext, connection: Connection[Any], part: int) -> int:
    def sql(name: str) -> str:
        return with_suffix(context.statements[name], context.table.suffixes[part])

    set_variables(connection, sw_part=part)
    if "meets" not in context.statements:
        return execute(connection, sql("insert"))
    met = meetings(query(connection, sql("meets")))
    stays = comer_stays(context.servers, context.table, context.source_row, found=met) if met else []
    for meeting in (meeting for meeting, comer in zip(met, stays, strict=True) if comer):
        set_key(connection, "sw_key", meeting.key)
        execute(connection, sql("give_row"))
        execute(connection, sql("give_owner"))
    inserted = execute(connection, sql("insert"))
    execute(connection, sql("own"))
    return inserted


def _payload(rows: pa.Table, source: int) -> bytes:
    """The rows as the chunk's temporary table is loaded with them; `source` is the number of their source table."""
    parts = rows.column("part").combine_chunks()
    zero = pc.multiply(parts, 0)
    nothing = pa.nulls(len(parts), pa.string())
    action = pa.array(["copy"] * len(parts), pa.string())
    number = pc.add(zero, source)
    lines = pa.array(range(len(parts)), pa.int32())
    prefix = [zero, parts, action, lines, zero, zero, zero, number, nothing]  # in the order of STAGE_COLUMNS
    return render_lines(prefix, one_array(rows.column("row")))


def _load(connection: Connection[Any], table: TablePlan, payload: bytes) -> None:
    names = [*STAGE_COLUMNS, *(column.target for column in table.columns)]
    load_rows(connection, CHUNK, names, hexadecimal=table.byte_columns, payload=payload)
