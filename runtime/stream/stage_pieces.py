"""A task's rows in pieces: one transaction may have any number of rows (hazard E11), a task's memory has not.

What is more than one piece lies in files meanwhile, so that a shard's transaction can be tried again from its beginning.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pyarrow as pa

PIECE_ROWS = 100_000
PIECE_BYTES = 128 << 20
"""As Arrow keeps them."""

Piece = Callable[[], pa.Table]
"""Gives its rows whenever it is called."""


@contextmanager
def pieces(batches: Iterator[pa.RecordBatch]) -> Iterator[Sequence[Piece]]:
    """All rows, in order. A batch that is larger than a piece is one."""
    with tempfile.TemporaryDirectory(prefix="shardwright-stage-") as folder:
        found: list[Piece] = []
        tables = _cut(batch for batch in batches if batch.num_rows)
        table = next(tables, None)
        for following in tables:
            assert table is not None
            found.append(_kept(table, Path(folder, f"{len(found)}.arrow")))
            table = following
        if table is not None:
            last = table
            found.append(lambda: last)
        yield found


def _cut(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.Table]:
    gathered: list[pa.RecordBatch] = []
    rows = size = 0
    for batch in batches:
        if gathered and (rows + batch.num_rows > PIECE_ROWS or size + batch.nbytes > PIECE_BYTES):
            yield pa.Table.from_batches(gathered)
            gathered, rows, size = [], 0, 0
        gathered.append(batch)
        rows, size = rows + batch.num_rows, size + batch.nbytes
    if gathered:
        yield pa.Table.from_batches(gathered)


def _kept(table: pa.Table, file: Path) -> Piece:
    with pa.ipc.new_file(str(file), table.schema) as writer:
        writer.write_table(table)
    return lambda: pa.ipc.open_file(pa.memory_map(str(file))).read_all()
