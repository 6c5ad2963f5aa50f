"""How a task holds more rows than fit in its memory: in pieces. One transaction may have any number of rows (hazard
E11), a task's memory may not.

Used in Spark tasks; writes files below their temporary folder. All pieces but the last are in files, so that a shard's
transaction can be tried again from its beginning.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pyarrow as pa

PIECE_BYTES = 128 << 20
"""Size of a piece in memory, as Arrow keeps its rows."""

Piece = Callable[[], pa.Table]
"""Returns its rows, as often as it is called."""


@contextmanager
def pieces(batches: Iterator[pa.RecordBatch], *, most_rows: int) -> Iterator[Sequence[Piece]]:
    """All rows, in order; no more than `most_rows` and PIECE_BYTES in one. A batch that is larger than a piece is
    one."""
    tables = _cut((batch for batch in batches if batch.num_rows), most_rows)
    last = next(tables, None)
    if last is None:
        yield []
        return
    with ExitStack() as kept:
        found: list[Piece] = []
        folder = None
        for following in tables:
            folder = folder or kept.enter_context(tempfile.TemporaryDirectory(prefix="shardwright-stage-"))
            found.append(_keep(last, Path(folder, f"{len(found)}.arrow")))
            last = following
        yield [*found, lambda: last]


def _cut(batches: Iterator[pa.RecordBatch], most_rows: int) -> Iterator[pa.Table]:
    gathered: list[pa.RecordBatch] = []
    rows = size = 0
    for batch in batches:
        if gathered and (rows + batch.num_rows > most_rows or size + batch.nbytes > PIECE_BYTES):
            yield pa.Table.from_batches(gathered)
            gathered, rows, size = [], 0, 0
        gathered.append(batch)
        rows, size = rows + batch.num_rows, size + batch.nbytes
    if gathered:
        yield pa.Table.from_batches(gathered)


def _keep(table: pa.Table, file: Path) -> Piece:
    with pa.ipc.new_file(str(file), table.schema) as writer:
        writer.write_table(table)
    return lambda: pa.ipc.open_file(pa.memory_map(str(file))).read_all()
