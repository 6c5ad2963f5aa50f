"""The routed rows of one chunk, as the shards take them: lines for LOAD DATA, by shard and physical table. A routed row
is one line, or the lines of many rows of one place.

Runs in a Spark task; writes scratch files when a chunk has several pieces, and no server.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial

import numpy as np
import pyarrow as pa

from shardwright.runtime.mysql.load_lines import row_lines, text_buffer
from shardwright.runtime.mysql.spill import Piece, pieces

ROUTED = ("shard", "part", "row")
"""Columns of routed rows that writing reads."""
_Place = tuple[int, int]
"""Shard and index of a physical table."""
PIECE_ROWS = 1_000_000
"""Chunks are sized by their bytes: only rows that turn out wider than those before make a chunk of several pieces."""


@dataclass
class ShardRows:
    """The rows of one chunk for one shard."""

    each: Callable[[], Iterator[tuple[int, bytes]]]
    """Gives index of physical table and lines, each time it is called. A table comes once for each piece that has rows
    of it."""
    parts: dict[int, int] = field(default_factory=dict)
    """Index of physical table -> number of rows."""
    size: int = 0
    """Bytes of all lines."""

    @property
    def count(self) -> int:
        return sum(self.parts.values())


class ChunkRows:
    """One piece stays in memory, sorted. Several pieces are sorted again for each shard."""

    def __init__(self, found: Sequence[Piece]) -> None:
        self._pieces = found
        self._only = _sort(found[0]()) if len(found) == 1 else None
        self.shards: dict[int, ShardRows] = {}
        for (shard, part), lines in self._all():
            share = self.shards.setdefault(shard, ShardRows(partial(self._of, shard)))
            share.parts[part] = share.parts.get(part, 0) + sum(map(_rows_of, lines))
            share.size += sum(len(buffer) for buffer in lines)

    @property
    def in_memory(self) -> bool:
        return self._only is not None

    def _of(self, shard: int) -> Iterator[tuple[int, bytes]]:
        for (other, part), lines in self._all():
            if other == shard:
                yield part, b"".join(lines)

    def _all(self) -> Iterator[tuple[_Place, list[pa.Buffer]]]:
        if self._only is not None:
            yield from self._only
            return
        for piece in self._pieces:
            yield from _sort(piece())


@contextmanager
def chunk_rows(batches: Iterator[pa.RecordBatch]) -> Iterator[ChunkRows]:
    """Sorts the rows of `batches`, which have the columns ROUTED. The scratch files are removed at the end of the
    block."""
    with pieces(batches, most_rows=PIECE_ROWS) as found:
        yield ChunkRows(found)


def _sort(rows: pa.Table) -> list[tuple[_Place, list[pa.Buffer]]]:
    """The lines of each place; rows keep the order in which they were read, which is that of their keys. Batch by
    batch, since the processor's cache holds one, and without a copy where a batch has its places in order."""
    found: dict[_Place, list[pa.Buffer]] = {}
    for batch in rows.to_batches():
        places = [batch.column(name).to_numpy().astype(np.int64) for name in ("shard", "part")]
        number = places[0] << 32 | places[1]
        lines = _lines(batch.column("row"))
        if (np.diff(number) < 0).any():
            order = np.argsort(number, kind="stable")
            number, lines = number[order], lines.take(pa.array(order))
        borders = [0, *(np.flatnonzero(np.diff(number)) + 1).tolist(), len(number)]
        for start, end in itertools.pairwise(borders):
            place = int(number[start] >> 32), int(number[start] & 0xFFFFFFFF)
            found.setdefault(place, []).append(text_buffer(lines.slice(start, end - start)))
    return sorted(found.items())


def _rows_of(lines: pa.Buffer) -> int:
    """Each row has one line end: those of its values are escaped."""
    return int(np.count_nonzero(np.frombuffer(lines, dtype=np.uint8) == ord("\n")))


def _lines(rows: pa.Array) -> pa.Array:
    """Rows that did not travel whole are still lists of values here."""
    return row_lines(rows) if pa.types.is_list(rows.type) else rows
