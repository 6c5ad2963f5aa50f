"""Reading chunks, on executors: one consistent SELECT per chunk, values as canonical text."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

import pyarrow as pa
from pymysql.connections import Connection

from shardwright.runtime.connections import Address, connect
from shardwright.runtime.failpoints import failpoint
from shardwright.runtime.raw_rows import RawConnection, fetch_rows
from shardwright.runtime.snapshot.changed_table import as_planned
from shardwright.runtime.snapshot.chunks import Chunk, set_key, source_sql

CHUNK_ROWS_SCHEMA = "source_table string, chunk bigint, row array<string>"


def chunk_reader(
    addresses: Mapping[str, Address], chunks: Sequence[Chunk], *, statements: dict[str, str], columns: int
) -> Callable[[Iterator[pa.RecordBatch]], Iterator[pa.RecordBatch]]:
    """A function for mapInArrow over the chunks' indexes. `addresses` are by source table; `statements`: bounds -> the
    plan's chunk-read SQL."""

    def read(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        connections: dict[Address, Connection] = {}
        try:
            for batch in batches:
                for index in batch.column(0).to_pylist():
                    address = addresses[str(chunks[index].source)]
                    if address not in connections:
                        connections[address] = connect(address, kind=RawConnection)
                    yield _read_chunk(connections[address], chunks[index], statements, columns)
        finally:
            for connection in connections.values():
                connection.close()

    return read


def _read_chunk(connection: Connection, chunk: Chunk, statements: dict[str, str], columns: int) -> pa.RecordBatch:
    assert isinstance(connection, RawConnection)
    failpoint("before-chunk-read", chunk.logical)
    set_key(connection, "sw_low", chunk.low)
    set_key(connection, "sw_high", chunk.high)
    with as_planned(chunk.source):
        rows = fetch_rows(connection, source_sql(statements[chunk.bounds], chunk.source), columns=columns)
    failpoint("after-chunk-read", chunk.logical)
    return pa.RecordBatch.from_arrays(
        [
            pa.array([str(chunk.source)] * len(rows), pa.string()),
            pa.array([chunk.number] * len(rows), pa.int64()),
            rows,
        ],
        names=["source_table", "chunk", "row"],
    )
